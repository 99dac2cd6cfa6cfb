"""How near words of several senses come to each sense, layer after layer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from batches import padded

from attn_study.attention.model.forward import forward
from attn_study.demos.trained.senses import EVERY, centroids
from attn_study.language.families.sense import build, cues, sense_of, split
from attn_study.language.vocabulary import numbers
from attn_study.language.words import BECAUSE, PREFIXES, SENSES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from attn_study.attention.arrays import Array
    from attn_study.attention.model.parameters import Parameters

STARTS = ((), *PREFIXES)


@dataclass(frozen=True, slots=True)
class Nearness:
    """One word at one stage: `layer` 0 is the embedding, n is after layer n.

    `own` and `other` are mean cosines to the sense that the sentence has and to the word's other
    senses; `nearest` is the share of sentences to whose sense the word is nearest.
    """

    word: str
    layer: int
    own: float
    other: float
    nearest: float


def nearness(parameters: Parameters) -> list[Nearness]:
    """Return how near the words come to their senses, in sentences with cues held out of training.

    The mean of all centroids is taken away from every vector.
    """
    means = centroids(parameters)
    middle = means.mean(axis=1, keepdims=True)
    return [
        found for word in SENSES for found in _nearness(parameters, word, means - middle, middle)
    ]


def _nearness(
    parameters: Parameters, word: str, directions: Array, middle: Array
) -> list[Nearness]:
    senses = list(SENSES[word])
    asked = [cue for cue in cues(word) if split(word, cue) in {"reporting", "textbook"}]
    frames = [(cue, (*before, *frame)) for cue in asked for frame in BECAUSE for before in STARTS]
    texts = [build(word, cue, frame).beginning for cue, frame in frames]
    right = np.array([senses.index(sense_of(word, cue)) for cue, _ in frames])
    own = directions[:, [at for at, (of, _) in enumerate(EVERY) if of == word]]
    cosines = _unit(_last(parameters, texts) - middle) @ _unit(own).swapaxes(-1, -2)
    found = []
    for layer, table in enumerate(cosines):
        mine = table[np.arange(len(right)), right]
        others = (table.sum(axis=-1) - mine) / (len(senses) - 1)
        nearest = float((table.argmax(axis=-1) == right).mean())
        found.append(Nearness(word, layer, float(mine.mean()), float(others.mean()), nearest))
    return found


def _unit(vectors: Array) -> Array:
    lengths: Array = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return vectors / lengths


def _last(parameters: Parameters, texts: Sequence[tuple[str, ...]]) -> Array:
    """Return the stream at the last word before and after each layer, (stages, texts, d_model)."""
    run = forward(parameters, padded([numbers(text) for text in texts]))
    stages = np.stack([*(attended.before for attended, _ in run.layers), run.residual])
    at = np.array([len(text) for text in texts])  # the start token stands before
    return np.asarray(stages[:, np.arange(len(texts)), at], dtype=np.float64)
