"""Texts of the toy language as batches of numbers, texts of about one length together."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain, islice
from typing import TYPE_CHECKING

import numpy as np

from attn_study.language.grammar import Text, texts
from attn_study.language.vocabulary import FUNCTION_WORDS, NUMBERS, numbers
from attn_study.language.words import (
    ANIMALS,
    FOODS,
    PLACES,
    SURNAMES,
    THINGS,
    TOO,
    TOO_BIG,
    TOO_SMALL,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from attn_study.attention.arrays import Mask
    from attn_study.attention.model.forward import Numbers
    from attn_study.attention.model.parameters import Floats

PARKED_ON = {*FUNCTION_WORDS, *chain(*TOO.values()), *TOO_BIG, *TOO_SMALL}
IS_PARKED_ON = np.array([word in PARKED_ON for word in NUMBERS])
FETCHED = {*ANIMALS, *PLACES, *FOODS, *THINGS, *SURNAMES}
IS_FETCHED = np.array([word in FETCHED for word in NUMBERS])


@dataclass(frozen=True, slots=True)
class Batch:
    """Tokens, the word after each, and 1 where there is one; all (texts, tokens)."""

    tokens: Numbers
    following: Numbers
    counted: Floats

    def unseen(
        self, rng: np.random.Generator, fetched: float, function_words: float
    ) -> dict[int, Mask]:
        """Return which keys are hidden this time, by layer, (texts, tokens) each.

        In layer 1 the share `fetched` of the nouns that sentences come back to, in layer 2 the
        share `function_words` of the words on which they could be parked: function words, and
        the adjectives that tell the nouns apart.
        """
        first: Mask = rng.random(self.tokens.shape) < fetched
        second: Mask = rng.random(self.tokens.shape) < function_words
        return {1: first & IS_FETCHED[self.tokens], 2: second & IS_PARKED_ON[self.tokens]}


def corpus(n: int, seed: int) -> list[Text]:
    """Return `n` texts for training."""
    return list(islice(texts(seed), n))


def batches(
    found: list[Text], n: int, rng: np.random.Generator, decisive: float
) -> Iterator[Batch]:
    """Yield batches of `n` texts without end; no text twice before all have had their turn.

    Of the longest fewer than `n` may be left over; they sit out that turn.
    A position whose next word is a critical one counts `decisive` times.
    """
    lengths = np.array([len(text.words) for text in found])
    while True:
        order = np.argsort(lengths + rng.random(len(found)), kind="stable")  # alike in length
        starts = rng.permutation(range(0, len(found) - n + 1, n))
        for start in starts:
            yield batch([found[at] for at in order[start : start + n]], decisive)


def padded(coded: Sequence[list[int]]) -> Numbers:
    """Return texts as one array, (texts, tokens), the shorter ones with 0 behind their end.

    A causal model reads them as if nothing stood there.
    """
    tokens = np.zeros((len(coded), max(map(len, coded))), dtype=np.int64)
    for row, code in enumerate(coded):
        tokens[row, : len(code)] = code
    return tokens


def batch(chosen: list[Text], decisive: float) -> Batch:
    """Return texts as one batch, the shorter ones filled up with positions that do not count."""
    coded = [numbers(text.words) for text in chosen]
    tokens = padded(coded)
    counted = np.zeros(tokens.shape, dtype=np.float32)
    for row, (text, code) in enumerate(zip(chosen, coded, strict=True)):
        counted[row, : len(code) - 1] = 1
        counted[row, [at + 1 for at in text.decisive]] = decisive
    following = np.zeros_like(tokens)
    following[:, :-1] = tokens[:, 1:]
    return Batch(tokens, following, counted)
