"""How a learner answers: grades and seconds by sort of card, leaning on a prior where data is thin.

The prior is a learner whose known cards pass in nine of ten reviews. It weighs as much as thirty
answers, so that after a month of study it hardly counts.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from attn_study.memory.insight.record import REVIEWS

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import date

    from attn_study.memory.insight.record import Answers, Record, Sort

WEIGHT = 30  # answers that the prior counts as
DAYS = 365  # that are looked at: habits change
PRIOR = (0.0, 0.10, 0.0, 0.15, 0.60, 0.15)  # the share of each grade from 0 to 5
SECONDS = 12.0  # an answer takes, and each card that is asked again takes on top of its own


@dataclass(frozen=True, slots=True)
class Grades:
    """The share of each grade from 0 to 5, and of how many of the learner's own answers."""

    shares: tuple[float, ...]
    answers: int

    @property
    def passing(self) -> float:
        """The share that passes."""
        return sum(self.shares[3:])


@dataclass(frozen=True, slots=True)
class Habits:
    """How new, young and mature cards are graded, and the seconds of an answer to each.

    `drill_seconds` is what a card graded below 4 takes on top, until it is known that day.
    """

    new: Grades
    young: Grades
    mature: Grades
    new_seconds: float
    known_seconds: float
    drill_seconds: float


def habits(record: Record, today: date) -> Habits:
    """Return the habits of the last year up to `today`."""
    first, last = (today - timedelta(days=DAYS - 1)).isoformat(), today.isoformat()
    recent = [found for found in record.answers if first <= found.day <= last]
    new, young, mature = (_grades([a for a in recent if a.sort == sort]) for sort in REVIEWS)
    drills = sum(found.seconds for found in recent if found.sort == "drill")
    drilled = sum(a.number for a in recent if a.sort != "drill" and a.grade < 4 and a.timed)
    return Habits(
        new=new,
        young=young,
        mature=mature,
        new_seconds=_seconds(recent, ("new",)),
        known_seconds=_seconds(recent, ("young", "mature")),
        drill_seconds=_leaning(drills, drilled, SECONDS),
    )


def _grades(answers: Iterable[Answers]) -> Grades:
    counts = [0] * len(PRIOR)
    for found in answers:
        counts[found.grade] += found.number
    total = sum(counts)
    return Grades(
        tuple(
            (count + WEIGHT * prior) / (total + WEIGHT)
            for count, prior in zip(counts, PRIOR, strict=True)
        ),
        total,
    )


def _seconds(answers: Iterable[Answers], sorts: tuple[Sort, ...]) -> float:
    """Return the mean seconds of an answer to cards of these sorts."""
    own = [found for found in answers if found.sort in sorts]
    return _leaning(sum(a.seconds for a in own), sum(a.timed for a in own), SECONDS)


def _leaning(total: float, count: int, prior: float) -> float:
    return (total + WEIGHT * prior) / (count + WEIGHT)
