"""What a demo is: knobs, a computation, the panels that show it, questions and mistakes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from attn_study.demos.working import Focus

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from attn_study.demos.panels import Panel
    from attn_study.demos.question import Question
    from attn_study.demos.working import Working


@dataclass(frozen=True, slots=True)
class Knob:
    """One thing the learner may set. `kind` is its type; a default of None is left to the lesson.

    `least` and `most` bound a number, `choices` are all a word may be.
    """

    name: str
    default: int | float | str | None
    says: str
    kind: type[int] | type[float] | type[str] = str
    choices: tuple[str, ...] = ()
    least: float | None = None
    most: float | None = None


@dataclass(frozen=True, slots=True)
class Play:
    """A computation that takes time, and can be watched.

    `frames` takes what `compute` takes, without a mistake, and yields the working after each
    moment; the last is the one that `compute` returns. `line` tells the newest moment in one
    line, and one moment in `often` is told where nothing can be drawn. `notice` is what to notice
    at a moment, by its place. `questions` are those about what is watched at these knobs.
    """

    frames: Callable[..., Iterator[Working]]
    line: Callable[[Working], str]
    often: int
    notice: Callable[[Working, int], str]
    questions: Callable[[Mapping[str, object]], Mapping[str, Question]] = lambda _knobs: {}


@dataclass(frozen=True, slots=True)
class Demo:
    """One lesson.

    `compute` takes every knob by name, and `mistake` (a name out of `mistakes`, or empty) for
    the wrong computation. `panels` shows a working under a focus; `focus` is where to look
    first. `steps` names the steps shown one by one; all of them when empty. `play` is there where
    the computation can be watched. `toy_cases` are the cases that weights set by hand have,
    where they have not all.
    """

    name: str
    knobs: tuple[Knob, ...]
    compute: Callable[..., Working]
    panels: Callable[[Working, Focus], tuple[Panel, ...]]
    questions: Mapping[str, Question]
    mistakes: tuple[str, ...] = ()
    focus: Focus = field(default_factory=Focus)
    steps: tuple[str, ...] = ()
    examples: tuple[str, ...] = ()
    play: Play | None = None
    toy_cases: tuple[str, ...] = ()
