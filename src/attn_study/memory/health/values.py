"""Values that cannot be: in the log, where they stay, and in the states worked out from it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attn_study.memory.event import KINDS
from attn_study.memory.health.finding import Finding, listed
from attn_study.memory.sm2 import INTERVAL_CAP, LEAST_EASE

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator

HALF_DAY = 14 * 60  # minutes: no clock on Earth is further from UTC
INSTANT = "____-__-__T__:__:__.___+00:00"


def _is_day(column: str) -> str:
    """SQL for a day that there is; the year 0, which SQLite takes, has no calendar."""
    return f"(ifnull(date({column}, '+0 days'), '') = {column} AND {column} >= '0001')"


def _is_whole(column: str, least: int, most: int = 2**53) -> str:
    return f"(typeof({column}) = 'integer' AND {column} BETWEEN {least} AND {most})"


OF_LOG = {
    "uid": "uid NOT GLOB '*[^0-9a-f]*' AND length(uid) = 32",
    "tick": _is_whole("tick", 1),
    "kind": f"kind IN {KINDS}",
    "grade": "CASE WHEN kind IN ('review', 'drill') THEN "
    f"{_is_whole('grade', 0, 5)} ELSE grade IS NULL END",
    "day": _is_day("day"),
    "at": f"at LIKE '{INSTANT}' AND julianday(at) IS NOT NULL AND at >= '0001'",
    "offset": _is_whole("offset", -HALF_DAY, HALF_DAY),
    "seconds": "seconds IS NULL OR (typeof(seconds) IN ('real', 'integer') "
    "AND seconds BETWEEN 0 AND 60)",
    "data": "data = '{}' OR (json_valid(data) AND json_type(data) = 'object')",
}
OF_STATE = {
    "ease": _is_whole("ease", LEAST_EASE),
    "repetitions": _is_whole("repetitions", 0),
    "interval": _is_whole("interval", 0, INTERVAL_CAP),
    "lapses": _is_whole("lapses", 0),
    **{
        name: f"{name} IS NULL OR {_is_day(name)}"
        for name in ("due", "first_day", "review_day", "answer_day", "buried")
    },
    "answer_grade": f"answer_grade IS NULL OR {_is_whole('answer_grade', 0, 5)}",
    "suspended": "suspended IN (0, 1)",
}


def in_log(conn: sqlite3.Connection) -> Iterator[Finding]:
    """Yield the columns of the log that hold what no study writes.

    Rows are never changed, so nothing mends them: readers take the nearest possible value.
    """
    for column, found in _wrong(conn, "log", OF_LOG, f"'row ' || id || ': ' || {SHOWN}").items():
        count, names = found
        yield Finding(
            "log-value",
            f"{count:,} {'row' if count == 1 else 'rows'} of the log with an impossible {column}",
            listed(names, count),
            "rows are never changed: it is read as the nearest that can be; "
            "a backup from before may have the right one",
        )


def in_states(conn: sqlite3.Connection) -> Iterator[Finding]:
    """Yield the columns of the states that hold what cannot be."""
    for column, found in _wrong(conn, "card_state", OF_STATE, f"card || ': ' || {SHOWN}").items():
        count, names = found
        yield Finding(
            "state-value",
            f"{count:,} {'card' if count == 1 else 'cards'} with an impossible {column}",
            listed(names, count),
            "`--fix` works them out anew from the log",
            mend="states",
        )


SHOWN = "substr(ifnull(quote({column}), ''), 1, 40)"


def _wrong(
    conn: sqlite3.Connection, table: str, rules: dict[str, str], shown: str
) -> dict[str, tuple[int, list[str]]]:
    """Return for each column with a wrong value how many there are, and the first of them."""
    sums = ", ".join(f"total(NOT ifnull(({rule}), 0))" for rule in rules.values())
    counts = conn.execute(f"SELECT {sums} FROM main.{table}").fetchone()
    found = {}
    for (column, rule), count in zip(rules.items(), counts, strict=True):
        if count:
            name = shown.replace("{column}", column)
            query = f"SELECT {name} FROM main.{table} WHERE NOT ifnull(({rule}), 0) LIMIT 8"
            found[column] = int(count), [str(row[0]) for row in conn.execute(query)]
    return found
