"""Dot products spread like √d_k, and what softmax makes of that."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from attn_study.attention.heads import softmax
from attn_study.attention.spread import WIDTHS, jacobian_norm, spread
from attn_study.errors import UserError

# d_k: variance; raw and scaled: entropy, largest, jacobian mean and median; raw: saturated rows.
TABLE = {
    4: (4.03, (1.286, 0.528, 0.341, 0.371), (1.747, 0.344, 0.360, 0.361), 0.006),
    64: (63.9, (0.319, 0.874, 0.151, 0.061), (1.724, 0.360, 0.365, 0.367), 0.376),
    128: (128.2, (0.220, 0.912, 0.112, 0.0136), (1.720, 0.362, 0.366, 0.367), 0.522),
    512: (513.7, (0.107, 0.956, 0.060, 0.000095), (1.722, 0.361, 0.366, 0.367), 0.736),
}


@pytest.mark.parametrize("d_k", WIDTHS)
def test_the_experiment_comes_out_as_published(d_k: Any) -> None:
    variance, raw, scaled, saturated = TABLE[d_k]
    found = spread(d_k, n_queries=20_000)
    assert found.variance == pytest.approx(variance, rel=0.02)
    assert found.std == pytest.approx(variance**0.5, rel=0.01)
    for measured, wanted in ((found.raw, raw), (found.scaled, scaled)):
        means = (measured.entropy, measured.largest, measured.jacobian_mean)
        assert means == pytest.approx(wanted[:3], rel=0.05)
        assert measured.jacobian_median == pytest.approx(wanted[3], rel=0.25)
        assert measured.entropy_share == pytest.approx(wanted[0] / np.log(8), rel=0.05)
    assert found.raw.saturated == pytest.approx(saturated, rel=0.05, abs=0.005)
    assert found.scaled.saturated < 0.001


def test_more_keys_show_the_same_picture() -> None:
    raw = [spread(d_k, n_keys=64, n_queries=640).raw.entropy_share for d_k in WIDTHS]
    assert raw == pytest.approx([0.68, 0.14, 0.09, 0.04], abs=0.015)


def test_a_seed_gives_the_same_numbers_again_and_another_seed_does_not() -> None:
    assert spread(8, n_queries=80, seed=1) == spread(8, n_queries=80, seed=1)
    assert spread(8, n_queries=80, seed=1) != spread(8, n_queries=80, seed=2)


@pytest.mark.parametrize("row", [[0.3, -1.2, 2.0, 0.1], [5.0, 0.0, -5.0, 1.0]])
def test_the_jacobian_is_the_change_of_weights_with_the_scores(row: Any) -> None:
    scores, step = np.array(row), 1e-6
    moved = [
        (softmax(scores + step * one) - softmax(scores - step * one)) / (2 * step)
        for one in np.eye(4)
    ]
    assert jacobian_norm(softmax(scores)) == pytest.approx(np.linalg.norm(moved), rel=1e-6)


def test_the_jacobian_keeps_its_digits_where_softmax_is_saturated() -> None:
    rest = 1e-12
    assert jacobian_norm([1 - rest, rest]) == pytest.approx(2 * rest, rel=1e-9, abs=0)


@pytest.mark.parametrize(
    "sizes",
    [
        {"d_k": 0},
        {"d_k": 10**9},
        {"d_k": 4, "n_keys": 1},
        {"d_k": 4, "n_keys": 0},
        {"d_k": 4, "n_keys": 10**5},
        {"d_k": 4, "n_queries": 0},
        {"d_k": 4, "n_queries": 10**9},
    ],
)
def test_an_experiment_that_is_too_small_or_too_large_is_refused(sizes: Any) -> None:
    with pytest.raises(UserError, match="is out of range"):
        spread(**sizes)
