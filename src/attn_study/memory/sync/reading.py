"""One file of the folder, read on from where it was left."""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, BinaryIO, NamedTuple
from zlib import crc32

from attn_study.memory.exchange.foreign import WrongRowError, event
from attn_study.memory.sync.lines import DamagedError, may_become_one, row_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from attn_study.memory.event import Event

LONGEST = 2**24  # bytes of a line: the largest row there can be takes 12 MB
PIECE = 2**20  # bytes read at once
NAMED = 20  # odd lines of one file that are told one by one


class ReplacedError(Exception):
    """A file no longer begins with what was read of it."""


class Odd(NamedTuple):
    """What was found wrong in a file, at a line counted from 1; at 0 the file as a whole."""

    file: str
    line: int
    what: str


class Place(NamedTuple):
    """How far a file was read: `offset` in bytes, with the checksum of what stood before it.

    `stat` is the size, the change in ns and the identity of the file as it was then; `rows` counts
    the lines that are rows. A CRC goes on from where it was, so what is appended costs no reading
    of what stood there.
    """

    stat: tuple[int, ...] = ()
    offset: int = 0
    lines: int = 0
    rows: int = 0
    check: int = 0


START = Place()


@dataclass(slots=True)
class Reading:
    """What was read of a file from a place on, and how far that went.

    Each row goes to `keep`, with the number of its line. `damaged` counts lines that are no row at
    all, `odd` tells the first of them, and of rows that cannot be taken in. `tail` is a last line
    without its end: half written, or, when it is `whole`, a row that is read again next time; bytes
    that no row can begin with are damaged as they are.
    """

    name: str
    place: Place
    keep: Callable[[int, Event], None]
    odd: list[Odd] = field(default_factory=list)
    damaged: int = 0
    untold: int = 0
    tail: bytes = b""
    whole: bool = False

    @property
    def doubtful(self) -> bool:
        """Whether rows could not be taken in, though they are as they were written."""
        return len(self.odd) + self.untold > self.damaged

    def find(self, line: int, what: str) -> None:
        """Note what is odd about a line."""
        if len(self.odd) < NAMED:
            self.odd.append(Odd(self.name, line, what))
        else:
            self.untold += 1

    def take(self, number: int, line: bytes) -> bool:
        """Take in what stands in a line; return whether it is a row."""
        if not line.strip():
            return False
        try:
            row = row_of(line)
        except DamagedError as error:
            self.damaged += 1
            self.find(number, str(error))
            return False
        try:
            self.keep(number, event(row))
        except WrongRowError as error:
            self.find(number, f"kept out: {error}")
        return True


def same(path: Path, place: Place) -> bool:
    """Return whether a file is as it was when it was read to its end.

    Raises OSError when it cannot be looked at.
    """
    return _facts(path.stat()) == place.stat and place.offset == place.stat[0]


def read(path: Path, place: Place, keep: Callable[[int, Event], None]) -> Reading:
    """Read what stands in a file from `place` on, each row into `keep`.

    Raises ReplacedError when it does not begin with what was read before, OSError when it cannot be
    read.
    """
    if not stat.S_ISREG(path.stat().st_mode):  # a pipe would be waited for
        raise OSError("this is no file")
    with path.open("rb") as file:
        facts = facts_of(file)  # first: what changes meanwhile is seen next time
        if checked(file, place.offset) != place.check:
            raise ReplacedError(path.name)
        found, check = Reading(path.name, place, keep), place.check
        offset, lines, rows = place.offset, place.lines, place.rows
        while line := file.readline(LONGEST):
            size = len(line)
            if not line.endswith(b"\n") and size < LONGEST:
                found.tail = line
                break
            lines += 1
            check = crc32(line, check)
            while not line.endswith(b"\n") and (line := file.readline(LONGEST)):
                check = crc32(line, check)
                size += len(line)
            if size > LONGEST:
                line = b"\0"
            offset += size
            rows += found.take(lines, line)
    found.place = Place(facts, offset, lines, rows, check)
    if _is_whole(found.tail) or not may_become_one(found.tail):
        found.whole = found.take(lines + 1, found.tail)
    return found


def checked(file: BinaryIO, size: int, before: int = 0) -> int | None:
    """Return the checksum of what comes next in a file, after `before`; None where it is less."""
    while size and (piece := file.read(min(size, PIECE))):
        before = crc32(piece, before)
        size -= len(piece)
    return None if size else before


def _is_whole(tail: bytes) -> bool:
    """Whether nothing but the end of a line is missing."""
    try:
        return bool(row_of(tail))
    except DamagedError:
        return False


def facts_of(file: BinaryIO) -> tuple[int, ...]:
    """Return what changes with an open file, to be asked before it is read."""
    return _facts(os.fstat(file.fileno()))


def _facts(found: os.stat_result) -> tuple[int, ...]:
    return (found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino)
