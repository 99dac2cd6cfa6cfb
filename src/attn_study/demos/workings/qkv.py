"""One head with its projections in the trace, and what sums of the wrong vectors would give."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attn_study.attention.pieces import query_key_maps
from attn_study.attention.stages import product
from attn_study.attention.trace import Trace
from attn_study.demos.setup import attended

if TYPE_CHECKING:
    from attn_study.demos.setup import Start

SUM = "hqk,hkd->hqd"


def three_roles(begin: Start, mistake: str = "") -> Trace:
    """Return causal attention over a start, right or with one mistake made.

    After `x` come `w_q`, `w_k` (heads, d_model, d_k), `w_v` (heads, d_model, d_v) and `w_qk`
    (heads, d_asking, d_answering), both of them d_model wide; at the end
    `sum_of_keys` (heads, queries, d_k) and `sum_of_x` (heads, queries, d_model): what the same
    weights give when keys, or the tokens themselves, are summed instead of the values.
    """
    full = attended(begin, mistake)
    after = 1 + full.names.index("w_v")
    trace = Trace(full.steps[:after]).add(
        "w_qk",
        ("heads", "d_asking", "d_answering"),
        query_key_maps(begin.projections),
        "W^Q (W^K)^T: a score is x of the one that asks · this · x of the one that answers",
    )
    trace = Trace((*trace.steps, *full.steps[after:]))
    weights = trace["weights"].values
    x = begin.x[None].repeat(begin.projections.n_heads, axis=0)
    return trace.add(
        "sum_of_keys",
        ("heads", "queries", "d_k"),
        product(SUM, weights, trace["key"].values),
        "the keys summed with the weights: not what a head does",
        {"queries": begin.labels},
    ).add(
        "sum_of_x",
        ("heads", "queries", "d_model"),
        product(SUM, weights, x),
        "the tokens summed with the weights: not what a head does",
        {"queries": begin.labels},
    )
