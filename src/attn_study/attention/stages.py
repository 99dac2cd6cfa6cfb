"""The single stages of attention, each a pure function on arrays.

Every stage takes any number of leading axes, so one head and many are the same call. The sums
are einsum's: they do not depend on the linear-algebra library that NumPy was built with, some
of which warn of overflows that did not happen.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from attn_study.errors import UserError

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from attn_study.attention.arrays import Array, Mask

CALM = 50.0  # e^50 and e^-50 keep all their digits, so the numbers by hand can be shown


def project(x: ArrayLike, matrices: ArrayLike) -> Array:
    """Return x W for every head: (tokens, d_model), (heads, d_model, d) → (heads, tokens, d)."""
    return product("...td,...de->...te", x, matrices)


def scores(query: ArrayLike, key: ArrayLike) -> Array:
    """Return q_i · k_j: (…, queries, d_k), (…, keys, d_k) → (…, queries, keys)."""
    return product("...qd,...kd->...qk", query, key)


def product(pattern: str, left: ArrayLike, right: ArrayLike) -> Array:
    """Return the sum of products that an einsum pattern names."""
    result: Array = np.einsum(pattern, _floats(left), _floats(right))
    return result


def scale(scores: ArrayLike, d_k: int) -> Array:
    """Return scores / √d_k, of the same shape."""
    return _floats(scores) / math.sqrt(d_k)


def temperature(scores: ArrayLike, degrees: float) -> Array:
    """Return scores / temperature; under 1 sharpens, over 1 flattens, 0 is not allowed."""
    if not 1e-6 <= degrees <= 1e6:
        raise UserError(f"a temperature of {degrees} is out of range", hint="try 0.25, 1 or 100")
    return _floats(scores) / degrees


def causal_mask(n: int) -> Mask:
    """Return (n, n), True where query i may look at key j: j ≤ i."""
    return np.tri(n, dtype=np.bool_)


def padding_mask(allowed: ArrayLike, n_queries: int) -> Mask:
    """Return (n_queries, keys) from (keys,): no query may look at a key that is not allowed."""
    row = np.asarray(allowed, dtype=np.bool_)
    return np.tile(row, (n_queries, 1))


def apply_mask(scores: ArrayLike, mask: Mask) -> Array:
    """Return the scores with -inf where the mask is False, that is: not allowed."""
    return np.where(mask, _floats(scores), -np.inf)


def fully_masked(masked_scores: Array) -> Mask:
    """Return, for each row, whether no key may be looked at: (…, queries, keys) → (…, queries)."""
    return np.asarray(np.isneginf(masked_scores).all(axis=-1))


def exponentials(masked_scores: ArrayLike, axis: int = -1) -> tuple[Array, bool]:
    """Return e^score, and whether a maximum was subtracted anywhere.

    The maximum along the axis is subtracted where it is beyond 50 either way; elsewhere the
    numbers are those of a calculation by hand. Where a score is -inf the result is 0.
    """
    values = _floats(masked_scores)
    maximum = _largest(values, axis)
    large = np.abs(maximum) > CALM
    return np.exp(values - np.where(large, maximum, 0.0)), bool(large.any())


def normalise(exp: ArrayLike, axis: int = -1) -> Array:
    """Return each number divided by the sum along the axis; zeros where that sum is 0."""
    values = _floats(exp)
    total = np.broadcast_to(values.sum(axis=axis, keepdims=True), values.shape)
    shares: Array = np.zeros_like(values)
    np.divide(values, total, out=shares, where=total != 0.0)
    return shares


def softmax(scores: ArrayLike, mask: Mask | None = None, axis: int = -1) -> Array:
    """Return e^s_j / Σ e^s, of the same shape as the scores.

    The maximum is subtracted first, so scores of any size are fine. `mask` is True where
    looking is allowed; where nothing along the axis is allowed, all weights are 0.
    """
    masked = _floats(scores) if mask is None else apply_mask(scores, mask)
    return normalise(np.exp(masked - _largest(masked, axis)), axis)


def _largest(scores: Array, axis: int) -> Array:
    """The maximum along the axis, which is kept; 0 where there are only -inf."""
    maximum = np.asarray(scores.max(axis=axis, keepdims=True))
    return np.where(np.isneginf(maximum), 0.0, maximum)


def entropy(weights: ArrayLike) -> Array:
    """Return -Σ w ln w along the last axis, in nats; ln n for n equal weights, 0 for one."""
    values = _floats(weights)
    logs = np.log(values, out=np.zeros_like(values), where=values > 0.0)
    return np.asarray(0.0 - (values * logs).sum(axis=-1))


def effective_tokens(weights: ArrayLike) -> Array:
    """Return e^entropy along the last axis: over how many tokens a row is really spread."""
    return np.exp(entropy(weights))


def _floats(values: ArrayLike) -> Array:
    return np.asarray(values, dtype=np.float64)
