"""Our own log as `log export` writes it: its rows, and lines that cannot be one."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from attn_study.cli.logs import tables
from attn_study.cli.logs.faults import Fault
from attn_study.errors import UserError
from attn_study.memory.foreign import COLUMNS, WrongRowError, event

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from attn_study.memory.event import Event

WHOLE = ("tick", "grade", "offset")
UNNAMED = {"uid", "kind", "card"}  # what an anonymous row has, and `at` it has not


@dataclass(slots=True)
class Own:
    """The sound rows of a log with the lines they stand on, and the faults of the others."""

    events: list[Event] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)


def read_own(path: Path, layout: str) -> Own:
    """Read a log in JSON Lines or CSV. Raises UserError for an anonymous one."""
    found = Own()
    for line, row in _lines(path) if layout == "jsonl" else _cells(path):
        if isinstance(row, Fault):
            found.faults.append(Fault(line, row.what))
            continue
        if isinstance(row, dict) and row.keys() >= UNNAMED and "at" not in row:
            hint = "it says neither whose it is nor when: such a log is for counting alone"
            raise UserError("this log is anonymous", where=f"{path}:{line}", hint=hint)
        try:
            found.events.append(event(row))
            found.lines.append(line)
        except WrongRowError as wrong:
            found.faults.append(Fault(line, str(wrong)))
    return found


def _lines(path: Path) -> Iterator[tuple[int, Any]]:
    with path.open(encoding="utf-8-sig", errors="surrogateescape", newline="\n") as file:
        for number, line in enumerate(file, start=1):
            if line.strip():
                yield number, _object(line)


def _object(line: str) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        cut = "" if line.endswith("\n") else ", and the file ends in it"
        return Fault(0, f"this is not a line of JSON{cut}")


def _cells(path: Path) -> Iterator[tuple[int, Any]]:
    for line, cells in tables.rows(path, UNNAMED):
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
