"""What can be read of a damaged study, put into a new file; the damaged one is only read.

Rows that a backup of the same study has and the damaged file has no more are taken from there.
"""

from __future__ import annotations

import json
import re
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING

from attn_study.errors import UserError
from attn_study.memory.event import KINDS
from attn_study.memory.log import Log
from attn_study.memory.rebuilding import rebuild
from attn_study.memory.rows import EVENT_COLUMNS
from attn_study.memory.safety.copies import drop, facts, made_beside, put, verify, writing_to
from attn_study.memory.safety.pages import INDEX_LEAF, TABLE_LEAF, Pages
from attn_study.memory.schema import migrate

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from attn_study.memory.safety.fullest import Held
    from attn_study.memory.safety.pages import Value

UID = re.compile("[0-9a-f]{32}")
# The types of the columns of `log`: the id stands in the cell's rowid and is empty in the record
TYPES: tuple[type | tuple[type, ...], ...] = (
    type(None),  # id
    str,  # uid
    str,  # device
    int,  # tick
    str,  # batch
    str,  # card
    str,  # kind
    (int, type(None)),  # grade
    str,  # day
    str,  # at
    int,  # offset
    (int, float, type(None)),  # seconds
    str,  # data
)
UID_AT, KIND_AT, DATA_AT = 1, 6, 12
STAGED = f"INSERT INTO found VALUES (?, {', '.join('?' * 12)})"
STAGED_ROWS = f"INSERT INTO found SELECT id, {EVENT_COLUMNS} FROM"
# Rows of one number: the same in both files, or not
COMPARED = """
SELECT total(found.uid = row.uid), total(found.uid != row.uid)
FROM found JOIN backup.log AS row USING (id)
"""
TAKEN_IN = (
    f"INSERT OR IGNORE INTO log ({EVENT_COLUMNS}) SELECT {EVENT_COLUMNS} FROM found ORDER BY id"
)


@dataclass(frozen=True, slots=True)
class Salvaged:
    """What came out. `rows` of the log are in the new file, with the states of `cards`.

    `added` of them come from the backup, None where it was left out: it has another history.
    `lost` rows, at least, are known to have been there.
    """

    rows: int
    cards: int
    lost: int
    added: int | None = None


def salvage(
    damaged: Path,
    target: Path,
    program: str,
    progress: Callable[[int], None] = lambda _: None,
    backup: Held | None = None,
) -> Salvaged:
    """Put every row of the log that can be read into a new study at `target`.

    With those come the rows of `backup`, a sound one, if it is one of this study. `progress` is
    told the number of rows now and then. Raises UserError, with nothing made, when
    there is not one row to be found or the file cannot be written.
    """
    pages = _opened(damaged)
    with closing(pages), writing_to(target):
        beside = made_beside(target)
        try:
            uri = beside.absolute().as_uri()
            with closing(sqlite3.connect(uri, uri=True, isolation_level=None)) as conn:
                conn.execute("PRAGMA journal_mode = WAL")
                conn.execute("PRAGMA synchronous = OFF")
                migrate(conn, program)
                known = _stage(conn, pages, progress)
                added = _join(conn, backup) if backup else None
                found = _take_in(conn, target, known, added)
                if not found.rows:
                    what = "not one row of a log can be read in this file"
                    raise UserError(what, where=str(damaged), hint=_instead(backup))
                now = facts(conn)
                conn.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            verify(beside, now)
            put(beside, target)
        except BaseException:
            drop(beside)
            raise
    return found


def _instead(backup: Held | None) -> str:
    if backup is None:
        return "`attn-study backup` lists the copies there are"
    return f"`attn-study backup --restore {backup.path}` gives you {backup.says}"


def _opened(damaged: Path) -> Pages:
    try:
        return Pages(damaged)
    except OSError as error:
        what = f"this file cannot be read: {error.strerror or error}"
        raise UserError(what, where=str(damaged), hint="name the damaged file") from error


def _stage(conn: sqlite3.Connection, pages: Pages, progress: Callable[[int], None]) -> int:
    """Collect the rows as they come, some of them twice; return the largest number ever seen."""
    conn.execute(f"CREATE TEMP TABLE found (id, {EVENT_COLUMNS})")
    numbers: set[int] = set()

    def rows() -> Iterator[list[Value]]:
        for number, values in pages.records(TABLE_LEAF):
            if values is not None and _is_row(values):
                numbers.add(number)
                if len(numbers) % 10_000 == 0:
                    progress(len(numbers))
                yield [number, *values[1:13]]

    conn.execute("BEGIN")
    conn.executemany(STAGED, rows())
    conn.execute("COMMIT")
    return max([0, *numbers, *_indexed(pages), *pages.keys()])


def _join(conn: sqlite3.Connection, backup: Held) -> int | None:
    """Add the rows that a backup alone has; return how many, None where it is of another study.

    Where an older copy was put back and studied on, a backup from before has other rows under the
    same numbers: those were given up, and do not come back by themselves.
    """
    conn.execute("ATTACH ? AS backup", [f"{backup.path.absolute().as_uri()}?mode=ro&immutable=1"])
    try:
        conn.execute("CREATE INDEX temp.found_id ON found (id)")
        same, other = conn.execute(COMPARED).fetchone()
        if other or not same:
            return None
        missing = "backup.log WHERE uid NOT IN (SELECT uid FROM found)"
        return conn.execute(f"{STAGED_ROWS} {missing}").rowcount
    finally:
        conn.execute("DETACH backup")


def _is_row(values: list[Value]) -> bool:
    """Whether a record is a row of the log: nothing else in the file has its form."""
    return (
        len(values) >= len(TYPES)
        and all(isinstance(value, kind) for value, kind in zip(values, TYPES, strict=False))
        and UID.fullmatch(str(values[UID_AT])) is not None
        and values[KIND_AT] in KINDS
        and _is_object(str(values[DATA_AT]))
    )


def _is_object(data: str) -> bool:
    if data == "{}":
        return True
    try:
        return isinstance(json.loads(data), dict)
    except (ValueError, RecursionError):
        return False


def _indexed(pages: Pages) -> Iterator[int]:
    """Yield the numbers of rows that the index of uids names, whether or not they can be read."""
    for _, values in pages.records(INDEX_LEAF):
        match values:
            case [str(uid), int(number)] if UID.fullmatch(uid):
                yield number


def _take_in(conn: sqlite3.Connection, target: Path, known: int, added: int | None) -> Salvaged:
    """Write the rows in the order they came, each once, and the states they lead to."""
    log = Log(conn, "", target)
    with log.writing():
        conn.execute(TAKEN_IN)
        rebuild(log)
    rows = conn.execute("SELECT count(*) FROM log").fetchone()[0]
    cards = conn.execute("SELECT count(*) FROM card_state").fetchone()[0]
    # Rows are numbered from 1 without a gap, and none is ever deleted
    return Salvaged(rows, cards, max(0, known - rows), added)
