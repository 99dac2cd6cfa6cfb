"""A table as its rows, each with the line it begins on; one at a time, however long the file."""

from __future__ import annotations

import csv
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from attn_study.cli.logs.faults import Fault, foul
from attn_study.cli.logs.recognise import separator, split
from attn_study.deck.formats.table.rows import FOLLOWED
from attn_study.errors import UserError
from attn_study.wording import counted

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator
    from pathlib import Path

    Cells = dict[str, str]

LONGEST = 10_000_000  # characters of a cell
MOST_LINES = 1_000  # that one row may span
OPEN = "a quote opens here and is not closed"


class Form(NamedTuple):
    """What a table must be like: the columns it needs, those that are read, what is a row.

    Cells of the columns that are read stand on one line each.
    """

    needed: Collection[str]
    read: Collection[str]
    is_row: Callable[[Cells], bool]


def rows(path: Path, form: Form) -> Iterator[tuple[int, Cells | Fault]]:
    """Yield the number of each line below the header with its cells by their columns.

    Rows of empty cells are passed over. A row with more or fewer cells than the header is a fault,
    and so is one in which a quote opens and is not closed: the next row is then looked for on the
    next line, so that no quote hides the rows behind it. Raises UserError where the header lacks a
    column that is needed, or has two of one name.
    """
    csv.field_size_limit(LONGEST)
    # Bytes that are not UTF-8 come through, so that the row with them can be named
    with path.open(encoding="utf-8-sig", errors="surrogateescape", newline="") as file:
        lines = _Lines(file)
        head = next((line for line in lines if line.strip()), "")
        mark = separator(head)
        header = split(head, mark)
        _check(header, form.needed, f"{path}:{lines.number}")
        while True:
            line = lines.number + 1
            taken, cells = _record(lines, mark)
            if not taken:
                return
            if len(taken) > 1 and _has_run_on(taken, cells, header, mark, form):
                lines.give_back(taken[1:])
                yield line, Fault(0, OPEN)
            elif isinstance(cells, Fault):
                yield line, cells
            elif any(cell.strip() for cell in cells):
                yield line, _row(header, cells, form)


class _Lines:
    """The lines of a file, of which those taken last can be given back; `number` is the last's."""

    def __init__(self, file: Iterator[str]) -> None:
        self._file = file
        self._back: list[str] = []
        self.number = 0

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        line = self._back.pop() if self._back else next(self._file)
        self.number += 1
        return line

    def give_back(self, taken: list[str]) -> None:
        """Let these lines come again."""
        self._back += reversed(taken)
        self.number -= len(taken)


def _check(header: list[str], needed: Collection[str], where: str) -> None:
    if missing := [name for name in needed if name not in header]:
        raise UserError(f"the column {missing[0]} is missing", where=where)
    name, count = Counter(filter(None, header)).most_common(1)[0]
    if count > 1:
        raise UserError(f"two columns are called {name}", where=where)


def _record(lines: _Lines, mark: str) -> tuple[list[str], list[str] | Fault]:
    """Take the lines of one row; return them with its cells, or with what is wrong with it."""
    taken: list[str] = []
    is_open = False  # past the last line that a row may have

    def following() -> Iterator[str]:
        nonlocal is_open
        for line in lines:
            taken.append(line)
            yield line
            if len(taken) == MOST_LINES:
                break
        is_open = True

    try:
        return taken, next(csv.reader(following(), delimiter=mark, strict=True), [])
    except csv.Error:
        if is_open:
            return taken, Fault(0, OPEN)
        is_long = len(taken[0]) > LONGEST
        return taken, Fault(0, f"more than {LONGEST:,} characters" if is_long else FOLLOWED)


def _has_run_on(
    taken: list[str], cells: list[str] | Fault, header: list[str], mark: str, form: Form
) -> bool:
    """Return whether a quote that should have been closed before has taken in these lines."""
    if isinstance(cells, Fault) or len(cells) != len(header):
        return True
    if any("\n" in cell or "\r" in cell for cell in _read(header, cells, form).values()):
        return True
    inside = (split(line, mark) for line in taken[1:-1])
    return any(
        form.is_row(dict(zip(header, one, strict=True)))
        for one in inside
        if len(one) == len(header)
    )


def _read(header: list[str], cells: list[str], form: Form) -> Cells:
    """Return the cells of the columns that are read."""
    both = zip(header, cells, strict=True)
    return {name: cell for name, cell in both if name in form.read}


def _row(header: list[str], cells: list[str], form: Form) -> Cells | Fault:
    if len(cells) != len(header):
        have, wanted = counted(len(cells), "cell(|s)"), counted(len(header), "column(|s)")
        return Fault(0, f"{have} under {wanted}")
    row = _read(header, cells, form)
    if wrong := next(filter(None, map(foul, row.values())), ""):
        return Fault(0, wrong)
    return row
