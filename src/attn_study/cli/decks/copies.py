"""A learner's copy of a deck that came with the program, beside the deck as it is shipped now."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from attn_study.wording import cards

if TYPE_CHECKING:
    from attn_study.deck.card import Deck


def copy_notes(own: Deck, shipped: Deck) -> list[str]:
    """Return a line that counts what differs, card by card; nothing where both say the same."""
    mine, theirs = (
        {card.id: replace(card, line=0, section="") for card in deck.cards}
        for deck in (own, shipped)
    )
    new = len(theirs.keys() - mine.keys())
    changed = sum(mine[name] != theirs[name] for name in mine.keys() & theirs.keys())
    gone = len(mine.keys() - theirs.keys())
    if not (new or changed or gone):
        return []
    differs = f"{cards(new)} new there, {changed} changed, {gone} gone"
    back = f"`attn-study deck remove {own.name}` puts the copy aside for it, and progress stays"
    return [f"the {own.name} that comes with the program differs from this copy: {differs}; {back}"]
