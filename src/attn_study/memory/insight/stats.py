"""The statistics of a learner: what one pass through the log adds up to on a given study day."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from attn_study.memory.fold import LEECH_LAPSES
from attn_study.memory.insight.days import Day, Streak, by_day, later, streak
from attn_study.memory.insight.record import MATURE, SORTS
from attn_study.memory.insight.retention import Stretch, retention
from attn_study.memory.sm2 import LEAST_EASE

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from datetime import date

    from attn_study.memory.insight.record import Known, Record, Sort
    from attn_study.memory.rules import Rules

# The lower ends of the bars: intervals in days, ease in hundredths. A card at the least ease has
# a bar of its own, because it is stuck there.
INTERVALS = (1, 2, 7, 21, 60, 180, 365, 1095)
EASES = (LEAST_EASE, LEAST_EASE + 1, 170, 210, 250, 290)


@dataclass(frozen=True, slots=True)
class Bar:
    """How many cards lie from `least` to `most`, both included; no end where `most` is None."""

    least: int
    most: int | None
    cards: int


@dataclass(frozen=True, slots=True)
class Stats:
    """What `attn-study stats` shows.

    `grades` counts the answers of each sort by grade. `hours` counts answers by the wall clock.
    `intervals` and `eases` count the cards that a deck holds; those whose deck has no ease, as
    under FSRS, are in `without_ease`. `gone` counts cards with a history that no deck holds.
    `leeches` and `hardest` come with the most lapses first. `later` counts the reviews of days
    after today, written under a clock that was ahead. `parted_anew` says whether a rule changes
    which past reviews are of young and which of mature cards.
    """

    today: date
    stretches: tuple[Stretch, ...]
    days: Mapping[date, Day]
    streak: Streak
    later: int
    grades: Mapping[Sort, Mapping[int, int]]
    hours: tuple[int, ...]
    intervals: tuple[Bar, ...]
    eases: tuple[Bar, ...]
    without_ease: int
    gone: int
    leeches: tuple[Known, ...]
    hardest: tuple[Known, ...]
    parted_anew: bool

    @property
    def reviews(self) -> int:
        """All reviews; drill is apart."""
        return sum(day.reviews for day in self.days.values())

    @property
    def drills(self) -> int:
        """All answers that scheduled nothing."""
        return sum(day.drill for day in self.days.values())

    @property
    def seconds(self) -> float:
        """The time all answers took."""
        return sum(day.seconds for day in self.days.values())

    @property
    def cards(self) -> int:
        """How many cards of the decks were learned."""
        return sum(bar.cards for bar in self.intervals)


def stats(record: Record, today: date, rules: Rules, held: Collection[str]) -> Stats:
    """Return the statistics on the study day `today`; `held` are the cards that decks hold."""
    days = by_day(record)
    cards = [known for known in record.cards if known.card in held]
    by_ease = [known for known in cards if rules.is_sm2(known.card)]
    forgotten = sorted(
        (known for known in cards if known.lapses),
        key=lambda known: (-known.lapses, known.ease, -known.difficulty, known.card),
    )
    return Stats(
        today=today,
        stretches=retention(record, today),
        days=days,
        streak=streak(days, today),
        later=later(days, today),
        grades=_grades(record),
        hours=record.hours,
        intervals=_bars([known.interval for known in cards], INTERVALS),
        eases=_bars([known.ease for known in by_ease], EASES),
        without_ease=len(cards) - len(by_ease),
        gone=len(record.cards) - len(cards),
        leeches=tuple(known for known in forgotten if known.lapses >= LEECH_LAPSES),
        hardest=tuple(known for known in forgotten if known.lapses < LEECH_LAPSES),
        parted_anew=rules.cap < MATURE
        or any(not rules.is_sm2(known.card) for known in record.cards),
    )


def _grades(record: Record) -> dict[Sort, dict[int, int]]:
    grades: dict[Sort, Counter[int]] = {sort: Counter() for sort in SORTS}
    for found in record.answers:
        grades[found.sort][found.grade] += found.number
    return {sort: dict(sorted(counted.items())) for sort, counted in grades.items()}


def _bars(values: Sequence[int], ends: Sequence[int]) -> tuple[Bar, ...]:
    """Return a bar from each lower end to the next; what lies below the first counts there."""
    counts = Counter(max(0, bisect_right(ends, value) - 1) for value in values)
    uppers = [*(end - 1 for end in ends[1:]), None]
    return tuple(
        Bar(least, most, counts[at])
        for at, (least, most) in enumerate(zip(ends, uppers, strict=True))
    )
