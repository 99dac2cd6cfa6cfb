"""The formula of a focused cell: in the numbers of the worked example, and never untrue."""

from __future__ import annotations

import math
import re
from dataclasses import replace

import pytest

from attn_study.attention.heads import attend, causal_mask
from attn_study.attention.mistakes import MISTAKES, method_of
from attn_study.attention.toy import projections, vectors
from attn_study.attention.trace import Trace
from attn_study.demos.formulas import formula
from attn_study.demos.setup import ONE_HEAD, TWO_HEADS, Start, attended
from attn_study.demos.working import Focus

WORKED = attended(ONE_HEAD)
TWO = attended(TWO_HEADS)
LAST = Focus(query=-1)
# Words, and a divisor of which rounding leaves nothing.
SAYS_NO_NUMBER = re.compile(r"∞|not divided|stay as they are|÷ \(?-?0\.00")


@pytest.mark.parametrize(
    ("step", "says"),
    [
        ("query", "first number of q = x · column 1 of W^Q = 0·0 + 0·1 + 1·2 + 1·0 = 2"),
        ("key", "first number of k = x · column 1 of W^K = 0·0 + 2·1 + 0·1 + 1·0 = 2"),
        ("value", "first number of v = x · column 1 of W^V = 0·1 + 2·1 + 0·0 + 1·1 = 3"),
        ("scores", "score = q · k = 2·2 + 1·0 = 4"),
        ("scaled_scores", "scaled = 4 ÷ √2 = 2.8284"),
        ("masked_scores", "“it” may look at every key: its scores stay as they are"),
        ("exp", "exp(2.8284) = 16.9188"),
        ("row_sum", "sum = 2.0281 + 16.9188 + 8.3421 = 27.2891"),
        ("weights", "weight = 16.9188 ÷ 27.2891 = 0.6200"),
        ("terms", "0.6200 · (3, 3) = (1.8600, 1.8600)"),
        (
            "head_output",
            "head = (0.1486, -0.0743) + (1.8600, 1.8600) + (0.3057, 0.0000) = (2.3143, 1.7856)",
        ),
        (
            "residual",
            (
                "x + output = (0, 0, 1, 1) + (2.3143, 1.7856, -0.5287, 2.8429)"
                " = (2.3143, 1.7856, 0.4713, 3.8429)"
            ),
        ),
        ("x", ""),
        ("no such step", ""),
    ],
)
def test_each_stage_of_the_worked_example_is_written_out(step: str, says: str) -> None:
    assert formula(WORKED, step, LAST) == says


@pytest.mark.parametrize(
    ("focus", "step", "says"),
    [
        (Focus(1), "scores", "score = q · k = 2·2 + (-1)·0 = 4"),
        (Focus(0), "masked_scores", "“The” may not look at “chicken”, “it”: -∞ there"),
        (Focus(2, 1), "scores", "score = q · k = 1·3 + 1·0 = 3"),
        (Focus(99, 99), "scores", "score = q · k = 1·3 + 1·0 = 3"),
        (
            Focus(2),
            "concat",
            "(2.3143, 1.7856) ⊕ (0.5641, 2.8600) = (2.3143, 1.7856, 0.5641, 2.8600)",
        ),
    ],
)
def test_the_focus_chooses_the_cell(focus: Focus, step: str, says: str) -> None:
    assert formula(TWO, step, focus) == says


@pytest.mark.parametrize(
    ("mistake", "step", "says"),
    [
        ("no-scale", "scaled_scores", "scaled = 4, not divided"),
        ("scale-d-k", "scaled_scores", "scaled = 4 ÷ 2 = 2"),
        ("no-softmax", "exp", ""),
        ("softmax-columns", "row_sum", ""),
        ("mask-wrong-side", "masked_scores", "“it” may not look at “The”, “chicken”: -∞ there"),
    ],
)
def test_a_stage_done_wrongly_has_its_own_formula_or_none(
    mistake: str, step: str, says: str
) -> None:
    assert formula(attended(ONE_HEAD, mistake), step, LAST) == says


@pytest.mark.parametrize("step", ["scores", "terms", "head_output", "concat", "residual"])
def test_numbers_made_in_another_way_have_no_formula(step: str) -> None:
    changed = [
        replace(each, values=each.values + 0.5) if each.name == step else each for each in WORKED
    ]
    assert formula(WORKED, step, LAST)
    assert formula(Trace(tuple(changed)), step, LAST) == ""


def test_without_the_matrices_in_the_trace_a_product_is_named() -> None:
    begin = ONE_HEAD
    trace = attend(begin.x, None, begin.projections, query_labels=begin.labels)
    assert formula(trace, "query", LAST) == "q = x W^Q = (0, 0, 1, 1) W^Q = (2, 1)"


def test_an_output_is_a_row_times_a_column_of_the_last_matrix() -> None:
    assert formula(WORKED, "output", LAST) == (
        "first number = row · column 1 of W^O = 2.3143·1 + 1.7856·0 = 2.3143"
    )


def test_a_large_score_says_that_the_largest_was_taken_off() -> None:
    begin = Start(ONE_HEAD.labels, ONE_HEAD.x * 10, ONE_HEAD.projections, "")
    assert formula(attended(begin), "exp", LAST) == (
        "exp(282.8427 - 282.8427) = 1, the largest taken off"
    )


def test_a_long_sum_keeps_its_beginning_and_its_end() -> None:
    words = tuple("abcdefgh")
    trace = attend(vectors(words, 8, 0), None, projections(1, 8, 8, 8, 0), query_labels=words)
    made = formula(trace, "row_sum", LAST)
    assert made.count(" + ") == 5
    assert " + … + " in made


@pytest.mark.parametrize("mistake", ["", *MISTAKES])
@pytest.mark.parametrize("seed", range(6))
def test_no_formula_is_untrue(mistake: str, seed: int) -> None:
    words = ("the", "cat", "saw", "the")
    x, parts = vectors(words, 4, seed), projections(2, 4, 3, 3, seed)
    given = {"mask": causal_mask(4), "query_labels": words, "key_labels": words}
    if mistake:
        trace = attend(x, None, parts, **given, method=method_of(mistake))  # type: ignore[arg-type]
    else:
        trace = attend(x, None, parts, **given)  # type: ignore[arg-type]
    for step in ("scores", "scaled_scores", "exp", "row_sum", "weights"):
        for query in range(4):
            made = formula(trace, step, Focus(query, 1))
            if made and not SAYS_NO_NUMBER.search(made):
                *_, way, result = made.removesuffix(", the largest taken off").split(" = ")
                way = made.split(" = ")[0] if step == "exp" else way
                assert computed(way) == pytest.approx(float(result), abs=6e-3, rel=6e-3), made


def computed(way: str) -> float:
    """A formula worked out by Python."""
    way = re.sub(r"√(\d+)", r"sqrt(\1)", way).replace("·", "*").replace("÷", "/")
    return float(eval(way, {"sqrt": math.sqrt, "exp": math.exp}))
