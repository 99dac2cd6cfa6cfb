"""Patterns of attention as grids: who asks, who answers, a number in every cell."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from attn_study.render.numbers import bar, digits_for, number, window
from attn_study.render.shades import of_signed, of_weight
from attn_study.render.text import cells, cut, pad, safe, wrap

if TYPE_CHECKING:
    from attn_study.demos.panels import Grid, Grids

ASKS, ANSWERS = "asks ↓", "answers →"
TURNED_ASKS, TURNED_ANSWERS = "asks →", "answers ↓"
BETWEEN = 6  # cells between two grids
LABEL = 12  # cells that the words on the axes take, with the mark before them
LEAST_LABEL = 6  # where one number would not fit beside more
BAR = 2  # cells of a bar with the blank before it
FAINTEST_BAR = 0.125  # a smaller weight has no bar of its own


def draw_grids(panel: Grids, columns: int) -> list[Text]:
    """Return the patterns side by side where they fit, else one under another.

    A pattern with more columns than fit shows those up to the focus, and says so.
    """
    names = [safe(text) for grid in panel.grids for text in _rows(grid, panel)]
    plain = [_Drawn(grid, panel) for grid in panel.grids]
    narrowest = max((one.narrowest for one in plain), default=0)
    widest = max((size for one in plain for size in one.long), default=0)
    longest = 5 + max([len(ANSWERS), *map(cells, names)])
    label = min(longest, max(LABEL, min(columns // 4, columns - narrowest)))
    label = min(label, max(LEAST_LABEL, columns - widest - 1))
    for bars in (True, False):
        drawn = [_Drawn(grid, panel, bars=bars) for grid in panel.grids]
        if label + sum(one.width for one in drawn) + BETWEEN * (len(drawn) - 1) <= columns:
            return _band(drawn, label, panel, columns)
    cuts = [_Drawn(grid, panel, room=columns - label) for grid in panel.grids]
    return [line for one in cuts for line in _band([one], label, panel, columns)]


def _rows(grid: Grid, panel: Grids) -> tuple[str, ...]:
    return grid.columns if panel.transposed else grid.rows


class _Drawn:
    """One grid as it is seen, turned where queries are in columns; cut to `room` if given."""

    def __init__(
        self, grid: Grid, panel: Grids, *, bars: bool = False, room: int | None = None
    ) -> None:
        turned = panel.transposed
        self.values = tuple(zip(*grid.values, strict=True)) if turned else grid.values
        self.rows, heads = (grid.columns, grid.rows) if turned else (grid.rows, grid.columns)
        self.focus = None if turned else grid.focus
        self.column = grid.focus if turned else None
        self.weighs = grid.role == "weights"
        self.bars = bars and self.weighs
        every = [value for row in grid.values for value in row]
        self.digits = grid.digits if self.weighs else digits_for(every, grid.digits)
        self.limit = max((abs(value) for value in every if value is not None), default=1.0)
        self.title = safe(grid.title)
        self.heads = [self._head(at, text) for at, text in enumerate(heads)]
        self.long = [self._longest(at) for at in range(len(heads))]
        self.shown = range(len(heads))
        self.size = [max(*pair) for pair in zip(self.long, map(cells, self.heads), strict=True)]
        self.size = [size + 2 for size in self.size]
        if room is not None and sum(self.size) > room:
            self.size = [max(self.long, default=1) + 1] * len(heads)
            most = max(1, room // max(self.size, default=1))
            self.shown = window(len(heads), most, grid.focus)

    def _head(self, at: int, text: str) -> str:
        return f"▾{safe(text)}" if at == self.column else safe(text)

    def _longest(self, at: int) -> int:
        texts = (number(row[at], self.digits) for row in self.values)
        return max(map(len, texts), default=1) + (BAR if self.bars else 0)

    @property
    def narrowest(self) -> int:
        """The cells that all columns take when their heads are cut short."""
        return (max(self.long, default=0) + 1) * len(self.heads)

    @property
    def width(self) -> int:
        """The cells that the columns shown take, and the title over them."""
        return max(sum(self.size[at] for at in self.shown), cells(self.title))

    def head(self) -> Text:
        """Return the line of the names over the columns."""
        line = Text()
        for at in self.shown:
            style = "bold" if at == self.column else ""
            line.append(pad(cut(self.heads[at], self.size[at] - 1), self.size[at]), style)
        return line

    def line(self, row: int) -> Text:
        """Return one row of cells."""
        line = Text()
        for at in self.shown if row < len(self.values) else ():
            self._cell(line, self.values[row][at], at)
        return line

    def _cell(self, line: Text, value: float | None, at: int) -> None:
        long = self.long[at] - (BAR if self.bars else 0)
        text = number(value, self.digits)
        if value is None:
            line.append(pad(text.rjust(min(2, long)), self.size[at]), "dim")
            return
        line.append(" " * (long - len(text)))
        line.append(text, of_weight(value) if self.weighs else of_signed(value, self.limit))
        drawn = f" {bar(value, 1)}" if self.bars and value >= FAINTEST_BAR else ""
        line.append(pad(drawn, self.size[at] - long), "blue")


def _band(drawn: list[_Drawn], label: int, panel: Grids, columns: int) -> list[Text]:
    """Return grids that stand side by side, with the axes named on the left."""
    asks, answers = (TURNED_ANSWERS, TURNED_ASKS) if panel.transposed else (ASKS, ANSWERS)
    above, titles = [], [one.title for one in drawn]
    if label + sum(one.width for one in drawn) > columns:  # one grid, with a long title
        lines_of_title = wrap(titles[0], max(1, columns - 2)) if titles[0] else []
        above, titles = [Text(f" {line}", "bold") for line in lines_of_title], [""]
    lines = [
        *above,
        _side_by_side(
            cut(f" {asks}", label), "dim", label, [Text(text, "bold") for text in titles], drawn
        ),
        _side_by_side(
            cut(f" {answers}", label - 1), "dim", label, [one.head() for one in drawn], drawn
        ),
    ]
    for row, text in enumerate(drawn[0].rows):
        is_focus = any(row == one.focus for one in drawn)
        name = f" {'▸' if is_focus else ' '} {cut(safe(text), label - 4)}"
        cells_of = [one.line(row) for one in drawn]
        lines.append(_side_by_side(name, "bold" if is_focus else "", label, cells_of, drawn))
    return [*lines, *_foot(panel, drawn[0], label, columns)]


def _side_by_side(
    name: str, style: str, label: int, parts: list[Text], drawn: list[_Drawn]
) -> Text:
    line = Text(pad(name, label), style, end="")
    whole = Text()
    whole.append_text(line)
    for at, (part, one) in enumerate(zip(parts, drawn, strict=True)):
        whole.append(" " * BETWEEN if at else "").append_text(part)
        whole.append(" " * (one.width - part.cell_len))
    whole.rstrip()
    return whole


def _foot(panel: Grids, drawn: _Drawn, label: int, columns: int) -> list[Text]:
    """Return what sums to 1, and which columns are out of sight."""
    shown, every = drawn.shown, len(drawn.heads)
    cut_off = f"tokens {shown.start + 1}–{shown.stop} of {every}" if len(shown) < every else ""
    said = "; ".join(part for part in (safe(panel.margin), cut_off) if part)
    if not said:
        return []
    if label + cells(said) <= columns:
        return [Text(" " * label + said, "dim")]
    return [Text(f" {line}", "dim") for line in wrap(said, max(1, columns - 2))]
