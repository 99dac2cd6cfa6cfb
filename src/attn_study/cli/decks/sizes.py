"""How large a deck is, in words."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from attn_study.wording import cards, counted

if TYPE_CHECKING:
    from attn_study.deck.card import Deck


def size(deck: Deck) -> str:
    """Return how many cards a deck has, and from how many notes where some make several."""
    number = cards(len(deck.cards))
    if len(deck.cards) == len(deck.notes):
        return number
    return f"{number} from {counted(len(deck.notes), 'note(|s)')}"


def makers(deck: Deck) -> str:
    """Return, in brackets, which kinds of note make how many cards; "" where each makes one."""
    made = Counter(card.kind for card in deck.cards)
    notes = Counter(note.kind for note in deck.notes)
    more = [
        f"{made[kind]} from {number} {kind}"
        for kind, number in sorted(notes.items())
        if made[kind] != number
    ]
    return f" ({', '.join(more)})" if more else ""
