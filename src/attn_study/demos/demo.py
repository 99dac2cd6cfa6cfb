"""What a demo is: knobs, a computation, the panels that show it, questions and mistakes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from attn_study.attention.trace import Trace
    from attn_study.demos.panels import Panel
    from attn_study.demos.question import Question


@dataclass(frozen=True, slots=True)
class Knob:
    """One thing the learner may set. `kind` is its type; a default of None is left to the lesson.

    `least` and `most` bound a number, `choices` are all a word may be. A knob that `departs`
    leaves the worked example for random weights when it is set.
    """

    name: str
    default: int | float | str | None
    says: str
    kind: type[int] | type[float] | type[str] = str
    choices: tuple[str, ...] = ()
    least: float | None = None
    most: float | None = None
    departs: bool = False


@dataclass(frozen=True, slots=True)
class Working:
    """One computation with its working, ready to be shown.

    `weights` says what the projections are, such as `toy weights, set by hand` or
    `random, seed 0`; `notice` is the one sentence of what to see; `knobs` are the values used.
    """

    trace: Trace
    weights: str
    notice: str
    knobs: Mapping[str, int | float | str | None] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Focus:
    """What is drawn large: positions of a query and of a head, counted from 0.

    `columns` puts the queries into columns, as the video does; papers have them in rows.
    """

    query: int = 0
    head: int = 0
    columns: bool = False


@dataclass(frozen=True, slots=True)
class Demo:
    """One lesson.

    `compute` takes every knob by name, and `mistake` (a name out of `mistakes`, or empty) for
    the wrong computation. `panels` shows a working under a focus; `focus` is where to look
    first. `steps` names the steps shown one by one; all of them when empty.
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
