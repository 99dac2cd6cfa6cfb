"""Which of two things was too big: the role in the clause and an adjective pick the noun.

the trophy did not fit in the suitcase because it was too big so the | trophy
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from attn_study.language.apart import Split, split
from attn_study.language.dice import happens, pick, several
from attn_study.language.families.coref import BECAUSE
from attn_study.language.sentence import Sentence
from attn_study.language.words import STOP, THINGS, TOO_BIG, TOO_SMALL

if TYPE_CHECKING:
    from random import Random


def build(thing: str, room: str, adjective: str, into: str = "in") -> Sentence:
    """Return the sentence of `thing`, which did not fit in `room`: big is the one, small the other.

    `into` is `in` or `into`.
    """
    first = adjective in TOO_BIG
    clause = ("the", thing, "did", "not", "fit", into, "the", room)
    start = (*clause, *BECAUSE, adjective, "so", "the")
    decides = len(start) - 1
    answer, state = (thing, "outside") if first else (room, "shut")
    at = (1, len(clause) - 1)
    return Sentence(
        "fit",
        (*start, answer, "stayed", state, STOP),
        decides,
        answer,
        decides,
        at[0] if first else at[1],
        (at[1] if first else at[0],),
        "too big" if first else "too small",
        room if first else thing,
    )


def draw(rng: Random) -> tuple[Sentence, Split]:
    """Return a sentence and where its pair of things belongs, in either order."""
    thing, room = several(rng, THINGS, 2)
    adjective = pick(rng, TOO_BIG if happens(rng, 0.5) else TOO_SMALL)
    into = pick(rng, ("in", "into"))
    first, second = sorted((thing, room), key=THINGS.index)
    return build(thing, room, adjective, into), split(first, second, THINGS, THINGS)
