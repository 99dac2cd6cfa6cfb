"""A demo at the knobs and the mistake of the moment, computed: what the explorer looks at."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from attn_study.demos.edits import INPUTS
from attn_study.demos.lesson import Lesson
from attn_study.demos.setup import BROUGHT, OWN
from attn_study.demos.weighing import useful

if TYPE_CHECKING:
    from collections.abc import Mapping

    from attn_study.demos.demo import Demo, Knob
    from attn_study.demos.working import Working

NUMBERS = "set"  # the knob by which single numbers of the inputs are set


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """A lesson at what is `given` of its knobs, and the wrong working where a mistake is made.

    `named` has the words that a command line needs for a knob whose value is no text, such as the
    file that own matrices came from.
    """

    lesson: Lesson
    given: Mapping[str, object]
    mistake: str = ""
    wrong: Working | None = None
    named: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        demo: Demo,
        given: Mapping[str, object],
        mistake: str = "",
        named: Mapping[str, str] | None = None,
    ) -> Scene:
        """Compute it all; UserError for knobs that cannot be and mistakes that cannot be made."""
        kept = {name: value for name, value in given.items() if value not in (None, "")}
        lesson = Lesson.of(demo, kept)
        wrong = lesson.wrong(mistake) if mistake else None
        return cls(lesson, kept, mistake, wrong, named or {})

    @property
    def demo(self) -> Demo:
        """The demo that is shown."""
        return self.lesson.demo

    @property
    def working(self) -> Working:
        """What is on screen: the wrong working where a mistake is made."""
        return self.wrong or self.lesson.working

    @property
    def knobs(self) -> tuple[Knob, ...]:
        """The knobs that can be set now: without those that the weights in use would refuse."""
        brought = BROUGHT if OWN.name in self.given else ()
        found = useful(self.demo, self.lesson.working)
        return tuple(knob for knob in found if knob.name not in brought)

    def knob(self, name: str) -> Knob | None:
        """Return the knob of that name, None where none can be set now."""
        return next((knob for knob in self.knobs if knob.name == name), None)

    def set_to(self, name: str, value: object) -> Scene:
        """Return the scene with one knob at another value; "" leaves it to the lesson.

        Raises UserError for what the knob cannot be here.
        """
        given = {**self.given, name: value}
        return Scene.of(self.demo, given, self.mistake, self.named)

    def making(self, mistake: str) -> Scene:
        """Return the scene with that mistake made, "" for none; UserError where it cannot be."""
        return Scene.of(self.demo, self.given, mistake, self.named)

    @property
    def inputs(self) -> tuple[str, ...]:
        """The inputs of which single numbers can be set; none where the demo has no such knob."""
        if self.knob(NUMBERS) is None:
            return ()
        return tuple(name for name in INPUTS if name in self.lesson.working.trace)
