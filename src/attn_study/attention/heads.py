"""Attention, of one head or many in one batched product, with every step kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from attn_study.attention.arrays import finite
from attn_study.attention.method import RIGHT, SAYS, Method, add_weights, compute, inputs, put
from attn_study.attention.projections import Projections
from attn_study.attention.stages import (
    apply_mask,
    causal_mask,
    effective_tokens,
    entropy,
    padding_mask,
    project,
    scale,
    scores,
    softmax,
    temperature,
)
from attn_study.attention.trace import Trace

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike

__all__ = [
    "Projections",
    "apply_mask",
    "attend",
    "causal_mask",
    "effective_tokens",
    "entropy",
    "padding_mask",
    "project",
    "scale",
    "scores",
    "simplified",
    "softmax",
    "temperature",
]

SIMPLER = SAYS | {
    "scores": "x_i · x_j",
    "terms": "weight × x, one term a key",
    "output": "the sum of the terms over the keys",
}


def attend(
    x_queries: ArrayLike,
    x_keys: ArrayLike | None,
    projections: Projections,
    *,
    mask: ArrayLike | None = None,
    residual: bool = True,
    query_labels: Sequence[str] = (),
    key_labels: Sequence[str] = (),
    method: Method = RIGHT,
) -> Trace:
    """Return softmax(Q Kᵀ / √d_k + mask) V W^O, and x + that, with every step on the way.

    `x_queries` (queries, d_model) asks and `x_keys` (keys, d_model) answers; None, or the same
    object, is self-attention. `mask` (queries, keys) is True where looking is allowed, None
    allows all. `residual=False` leaves the last step out. Labels are one text a token. `method`
    is how each stage is carried out.

    Steps: `x` (tokens, d_model), or `x_queries` and `x_keys` when there are two sequences;
    `query`, `key` (heads, queries or keys, d_k); `value` (heads, keys, d_v); `scores`,
    `scaled_scores`, `masked_scores`, `exp`, `weights` (heads, queries, keys) with `row_sum`
    (heads, queries); `terms` (heads, queries, keys, d_v); `head_output` (heads, queries, d_v);
    `concat` (queries, d_concat); `output`, `residual` (queries, d_model). A method with a
    temperature puts `tempered_scores` (heads, queries, keys) before `masked_scores`.

    Shapes that disagree, and numbers that are not finite, are a `UserError`.
    """
    given = inputs(
        x_queries,
        x_keys,
        projections,
        mask=mask,
        residual=residual,
        query_labels=query_labels,
        key_labels=key_labels,
    )
    return compute(given, method)


def simplified(x: ArrayLike, labels: Sequence[str] = ()) -> Trace:
    """Return attention without projections: a_i = Σ_{j ≤ i} α_ij x_j, α_i = softmax(x_i · x_j).

    Steps: `x` (tokens, d_model); `scores`, `masked_scores`, `exp`, `weights` (queries, keys)
    with `row_sum` (queries); `terms` (queries, keys, d_model); `output` (queries, d_model).
    Causal, not scaled, and without a heads axis.
    """
    vectors = finite("x", x, 2)
    pattern = ("queries", "keys")
    texts = {axis: tuple(labels) for axis in pattern if labels}
    mask = causal_mask(len(vectors))
    raw = scores(vectors, vectors)
    trace = put(
        Trace(),
        (("x", ("tokens", "d_model"), vectors), ("scores", pattern, raw)),
        SIMPLER,
        texts,
    )
    trace = add_weights(trace, pattern, apply_mask(raw, mask), mask, texts, RIGHT)
    terms = trace["weights"].values[..., np.newaxis] * vectors
    ending = (
        ("terms", (*pattern, "d_model"), terms),
        ("output", ("queries", "d_model"), terms.sum(axis=1)),
    )
    return put(trace, ending, SIMPLER, texts)
