"""How far dot products spread as d_k grows, with what that does to softmax."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from attn_study.attention.dice import normals, stream
from attn_study.attention.stages import entropy, product, scale, scores, softmax
from attn_study.errors import UserError

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from attn_study.attention.arrays import Array

WIDTHS = (4, 64, 128, 512)  # values of d_k
SATURATED = 0.99  # a row with a larger weight learns almost nothing
MOST_NUMBERS = 30_000_000  # in one array: two seconds, a quarter of a gigabyte


@dataclass(frozen=True, slots=True)
class Softmax:
    """What softmax makes of rows of scores: means over the rows, medians where said.

    `entropy` is in nats, `entropy_share` its part of the maximum ln n_keys, `largest` the largest
    weight of a row, `saturated` the share of rows with a weight over 0.99, `jacobian_…` the
    Frobenius norm of d weights / d scores, as the softmax receives them.
    """

    entropy: float
    entropy_share: float
    largest: float
    saturated: float
    jacobian_mean: float
    jacobian_median: float


@dataclass(frozen=True, slots=True)
class Spread:
    """The dot products of random queries and keys of one width, raw and divided by √d_k."""

    d_k: int
    variance: float
    std: float
    raw: Softmax
    scaled: Softmax


@lru_cache(maxsize=64)
def spread(d_k: int, *, n_keys: int = 8, n_queries: int = 800, seed: int = 0) -> Spread:
    """Return what q · k spreads like when all components are standard normal.

    The queries come in groups of `n_keys`, each group with keys of its own, as in a text of that
    many tokens that all look at each other; the last group is filled up. The components are
    those of `dice.normals` (Box and Muller on raw PCG64 output).
    """
    n_groups = -(-n_queries // max(1, n_keys))
    largest_array = n_groups * n_keys * max(2 * d_k, n_keys**2)
    if min(d_k, n_queries) < 1 or n_keys < 2 or largest_array > MOST_NUMBERS:
        raise UserError(
            f"d_k={d_k} with {n_queries} queries and {n_keys} keys is out of range",
            hint="try d_k=64, 800 queries and 8 keys; at least 2 keys",
        )
    bits = stream("spread", f"{d_k} {n_keys}", seed)
    drawn = [_group(normals(bits, (2, n_keys, d_k))) for _ in range(n_groups)]
    dots = np.concatenate(drawn)
    return Spread(
        d_k,
        float(dots.var()),
        float(dots.std()),
        _measure(softmax(dots)),
        _measure(softmax(scale(dots, d_k))),
    )


def _group(pair: Array) -> Array:
    query, key = pair
    return scores(query, key)


def jacobian_norm(weights: ArrayLike) -> Array:
    """Return the Frobenius norm of d w_i / d s_j = w_i (δ_ij - w_j): (…, keys) → (…).

    The diagonal w_i (1 - w_i) is summed as Σ_{j ≠ i} w_i w_j, which keeps its digits when a
    weight is nearly 1.
    """
    values = np.asarray(weights, dtype=np.float64)
    products = product("...i,...j->...ij", values, values)
    others = products * (1.0 - np.eye(values.shape[-1]))
    diagonal = others.sum(axis=-1)
    return np.asarray(np.sqrt((others**2).sum(axis=(-2, -1)) + (diagonal**2).sum(axis=-1)))


def _measure(weights: Array) -> Softmax:
    entropies = float(entropy(weights).mean())
    largest = weights.max(axis=-1)
    norms = jacobian_norm(weights)
    return Softmax(
        entropies,
        entropies / math.log(weights.shape[-1]),
        float(largest.mean()),
        float((largest > SATURATED).mean()),
        float(norms.mean()),
        float(np.median(norms)),
    )
