"""The study day: the only place that knows midnight, zones and rollover."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone
from typing import NamedTuple


class Moment(NamedTuple):
    """An instant on the learner's wall clock, and the study day it counts for."""

    at: datetime
    day: date

    @property
    def utc(self) -> str:
        """The instant in UTC, ISO 8601 to the millisecond."""
        return self.at.astimezone(UTC).isoformat(timespec="milliseconds")

    @property
    def offset(self) -> int:
        """Minutes that the wall clock is ahead of UTC."""
        ahead = self.at.utcoffset() or timedelta()
        return int(ahead.total_seconds() // 60)


def moment(now: datetime, rollover: int, newest: date | None) -> Moment:
    """Return `now`, an aware local time, with its study day.

    A study day begins when the wall clock reaches `rollover` (a whole hour). An hour that the
    wall clock leaps over begins it at the next instant there is. `newest` is the newest study
    day in the log: when it is exactly one ahead, as after a flight west, that day goes on, so
    that no day is studied twice. A log further ahead was written under a wrong clock and does
    not hold the learner back.
    """
    wall = now.replace(tzinfo=None)
    day = (wall - timedelta(hours=rollover)).date()
    if newest is not None and newest - day == timedelta(days=1):
        day = newest
    return Moment(at=now, day=day)


def wall_clock(at: str, offset: int) -> datetime | None:
    """Return the local time of an instant, given as `Moment` says it in `utc` and `offset`.

    None where the text is no instant, or no calendar has that time: a row may be changed by hand.
    """
    try:
        then = datetime.fromisoformat(at)
        return None if then.tzinfo is None else then.astimezone(timezone(timedelta(minutes=offset)))
    except (ValueError, OverflowError):
        return None
