"""What the tests of lessons share: the lessons there are, drawn and searched."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from attn_study.demos import LESSONS, load
from attn_study.demos.lesson import Lesson
from attn_study.render.panels import draw

if TYPE_CHECKING:
    from collections.abc import Iterable

    from attn_study.demos.panels import Panel

ALL = tuple(LESSONS)


def lesson(name: str = "head", **knobs: object) -> Lesson:
    """A lesson at these knobs."""
    return Lesson.of(load(name), knobs)


@cache
def kept(name: str, **knobs: object) -> Lesson:
    """The same, computed once in a run: for tests of how a lesson is drawn, again and again."""
    return lesson(name, **knobs)


def lines(panels: Iterable[Panel], columns: int = 80) -> list[str]:
    """The panels as they stand on a screen, without colours."""
    return [line.plain for line in draw(panels, columns)]


def text(panels: Iterable[Panel], columns: int = 80) -> str:
    """The panels as one text."""
    return "\n".join(lines(panels, columns))
