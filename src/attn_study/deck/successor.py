"""Which new card a vanished one has become, when its id hung on the text that was changed."""

from __future__ import annotations

from collections import Counter
from difflib import SequenceMatcher
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from attn_study.deck.card import Card

ALIKE = 0.6  # share of two fronts that agrees; under it they are two cards
SAME_BACK = 0.3  # enough where the backs are the same
COMPARED = 300  # characters of each front: matching takes time with the square of their number
MOST = 50  # cards on either side; more were not edited but exchanged


def successors(gone: Iterable[Card], fresh: Iterable[Card]) -> list[tuple[str, str]]:
    """Pair the ids of vanished cards with those of new cards that read nearly the same.

    Only a card without a written id loses its name with its text; the new one may have been given
    an id since. Each is paired once, the most alike first.
    """
    old = [card for card in gone if not card.written_id]
    new = list(fresh)
    if max(len(old), len(new)) > MOST:
        return []
    pairs = sorted(
        ((_alike(before, after), before.id, after.id) for before in old for after in new),
        key=lambda pair: (-pair[0], pair[1:]),
    )
    found: dict[str, str] = {}
    for share, before, after in pairs:
        if share and before not in found and after not in found.values():
            found[before] = after
    return list(found.items())


def reworded(
    edited: Mapping[str, tuple[str, str]], fresh: Mapping[str, tuple[str, str]]
) -> list[tuple[str, str]]:
    """Pair what has the same answer to a question that reads nearly alike, by names.

    Each name stands for a question and its answer. Where two would do, none is taken.
    """
    if max(len(edited), len(fresh)) > MOST:
        return []
    pairs = [
        (old, new)
        for old, (question, answer) in edited.items()
        for new, (other, same) in fresh.items()
        if answer == same != "" and _share(question, other) >= ALIKE
    ]
    olds, news = Counter(old for old, _ in pairs), Counter(new for _, new in pairs)
    return [(old, new) for old, new in pairs if olds[old] == news[new] == 1]


def _share(text: str, other: str) -> float:
    """Return how much of two questions agrees, from 0 to 1."""
    return SequenceMatcher(None, text[:COMPARED], other[:COMPARED]).ratio()


def _alike(before: Card, after: Card) -> float:
    """Return how much two cards agree, 0 where they are two cards."""
    if before.kind != after.kind:
        return 0.0
    same_back = before.back == after.back != ""
    matcher = SequenceMatcher(None, before.front[:COMPARED], after.front[:COMPARED])
    floor = SAME_BACK if same_back else ALIKE
    if min(matcher.real_quick_ratio(), matcher.quick_ratio()) < floor:
        return 0.0
    share = matcher.ratio()
    return share + same_back if share >= floor else 0.0
