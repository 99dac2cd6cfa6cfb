"""A basic card: a front, and a back that the learner compares with what came to mind."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from attn_study.deck.card import Card
    from attn_study.deck.kinds import Response

KEYS = frozenset({"front", "back"})
MAY: frozenset[str] = frozenset()
ANSWERED: Response = "recalled"


def cards(note: Card) -> tuple[Card, ...]:
    """Return the note itself, which is one card."""
    return (note,)
