"""Which words never meet in training: the pairs of the textbook, and one pair in eight.

Those of the textbook never stand in one text, the others never in one phrase.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from attn_study.language.words import PLURALS

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

Split = Literal["training", "choosing", "reporting", "textbook"]

TEXTBOOK = frozenset(
    frozenset(words)
    for words in (
        ("chicken", "road"),
        ("animal", "street"),
        ("trophy", "suitcase"),
        ("key", "cabinet"),
        ("creature", "fluffy"),
        ("eiffel", "miniature"),
        ("bank", "pond"),
        ("bank", "money"),
        ("mole", "shrew"),
        ("mole", "biopsy"),
        ("mole", "carbon"),
        ("mole", "agency"),
        ("harry", "potter", "john", "reed"),
    )
)
ROUND = 16  # one pair in 16 is for choosing among models, one in 16 for reporting


def meets(words: Collection[str]) -> bool:
    """Return whether a text holds all words of a pair of the textbook, in any number."""
    ones = {*words, *(one for one, many in PLURALS.items() if many in words)}
    return any(pair <= ones for pair in TEXTBOOK)


def split(one: str, other: str, ones: Sequence[str], others: Sequence[str]) -> Split:
    """Return where sentences with this pair belong; each word is held out about equally often."""
    if frozenset((one, other)) in TEXTBOOK:
        return "textbook"
    at = (5 * ones.index(one) + 3 * others.index(other)) % ROUND
    return "choosing" if at == 0 else "reporting" if at == ROUND // 2 else "training"


def of_all(splits: Sequence[Split]) -> Split:
    """Return where a sentence with several pairs belongs.

    Training takes only pairs of training; a sentence with pairs held out for different ends is
    for none of them, and counts as one of the textbook.
    """
    held = {each for each in splits if each != "training"}
    if not held:
        return "training"
    return held.pop() if len(held) == 1 else "textbook"
