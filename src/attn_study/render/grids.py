"""Patterns of attention as grids: who asks, who answers, a number in every cell."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from rich.text import Text

from attn_study.render.numbers import bar, number, window
from attn_study.render.shades import of_signed, of_weight
from attn_study.render.text import cells, cut, pad, safe

if TYPE_CHECKING:
    from attn_study.demos.panels import Grid, Grids

ASKS, ANSWERS = "asks ↓", "answers →"
TURNED_ASKS, TURNED_ANSWERS = "asks →", "answers ↓"
BETWEEN = 6  # cells between two grids
NARROW = 6  # cells a column takes when there are many: sign, number, gap


def draw_grids(panel: Grids, columns: int) -> list[Text]:
    """Return the patterns side by side where they fit, else one under another."""
    grids = [_turned(grid) if panel.transposed else grid for grid in panel.grids]
    label = 3 + max(len(ANSWERS), *(cells(safe(t)) for grid in grids for t in grid.rows)) + 2
    label = min(label, max(12, columns // 4))
    drawn = [_Drawn(grid, columns - label, bars=True) for grid in grids]
    together = label + sum(one.width for one in drawn) + BETWEEN * (len(drawn) - 1)
    if together <= columns:
        return _band(drawn, label, panel)
    drawn = [_Drawn(grid, columns - label, bars=False) for grid in grids]
    together = label + sum(one.width for one in drawn) + BETWEEN * (len(drawn) - 1)
    if together <= columns:
        return _band(drawn, label, panel)
    return [line for one in drawn for line in _band([one], label, panel)]


class _Drawn:
    """One grid cut to the columns that fit, with the width of each."""

    def __init__(self, grid: Grid, room: int, *, bars: bool) -> None:
        self.grid = grid
        self.bars = bars and grid.role == "weights"
        self.size = [self._size(index, grid) for index in range(len(grid.columns))]
        if sum(self.size) > room:
            self.bars = False
            narrow = NARROW if grid.role == "weights" else NARROW + 2
            self.size = [narrow] * len(grid.columns)
        focus = grid.focus if len(grid.rows) == len(grid.columns) else None
        most = max(1, room // max(self.size, default=1))
        fits = sum(self.size) <= room
        self.shown = range(len(grid.columns)) if fits else window(len(grid.columns), most, focus)
        self.rows = window(len(grid.rows), max(most, 11), grid.focus)
        self.limit = max((abs(v) for row in grid.values for v in row if v is not None), default=1)

    def _size(self, index: int, grid: Grid) -> int:
        texts = [number(row[index], grid.digits) for row in grid.values]
        longest = max(map(len, texts), default=4) + (2 if self.bars else 0)
        return max(longest, cells(safe(grid.columns[index]))) + 2

    @property
    def width(self) -> int:
        return max(sum(self.size[index] for index in self.shown), cells(self.grid.title))

    def head(self) -> str:
        names = (
            pad(cut(safe(self.grid.columns[index]), self.size[index] - 1), self.size[index])
            for index in self.shown
        )
        return pad("".join(names), self.width)

    def line(self, row: int) -> Text:
        line = Text()
        for index in self.shown:
            self._cell(line, self.grid.values[row][index], self.size[index])
        line.append(" " * (self.width - line.cell_len))
        return line

    def _cell(self, line: Text, value: float | None, size: int) -> None:
        text = number(value, self.grid.digits)
        if value is None:
            line.append(pad(f" {text}", size), "dim")
            return
        weighs = self.grid.role == "weights"
        line.append(text, of_weight(value) if weighs else of_signed(value, self.limit))
        drawn = f" {bar(value, 1)}" if self.bars and value >= 0.125 else ""
        line.append(pad(drawn, size - len(text)), "blue")


def _band(drawn: list[_Drawn], label: int, panel: Grids) -> list[Text]:
    """Return grids that stand side by side, with the axes named on the left."""
    asks, answers = (TURNED_ANSWERS, TURNED_ASKS) if panel.transposed else (ASKS, ANSWERS)
    gap = " " * BETWEEN
    title = gap.join(pad(safe(one.grid.title), one.width) for one in drawn)
    heads = gap.join(one.head() for one in drawn)
    lines = [
        Text.assemble((pad(f" {asks}", label), "dim"), (title, "bold")),
        Text.assemble((pad(f" {answers}", label), "dim"), heads),
    ]
    first = drawn[0]
    for row in first.rows:
        is_focus = any(row == one.grid.focus for one in drawn) and not panel.transposed
        mark = "▸" if is_focus else " "
        name = cut(safe(first.grid.rows[row]), label - 4)
        line = Text(pad(f" {mark} {name}", label), "bold" if is_focus else "")
        for number_of, one in enumerate(drawn):
            line.append(gap if number_of else "")
            line.append_text(one.line(row) if row < len(one.grid.rows) else Text(" " * one.width))
        lines.append(line)
    foot = "; ".join(part for part in (panel.margin, _left_out(first)) if part)
    return [*lines, Text(" " * label + foot, "dim")] if foot else lines


def _left_out(drawn: _Drawn) -> str:
    shown, all_of = drawn.shown, len(drawn.grid.columns)
    if len(shown) == all_of:
        return ""
    return f"tokens {shown.start + 1}–{shown.stop} of {all_of}"


def _turned(grid: Grid) -> Grid:
    """Return the grid with queries in columns; the mask turns with it."""
    values = tuple(zip(*grid.values, strict=True))
    return replace(grid, rows=grid.columns, columns=grid.rows, values=values, focus=None)
