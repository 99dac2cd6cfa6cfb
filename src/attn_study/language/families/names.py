"""Who was called what a moment ago: a pairing that this sentence alone has made.

harry potter met john reed but then harry | potter
"""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING

from attn_study.language.apart import ROUND, Split, meets
from attn_study.language.dice import happens, pick, several
from attn_study.language.sentence import Sentence
from attn_study.language.words import DID, FIRST_NAMES, MET, STOP, SURNAMES

if TYPE_CHECKING:
    from random import Random

Person = tuple[str, str]


def build(people: tuple[Person, ...], again: int, met: str = "met", did: str = "left") -> Sentence:
    """Return the sentence of two or three people; the one numbered `again`, from 0, returns."""
    start: tuple[str, ...] = (*people[0], met, *people[1])
    if len(people) > 2:
        start = (*start, "and", *people[2])
    at = [start.index(surname) for _, surname in people]
    start = (*start, "but", "then", people[again][0])
    decides = len(start) - 1
    return Sentence(
        "names",
        (*start, people[again][1], did, STOP),
        decides,
        people[again][1],
        decides,
        at[again],
        tuple(place for each, place in enumerate(at) if each != again),
        "the first" if again == 0 else "a later one",
        people[0 if again else 1][1],
    )


def split(people: tuple[Person, ...]) -> Split:
    """Return where the people belong: by the first two of them, or as those of the textbook."""
    if meets({name for person in people for name in person}):
        return "textbook"
    words = " ".join((*people[0], *people[1]))
    at = blake2b(words.encode(), digest_size=1).digest()[0] % ROUND
    return "choosing" if at == 0 else "reporting" if at == 1 else "training"


def draw(rng: Random) -> tuple[Sentence, Split]:
    """Return a sentence and where its people belong."""
    n = 3 if happens(rng, 0.25) else 2
    first, last = several(rng, FIRST_NAMES, n), several(rng, SURNAMES, n)
    people = tuple(zip(first, last, strict=True))
    again = int(rng.random() * n)
    return build(people, again, pick(rng, MET), pick(rng, DID)), split(people)
