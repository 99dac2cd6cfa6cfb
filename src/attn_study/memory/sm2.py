"""SM-2: a card's memory, a grade and a study day give the card's next memory.

The source is P. A. Wozniak's description of 1990. Where that text is silent, or where its
author's later source code disagrees with it, the reading taken here is stated below, and each
has a row in the tests.

- A pass (grade 3 to 5) first moves the ease factor: EF' = EF + 0.1 - (5-q)(0.08 + (5-q) 0.02),
  in hundredths +10 for 5, 0 for 4, -14 for 3. It never falls below 1.30 and has no upper limit.
- Then I(1) = 1 day, I(2) = 6 days, I(n) = I(n-1) EF' rounded up, with the *new* factor and the
  *planned* interval, however late the answer came.
- A fail (0 to 2) sets repetitions to 0 and the interval to 1 day and leaves EF alone.
- A lapse is a fail of a card that had at least one repetition.
- Due counts from the study day of the answer.

The factor is held as an integer number of hundredths: with floats the ceiling sees noise, and
between 4 % and 14 % of short passing histories end on a wrong day.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from enum import IntEnum
from functools import lru_cache

FIRST_EASE = 250  # hundredths: EF 2.5
LEAST_EASE = 130  # hundredths: EF 1.3
FIRST_INTERVAL = 1  # days
SECOND_INTERVAL = 6  # days
INTERVAL_CAP = 36_500  # days: a century, so that no date overflows


class Grade(IntEnum):
    """How well the card was remembered: SM-2's quality of response, 0 to 5."""

    BLACKOUT = 0
    WRONG = 1
    WRONG_BUT_EASY = 2
    HARD = 3
    HESITANT = 4
    PERFECT = 5

    @property
    def passed(self) -> bool:
        """Whether the card was remembered."""
        return self >= Grade.HARD

    @property
    def drilled(self) -> bool:
        """Whether the card is asked again on the same study day."""
        return self < Grade.HESITANT


@dataclass(frozen=True, slots=True)
class Memory:
    """What a scheduler knows of one card. `ease` in hundredths, `interval` in days.

    A card that was never answered has no `due` day and interval 0. `stability`, in days, and
    `difficulty`, from 1 to 10, are FSRS's; 0 where it has not scheduled the card.
    """

    ease: int = FIRST_EASE
    repetitions: int = 0
    interval: int = 0
    lapses: int = 0
    due: date | None = None
    stability: float = 0.0
    difficulty: float = 0.0


def schedule(memory: Memory, grade: Grade, day: date, cap: int = INTERVAL_CAP) -> Memory:
    """Return the memory after the card was graded on the study day `day`.

    `cap` is the longest interval in days. A pass of a card with a repetition behind it gives at
    least one day more than before, unless the cap forbids it.
    """
    ease, repetitions, interval, lapsed = advance(
        memory.ease, memory.repetitions, memory.interval, grade, cap
    )
    return Memory(ease, repetitions, interval, memory.lapses + lapsed, add_days(day, interval))


# A log of a million rows meets few different steps, so a replay looks most of them up.
@lru_cache(maxsize=1 << 16)
def advance(
    ease: int, repetitions: int, interval: int, grade: int, cap: int
) -> tuple[int, int, int, int]:
    """Return ease, repetitions and interval after a grade, and 1 for a lapse, else 0."""
    if grade < Grade.HARD:
        return ease, 0, FIRST_INTERVAL, int(repetitions > 0)
    ease = next_ease(ease, grade)
    return ease, repetitions + 1, min(_next_interval(repetitions, interval, ease), cap), 0


def next_ease(ease: int, grade: int) -> int:
    """Return the ease factor, in hundredths, after a pass with `grade`."""
    short = Grade.PERFECT - grade
    return max(LEAST_EASE, ease + 10 - short * (8 + short * 2))


def _next_interval(repetitions: int, interval: int, ease: int) -> int:
    if repetitions == 0:
        return FIRST_INTERVAL
    grown = -(-interval * ease // 100)
    planned = SECOND_INTERVAL if repetitions == 1 else grown
    return max(planned, interval + 1)


def add_days(day: date, days: int) -> date:
    """Return the day `days` later, or the last day there is."""
    return day + timedelta(days=min(days, (date.max - day).days))
