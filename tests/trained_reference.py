"""The shipped model on a lesson's sentence by another route: plain loops over its numbers."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from attn_study.attention.model.stored import trained
from attn_study.demos.trained.cases import CASES
from model_reference import logits_and_weights

if TYPE_CHECKING:
    from attn_study.language.sentence import Sentence

STORED = trained()
SIZE = STORED.parameters.size
WORDS = STORED.words
N_LAYERS, N_HEADS = SIZE.n_layers, SIZE.n_heads
HEADS = [(layer, head) for layer in range(1, N_LAYERS + 1) for head in range(1, N_HEADS + 1)]


def sentences(case: str, **given: str) -> tuple[Sentence, Sentence]:
    """A case's sentence, and the one with the other word in the slot that decides."""
    chosen = CASES[case]
    slots = chosen.settle(given)
    return chosen.build(slots), chosen.build(chosen.other(slots))


@cache
def run(
    words: tuple[str, ...], n_layers: int = N_LAYERS, off: tuple[int, int] | None = None
) -> tuple[Any, Any]:
    """Logits after the last word, had the model `n_layers`, and weights; a head may be off.

    A head that is off has rows of 0 in W^O.
    """
    given = dict(STORED.parameters.items())
    if off:
        layer, head = off
        width = SIZE.d_model // N_HEADS
        w_o = given[f"w_o_{layer}"].copy()
        w_o[(head - 1) * width : head * width] = 0
        given[f"w_o_{layer}"] = w_o
    tokens = [WORDS.index(word) for word in ("<start>", *words)]
    logits, weights = logits_and_weights(given, tokens, n_layers, N_HEADS)
    return logits[-1], weights


def shares(
    words: tuple[str, ...],
    n_layers: int = N_LAYERS,
    off: tuple[int, int] | None = None,
    temperature: float = 1.0,
) -> dict[str, float]:
    """The share of every word after a text."""
    logits, _ = run(words, n_layers, off)
    powers = np.exp((logits - logits.max()) / temperature)
    return dict(zip(WORDS, map(float, powers / powers.sum()), strict=True))


def most_likely(words: tuple[str, ...], *which: Any, **more: Any) -> tuple[str, float]:
    """The word with the largest share, and its share."""
    return max(shares(words, *which, **more).items(), key=lambda pair: pair[1])
