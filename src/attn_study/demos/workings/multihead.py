"""Several causal heads, with what each of them adds by itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attn_study.attention.pieces import head_shares
from attn_study.demos.setup import attended

if TYPE_CHECKING:
    from attn_study.attention.trace import Trace
    from attn_study.demos.setup import Start


def two_ways(begin: Start, mistake: str = "") -> Trace:
    """Return attention, then what each head adds by itself.

    `w_o` (heads, d_v, d_model): the rows of W^O that belong to each head; `head_shares` (heads,
    queries, d_model): head output times those rows; `average_weights` (queries, keys): a
    pattern that the computation never uses.
    """
    trace = attended(begin, mistake)
    shares = head_shares(trace["head_output"].values, begin.projections)
    return trace.add(
        "head_shares", ("heads", "queries", "d_model"), shares, "head output · its rows of W^O"
    ).add(
        "average_weights",
        ("queries", "keys"),
        trace["weights"].values.mean(axis=0),
        "the mean over the heads: never used",
    )
