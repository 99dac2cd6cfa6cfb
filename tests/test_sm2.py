"""SM-2: grades go in, ease factors, repetitions and intervals come out."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from fractions import Fraction
from itertools import product
from math import ceil
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from attn_study.memory.sm2 import INTERVAL_CAP, Grade, Memory, schedule
from memory_helpers import LAW

if TYPE_CHECKING:
    from collections.abc import Iterable

DAY = date(2026, 3, 2)
GRADES = st.sampled_from(Grade)
PASSES = st.sampled_from([Grade.HARD, Grade.HESITANT, Grade.PERFECT])
FAILS = st.sampled_from([Grade.BLACKOUT, Grade.WRONG, Grade.WRONG_BUT_EASY])
DAYS = st.dates(min_value=date(2000, 1, 1))


def studied(grades: Iterable[int]) -> Memory:
    """Return the memory of a card after the grades, each given on the day it was due."""
    memory = Memory()
    for grade in grades:
        memory = schedule(memory, Grade(grade), memory.due or DAY)
    return memory


@st.composite
def memories(draw: st.DrawFn) -> Memory:
    """Any memory that answers lead to, or that was imported."""
    if draw(st.booleans()):
        return studied(draw(st.lists(GRADES, max_size=12)))
    return Memory(
        ease=draw(st.integers(130, 1000)),
        repetitions=draw(st.one_of(st.integers(0, 2), st.integers(0, 50))),
        interval=draw(st.integers(1, 4_000_000)),
        lapses=draw(st.integers(0, 50)),
        due=draw(DAYS),
    )


SIX = "2.36/1/1 2.22/2/6 2.08/3/13 1.94/4/26 1.80/5/47 1.66/6/79 1.52/7/121 1.38/8/167 1.30/9/218"
TEN = "2.50/1/1 2.36/2/6 2.46/3/15 2.46/4/37 2.46/0/1"


@pytest.mark.parametrize(
    ("grades", "expected"),
    [
        ("555", "2.60/1/1 2.70/2/6 2.80/3/17"),
        ("4444", "2.50/1/1 2.50/2/6 2.50/3/15 2.50/4/38"),
        ("3333", "2.36/1/1 2.22/2/6 2.08/3/13 1.94/4/26"),
        ("5552555", "2.60/1/1 2.70/2/6 2.80/3/17 2.80/0/1 2.90/1/1 3.00/2/6 3.10/3/19"),
        ("0444", "2.50/0/1 2.50/1/1 2.50/2/6 2.50/3/15"),
        ("3" * 12, f"{SIX} 1.30/10/284 1.30/11/370 1.30/12/481"),
        ("012012444", "2.50/0/1 " * 6 + "2.50/1/1 2.50/2/6 2.50/3/15"),
        ("442333", "2.50/1/1 2.50/2/6 2.50/0/1 2.36/1/1 2.22/2/6 2.08/3/13"),
        ("3" * 9 + "555", f"{SIX} 1.40/10/306 1.50/11/459 1.60/12/735"),
        (
            "4354144535",
            f"{TEN} 2.46/1/1 2.46/2/6 2.56/3/16 2.42/4/39 2.52/5/99",
        ),
        ("55554", "2.60/1/1 2.70/2/6 2.80/3/17 2.90/4/50 2.90/5/145"),
    ],
    ids=lambda value: value if value.isdigit() else "",
)
def test_grades_give_these_factors_repetitions_and_intervals(grades: str, expected: str) -> None:
    after = [studied(map(int, grades[:n])) for n in range(1, len(grades) + 1)]
    shown = [f"{m.ease / 100:.2f}/{m.repetitions}/{m.interval}" for m in after]
    assert shown == expected.split()


def by_the_formula(grades: Iterable[int]) -> tuple[Fraction, int, int, int]:
    """Return factor, repetitions, interval and lapses, in exact fractions."""
    factor, n, interval, lapses = Fraction(5, 2), 0, 0, 0
    for q in grades:
        if q < 3:
            lapses += n >= 1
            n, interval = 0, 1
            continue
        step = Fraction("0.1") - (5 - q) * (Fraction("0.08") + (5 - q) * Fraction("0.02"))
        factor = max(Fraction("1.3"), factor + step)
        n += 1
        interval = {1: 1, 2: 6}.get(n) or min(ceil(interval * factor), 36_500)
    return factor, n, interval, lapses


def as_fractions(memory: Memory) -> tuple[Fraction, int, int, int]:
    return Fraction(memory.ease, 100), memory.repetitions, memory.interval, memory.lapses


def test_every_short_passing_history_ends_where_exact_fractions_do() -> None:
    for length in range(1, 7):
        for grades in product((3, 4, 5), repeat=length):
            assert as_fractions(studied(grades)) == by_the_formula(grades), grades


@LAW
@given(st.lists(GRADES, max_size=40))
def test_any_history_ends_where_exact_fractions_do(grades: list[Grade]) -> None:
    assert as_fractions(studied(grades)) == by_the_formula(grades)


@LAW
@given(memories(), GRADES, DAYS)
def test_the_factor_is_never_under_130_hundredths(memory: Memory, grade: Grade, day: date) -> None:
    assert schedule(memory, grade, day).ease >= 130


@LAW
@given(memories(), DAYS, st.integers(1, INTERVAL_CAP))
def test_hard_is_never_later_than_good_nor_good_than_easy(
    memory: Memory, day: date, cap: int
) -> None:
    hard, good, easy = (schedule(memory, Grade(q), day, cap) for q in (3, 4, 5))
    assert hard.interval <= good.interval <= easy.interval
    assert hard.due <= good.due <= easy.due  # type: ignore[operator]


@LAW
@given(memories().filter(lambda memory: memory.repetitions > 0), PASSES)
def test_a_pass_of_a_remembered_card_gives_a_day_more_unless_capped(
    memory: Memory, grade: Grade
) -> None:
    interval = schedule(memory, grade, DAY).interval
    assert interval > memory.interval or interval == INTERVAL_CAP


@pytest.mark.parametrize(("interval", "longer"), [(1, 6), (5, 6), (6, 7), (100, 101)])
def test_a_card_imported_after_its_first_pass_does_not_fall_back_to_six_days(
    interval: int, longer: int
) -> None:
    assert schedule(Memory(250, 1, interval, 0, DAY), Grade.HESITANT, DAY).interval == longer


@LAW
@given(memories(), PASSES)
def test_the_first_pass_after_a_fail_gives_one_day_and_the_second_six(
    memory: Memory, grade: Grade
) -> None:
    failed = schedule(memory, Grade.WRONG, DAY)
    assert schedule(failed, grade, DAY).interval == 1
    assert schedule(schedule(failed, grade, DAY), grade, DAY).interval == 6


@LAW
@given(memories(), GRADES, DAYS, st.integers(1, INTERVAL_CAP))
def test_no_interval_is_over_the_cap(memory: Memory, grade: Grade, day: date, cap: int) -> None:
    assert 1 <= schedule(memory, grade, day, cap).interval <= cap


@LAW
@given(memories(), GRADES, st.dates(min_value=date(9890, 1, 1)))
def test_near_the_end_of_the_calendar_a_card_is_due_on_its_last_day_at_most(
    memory: Memory, grade: Grade, day: date
) -> None:
    after = schedule(memory, grade, day)
    assert after.due is not None
    assert (after.due - day).days == min(after.interval, (date.max - day).days)


@LAW
@given(memories(), FAILS)
def test_every_failing_grade_forgets_the_repetitions_and_keeps_the_factor(
    memory: Memory, grade: Grade
) -> None:
    after = schedule(memory, grade, DAY)
    lapses = memory.lapses + (memory.repetitions > 0)
    assert after == Memory(memory.ease, 0, 1, lapses, DAY + timedelta(days=1))


@LAW
@given(memories(), PASSES)
def test_a_pass_is_no_lapse(memory: Memory, grade: Grade) -> None:
    assert schedule(memory, grade, DAY).lapses == memory.lapses


@pytest.mark.parametrize("late", [0, 20, 100])
def test_a_late_answer_counts_from_its_own_day_with_the_interval_of_one_on_time(late: int) -> None:
    card = Memory(250, 3, 10, 0, DAY)
    day = DAY + timedelta(days=late)
    assert schedule(card, Grade.HESITANT, day) == Memory(250, 4, 25, 0, day + timedelta(days=25))


@LAW
@given(memories(), GRADES, st.integers(0, 3000))
def test_lateness_moves_the_due_day_and_nothing_else(
    memory: Memory, grade: Grade, late: int
) -> None:
    there, later = (schedule(memory, grade, DAY + timedelta(days=n)) for n in (0, late))
    assert later == replace(there, due=later.due)
    assert (later.due - there.due).days == late  # type: ignore[operator]


def test_forty_times_easy_ends_at_the_cap_and_at_a_date() -> None:
    memory = studied([5] * 40)
    assert (memory.ease, memory.repetitions, memory.interval) == (650, 40, 36_500)
    assert memory.due is not None
    assert memory.due.year < 9999


@pytest.mark.parametrize(("grade", "interval"), [(1, 1), (3, 36_500), (4, 36_500), (5, 36_500)])
def test_an_interval_of_three_million_days_is_answered_like_any_other(
    grade: int, interval: int
) -> None:
    assert schedule(Memory(250, 9, 3_000_000, 0, DAY), Grade(grade), DAY).interval == interval


@pytest.mark.parametrize(
    ("grade", "passed", "drilled"),
    [(0, 0, 1), (1, 0, 1), (2, 0, 1), (3, 1, 1), (4, 1, 0), (5, 1, 0)],
)
def test_three_is_a_pass_and_four_ends_the_drill(grade: int, passed: int, drilled: int) -> None:
    assert (Grade(grade).passed, Grade(grade).drilled) == (bool(passed), bool(drilled))
