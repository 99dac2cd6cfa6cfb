"""FSRS-6 as a second scheduler, by the package `fsrs`, with its default parameters.

Days are whole study days, as everywhere: only the first answer of a day schedules, so the steps
of minutes that FSRS knows for new and forgotten cards are left out. Grades 0 to 2 are its rating
1 (again), 3 is 2 (hard), 4 is 3 (good), 5 is 4 (easy). The day of the last review is the due day
less the interval.
"""

from __future__ import annotations

import math
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING
from zlib import crc32

import fsrs

from attn_study.memory.sm2 import Memory, add_days

if TYPE_CHECKING:
    from attn_study.memory.sm2 import Grade

# How far a day may be moved: this share of what the interval has beyond each start, and one day.
# The shares are those of FSRS itself; without a range up to 2.5 days nothing is moved.
FUZZ = ((2.5, 7.0, 0.15), (7.0, 20.0, 0.1), (20.0, math.inf, 0.05))
LEAST_DIFFICULTY, MOST_DIFFICULTY = 1.0, 10.0

# Only the days between two reviews count, so every card is put to the package as if its last review
# had been on the first day there is: no date, however far, is out of its reach.
BEGINNING = datetime.min.replace(tzinfo=UTC)
LONGEST = 3_000_000  # days: more than a calendar has left after the longest interval


class Fsrs:
    """FSRS for one card: aims at `retention`, never plans more than `cap` days.

    `fuzzed` names the card whose days are spread a little, always alike for a card and a day; with
    an empty name none are.
    """

    def __init__(self, retention: float, cap: int, fuzzed: str = "") -> None:
        self._scheduler = fsrs.Scheduler(
            desired_retention=retention,
            learning_steps=(),
            relearning_steps=(),
            maximum_interval=cap,
            enable_fuzzing=False,  # the package rolls dice; here a card and a day decide
        )
        self._cap = cap
        self._fuzzed = fuzzed

    def schedule(self, memory: Memory, grade: Grade, day: date) -> Memory:
        """Return the memory after the card was graded on the study day `day`."""
        now = _since_last(memory, day)
        card, _ = self._scheduler.review_card(
            self._card(memory), fsrs.Rating(max(1, grade - 1)), now
        )
        interval = (card.due - now).days
        if self._fuzzed:
            interval = self._spread(interval, memory.interval if grade.passed else 0, day)
        return replace(
            memory,
            repetitions=memory.repetitions + 1 if grade.passed else 0,
            interval=interval,
            lapses=memory.lapses + (memory.repetitions > 0 and not grade.passed),
            due=add_days(day, interval),
            stability=card.stability or 0.0,
            difficulty=card.difficulty or 0.0,
        )

    def recall(self, memory: Memory, day: date) -> float:
        """Return the probability, from 0 to 1, that a card reviewed before is recalled on `day`."""
        return self._scheduler.get_card_retrievability(self._card(memory), _since_last(memory, day))

    def _card(self, memory: Memory) -> fsrs.Card:
        if memory.due is None:
            return fsrs.Card(card_id=1, due=BEGINNING)
        known = memory if memory.stability else self._taken_over(memory)
        return fsrs.Card(
            card_id=1,
            state=fsrs.State.Review,
            stability=known.stability,
            difficulty=known.difficulty,
            due=BEGINNING,
            last_review=BEGINNING,
        )

    def _taken_over(self, memory: Memory) -> Memory:
        """Give an imported state that SM-2 made the stability and difficulty it stands for.

        The interval is the days until recall falls to 0.9, which is what stability means. The
        difficulty is the one at which FSRS would let a review on the due day multiply the
        stability by the ease factor: its formula of the stability after recall, turned round.
        """
        w = self._scheduler.parameters
        stability = float(max(memory.interval, 1))
        growth = math.exp(w[8]) * stability ** -w[9] * (math.exp(w[10] * 0.1) - 1)
        difficulty = 11 - (memory.ease / 100 - 1) / growth
        within = min(max(difficulty, LEAST_DIFFICULTY), MOST_DIFFICULTY)
        return replace(memory, stability=stability, difficulty=within)

    def _spread(self, interval: int, least: int, day: date) -> int:
        """Return an interval near the planned one, not below `least` unless the plan is."""
        if interval < FUZZ[0][0]:
            return interval
        room = 1 + sum(share * max(min(interval, end) - start, 0.0) for start, end, share in FUZZ)
        low = max(2, round(interval - room), min(least, interval))
        high = max(low, min(round(interval + room), self._cap))
        place = crc32(f"{self._fuzzed} {day}".encode()) / 2**32
        return min(low + int(place * (high - low + 1)), self._cap)


def _since_last(memory: Memory, day: date) -> datetime:
    """Return the instant as far after `BEGINNING` as `day` is after the last review."""
    due = memory.due or day
    elapsed = day.toordinal() - (due.toordinal() - memory.interval)
    return BEGINNING + timedelta(days=min(max(elapsed, 0), LONGEST))
