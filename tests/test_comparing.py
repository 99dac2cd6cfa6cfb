"""`stats --compare`: what each scheduler would have cost, and how well FSRS foretells recall."""

from __future__ import annotations

import math
import random
from datetime import date
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from attn_study.memory.event import Draft
from attn_study.memory.fsrs import Fsrs
from attn_study.memory.insight.comparing import compared
from attn_study.memory.insight.foretelling import Foretold, scored
from attn_study.memory.replaying import histories
from attn_study.memory.sm2 import INTERVAL_CAP, Grade, Memory
from attn_study.render.insight.compared import comparison_lines
from cli_helpers import SMALL, Shell
from memory_helpers import LAW, day, log_in_memory, review, write

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from attn_study.memory.insight.comparing import Comparison

# Story: (day, draft) pairs; the comparison as of that day
Story = list[tuple[int, Draft]]

FORETOLD = st.builds(
    Foretold,
    recall=st.sampled_from([0.0, 0.2, 0.5, 0.9, 0.9, 1.0]) | st.floats(0, 1),
    passed=st.booleans(),
    elapsed=st.integers(1, 400),
    reviews=st.integers(1, 30),
    lapses=st.integers(0, 9),
)


def told(story: Story, today: int, decks: Sequence[str] = ()) -> Comparison:
    with log_in_memory() as log:
        for number, draft in story:
            write(log, number, draft)
        return compared(histories(log), log.rules(), day(today), decks)


@LAW
@given(st.lists(FORETOLD, min_size=1, max_size=40))
def test_auc_is_the_share_of_pairs_in_which_the_passed_review_stood_higher(
    foretold: list[Foretold],
) -> None:
    pairs = [(a.recall, b.recall) for a in foretold if a.passed for b in foretold if not b.passed]
    found = scored(foretold).auc
    if not pairs:
        assert found is None
        return
    won = sum(1.0 if high > low else 0.5 if high == low else 0.0 for high, low in pairs)
    assert found == pytest.approx(won / len(pairs))


def test_log_loss_is_that_of_two_hand_worked_reviews() -> None:
    foretold = [Foretold(0.8, True, 3, 1, 0), Foretold(0.6, False, 3, 1, 0)]
    assert scored(foretold).log_loss == pytest.approx((math.log(1 / 0.8) + math.log(1 / 0.4)) / 2)


def test_a_sure_forecast_that_fails_costs_much_but_not_endlessly() -> None:
    assert 16 < scored([Foretold(1.0, False, 3, 1, 0)]).log_loss < 17


def test_rmse_looks_at_the_average_of_a_bin_not_at_single_reviews() -> None:
    """Three of four passed where three quarters were foretold: nothing is wrong with the bin."""
    even = [Foretold(0.75, passed, 5, 2, 0) for passed in (True, True, True, False)]
    assert scored(even).rmse == pytest.approx(0)
    late = [Foretold(0.75, False, 300, 2, 0)] * 4
    assert scored(late).rmse == pytest.approx(0.75)
    # two bins with four reviews each: the root of the mean of 0 and 0.75 squared
    assert scored([*even, *late]).rmse == pytest.approx(math.sqrt(0.75**2 / 2))


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        ((4, 1, 0), (13, 1, 0), True),  # 3.62 to 13.1 days
        ((3, 1, 0), (4, 1, 0), False),
        ((4, 2, 0), (4, 3, 0), True),  # 1.89 to 3.57 reviews
        ((4, 3, 0), (4, 4, 0), False),
        ((4, 1, 0), (4, 1, 1), False),
        ((4, 1, 2), (4, 1, 3), False),  # 1.73 to 2.99 lapses
    ],
)
def test_reviews_share_a_bin_when_days_reviews_and_lapses_are_near(
    one: tuple[int, int, int], other: tuple[int, int, int], alike: bool
) -> None:
    """In one bin a miss above and one below make up for each other; in two they do not."""
    foretold = [Foretold(0.5, True, *one), Foretold(0.5, False, *other)]
    assert scored(foretold).rmse == pytest.approx(0.0 if alike else 0.5)


def test_a_scheduler_whose_days_were_kept_costs_what_was_done() -> None:
    """SM-2 plans 1, 6, 15, 38 days after good answers, and 1 after a lapse."""
    on_time = [(n, review("a/x", q)) for n, q in ((0, 4), (1, 4), (7, 4), (22, 1), (23, 4))]
    found = told(on_time, 23)
    assert found.cost["sm2"] == pytest.approx(found.a_day) == pytest.approx(5 / 24)


def test_in_a_long_gap_each_asks_on_its_own_days() -> None:
    """After good on day 0 SM-2 asks on 1, 7 and 22; 8 of 38 days have gone by on day 30."""
    found = told([(0, review("a/x", 4)), (30, review("a/x", 4))], 30)
    assert found.cost["sm2"] == pytest.approx((1 + 3 + 8 / 38) / 31)
    spans, day_now = [], 0
    memory = Fsrs(0.9, INTERVAL_CAP).schedule(Memory(), Grade.HESITANT, day(0))
    while day_now + memory.interval <= 30:
        day_now += memory.interval
        spans.append(memory.interval)
        memory = Fsrs(0.9, INTERVAL_CAP).schedule(memory, Grade.HESITANT, day(day_now))
    expected = 1 + len(spans) + (30 - day_now) / memory.interval
    assert found.cost["fsrs"] == pytest.approx(expected / 31)


def test_a_review_before_its_day_counts_as_a_share_of_the_interval() -> None:
    found = told([(0, review("a/x", 4)), (1, review("a/x", 4)), (4, review("a/x", 4))], 4)
    assert found.cost["sm2"] == pytest.approx((1 + 1 + 3 / 6) / 5)


def test_the_days_after_the_last_review_of_a_card_are_left_out() -> None:
    story: Story = [(0, review("a/x", 4)), (0, review("a/y", 4)), (1, review("a/y", 4))]
    assert told(story, 60).cost["sm2"] == pytest.approx(3 / 61)


def test_a_card_that_rests_costs_nothing() -> None:
    story: Story = [
        (0, review("a/x", 4)),
        (1, Draft("a/x", "suspend")),
        (50, Draft("a/x", "resume")),
        (53, review("a/x", 4)),
    ]
    # one day before the rest and three after it: SM-2 asks on the first, and 3 of 6 days go by
    assert told(story, 53).cost["sm2"] == pytest.approx((1 + 1 + 3 / 6) / 54)


def test_resuming_a_card_that_does_not_rest_changes_nothing() -> None:
    story: Story = [(0, review("a/x", 4)), (10, Draft("a/x", "resume")), (30, review("a/x", 4))]
    plain: Story = [(0, review("a/x", 4)), (30, review("a/x", 4))]
    assert told(story, 30) == told(plain, 30)


def test_a_card_that_begins_anew_is_new_to_both() -> None:
    story: Story = [(0, review("a/x", 4)), (1, Draft("a/x", "reset")), (9, review("a/x", 4))]
    found = told(story, 9)
    assert found.cost["sm2"] == pytest.approx((1 + 1) / 10)
    assert found.foretold == 0


def test_the_first_answer_is_not_foretold_and_later_ones_are() -> None:
    story: Story = [(n, review("a/x", q)) for n, q in ((0, 4), (3, 1), (4, 4), (9, 5))]
    found = told(story, 9)
    assert (found.foretold, found.average) == (3, 2 / 3)
    assert found.constant is not None
    expected = -(2 * math.log(2 / 3) + math.log(1 / 3)) / 3
    assert found.constant.log_loss == pytest.approx(expected)
    assert found.constant.auc == 0.5


def test_the_recall_foretold_follows_the_published_curve() -> None:
    """FSRS-6: (1 + F t / S) ^ -d with d the last parameter, and S 2.3065 after a first good."""
    found = told([(0, review("a/x", 4)), (5, review("a/x", 1))], 5)
    assert found.fsrs is not None
    decay = 0.1542
    recall = (1 + (0.9 ** (-1 / decay) - 1) * 5 / 2.3065) ** -decay
    assert found.fsrs.log_loss == pytest.approx(-math.log(1 - recall))


def test_rows_from_a_clock_that_was_ahead_are_left_out() -> None:
    story: Story = [(0, review("a/x", 4)), (40, review("a/x", 4))]
    assert told(story, 3).reviews == 1


def test_only_the_named_decks_are_compared() -> None:
    story: Story = [(0, review("a/x", 4)), (0, review("b/y", 4))]
    assert told(story, 3, ["b"]).reviews == 1


def test_drill_answers_change_nothing() -> None:
    dice = random.Random(3)
    story: Story = [(n, review("a/x", dice.randrange(6))) for n in range(0, 30, 3)]
    drilled = [(n, Draft("a/x", "drill", grade=draft.grade)) for n, draft in story]
    assert told([pair for two in zip(story, drilled, strict=True) for pair in two], 30) == told(
        story, 30
    )


@pytest.fixture
def mine(tmp_path: Path) -> Shell:
    shell = Shell(tmp_path)
    (shell.home / "decks").mkdir(parents=True)
    (shell.home / "decks" / "mine.yaml").write_text(SMALL, encoding="utf-8")
    return shell


def test_nothing_to_compare_is_said_and_is_null(mine: Shell) -> None:
    assert mine.done("stats", "--compare").lines == [
        "Nothing to compare yet: no card was reviewed."
    ]
    report = mine.done("stats", "--compare", "--json").json
    assert (report["reviews"], report["average"], report["fsrs"]) == (0, None, None)


def test_the_screen_names_both_schedulers_and_gives_sm2_no_probability(mine: Shell) -> None:
    for number, grade in ((2, "good"), (3, "again"), (9, "good")):
        mine.now = f"2026-03-{number:02}T12:00:00+00:00"
        mine.done("card", "grade", "mine/one", grade)
    lines = mine.done("stats", "--compare").lines
    assert any(line.split()[:3] == ["SM-2", "would", "have"] for line in lines)
    scores = [line for line in lines if line.strip().startswith(("FSRS-6  ", "always", "SM-2  "))]
    assert [line.split()[0] for line in scores] == ["FSRS-6", "always"]
    assert max(map(len, lines)) <= 80
    report = mine.done("stats", "mine", "--compare", "--json").json
    assert report["schema"] == "attn-study/stats-compare/1"
    assert report["study_day"] == str(date(2026, 3, 9))
    assert set(report["would_have_asked_a_day"]) == {"sm2", "fsrs"}
    assert report["average"] == 0.5


@pytest.mark.parametrize("columns", [40, 52, 80, 120])
def test_no_line_of_the_comparison_is_wider_than_the_window(columns: int) -> None:
    found = told([(n, review("a/x", q)) for n, q in ((0, 4), (3, 1), (4, 4), (9, 5))], 9)
    lines = comparison_lines(found, columns)
    assert max(line.cell_len for line in lines) <= columns
    assert [line.plain.split()[0] for line in lines if "0.500" in line.plain] == ["always"]
