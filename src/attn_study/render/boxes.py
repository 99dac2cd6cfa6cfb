"""Boxes of terminal text that sit on a baseline: beside, above and around each other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from attn_study.render.cells import cells

if TYPE_CHECKING:
    from collections.abc import Sequence

# opening or only row, middle row, last row, centre row (for braces alone)
_TALL = {
    "(": "⎛⎜⎝⎜",
    ")": "⎞⎟⎠⎟",
    "[": "⎡⎢⎣⎢",
    "]": "⎤⎥⎦⎥",
    "{": "⎧⎪⎩⎨",
    "}": "⎫⎪⎭⎬",
    "⌈": "⎡⎢⎢⎢",
    "⌉": "⎤⎥⎥⎥",
    "⌊": "⎢⎢⎣⎢",
    "⌋": "⎥⎥⎦⎥",
    "|": "││││",
    "‖": "‖‖‖‖",
}
_TALL_ASCII = {
    "(": "/|\\|",
    ")": "\\|/|",
    "[": "[[[[",
    "]": "]]]]",
    "{": "/|\\<",
    "}": "\\|/>",
}


@dataclass(frozen=True)
class Box:
    """Rows of equal width, in cells; `baseline` is the row that stands on the line, from 0."""

    rows: tuple[str, ...]
    baseline: int

    @property
    def width(self) -> int:
        """Terminal cells from edge to edge."""
        return cells(self.rows[0])

    @property
    def height(self) -> int:
        """How many rows."""
        return len(self.rows)


def box(*rows: str, baseline: int = 0) -> Box:
    """Return the rows as a box, each padded to the widest."""
    widths = [cells(row) for row in rows]
    widest = max(widths)
    padded = tuple(row + " " * (widest - width) for row, width in zip(rows, widths, strict=True))
    return Box(padded, baseline)


def beside(parts: Sequence[Box]) -> Box:
    """Return the parts from left to right on one baseline."""
    if len(parts) == 1:
        return parts[0]
    above = max((part.baseline for part in parts), default=0)
    below = max((part.height - part.baseline for part in parts), default=1)
    columns = []
    for part in parts:
        blank = (" " * part.width,)
        top = blank * (above - part.baseline)
        columns.append(top + part.rows + blank * (above + below - len(top) - part.height))
    rows = ["".join(column[row] for column in columns) for row in range(above + below)]
    return box(*rows, baseline=above)


def stacked(parts: Sequence[Box], *, on: int) -> Box:
    """Return the parts from top to bottom, centred; part number `on` gives the baseline."""
    widest = max(part.width for part in parts)
    rows: list[str] = []
    for part in parts:
        left = " " * ((widest - part.width) // 2)
        rows += [left + row for row in part.rows]
    baseline = sum(part.height for part in parts[:on]) + parts[on].baseline
    return box(*rows, baseline=baseline)


def fraction(above: Box, below: Box, *, ascii: bool) -> Box:
    """Return one part over the other; the bar outgrows bars inside its parts."""
    is_nested = above.height > 1 or below.height > 1
    width = max(above.width, below.width) + (2 if is_nested or ascii else 0)
    return stacked([above, box(("-" if ascii else "─") * width), below], on=1)


def root(inside: Box, *, ascii: bool) -> Box:
    """Return a root sign with a line over everything inside it."""
    if inside.height == 1 and not ascii:
        return box(" " + "_" * inside.width, "√" + inside.rows[0], baseline=1)
    side, line, corner = ("|", "-", "+") if ascii else ("│", "─", "┌")
    hook = "v" if ascii else "√"
    last = inside.height - 1
    rows = [f" {corner}" + line * (inside.width + 2)]
    rows += [f"{hook if i == last else ' '}{side} {row}" for i, row in enumerate(inside.rows)]
    return box(*rows, baseline=inside.baseline + 1)


def fence(left: str, inside: Box, right: str, *, ascii: bool) -> Box:
    """Return `inside` between two brackets as tall as itself; an empty bracket is none."""
    if inside.height == 1:
        return box(left + inside.rows[0] + right)
    if inside.height % 2 == 0 and {left, right} & {"{", "}"}:
        inside = _with_centre(inside)
    opening = [_side(left, inside, ascii=ascii), box(" ")] if left else []
    closing = [box(" "), _side(right, inside, ascii=ascii)] if right else []
    return beside([*opening, inside, *closing])


def grid(table: Sequence[Sequence[Box]], aligns: Sequence[str], gaps: Sequence[int]) -> Box:
    """Return a table; `aligns` has l, c or r a column, `gaps` the cells before each column."""
    widths = [max(row[column].width for row in table) for column in range(len(aligns))]
    is_tall = any(part.height > 1 for row in table for part in row)
    rows: list[str] = []
    for number, row in enumerate(table):
        if is_tall and number:
            rows.append("")
        parts = []
        for part, width, align, gap in zip(row, widths, aligns, gaps, strict=True):
            spare = width - part.width
            left = {"l": 0, "c": spare // 2, "r": spare}[align]
            parts += [box(" " * (gap + left)), part, box(" " * (spare - left))]
        rows += beside(parts).rows
    return box(*rows, baseline=(len(rows) - 1) // 2)


def _with_centre(inside: Box) -> Box:
    """A brace has a point in the middle, so it needs an odd number of rows."""
    middle = inside.height // 2
    rows = (*inside.rows[:middle], "", *inside.rows[middle:])
    return box(*rows, baseline=middle)


def _side(bracket: str, inside: Box, *, ascii: bool) -> Box:
    glyphs = (_TALL_ASCII if ascii else _TALL).get(bracket)
    if ascii and not bracket.strip("|"):
        return box(*[bracket] * inside.height, baseline=inside.baseline)
    if glyphs is None:
        rows = [""] * inside.height
        rows[inside.baseline] = bracket
        return box(*rows, baseline=inside.baseline)
    first, middle, last, centre = list(glyphs)
    rows = [first, *[middle] * (inside.height - 2), last]
    if bracket in "{}":
        rows[inside.height // 2] = centre
    return box(*rows, baseline=inside.baseline)
