"""Attention in three plain loops, written from the formulas alone: what the engine must equal."""

from __future__ import annotations

from math import exp, sqrt
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from attn_study.attention.arrays import Array
    from attn_study.attention.projections import Projections


def times(row: Any, matrix: Any) -> list[float]:
    """Return a row vector times a matrix."""
    row, columns = np.asarray(row).tolist(), np.asarray(matrix).T.tolist()
    return [sum(x * y for x, y in zip(row, column, strict=True)) for column in columns]


def three_loops(
    x_queries: Any, x_keys: Any, projections: Projections, mask: Any
) -> tuple[Array, Array, Array]:
    """Return weights (heads, queries, keys), head outputs (heads, queries, d_v) and output."""
    heads, widths = range(projections.n_heads), range(projections.d_v)
    weights = np.zeros((len(heads), len(x_queries), len(x_keys)))
    head_output = np.zeros((len(heads), len(x_queries), len(widths)))
    output = np.zeros((len(x_queries), projections.d_model))
    for i, x_i in enumerate(x_queries):
        for h in heads:
            query = times(x_i, projections.w_q[h])
            powers = {}
            for j, x_j in enumerate(x_keys):
                key = times(x_j, projections.w_k[h])
                if mask[i][j]:
                    dot = sum(q * k for q, k in zip(query, key, strict=True))
                    powers[j] = exp(dot / sqrt(projections.d_k))
            for j, power in powers.items():
                weights[h, i, j] = power / sum(powers.values())
                value = times(x_keys[j], projections.w_v[h])
                head_output[h, i] += weights[h, i, j] * np.array(value)
        output[i] = times(head_output[:, i].ravel(), projections.w_o)
    return weights, head_output, output
