"""Who was too tired, what too wide: an adjective picks the noun that comes back.

the chicken did not cross the road because it was too tired so the | chicken
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from attn_study.language.apart import Split, of_all, split
from attn_study.language.dice import happens, pick
from attn_study.language.sentence import Sentence
from attn_study.language.words import ANIMALS, EATING, FOODS, GOING, PLACES, STAYED, STOP, TOO

if TYPE_CHECKING:
    from random import Random

BECAUSE = ("because", "it", "was", "too")


def build(nouns: dict[str, str], before: tuple[str, ...], adjective: str) -> Sentence:
    """Return the sentence of a main clause; `nouns` maps `animal`, `place`, `food` to its words.

    The clause `before` holds each noun once; the class of the adjective says which returns.
    """
    kind = next(kind for kind, words in TOO.items() if adjective in words)
    start = (*before, *BECAUSE, adjective, "so", "the")
    at = {each: before.index(noun) for each, noun in nouns.items()}
    decides = len(start) - 1
    return Sentence(
        "coref",
        (*start, nouns[kind], "stayed", STAYED[kind], STOP),
        decides,
        nouns[kind],
        decides,
        at[kind],
        tuple(place for each, place in sorted(at.items()) if each != kind),
        kind,
    )


def going(
    animal: str, place: str, verb: str = "cross", *, passive: bool = False
) -> tuple[str, ...]:
    """Return `the chicken did not cross the road`, or the same with the road first."""
    if passive:
        return ("the", place, "was", "not", GOING[verb], "by", "the", animal)
    return ("the", animal, "did", "not", verb, "the", place)


def eating(animal: str, food: str, verb: str = "eat", *, passive: bool = False) -> tuple[str, ...]:
    """Return `the dog did not eat the soup`, or the same with the soup first."""
    if passive:
        return ("the", food, "was", "not", EATING[verb], "by", "the", animal)
    return ("the", animal, "did", "not", verb, "the", food)


def draw(rng: Random) -> tuple[Sentence, Split]:
    """Return a sentence and where its pairs of nouns belong."""
    animal, place, food = pick(rng, ANIMALS), pick(rng, PLACES), pick(rng, FOODS)
    passive = happens(rng, 0.4)
    shape = rng.random()
    if shape < 0.4:
        nouns = {"animal": animal, "place": place}
        before = going(animal, place, pick(rng, list(GOING)), passive=passive)
    elif shape < 0.6:
        nouns = {"animal": animal, "food": food}
        before = eating(animal, food, pick(rng, list(EATING)), passive=passive)
    else:
        nouns = {"animal": animal, "food": food, "place": place}
        clause = eating(animal, food, pick(rng, list(EATING)), passive=passive)
        near = ("near", "the", place)
        before = (*near, *clause) if happens(rng, 0.5) else (*clause, *near)
    adjective = pick(rng, TOO[pick(rng, list(nouns))])
    places = [split(animal, place, ANIMALS, PLACES)] if "place" in nouns else []
    foods = [split(animal, food, ANIMALS, FOODS)] if "food" in nouns else []
    return build(nouns, before, adjective), of_all([*places, *foods])
