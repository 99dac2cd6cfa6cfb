"""The focused row as a table: for each key its weight, its value and what that adds."""

from __future__ import annotations

from copy import copy
from typing import TYPE_CHECKING, NamedTuple

from rich.text import Text

from attn_study.render.explorer.targets import target
from attn_study.render.numbers import bar, digits_for, number
from attn_study.render.shades import of_role, of_signed, of_weight
from attn_study.render.text import cells, cut, pad, safe

if TYPE_CHECKING:
    from collections.abc import Sequence

LABEL = 12  # cells of a name at most, the mark before it included
BAR = 6  # cells of a bar
GAP = 2
BOTH = 2  # columns of vectors: the values and the terms
FEWEST = 2  # numbers of a vector that are worth a column

Number = float | None
Vector = tuple[float, ...]


class Sum(NamedTuple):
    """What a table adds up: the value and the term of each key, and the total."""

    values: Sequence[Vector]
    terms: Sequence[Vector]
    total: Vector


class Column(NamedTuple):
    """A number for each key under a heading, and perhaps their sum."""

    title: str
    values: Sequence[Number]
    total: float | None = None
    weighs: bool = False


def table(
    title: str,
    keys: Sequence[str],
    focus: int,
    numbers: Sequence[Column],
    added: Sum | None,
    columns: int,
    rows: int,
) -> list[Text]:
    """Return the row of one query, a line a key, at most `rows` keys around the one in focus.

    What does not fit the width goes: vectors are cut short, then the bars go, then the values.
    One of the columns of `numbers` holds weights.
    """
    label = min(LABEL, max((cells(safe(key)) for key in keys), default=0) + 2)
    parts = [_numbers(column) for column in numbers]
    room = columns - label - sum(part.width + GAP for part in parts)
    at, weights = next(
        (at, column.values) for at, column in enumerate(numbers, start=1) if column.weighs
    )
    found = _vectors(added, room - BAR - GAP)
    has_bars = room >= BAR + GAP and (added is None or len(found) == BOTH)
    if not has_bars:
        found = _vectors(added, room)
    if has_bars:
        parts.insert(at, _bars(weights))
    parts += found
    first = max(0, min(focus - rows // 2, len(keys) - rows))
    shown = range(first, min(len(keys), first + rows))
    head = Text(cut(title, max(1, columns)), "bold")
    lines = [head, _line(Text(" " * label), [part.title for part in parts], parts)]
    for at in shown:
        mark, style = ("▾", "bold") if at == focus else (" ", "")
        name = Text(pad(f"{mark}{cut(safe(keys[at]), label - 2)}", label), style)
        line = _line(name, [part.cells[at] for part in parts], parts)
        line.stylize(target(f"key {at}"))
        lines.append(line)
    if any(part.total.plain for part in parts):
        lines.append(_line(Text(pad(" sum", label), "dim"), [part.total for part in parts], parts))
    return lines


class _Part(NamedTuple):
    """One column as it is drawn."""

    title: Text
    cells: list[Text]
    total: Text
    width: int


def _line(name: Text, texts: Sequence[Text], parts: Sequence[_Part]) -> Text:
    line = Text().append_text(name)
    for text, part in zip(texts, parts, strict=True):
        line.append(" " * GAP).append_text(text).append(" " * (part.width - text.cell_len))
    line.rstrip()
    return line


def _numbers(column: Column) -> _Part:
    digits = 4 if column.weighs else digits_for(column.values, 4)
    limit = max((abs(value) for value in column.values if value is not None), default=1.0)
    texts = [number(value, digits) for value in column.values]
    total = "" if column.total is None else number(column.total, 4)
    width = max(map(len, [*texts, total, column.title]))

    def drawn(value: Number, text: str) -> Text:
        style = of_weight(value) if column.weighs else of_signed(value, limit)
        return Text(" " * (width - len(text))).append(text, style)

    return _Part(
        Text(column.title.rjust(width), "dim"),
        [drawn(value, text) for value, text in zip(column.values, texts, strict=True)],
        Text(total.rjust(width) if total else ""),
        width,
    )


def _bars(weights: Sequence[Number]) -> _Part:
    drawn = [Text(bar(weight or 0.0, BAR), "blue") for weight in weights]
    return _Part(Text(), drawn, Text(), BAR)


def _vectors(added: Sum | None, room: int) -> list[_Part]:
    """Return the columns of the values and of the terms, as much of them as there is room for."""
    if added is None or not added.terms:
        return []
    most = max(map(len, added.terms))
    values = _Vectors("× value", added.values, (), "value")
    terms = _Vectors("= weight × value", added.terms, added.total, "output")
    for shown in range(most, min(most, FEWEST) - 1, -1):
        if values.width(shown) + terms.width(shown) + 2 * GAP <= room:
            return [values.part(shown), terms.part(shown)]
    terms = terms.called("weight × v")
    for shown in range(most, 0, -1):
        if terms.width(shown) + GAP <= room:
            return [terms.part(shown)]
    return []


class _Vectors:
    """Vectors in brackets, their numbers under one another; of a long one the first.

    The numbers are written once, however many lengths are tried.
    """

    def __init__(self, title: str, vectors: Sequence[Vector], total: Vector, role: str) -> None:
        digits = digits_for([value for vector in vectors for value in vector], 4)
        self._title = title
        self._style = of_role(role)
        self._rows = [[number(value, digits) for value in vector] for vector in vectors]
        self._total = [number(value, digits) for value in total]
        self._size = max(
            (len(text) for row in (*self._rows, self._total) for text in row), default=1
        )

    def called(self, title: str) -> _Vectors:
        """Return the same vectors under another title."""
        other = copy(self)
        other._title = title
        return other

    def width(self, shown: int) -> int:
        """Return how many cells it takes with so many numbers of each."""
        longest = max(map(len, (*self._rows, self._total)), default=0)
        there = min(shown, longest)
        brackets = 2 + there * (self._size + 1) - 1 + (2 if longest > shown else 0)
        return max(len(self._title), brackets if longest else 0)

    def part(self, shown: int) -> _Part:
        """Return the column with so many numbers of each."""
        return _Part(
            Text(self._title, f"dim {self._style}".strip()),
            [Text(self._drawn(row, shown)) for row in self._rows],
            Text(self._drawn(self._total, shown), "bold"),
            self.width(shown),
        )

    def _drawn(self, row: Sequence[str], shown: int) -> str:
        texts = " ".join(text.rjust(self._size) for text in row[:shown])
        return f"({texts}{' …' if len(row) > shown else ''})" if row else ""
