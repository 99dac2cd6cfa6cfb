"""Attention equals three plain loops and PyTorch, and its stages hold at the edges."""

from __future__ import annotations

import json
from math import e, inf, log, nan
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from attention_reference import three_loops
from attn_study.attention import stages, toy
from attn_study.attention.heads import (
    Projections,
    apply_mask,
    attend,
    causal_mask,
    effective_tokens,
    entropy,
    padding_mask,
    scale,
    scores,
    simplified,
    softmax,
    temperature,
)
from attn_study.attention.pieces import (
    add_residual,
    head_shares,
    lengths,
    query_key_maps,
    rank,
    reorder,
    value_maps,
)
from attn_study.errors import UserError

GOLDEN = json.loads(
    Path(__file__).with_name("golden").joinpath("attention_torch.json").read_text("utf-8")
)
HOLES = np.array([[True, False, True], [False, False, True]])
ONE_HEAD = toy.projections(1, 4, 2, 3, seed=1)


def close(found: Any, wanted: Any, within: Any = 1e-12) -> Any:
    """Whether two arrays have one shape and agree."""
    return np.shape(found) == np.shape(wanted) and np.allclose(found, wanted, 0, within)


@pytest.mark.parametrize("heads", [1, 3])
@pytest.mark.parametrize(("d_k", "d_v"), [(2, 5), (4, 1)])
@pytest.mark.parametrize("mask", [np.ones((2, 3), dtype=bool), HOLES])
def test_attention_equals_three_plain_loops(heads: Any, d_k: Any, d_v: Any, mask: Any) -> None:
    target, source = toy.vectors(["a", "b"], 7, 1), toy.vectors(["c", "d", "e"], 7, 1)
    projections = toy.projections(heads, 7, d_k, d_v, seed=2)
    trace = attend(target, source, projections, mask=mask)
    weights, head_output, output = three_loops(target, source, projections, mask)
    assert close(trace["weights"].values, weights)
    assert close(trace["head_output"].values, head_output)
    assert close(trace["output"].values, output)
    assert close(trace["residual"].values, target + output)


@pytest.mark.parametrize("name", GOLDEN)
def test_attention_equals_pytorch(name: Any) -> None:
    given, wanted = GOLDEN[name]["given"], GOLDEN[name]["torch"]
    projections = Projections(*(np.array(given[w]) for w in ("w_q", "w_k", "w_v", "w_o")))
    trace = attend(given["x_queries"], given["x_keys"], projections, mask=given["mask"])
    for step, values in wanted.items():
        assert close(trace[step].values, values), step


SELF_STEPS = [
    *("x", "query", "key", "value", "scores", "scaled_scores", "masked_scores"),
    *("exp", "row_sum", "weights", "terms", "head_output", "concat", "output", "residual"),
]


def test_self_attention_has_these_steps_on_these_axes() -> None:
    trace = attend(toy.vectors(["a", "b"], 4, 0), None, ONE_HEAD, query_labels=["a", "b"])
    assert list(trace.names) == SELF_STEPS
    assert trace.sizes == {
        "tokens": 2,
        "queries": 2,
        "keys": 2,
        "heads": 1,
        "d_model": 4,
        "d_k": 2,
        "d_v": 3,
        "d_concat": 3,
    }
    assert trace["weights"].axes == ("heads", "queries", "keys")
    assert trace["terms"].axes == ("heads", "queries", "keys", "d_v")
    assert trace["concat"].axes == ("queries", "d_concat")
    for axis in ("tokens", "queries", "keys"):
        assert trace.labels(axis) == ("a", "b")


def test_two_sequences_keep_their_own_sizes_and_labels() -> None:
    target, source = toy.vectors(["a", "b"], 4, 0), toy.vectors(["c", "d", "e"], 4, 0)
    trace = attend(target, source, ONE_HEAD, query_labels=["a", "b"], key_labels=["c", "d", "e"])
    assert list(trace.names) == ["x_queries", "x_keys", *SELF_STEPS[1:]]
    assert trace["weights"].shape == (1, 2, 3)
    assert trace["output"].shape == (2, 4)
    assert trace.labels("queries") == ("a", "b")
    assert trace.labels("keys") == ("c", "d", "e")


def test_the_residual_can_be_left_out() -> None:
    assert "residual" not in attend(np.ones((2, 4)), None, ONE_HEAD, residual=False)


def test_simplified_attention_sums_the_vectors_themselves() -> None:
    x = toy.vectors(["a", "b", "c"], 4, 0)
    trace = simplified(x, ["a", "b", "c"])
    same = np.eye(4)
    as_projections = Projections.from_matrices(same * 2, same, same, same)  # 2 undoes √4
    weights, _, output = three_loops(x, x, as_projections, causal_mask(3))
    assert trace["weights"].axes == ("queries", "keys")
    assert close(trace["weights"].values, weights[0])
    assert close(trace["output"].values, output)
    assert trace.labels("keys") == ("a", "b", "c")


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize(
    ("row", "weights"),
    [
        ([0, 0], [0.5, 0.5]),
        ([1000, 1001], [1 / (1 + e), e / (1 + e)]),
        ([-1000, -1001], [e / (1 + e), 1 / (1 + e)]),
        ([0, -inf], [1, 0]),
        ([-inf, -inf], [0, 0]),
        ([89, -inf, 89], [0.5, 0, 0.5]),
        ([7], [1]),
    ],
)
def test_softmax_of_any_row_is_defined(row: Any, weights: Any, dtype: Any) -> None:
    assert close(softmax(np.array(row, dtype=dtype)), weights)


def test_softmax_takes_a_mask_and_an_axis() -> None:
    grid = np.array([[0, log(3)], [0, 0]])
    assert close(softmax(grid), [[0.25, 0.75], [0.5, 0.5]])
    assert close(softmax(grid, axis=0), [[0.5, 0.75], [0.5, 0.25]])
    assert close(softmax(grid, causal_mask(2)), [[1, 0], [0.5, 0.5]])
    assert close(softmax(grid, np.array([[False, False], [True, False]])), [[0, 0], [1, 0]])


def test_a_causal_mask_allows_itself_and_the_past() -> None:
    assert causal_mask(3).tolist() == [
        [True, False, False],
        [True, True, False],
        [True, True, True],
    ]


def test_a_padding_mask_hides_the_same_keys_from_every_query() -> None:
    assert padding_mask([True, False, True], 2).tolist() == [[True, False, True]] * 2


def test_single_stages_do_what_their_formula_says() -> None:
    assert scores([[1, 2]], [[3, 4], [5, 6]]).tolist() == [[11, 17]]
    assert scale([[8.0]], 16).tolist() == [[2]]
    assert apply_mask([[1, 2]], np.array([[False, True]])).tolist() == [[-inf, 2]]
    assert temperature([1.0, 2.0], 0.5).tolist() == [2, 4]


@pytest.mark.parametrize("degrees", [0, -1, nan, inf, 1e-300])
def test_a_temperature_out_of_range_is_refused(degrees: Any) -> None:
    with pytest.raises(UserError, match="out of range"):
        temperature([1.0], degrees)


@pytest.mark.parametrize(
    ("weights", "nats"),
    [([1, 0], 0), ([0.5, 0.5], log(2)), ([0.25] * 4, log(4)), ([0, 0], 0)],
)
def test_entropy_counts_in_nats(weights: Any, nats: Any) -> None:
    assert close(entropy(weights), nats)
    assert str(entropy(weights)) != "-0.0"
    assert close(effective_tokens(weights), e**nats)


@pytest.mark.parametrize(
    ("factor", "shifted"),
    [
        (1, False),
        (49.8, False),
        (-49.8, False),
        (50.1, True),
        (-50.1, True),
        (1e4, True),
        (-1e4, True),
    ],
)
def test_exp_is_by_hand_until_the_scores_are_large_and_says_so(factor: Any, shifted: Any) -> None:
    projections = Projections.from_matrices([[factor]], [[1]], [[1]], [[1]])
    trace = attend([[1.0], [1.001]], None, projections)
    scaled, exp = trace["scaled_scores"].values, trace["exp"].values
    by_hand = scaled - scaled.max(axis=-1, keepdims=True) if shifted else scaled
    assert close(exp, np.exp(by_hand))
    assert ("m, the largest" in trace["exp"].says) is shifted
    assert close(trace["weights"].values, exp / trace["row_sum"].values[..., None])
    assert close(trace["weights"].values, softmax(scaled))


def test_a_fully_masked_row_has_no_weight_and_is_named() -> None:
    mask = np.array([[True, True], [False, False]])
    trace = attend(np.ones((2, 4)), None, ONE_HEAD, mask=mask, query_labels=["a", "b"])
    assert trace["weights"].values[0].tolist() == [[0.5, 0.5], [0, 0]]
    assert trace["output"].values[1].tolist() == [0, 0, 0, 0]
    assert trace["weights"].says.endswith("fully masked, so no weight at all: b")
    assert trace["masked_scores"].says.endswith("fully masked, so no weight at all: b")
    assert "query 2" in attend(np.ones((2, 4)), None, ONE_HEAD, mask=mask)["weights"].says


@pytest.mark.parametrize(
    ("x", "mask", "complaint"),
    [
        ([[1, 2, 3]], None, "have 3 numbers each, the projections take d_model=4"),
        ([1, 2, 3, 4], None, r"x has shape \(4,\)"),
        (np.ones((0, 4)), None, r"x has shape \(0, 4\)"),
        ([[1, 2, 3, nan]], None, "x holds a number that is not finite"),
        ([[1, 2, 3, -inf]], None, "x holds a number that is not finite"),
        ([[1, 2, 3, 1e200]], None, "too large"),
        ([[1, 2], [3]], None, "the rows of x differ in length"),
        ([["a", "b", "c", "d"]], None, "x holds something that is not a number"),
        ([[1, 2, 3, 4j]], None, "x holds something that is not a number"),
        ([[1, 2, 3, 4]], [[True, True]], r"shape \(1, 2\), not bool of shape \(1, 1\)"),
        ([[1, 2, 3, 4]], [[0.0]], "the mask is float64"),
    ],
)
def test_inputs_that_cannot_be_meant_are_refused(x: Any, mask: Any, complaint: Any) -> None:
    with pytest.raises(UserError, match=complaint):
        attend(x, None, ONE_HEAD, mask=mask)


@pytest.mark.parametrize(
    ("shapes", "complaint"),
    [
        ([(1, 4, 2), (1, 4, 3), (1, 4, 2), (2, 4)], "d_k is 2 in w_q but 3 in w_k"),
        ([(1, 4, 2), (2, 4, 2), (1, 4, 2), (2, 4)], "heads is 1 in w_q but 2 in w_k"),
        ([(1, 4, 2), (1, 4, 2), (1, 5, 2), (2, 4)], "d_model is 4 in w_q but 5 in w_v"),
        ([(1, 4, 2), (1, 4, 2), (1, 4, 2), (2, 5)], "d_model is 4 in w_q but 5 in w_o"),
        ([(2, 4, 2), (2, 4, 2), (2, 4, 3), (4, 4)], "w_o has 4 rows, but heads · d_v = 2 · 3 = 6"),
        ([(4, 2), (1, 4, 2), (1, 4, 2), (2, 4)], r"w_q has shape \(4, 2\)"),
    ],
)
def test_projections_that_disagree_are_refused_with_both_values(
    shapes: Any, complaint: Any
) -> None:
    with pytest.raises(UserError, match=complaint):
        Projections(*map(np.ones, shapes))


def test_flat_matrices_split_into_heads_by_columns() -> None:
    flat = np.arange(16).reshape(4, 4)
    two = Projections.from_matrices(flat, flat, flat, flat, heads=2)
    assert two.w_q.tolist() == [flat[:, :2].tolist(), flat[:, 2:].tolist()]
    assert two.w_o_blocks.tolist() == [flat[:2].tolist(), flat[2:].tolist()]
    assert close(Projections.together(two.head(0), two.head(1)).w_v, two.w_v)
    assert close(Projections.together(two.head(0), two.head(1)).w_o, two.w_o)
    with pytest.raises(UserError, match="4 columns of w_q do not split into 3 heads"):
        Projections.from_matrices(flat, flat, flat, flat, heads=3)


def test_a_score_is_a_form_in_two_vectors_and_a_value_map_is_low_in_rank() -> None:
    x, projections = toy.vectors(["a", "b"], 6, 0), toy.projections(2, 6, 2, 2, seed=0)
    trace = attend(x, None, projections)
    assert close(
        np.einsum("id,hde,je->hij", x, query_key_maps(projections), x), trace["scores"].values
    )
    shares = np.einsum("hij,jd,hde->hie", trace["weights"].values, x, value_maps(projections))
    assert close(shares, head_shares(trace["head_output"].values, projections))
    assert [rank(one) for one in value_maps(projections)] == [2, 2]


def test_lengths_residuals_and_orders() -> None:
    assert lengths([[3, 4], [0, 0]]).tolist() == [5, 0]
    assert add_residual([[1, 2]], [[3, 4]]).tolist() == [[4, 6]]
    assert reorder([[1], [2], [3]], [2, 0, 1]).tolist() == [[3], [1], [2]]
    with pytest.raises(UserError, match="they do not add up"):
        add_residual([[1, 2]], [[3, 4], [5, 6]])


@pytest.mark.parametrize("order", [[0, 0, 1], [0, 1], [1, 2, 3]])
def test_what_is_no_order_of_the_tokens_is_refused(order: Any) -> None:
    with pytest.raises(UserError, match="is not an order of 3 tokens"):
        reorder([[1], [2], [3]], order)


def test_the_sum_of_nothing_gives_no_weight() -> None:
    assert stages.normalise([[0, 0], [1, 3]]).tolist() == [[0, 0], [0.25, 0.75]]
