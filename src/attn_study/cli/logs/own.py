"""Our own log as `log export` writes it: its rows, and lines that cannot be one."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from attn_study.cli.logs import tables
from attn_study.cli.logs.faults import Fault, foul
from attn_study.errors import UserError
from attn_study.memory.exchange.foreign import COLUMNS, WrongRowError, event

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from attn_study.memory.exchange.incoming import Incoming

WHOLE = ("tick", "grade", "offset")
UNNAMED = {"uid", "kind", "card"}  # what an anonymous row has, and `at` it has not


def read_own(path: Path, layout: str, incoming: Incoming) -> list[Fault]:
    """Read a log in JSON Lines or CSV; return the faults of lines that are no row.

    The others go to `incoming`. Raises UserError for an anonymous log.
    """
    faults = []
    for line, row in _lines(path) if layout == "jsonl" else _cells(path):
        if isinstance(row, Fault):
            faults.append(Fault(line, row.what))
            continue
        if isinstance(row, dict) and row.keys() >= UNNAMED and "at" not in row:
            hint = "it says neither whose it is nor when: such a log is for counting alone"
            raise UserError("this log is anonymous", where=f"{path}:{line}", hint=hint)
        try:
            incoming.put("", line, event(row))
        except WrongRowError as wrong:
            faults.append(Fault(line, str(wrong)))
    return faults


def _lines(path: Path) -> Iterator[tuple[int, Any]]:
    with path.open(encoding="utf-8-sig", errors="surrogateescape", newline="\n") as file:
        for number, line in enumerate(file, start=1):
            if line.strip():
                yield number, _object(line)


def _object(line: str) -> Any:
    if wrong := foul(line):
        return Fault(0, wrong)
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        cut = "" if line.endswith("\n") else ", and the file ends in it"
        return Fault(0, f"this is not a line of JSON{cut}")


def _cells(path: Path) -> Iterator[tuple[int, Any]]:
    form = tables.Form(sorted(UNNAMED), frozenset(COLUMNS), bool)  # none of its lines is prose
    for line, cells in tables.rows(path, form):
        yield line, cells if isinstance(cells, Fault) else _typed(cells)


def _typed(cells: dict[str, str]) -> dict[str, object] | Fault:
    """Return a row of a table with the values that its texts stand for."""
    row: dict[str, object] = {name: text for name, text in cells.items() if name in COLUMNS}
    try:
        for name in WHOLE:
            if name in cells:
                row[name] = int(cells[name]) if cells[name] else None
        if "seconds" in cells:
            row["seconds"] = float(cells["seconds"]) if cells["seconds"] else None
        if "data" in cells:
            row["data"] = json.loads(cells["data"])
    except (ValueError, RecursionError):
        return Fault(0, "a number, or the JSON in `data`, cannot be read")
    return row
