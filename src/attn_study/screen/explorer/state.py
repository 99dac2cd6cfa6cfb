"""The explorer as a value: what is shown and where, what undo brings back, what was said."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from attn_study.demos.compare import telling
from attn_study.errors import UserError
from attn_study.screen.explorer.row import first_step, n_layers, weights_of
from attn_study.screen.line import Line

if TYPE_CHECKING:
    from collections.abc import Callable

    from attn_study.demos.question import Asked, Graded
    from attn_study.demos.working import Focus
    from attn_study.screen.explorer.scene import Scene

Page = Literal[
    "look", "lesson", "matrices", "help", "mistakes", "knobs", "knob", "matrix", "number", "copy",
    "predict", "left",
]  # fmt: skip
EMPTY = Line()
OPTION = re.compile(r"--([a-z][a-z-]*)")
REMEMBERED = 1_000  # changes that undo can take back


@dataclass(frozen=True, slots=True, eq=False)
class Past:
    """What undo brings back: a scene with its focus, and what was done to it, in words."""

    scene: Scene
    focus: Focus
    done: str


@dataclass(frozen=True, slots=True, eq=False)
class Question:
    """A question with its seed, and what came of the answer once there is one."""

    asked: Asked
    seed: int
    graded: Graded | None = None
    typed: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class State:
    """All that the explorer knows; every key makes a new one.

    `step` names the stage in view, "" for none where nothing asks; `layer` counts from 0.
    `chosen` is the line of a list page, `matrix` and `cell` (row, column from 0) are where the
    matrix page stands. `line` is what is being typed. `first` says that a question comes first:
    leaving it leaves the explorer. `seed` is that of the next question. `words` is said once,
    `copied` is what was copied last. `scroll` counts lines of the body.
    """

    scene: Scene
    focus: Focus
    step: str = ""
    layer: int = 0
    page: Page = "look"
    chosen: int = 0
    matrix: str = ""
    cell: tuple[int, int] = (0, 0)
    line: Line = EMPTY
    question: Question | None = None
    first: bool = False
    seed: int = 0
    past: tuple[Past, ...] = ()
    words: str = ""
    copied: str = ""
    scroll: int = 0

    @classmethod
    def of(cls, scene: Scene, focus: Focus, *, seed: int = 0) -> State:
        """Return the explorer at a scene, under a focus, with the weights in view."""
        step = first_step(scene.working.trace, scene.lesson.stages)
        return cls(scene, scene.lesson.focus(focus), step, seed=seed)

    @property
    def stages(self) -> tuple[str, ...]:
        """The steps that can be in view, one after another."""
        return tuple(step for step in self.scene.lesson.stages if step in self.scene.working.trace)

    @property
    def n_layers(self) -> int:
        """How many layers have weights."""
        return n_layers(self.scene.lesson.working.trace)

    def opened(self, page: Page) -> State:
        """Return the state with another page, from its first line on."""
        return replace(self, page=page, chosen=0, line=EMPTY, scroll=0)

    def told(self, words: str) -> State:
        """Return the state with something said."""
        return replace(self, words=words)

    def changed(self, make: Callable[[Scene], Scene], done: str) -> State:
        """Return the state with another scene, which undo takes back; `done` says what was done.

        Where the scene cannot be, it stays as it is and the reason is said. Where nothing comes
        out differently, undo has nothing to take back.
        """
        try:
            scene = make(self.scene)
        except UserError as error:
            return self.told(refusal(error))
        if (scene.lesson.knobs, scene.mistake) == (self.scene.lesson.knobs, self.scene.mistake):
            same = replace(self.scene)  # another object: it was not refused
            return replace(self, scene=same).told(f"{done}: as it was")
        past = (*self.past, Past(self.scene, self.focus, done))[-REMEMBERED:]
        return self._at(scene, self.focus, past).told(done)

    def undone(self) -> State:
        """Return the state before the last change."""
        if not self.past:
            return self.told("nothing to take back")
        *rest, last = self.past
        return self._at(last.scene, last.focus, tuple(rest)).told(f"took back: {last.done}")

    def shown_by(self, mistake: str) -> State:
        """Return the state with a mistake made, at a row that shows it; "" makes none."""
        done = f"{mistake}: the wrong way, marked ✗" if mistake else "the right way again"
        made = self.changed(lambda scene: scene.making(mistake), done)
        if made.scene is self.scene:
            return made
        if made.scene.wrong:
            focus = telling(made.scene.lesson.working, made.scene.wrong, made.focus)
            return replace(made, focus=replace(focus, key=None))
        before = self.past[-1] if self.past else None  # the row that was looked at before it
        if before and not before.scene.mistake and before.scene.given == self.scene.given:
            return replace(made, focus=made.scene.lesson.focus(before.focus))
        return made

    def _at(self, scene: Scene, focus: Focus, past: tuple[Past, ...]) -> State:
        """Return the state at another scene, with focus, stage and cell within what there is."""
        moved = replace(self, scene=scene, focus=scene.lesson.focus(focus), past=past)
        step = self.step if self.step in moved.stages else weights_of(scene.working.trace, 0)
        layer = min(self.layer, max(0, moved.n_layers - 1))
        return replace(moved, step=step, layer=layer)


def refusal(error: UserError) -> str:
    """Return why something cannot be, in one line; nobody typed an option here."""
    said = "; ".join(part for part in (error.what, error.hint) if part)
    return OPTION.sub(lambda found: found[1].replace("-", "_"), " ".join(said.split()))
