"""What holds for every attention, whatever the numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from attn_study.attention import toy
from attn_study.attention.heads import attend, causal_mask, entropy, softmax
from attn_study.attention.mistakes import EXTREMES, MISTAKES, method_of
from attn_study.attention.pieces import head_shares, reorder
from attn_study.attention.trace import to_json
from attn_study.errors import UserError

WIDTH = 6
SEEDS = st.integers(0, 1000)
COMMON = settings(max_examples=40, deadline=None)
COUNTS = st.integers(1, 6)
NUMBERS = st.floats(-50, 50, allow_subnormal=False)


@st.composite
def texts(draw: st.DrawFn, least: int = 1) -> Any:
    """Vectors of a short text: any numbers, (tokens, WIDTH)."""
    return draw(arrays(np.float64, (draw(st.integers(least, 6)), WIDTH), elements=NUMBERS))


@st.composite
def projections(draw: st.DrawFn) -> Any:
    """Projections of one to three heads, d_k and d_v apart from each other."""
    return toy.projections(draw(st.integers(1, 3)), WIDTH, draw(COUNTS), draw(COUNTS), draw(SEEDS))


@COMMON
@given(texts(), texts(), projections(), st.data())
def test_rows_sum_to_one_and_fully_masked_rows_to_zero(
    target: Any, source: Any, parts: Any, data: Any
) -> None:
    mask = data.draw(arrays(np.bool_, (len(target), len(source))))
    trace = attend(target, source, parts, mask=mask)
    weights = trace["weights"].values
    assert np.allclose(weights.sum(axis=-1), mask.any(axis=1), 0, 1e-12)
    assert (weights >= 0).all()
    assert (weights[:, ~mask] == 0).all()
    for step in trace:
        assert not np.isnan(step.values).any()
    to_json(trace)


@COMMON
@given(texts(), projections())
def test_a_causal_mask_gives_the_future_no_weight(x: Any, parts: Any) -> None:
    weights = attend(x, None, parts, mask=causal_mask(len(x)))["weights"].values
    assert (np.triu(weights, k=1) == 0).all()


@COMMON
@given(texts(least=2), projections())
def test_a_word_appended_changes_no_earlier_row(x: Any, parts: Any) -> None:
    before = attend(x[:-1], None, parts, mask=causal_mask(len(x) - 1))
    after = attend(x, None, parts, mask=causal_mask(len(x)))
    for name in ("weights", "head_output"):
        earlier = after[name].values[:, : len(x) - 1, : before[name].shape[2]]
        assert np.allclose(earlier, before[name].values, 1e-12, 1e-12)


@COMMON
@given(texts(least=2), projections(), st.data())
def test_a_later_token_changed_moves_no_earlier_output(x: Any, parts: Any, data: Any) -> None:
    at = data.draw(st.integers(1, len(x) - 1))
    edited = x.copy()
    edited[at] += 1
    mask = causal_mask(len(x))
    before, after = (attend(one, None, parts, mask=mask)["output"].values for one in (x, edited))
    assert (before[:at] == after[:at]).all()


@COMMON
@given(arrays(np.float64, (3, 4), elements=NUMBERS), NUMBERS)
def test_a_constant_added_to_a_row_changes_nothing(grid: Any, constant: Any) -> None:
    assert np.allclose(softmax(grid + constant), softmax(grid), 0, 1e-12)


@COMMON
@given(texts(), projections())
def test_concat_times_w_o_is_the_sum_over_the_heads(x: Any, parts: Any) -> None:
    trace = attend(x, None, parts)
    shares = head_shares(trace["head_output"].values, parts)
    assert np.allclose(shares.sum(axis=0), trace["output"].values, 1e-12, 1e-9)


@COMMON
@given(texts(), projections(), st.data())
def test_attention_without_a_mask_commutes_with_an_order_of_the_tokens(
    x: Any, parts: Any, data: Any
) -> None:
    order = data.draw(st.permutations(range(len(x))))
    shuffled = attend(reorder(x, order), None, parts)["output"].values
    assert np.allclose(
        shuffled, reorder(attend(x, None, parts)["output"].values, order), 1e-9, 1e-9
    )


@COMMON
@given(texts(), projections())
def test_the_terms_sum_to_the_head_output(x: Any, parts: Any) -> None:
    trace = attend(x, None, parts)
    assert np.allclose(trace["terms"].values.sum(axis=2), trace["head_output"].values, 1e-12, 1e-12)


@COMMON
@given(st.integers(1, 6), projections(), SEEDS)
def test_single_precision_agrees_to_the_printed_digits(n: Any, parts: Any, seed: Any) -> None:
    x = toy.vectors("abcdef"[:n], WIDTH, seed)
    single = attend(x.astype(np.float32), None, parts)
    double = attend(x, None, parts)
    for name in ("weights", "output"):
        assert np.allclose(single[name].values, double[name].values, 0, 0.5e-4)


@COMMON
@given(arrays(np.float64, (5,), elements=NUMBERS))
def test_entropy_lies_between_one_token_and_all(row: Any) -> None:
    assert 0 <= entropy(softmax(row)) <= np.log(5) + 1e-12


@pytest.mark.parametrize("name", [*MISTAKES, *EXTREMES])
@settings(max_examples=15, deadline=None)
@given(target=texts(), source=texts(), parts=projections(), data=st.data())
def test_a_mistake_gives_finite_numbers_or_says_what_it_needs(
    name: Any, target: Any, source: Any, parts: Any, data: Any
) -> None:
    mask = data.draw(arrays(np.bool_, (len(target), len(source))))
    if name == "mask-wrong-side" and mask.shape[0] != mask.shape[1]:
        needs = "needs as many queries as keys"
    elif name == "values-are-keys" and parts.d_k != parts.d_v:
        needs = "needs d_k and d_v to be equal"
    else:
        to_json(attend(target, source, parts, mask=mask, method=method_of(name)))
        return
    with pytest.raises(UserError, match=needs):
        attend(target, source, parts, mask=mask, method=method_of(name))
