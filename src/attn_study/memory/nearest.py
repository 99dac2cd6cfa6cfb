"""What a value of the log can be, and how one that cannot be is read: as the nearest that can.

No study writes such a value, but a file can be changed by hand. The log keeps it, `doctor` names
it, and every other command reads the columns as they are given here.
"""

from __future__ import annotations

from attn_study.memory.event import LONGEST_ANSWER

LARGEST = 2**53  # what every reader of JSON takes for a whole number
LONGEST_NAME = 1_000  # characters of a card's id
MOST_OFFSET = 24 * 60 - 1  # minutes: no wall clock is a whole day away from UTC
FIRST_DAY = "0001-01-01"  # there can be, and what is read where a text names none
# An instant from the one on and before the other has a wall clock wherever it was
FIRST_INSTANT, END_OF_INSTANTS = "0001-01-02", "9999-12-31"


def is_day(column: str) -> str:
    """Return SQL for a day that there is; the year 0, which SQLite takes, has no calendar."""
    return f"(ifnull(date({column}, '+0 days'), '') = {column} AND {column} >= '{FIRST_DAY}')"


NEAREST = {
    "tick": f"min(max(tick, 1), {LARGEST})",
    "grade": "iif(kind IN ('review', 'drill'), min(max(ifnull(grade, 1), 0), 5), NULL)",
    "day": f"iif({is_day('day')}, day, '{FIRST_DAY}')",
    "offset": f"min(max(offset, -{MOST_OFFSET}), {MOST_OFFSET})",
    "seconds": f"min(max(seconds, 0.0), {LONGEST_ANSWER:.1f})",
}


def read(columns: str) -> str:
    """Return columns of the log, given as `day, tick`, as SQL that reads only what can be."""
    names = columns.split(", ")
    return ", ".join(f"{NEAREST[name]} AS {name}" if name in NEAREST else name for name in names)
