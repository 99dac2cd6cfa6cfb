"""Words without meaning, once and once more: what came next last time comes next.

zib wug dax fep zib wug | dax
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from attn_study.language.dice import happens, pick, several
from attn_study.language.sentence import Sentence
from attn_study.language.words import NONSENSE, STOP

if TYPE_CHECKING:
    from random import Random

    from attn_study.language.apart import Split


def build(words: tuple[str, ...], decides: int) -> Sentence:
    """Return the sentence; the word at `decides` has stood in it once before."""
    target = words.index(words[decides]) + 1
    again = tuple(
        at
        for at, (word, after) in enumerate(pairwise(words))
        if words.index(word) < at and words[words.index(word) + 1] == after
    )
    return Sentence(
        "repeat",
        (*words, STOP),
        decides,
        words[decides + 1],
        decides,
        target,
        kind="repeat",
        also=again,
    )


def draw(rng: Random) -> tuple[Sentence, Split]:
    """Return a sequence repeated as it was, or as pairs in another order.

    The sequences are random, so nothing is held out; every split draws its own.
    """
    if happens(rng, 0.5):
        once = several(rng, NONSENSE, pick(rng, (4, 5, 6, 7)))
        at = len(once) + int(rng.random() * (len(once) - 1))
        return build((*once, *once), at), "training"
    n = pick(rng, (3, 4, 5))
    flat = several(rng, NONSENSE, 2 * n)
    pairs = list(zip(flat[::2], flat[1::2], strict=True))
    shuffled = several(rng, pairs, n)
    words = tuple(word for each in (*pairs, *shuffled) for word in each)
    return build(words, 2 * n + 2 * int(rng.random() * n)), "training"
