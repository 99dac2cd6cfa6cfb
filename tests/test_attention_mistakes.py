"""Each mistake gives the wrong numbers that a learner would get, and leaves at its own step."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from attn_study.attention import toy
from attn_study.attention.examples import HEAD_1, TOKENS, TWO_HEADS, X, Y
from attn_study.attention.heads import Projections, attend, causal_mask
from attn_study.attention.mistakes import EXTREMES, MISTAKES, first_difference, method_of
from attn_study.errors import UserError

CAUSAL = causal_mask(3)
RIGHT = attend(X, None, HEAD_1, mask=CAUSAL)
THIRD = 1 / 3
CHICKEN, IT = 1, 2

# The rows of "chicken" and of "it": weights, then the output of the head.
TABLE: dict[str, tuple[list[float], list[float]]] = {
    "no-scale": (
        [0.0067, 0.9933, 0, 2.9933, 2.9732],
        [0.0351, 0.7054, 0.2595, 2.4459, 2.0810],
    ),
    "scale-d-k": (
        [0.0759, 0.9241, 0, 2.9241, 2.6966],
        [0.1220, 0.5465, 0.3315, 2.2151, 1.5177],
    ),
    "scale-d-model": (
        [0.0759, 0.9241, 0, 2.9241, 2.6966],
        [0.1220, 0.5465, 0.3315, 2.2151, 1.5177],
    ),
    "no-mask": (
        [0.0254, 0.8703, 0.1043, 2.7660, 2.5856],
        [0.0743, 0.6200, 0.3057, 2.3143, 1.7856],
    ),
    "mask-zero-after": (
        [0.0254, 0.8703, 0, 2.6617, 2.5856],
        [0.0743, 0.6200, 0.3057, 2.3143, 1.7856],
    ),
    "mask-renormalised": (
        [0.0283, 0.9717, 0, 2.9717, 2.8867],
        [0.0743, 0.6200, 0.3057, 2.3143, 1.7856],
    ),
    "mask-zero-before": (
        [0.0268, 0.9189, 0.0543, 2.8646, 2.7299],
        [0.0743, 0.6200, 0.3057, 2.3143, 1.7856],
    ),
    "softmax-columns": (
        [0.0743, 0.5000, 0, 1.6486, 1.4257],
        [0.3057, 0.5000, 1, 3.1114, 1.1943],
    ),
    "swap-q-k": (
        [0.0558, 0.9442, 0, 2.9442, 2.7768],
        [0.2840, 0.1400, 0.5760, 1.5641, 0.1361],
    ),
    "no-softmax": (
        [-0.3333, 1.3333, 0, 3.3333, 4.3333],
        [0.1250, 0.5000, 0.3750, 2.1250, 1.3750],
    ),
    "mask-wrong-side": ([0, 0.8930, 0.1070, 2.7859, 2.6789], [0, 0, 1, 1, 0]),
    "uniform": ([0.5, 0.5, 0, 2.5, 1], [THIRD, THIRD, THIRD, 2, 2 * THIRD]),
    "argmax": ([0, 1, 0, 3, 3], [0, 1, 0, 3, 3]),
    "values-are-keys": (
        [0.0283, 0.9717, 0, 1.9434, 0.0283],
        [0.0743, 0.6200, 0.3057, 1.5457, 0.3800],
    ),
}


@pytest.mark.parametrize("name", TABLE)
@pytest.mark.parametrize("asks", [CHICKEN, IT])
def test_a_mistake_gives_these_weights_and_this_head_output(name: Any, asks: Any) -> None:
    wrong = attend(X, None, HEAD_1, mask=CAUSAL, method=method_of(name))
    row = [*wrong["weights"].values[0, asks], *wrong["head_output"].values[0, asks]]
    assert np.allclose(row, TABLE[name][asks - 1], 0, 0.5e-4)


def test_a_late_mask_leaves_a_row_that_does_not_sum_to_one() -> None:
    wrong = attend(X, None, HEAD_1, mask=CAUSAL, method=method_of("mask-zero-after"))
    assert round(wrong["weights"].values[0, CHICKEN].sum(), 4) == 0.8957


@pytest.mark.parametrize(
    ("name", "step"),
    [
        ("no-scale", "scaled_scores"),
        ("scale-d-k", "scaled_scores"),
        ("scale-d-model", "scaled_scores"),
        ("no-mask", "masked_scores"),
        ("mask-zero-before", "masked_scores"),
        ("mask-zero-after", "masked_scores"),
        ("mask-wrong-side", "masked_scores"),
        ("softmax-columns", "row_sum"),
        ("swap-q-k", "query"),
        ("no-softmax", "exp"),
        ("values-are-keys", "value"),
        ("average-heads", "weights"),
        ("swap-sources", None),
    ],
)
def test_a_mistake_leaves_the_right_way_at_its_own_step(name: Any, step: Any) -> None:
    right = attend(X, None, TWO_HEADS, mask=CAUSAL)
    wrong = attend(X, None, TWO_HEADS, mask=CAUSAL, method=method_of(name))
    assert first_difference(right, wrong) == step
    if step:
        assert wrong[step].says != right[step].says


def test_the_vocabulary_of_mistakes_is_complete() -> None:
    assert list(MISTAKES) == [
        "no-scale",
        "scale-d-k",
        "scale-d-model",
        "no-mask",
        "mask-zero-before",
        "mask-zero-after",
        "softmax-columns",
        "swap-q-k",
        "no-softmax",
        "values-are-keys",
        "mask-wrong-side",
        "average-heads",
        "swap-sources",
    ]


@pytest.mark.parametrize("says", [one.says for one in (MISTAKES | EXTREMES).values()])
def test_a_mistake_is_said_in_one_line_that_finishes_a_sentence(says: Any) -> None:
    assert says.startswith(("what comes out ", "the right number"))
    assert "\n" not in says
    assert len(f"0.8703 is {says}.") <= 100


def test_the_scale_mistakes_differ_once_d_k_and_d_model_do() -> None:
    x, projections = toy.vectors(TOKENS, 8, 0), toy.projections(1, 8, 2, 2, 0)
    names = ("no-scale", "scale-d-k", "scale-d-model")
    scaled = [
        attend(x, None, projections, method=method_of(name))["scaled_scores"].values
        for name in names
    ]
    scores = attend(x, None, projections)["scores"].values
    for found, divisor in zip(scaled, (1, 2, np.sqrt(8)), strict=True):
        assert np.allclose(found, scores / divisor, 0, 1e-12)


def test_averaged_heads_share_a_pattern_that_neither_has() -> None:
    wrong = attend(X, None, TWO_HEADS, mask=CAUSAL, method=method_of("average-heads"))
    assert np.round(wrong["weights"].values[:, IT], 4).tolist() == [[0.3251, 0.3800, 0.2948]] * 2
    assert not np.allclose(
        wrong["output"].values, attend(X, None, TWO_HEADS, mask=CAUSAL)["output"].values
    )


def test_swapped_sources_give_a_row_for_each_token_that_should_answer() -> None:
    right = attend(Y, X, HEAD_1, query_labels=("das", "Huhn"), key_labels=TOKENS)
    wrong = attend(
        Y,
        X,
        HEAD_1,
        query_labels=("das", "Huhn"),
        key_labels=TOKENS,
        method=method_of("swap-sources"),
    )
    assert wrong["weights"].shape == (1, 3, 2)
    assert wrong["output"].shape == (3, 4)
    assert wrong.labels("queries") == TOKENS
    assert "residual" in right
    assert "residual" not in wrong
    assert first_difference(right, wrong) == "x_queries"


def test_swapped_sources_of_one_length_hide_in_the_shapes_but_not_in_the_numbers() -> None:
    two = X[:2]
    right, wrong = attend(Y, two, HEAD_1), attend(Y, two, HEAD_1, method=method_of("swap-sources"))
    assert wrong.sizes == right.sizes
    assert np.array_equal(wrong["residual"].values, Y + wrong["output"].values)
    assert first_difference(right, wrong) == "x_queries"


def test_softmax_down_the_columns_sums_each_column_to_one() -> None:
    wrong = attend(Y, X, HEAD_1, method=method_of("softmax-columns"))
    assert np.allclose(wrong["weights"].values.sum(axis=1), 1)
    assert wrong["row_sum"].axes == ("heads", "keys")


def test_scores_that_sum_to_nothing_give_no_weight_without_softmax() -> None:
    projections = Projections.from_matrices([[1]], [[1]], [[1]], [[1]])
    wrong = attend([[1.0]], [[1.0], [-1.0]], projections, method=method_of("no-softmax"))
    assert wrong["weights"].values.tolist() == [[[0, 0]]]


def test_an_argmax_shares_between_equal_scores_and_gives_hidden_rows_nothing() -> None:
    same = np.ones((2, 4))
    mask = np.array([[True, True], [False, False]])
    wrong = attend(same, None, HEAD_1, mask=mask, method=method_of("argmax"))
    assert wrong["weights"].values.tolist() == [[[0.5, 0.5], [0, 0]]]


def test_a_mistake_can_change_nothing() -> None:
    for name in ("no-mask", "mask-zero-before", "average-heads", "swap-sources"):
        wrong = attend(X, None, HEAD_1, method=method_of(name))
        assert first_difference(attend(X, None, HEAD_1), wrong) is None


def test_a_trace_without_a_step_differs_there() -> None:
    short = attend(X, None, HEAD_1, mask=CAUSAL, residual=False)
    assert first_difference(RIGHT, short) == "residual"
    assert first_difference(short, RIGHT) == "residual"


def test_an_unknown_mistake_is_refused_with_the_nearest_names() -> None:
    with pytest.raises(UserError, match="no mistake is called 'no-scal'") as caught:
        attend(X, None, HEAD_1, method=method_of("no-scal"))
    assert "no-scale" in caught.value.hint
