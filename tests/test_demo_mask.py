"""The lesson on the mask: numbers, screen, questions, what leaks, and the order of words."""

from __future__ import annotations

import numpy as np
import pytest

from attn_study.attention.arrays import Array, frozen
from attn_study.demos import load
from attn_study.demos.question import grade
from attn_study.demos.working import Focus
from attn_study.demos.workings.mask import VARIANTS
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

QUESTIONS = tuple(load("mask").questions)
WAYS = tuple(VARIANTS)
FAULTS = WAYS[1:]
LEAKING = {"mask-zero-before", "mask-zero-after", "no-mask"}
TEXTS = ["the cat saw the dog", WORDS["repeated"], WORDS["wide"], WORDS["many"]]
SCREEN = """\
 mask   who may look at whom                     toy weights, set by hand · d=4
 notice the row “it” is right under every fault; only earlier rows show one

 asks ↓       mask on                        mask off
 answers →    The     chicken  it            The     chicken  it
   The        1.00 █   ·        ·            0.45 ▌  0.11     0.45 ▌
 ▸ chicken    0.03    0.97 █    ·            0.03    0.87 ▉   0.10
   it         0.07    0.62 ▋   0.31 ▎        0.07    0.62 ▋   0.31 ▎

 “chicken” asks        The      chicken  it       row sum  head     output
 ✓ -∞ before softmax   0.0283   0.9717   ·        1.0000   2.9717   2.8867
 ✗ 0 before softmax    0.0268   0.9189   0.0543   1.0000   2.8646   2.7299
 ✗ 0 after softmax     0.0254   0.8703   0.0000   0.8957   2.6617   2.5856
 ✓ 0 after, ÷ row sum  0.0283   0.9717   0.0000   1.0000   2.9717   2.8867
 ✗ no mask             0.0254   0.8703   0.1043   1.0000   2.7660   2.5856

 Change of the output: x of “it” 0 0 1 1 → 1 0 1 1; order “it The chicken”
            edit, mask on    edit, mask off   order, mask on   order, mask off
   The                  0 0    0.3828 0.0701   -0.5000 0.5000              0 0
 ▸ chicken              0 0    0.1529 0.1444  -0.2057 -0.3012              0 0
   it       -0.1276 -1.2709  -0.1276 -1.2709  -1.3143 -1.7856              0 0
 One product gives 3 rows and 3 next-word guesses; row by row they differ by 0.
"""


def step(name: str, **knobs: object) -> Array:
    """A step as it is shown: four decimals."""
    return frozen(np.round(lesson("mask", **knobs).working.trace[name].values, 4))


def test_the_first_screen() -> None:
    assert screen("mask") == SCREEN.splitlines()


def test_the_first_screen_leaves_room_for_the_keys() -> None:
    for query in range(3):
        assert len(screen("mask", focus=Focus(query))) <= 22


@pytest.mark.parametrize(
    ("way", "row", "output"),
    [
        ("", [0.0283, 0.9717, 0], [2.9717, 2.8867]),
        ("mask-zero-before", [0.0268, 0.9189, 0.0543], [2.8646, 2.7299]),
        ("mask-zero-after", [0.0254, 0.8703, 0], [2.6617, 2.5856]),
        ("mask-renormalised", [0.0283, 0.9717, 0], [2.9717, 2.8867]),
        ("no-mask", [0.0254, 0.8703, 0.1043], [2.7660, 2.5856]),
    ],
)
def test_the_row_of_chicken_under_every_way_to_mask(
    way: str, row: list[float], output: list[float]
) -> None:
    assert step("variant_weights")[WAYS.index(way), 1].tolist() == row
    assert step("variant_output")[WAYS.index(way), 1].tolist() == output


def test_the_row_sums_of_chicken() -> None:
    sums = lesson("mask").working.trace["variant_weights"].values[:, 1].sum(axis=1)
    assert np.round(sums, 4).tolist() == [1, 1, 0.8957, 1, 1]


def test_without_the_mask_the_first_row_looks_ahead() -> None:
    assert step("variant_weights")[-1, 0].tolist() == [0.4458, 0.1084, 0.4458]


def test_the_leak_test_of_the_worked_example() -> None:
    masked, opened = step("edit_moves")
    assert masked.tolist() == [[0, 0], [0, 0], [-0.1276, -1.2709]]
    assert opened.tolist() == [[0.3828, 0.0701], [0.1529, 0.1444], [-0.1276, -1.2709]]


@pytest.mark.parametrize("words", TEXTS)
@pytest.mark.parametrize("token", [1, 2, 3, 4])
def test_nothing_leaks_with_the_mask_on(words: str, token: int) -> None:
    moves = lesson("mask", text=words, token=str(token)).working.trace["edit_moves"].values
    assert not moves[0, : token - 1].any()
    assert np.abs(moves[0, token - 1 :]).max(axis=1).min() > 0


@pytest.mark.parametrize("way", FAULTS)
def test_a_late_mask_leaks_unless_it_is_mended(way: str) -> None:
    found = lesson("mask", variant=way).working
    leak = np.abs(found.trace["edit_moves"].values[1, :2]).max()
    assert (leak > 0.01) == (way in LEAKING)
    if way != "no-mask":
        assert ("leaks nothing" in found.notice) == (way not in LEAKING)


@pytest.mark.parametrize("words", TEXTS)
def test_the_last_row_is_right_under_every_fault(words: str) -> None:
    weights = lesson("mask", text=words).working.trace["variant_weights"].values
    assert np.allclose(weights[:, -1], weights[0, -1])
    assert np.abs(weights[1:, :-1] - weights[0, :-1]).max() > 0.005


@pytest.mark.parametrize("query", [0, 1, 2])
def test_a_right_row_is_ticked_and_a_wrong_one_crossed(query: int) -> None:
    seen = text(lesson("mask").panels(Focus(query)))
    marks = [line.split()[0] for line in seen.splitlines() if line[1:2] in "✓✗" and line.strip()]
    assert marks == (["✓"] * 5 if query == 2 else ["✓", "✗", "✗", "✓", "✗"])


@pytest.mark.parametrize("words", TEXTS)
def test_one_product_is_the_row_by_row_loop(words: str) -> None:
    trace = lesson("mask", text=words).working.trace
    at_once = trace["variant_output"].values[0]
    assert np.abs(trace["one_at_a_time"].values - at_once).max() < 1e-12
    shown_at_once = text(lesson("mask", text=words).panels(Focus(0)), 200)
    assert f"{len(at_once)} next-word guesses; row by row they differ by 0." in shown_at_once


@pytest.mark.parametrize("order", ["2 1 3 4", "4,3,2,1", "1 2 3 4"])
def test_without_a_mask_outputs_move_with_their_words(order: str) -> None:
    found = lesson("mask", text="the cat saw dogs", order=order).working.trace
    masked, opened = found["order_moves"].values
    assert np.abs(opened).max() < 1e-12
    assert (np.abs(masked).max() > 0.01) == (order != "1 2 3 4")


def test_the_order_is_the_last_word_first_unless_it_is_said() -> None:
    assert step("order").tolist() == [3, 1, 2]
    assert step("order", order="2, 3, 1").tolist() == [2, 3, 1]
    assert "order “chicken it The”" in text(lesson("mask", order="2 3 1").panels(Focus(0)))


@pytest.mark.parametrize(("token", "at"), [("it", 2), ("1", 0), ("chicken", 1), ("3", 2)])
def test_the_word_that_is_changed_is_named_by_number_or_text(token: str, at: int) -> None:
    found = lesson("mask", token=token).working.trace
    change = found["edited_x"].values - found["x"].values
    assert np.flatnonzero(change.any(axis=1)).tolist() == [at]
    assert change.sum() == 1


@pytest.mark.parametrize(
    ("knobs", "says"),
    [
        ({}, "the row “it” is right under every fault; only earlier rows show one"),
        ({"text": "a a"}, "the last row is right under every fault; only earlier rows show one"),
        ({"text": "Hi"}, "“Hi” stands alone: there is nothing to hide from it"),
        ({"text": WORDS["many"]}, "only the first 32 of 40 tokens are used"),
        (
            {"variant": "mask-zero-after"},
            "“0 after softmax” leaks: rows before “it” move when it changes",
        ),
        (
            {"variant": "mask-renormalised"},
            "“0 after, ÷ row sum” leaks nothing: no row before “it” moves with it",
        ),
    ],
)
def test_the_notice_says_what_is_on_the_screen(knobs: dict[str, object], says: str) -> None:
    assert lesson("mask", **knobs).working.notice == says


@pytest.mark.parametrize("mistake", load("mask").mistakes)
def test_every_mistake_shows_in_an_earlier_row(mistake: str) -> None:
    here = lesson("mask")
    wrong = here.wrong(mistake).trace["weights"].values[0]
    right = here.working.trace["weights"].values[0]
    assert not np.allclose(right[:2], wrong[:2], atol=0.005)


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("seed", range(6))
def test_a_question_is_fair_and_explained(question: str, seed: int) -> None:
    found = asked("mask", question, seed)
    assert_fair(found)
    assert_explained("mask", found)


@pytest.mark.parametrize("question", QUESTIONS)
def test_seeds_decide_the_numbers(question: str) -> None:
    first, again, other = (shown(asked("mask", question, seed)) for seed in (1, 1, 3))
    assert first == again
    assert first != other


@pytest.mark.parametrize("seed", range(8))
def test_the_rows_that_move_are_those_that_may_read_the_changed_word(seed: int) -> None:
    found = asked("mask", "moved", seed)
    moves = found.working.trace["edit_moves"].values[seed % 2]
    moving = np.flatnonzero(np.abs(moves).max(axis=1) > 1e-9) + 1
    assert grade(found, ", ".join(map(str, moving))).right


@pytest.mark.parametrize("seed", range(8))
def test_a_missing_mask_shows_in_all_rows_but_the_last(seed: int) -> None:
    found = asked("mask", "reveals", seed)
    weights = found.working.trace["variant_weights"].values
    telling = np.flatnonzero(np.abs(weights[-1] - weights[0]).max(axis=1) > 1e-9) + 1
    assert grade(found, " ".join(map(str, telling))).right


@pytest.mark.parametrize("seed", range(8))
def test_a_word_notices_the_order_with_a_mask_alone(seed: int) -> None:
    found = asked("mask", "order", seed)
    masked, opened = np.abs(found.working.trace["order_moves"].values[:, 1]).max(axis=1)
    assert (masked > 0.01, opened < 1e-12) == (True, True)
    assert grade(found, "yes").right == ("no mask" in found.prompt)


@pytest.mark.parametrize("seed", range(6))
def test_a_late_mask_that_is_mended_is_the_right_weight(seed: int) -> None:
    found = asked("mask", "mended", seed)
    right = found.working.trace["weights"].values[0, found.focus.query]
    assert np.abs(right - found.answer).min() < 1e-12


@pytest.mark.parametrize("columns", COLUMNS)
@pytest.mark.parametrize("words", WORDS.values(), ids=WORDS)
def test_own_words_fit_every_screen(words: str, columns: int) -> None:
    assert_fits("mask", columns, text=words)


@pytest.mark.parametrize("columns", COLUMNS)
@pytest.mark.parametrize(
    "knobs",
    [{}, {"variant": "mask-zero-before"}, {"d_v": 1}, {"d_model": 64}, {"d_k": 2, "d_v": 2}],
    ids=str,
)
def test_every_setting_fits_every_screen(knobs: dict[str, object], columns: int) -> None:
    assert_fits("mask", columns, **knobs)


@pytest.mark.parametrize(
    ("knobs", "says"),
    [
        ({"variant": "late"}, "variant cannot be 'late'\n  one of mask-zero-before, "),
        ({"token": "dog"}, "there is no query 'dog'\n  by number or token: 1 The, 2 chicken, 3 it"),
        ({"token": "4"}, "there is no query '4'"),
        (
            {"order": "1 2"},
            "'1 2' is not an order of 3 words\n  each number from 1 to 3, once: 3 1 2",
        ),
        ({"order": "1 1 2"}, "'1 1 2' is not an order of 3 words"),
        ({"order": "0 1 2"}, "'0 1 2' is not an order of 3 words"),
        ({"order": "it The chicken"}, "'it The chicken' is not an order of 3 words"),
        ({"d_v": 513}, "d_v=513 is out of range\n  from 1 to 512"),
        ({"seed": -1}, "seed cannot be '-1'\n  0 or more"),
        ({"text": "\x01"}, "the text has no words"),
    ],
)
def test_a_knob_that_cannot_be_is_refused(knobs: dict[str, object], says: str) -> None:
    with pytest.raises(UserError) as caught:
        lesson("mask", **knobs)
    assert str(caught.value).startswith(says)
