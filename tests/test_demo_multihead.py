"""The lesson on several heads: numbers, screen, questions, and that heads are added."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from attn_study.demos import load
from attn_study.demos.working import Focus
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
from lessons import lesson

QUESTIONS = tuple(load("multihead").questions)
SCREEN = """\
 multihead  several heads, the same words        toy weights, set by hand · A=2
 notice     for “it”, head 1 looks at chicken and head 2 at The; both are kept

 asks ↓       head 1                         head 2
 answers →    The     chicken  it            The     chicken  it
   The        1.00 █   ·        ·            1.00 █   ·        ·
   chicken    0.03    0.97 █    ·            0.50 ▌  0.50 ▌    ·
 ▸ it         0.07    0.62 ▋   0.31 ▎        0.58 ▋  0.14 ▏   0.28 ▎
              each row sums to 1

 “it”           weights       0.0743  0.6200  0.3057  0.5760  0.1400  0.2840
 head           = Σ weight·v          2.3143  1.7856          0.5641  2.8600
 head¹ ⊕ head²  [1×4]                 2.3143  1.7856  0.5641  2.8600

 a  = (head¹ ⊕ head²) W^O [4×4]   5.1743     2.3497    -0.5287     5.7029
    head¹ · W^O rows 1–2          2.3143     1.7856    -0.5287     2.8429
 +  head² · W^O rows 3–4          2.8600     0.5641     0.0000     2.8600
 =  the same                      5.1743     2.3497    -0.5287     5.7029

 not used: the average 0.3251 0.3800 0.2948, a pattern that no head has
 numbers to learn   A=1: 64   A=2: 64   A=4: 64   always 4 d², since d_v = d/A
"""


def row(name: str, query: int = -1, **knobs: object) -> Any:
    """What a step has for one query, as it is printed; heads, if any, one after another."""
    step = lesson("multihead", **knobs).working.trace[name]
    values = step.values[:, query] if step.axes[0] == "heads" else step.values[query]
    return (np.round(values, 4) + 0.0).tolist()


def test_the_first_screen() -> None:
    assert screen("multihead") == SCREEN.splitlines()


def test_the_first_screen_leaves_room_for_the_keys() -> None:
    assert len(screen("multihead")) <= 22


@pytest.mark.parametrize(
    ("name", "numbers"),
    [
        ("weights", [[0.0743, 0.62, 0.3057], [0.5760, 0.1400, 0.2840]]),
        ("head_output", [[2.3143, 1.7856], [0.5641, 2.86]]),
        ("concat", [2.3143, 1.7856, 0.5641, 2.86]),
        ("head_shares", [[2.3143, 1.7856, -0.5287, 2.8429], [2.86, 0.5641, 0, 2.86]]),
        ("output", [5.1743, 2.3497, -0.5287, 5.7029]),
        ("average_weights", [0.3251, 0.3800, 0.2948]),
    ],
)
def test_two_heads_for_it(name: str, numbers: Any) -> None:
    assert row(name) == numbers


@pytest.mark.parametrize(
    ("query", "output"),
    [(0, [5, -1, -3, 8]), (1, [5.4717, 3.8867, -0.0850, 5.5566])],
)
def test_two_heads_for_the_words_before_it(query: int, output: Any) -> None:
    assert row("output", query) == output


@pytest.mark.parametrize(
    "knobs",
    [{}, {"heads": 1}, {"heads": 4}, {"heads": 8, "d_model": 8}, {"heads": 3, "d_k": 2, "d_v": 5}],
    ids=str,
)
def test_side_by_side_times_w_o_is_the_sum_over_the_heads(knobs: Any) -> None:
    trace = lesson("multihead", **knobs).working.trace
    w_o = trace["w_o"].values.reshape(-1, trace.sizes["d_model"])
    assert np.allclose(trace["concat"].values @ w_o, trace["output"].values)
    assert np.allclose(trace["head_shares"].values.sum(axis=0), trace["output"].values)


def test_the_average_pattern_would_give_another_output() -> None:
    wrong = lesson("multihead").wrong("average-heads").trace
    assert np.round(wrong["weights"].values[:, -1], 4).tolist() == [[0.3251, 0.38, 0.2948]] * 2
    assert abs(wrong["output"].values[-1, 0] - 5.1743) > 0.02


@pytest.mark.parametrize(
    ("knobs", "said"),
    [
        ({}, "numbers to learn   A=1: 64   A=2: 64   A=4: 64   always 4 d², since d_v = d/A"),
        (
            {"d_model": 512, "heads": 64},
            (
                "numbers to learn   A=1: 1,048,576   A=2: 1,048,576   A=4: 1,048,576   "
                "A=8: 1,048,576   A=64: 1,048,576   always 4 d², since d_v = d/A"
            ),
        ),
        (
            {"heads": 3, "d_k": 2, "d_v": 5},
            (
                "numbers to learn   A=1: 256   A=2: 256   A=4: 256   A=8: 256   "
                "always 4 d², since d_v = d/A; here A=3, d_k=2, d_v=5: 336"
            ),
        ),
    ],
    ids=str,
)
def test_more_heads_are_not_more_numbers(knobs: Any, said: str) -> None:
    assert screen("multihead", 200, **knobs)[-1].strip() == said


@pytest.mark.parametrize("heads", [1, 2, 4, 8])
def test_the_price_is_that_of_the_matrices_in_use(heads: int) -> None:
    trace = lesson("multihead", heads=heads, d_model=8).working.trace
    d, d_k = 8, trace["query"].values.shape[-1]
    assert 3 * heads * d * d_k + trace["w_o"].values.size == 4 * d**2


@pytest.mark.parametrize(
    ("query", "said"),
    [
        (0, "not used: the average 1.0000, here the pattern of 2 of 2 heads"),
        (1, "not used: the average 0.2642 0.7358, a pattern that no head has"),
        (2, "not used: the average 0.3251 0.3800 0.2948, a pattern that no head has"),
    ],
)
def test_the_average_is_said_not_to_be_used(query: int, said: str) -> None:
    assert f" {said}" in screen("multihead", focus=Focus(query))


@pytest.mark.parametrize(
    ("knobs", "notice"),
    [
        ({}, "for “it”, head 1 looks at chicken and head 2 at The; both are kept"),
        ({"text": "Hi"}, "for “Hi”, all heads look most at Hi, each with its own values"),
        ({"text": "Hi", "heads": 1}, "one head has one pattern: “Hi” looks most at Hi"),
        ({"heads": 4}, "for “it”, 4 heads look at 2 tokens; all are kept"),
    ],
    ids=str,
)
def test_the_notice_says_where_the_heads_look(knobs: Any, notice: str) -> None:
    assert lesson("multihead", **knobs).working.notice == notice


@pytest.mark.parametrize(("head", "shown_heads"), [(0, (1, 2)), (2, (3, 4)), (3, (3, 4))])
def test_of_many_heads_the_focused_one_is_shown_beside_another(
    head: int, shown_heads: tuple[int, int]
) -> None:
    drawn = "\n".join(screen("multihead", focus=Focus(-1, head), heads=4))
    assert f"heads {shown_heads[0]} and {shown_heads[1]} of 4" in drawn
    assert "the other 2, each its own rows" in drawn


def test_queries_may_stand_in_columns() -> None:
    drawn = "\n".join(screen("multihead", focus=Focus(-1, columns=True)))
    assert "each column sums to 1" in drawn
    assert "asks →" in drawn


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("seed", range(8))
def test_a_question_is_fair_and_explained(question: str, seed: int) -> None:
    found = asked("multihead", question, seed)
    assert_fair(found)
    assert_explained("multihead", found)


@pytest.mark.parametrize("question", QUESTIONS)
def test_seeds_decide_the_numbers(question: str) -> None:
    first, again, other = (shown(asked("multihead", question, seed)) for seed in (1, 1, 2))
    assert first == again
    assert first != other


@pytest.mark.parametrize("mistake", load("multihead").mistakes)
def test_every_mistake_changes_the_numbers(mistake: str) -> None:
    here = lesson("multihead")
    wrong = here.wrong(mistake).trace["output"].values
    assert not np.allclose(wrong, here.working.trace["output"].values)


def test_the_steps_shown_one_by_one_are_all_there() -> None:
    steps = load("multihead").steps
    assert lesson("multihead", weights="trained").stages == steps
    assert lesson("multihead").stages == tuple(step for step in steps if step != "next_word")
    assert len(steps) == 8


@pytest.mark.parametrize("columns", COLUMNS)
@pytest.mark.parametrize("words", WORDS.values(), ids=WORDS)
def test_own_words_fit_every_screen(words: str, columns: int) -> None:
    assert_fits("multihead", columns, text=words)


@pytest.mark.parametrize("columns", COLUMNS)
@pytest.mark.parametrize(
    "knobs", [{}, {"heads": 1}, {"heads": 16, "d_model": 96}, {"d_k": 1, "d_v": 9}], ids=str
)
def test_every_setting_fits_every_screen(knobs: Any, columns: int) -> None:
    assert_fits("multihead", columns, **knobs)


@pytest.mark.parametrize(
    ("knobs", "says"),
    [
        ({"heads": 3}, "d_model=8 does not split into heads=3\n  heads=1 or 2 or 4 would, for 8"),
        ({"heads": 0}, "heads cannot be '0'\n  1 or more"),
        ({"heads": 999}, "heads=999 is out of range\n  from 1 to 64"),
        ({"d_model": 10, "heads": 4}, "d_model=10 does not split into heads=4"),
        ({"d_v": 600}, "d_v=600 is out of range\n  from 1 to 512"),
        ({"d_v": 512, "heads": 4}, "heads=4 times d_v=512 is 2048 numbers a token\n  at most 1024"),
        ({"seed": "one"}, "seed cannot be 'one'\n  a whole number 0 or more"),
        ({"text": "\x01"}, "the text has no words"),
    ],
)
def test_a_knob_that_cannot_be_is_refused(knobs: Any, says: str) -> None:
    with pytest.raises(UserError) as caught:
        lesson("multihead", **knobs)
    assert str(caught.value).startswith(says)
