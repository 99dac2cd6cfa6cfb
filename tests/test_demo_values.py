"""The lesson on values: numbers, screen, questions, and that a weight is not an effect."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attn_study.demos import load
from attn_study.demos.question import grade
from attn_study.demos.setup import ONE_HEAD
from attn_study.demos.values import CASES
from attn_study.demos.workings.values import carried
from attn_study.errors import UserError
from lesson_checks import (
    COLUMNS,
    WORDS,
    asked,
    assert_explained,
    assert_fair,
    assert_fits,
    screen,
    shown,
)
from lessons import lesson, text

QUESTIONS = tuple(load("values").questions)
SCREEN = """\
 values  a weight is not yet an effect           toy weights, set by hand · d=4
 notice  “it” has 0.31 of the weight but 0.10 of the effect: its value is small

 “it” asks, these answer    The        chicken    it
 weight                     0.0743     0.6200     0.3057                  sum 1
                            ▊          ██████▎    ███
 value v  x W^V           ( 2        ( 3        ( 1
                           -1)         3)         0)
 effect   weight·|v|        0.1662     2.6304     0.3057             sum 3.1023
 share    effect ÷ sum      0.0536     0.8479     0.0985
                            ▌          ████████▌  █
 head     Σ weight·v        2.3143     1.7856                             [1×2]
 x        before            0          0          1          1            [1×4]
 change   head · W^O        2.3143     1.7856    -0.5287     2.8429
 sum      x + change        2.3143     1.7856     0.4713     3.8429

 down W^V [4×2]            up W^O [2×4]    W^V W^O, rank 2 [4×4]
   row 1   1  0              1  0 -1  2      1  0 -1  2
   row 2   1  2              0  1  1 -1      1  2  1  0
   row 3   0  1                              0  1  1 -1
   row 4   1 -1                              1 -1 -2  3
 full 4² = 16, factored 2·4·2 = 16   d=8, d_v=2: 64, 32   equal at d_v = d/2
"""


def step(name: str, **knobs: object) -> Any:
    """The last row of a step of head 1, as it is printed."""
    values = lesson("values", **knobs).working.trace[name].values
    return (np.round(values[0, -1], 4) + 0.0).tolist()


def test_the_first_screen() -> None:
    assert screen("values") == SCREEN.splitlines()


def test_the_first_screen_leaves_room_for_the_keys() -> None:
    assert len(screen("values")) <= 22
    assert max(len(screen("values", case=case)) for case in CASES if case) <= 23


@pytest.mark.parametrize(
    ("name", "row"),
    [
        ("weights", [0.0743, 0.62, 0.3057]),
        ("effect", [0.1662, 2.6304, 0.3057]),
        ("effect_share", [0.0536, 0.8479, 0.0985]),
        ("terms", [[0.1486, -0.0743], [1.86, 1.86], [0.3057, 0]]),
        ("head_output", [2.3143, 1.7856]),
    ],
)
def test_what_each_value_carries_to_it(name: str, row: Any) -> None:
    assert step(name) == row


def test_the_change_is_added_and_replaces_nothing() -> None:
    trace = lesson("values").working.trace
    assert np.round(trace["residual"].values[-1], 4).tolist() == [2.3143, 1.7856, 0.4713, 3.8429]
    assert np.allclose(trace["residual"].values, trace["x"].values + trace["output"].values)


def test_a_value_set_to_zero_keeps_its_weight_and_adds_nothing() -> None:
    assert step("weights", zero="chicken") == step("weights")
    assert step("effect", zero="chicken") == [0.1662, 0, 0.3057]
    assert step("value", zero="chicken") == [1, 0]
    assert "keeps its weight, 0.62" in lesson("values", zero="2").working.notice


@given(seed=st.integers(0, 500), zeroed=st.integers(0, 4))
def test_no_weight_moves_when_a_value_is_set_to_zero(seed: int, zeroed: int) -> None:
    knobs = {"text": "the cat saw the dog", "seed": seed}
    plain, without = (
        lesson("values", **knobs, **zero).working.trace for zero in ({}, {"zero": str(zeroed + 1)})
    )
    assert np.array_equal(plain["weights"].values, without["weights"].values)
    assert not without["effect"].values[..., zeroed].any()
    lost = plain["head_output"].values - without["head_output"].values
    assert np.allclose(lost, plain["terms"].values[:, :, zeroed])


@pytest.mark.parametrize(("d_model", "d_v"), [(4, 1), (8, 2), (8, 8), (8, 12), (40, 7), (100, 3)])
def test_the_rank_of_a_value_map_is_at_most_d_v(d_model: int, d_v: int) -> None:
    trace = lesson("values", d_model=d_model, d_v=d_v).working.trace
    assert trace["rank"].values.tolist() == [min(d_model, d_v)]


def test_the_value_map_of_the_example_has_rank_two() -> None:
    trace = lesson("values").working.trace
    assert trace["rank"].values.tolist() == [2]
    assert trace["value_map"].values[0, 1].tolist() == [1, 2, 1, 0]
    assert np.allclose(
        trace["value_map"].values[0], trace["w_v"].values[0] @ trace["w_o"].values[0]
    )


@pytest.mark.parametrize(
    ("knobs", "said"),
    [
        ({}, "full 4² = 16, factored 2·4·2 = 16   d=8, d_v=2: 64, 32   equal at d_v = d/2"),
        ({"d_model": 8}, "full 8² = 64, factored 2·8·2 = 32   equal at d_v = d/2"),
        ({"d_model": 8, "d_v": 4}, "full 8² = 64, factored 2·8·4 = 64"),
    ],
)
def test_full_and_factored_maps_are_counted(knobs: Any, said: str) -> None:
    assert any(line.strip().startswith(said) for line in screen("values", 120, **knobs))


@pytest.mark.parametrize(
    ("case", "moved", "by"),
    [("mole", 1, 1.9441), ("mole", 2, -0.9721), ("tower", 1, 0.9929), ("tower", 2, -0.4964)],
)
def test_the_context_moves_a_vector_along_what_its_numbers_mean(
    case: str, moved: int, by: float
) -> None:
    trace = lesson("values", case=case).working.trace
    assert round(float(trace["output"].values[-1, moved]), 4) == by
    assert not trace["value"].values[0, -1].any()  # the word itself passes nothing on


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("seed", range(8))
def test_a_question_is_fair_and_explained(question: str, seed: int) -> None:
    found = asked("values", question, seed)
    assert_fair(found)
    assert_explained("values", found)


@pytest.mark.parametrize("question", QUESTIONS)
def test_seeds_decide_the_numbers(question: str) -> None:
    first, again, other = (shown(asked("values", question, seed)) for seed in (1, 1, 2))
    assert first == again
    assert first != other


def test_the_stored_question_asks_for_the_length_of_what_chicken_adds() -> None:
    trace = carried(ONE_HEAD)
    assert round(float(trace["effect"].values[0, 2, 1]), 4) == 2.6304


@pytest.mark.parametrize("seed", range(6))
def test_equal_values_give_the_same_output_under_every_pattern(seed: int) -> None:
    found = asked("values", "equal", seed)
    trace = found.working.trace
    assert np.ptp(trace["value"].values[0], axis=0).tolist() == [0, 0]
    assert np.allclose(trace["head_output"].values[0], trace["value"].values[0])


@pytest.mark.parametrize("said", ["0, 0", "(0 0)", "0 , 0"])
def test_a_weight_of_nearly_one_can_add_nothing(said: str) -> None:
    found = asked("values", "nothing", 3)
    assert grade(found, said).right
    assert grade(found, "no").mistake == "the weight taken for the effect"


@pytest.mark.parametrize("mistake", load("values").mistakes)
def test_every_mistake_changes_the_numbers(mistake: str) -> None:
    here = lesson("values")
    wrong = here.wrong(mistake).trace["head_output"].values
    assert not np.allclose(wrong, here.working.trace["head_output"].values)


@pytest.mark.parametrize("mistake", load("values").mistakes)
def test_a_value_set_to_zero_stays_zero_under_a_mistake(mistake: str) -> None:
    wrong = lesson("values", zero="chicken").wrong(mistake).trace
    assert not wrong["value"].values[0, 1].any()


def test_the_steps_shown_one_by_one_are_all_there() -> None:
    assert lesson("values").stages == load("values").steps


@pytest.mark.parametrize("columns", COLUMNS)
@pytest.mark.parametrize("words", WORDS.values(), ids=WORDS)
def test_own_words_fit_every_screen(words: str, columns: int) -> None:
    assert_fits("values", columns, text=words)


@pytest.mark.parametrize("columns", COLUMNS)
@pytest.mark.parametrize(
    "knobs",
    [
        {},
        {"case": "mole"},
        {"zero": "it"},
        {"d_model": 8},
        {"d_model": 90, "d_v": 64},
        {"seed": 3},
    ],
    ids=str,
)
def test_every_setting_fits_every_screen(knobs: Any, columns: int) -> None:
    assert_fits("values", columns, **knobs)


def test_the_only_token_keeps_all_its_weight() -> None:
    assert "as much of the effect" in lesson("values", text="Hi").working.notice
    assert "0.0000" not in text(lesson("values", text="Hi").panels(load("values").focus))


@pytest.mark.parametrize(
    ("knobs", "says"),
    [
        ({"zero": "dog"}, "there is no value 'dog' to set to zero\n  by number or token: 1 The"),
        ({"zero": "4"}, "there is no value '4' to set to zero"),
        ({"case": "bank"}, "case cannot be 'bank'\n  one of mole, tower"),
        ({"case": "mole", "d_v": 2}, "the case 'mole' has its own words and weights"),
        ({"d_v": 0}, "d_v cannot be '0'\n  1 or more"),
        ({"d_v": 999}, "d_v=999 is out of range\n  from 1 to 512"),
        ({"d_model": 513}, "d_model=513 is out of range\n  from 1 to 512"),
        ({"seed": -1}, "seed cannot be '-1'\n  0 or more"),
        ({"text": "\t \n"}, "text cannot be"),
        ({"text": "\x01\x02"}, "the text has no words"),
    ],
)
def test_a_knob_that_cannot_be_is_refused(knobs: Any, says: str) -> None:
    with pytest.raises(UserError) as caught:
        lesson("values", **knobs)
    assert str(caught.value).startswith(says)
