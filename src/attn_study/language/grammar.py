"""The toy language as a source of texts: for training, and held-out ones by family."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

from attn_study.language.apart import meets
from attn_study.language.dice import happens, pick
from attn_study.language.families import (
    adjective,
    agreement,
    coref,
    fit,
    names,
    repeat,
    sense,
    tower,
)
from attn_study.language.words import PREFIXES

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import ModuleType

    from attn_study.language.apart import Split
    from attn_study.language.sentence import Sentence

VERSION = 1
LONGEST = 39  # words of a text; with the start token, the positions of the model
SHARES = {
    coref: 2.5,
    names: 2.0,
    repeat: 1.8,
    sense: 2.6,
    fit: 1.2,
    agreement: 1.2,
    adjective: 1.2,
    tower: 0.6,
}
FAMILIES = {module.__name__.rpartition(".")[2]: module for module in SHARES}
MOST_DRAWS = 10_000  # for each sentence that is wanted
PREFIXED = 0.25  # of the texts begin with words that shift all positions
PRECEDED = 0.33  # of the texts have a whole sentence before


@dataclass(frozen=True, slots=True)
class Text:
    """Words for training, and the positions whose next word is the critical one of a sentence."""

    words: tuple[str, ...]
    decisive: tuple[int, ...]

    @classmethod
    def of(cls, prefix: tuple[str, ...], sentences: tuple[Sentence, ...]) -> Text:
        """Return sentences one after another, behind a prefix."""
        words, decisive = prefix, tuple[int, ...]()
        for sentence in sentences:
            placed = sentence.after(words)
            words = placed.words
            decisive = (*decisive, *sorted({placed.decides, *placed.also}))
        return cls(words, decisive)


def texts(seed: int) -> Iterator[Text]:
    """Yield texts for training without end; the pairs held out never stand in one sentence."""
    rng = Random(seed)
    while True:
        yield _text(rng)


def held_out(family: str, split: Split, n: int, seed: int) -> list[Sentence]:
    """Return `n` sentences of one family whose pairs belong to that split, after a prefix or none.

    Those of `repeat` are drawn at random for each split, since nothing in them is held out.
    Raises ValueError where a family has no pairs in that split.
    """
    rng = Random(f"{family} {split} {seed}")
    found: list[Sentence] = []
    for _ in range(MOST_DRAWS * n):
        sentence, belongs = FAMILIES[family].draw(rng)
        if belongs == split or family == "repeat":
            found.append(sentence.after(_prefix(rng)))
        if len(found) == n:
            return found
    raise ValueError(f"no sentence of {family} belongs to {split}")


def _text(rng: Random) -> Text:
    while True:
        sentence = _training(rng)
        before = (_training(rng),) if happens(rng, PRECEDED) else ()
        found = Text.of(_prefix(rng), (*before, sentence))
        if len(found.words) <= LONGEST and not meets(found.words):
            return found


def _training(rng: Random) -> Sentence:
    while True:
        drawn: tuple[Sentence, Split] = _family(rng).draw(rng)
        if drawn[1] == "training":
            return drawn[0]


def _family(rng: Random) -> ModuleType:
    at = rng.random() * sum(SHARES.values())
    *others, last = SHARES
    for family in others:
        at -= SHARES[family]
        if at < 0:
            return family
    return last


def _prefix(rng: Random) -> tuple[str, ...]:
    return pick(rng, PREFIXES) if happens(rng, PREFIXED) else ()
