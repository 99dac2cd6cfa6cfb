"""What the rows say of one another: steps taken back that nobody knows, and clocks that jumped."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from attn_study.memory.health.finding import Finding, listed

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator
    from datetime import date

UNKNOWN = """
SELECT 'row ' || id || ' of ' || day FROM main.log WHERE kind = 'undo'
AND NOT EXISTS (SELECT 1 FROM main.log AS other WHERE other.uid = log.data ->> '$.undone')
ORDER BY id
"""
AHEAD = """
SELECT iif(card = '', 'a ' || kind, card) || ' on ' || day FROM main.log WHERE day > ?
ORDER BY day DESC, id
"""
# A batch is written at one instant; one that spans several came from elsewhere. So may a single old
# row: a clock that was set back shows in the row after it too
BACKWARDS = """
WITH written AS (
    SELECT id, at, lag(at) OVER line AS before, lead(at) OVER line AS after FROM main.log
    WHERE batch NOT IN (SELECT batch FROM main.log GROUP BY batch HAVING min(at) < max(at))
    WINDOW line AS (PARTITION BY device ORDER BY tick, id)
)
SELECT substr(before, 1, 16) || ' to ' || substr(at, 1, 16) FROM written
WHERE at < before AND after < before AND julianday(at) < julianday(before) - 1 ORDER BY id
"""
# The study day is the wall clock's, or the one before until the rollover; a flight adds one
OFF_DAY = """
SELECT card || ' on ' || day || ' at ' || substr(at, 1, 16) FROM main.log
WHERE NOT day BETWEEN date(at, offset || ' minutes', '-2 days')
                  AND date(at, offset || ' minutes', '+1 day')
ORDER BY id
"""


def undone(conn: sqlite3.Connection) -> Iterator[Finding]:
    """Yield the undo rows whose row is not here: it may yet come from another machine."""
    yield from _note(
        conn,
        UNKNOWN,
        "undo-unknown",
        "a step was taken back that is not in this log",
        "nothing to do: it counts as soon as the row comes, from a sync or another log",
    )


def clocks(conn: sqlite3.Connection, today: date) -> Iterator[Finding]:
    """Yield what a wrong clock left: rows in the future, steps back in time, days that differ."""
    tomorrow = today + timedelta(days=1)
    yield from _note(
        conn,
        AHEAD,
        "future",
        "rows are dated in the future, and count after all that is done until then",
        "if the clock was wrong, `attn-study undo`, often enough, on the device that wrote them, "
        "takes them back",
        tomorrow.isoformat(),
    )
    yield from _note(
        conn,
        BACKWARDS,
        "backwards",
        "the clock was set back by more than a day while cards were studied",
        "nothing to do: study days stay as they were written",
    )
    yield from _note(
        conn,
        OFF_DAY,
        "day",
        "the study day and the time of an answer are more than a day apart",
        "nothing to do: the study day counts",
    )


def _note(
    conn: sqlite3.Connection, query: str, name: str, what: str, remedy: str, *values: str
) -> Iterator[Finding]:
    found = [str(row[0]) for row in conn.execute(query, values)]
    if found:
        where = listed(found, len(found))
        yield Finding(name, f"{what} ({len(found):,})", where, remedy, is_fault=False)
