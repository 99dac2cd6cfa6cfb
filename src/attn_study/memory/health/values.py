"""Values that cannot be: in the log, where they stay, and in the states worked out from it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attn_study.memory.event import KINDS, LONGEST_ANSWER
from attn_study.memory.health.finding import Finding, listed
from attn_study.memory.nearest import (
    END_OF_INSTANTS,
    FIRST_INSTANT,
    LARGEST,
    LONGEST_NAME,
    MOST_OFFSET,
    is_day,
)
from attn_study.memory.sm2 import INTERVAL_CAP, LEAST_EASE

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator


def _is_whole(column: str, least: int, most: int = LARGEST) -> str:
    return f"(typeof({column}) = 'integer' AND {column} BETWEEN {least} AND {most})"


OF_LOG = {
    "card": f"instr(card, '/') BETWEEN 2 AND length(card) - 1 AND length(card) <= {LONGEST_NAME} "
    "AND card NOT GLOB '*[' || char(1) || '-' || char(31) || char(127) || ']*' "
    "OR card = '' AND kind IN ('rule', 'undo')",
    "uid": "uid NOT GLOB '*[^0-9a-f]*' AND length(uid) = 32",
    "tick": _is_whole("tick", 1),
    "kind": f"kind IN {KINDS}",
    "grade": "CASE WHEN kind IN ('review', 'drill') THEN "
    f"{_is_whole('grade', 0, 5)} ELSE grade IS NULL END",
    "day": is_day("day"),
    "at": "strftime('%Y-%m-%dT%H:%M:%f+00:00', at, '+0 days') = at "
    f"AND at >= '{FIRST_INSTANT}' AND at < '{END_OF_INSTANTS}'",
    "offset": _is_whole("offset", -MOST_OFFSET, MOST_OFFSET),
    "seconds": "seconds IS NULL OR (typeof(seconds) IN ('real', 'integer') "
    f"AND seconds BETWEEN 0 AND {LONGEST_ANSWER:g})",
    "data": "data = '{}' OR CASE WHEN json_valid(data) THEN json_type(data) = 'object' END",
}
OF_STATE = {
    "ease": _is_whole("ease", LEAST_EASE),
    "repetitions": _is_whole("repetitions", 0),
    "interval": _is_whole("interval", 0, INTERVAL_CAP),
    "lapses": _is_whole("lapses", 0),
    **{
        name: f"{name} IS NULL OR {is_day(name)}"
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
