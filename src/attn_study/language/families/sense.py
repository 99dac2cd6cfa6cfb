"""A word before it decides which bank, mole or bat it is, and so what it did.

because of the pond the bank | eroded
because of the pond the mole | dug

What a text is about is not enough, nor is the noun: the verb takes both.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from attn_study.language.apart import TEXTBOOK, Split
from attn_study.language.dice import happens, pick
from attn_study.language.sentence import Sentence
from attn_study.language.words import BECAUSE, NEUTRAL, SENSES, STOP, TOPICS

if TYPE_CHECKING:
    from random import Random

WORDS = tuple(SENSES)
SPOKEN = (*WORDS, "mole")  # it has most senses
HELD: tuple[Split, ...] = ("reporting", "choosing")  # a cue of each sense of each word


def pointers(word: str, sense: str) -> list[str]:
    """Return the words that point to a sense: those of its topic."""
    return TOPICS[SENSES[word][sense][0]]


def cues(word: str) -> list[str]:
    """Return the words that point to one of the word's senses, sense after sense."""
    return [cue for sense in SENSES[word] for cue in pointers(word, sense)]


def sense_of(word: str, cue: str) -> str:
    """Return the sense of `word` to which the cue points."""
    return next(sense for sense in SENSES[word] if cue in pointers(word, sense))


def split(word: str, cue: str) -> Split:
    """Return where a word with a cue belongs: of each sense one for choosing, one for reporting.

    They are other cues for each word, so that hardly one is held out from all; words that have a
    sense alone stand with every cue in training.
    """
    if frozenset((word, cue)) in TEXTBOOK:
        return "textbook"
    known = pointers(word, sense_of(word, cue))
    at = len(known) - 1 - known.index(cue) - WORDS.index(word)
    return HELD[at % len(known)] if at % len(known) < len(HELD) else "training"


def build(word: str, cue: str, frame: tuple[str, ...] = BECAUSE[0]) -> Sentence:
    """Return the sentence of `word` after a cue, which says which of its senses is meant."""
    return _built(word, sense_of(word, cue), cue, frame, word)


def _built(word: str, sense: str, cue: str, frame: tuple[str, ...], noun: str) -> Sentence:
    verb = SENSES[word][sense][2]
    start = (*frame, cue, "the", noun)
    decides, target = len(start) - 1, len(frame)
    kind = f"{word}: {sense}"
    return Sentence("sense", (*start, verb, STOP), decides, verb, decides, target, kind=kind)


def draw(rng: Random) -> tuple[Sentence, Split]:
    """Return a sentence and where its word and cue belong.

    Those with a word of one sense are for training; what stands before it may say nothing.
    """
    word = pick(rng, SPOKEN)
    sense = pick(rng, list(SENSES[word]))
    frame = pick(rng, BECAUSE)
    cue = pick(rng, pointers(word, sense))
    if happens(rng, 0.7):
        return _built(word, sense, cue, frame, word), split(word, cue)
    if happens(rng, 0.4):
        cue = pick(rng, NEUTRAL)
    return _built(word, sense, cue, frame, pick(rng, SENSES[word][sense][1])), "training"
