"""A computed card: a lesson asks for a number, drawn fresh each time the card is shown."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from attn_study.deck.card import Card
    from attn_study.deck.kinds import Response, Verdict

KEYS = frozenset({"question"})
MAY = frozenset({"front", "back"})
ANSWERED: Response = "typed"


def cards(note: Card) -> tuple[Card, ...]:
    """Return the note as one card; lists show its front, or the question's name without one."""
    return (replace(note, front=note.front or f"By hand: {note.question}"),)


def check(card: Card, given: str) -> Verdict:
    """Nothing typed can be judged without the numbers that were drawn."""
    raise NotImplementedError(f"{card.id} is judged by its lesson")
