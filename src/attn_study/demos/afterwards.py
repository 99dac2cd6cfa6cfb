"""The lesson at the numbers of a question: what is opened once the question is answered."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from attn_study.demos.lesson import Lesson
from attn_study.demos.weighing import check, with_weights
from attn_study.errors import UserError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from attn_study.attention.trace import Trace
    from attn_study.demos.demo import Demo
    from attn_study.demos.question import Asked
    from attn_study.demos.working import Focus


@dataclass(frozen=True, slots=True, eq=False)
class Opened:
    """A lesson, what of its knobs is given, and where to look in it."""

    lesson: Lesson
    given: Mapping[str, object]
    focus: Focus


@dataclass(frozen=True, slots=True, eq=False)
class Chosen:
    """What of the knobs of a lesson is given, and the lesson where it is computed already."""

    given: Mapping[str, object]
    lesson: Lesson | None = None


def chosen(demo: Demo, given: Mapping[str, object], question: str) -> Chosen:
    """Return the knobs that a card gives, with the weights that its `question` is about.

    They are left as they are where the question, `demo.name`, is of another demo, and where the
    lesson refuses such weights beside them. Raises UserError where the question is about the
    trained model and that cannot be read: other weights would pass for it.
    """
    lesson, _, name = question.partition(".")
    wished = with_weights(demo, given, name) if lesson == demo.name else given
    if wished == given:
        return Chosen(given)
    made = _lesson(demo, wished)
    if made is None:
        check(demo, name)
    return Chosen(wished, made) if made else Chosen(given)


def opened(
    demo: Demo, given: Mapping[str, object], asked: Asked | None, ready: Lesson | None = None
) -> Opened:
    """Return the lesson that a card opens.

    That is what was `asked`, once it is answered, where the knobs of the lesson lead to it; else
    the lesson with the knobs `given`, which may be `ready`. A question may draw numbers that no
    knob gives. Raises UserError for knobs that cannot be.
    """
    if asked and not demo.play:
        knobs = asked.working.knobs
        used = {name: value for name, value in knobs.items() if value not in (None, "")}
        lesson = _lesson(demo, used)
        if lesson and _are_same(lesson.working.trace, asked.working.trace):
            return Opened(lesson, _least(demo, used, lesson), lesson.focus(asked.focus))
    lesson = ready or Lesson.of(demo, given)
    return Opened(lesson, given, lesson.look)


def _lesson(demo: Demo, given: Mapping[str, object]) -> Lesson | None:
    try:
        return Lesson.of(demo, given)
    except UserError:
        return None


def _least(demo: Demo, given: Mapping[str, object], lesson: Lesson) -> Mapping[str, object]:
    """Return what must be given for this lesson.

    The rest is left to it: what follows from another knob would forbid to set that one.
    """
    for name in reversed(list(given)):
        fewer = {each: value for each, value in given.items() if each != name}
        found = _lesson(demo, fewer)
        if found and found.working.knobs == lesson.working.knobs:
            given = fewer
    return given


def _are_same(one: Trace, other: Trace) -> bool:
    return one.names == other.names and all(
        np.array_equal(one[name].values, other[name].values) for name in one.names
    )
