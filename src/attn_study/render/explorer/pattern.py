"""A pattern whose cells can be clicked: in numbers where there is room, else in shades."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from rich.style import Style
from rich.text import Text

from attn_study.render.explorer.targets import target
from attn_study.render.numbers import MASKED, digits_for, number
from attn_study.render.shades import of_signed, of_weight
from attn_study.render.text import cells, cut, pad, safe

if TYPE_CHECKING:
    from attn_study.demos.panels import Grid

LABEL = 10  # cells of the names of the rows, the mark before them included
NAMED = 9  # cells of a column with its name over it
SHADES = " ░▒▓█"
FOCUSED = "•"
SHADED = (0.05, 0.2, 0.4, 0.7)  # a weight of so much has the next shade


def pattern(grid: Grid, columns: int, rows: int, key: int, *, turned: bool = False) -> list[Text]:
    """Return a pattern under two lines that say who asks, at most `rows` lines of it.

    The query in focus is that of the grid, `key` the key. `turned` has the queries in columns.
    """
    values = tuple(zip(*grid.values, strict=True)) if turned else grid.values
    down, across = (grid.columns, grid.rows) if turned else (grid.rows, grid.columns)
    query = grid.focus or 0
    at_row, at_column = (key, query) if turned else (query, key)
    drawn = _Cells(grid, across, at_column, columns - LABEL)
    axes = ("answers ↓", "asks →") if turned else ("asks ↓", "answers →")
    head = Text().append(f" {axes[0]:<9}", "dim").append(safe(grid.title), "bold")
    lines = [head, Text().append(f" {axes[1]:<9}", "dim").append_text(drawn.head(across))]
    first = max(0, min(at_row - rows // 2, len(down) - rows))
    for at in range(first, min(len(down), first + rows)):
        mark = "▸" if at == at_row else " "
        style = "bold" if at == at_row else ""
        means = f"key {at}" if turned else f"query {at}"
        line = Text(" ").append(
            pad(f"{mark}{cut(safe(down[at]), LABEL - 3)}", LABEL - 1), target(means, style)
        )
        for column in drawn.shown:
            place = (column, at) if turned else (at, column)
            is_focus = (at, column) == (at_row, at_column)
            drawn.cell(line, values[at][column], f"pair {place[0]} {place[1]}", is_focus)
        lines.append(line)
    return lines


class _Cells:
    """How a cell is drawn: with its number, as two cells of shade, or as one."""

    def __init__(self, grid: Grid, names: tuple[str, ...], focus: int, room: int) -> None:
        count = len(names)
        every = [value for row in grid.values for value in row]
        self.weighs = grid.role == "weights"
        self.digits = 2 if self.weighs else digits_for(every, 2)
        self.limit = max((abs(value) for value in every if value is not None), default=1.0)
        long = max((len(number(value, self.digits)) for value in every), default=1) + 2
        named = max(long, min(NAMED, max(map(cells, map(safe, names)), default=0) + 2))
        fitting = [width for width in (named, long, 2) if width * count <= room]
        self.width = fitting[0] if fitting else 1
        self.in_numbers = self.width >= long
        most = max(1, room // self.width)
        first = max(0, min(focus - most // 2, count - most))
        self.shown = range(first, min(count, first + most))
        self.focus = focus

    def head(self, names: tuple[str, ...]) -> Text:
        """Return the names over the columns, where they fit; the one in focus has a mark."""
        line = Text()
        for at in self.shown:
            mark = "▾" if at == self.focus else ""
            room = self.width - 1
            text = f"{mark}{cut(safe(names[at]), room - len(mark))}" if self.in_numbers else mark
            style = "bold" if at == self.focus else ""
            line.append(" " * (self.width - max(1, cells(text))) if text else " " * self.width)
            line.append(text, style)
        line.rstrip()
        return line

    def cell(self, line: Text, value: float | None, means: str, is_focus: bool) -> None:
        """Write one cell at the end of a line."""
        style = of_weight(value) if self.weighs else of_signed(value, self.limit)
        if self.in_numbers:
            text = number(value, self.digits)
            style = f"{style} bold underline".strip() if is_focus else style
            line.append(" " * (self.width - len(text))).append(text, target(means, style))
            return
        shade = FOCUSED if is_focus else _shade(value, self.limit)
        text = shade.rjust(self.width) if value is None else shade * self.width
        line.append(text, target(means, style if is_focus else _filled(style)))


@lru_cache(maxsize=64)
def _filled(style: str) -> str:
    """Return the style in which a shade is one even colour: the ground of a number's own."""
    ground = Style.parse(style).bgcolor
    return f"{ground.name} on {ground.name}" if ground else style


def _shade(value: float | None, limit: float) -> str:
    if value is None:
        return MASKED
    share = abs(value) / limit if limit > 1 else abs(value)
    return SHADES[sum(share >= least for least in SHADED)]
