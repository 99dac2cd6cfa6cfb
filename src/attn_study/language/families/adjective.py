"""What a thing does hangs on its own adjective, not on that of its neighbour.

a fluffy blue creature roamed the verdant forest and it | purred
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from attn_study.language.apart import Split, of_all, split
from attn_study.language.dice import happens, pick, several
from attn_study.language.sentence import Sentence
from attn_study.language.words import BEINGS, COLOURS, LANDS, ROAMED, STOP, TEXTURES

if TYPE_CHECKING:
    from random import Random


def roaming(adjectives: tuple[str, ...], being: str, land: str, verb: str = "roamed") -> Sentence:
    """Return the sentence of one being; `land` is the adjective of the place it roamed."""
    texture = next(word for word in adjectives if word in TEXTURES)
    start = ("a", *adjectives, being, verb, "the", land, LANDS[land], "and", "it")
    noun = 1 + len(adjectives)
    return Sentence(
        "adjective",
        (*start, TEXTURES[texture], STOP),
        len(start) - 1,
        TEXTURES[texture],
        noun,
        1 + adjectives.index(texture),
        (),
        "one being",
    )


def pair(first: tuple[str, ...], one: str, second: tuple[str, ...], other: str) -> Sentence:
    """Return the sentence of two beings with their adjectives; the second one's verb decides."""
    textures = [next(word for word in words if word in TEXTURES) for words in (first, second)]
    start = ("a", *first, one, TEXTURES[textures[0]], "and", "the", *second, other)
    asks = len(start) - 1
    return Sentence(
        "adjective",
        (*start, TEXTURES[textures[1]], STOP),
        asks,
        TEXTURES[textures[1]],
        asks,
        asks - len(second) + second.index(textures[1]),
        (1 + first.index(textures[0]),),
        "two beings",
        TEXTURES[textures[0]],
    )


def _described(rng: Random, texture: str) -> tuple[str, ...]:
    shape = rng.random()
    if shape < 0.3:
        return (texture,)
    colour = pick(rng, COLOURS)
    return (colour, texture) if shape < 0.65 else (texture, colour)


def draw(rng: Random) -> tuple[Sentence, Split]:
    """Return a sentence and where its textures and beings belong."""
    one, other = several(rng, BEINGS, 2)
    names = list(TEXTURES)
    textures = several(rng, names, 2)
    described = [_described(rng, texture) for texture in textures]
    if happens(rng, 0.4):
        found = roaming(described[0], one, pick(rng, list(LANDS)), pick(rng, ROAMED))
        return found, split(one, textures[0], BEINGS, names)
    pairs = zip((one, other), textures, strict=True)
    places = [split(being, texture, BEINGS, names) for being, texture in pairs]
    return pair(described[0], one, described[1], other), of_all(places)
