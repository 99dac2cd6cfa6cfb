"""A choice card: several answers are on offer, one of them is right."""

from __future__ import annotations

from dataclasses import replace
from hashlib import blake2b
from typing import TYPE_CHECKING

from attn_study.deck.kinds import Verdict

if TYPE_CHECKING:
    from attn_study.deck.card import Card, Option
    from attn_study.deck.kinds import Response

KEYS = frozenset({"front", "answer", "choices"})
MAY = frozenset({"back"})
ANSWERED: Response = "chosen"

RIGHT, WRONG = 4, 1  # grades: one in four is hit by luck, so a right choice is never "easy"


def cards(note: Card) -> tuple[Card, ...]:
    """Return the note as one card; without a back the right answer is shown."""
    return (replace(note, back=note.back or note.answer),)


def check(card: Card, given: str) -> Verdict:
    """Compare the text of the option chosen with the right one."""
    right = given == card.answer
    why = next((option.why for option in card.options if option.text == given), "")
    return Verdict(right, RIGHT if right else WRONG, (), card.answer, "" if right else why)


def shuffled(card: Card, number: int) -> tuple[Option, ...]:
    """Return the options in an order that hangs on `number` alone, the same on every machine."""

    def place(option: Option) -> bytes:
        return blake2b(f"{number}|{card.id}|{option.text}".encode(), digest_size=8).digest()

    return tuple(sorted(card.options, key=place))
