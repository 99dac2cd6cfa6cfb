"""Small pieces that single lessons turn over: maps, ranks, shares of heads, orders of tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from attn_study.attention import stages
from attn_study.attention.arrays import finite
from attn_study.errors import UserError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike

    from attn_study.attention.arrays import Array
    from attn_study.attention.projections import Projections


def value_maps(projections: Projections) -> Array:
    """Return W^V W^O of each head, (heads, d_model, d_model): what a looked-at x adds."""
    return stages.product("hdv,hve->hde", projections.w_v, projections.w_o_blocks)


def query_key_maps(projections: Projections) -> Array:
    """Return W^Q W^Kᵀ of each head, (heads, d_model, d_model): a score is x_i of that · x_j."""
    return stages.product("hdk,hek->hde", projections.w_q, projections.w_k)


def rank(matrix: ArrayLike) -> int:
    """Return the rank of a matrix: how many independent directions it can tell apart."""
    return int(np.linalg.matrix_rank(finite("the matrix", matrix, 2)))


def head_shares(head_output: ArrayLike, projections: Projections) -> Array:
    """Return head_output_h W^O_h, (heads, queries, d_model); their sum over heads is the output.

    `head_output` is (heads, queries, d_v), and W^O_h the rows of W^O that belong to head h.
    """
    return stages.product("hqv,hvd->hqd", head_output, projections.w_o_blocks)


def lengths(vectors: ArrayLike) -> Array:
    """Return the Euclidean length along the last axis, such as |weight × value| of terms."""
    values = np.asarray(vectors, dtype=np.float64)
    return np.sqrt(stages.product("...d,...d->...", values, values))


def add_residual(x: ArrayLike, change: ArrayLike) -> Array:
    """Return x + change, (tokens, d_model): attention adds to a token, it does not replace it."""
    base, delta = finite("x", x, 2), finite("the change", change, 2)
    if base.shape != delta.shape:
        raise UserError(f"x is {base.shape} but the change is {delta.shape}: they do not add up")
    return base + delta


def reorder(x: ArrayLike, order: Sequence[int]) -> Array:
    """Return the rows of x in another order, given as row numbers from 0, each once."""
    rows = finite("x", x, 2)
    if sorted(order) != list(range(len(rows))):
        raise UserError(
            f"{tuple(order)} is not an order of {len(rows)} tokens",
            hint=f"each number from 0 to {len(rows) - 1}, once",
        )
    return rows[list(order)]
