"""Which new card a vanished one has become, when its id hung on the text that was changed."""

from __future__ import annotations

from difflib import SequenceMatcher
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

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
