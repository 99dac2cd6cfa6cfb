"""The one file of the folder that this device writes."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, BinaryIO
from zlib import crc32

from attn_study.errors import UserError
from attn_study.files import replacing
from attn_study.memory.sync.lines import DamagedError, line_of, row_of
from attn_study.memory.sync.reading import START, Place, checked, facts_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from attn_study.memory.sync.reading import Reading


def extend(path: Path, was: Reading | None, rows: Iterable[Mapping[str, object]]) -> Place:
    """Add rows to the file, and drop what in it is damaged; return how far it is known then.

    `was` is the file as it was read just before, or is known to be still; None where there is none.
    After a crash it holds whole lines and at most the beginning of one more. Raises UserError when
    it cannot be written, or does not hold what was written.
    """
    if path.is_symlink():
        raise UserError("this is a link; its place is kept for a file", where=str(path))
    try:
        if was is None or was.damaged:
            before = START
            with replacing(path) as file:
                after = START
                for line in _sound(path) if was else ():
                    file.write(line)
                    after = _behind(after, line, rows=1)
                after = _written(file, rows, after)
        else:
            before = was.place
            after = _append(path, was, rows)
        with path.open("rb") as file:
            facts = facts_of(file)
            file.seek(before.offset)
            check = checked(file, after.offset - before.offset, before.check)
            stands = check == after.check and not file.read(1)
    except OSError as error:
        raise UserError(f"cannot be written: {error.strerror or error}", where=str(path)) from error
    if not stands:
        raise UserError("what was written does not stand there", where=str(path))
    return after._replace(stat=facts)


def _append(path: Path, was: Reading, rows: Iterable[Mapping[str, object]]) -> Place:
    """Write at the end, in the place of a line that a crash has left half written."""
    place = was.place
    with path.open("r+b") as file:
        if was.whole:  # it stands in no other file, so it is not written anew
            place = _behind(place, was.tail)
        file.truncate(place.offset)
        file.seek(place.offset)
        if was.whole:
            file.write(b"\n")
            place = _behind(place, b"\n", rows=1)
        place = _written(file, rows, place)
        file.flush()
        os.fsync(file.fileno())
    return place


def _written(file: BinaryIO, rows: Iterable[Mapping[str, object]], place: Place) -> Place:
    """Write a line for each row; return the place behind them."""
    for line in map(line_of, rows):
        file.write(line)
        place = _behind(place, line, rows=1)
    return place


def _behind(place: Place, piece: bytes, rows: int = 0) -> Place:
    """Return the place behind what was written there, which ends as many lines as it has rows."""
    return Place(
        place.stat,
        place.offset + len(piece),
        place.lines + rows,
        place.rows + rows,
        crc32(piece, place.check),
    )


def _sound(path: Path) -> Iterator[bytes]:
    """Yield the lines of the file that are as they were written."""
    with path.open("rb") as file:
        for line in file:
            if _is(line):
                yield line.strip() + b"\n"


def _is(line: bytes) -> bool:
    try:
        return bool(row_of(line))
    except DamagedError:
        return False
