"""Rows from elsewhere, set down beside the log until it is known which of them it can take in.

They wait in a table that SQLite keeps on the disk when it grows, so that a long log costs no
memory, and the log is held only while rows go into it.
"""

from __future__ import annotations

import sqlite3
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, NamedTuple

from attn_study.memory.database import speaking_of
from attn_study.memory.exchange.outgoing import newest
from attn_study.memory.nearest import LARGEST
from attn_study.memory.rows import EVENT_COLUMNS, event_row

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from attn_study.memory.event import Event
    from attn_study.memory.log import Log

    Stage = Literal["read", "taken in", "sent"]
    Tell = Callable[[Stage, int], None]

# How far a row's tick may lie ahead of all others known: more answers than anyone gives in a life.
# Between honest logs a gap is no larger than the number of rows that are still under way; a tick
# from nowhere would use up the numbers that are left for the rows to come.
AHEAD = 10**9
LEAP = "its `tick` is too far ahead of all others"
STRANGE_UNDO = "it takes back a row of another card"
HELD = 2_000  # rows that are in memory before they are set down
CACHE = 32_768  # KB of the log in memory while many rows go in
ALL = 2**62

TABLE = (
    """CREATE TEMP TABLE incoming (
    place INTEGER PRIMARY KEY, source TEXT, line INTEGER, standing TEXT, turn INTEGER,
    uid TEXT, device TEXT, tick INTEGER, batch TEXT, card TEXT, kind TEXT, grade INTEGER, day TEXT,
    at TEXT, offset INTEGER, seconds REAL, data TEXT
    )""",
    "CREATE INDEX temp.incoming_uid ON incoming (uid)",
    "CREATE INDEX temp.incoming_turn ON incoming (turn)",
)
INCOMING = "incoming"  # the table, as `outgoing` may be told
GONE = "DROP TABLE IF EXISTS temp.incoming"
PUT = f"INSERT INTO incoming (source, line, {EVENT_COLUMNS}) VALUES (?, ?{', ?' * 12})"


def _all_of(table: str) -> str:
    return ", ".join(f"{table}.{name}" for name in EVENT_COLUMNS.split(", "))


# What stands in the log is known; of others the first of each uid is new
STANDING = """
UPDATE incoming SET turn = NULL, standing = CASE
    WHEN EXISTS (SELECT 1 FROM log WHERE log.uid = incoming.uid) THEN 'known'
    WHEN EXISTS (SELECT 1 FROM incoming AS other
                 WHERE other.uid = incoming.uid AND other.place < incoming.place) THEN 'again'
    ELSE 'new' END
WHERE standing IS NULL OR standing != 'taken'
"""
CLASHES = f"""
SELECT incoming.place, incoming.source, incoming.line, incoming.uid, NULL, 0
FROM incoming JOIN log ON log.uid = incoming.uid
WHERE standing = 'known' AND ({_all_of("incoming")}) IS NOT ({_all_of("log")})
UNION ALL
SELECT incoming.place, incoming.source, incoming.line, incoming.uid, other.source, other.line
FROM incoming JOIN incoming AS other ON other.uid = incoming.uid AND other.standing = 'new'
WHERE incoming.standing = 'again' AND ({_all_of("incoming")}) IS NOT ({_all_of("other")})
"""
STRANGE = """
SELECT place, source, line FROM incoming AS row
WHERE standing = 'new' AND kind = 'undo' AND card != coalesce(
    (SELECT card FROM log WHERE uid = row.data ->> '$.undone'),
    (SELECT card FROM incoming WHERE uid = row.data ->> '$.undone' AND standing = 'new'),
    card)
"""
# `undo` goes back in the order of arrival, which is to be the one they were written in; the rows
# of a batch stay together, since it is taken back as one
TURNS = """
UPDATE incoming SET turn = found.turn FROM (
    SELECT place, row_number() OVER (ORDER BY began, device, batch, tick, uid) AS turn FROM (
        SELECT place, device, batch, tick, uid,
            min(tick) OVER (PARTITION BY device, batch) AS began
        FROM incoming WHERE standing = 'new'
    )
) AS found WHERE found.place = incoming.place
"""


class Refused(NamedTuple):
    """A row that cannot be taken in: its source, its line there, and why.

    Where it `contradicts` one of its uid, that one stands at `other`, or where that is None, in the
    log.
    """

    source: str
    line: int
    why: str
    contradicts: bool = False
    other: tuple[str, int] | None = None


def untold(_stage: Stage, _rows: int) -> None:
    """Tell nobody how many rows came so far."""


@dataclass(slots=True)
class Incoming:
    """Rows that wait, each with the source and the line it came from.

    `count` are all of them; `mark` is the `id` of the newest row the log had when they were last
    compared with it.
    """

    log: Log
    tell: Tell = untold
    count: int = 0
    mark: int = 0
    _held: list[tuple[object, ...]] = field(default_factory=list)

    @property
    def conn(self) -> sqlite3.Connection:
        """The connection of the log."""
        return self.log.conn

    def put(self, source: str, line: int, event: Event) -> None:
        """Set a row down. Raises UserError when the disk is full."""
        self._held.append((source, line, *event_row(event)))
        self.count += 1
        if len(self._held) == HELD:
            self._set_down()
            self.tell("read", self.count)

    def _set_down(self) -> None:
        with speaking_of(self.log.path):
            # Many statements as one; the log is not touched, so nobody waits for it
            self.conn.execute("SAVEPOINT incoming")
            self.conn.executemany(PUT, self._held)
            self.conn.execute("RELEASE incoming")
        self._held.clear()

    def forget(self, source: str | None = None) -> None:
        """Leave out what came from a source, or everything."""
        self._set_down()
        self.conn.execute("DELETE FROM incoming WHERE ifnull(source = ?, 1)", [source])
        self.count = self._one("SELECT count(*) FROM incoming")

    def sift(self) -> list[Refused]:
        """Compare the rows with the log; return those that cannot be taken in, in their order."""
        self._set_down()
        self.mark = newest(self.log)
        if not self.count:
            return []
        with speaking_of(self.log.path):
            return self._sifted()

    def _sifted(self) -> list[Refused]:
        self.conn.execute(STANDING)
        found = []
        for place, source, line, uid, *where in self.conn.execute(CLASHES):
            other = None if where[0] is None else (where[0], where[1])
            why = f"{uid} says otherwise"
            found.append((place, Refused(source, line, why, contradicts=True, other=other)))
        query = "SELECT place, source, line FROM incoming WHERE standing = 'new' AND tick >= ?"
        for why, rows in (
            (LEAP, self.conn.execute(query, [self._far()])),
            (STRANGE_UNDO, self.conn.execute(STRANGE)),
        ):
            wrong = [(place, Refused(source, line, why)) for place, source, line in rows]
            self._set_standing("refused", [place for place, _ in wrong])
            found += wrong
        self.conn.execute(TURNS)
        return [one for _, one in sorted(found, key=lambda pair: pair[0])]

    def _far(self) -> int:
        """Return the first tick that does not follow on the others without a leap."""
        known = self._one(f"SELECT max(tick) FROM log WHERE tick < {LARGEST}")
        ticks = self.conn.execute("SELECT tick FROM incoming WHERE standing = 'new' ORDER BY tick")
        for (tick,) in ticks:
            if tick > known + AHEAD:
                return int(tick)
            known = max(known, tick)
        return ALL

    def _set_standing(self, standing: str, places: list[int]) -> None:
        query = "UPDATE incoming SET standing = ? WHERE place = ?"
        self.conn.executemany(query, [(standing, place) for place in places])

    def take_in(self, check: Callable[[list[Refused]], None], at_once: int = ALL) -> None:
        """Take in what is new; `check` is told what cannot be, and may raise to keep all out.

        At most about `at_once` rows go in together, so that others can write in between; but never
        a part of a batch. Raises UserError when the database cannot take the rows.
        """
        check(self.sift())
        done = 0
        with roomy(self.conn):
            while self.left:
                with self.log.writing():
                    if self.mark != newest(self.log):  # somebody wrote meanwhile
                        check(self.sift())
                    done += self._take(at_once)
                self.tell("taken in", done)

    @property
    def left(self) -> int:
        """The number of rows that are new and were not taken in yet."""
        return self._one("SELECT count(*) FROM incoming WHERE standing = 'new'")

    def _take(self, at_once: int) -> int:
        first = self._one("SELECT min(turn) FROM incoming WHERE standing = 'new'")
        last = self._one(
            "SELECT max(turn) FROM incoming WHERE standing = 'new' AND (device, batch) = "
            "(SELECT device, batch "
            "FROM incoming WHERE standing = 'new' AND turn < ? ORDER BY turn DESC LIMIT 1)",
            first + at_once,
        )
        part = "standing = 'new' AND turn BETWEEN ? AND ?"
        query = f"SELECT {EVENT_COLUMNS} FROM incoming WHERE {part} ORDER BY tick, uid"
        self.log.take_from(query, [first, last])
        self.conn.execute(f"UPDATE incoming SET standing = 'taken' WHERE {part}", [first, last])
        self.mark = newest(self.log)
        return last - first + 1

    def taken(self, column: Literal["source", "card", "day"]) -> dict[str, int]:
        """Return how many rows were taken in, or would be, by one of their columns."""
        query = f"SELECT {column}, count(*) FROM incoming WHERE standing IN ('taken', 'new')"
        return dict(self.conn.execute(f"{query} GROUP BY 1"))

    def _one(self, query: str, *values: object) -> int:
        return int(self.conn.execute(query, values).fetchone()[0] or 0)


@contextmanager
def roomy(conn: sqlite3.Connection) -> Iterator[None]:
    """Let SQLite keep more of the log in memory, so that many rows hold it half as long."""
    before = conn.execute("PRAGMA main.cache_size").fetchone()[0]
    conn.execute(f"PRAGMA main.cache_size = -{CACHE}")
    try:
        yield
    finally:
        conn.execute(f"PRAGMA main.cache_size = {before}")


@contextmanager
def waiting(log: Log, tell: Tell = untold) -> Iterator[Incoming]:
    """Give a place where rows can wait, until the block ends."""
    with speaking_of(log.path):
        for statement in (GONE, *TABLE):
            log.conn.execute(statement)
    try:
        yield Incoming(log, tell)
    finally:
        with suppress(sqlite3.Error):  # after an error it may still be read; it goes the next time
            log.conn.execute(GONE)
