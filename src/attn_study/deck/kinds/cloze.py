"""A cloze card: a text with holes; one card for each number, which asks for its holes."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from attn_study.deck.holes import Hole, parts

if TYPE_CHECKING:
    from attn_study.deck.card import Card
    from attn_study.deck.kinds import Response

KEYS = frozenset({"cloze"})
MAY = frozenset({"back"})
ANSWERED: Response = "recalled"


def cards(note: Card) -> tuple[Card, ...]:
    """Return a card for each number, the smallest first."""
    found = parts(note.cloze)
    numbers = sorted({part.number for part in found if isinstance(part, Hole)})
    return tuple(_card(note, found, number) for number in numbers)


def _card(note: Card, found: tuple[str | Hole, ...], number: int) -> Card:
    """The text with the holes of one number empty; what was in them, then what the note adds."""
    front = "".join(_shown(part, number) for part in found)
    filled = [part for part in found if isinstance(part, Hole) and part.number == number]
    answers = "\n".join(dict.fromkeys(hole.alone for hole in filled))
    back = f"{answers}\n\n{note.back}" if note.back else answers
    return replace(note, id=f"{note.id}:c{number}", front=front, back=back)


def _shown(part: str | Hole, number: int) -> str:
    if isinstance(part, str):
        return part
    return part.empty if part.number == number else part.text
