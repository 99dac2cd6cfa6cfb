"""Instants that a log from elsewhere names, believed where an answer can have been given then."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
# No program that plans reviews is older. A count of seconds, read as milliseconds, is before it
EARLIEST = datetime(1980, 1, 1, tzinfo=UTC)
NEVER = "no answer was given then"


def instant(milliseconds: int) -> datetime | None:
    """Return the instant so long after the beginning of 1970; None where none was given then."""
    try:
        at = EPOCH + timedelta(milliseconds=milliseconds)
    except OverflowError:
        return None
    return at if at >= EARLIEST else None
