"""FSRS as a second scheduler: what the package plans, in whole study days."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from itertools import pairwise, product

import fsrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attn_study.memory.fsrs import Fsrs
from attn_study.memory.rules import Rules
from attn_study.memory.sm2 import INTERVAL_CAP, Grade, Memory
from memory_helpers import DAY, LAW, day

RATINGS = {0: 1, 1: 1, 2: 1, 3: 2, 4: 3, 5: 4}
GRADES = st.sampled_from(list(Grade))
DELAYS = st.integers(0, 400)
STORY = st.lists(st.tuples(GRADES, DELAYS), min_size=1, max_size=12)


def learned(*grades: int, retention: float = 0.9, cap: int = INTERVAL_CAP) -> Memory:
    """Return the memory after these grades, each given on the day the card came due."""
    memory = Memory()
    for grade in grades:
        memory = Fsrs(retention, cap).schedule(memory, Grade(grade), memory.due or DAY)
    return memory


@LAW
@given(STORY)
def test_the_days_are_those_the_package_plans(story: list[tuple[Grade, int]]) -> None:
    """The package is asked with a card and instants of its own, not with our memory."""
    theirs = fsrs.Scheduler(learning_steps=(), relearning_steps=(), enable_fuzzing=False)
    card, memory, now = fsrs.Card(card_id=7), Memory(), DAY
    for grade, delay in story:
        now += timedelta(days=delay or 1)
        instant = datetime(now.year, now.month, now.day, tzinfo=UTC)
        card, _ = theirs.review_card(card, fsrs.Rating(RATINGS[grade]), instant)
        memory = Fsrs(0.9, INTERVAL_CAP).schedule(memory, grade, now)
        assert (memory.stability, memory.difficulty) == (card.stability, card.difficulty)
        assert memory.due == card.due.date() == now + timedelta(days=memory.interval)


def test_the_first_stability_is_the_parameter_that_fsrs_6_gives_each_rating() -> None:
    firsts = [learned(grade).stability for grade in (0, 1, 2, 3, 4, 5)]
    assert firsts == [0.212, 0.212, 0.212, 1.2931, 2.3065, 8.2956]
    assert [learned(grade).interval for grade in (1, 3, 4, 5)] == [1, 1, 2, 8]


def test_passes_and_lapses_are_counted_as_sm2_counts_them() -> None:
    assert (learned(4, 4, 1).repetitions, learned(4, 4, 1).lapses) == (0, 1)
    assert (learned(1, 1, 4).repetitions, learned(1, 1, 4).lapses) == (1, 0)


def test_a_lower_retention_gives_longer_intervals() -> None:
    spans = [learned(4, 4, 4, retention=share).interval for share in (0.95, 0.9, 0.8)]
    assert spans == sorted(set(spans))


def test_no_interval_is_longer_than_the_cap() -> None:
    assert learned(5, 5, 5, 5, 5, cap=50).interval == 50


@LAW
@given(STORY, st.booleans())
def test_s24_a_better_grade_never_gives_a_shorter_interval(
    story: list[tuple[Grade, int]], fuzz: bool
) -> None:
    memory, now = Memory(), DAY
    schedule = Rules(decks={"": {"scheduler": "fsrs", "fuzz": fuzz}}).schedule("a/x")
    for grade, delay in story:
        now += timedelta(days=delay)
        passes = [schedule(memory, Grade(q), now).interval for q in (3, 4, 5)]
        assert passes == sorted(passes)
        memory = schedule(memory, grade, now)
        assert 1 <= memory.interval <= INTERVAL_CAP


@LAW
@given(STORY, st.integers(5, 300))
def test_s24_fuzz_stays_near_the_plan_and_within_its_bounds(
    story: list[tuple[Grade, int]], cap: int
) -> None:
    memory, now = Memory(), DAY
    for grade, delay in story:
        now += timedelta(days=delay)
        plan = Fsrs(0.9, cap).schedule(memory, grade, now).interval
        fuzzed = Fsrs(0.9, cap, "a/x").schedule(memory, grade, now)
        assert abs(fuzzed.interval - plan) <= 1.5 + 0.15 * plan  # half a day is the rounding
        assert 1 <= fuzzed.interval <= cap
        if grade.passed:
            assert fuzzed.interval >= min(memory.interval, plan)
        memory = fuzzed


def test_fuzz_is_the_same_for_a_card_and_a_day_and_differs_between_cards() -> None:
    ready = replace(learned(4, 4, 4), due=day(60), interval=60, stability=60.0)
    spans = {
        name: [Fsrs(0.9, 999, name).schedule(ready, Grade.HESITANT, day(60)).interval] * 2
        for name in (f"a/{number}" for number in range(30))
    }
    assert all(len(set(twice)) == 1 for twice in spans.values())
    assert len({twice[0] for twice in spans.values()}) > 5
    again = Fsrs(0.9, 999, "a/3").schedule(ready, Grade.HESITANT, day(60)).interval
    assert again == spans["a/3"][0]


def test_recall_is_nine_tenths_when_the_stability_has_passed() -> None:
    memory = replace(learned(4, 4), stability=20.0, interval=20, due=day(20))
    assert Fsrs(0.9, INTERVAL_CAP).recall(memory, day(20)) == pytest.approx(0.9)
    shares = [Fsrs(0.9, INTERVAL_CAP).recall(memory, day(n)) for n in (0, 5, 20, 400)]
    assert shares[0] == 1
    assert all(early > late for early, late in pairwise(shares))


@pytest.mark.parametrize("ease", [140, 180, 250])
def test_an_imported_state_goes_on_with_the_growth_its_ease_stands_for(ease: int) -> None:
    before = Memory(ease, 5, 30, 0, day(0))
    after = Fsrs(0.9, INTERVAL_CAP).schedule(before, Grade.HESITANT, day(0))
    assert after.stability == pytest.approx(30 * ease / 100, rel=1e-9)
    assert after.repetitions == 6


@pytest.mark.parametrize(
    "memory",
    [
        Memory(250, 3, 36_500, 0, date(1, 1, 5)),
        Memory(250, 3, 10, 0, date(9999, 12, 31)),
        Memory(250, 3, 0, 0, date(1, 1, 1)),
        Memory(130, 0, 1, 9, date(2026, 3, 2)),
    ],
)
def test_s27_a_strange_state_gives_a_possible_one(memory: Memory) -> None:
    for grade, now in product(Grade, (DAY, date.min, date.max)):
        after = Fsrs(0.9, INTERVAL_CAP).schedule(memory, grade, now)
        assert after.due is not None
        assert 1 <= after.interval <= INTERVAL_CAP
        assert 1 <= after.difficulty <= 10
