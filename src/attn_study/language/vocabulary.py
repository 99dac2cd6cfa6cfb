"""The vocabulary of the toy language: a number for every word."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from attn_study.errors import UserError, near
from attn_study.language import words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


def _all() -> Iterator[str]:
    yield from (words.START, words.STOP, *words.GLUE, *chain(*words.PREFIXES))
    yield from (*words.ANIMALS, *words.PLACES, *words.FOODS, *chain(*words.TOO.values()))
    for verbs in (words.GOING, words.EATING):
        yield from chain(*verbs.items())
    yield from (*words.STAYED.values(), *words.THINGS, *words.TOO_BIG, *words.TOO_SMALL)
    yield from ("outside", "shut", *chain(*words.PLURALS.items()), *words.BETWEEN, *words.SEEN)
    yield from chain(*words.TURNED.values())
    for word, senses in words.SENSES.items():
        yield word
        for _, alone, verb in senses.values():
            yield from (*alone, verb)
    yield from chain(*words.TOPICS.values())
    yield from (*words.NEUTRAL, *chain(*words.BECAUSE), *chain(*words.TEXTURES.items()))
    yield from (*words.COLOURS, *words.BEINGS, *words.ROAMED, *chain(*words.LANDS.items()))
    yield from (*chain(*words.TOWERS.items()), *chain(*words.SIZED.items()))
    yield from (*words.FIRST_NAMES, *words.SURNAMES, *words.MET, *words.DID, *words.NONSENSE)


WORDS = tuple(dict.fromkeys(_all()))  # a word that serves twice has one number
NUMBERS = {word: number for number, word in enumerate(WORDS)}
FUNCTION_WORDS = frozenset((*words.GLUE, *chain(*words.PREFIXES), *words.BETWEEN, words.STOP))


def numbers(text: Iterable[str]) -> list[int]:
    """Return the number of each word, the start token's first.

    Raises UserError for a word that the language does not have, with the nearest that it has.
    """
    found = [NUMBERS[words.START]]
    for word in text:
        if word not in NUMBERS:
            raise UserError(f"the model does not know {word!r}", hint=near(word, WORDS))
        found.append(NUMBERS[word])
    return found
