"""Log rows from elsewhere, believed only when this log itself could have written them."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta
from itertools import starmap
from typing import TYPE_CHECKING

from attn_study.errors import UserError
from attn_study.memory.event import KINDS, LONGEST_ANSWER, Event
from attn_study.memory.nearest import (
    END_OF_INSTANTS,
    FIRST_INSTANT,
    LARGEST,
    LONGEST_NAME,
    MOST_OFFSET,
)
from attn_study.memory.rows import EVENT_COLUMNS
from attn_study.memory.sm2 import Grade

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from attn_study.memory.event import Kind

COLUMNS = tuple(EVENT_COLUMNS.split(", "))
LOCAL = "id"  # the order of arrival: every log has its own
UID = re.compile("[0-9a-f]{32}")
CARD = re.compile(r"[^/\x00-\x1f\x7f]+/[^\x00-\x1f\x7f]+")
MOST_DATA = 1_000_000  # characters in all texts of a row
DEEPEST = 20  # lists within lists
BEST = max(Grade)
# What stands in the data of a row that speaks of another row or card
NAMED = {"undo": ("undone", UID), "adopt": ("former", CARD)}


class WrongRowError(ValueError):
    """What is wrong with a row."""


def events(rows: Iterable[Mapping[str, object]]) -> list[Event]:
    """Return rows, given as `Log.columns` gives them, as events in the same order.

    Raises UserError naming the first row, counted from 1, that cannot be one.
    """
    return list(starmap(_numbered, enumerate(rows, start=1)))


def _numbered(number: int, row: Mapping[str, object]) -> Event:
    try:
        return event(row)
    except WrongRowError as wrong:
        hint = "nothing was taken in; was the file changed, or written by a newer attn-study?"
        raise UserError(f"row {number} of the log: {wrong}", hint=hint) from wrong


def event(row: object) -> Event:
    """Return a row, given as `Log.columns` gives it, as an event.

    Raises WrongRowError for what cannot be one, or is one of a newer version.
    """
    if not isinstance(row, dict):
        raise WrongRowError("this is not one row")
    for key in COLUMNS:
        if key not in row:
            raise WrongRowError(f"`{key}` is missing")
    for key in row:
        if key not in (*COLUMNS, LOCAL):
            raise WrongRowError(f"`{key}` is not known")
    kind = _kind(row["kind"])
    grade = _grade(row["grade"], kind)
    return Event(
        uid=_text(row, "uid", UID),
        device=_text(row, "device"),
        tick=_whole(row, "tick", 1, LARGEST),
        batch=_text(row, "batch"),
        card="" if row["card"] == "" and kind in ("rule", "undo") else _text(row, "card", CARD),
        kind=kind,
        day=_day(row["day"]),
        at=_instant(row["at"]),
        offset=_whole(row, "offset", -MOST_OFFSET, MOST_OFFSET),
        grade=grade,
        seconds=_seconds(row["seconds"]),
        data=_data(row["data"], kind),
    )


def _text(row: Mapping[str, object], key: str, form: re.Pattern[str] | None = None) -> str:
    value = row[key]
    if not isinstance(value, str) or not 1 <= len(value) <= LONGEST_NAME:
        raise WrongRowError(f"`{key}` must be a text of 1 to {LONGEST_NAME:,} characters")
    if not _is_storable(value) or (form and not form.fullmatch(value)):
        raise WrongRowError(f"`{key}` cannot be {value!r}")
    return value


def _is_storable(text: str) -> bool:
    """Return whether a text has an encoding: JSON may name half a character."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _whole(row: Mapping[str, object], key: str, least: int, most: int) -> int:
    value = row[key]
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise WrongRowError(f"`{key}` must be a whole number from {least} to {most}")
    return value


def _kind(value: object) -> Kind:
    if value not in KINDS:
        raise WrongRowError(f"this version knows no rows of the kind {value!r}")
    return value


def _grade(value: object, kind: Kind) -> Grade | None:
    if kind not in ("review", "drill"):
        if value is not None:
            raise WrongRowError(f"a row of the kind {kind} has no grade")
        return None
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= BEST:
        raise WrongRowError("`grade` must be a whole number from 0 to 5")
    return Grade(value)


def _day(value: object) -> date:
    try:
        day = date.fromisoformat(str(value))
    except ValueError:
        day = None
    if day is None or day.isoformat() != value:
        raise WrongRowError(f"`day` must be a date like 2026-03-01, not {value!r}")
    return day


def _instant(value: object) -> str:
    try:
        at = datetime.fromisoformat(str(value))
    except ValueError:
        at = None
    is_utc = at is not None and at.utcoffset() == timedelta()
    if (
        at is None
        or not is_utc
        or at.replace(tzinfo=UTC).isoformat(timespec="milliseconds") != value
    ):
        raise WrongRowError(
            f"`at` must be a time like 2026-03-01T09:00:00.000+00:00, not {value!r}"
        )
    if not FIRST_INSTANT <= str(value) < END_OF_INSTANTS:
        raise WrongRowError(f"`at` is {value}, which has no wall clock everywhere on Earth")
    return str(value)


def _seconds(value: object) -> float | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise WrongRowError("`seconds` must be a number")
    if not 0 <= value <= LONGEST_ANSWER:
        raise WrongRowError(f"`seconds` must be from 0 to {LONGEST_ANSWER:g}")
    return float(value)


def _data(value: object, kind: Kind) -> Mapping[str, object]:
    if not isinstance(value, dict):
        raise WrongRowError("`data` must be keys with values")
    if _size(value, DEEPEST) > MOST_DATA:
        raise WrongRowError(f"`data` has more than {MOST_DATA:,} characters")
    if kind in NAMED:
        key, form = NAMED[kind]
        if not isinstance(value.get(key), str) or not form.fullmatch(value[key]):
            raise WrongRowError(f"`data` of the kind {kind} must name what is `{key}`")
    return value


def _size(value: object, depth: int) -> int:
    """Count the characters of a value of JSON; whole numbers are as large as a row's own."""
    if not depth:
        raise WrongRowError("`data` is nested too deep")
    match value:
        case None | bool():
            return 1
        case str() if _is_storable(value):
            return len(value) + 1
        case int() if -LARGEST <= value <= LARGEST:
            return 1
        case float() if value - value == 0:  # neither endless nor no number
            return 1
        case list():
            return 1 + sum(_size(item, depth - 1) for item in value)
        case dict() if all(isinstance(key, str) for key in value):
            return 1 + sum(_size(key, depth) + _size(value[key], depth - 1) for key in value)
    raise WrongRowError("`data` holds what a log cannot keep")
