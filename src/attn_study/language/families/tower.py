"""A word in front turns a huge tower into a tiny one.

the miniature eiffel tower from paris is | tiny
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from attn_study.language.apart import Split, split
from attn_study.language.dice import happens, pick
from attn_study.language.sentence import Sentence
from attn_study.language.words import SIZED, STOP, TOWERS, UNSIZED

if TYPE_CHECKING:
    from random import Random


def build(name: str, size: str = "") -> Sentence:
    """Return the sentence of a tower with a word for its size, or without one."""
    before = (size,) if size else ()
    start = ("the", *before, name, "tower", "from", TOWERS[name], "is")
    answer = SIZED[size] if size else UNSIZED
    decides = len(start) - 1
    return Sentence(
        "tower",
        (*start, answer, STOP),
        decides,
        answer,
        decides - 3,
        1,
        (),
        answer,
        "huge" if answer == "tiny" else "tiny",
    )


def draw(rng: Random) -> tuple[Sentence, Split]:
    """Return a sentence and where its name and size belong."""
    name = pick(rng, list(TOWERS))
    if happens(rng, 0.25):
        return build(name), "training"
    size = pick(rng, list(SIZED))
    return build(name, size), split(name, size, list(TOWERS), list(SIZED))
