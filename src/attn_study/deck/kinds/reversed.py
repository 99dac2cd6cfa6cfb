"""A reversed card: two sides, each of which is asked for the other; two cards of one note."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from attn_study.deck.card import Card
    from attn_study.deck.kinds import Response

KEYS = frozenset({"front", "back"})
MAY: frozenset[str] = frozenset()
ANSWERED: Response = "recalled"


def cards(note: Card) -> tuple[Card, ...]:
    """Return the note as it is written, and the same asked from its back."""
    return note, replace(note, id=f"{note.id}:reverse", front=note.back, back=note.front)
