"""The one file of the folder that this device writes."""

from __future__ import annotations

import os
from hashlib import sha256
from typing import TYPE_CHECKING

from attn_study.errors import UserError
from attn_study.files import write_bytes
from attn_study.memory.sync.lines import DamagedError, line_of, row_of
from attn_study.memory.sync.reading import Place, facts_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from attn_study.memory.sync.reading import Reading


def extend(path: Path, was: Reading | None, rows: Sequence[Mapping[str, object]]) -> Place:
    """Add rows to the file, and drop what in it is damaged; return how far it is known then.

    `was` is the file as it was read just before, None where there is none. After a crash it holds
    whole lines and at most the beginning of one more. Raises UserError when it cannot be written,
    or does not hold what was written.
    """
    if path.is_symlink():
        raise UserError("this is a link; its place is kept for a file", where=str(path))
    added = b"".join(map(line_of, rows))
    before = was.place.rows + was.whole if was else 0
    try:
        if was is None or was.damaged:
            write_bytes(path, (_sound(path) if was else b"") + added)
        else:
            _append(path, was, added)
        with path.open("rb") as file:
            facts = facts_of(file)
            content = file.read()
    except OSError as error:
        raise UserError(f"cannot be written: {error.strerror or error}", where=str(path)) from error
    lines = content.count(b"\n")
    if not content.endswith(added) or lines < before + len(rows):
        raise UserError("what was written does not stand there", where=str(path))
    digest = sha256(content).hexdigest()
    return Place(facts, len(content), lines, before + len(rows), digest)


def _append(path: Path, was: Reading, added: bytes) -> None:
    """Write at the end, in the place of a line that a crash has left half written."""
    end = was.place.offset + (len(was.tail) if was.whole else 0)
    with path.open("r+b") as file:
        file.truncate(end)
        file.seek(end)
        file.write((b"\n" if was.whole else b"") + added)
        file.flush()
        os.fsync(file.fileno())


def _sound(path: Path) -> bytes:
    """Return the lines of the file that are as they were written."""
    return b"".join(line.strip() + b"\n" for line in path.read_bytes().split(b"\n") if _is(line))


def _is(line: bytes) -> bool:
    try:
        return bool(row_of(line))
    except DamagedError:
        return False
