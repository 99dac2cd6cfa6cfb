"""True retention: which share of the first reviews of known cards passed, in each stretch of time.

A card's first answer ever says nothing of memory, and an answer after the day's first comes too
soon after it; neither is counted.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from datetime import timedelta
from itertools import accumulate
from typing import TYPE_CHECKING

from attn_study.memory.insight.record import KNOWN, LEAST_PASS

if TYPE_CHECKING:
    from datetime import date

    from attn_study.memory.insight.record import Record, Sort

# A stretch of days that ends today; all there is where the number is None.
STRETCHES: tuple[tuple[str, int | None], ...] = (
    ("today", 1),
    ("7 days", 7),
    ("30 days", 30),
    ("365 days", 365),
    ("all", None),
)


@dataclass(frozen=True, slots=True)
class Share:
    """How many of some reviews passed."""

    passed: int
    reviews: int

    @property
    def retention(self) -> float | None:
        """The share from 0 to 1; None of nothing."""
        return self.passed / self.reviews if self.reviews else None


@dataclass(frozen=True, slots=True)
class Stretch:
    """Retention in a stretch of days. `young` cards had an interval below 21 days."""

    name: str
    days: int | None
    young: Share
    mature: Share

    @property
    def both(self) -> Share:
        """Young and mature together."""
        return Share(
            self.young.passed + self.mature.passed, self.young.reviews + self.mature.reviews
        )


def retention(record: Record, today: date) -> tuple[Stretch, ...]:
    """Return the retention of each stretch that ends with `today`."""
    young, mature = (_Sums(record, sort, today) for sort in KNOWN)
    return tuple(
        Stretch(name, days, young.since(first), mature.since(first))
        for name, days in STRETCHES
        for first in ("" if days is None else (today - timedelta(days=days - 1)).isoformat(),)
    )


class _Sums:
    """The reviews of one sort up to each day, so that a stretch is a difference of two."""

    def __init__(self, record: Record, sort: Sort, today: date) -> None:
        last = today.isoformat()
        found = [each for each in record.answers if each.sort == sort and each.day <= last]
        passed = (each.number if each.grade >= LEAST_PASS else 0 for each in found)
        self._days = [each.day for each in found]
        self._passed = list(accumulate(passed, initial=0))
        self._reviews = list(accumulate((each.number for each in found), initial=0))

    def since(self, first: str) -> Share:
        """Return the share from the day `first` on."""
        at = bisect_left(self._days, first)
        return Share(self._passed[-1] - self._passed[at], self._reviews[-1] - self._reviews[at])
