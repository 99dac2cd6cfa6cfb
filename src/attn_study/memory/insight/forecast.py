"""The workload ahead: a study simulated day by day from how the learner has answered so far.

All cards at once, as arrays, by SM-2 in whole hundredths, to the letter of `sm2.schedule`. What
it cannot know it takes from the past: how often young and mature cards pass, with which grades,
and how long an answer takes. Where little is known of these, a stated prior holds.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from attn_study.memory.insight.record import MATURE
from attn_study.memory.sm2 import (
    FIRST_EASE,
    FIRST_INTERVAL,
    LEAST_EASE,
    SECOND_INTERVAL,
    Grade,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from attn_study.memory.insight.habits import Habits

Ints = NDArray[np.int64]


class Cards(NamedTuple):
    """Cards as arrays of one length. `ease` in hundredths, `interval` in days, `due` in days from
    today, below 0 where a card is late.
    """

    ease: Ints
    repetitions: Ints
    interval: Ints
    due: Ints

    @classmethod
    def of(cls, rows: Sequence[tuple[int, int, int, int]]) -> Cards:
        """Return the cards of rows in this order of columns."""
        return cls(*np.array(rows, dtype=np.int64).reshape(-1, 4).T)


@dataclass(frozen=True, slots=True)
class Workload:
    """What a limit on new cards leads to: cards a day, from today on.

    `reviews` and `new` count cards each day, what was done today before included, `waiting` those
    that the limit on reviews left for another day. `last_new` is the day, from 0, on which the new
    cards ran out; None where some are left.
    """

    limit: int
    reviews: tuple[int, ...]
    new: tuple[int, ...]
    waiting: tuple[int, ...]
    seconds: tuple[float, ...]
    last_new: int | None


@dataclass(frozen=True, slots=True)
class Question:
    """What is simulated: the cards known, how many are new, the limits, how far.

    `done` are the reviews and new cards of today that are done already. `used` are those that
    count towards the limits of today, and may be more: a limit is for all decks together.
    """

    known: Cards
    n_new: int
    reviews_a_day: int
    days: int
    cap: int
    seed: int
    done: tuple[int, int] = (0, 0)
    used: tuple[int, int] = (0, 0)


def step(
    ease: Ints, repetitions: Ints, interval: Ints, grade: Ints, cap: int
) -> tuple[Ints, Ints, Ints]:
    """Return ease, repetitions and interval of every card after its grade, as SM-2 has them."""
    passed = grade >= Grade.HARD
    short = Grade.PERFECT - grade
    moved = np.maximum(LEAST_EASE, ease + 10 - short * (8 + short * 2))
    grown = -(-interval * moved // 100)
    planned = np.where(repetitions == 1, SECOND_INTERVAL, grown)
    longer = np.maximum(planned, interval + 1)
    passing = np.minimum(np.where(repetitions == 0, FIRST_INTERVAL, longer), cap)
    return (
        np.where(passed, moved, ease),
        np.where(passed, repetitions + 1, 0),
        np.where(passed, passing, FIRST_INTERVAL),
    )


def workload(question: Question, habits: Habits, limit: int) -> Workload:
    """Return what learning `limit` new cards a day leads to. The same seed gives the same days."""
    rng = np.random.default_rng(question.seed)
    n_known, n_all = len(question.known.due), len(question.known.due) + question.n_new
    ease, repetitions, interval, due = _room_for(question.known, n_all)
    shown = n_known  # cards beyond it are new yet
    reviews, new, waiting, seconds = [], [], [], []
    for day in range(question.days):
        done, done_new = question.done if day == 0 else (0, 0)
        used, used_new = question.used if day == 0 else (0, 0)
        ready = np.flatnonzero(due[:shown] <= day)
        asked = _most_urgent(ready, due, interval, day, max(0, question.reviews_a_day - used), rng)
        first = np.arange(shown, min(n_all, shown + max(0, limit - used_new)))
        shown += len(first)
        mature = interval[asked] >= MATURE
        grade = np.concatenate(
            [_drawn(habits, mature, rng), _first_grades(habits, len(first), rng)]
        )
        at = np.concatenate([asked, first])
        ease[at], repetitions[at], interval[at] = step(
            ease[at], repetitions[at], interval[at], grade, question.cap
        )
        due[at] = day + interval[at]
        reviews.append(len(asked) + done)
        new.append(len(first) + done_new)
        waiting.append(len(ready) - len(asked))
        seconds.append(_seconds(habits, reviews[-1], new[-1], int((grade < Grade.HESITANT).sum())))
    return Workload(
        limit, tuple(reviews), tuple(new), tuple(waiting), tuple(seconds), _last(new, shown, n_all)
    )


def _room_for(known: Cards, n_all: int) -> Cards:
    """Return copies with room for all cards; new ones are as SM-2 begins."""
    starts = (FIRST_EASE, 0, 0, 0)
    return Cards(
        *(
            np.concatenate([column, np.full(n_all - len(column), start, dtype=np.int64)])
            for column, start in zip(known, starts, strict=True)
        )
    )


def _most_urgent(
    ready: NDArray[np.intp],
    due: Ints,
    interval: Ints,
    day: int,
    room: int,
    rng: np.random.Generator,
) -> NDArray[np.intp]:
    """Return at most `room` of the cards, the most overdue for their interval first."""
    if len(ready) <= room:
        return ready
    urgency = (day - due[ready]) / np.maximum(interval[ready], 1)
    order = np.lexsort((rng.random(len(ready)), due[ready], -urgency))
    return ready[order[:room]]


def _drawn(habits: Habits, mature: NDArray[np.bool_], rng: np.random.Generator) -> Ints:
    """Draw a grade for each card, from those of its sort."""
    dice = rng.random(len(mature))
    young, old = (_grades(shares, dice) for shares in (habits.young.shares, habits.mature.shares))
    return np.where(mature, old, young)


def _first_grades(habits: Habits, count: int, rng: np.random.Generator) -> Ints:
    return _grades(habits.new.shares, rng.random(count))


def _grades(shares: Sequence[float], dice: NDArray[np.float64]) -> Ints:
    """Return the grade in whose share of 0 to 1 each throw falls."""
    ends = np.cumsum(shares)[:-1]
    return np.searchsorted(ends, dice, side="right").astype(np.int64)


def _seconds(habits: Habits, reviews: int, new: int, drilled: int) -> float:
    return (
        reviews * habits.known_seconds + new * habits.new_seconds + drilled * habits.drill_seconds
    )


def _last(new: Sequence[int], shown: int, n_all: int) -> int | None:
    """Return the last day with a new card, if none is left after it; 0 where there was none."""
    if shown < n_all:
        return None
    return max((day for day, count in enumerate(new) if count), default=0)
