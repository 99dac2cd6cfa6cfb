"""One head's weights under each divisor of the scores: √d_k, none, d_k and √d_model."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from attn_study.demos.setup import attended

if TYPE_CHECKING:
    from attn_study.attention.trace import Trace
    from attn_study.demos.setup import Start

# The name of the mistake that divides so, and the divisor; the first is the right one.
DIVISORS = {"": "√d_k", "no-scale": "1", "scale-d-k": "d_k", "scale-d-model": "√d_model"}
PATTERN = ("divisors", "queries", "keys")


def divided(begin: Start, mistake: str = "") -> Trace:
    """Return causal attention of one head, right or with one mistake made, and two steps more.

    `divided_weights` (divisors, queries, keys) has the weights under each divisor, `slope`, of
    the same axes, w (1 - w): how fast a weight moves with its own score.
    """
    weights = np.stack([attended(begin, name)["weights"].values[0] for name in DIVISORS])
    labels = {
        "divisors": tuple(DIVISORS.values()),
        "queries": begin.labels,
        "keys": begin.labels,
    }
    trace = attended(begin, mistake)
    return trace.add(
        "divided_weights", PATTERN, weights, "the weights under each divisor", labels
    ).add("slope", PATTERN, weights * (1 - weights), "w (1 - w): d weight ÷ d score", labels)
