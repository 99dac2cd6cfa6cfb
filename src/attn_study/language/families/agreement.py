"""The verb agrees with the head of the subject, not with the noun right before it.

the keys to the cabinet | are
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from attn_study.language.apart import Split, of_all, split
from attn_study.language.dice import happens, pick
from attn_study.language.sentence import Sentence
from attn_study.language.words import (
    ATTRACTORS,
    BETWEEN,
    OBJECTS,
    PERSONS,
    PLURALS,
    SEEN,
    STOP,
    TURNED,
)

if TYPE_CHECKING:
    from random import Random

HEADS = (*OBJECTS, *PERSONS)
VERBS = {"one": "is", "many": "are"}


def build(head: str, between: tuple[str, ...], turned: str) -> Sentence:
    """Return the sentence of a subject: `head` and all of `between`, its verb, what it turned.

    `head` is a noun in the singular or the plural; the nouns of `between` may have either number.
    """
    many = head in PLURALS.values()
    kind = "many" if many else "one"
    start = ("the", head, *between)
    decides = len(start) - 1
    others = {*ATTRACTORS, *PERSONS, *(PLURALS[noun] for noun in (*ATTRACTORS, *PERSONS))}
    rivals = tuple(at for at, word in enumerate(start) if word in others and at != 1)
    return Sentence(
        "agreement",
        (*start, VERBS[kind], turned, STOP),
        decides,
        VERBS[kind],
        decides,
        1,
        rivals,
        kind,
        VERBS["one" if many else "many"],
    )


def numbered(rng: Random, noun: str) -> str:
    """Return the noun as one or as many."""
    return PLURALS[noun] if happens(rng, 0.5) else noun


def draw(rng: Random) -> tuple[Sentence, Split]:
    """Return a sentence and where its head and the nouns between belong."""
    head = pick(rng, HEADS)
    shape = rng.random()
    nouns: list[str] = []
    between: tuple[str, ...] = ()
    if shape < 0.6:
        nouns = [pick(rng, ATTRACTORS)]
        between = (pick(rng, BETWEEN), "the", numbered(rng, nouns[0]))
    elif shape < 0.75:
        nouns = [pick(rng, ATTRACTORS), pick(rng, ATTRACTORS)]
        for noun in nouns:
            between = (*between, pick(rng, BETWEEN), "the", numbered(rng, noun))
    elif shape < 0.9:
        person = pick(rng, PERSONS)
        between = ("that", "the", numbered(rng, person), pick(rng, SEEN))
    turned = pick(rng, TURNED["object" if head in OBJECTS else "person"])
    places = [split(head, noun, HEADS, ATTRACTORS) for noun in nouns]
    return build(numbered(rng, head), between, turned), of_all(places)
