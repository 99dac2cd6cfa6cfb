"""The log as text: JSON Lines, which comes back as it was, and CSV for spreadsheets."""

from __future__ import annotations

import csv
import json
from io import TextIOWrapper
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import IO

    Row = Mapping[str, object]

_encode = json.JSONEncoder(ensure_ascii=False, allow_nan=False).encode


def write_jsonl(rows: Iterable[Row], columns: Sequence[str], file: IO[bytes]) -> int:
    """Write each row as an object on a line of its own; return the number of rows."""
    count = 0
    for count, row in enumerate(rows, start=1):  # noqa: B007
        line = _encode({name: row[name] for name in columns})
        file.write(f"{line}\n".encode())
    return count


def write_csv(rows: Iterable[Row], columns: Sequence[str], file: IO[bytes]) -> int:
    """Write a table with a header, `data` as JSON; what is absent is an empty cell."""
    text = TextIOWrapper(file, "utf-8", newline="")
    table = csv.writer(text, lineterminator="\n")
    table.writerow(columns)
    count = 0
    for count, row in enumerate(rows, start=1):  # noqa: B007
        flat = row | {"data": _encode(row["data"])}  # type: ignore[operator]
        table.writerow([flat[name] for name in columns])
    text.detach()  # flushes, and leaves the file open to whoever opened it
    return count
