"""The worked example, every number of it, to the four decimals a learner sees."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from attn_study.attention.examples import (
    HEAD_1,
    HEAD_2,
    TARGET_TOKENS,
    TOKENS,
    TWO_HEADS,
    X,
    Y,
)
from attn_study.attention.heads import (
    attend,
    causal_mask,
    entropy,
    simplified,
    softmax,
    temperature,
)
from attn_study.attention.pieces import (
    head_shares,
    lengths,
    query_key_maps,
    rank,
    reorder,
    value_maps,
)

CAUSAL = causal_mask(3)
NO = -np.inf
ONE = attend(X, None, HEAD_1, mask=CAUSAL, query_labels=TOKENS)
SECOND = attend(X, None, HEAD_2, mask=CAUSAL)
BOTH = attend(X, None, TWO_HEADS, mask=CAUSAL)
CROSS = attend(Y, X, HEAD_1, query_labels=TARGET_TOKENS, key_labels=TOKENS)
OPEN = attend(X, None, HEAD_1)
SIMPLE = simplified(X, TOKENS)


def printed(values: Any) -> Any:
    """The numbers as they are shown: four decimals."""
    return (np.round(np.asarray(values), 4) + 0.0).tolist()


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("x", [[1, 0, 0, 1], [0, 2, 0, 1], [0, 0, 1, 1]]),
        ("query", [[[0, 2], [2, -1], [2, 1]]]),
        ("key", [[[0, 1], [2, 0], [1, 1]]]),
        ("value", [[[2, -1], [3, 3], [1, 0]]]),
        ("scores", [[[2, 0, 2], [-1, 4, 1], [1, 4, 3]]]),
        (
            "scaled_scores",
            [[[1.4142, 0, 1.4142], [-0.7071, 2.8284, 0.7071], [0.7071, 2.8284, 2.1213]]],
        ),
        (
            "masked_scores",
            [[[1.4142, NO, NO], [-0.7071, 2.8284, NO], [0.7071, 2.8284, 2.1213]]],
        ),
        ("exp", [[[4.1133, 0, 0], [0.4931, 16.9188, 0], [2.0281, 16.9188, 8.3421]]]),
        ("row_sum", [[4.1133, 17.4119, 27.2891]]),
        ("weights", [[[1, 0, 0], [0.0283, 0.9717, 0], [0.0743, 0.62, 0.3057]]]),
        ("head_output", [[[2, -1], [2.9717, 2.8867], [2.3143, 1.7856]]]),
        ("concat", [[2, -1], [2.9717, 2.8867], [2.3143, 1.7856]]),
        (
            "output",
            [
                [2, -1, -3, 5],
                [2.9717, 2.8867, -0.0850, 3.0566],
                [2.3143, 1.7856, -0.5287, 2.8429],
            ],
        ),
        (
            "residual",
            [
                [3, -1, -3, 6],
                [2.9717, 4.8867, -0.0850, 4.0566],
                [2.3143, 1.7856, 0.4713, 3.8429],
            ],
        ),
    ],
)
def test_one_head_end_to_end(name: Any, values: Any) -> None:
    assert printed(ONE[name].values) == values


def test_the_terms_of_it() -> None:
    assert printed(ONE["terms"].values[0, 2]) == [[0.1486, -0.0743], [1.86, 1.86], [0.3057, 0]]


def test_the_length_of_what_chicken_adds_to_it() -> None:
    assert printed(lengths(ONE["terms"].values[0, 2, 1])) == 2.6304


def test_the_entropy_of_each_row() -> None:
    assert printed(entropy(ONE["weights"].values)) == [[0, 0.1288, 0.8519]]


def test_the_columns_sum_to_anything() -> None:
    assert printed(ONE["weights"].values.sum(axis=1)) == [[1.1026, 1.5917, 0.3057]]


def test_the_first_row_without_the_mask() -> None:
    assert printed(OPEN["weights"].values[0, 0]) == [0.4458, 0.1084, 0.4458]


@pytest.mark.parametrize(
    ("degrees", "row"),
    [(1, [0.0743, 0.62, 0.3057]), (0.25, [0.0002, 0.9440, 0.0558]), (100, [0.33, 0.34, 0.33])],
)
def test_a_temperature_sharpens_or_flattens_the_row_of_it(degrees: Any, row: Any) -> None:
    found = softmax(temperature(ONE["scaled_scores"].values[0, 2], degrees))
    assert np.allclose(found, row, 0, 0.005 if degrees == 100 else 0.5e-4)


def test_the_maps_of_a_head_are_four_by_four_of_rank_two() -> None:
    assert rank(value_maps(HEAD_1)[0]) == 2
    assert rank(query_key_maps(HEAD_1)[0]) == 2


def test_a_score_is_not_symmetric() -> None:
    assert ONE["scores"].values[0, 2, 1] == 4
    assert ONE["scores"].values[0, 1, 2] == 1


def test_a_constant_added_to_every_score_changes_nothing() -> None:
    scaled = OPEN["scaled_scores"].values
    assert np.abs(softmax(scaled + 7) - OPEN["weights"].values).max() < 1e-15


def test_without_a_mask_shuffled_tokens_give_shuffled_outputs() -> None:
    order = [2, 0, 1]
    shuffled = attend(reorder(X, order), None, HEAD_1)["output"].values
    assert np.abs(shuffled - reorder(OPEN["output"].values, order)).max() < 1e-14


@pytest.mark.parametrize(
    ("mask", "changes"),
    [
        (CAUSAL, [[0, 0], [0, 0], [-0.1276, -1.2709]]),
        (None, [[0.3828, 0.0701], [0.1529, 0.1444], [-0.1276, -1.2709]]),
    ],
)
def test_editing_it_moves_only_what_may_look_at_it(mask: Any, changes: Any) -> None:
    edited = np.array(X)
    edited[2] = [1, 0, 1, 1]
    before, after = (attend(x, None, HEAD_1, mask=mask)["head_output"] for x in (X, edited))
    assert printed(after.values[0] - before.values[0]) == changes


def test_simplified_attention_prefers_the_token_itself() -> None:
    assert SIMPLE["scores"].values[np.tril_indices(3)].tolist() == [2, 1, 5, 1, 1, 2]
    assert printed(SIMPLE["weights"].values) == [
        [1, 0, 0],
        [0.0180, 0.9820, 0],
        [0.2119, 0.2119, 0.5761],
    ]
    assert printed(SIMPLE["output"].values[2]) == [0.2119, 0.4239, 0.5761, 1]


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("scores", [[0, 0, 1], [0, 0, 3], [3, 1, 2]]),
        ("weights", [[1, 0, 0], [0.5, 0.5, 0], [0.5760, 0.1400, 0.2840]]),
        ("head_output", [[0, 3], [1, 2.5], [0.5641, 2.86]]),
    ],
)
def test_the_second_head_alone_and_as_the_second_of_two(name: Any, values: Any) -> None:
    assert printed(SECOND[name].values[0]) == values
    assert printed(BOTH[name].values[1]) == values


def test_two_heads_side_by_side() -> None:
    assert printed(BOTH["concat"].values[2]) == [2.3143, 1.7856, 0.5641, 2.86]
    assert printed(BOTH["output"].values) == [
        [5, -1, -3, 8],
        [5.4717, 3.8867, -0.0850, 5.5566],
        [5.1743, 2.3497, -0.5287, 5.7029],
    ]


def test_two_heads_are_the_sum_of_what_each_adds() -> None:
    shares = head_shares(BOTH["head_output"].values, TWO_HEADS)
    assert printed(shares[:, 2]) == [
        [2.3143, 1.7856, -0.5287, 2.8429],
        [2.8600, 0.5641, 0, 2.8600],
    ]
    assert printed(shares.sum(axis=0)) == printed(BOTH["output"].values)


def test_the_average_pattern_is_that_of_no_head() -> None:
    assert printed(BOTH["weights"].values.mean(axis=0)[2]) == [0.3251, 0.3800, 0.2948]


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("query", [[[1, 0], [2, 1]]]),
        ("scores", [[[0, 2, 1], [1, 4, 3]]]),
        ("weights", [[[0.1400, 0.5760, 0.2840], [0.0743, 0.6200, 0.3057]]]),
        ("head_output", [[[2.2920, 1.5879], [2.3143, 1.7856]]]),
    ],
)
def test_cross_attention(name: Any, values: Any) -> None:
    assert printed(CROSS[name].values) == values


def test_cross_attention_adds_to_the_sequence_that_asks() -> None:
    assert np.array_equal(CROSS["residual"].values, Y + CROSS["output"].values)
    assert CROSS.labels("queries") == TARGET_TOKENS
    assert CROSS.labels("keys") == TOKENS
