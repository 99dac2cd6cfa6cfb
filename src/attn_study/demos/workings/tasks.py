"""What is learned in the lesson `learn`: sentences for training, and sentences kept from it."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import permutations, product
from typing import TYPE_CHECKING

import numpy as np

from attn_study.attention.dice import stream
from attn_study.language.families import fit, repeat
from attn_study.language.grammar import held_out
from attn_study.language.words import NONSENSE, THINGS, TOO_BIG, TOO_SMALL

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from attn_study.language.sentence import Sentence

N_TRAINING, N_KEPT = 3_000, 200  # sentences
KEPT_SEED = 0  # whatever the seed of the model is, the same sentences are kept from it
SO_THE = 2  # words: where a sentence of coref ends before them, its adjective asks
SHORTEST, LONGEST = 4, 7  # words that come once more


@dataclass(frozen=True, slots=True)
class Item:
    """Words of which the last asks for the next one, `answer`; positions count from 0.

    `target` is where the word stands that decides; `wrong` is what another would lead to, empty
    where there is no such word, and `rival` is where that other word stands.
    """

    words: tuple[str, ...]
    answer: str
    target: int
    wrong: str = ""
    rival: int | None = None


def of_coref(sentence: Sentence) -> Item:
    """Return a sentence of coref up to its adjective: which noun is meant is to come."""
    return of_any(sentence, sentence.decides - SO_THE)


def of_any(sentence: Sentence, last: int | None = None) -> Item:
    """Return a sentence up to its word `last`, without one up to the word that asks in it."""
    last = sentence.decides if last is None else last
    rival = sentence.rivals[-1] if sentence.rivals else None
    other = "" if rival is None else sentence.words[rival]
    return Item(
        sentence.words[: last + 1],
        sentence.answer,
        sentence.target,
        sentence.wrong or other,
        rival,
    )


def agreement_items(seed: int | None) -> list[Item]:
    """Return subjects for training by a seed; without one, with pairs of nouns that never meet."""
    return [of_any(each) for each in _drawn("agreement", seed)]


def coref_items(seed: int | None) -> list[Item]:
    """Return sentences for training by a seed; without one, with pairs that never meet there."""
    return [of_coref(each) for each in _drawn("coref", seed)]


def _drawn(family: str, seed: int | None) -> list[Sentence]:
    if seed is not None:
        return held_out(family, "training", N_TRAINING, seed)
    half = N_KEPT // 2
    return [
        sentence
        for split in ("choosing", "reporting")
        for sentence in held_out(family, split, half, KEPT_SEED)
    ]


def fit_items(seed: int | None) -> list[Item]:
    """Return the sentences for training, the same by any seed; without one, those kept from it.

    The pair of the textbook is in neither. Other pairs are in both, in other sentences: were a
    pair kept whole, a model would only learn that the two never go together.
    """
    every = [
        of_any(fit.build(thing, room, adjective, into))
        for thing, room in permutations(THINGS, 2)
        if {thing, room} != {"trophy", "suitcase"}
        for adjective, into in product((*TOO_BIG, *TOO_SMALL), ("in", "into"))
    ]
    order = np.argsort(stream("learn", "fit", KEPT_SEED).random_raw(len(every)), kind="stable")
    shuffled = [every[at] for at in order]
    return shuffled[:N_KEPT] if seed is None else shuffled[N_KEPT:]


def repeat_items(seed: int | None) -> list[Item]:
    """Return words without meaning, once and once more, for training by a seed.

    Without one, those kept, which end anywhere in the second time. Two for training may be the
    same; none begins with the words of one that is kept.
    """
    if seed is None:
        return [repeated(once, end) for once, end in _nonsense("kept", N_KEPT, KEPT_SEED)]
    kept = {tuple(once) for once, _ in _nonsense("kept", N_KEPT, KEPT_SEED)}
    found = []
    for once, _ in _nonsense("repeat", N_TRAINING, seed):
        if tuple(once) in kept:
            once[:2] = once[1], once[0]  # and so it is none of them
        found.append(repeated(once, len(once) - 2))
    return found


def _nonsense(name: str, n: int, seed: int) -> Iterator[tuple[list[str], int]]:
    """Yield words, each another, with any number, `n` times."""
    dice = stream("learn", name, seed)
    ranks = dice.random_raw((n, len(NONSENSE)))
    lengths, ends = (dice.random_raw((2, n)) >> np.uint64(32)).astype(np.int64)
    for row, length, end in zip(ranks, lengths, ends, strict=True):
        n_words = SHORTEST + length % (LONGEST - SHORTEST + 1)
        yield [NONSENSE[at] for at in np.argsort(row, kind="stable")[:n_words]], int(end)


def repeated(once: Sequence[str], end: int) -> Item:
    """Return the words and the beginning of the same again; `end`, any number, says how far."""
    at = len(once) + end % (len(once) - 1)
    return of_any(repeat.build((*once, *once), at), at)
