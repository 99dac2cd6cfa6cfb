"""Two sequences, one of which asks the other: attention from the one to the other, and back."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from attn_study.attention.heads import attend
from attn_study.attention.mistakes import method_of
from attn_study.demos.setup import with_projections

if TYPE_CHECKING:
    from attn_study.attention.arrays import Array, Mask
    from attn_study.attention.projections import Projections
    from attn_study.attention.trace import Trace


@dataclass(frozen=True, slots=True)
class Side:
    """One sequence: its words and their vectors, (tokens, d_model)."""

    words: tuple[str, ...]
    x: Array


@dataclass(frozen=True, slots=True)
class Pair:
    """The sequence that asks, the one that answers, and the projections of the head between."""

    asks: Side
    answers: Side
    projections: Projections
    weights: str
    remark: str = ""

    @property
    def turned(self) -> Pair:
        """The same two with their parts exchanged."""
        return replace(self, asks=self.answers, answers=self.asks)


def crossed(pair: Pair, *, causal: bool = False, mistake: str = "") -> Trace:
    """Return cross-attention of a pair, then `swapped_weights` (heads, keys, queries).

    Those are the weights when the other sequence asks. `causal` adds a mask that has no place
    here: query i sees keys up to i only. Raises UserError for a mistake that cannot be made.
    """
    trace = with_projections(_attended(pair, mistake, causal=causal), pair.projections)
    other = _attended(pair.turned, mistake, causal=False)["weights"].values
    return trace.add(
        "swapped_weights",
        ("heads", "keys", "queries"),
        other,
        "the weights when the sources are swapped: the keys ask, the queries answer",
    )


def causal_between(n_queries: int, n_keys: int) -> Mask:
    """Return (queries, keys), True where key j ≤ query i."""
    return np.tri(n_queries, n_keys, dtype=np.bool_)


def _attended(pair: Pair, mistake: str, *, causal: bool) -> Trace:
    asks, answers = pair.asks, pair.answers
    mask = causal_between(len(asks.words), len(answers.words)) if causal else None
    return attend(
        asks.x,
        answers.x,
        pair.projections,
        mask=mask,
        query_labels=asks.words,
        key_labels=answers.words,
        method=method_of(mistake),
    )
