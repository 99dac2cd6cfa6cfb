"""The shipped model on words: its working on a text, its next word, its heads."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING

import numpy as np

from attn_study.attention.arrays import frozen
from attn_study.attention.model.forward import forward, normalise
from attn_study.attention.model.reading import read
from attn_study.attention.model.stored import AGAIN, trained
from attn_study.errors import UserError
from attn_study.language.vocabulary import NUMBERS, WORDS, numbers
from attn_study.language.words import START

if TYPE_CHECKING:
    from collections.abc import Sequence

    from attn_study.attention.arrays import Array
    from attn_study.attention.model.forward import Run
    from attn_study.attention.model.parameters import Parameters
    from attn_study.attention.trace import Trace
    from attn_study.language.sentence import Sentence

Head = tuple[int, int]  # layer and head, from 1


@cache
def parameters() -> Parameters:
    """Return the numbers of the shipped model; UserError when its words are not the language's."""
    stored = trained()
    if tuple(stored.words) != WORDS:
        raise UserError(
            "the trained weights belong to another version of the toy language",
            hint=AGAIN,
        )
    return stored.parameters


@lru_cache(maxsize=64)
def working(words: tuple[str, ...], off: tuple[Head, ...] = ()) -> Trace:
    """Return the model's working on a text, whose first token is the start token."""
    return read(parameters(), numbers(words), (START, *words), words=WORDS, off=off)


def together(
    texts: Sequence[tuple[str, ...]],
    off: tuple[Head, ...] = (),
    model: Parameters | None = None,
) -> Run:
    """Return one run over texts of the same length, of the shipped model if of no other."""
    tokens = np.array([numbers(text) for text in texts])
    return forward(model or parameters(), tokens, off=off)


def last_lens(words: tuple[str, ...], layers: int, off: tuple[Head, ...] = ()) -> Array:
    """Return the logit of every word after a text, had the model ended after so many layers."""
    run = together([words], off)
    normed, _ = normalise(stream(run)[layers, 0], parameters()["gain_final"])
    return frozen(normed @ parameters()["embedding"].T)


def stream(run: Run) -> Array:
    """Return the stream at the last token, (stages, texts, d_model).

    A stage is the start, then the end of each layer.
    """
    ends = [attended if widened is None else widened for attended, widened in run.layers]
    return frozen(np.stack([run.x[:, -1], *((end.before + end.added)[:, -1] for end in ends)]))


def heads() -> tuple[Head, ...]:
    """Return every head of the model, layer by layer."""
    size = parameters().size
    numbered = range(1, size.n_heads + 1)
    return tuple((layer, head) for layer in range(1, size.n_layers + 1) for head in numbered)


def named(head: Head) -> str:
    """Return a head as it is typed: `2.3`."""
    return f"{head[0]}.{head[1]}"


def share(shares: Array, word: str) -> float:
    """Return the share of one word among the shares of all words."""
    return float(shares[NUMBERS[word]])


def likely(shares: Array) -> tuple[str, float]:
    """Return the word with the largest share, and that share."""
    at = int(np.argmax(shares))
    return WORDS[at], float(shares[at])


def known_for(sentence: Sentence) -> Head:
    """Return the head that looks most plainly at what decides in sentences of this kind.

    It was chosen on held-out sentences when the model was, and stands in the model's record.
    """
    layer, head = trained().record["heads"][sentence.family][sentence.kind]
    return int(layer), int(head)


def says(layer: int | None = None) -> str:
    """Return what these weights are, all or those of one layer, for the header of a lesson."""
    size = parameters().size
    shown = f"{size.n_layers} layers, {size.n_heads} heads,"
    if layer is not None:
        shown = f"layer {layer} of {size.n_layers} ·"
    return f"trained · {shown} {len(WORDS)} words"
