"""How near a word of several senses is to each of them, layer after layer."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from attn_study.attention.arrays import frozen
from attn_study.demos.trained.reader import parameters, stream, together
from attn_study.language.families.sense import pointers, split
from attn_study.language.words import BECAUSE, SENSES

if TYPE_CHECKING:
    from attn_study.attention.arrays import Array
    from attn_study.attention.model.parameters import Parameters

Sense = tuple[str, str]  # the word, and which of its senses

EVERY: tuple[Sense, ...] = tuple((word, sense) for word in SENSES for sense in SENSES[word])


def cosines(word: str, text: tuple[str, ...]) -> Array:
    """Return the cosine of the last word's vector to each sense of `word`, (stages, senses).

    Stage 0 is before the first layer, stage n after layer n. From all vectors the mean over every
    sense of every word is taken away; what then is left of a sense is its direction.
    """
    anchors, middle = _anchors()
    own = anchors[:, [at for at, (of, _) in enumerate(EVERY) if of == word]]
    vectors = stream(together([text]))[:, 0] - middle
    lengths = np.linalg.norm(own, axis=-1) * np.linalg.norm(vectors, axis=-1, keepdims=True)
    return frozen(np.einsum("lsd,ld->ls", own, vectors) / lengths)


def centroids(model: Parameters) -> Array:
    """Return the mean vector of each sense, (stages, senses, d_model), those of `EVERY` in order.

    It is that of the words that have the sense alone (shore, beach), after the cues that stand in
    training with the word of several senses.
    """
    return frozen(np.stack([_centroid(model, word, sense) for word, sense in EVERY], axis=1))


@cache
def _anchors() -> tuple[Array, Array]:
    """Return the directions, (stages, senses, d_model), and the mean, (stages, d_model)."""
    means = centroids(parameters())
    middle = means.mean(axis=1)
    return frozen(means - middle[:, np.newaxis]), frozen(middle)


def _centroid(model: Parameters, word: str, sense: str) -> Array:
    alone = SENSES[word][sense][1]
    taught = [cue for cue in pointers(word, sense) if split(word, cue) == "training"]
    means = [
        stream(
            together([(*frame, cue, "the", noun) for cue in taught for noun in alone], model=model)
        )
        for frame in BECAUSE
    ]
    return frozen(np.concatenate(means, axis=1).mean(axis=1))
