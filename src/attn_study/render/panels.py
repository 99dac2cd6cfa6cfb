"""A lesson's panels as lines: one drawing for each sort of panel, none for any one lesson."""

from __future__ import annotations

from functools import singledispatch
from typing import TYPE_CHECKING

from rich.text import Text

from attn_study.demos.panels import (
    Curves,
    Gap,
    Grids,
    Ledger,
    Matrices,
    Panel,
    Pattern,
    Shaded,
    Table,
    Words,
)
from attn_study.render.curves import draw_curves
from attn_study.render.grids import draw_grids
from attn_study.render.ledger import draw_ledger, trimmed
from attn_study.render.numbers import digits_for, longest, number, shape
from attn_study.render.shaded import draw_shaded
from attn_study.render.shades import of_role, of_signed, of_weight
from attn_study.render.text import cells, cut, pad, safe, wrap

if TYPE_CHECKING:
    from collections.abc import Iterable

    from attn_study.demos.panels import Block, Value

MORE = " …"  # behind the first columns of a matrix that is too wide


def draw(panels: Iterable[Panel], columns: int) -> list[Text]:
    """Return the panels one under another, at most `columns` cells wide."""
    return [line for panel in panels for line in _draw(panel, columns)]


@singledispatch
def _draw(panel: Panel, columns: int) -> list[Text]:
    raise TypeError(f"no drawing for {type(panel).__name__}")


@_draw.register
def _(panel: Gap, columns: int) -> list[Text]:
    return [Text()]


@_draw.register
def _(panel: Words, columns: int) -> list[Text]:
    return [Text(f" {line}") for line in wrap(safe(panel.text), max(1, columns - 2))]


@_draw.register
def _(panel: Grids, columns: int) -> list[Text]:
    return draw_grids(panel, columns)


@_draw.register
def _(panel: Shaded, columns: int) -> list[Text]:
    return draw_shaded(panel, columns)


@_draw.register
def _(panel: Curves, columns: int) -> list[Text]:
    return draw_curves(panel, columns)


@_draw.register
def _(panel: Ledger, columns: int) -> list[Text]:
    return draw_ledger(panel, columns)


@_draw.register
def _(panel: Pattern, columns: int) -> list[Text]:
    line = Text(f" {safe(panel.title)}   ")
    for name, row in zip(panel.grid.rows, panel.grid.values, strict=True):
        line.append(f"{safe(name)} ")
        for value in row:
            line.append(number(value, panel.grid.digits), of_weight(value)).append(" ")
        line.append("  ")
    line.append(safe(panel.remark), "dim")
    if line.cell_len <= columns:
        return [line]
    return draw_grids(Grids((panel.grid,), panel.remark), columns)


@_draw.register
def _(panel: Matrices, columns: int) -> list[Text]:
    label = max((cells(safe(name)) for name in panel.rows), default=0) + 4
    measured = [_Measured(block) for block in panel.blocks]
    widest = max((one.column for one in measured), default=0)
    label = max(2, min(label, max(8, columns // 3), columns - widest - cells(MORE)))
    bands: list[list[_Measured]] = [[]]
    used = label
    room = columns - label
    for one in measured:
        size = min(one.width(room), room) + 4
        if bands[-1] and used + size > columns + 4:
            bands.append([])
            used = label
        bands[-1].append(one)
        used += size
    return [line for band in bands for line in _matrices(panel.rows, band, label, columns)]


class _Measured:
    """A matrix with what all its numbers decide, those out of sight too: decimals and width.

    So a number looks the same in every window. It may have a million: each is looked at once and
    only those in sight are written out.
    """

    def __init__(self, block: Block) -> None:
        self.block = block
        self.digits = digits_for((v for row in block.values for v in row), 2)
        self.column = longest(block.values, self.digits) + 1
        ends = (end(row) for row in block.values if row for end in (min, max))
        self.limit = max(map(abs, ends), default=0.0)
        self.headed = f"{block.title} {shape(block.values)}"

    def fits(self, room: int) -> int:
        """Return how many columns are shown; where not all, a sign follows."""
        there_are = len(self.block.values[0]) if self.block.values else 0
        if self.column * there_are <= room:
            return there_are
        return max(1, (room - cells(MORE)) // self.column)

    def width(self, room: int) -> int:
        """Return the cells that the columns shown take, and the title over them."""
        return max(self.column * self.fits(room), min(cells(self.headed), room))


def _matrices(
    rows: tuple[str, ...], blocks: list[_Measured], label: int, columns: int
) -> list[Text]:
    room = columns - label
    limit = max((one.limit for one in blocks), default=1)
    titles = Text()
    lines = [Text(pad(cut(f"   {safe(name)}", label - 1), label)) for name in rows]
    for number_of, one in enumerate(blocks):
        block = one.block
        start = label if number_of == 0 else 0
        width = one.width(room) + 4
        title = f" {one.headed}" if number_of == 0 else one.headed
        title = pad(cut(title, columns - titles.cell_len), start + width)
        titles.append(title, f"bold {of_role(block.role)}".strip())
        size = one.column
        fits = one.fits(room)
        for index, line in enumerate(lines):
            values = block.values[index] if index < len(block.values) else ()
            for value in values[:fits]:
                text = number(value, one.digits)
                line.append(" " * (size - len(text)))
                line.append(text, of_signed(value, limit))
            rest = MORE if len(values) > fits and size * fits + cells(MORE) <= room else ""
            line.append(pad(rest, width - size * len(values[:fits])))
            if index == block.focus:
                line.plain = f" ▸{line.plain[2:]}"
    return [trimmed(line) for line in (titles, *lines)]


@_draw.register
def _(panel: Table, columns: int) -> list[Text]:
    texts = [[_cell(value, panel.digits) for value in row] for row in panel.rows]
    everything = [list(panel.columns), *texts]
    count = max(map(len, everything), default=0)
    sizes = [max(cells(row[i]) if i < len(row) else 0 for row in everything) for i in range(count)]
    if 3 + sum(sizes) + 2 * (count - 1) > columns:
        return _stacked(panel, texts, columns)
    named = wrap(safe(panel.title), max(1, columns - 2))
    lines = [Text(f" {line}", "bold") for line in named if line]
    for number_of, row in enumerate(everything):
        if number_of == 0 and not any(panel.columns):
            continue
        focus = number_of - 1 == panel.focus
        line = Text(" ▸ " if focus else "   ", "bold" if number_of == 0 or focus else "")
        for index, text in enumerate(row):
            numeric = index > 0 and text[:1] in "0123456789-·✓✗"
            room = " " * (sizes[index] - cells(text))
            before, after = (room, "") if numeric else ("", room)
            shade = _shade(text) if panel.role == "weights" and number_of and numeric else ""
            line.append(before).append(text, shade).append(f"{after}  ")
        lines.append(trimmed(line))
    return lines


def _shade(text: str) -> str:
    """Return the style of a share as it is written; of a masked one where it is no number."""
    return of_weight(float(text) if text[:1].isdigit() else None)


def _stacked(panel: Table, texts: list[list[str]], columns: int) -> list[Text]:
    """Return a table that is too wide for its lines: each row as a heading and its cells below."""
    headings = [safe(heading) for heading in panel.columns]
    titles = [title for title in (safe(panel.title), *headings[:1]) if title.strip()]
    lines = [Text(f" {line}", "bold") for title in titles for line in wrap(title, columns - 2)]
    for number_of, row in enumerate(texts):
        mark = "▸" if number_of == panel.focus else " "
        first, *rest = wrap(row[0] if row else "", max(1, columns - 4))
        lines += [Text(f" {mark} {first}", "bold"), *(Text(f"   {line}", "bold") for line in rest)]
        for at, text in enumerate(row[1:], start=1):
            heading = headings[at] if at < len(headings) else ""
            said = f"{heading}  {text}".strip()
            lines += [Text(f"     {line}") for line in wrap(said, max(1, columns - 6)) if line]
    return lines


def _cell(value: Value, digits: int) -> str:
    if isinstance(value, str):
        return safe(value)
    if isinstance(value, tuple):
        shown = digits_for(value, digits)
        return " ".join(number(part, shown) for part in value)
    return number(value, digits_for([value], digits))
