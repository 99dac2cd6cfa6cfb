"""Small decks for the tests of the reader, and what is asked of a reading."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from attn_study.deck.reader import Reading, parse

if TYPE_CHECKING:
    from attn_study.deck.card import Card
    from attn_study.deck.complaint import Complaint

HERE = Path("my.yaml")
TOP = "deck: mine\ncards:\n"
GOOD = "  - id: good\n    front: Q\n    back: A\n"
LAST = "  - id: last\n    front: Q2\n    back: A2\n"


def deck(text: str) -> Reading:
    return parse(text, HERE)


def with_card(card: str) -> Reading:
    """A deck whose middle card has these lines; the first of them stands on line 6."""
    lines = card.split("\n")
    body = "".join(f"    {line}\n" for line in lines)
    return deck(f"{TOP}{GOOD}  - {body[4:]}{LAST}")


def cards(reading: Reading) -> tuple[Card, ...]:
    assert reading.deck is not None
    return reading.deck.cards


def ids(reading: Reading) -> list[str]:
    return [card.id.removeprefix("mine/") for card in cards(reading)]


def places(reading: Reading) -> list[tuple[int, int]]:
    return [(one.line, one.column) for one in reading.complaints]


def only(reading: Reading) -> Complaint:
    assert len(reading.complaints) == 1, [str(one) for one in reading.complaints]
    return reading.complaints[0]
