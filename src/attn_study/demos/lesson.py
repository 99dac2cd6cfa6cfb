"""A demo at one setting of its knobs: what can be shown of it, as panels."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from attn_study.demos import LESSONS
from attn_study.demos.compare import compare
from attn_study.demos.knobs import settle
from attn_study.demos.panels import Gap
from attn_study.demos.picking import n_heads, n_queries, within
from attn_study.demos.stepping import every_step, reading_order, stage
from attn_study.demos.trained_or_toy import CASE
from attn_study.demos.weighing import about, of_case
from attn_study.errors import UserError, near

if TYPE_CHECKING:
    from collections.abc import Mapping

    from attn_study.demos.demo import Demo
    from attn_study.demos.panels import Panel
    from attn_study.demos.working import Focus, Working


def asking(demo: Demo, given: Mapping[str, object]) -> Demo:
    """Return the demo with the questions about what it shows with what is given of its knobs.

    They are about sentences of the case that is given, of any where none is. Raises UserError
    for what its knobs cannot be.
    """
    return _asking(demo, settle(demo, given), given.get(CASE))


def _asking(demo: Demo, knobs: Mapping[str, Any], case: object) -> Demo:
    played = demo.play.questions(knobs) if demo.play else {}
    return replace(demo, questions=played) if played else of_case(about(demo, knobs), case)


@dataclass(frozen=True, slots=True)
class Lesson:
    """A demo, its knobs and the working they lead to."""

    demo: Demo
    knobs: Mapping[str, Any]
    working: Working

    @classmethod
    def of(cls, demo: Demo, given: Mapping[str, object]) -> Lesson:
        """Compute a demo with what is given; UserError for what its knobs cannot be."""
        knobs = settle(demo, given)
        return cls(demo, knobs, demo.compute(**knobs))

    @property
    def title(self) -> str:
        """What the lesson is about, in one line."""
        return LESSONS.get(self.demo.name, "")

    @property
    def stages(self) -> tuple[str, ...]:
        """The names of the steps that are shown one by one."""
        trace = self.working.trace
        return tuple(step for step in self.demo.steps or reading_order(trace) if step in trace)

    @property
    def n_queries(self) -> int:
        """How many positions ask; 0 when nothing does."""
        return n_queries(self.working.trace)

    @property
    def n_heads(self) -> int:
        """How many heads there are."""
        return n_heads(self.working.trace)

    @property
    def turns(self) -> bool:
        """Whether its panels show one head at a time, so that another one looks different."""
        first = self.look
        other = replace(first, head=(first.head + 1) % self.n_heads)
        return self.n_heads > 1 and self.panels(first) != self.panels(other)

    @property
    def look(self) -> Focus:
        """Where to look first."""
        return self.focus(self.working.look or self.demo.focus)

    @property
    def asking(self) -> Demo:
        """The demo with the questions that are about what is shown."""
        return _asking(self.demo, self.knobs, self.working.knobs.get(CASE))

    def notice(self, focus: Focus) -> str:
        """Return what to notice; in a lesson that plays, at the moment in focus."""
        play = self.demo.play
        return play.notice(self.working, focus.query) if play else self.working.notice

    def focus(self, focus: Focus) -> Focus:
        """Return the focus within what there is; negative positions count from the end."""
        return within(self.working.trace, focus)

    def wrong(self, mistake: str) -> Working:
        """Compute the demo with a mistake; UserError for one that it does not or cannot make."""
        known = self.demo.mistakes
        if mistake not in known:
            hint = near(mistake, known) or "one of: " + ", ".join(known)
            raise UserError(f"demo {self.demo.name} makes no mistake {mistake!r}", hint=hint)
        return self.demo.compute(**self.knobs, mistake=mistake)

    def panels(self, focus: Focus) -> tuple[Panel, ...]:
        """Return the lesson itself."""
        return self.demo.panels(self.working, self.focus(focus))

    def stage(self, at: int, focus: Focus) -> tuple[Panel, ...]:
        """Return one stage, large; `at` counts from 0."""
        count = f"{at + 1} of {len(self.stages)}"
        return stage(self.working, self.stages[at], focus, count)

    def every_stage(self, focus: Focus) -> tuple[Panel, ...]:
        """Return all stages, large, one under another."""
        found: list[Panel] = []
        for at in range(len(self.stages)):
            found += [*self.stage(at, focus), Gap()]
        return tuple(found[:-1])

    def matrices(self, focus: Focus) -> tuple[Panel, ...]:
        """Return every step in full."""
        return every_step(self.working, self.focus(focus))

    def compared(self, mistake: str, wrong: Working, focus: Focus) -> tuple[Panel, ...]:
        """Return the wrong computation beside the right one."""
        return compare(self.working, wrong, mistake, focus)
