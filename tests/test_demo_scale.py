"""The lesson on √d_k: numbers, screen, questions, and what is left of the gradient."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from attn_study.attention.spread import WIDTHS
from attn_study.attention.stages import softmax
from attn_study.demos import load
from attn_study.demos.asks.scale import TEMPERATURES
from attn_study.demos.question import grade
from attn_study.demos.scale import compute
from attn_study.demos.working import Focus
from attn_study.errors import UserError
from lesson_checks import (
    COLUMNS,
    asked,
    assert_explained,
    assert_fair,
    assert_fits,
    screen,
    shown,
)
from lessons import lesson, text

QUESTIONS = tuple(load("scale").questions)
SCREEN = """\
 scale  why scores are divided by √d_k             q, k random, seed 0 · 8 keys
 notice at d_k = 512 the raw gradient is 5,210 times smaller than the scaled

 random q and k          d_k=4      d_k=64     d_k=128    d_k=512
 variance   of q · k     4.06      63.53     128.41     513.20
 std        near √d_k    2.01       7.97      11.33      22.65
 entropy    raw          0.618      0.159      0.106      0.050    1: all equal
                         ██████▏    █▋         █          ▌
            ÷ √d_k       0.840      0.832      0.830      0.829
                         ████████▍  ████████▍  ████████▎  ████████▎
 largest w  raw          0.527      0.868      0.911      0.957            mean
            ÷ √d_k       0.343      0.357      0.358      0.361
 w > 0.99   raw          0.005      0.366      0.502      0.749      of queries
            ÷ √d_k       0          0          0          0
 gradient   raw          0.370763   0.064735   0.018253   0.000070       median
            ÷ √d_k       0.360787   0.366672   0.367996   0.366974

 “chicken” asks                The     chicken it
 score                 q · k  -1       4       ·   slope of the largest: w(1-w)
 ÷ √d_k = √2           ✓       0.0283  0.9717  ·                   slope 0.0275
 ÷ 1                   ✗       0.0067  0.9933  ·                   slope 0.0066
 ÷ d_k = √d_model = 2  ✗       0.0759  0.9241  ·                   slope 0.0701
"""
# d_k: variance; raw: entropy share, largest weight, weights over 0.99, median gradient; scaled:
# entropy share, largest weight, median gradient. From 20,000 queries; here there are 2,000 at most.
TABLE = {
    4: (4.03, (0.618, 0.528, 0.006, 0.371), (0.840, 0.344, 0.361)),
    64: (63.9, (0.153, 0.874, 0.376, 0.061), (0.829, 0.360, 0.367)),
    128: (128.2, (0.106, 0.912, 0.522, 0.0136), (0.827, 0.362, 0.367)),
    512: (513.7, (0.052, 0.956, 0.736, 0.000095), (0.828, 0.361, 0.367)),
}
MEASURES = ("entropy_share", "largest", "saturated", "jacobian_median")


def test_the_first_screen() -> None:
    assert screen("scale") == SCREEN.splitlines()


def test_the_first_screen_leaves_room_for_the_keys() -> None:
    assert len(screen("scale")) <= 22
    assert len(screen("scale", focus=Focus(2))) <= 22


@pytest.mark.parametrize("width", WIDTHS)
def test_the_experiment_comes_out_as_published(width: int) -> None:
    variance, raw, scaled = TABLE[width]
    trace, at = lesson("scale").working.trace, WIDTHS.index(width)
    assert trace["variance"].values[at] == pytest.approx(variance, rel=0.03)
    assert trace["std"].values[at] == pytest.approx(math.sqrt(width), rel=0.03)
    found = [trace[name].values[:, at] for name in MEASURES]
    assert [row[0] for row in found[:3]] == pytest.approx(raw[:3], rel=0.06, abs=0.005)
    assert found[3][0] == pytest.approx(raw[3], rel=0.35)
    assert [found[0][1], found[1][1], found[3][1]] == pytest.approx(scaled, rel=0.05)
    assert found[2][1] < 0.001


def test_scaling_hardly_matters_at_four_and_saves_the_gradient_at_512() -> None:
    raw, scaled = lesson("scale").working.trace["jacobian_median"].values
    assert 0.5 < raw[0] / scaled[0] < 2
    assert scaled[3] / raw[3] > 1000


def test_with_64_keys_the_picture_is_the_same() -> None:
    raw, scaled = lesson("scale", keys=64).working.trace["entropy_share"].values
    assert raw == pytest.approx([0.68, 0.14, 0.09, 0.04], abs=0.025)
    assert scaled == pytest.approx([0.89] * 4, abs=0.015)


@pytest.mark.parametrize(
    ("divisor", "row", "slope"),
    [
        (0, [0.0283, 0.9717, 0], 0.0275),
        (1, [0.0067, 0.9933, 0], 0.0066),
        (2, [0.0759, 0.9241, 0], 0.0701),
        (3, [0.0759, 0.9241, 0], 0.0701),
    ],
)
def test_the_row_of_chicken_under_each_divisor(
    divisor: int, row: list[float], slope: float
) -> None:
    trace = lesson("scale").working.trace
    assert np.round(trace["divided_weights"].values[divisor, 1], 4).tolist() == row
    assert round(float(trace["slope"].values[divisor, 1, 1]), 4) == slope


@pytest.mark.parametrize(("mistake", "weight"), [
    ("no-scale", 0.9933), ("scale-d-k", 0.9241), ("scale-d-model", 0.9241),
])  # fmt: skip
def test_a_mistake_is_made_in_the_worked_example(mistake: str, weight: float) -> None:
    here = lesson("scale")
    wrong = here.wrong(mistake)
    assert round(float(wrong.trace["weights"].values[0, 1, 1]), 4) == weight
    assert np.array_equal(wrong.trace["variance"].values, here.working.trace["variance"].values)
    assert "scaled_scores" in text(here.compared(mistake, wrong, Focus(1)))


@pytest.mark.parametrize(
    ("knobs", "widths"),
    [
        ({}, ("4", "64", "128", "512")),
        ({"d_k": 64}, ("4", "64", "128", "512")),
        ({"d_k": 16}, ("4", "16", "64", "512")),
        ({"d_k": 1024}, ("4", "64", "512", "1024")),
    ],
)
def test_a_width_of_ones_own_is_shown_among_the_others(
    knobs: dict[str, object], widths: tuple[str, ...]
) -> None:
    found = lesson("scale", **knobs)
    assert found.working.trace.labels("widths") == widths
    marked = f"▸ d_k={knobs['d_k']}" if knobs else "▸"
    assert (marked in text(found.panels(Focus(1)))) == bool(knobs)


@pytest.mark.parametrize(
    ("knobs", "says"),
    [
        ({}, "at d_k = 512 the raw gradient is 5,210 times smaller than the scaled"),
        ({"d_k": 4}, "at d_k = 4 dividing hardly matters: gradients 0.371 and 0.361"),
        ({"d_k": 64}, "at d_k = 64 the raw gradient is 6 times smaller than the scaled"),
        (
            {"d_k": 1024, "keys": 2},
            "at d_k = 1024 the raw gradient is under 0.000001: nothing is left of it",
        ),
    ],
)
def test_the_notice_says_what_is_on_the_screen(knobs: dict[str, object], says: str) -> None:
    assert lesson("scale", **knobs).working.notice == says


def test_the_same_seed_draws_the_same_and_another_does_not() -> None:
    first, again, other = (
        lesson("scale", seed=seed).working.trace["variance"].values for seed in (0, 0, 1)
    )
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("seed", range(6))
def test_a_question_is_fair_and_explained(question: str, seed: int) -> None:
    found = asked("scale", question, seed)
    assert_fair(found)
    assert_explained("scale", found)


@pytest.mark.parametrize("question", QUESTIONS)
def test_seeds_decide_the_numbers(question: str) -> None:
    first, again, other = (shown(asked("scale", question, seed)) for seed in (1, 1, 2))
    assert first == again
    assert first != other


@pytest.mark.parametrize("seed", range(8))
def test_the_standard_deviation_is_the_root_of_d_k(seed: int) -> None:
    found = asked("scale", "std", seed)
    d_k = int(found.prompt.partition("d_k = ")[2].split(".")[0])
    assert found.answer == math.sqrt(d_k)
    assert grade(found, str(d_k)).mistake.startswith("the variance")


@pytest.mark.parametrize("seed", range(8))
def test_a_temperature_divides_the_scores_of_the_row(seed: int) -> None:
    found = asked("scale", "temperature", seed)
    query = found.focus.query
    scaled = found.working.trace["scaled_scores"].values[0, query, : query + 1]
    degrees = float(found.prompt.split()[3])
    assert degrees in TEMPERATURES
    assert np.isclose(softmax(scaled / degrees), float(found.answer)).any()


def test_a_weight_near_one_hardly_moves_with_its_score() -> None:
    found = [asked("scale", "slope", seed) for seed in range(20)]
    slopes = {each.prompt: float(each.answer) for each in found}
    for prompt, slope in slopes.items():
        weight = float(prompt.partition("w = ")[2][:5])
        step = 1e-5
        moved = softmax([step + math.log(weight), math.log(1 - weight)])[0] - weight
        assert slope == pytest.approx(moved / step, rel=1e-3)


@pytest.mark.parametrize("columns", COLUMNS)
@pytest.mark.parametrize(
    "knobs", [{}, {"d_k": 1}, {"d_k": 1024, "keys": 2}, {"keys": 64}, {"seed": 9}], ids=str
)
def test_every_setting_fits_every_screen(knobs: dict[str, object], columns: int) -> None:
    assert_fits("scale", columns, **knobs)


@pytest.mark.parametrize(
    ("knobs", "says"),
    [
        ({"d_k": 0}, "d_k cannot be '0'\n  from 1 to 1,024"),
        ({"d_k": 1025}, "d_k cannot be '1025'\n  from 1 to 1,024"),
        ({"d_k": "many"}, "d_k cannot be 'many'\n  a whole number from 1 to 1,024"),
        ({"keys": 1}, "keys cannot be '1'\n  from 2 to 64"),
        ({"keys": 65}, "keys cannot be '65'\n  from 2 to 64"),
        ({"seed": -1}, "seed cannot be '-1'"),
        ({"heads": 2}, "demo scale has no knob 'heads'"),
    ],
)
def test_a_knob_that_cannot_be_is_refused(knobs: dict[str, object], says: str) -> None:
    with pytest.raises(UserError) as caught:
        lesson("scale", **knobs)
    assert str(caught.value).startswith(says)


@pytest.mark.parametrize("sizes", [{"d_k": 0}, {"keys": 0}, {"keys": 1}, {"d_k": 10**9}], ids=str)
def test_an_experiment_that_cannot_be_is_refused_without_the_knobs(sizes: Any) -> None:
    with pytest.raises(UserError, match="is out of range"):
        compute(**sizes)
