"""A table as its rows, each with the line it begins on; one at a time, however long the file."""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING

from attn_study.cli.logs.faults import Fault
from attn_study.cli.logs.recognise import separator, split
from attn_study.errors import UserError

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from pathlib import Path

LONGEST = 10_000_000  # characters of a cell


def rows(path: Path, needed: Collection[str]) -> Iterator[tuple[int, dict[str, str] | Fault]]:
    """Yield the number of each line below the header with its cells by their columns.

    A row with more or fewer cells than the header is a fault. Raises UserError where the header
    lacks a column of `needed`, and for what is no table.
    """
    csv.field_size_limit(LONGEST)
    # Bytes that are not UTF-8 come through, so that the row with them can be named
    with path.open(encoding="utf-8-sig", errors="surrogateescape", newline="") as file:
        head = file.readline()
        mark = separator(head)
        header = split(head, mark)
        if missing := [name for name in needed if name not in header]:
            raise UserError(f"the column {missing[0]} is missing", where=f"{path}:1")
        if len(set(header)) < len(header):
            raise UserError("two columns have one name", where=f"{path}:1")
        table = csv.reader(file, delimiter=mark)
        line = 2
        while True:
            try:
                cells = next(table, None)
            except csv.Error as error:
                raise UserError(f"this is no table: {error}", where=f"{path}:{line}") from error
            if cells is None:
                return
            if cells:
                yield line, _row(header, cells)
            line = table.line_num + 2


def _row(header: list[str], cells: list[str]) -> dict[str, str] | Fault:
    if len(cells) != len(header):
        return Fault(0, f"{len(cells)} cells under {len(header)} columns")
    return dict(zip(header, cells, strict=True))
