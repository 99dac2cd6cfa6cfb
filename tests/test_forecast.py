"""The workload ahead: SM-2 on arrays as on one card, limits kept, the same dice the same days."""

from __future__ import annotations

from datetime import timedelta
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attn_study.memory.insight.forecast import Cards, Question, Workload, step, workload
from attn_study.memory.insight.habits import PRIOR, SECONDS, WEIGHT, Grades, Habits, habits
from attn_study.memory.insight.record import Answers, Record, Sort
from attn_study.memory.sm2 import INTERVAL_CAP, Grade, Memory, schedule
from memory_helpers import LAW, day

PERFECT = Grades((0, 0, 0, 0, 1.0, 0), 0)  # always good
FAILING = Grades((0, 1.0, 0, 0, 0, 0), 0)  # always again
NO_CARDS = Cards.of([])


def always(grades: Grades, seconds: float = 10.0) -> Habits:
    return Habits(grades, grades, grades, seconds, seconds, seconds)


PRIOR_HABITS = always(Grades(PRIOR, 0))


def question(
    known: Cards = NO_CARDS,
    n_new: int = 0,
    reviews_a_day: int = 200,
    days: int = 30,
    seed: int = 1,
    done: tuple[int, int] = (0, 0),
    used: tuple[int, int] = (0, 0),
) -> Question:
    return Question(known, n_new, reviews_a_day, days, INTERVAL_CAP, seed, done, used)


def due_today(count: int, interval: int = 6) -> Cards:
    return Cards.of([(250, 3, interval, 0)] * count)


@pytest.mark.parametrize("cap", [1, 2, 30, INTERVAL_CAP])
def test_s23_a_step_on_arrays_is_the_scheduler_on_each_card(cap: int) -> None:
    eases = [*range(130, 171), 199, 250, 251, 333, 1000, 100_000]
    intervals = [0, 1, 2, 3, 5, 6, 7, 20, 21, 100, 999, 36_499, 36_500]
    states = list(product(eases, range(5), intervals, Grade))
    columns = np.array([[e, r, i, int(g)] for e, r, i, g in states], dtype=np.int64).T
    found = np.array(step(columns[0], columns[1], columns[2], columns[3], cap)).T
    expected = []
    for ease, repetitions, interval, grade in states:
        memory = schedule(Memory(ease, repetitions, interval), grade, day(0), cap)
        expected.append([memory.ease, memory.repetitions, memory.interval])
    assert np.array_equal(found, np.array(expected))


@LAW
@given(
    st.integers(130, 3000),
    st.integers(0, 50),
    st.integers(0, INTERVAL_CAP),
    st.sampled_from(Grade),
    st.integers(1, INTERVAL_CAP),
)
def test_s23_so_it_is_on_any_card(
    ease: int, repetitions: int, interval: int, grade: Grade, cap: int
) -> None:
    one = [np.array([value], dtype=np.int64) for value in (ease, repetitions, interval, grade)]
    found = tuple(int(column[0]) for column in step(one[0], one[1], one[2], one[3], cap))
    memory = schedule(Memory(ease, repetitions, interval), grade, day(0), cap)
    assert found == (memory.ease, memory.repetitions, memory.interval)


def test_a_learner_who_always_passes_meets_each_card_on_the_days_of_sm2() -> None:
    found = workload(question(n_new=1, days=40), always(PERFECT), 1)
    expected = [0]
    memory = schedule(Memory(), Grade.HESITANT, day(0))
    while memory.due is not None and memory.due < day(40):
        expected.append((memory.due - day(0)).days)
        memory = schedule(memory, Grade.HESITANT, memory.due)
    answers = [r + n for r, n in zip(found.reviews, found.new, strict=True)]
    assert [at for at, count in enumerate(answers) if count] == expected == [0, 1, 7, 22]


def test_a_learner_who_always_fails_meets_every_card_every_day() -> None:
    found = workload(question(due_today(7), days=5), always(FAILING), 0)
    assert found.reviews == (7,) * 5


def test_the_limit_on_reviews_is_kept_and_what_waits_is_said() -> None:
    found = workload(question(due_today(800), reviews_a_day=100, days=12), always(PERFECT), 0)
    assert found.reviews[:9] == (*(100,) * 8, 0), "nothing is lost, nothing asked twice"
    assert found.waiting[:9] == (700, 600, 500, 400, 300, 200, 100, 0, 0)


def test_s39_the_most_overdue_for_its_interval_is_asked_first() -> None:
    late = Cards.of([(250, 3, 100, -40), (250, 3, 1, -3), (250, 3, 2, -1)])  # 0.4, 3 and 0.5
    found = workload(question(late, reviews_a_day=1, days=9), always(PERFECT), 0)
    # The second on day 0, again 3 days later; the third on day 1, again 5 days later.
    assert found.reviews == (1, 1, 1, 1, 0, 0, 1, 0, 0)
    assert found.waiting == (2, 1, 0, 0, 0, 0, 0, 0, 0)


def test_new_cards_keep_to_their_limit_and_run_out_on_a_day() -> None:
    found = workload(question(n_new=25, days=10), always(PERFECT), 10)
    assert found.new == (10, 10, 5, *(0,) * 7)
    assert found.last_new == 2
    assert workload(question(n_new=25, days=2), always(PERFECT), 10).last_new is None


def test_no_new_cards_at_all_run_out_at_once_and_a_limit_of_0_never() -> None:
    assert workload(question(due_today(1)), always(PERFECT), 10).last_new == 0
    assert workload(question(n_new=1), always(PERFECT), 0).last_new is None


def test_what_was_done_today_counts_for_today() -> None:
    known, done = due_today(300), (150, 8)
    found = workload(question(known, n_new=50, days=2, done=done, used=done), always(PERFECT), 10)
    assert (found.reviews[0], found.new[0]) == (200, 10)
    assert found.waiting[0] == 250
    beyond = workload(question(known, n_new=50, days=2, used=(999, 99)), always(PERFECT), 10)
    assert (beyond.waiting[0], beyond.new[1]) == (300, 10)


def test_what_other_decks_used_of_the_limits_leaves_less_room_and_is_not_counted() -> None:
    asked = question(due_today(300), n_new=50, days=2, done=(5, 1), used=(150, 8))
    found = workload(asked, always(PERFECT), 10)
    assert (found.reviews[0], found.new[0]) == (5 + 50, 1 + 2)
    assert (found.waiting[0], found.new[1]) == (250, 10)


def test_seconds_are_those_of_each_sort_and_of_what_is_asked_again() -> None:
    own = Habits(PERFECT, FAILING, FAILING, 7.0, 11.0, 5.0)
    found = workload(question(due_today(3), n_new=2, days=1), own, 2)
    assert found.seconds == (2 * 7.0 + 3 * (11.0 + 5.0),)


def test_young_and_mature_cards_pass_at_their_own_rate() -> None:
    own = Habits(PERFECT, FAILING, PERFECT, 1.0, 1.0, 1.0)
    young = workload(question(due_today(50, 20), days=2), own, 0)
    mature = workload(question(due_today(50, 21), days=2), own, 0)
    assert (young.reviews[1], mature.reviews[1]) == (50, 0)


def test_the_same_seed_gives_the_same_days_and_another_gives_others() -> None:
    def days(seed: int) -> Workload:
        known = Cards.of([(250, 3, n % 40 + 1, n % 9 - 3) for n in range(300)])
        return workload(question(known, 100, 50, 60, seed), PRIOR_HABITS, 5)

    assert days(3) == days(3)
    assert days(3) != days(4)


def test_of_many_cards_about_the_share_passes_that_should() -> None:
    known = due_today(10_000)
    found = workload(question(known, reviews_a_day=20_000, days=2), PRIOR_HABITS, 0)
    failed = found.reviews[1]  # only what failed comes back the next day
    assert 900 < failed < 1100, "a tenth, within three deviations of 30"


def test_a_year_of_10_000_cards_is_simulated_to_its_end() -> None:
    known = Cards.of([(250, 3, n % 60 + 1, n % 60) for n in range(6_000)])
    found = workload(question(known, 4_000, 300, 365), PRIOR_HABITS, 20)
    assert len(found.reviews) == len(found.waiting) == len(found.seconds) == 365
    assert (sum(found.new), found.last_new) == (4_000, 199)
    assert max(found.reviews) <= 300


TODAY = day(400)


def recorded(*told: tuple[int, Sort, int, int, float]) -> Record:
    """Return a record of (day, sort, grade, number, seconds of each)."""
    return Record(
        tuple(
            Answers(day(n).isoformat(), sort, grade, number, number * seconds, number)
            for n, sort, grade, number, seconds in told
        ),
        (0,) * 24,
        (),
    )


def test_without_answers_the_stated_prior_holds() -> None:
    found = habits(recorded(), TODAY)
    for grades in (found.new, found.young, found.mature):
        assert grades.shares == pytest.approx(PRIOR)
        assert grades.passing == pytest.approx(0.9)
        assert grades.answers == 0
    assert found.new_seconds == found.known_seconds == found.drill_seconds == SECONDS


def test_answers_weigh_against_a_prior_of_thirty() -> None:
    found = habits(recorded((400, "young", 1, 30, 2.0), (400, "mature", 4, 970, 2.0)), TODAY)
    assert found.young.passing == pytest.approx(0.45), "0 of 30, and 27 of 30"
    assert found.mature.passing == pytest.approx((970 + 27) / 1000)
    assert (found.young.answers, found.mature.answers, found.new.answers) == (30, 970, 0)
    assert found.known_seconds == pytest.approx((1000 * 2.0 + WEIGHT * SECONDS) / 1030)
    assert found.new_seconds == SECONDS


def test_only_the_last_year_is_asked() -> None:
    old = recorded((35, "young", 1, 1000, 9.0))
    assert habits(old, TODAY).young.answers == 0
    assert habits(recorded((36, "young", 1, 1000, 9.0)), TODAY).young.answers == 1000
    assert habits(recorded((401, "young", 1, 1000, 9.0)), TODAY).young.answers == 0
    assert TODAY - timedelta(days=364) == day(36)


def test_drill_takes_its_time_for_each_card_that_was_missed() -> None:
    told = ((400, "young", 3, 70, 5.0), (400, "drill", 4, 140, 3.0))
    found = habits(recorded(*told), TODAY)  # type: ignore[arg-type]
    assert found.drill_seconds == pytest.approx((420 + WEIGHT * SECONDS) / (70 + WEIGHT))


def test_the_shares_of_the_grades_add_up() -> None:
    found = habits(recorded((400, "new", 0, 3, 1.0), (399, "new", 5, 8, 1.0)), TODAY)
    for grades in (found.new, found.young, found.mature):
        assert sum(grades.shares) == pytest.approx(1)
        assert min(grades.shares) >= 0
