"""A word before it decides which bank, mole or bat it is, and so what it did.

because of the pond the bank | eroded
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from attn_study.language.apart import TEXTBOOK, Split
from attn_study.language.dice import happens, pick
from attn_study.language.sentence import Sentence
from attn_study.language.words import BECAUSE, NEUTRAL, SENSES, STOP

if TYPE_CHECKING:
    from random import Random

HELD: dict[int, Split] = {-2: "choosing", -1: "reporting"}  # the last cues of a sense


def cues(word: str) -> list[str]:
    """Return the words that point to one of the word's senses, sense after sense."""
    return [cue for pointers, _, _ in SENSES[word].values() for cue in pointers]


def sense_of(word: str, cue: str) -> str:
    """Return the sense of `word` to which the cue points."""
    return next(sense for sense, (pointers, _, _) in SENSES[word].items() if cue in pointers)


def split(word: str, cue: str) -> Split:
    """Return where a word with a cue belongs; a sense has a cue for choosing, one for reporting."""
    if frozenset((word, cue)) in TEXTBOOK:
        return "textbook"
    pointers = SENSES[word][sense_of(word, cue)][0]
    return HELD.get(pointers.index(cue) - len(pointers), "training")


def build(word: str, cue: str, frame: tuple[str, ...] = BECAUSE[0]) -> Sentence:
    """Return the sentence of `word` after a cue, which says which of its senses is meant."""
    return _built(word, sense_of(word, cue), cue, frame, ("the", word))


def _built(
    word: str, sense: str, cue: str, frame: tuple[str, ...], subject: tuple[str, ...]
) -> Sentence:
    verb = SENSES[word][sense][2]
    start = (*frame, cue, *subject)
    decides, target = len(start) - 1, len(frame)
    kind = f"{word}: {sense}"
    return Sentence("sense", (*start, verb, STOP), decides, verb, decides, target, kind=kind)


def draw(rng: Random) -> tuple[Sentence, Split]:
    """Return a sentence and where its word and cue belong.

    Those with a word of one sense, or with `it` in its place, are for training: they tell what a
    cue points to, also one that never stands with the word of several senses.
    """
    word = pick(rng, ("bank", "mole", "mole", "bat"))
    sense = pick(rng, list(SENSES[word]))
    pointers, alone, _ = SENSES[word][sense]
    frame, shape = pick(rng, BECAUSE), rng.random()
    if shape < 0.45:
        cue = pick(rng, pointers)
        return _built(word, sense, cue, frame, ("the", word)), split(word, cue)
    if shape < 0.6:
        return _built(word, sense, pick(rng, pointers), frame, ("it",)), "training"
    cue = pick(rng, NEUTRAL if happens(rng, 0.3) else pointers)
    return _built(word, sense, cue, frame, ("the", pick(rng, alone))), "training"
