"""One row of the log: what happened to a card, when, and on which device."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple, get_args

from attn_study.memory.day import wall_clock

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import date, datetime

    from attn_study.memory.sm2 import Grade

Kind = Literal[
    "review",
    "drill",
    "set",
    "reset",
    "undo",
    "suspend",
    "resume",
    "bury",
    "flag",
    "unflag",
    "adopt",
    "rule",
]
KINDS: tuple[Kind, ...] = get_args(Kind)

LONGEST_ANSWER = 60.0  # seconds: a longer pause was spent elsewhere
NO_DATA: Mapping[str, object] = {}


class Event(NamedTuple):
    """One row of the log.

    `uid` is 128 random bits in hex: the union of two logs by `uid` is their merge. `tick` is a
    Lamport clock: one more than the largest tick of the log when the row was written. `batch`
    is shared by rows that are undone together. `card` is `deck/name`, empty for a rule.
    `at` is the instant in UTC, `offset` the minutes the wall clock was ahead of it. `seconds`
    is the time taken to answer. `data` holds what only this kind of row has: `undone` (a uid),
    `former` (a card id), an imported memory, the words of a flag, a rule.
    """

    uid: str
    device: str
    tick: int
    batch: str
    card: str
    kind: Kind
    day: date
    at: str
    offset: int
    grade: Grade | None = None
    seconds: float | None = None
    data: Mapping[str, object] = NO_DATA

    @property
    def order(self) -> tuple[date, int, str]:
        """Where the row stands in the replay, the same on every device."""
        return (self.day, self.tick, self.uid)

    @property
    def wall_clock(self) -> datetime | None:
        """The local time it was; None in a row that was changed by hand and names none."""
        return wall_clock(self.at, self.offset)


class Draft(NamedTuple):
    """What is about to be written: an event before the log gives it its place."""

    card: str
    kind: Kind
    grade: Grade | None = None
    seconds: float | None = None
    data: Mapping[str, object] = NO_DATA
