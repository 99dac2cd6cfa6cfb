"""The parts a lesson is shown in: values and words, no drawing.

Every number in a panel is a stored input, or is found in the steps of the trace, or follows from
numbers on the same screen by a hand calculation within the rounding shown.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Role = Literal["", "x", "query", "key", "value", "scores", "weights", "output"]

# What stands in a cell: a number, a vector, words, or nothing (None: masked).
Value = float | tuple[float, ...] | str | None


@dataclass(frozen=True, slots=True)
class Block:
    """A matrix with a title, its shape and a label for each row; `focus` is a row, from 0."""

    title: str
    values: tuple[tuple[float, ...], ...]
    role: Role = ""
    focus: int | None = None


@dataclass(frozen=True, slots=True)
class Matrices:
    """Matrices side by side, with one row a token, named on the left."""

    rows: tuple[str, ...]
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a ledger: what it is, how it is made, a value for each column, a remark.

    `digits` are decimals; whole numbers are shown without. `bars` draws a bar for each weight
    under the line.
    """

    name: str
    how: str = ""
    values: tuple[Value, ...] = ()
    remark: str = ""
    role: Role = ""
    digits: int = 4
    bars: bool = False


@dataclass(frozen=True, slots=True)
class Ledger:
    """A calculation line by line; the columns are the tokens that answer, or dimensions."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class Grid:
    """A pattern: one row for each query, one column for each key; None is masked.

    Weights are coloured from 0 to 1, signed values about 0. `rows` and `columns` are token texts.
    """

    title: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    values: tuple[tuple[float | None, ...], ...]
    role: Role = "weights"
    focus: int | None = None
    digits: int = 2


@dataclass(frozen=True, slots=True)
class Grids:
    """Patterns side by side, with the words `asks` and `answers` on the axes.

    `margin` says what sums to 1. `transposed` has the queries in columns.
    """

    grids: tuple[Grid, ...]
    margin: str = "each row sums to 1"
    transposed: bool = False


@dataclass(frozen=True, slots=True)
class Pattern:
    """A whole pattern in one line, row after row."""

    title: str
    grid: Grid
    remark: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """A table with a heading for each column; a ✓ or ✗ may stand in a cell.

    Where the role is `weights`, its numbers are shares from 0 to 1 and are shaded by their size.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[Value, ...], ...]
    title: str = ""
    digits: int = 4
    focus: int | None = None
    role: Role = ""


@dataclass(frozen=True, slots=True)
class Shaded:
    """A row of words, each shaded by its weight, with a bar and the number under it.

    Shade and bar run from 0 to 1; a wrong weight beyond that has its number, and a bar that ends.
    """

    title: str
    words: tuple[str, ...]
    weights: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Curve:
    """A line that grows: its values so far, out of `length`, on a scale from 0 to `top`."""

    title: str
    values: tuple[float, ...]
    length: int
    top: float
    role: Role = ""
    digits: int | None = None


@dataclass(frozen=True, slots=True)
class Curves:
    """Lines side by side, `height` rows high; `first` and `last` stand under the ends of each."""

    curves: tuple[Curve, ...]
    first: str
    last: str
    height: int = 4


@dataclass(frozen=True, slots=True)
class Words:
    """A sentence or two."""

    text: str


@dataclass(frozen=True, slots=True)
class Gap:
    """An empty line."""


Panel = Matrices | Ledger | Grids | Pattern | Table | Shaded | Curves | Words | Gap
