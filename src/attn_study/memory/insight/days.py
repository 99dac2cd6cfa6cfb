"""Study days: the reviews and minutes of each, and how many came in a row."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from datetime import date, timedelta
from typing import TYPE_CHECKING

from attn_study.memory.insight.record import REVIEWS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from attn_study.memory.insight.record import Record

ONE = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Day:
    """What was done on a study day. `new` of the `reviews` were first answers; drill is apart."""

    reviews: int = 0
    new: int = 0
    drill: int = 0
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Streak:
    """Days in a row with an answer. `current` still counts while today waits for its first."""

    current: int
    longest: int
    studied: int
    first: date | None


def by_day(record: Record) -> dict[date, Day]:
    """Return each day that has an answer, in order."""
    counts: dict[str, list[float]] = defaultdict(lambda: [0, 0, 0, 0.0])
    for found in record.answers:
        own = counts[found.day]
        own[0] += found.number if found.sort in REVIEWS else 0
        own[1] += found.number if found.sort == "new" else 0
        own[2] += found.number if found.sort == "drill" else 0
        own[3] += found.seconds
    return {
        date.fromisoformat(day): Day(int(reviews), int(new), int(drill), seconds)
        for day, (reviews, new, drill, seconds) in sorted(counts.items())
    }


def streak(days: Iterable[date], today: date) -> Streak:
    """Return the streaks up to `today`; later days, from a clock that was ahead, do not count."""
    studied = sorted({day for day in days if day <= today})
    longest = run = 0
    before = None
    for day in studied:
        run = run + 1 if before is not None and day - before == ONE else 1
        longest, before = max(longest, run), day
    is_alive = before is not None and today - before <= ONE
    return Streak(run if is_alive else 0, longest, len(studied), studied[0] if studied else None)


def later(days: Mapping[date, Day], today: date) -> int:
    """Count the reviews of days after `today`: only a clock that was ahead writes them."""
    return sum(found.reviews for day, found in days.items() if day > today)
