"""One head taken away after another: what each kind of sentence loses, and what the head looked at.

Where a head looks is one thing, what the answer needs another; sentences here name cases of both.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from choosing import SEED, accuracy
from score import results

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from attn_study.attention.model.parameters import Parameters

LEAST = 0.005  # of the sentences; below it nothing is said to be lost
LOOKS, ELSEWHERE = 0.8, 0.1  # of its attention: on the right word, and hardly there
SORELY = 0.3  # of the answers of a kind, lost
MOST = 2  # heads that are named of each sort


@dataclass(frozen=True, slots=True)
class Kind:
    """What a kind of sentence loses without a head: `lost` of the answers, from -1 to 1.

    `looked` is the attention that the head gave to the word that decides.
    """

    family: str
    kind: str
    lost: float
    looked: float

    def __str__(self) -> str:
        named = self.family if self.kind == self.family else f"{self.family}, {self.kind}"
        return f"“{named}”"


@dataclass(frozen=True, slots=True)
class Taken:
    """One head, as (layer, head) from 1: what kinds lose without it, and what families do."""

    head: tuple[int, int]
    kinds: tuple[Kind, ...]
    families: dict[str, float]

    def __str__(self) -> str:
        return "{}.{}".format(*self.head)


def taken(parameters: Parameters, sentences: int) -> Iterator[Taken]:
    """Yield every head with what is lost without it, on so many held-out sentences a family."""
    whole = results(parameters, "reporting", sentences, SEED)
    families = list(dict.fromkeys(each.family for each in whole))
    for at in np.ndindex(parameters.size.n_layers, parameters.size.n_heads):
        head = at[0] + 1, at[1] + 1
        without = results(parameters, "reporting", sentences, SEED, (head,))
        yield Taken(
            head,
            tuple(
                Kind(each.family, each.kind, each.accuracy - off.accuracy, float(each.target[at]))
                for each, off in zip(whole, without, strict=True)
            ),
            {each: accuracy(whole, each) - accuracy(without, each) for each in families},
        )


def in_words(found: Sequence[Taken]) -> list[str]:
    """Return sentences about heads that look and are not needed, and the other way round."""
    pairs = [(head, kind) for head in found for kind in head.kinds]
    idle = [each for each in pairs if each[1].looked >= LOOKS and abs(each[1].lost) < LEAST]
    blind = [each for each in pairs if each[1].looked <= ELSEWHERE and each[1].lost >= SORELY]
    return [
        *(
            f"Head {head} gives {kind.looked:.2f} of its attention to the right word in {kind}, "
            f"and without it alone less than {LEAST} of the answers there are lost."
            for head, kind in _plainest(idle, lambda kind: kind.looked)
        ),
        *(
            f"Without head {head}, {kind} loses {kind.lost:.2f} of its answers; the head gives "
            f"{kind.looked:.2f} of its attention to the right word there."
            for head, kind in _plainest(blind, lambda kind: kind.lost)
        ),
    ] or ["In this model no head is a plain case of either."]


def _plainest(
    pairs: Sequence[tuple[Taken, Kind]], by: Callable[[Kind], float]
) -> list[tuple[Taken, Kind]]:
    """Return the first few, each of another head and another kind."""
    found: list[tuple[Taken, Kind]] = []
    for head, kind in sorted(pairs, key=lambda each: -by(each[1])):
        if not any(head == one or str(kind) == str(other) for one, other in found):
            found.append((head, kind))
    return found[:MOST]
