"""A lesson as a screen: what it is called, what to notice, its panels, the keys."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from attn_study.render.frame import Frame
from attn_study.render.panels import draw
from attn_study.render.text import cells, pad, safe, wrap

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from attn_study.demos.lesson import Lesson
    from attn_study.demos.panels import Panel
    from attn_study.demos.working import Focus

SHORTEST = 6  # cells: a shorter name leaves room, so that the words after `notice` line up
PINNED = 4  # a header of more than a quarter of the screen scrolls with the rest
GAPS = (3, 2)  # cells between two keys, the wider where it fits


class Sheet(Frame):
    """A frame whose rule is left out when everything fits without it."""

    __slots__ = ()

    def fit(self, columns: int, rows: int, offset: int = 0) -> list[Text]:
        """Return at most `rows` lines; the last are the footer."""
        above = [*self.header, *self.body]
        blank = rows - len(above) - len(self.footer)
        if blank >= 0:
            return [*above, *[Text()] * blank, *self.footer]
        return Frame.fit(self, columns, rows, offset)

    def last_offset(self, rows: int) -> int:
        """Return the offset at which the end of the body shows."""
        if len(self.header) + len(self.body) + len(self.footer) <= rows:
            return 0
        return Frame.last_offset(self, rows)


def lesson_lines(
    name: str, title: str, weights: str, notice: str, panels: Iterable[Panel], columns: int
) -> list[Text]:
    """Return a lesson as lines: header, notice, an empty line, the panels."""
    return [*header(name, title, weights, notice, columns), Text(), *draw(panels, columns)]


def lesson_page(lesson: Lesson, columns: int, focus: Focus | None = None) -> list[Text]:
    """Return a lesson as it is first seen, with nothing chosen yet but perhaps the focus."""
    working = lesson.working
    panels = lesson.panels(focus or lesson.look)
    return lesson_lines(
        lesson.demo.name, lesson.title, working.weights, working.notice, panels, columns
    )


def header(name: str, title: str, weights: str, notice: str, columns: int) -> list[Text]:
    """Return what the lesson is, what its weights are, and what to notice in it."""
    label = max(SHORTEST, len(name) + 1) + 1
    lines = [*_named(name, title, weights, label, columns)]
    room = columns - label - 2
    if not notice:
        return lines
    if room < label:
        return [*lines, *(Text(f" {line}") for line in wrap(safe(notice), max(1, columns - 2)))]
    first, *rest = wrap(safe(notice), room)
    lines.append(Text.assemble((pad(" notice", label + 1), "bold cyan"), first))
    return [*lines, *(Text(" " * (label + 1) + line) for line in rest)]


def sheet(top: Sequence[Text], body: Sequence[Text], footer: Sequence[Text], rows: int) -> Sheet:
    """Return the screen; its top stays in sight unless that would take too many rows."""
    if len(top) * PINNED > rows:
        return Sheet((), (*top, *body), tuple(footer))
    return Sheet(tuple(top), tuple(body), tuple(footer))


def key_line(keys: Sequence[tuple[str, str]], columns: int) -> Text:
    """Return keys with what they do in one line; the later ones give way where it is short.

    The last two stay the longest: they are help and the way out.
    """
    kept = list(keys)
    while len(kept) > 1 and _width(kept, GAPS[-1]) > columns:
        kept.pop(-3 if len(kept) > 2 else 0)
    gap = next((gap for gap in GAPS if _width(kept, gap) <= columns), GAPS[-1])
    line = Text(" ")
    for number, (key, does) in enumerate(kept):
        line.append(" " * gap if number else "").append(key, "bold cyan").append(f" {does}")
    return line


def named_lines(rows: Sequence[tuple[str, str]], columns: int) -> list[Text]:
    """Return names with what they mean, under one another where there is no room beside."""
    label = max((cells(name) for name, _ in rows), default=0) + 3
    room = columns - label - 1
    lines = []
    for name, says in rows:
        if room < label:
            lines += [Text(f" {line}", "bold") for line in wrap(name, max(1, columns - 2))]
            lines += [Text(f"   {line}") for line in wrap(says, max(1, columns - 4))]
            continue
        first, *rest = wrap(says, room)
        lines.append(Text.assemble((f" {pad(name, label - 1)}", "bold"), first))
        lines += [Text(" " * label + line) for line in rest]
    return lines


def _width(keys: Sequence[tuple[str, str]], gap: int) -> int:
    return 1 + sum(cells(key) + 1 + cells(does) for key, does in keys) + gap * (len(keys) - 1)


def _named(name: str, title: str, weights: str, label: int, columns: int) -> list[Text]:
    weights = safe(weights)
    left = Text.assemble((f" {pad(name, label)}", "bold"), title)
    gap = columns - left.cell_len - cells(weights) - 1
    if gap >= 2:
        return [left + Text(" " * gap) + Text(weights, "dim")]
    room = max(1, columns - 2)
    words = [*wrap(f"{name}   {title}", room)]
    return [
        *(Text(f" {line}", "bold") for line in words),
        *(Text(f" {line}", "dim") for line in wrap(weights, room) if line),
    ]
