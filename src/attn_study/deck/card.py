"""A deck and its cards, as values."""

from __future__ import annotations

import json
from dataclasses import MISSING, asdict, dataclass, fields
from operator import attrgetter
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class Figure:
    """Words shaded by weight, shown with the answer.

    `asks` is the token whose view this is; `weights` has one number from 0 to 1 a token.
    """

    tokens: tuple[str, ...]
    weights: tuple[float, ...]
    asks: str


@dataclass(frozen=True, slots=True)
class Option:
    """One answer on offer; `why` says why it is wrong, where the deck says so."""

    text: str
    why: str = ""


@dataclass(frozen=True, slots=True)
class Card:
    """One question and its answer, or a note that makes several of them.

    `id` is `deck/name`, or `deck/name:part` for a card that shares its note with others.
    `after` holds such ids. `line` is where the note starts in the deck file, from 1.
    Every text is as typed in the deck: it may hold `\\( … \\)`, `\\[ … \\]`, and anything else.
    `cloze` is the text with its holes, `options` stand in the order of the file.
    """

    id: str
    kind: str
    front: str
    back: str
    section: str = ""
    note: str = ""
    tags: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    question: str = ""
    cloze: str = ""
    answer: str = ""
    options: tuple[Option, ...] = ()
    accept: tuple[str, ...] = ()
    tolerance: float | None = None
    figure: Figure | None = None
    demo: str = ""
    knobs: tuple[tuple[str, str], ...] = ()
    line: int = 0
    written_id: bool = True

    @property
    def deck(self) -> str:
        """The short name of the deck."""
        return self.id.partition("/")[0]

    @property
    def name(self) -> str:
        """The id without the deck."""
        return self.id.partition("/")[2]

    @property
    def asked(self) -> str:
        """What the note asks, as it is written: a note without an id is known by it."""
        return self.front or self.cloze or self.question

    @property
    def stem(self) -> str:
        """The note the card was made from: siblings share it."""
        return self.id.partition(":")[0]

    def to_json(self) -> str:
        """Return the card as one line of JSON, for `from_json`; what is as usual is left out."""
        found = {
            name: value
            for name, value, usual in zip(PLAIN, PLAIN_OF(self), USUAL, strict=True)
            if value != usual
        }
        if self.options:
            found["options"] = [asdict(option) for option in self.options]
        if self.figure:
            found["figure"] = asdict(self.figure)
        return ENCODE(found)

    @classmethod
    def from_json(cls, text: str) -> Card:
        """Return the card that `to_json` wrote."""
        found = json.loads(text)
        figure, options = found.pop("figure", None), found.pop("options", ())
        return cls(
            **{name: _frozen(value) for name, value in found.items()},
            figure=figure and Figure(**{name: _frozen(value) for name, value in figure.items()}),
            options=tuple(Option(**option) for option in options),
        )


# The fields of a card that are no values of their own, and what each is where nothing is said of it
PLAIN = tuple(field.name for field in fields(Card) if field.name not in {"options", "figure"})
PLAIN_OF = attrgetter(*PLAIN)
USUAL = tuple(
    None if field.default is MISSING else field.default
    for field in fields(Card)
    if field.name in PLAIN
)
# Making an encoder takes longer than encoding a card
ENCODE = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def _frozen(value: Any) -> Any:
    """JSON knows lists only; a card holds tuples."""
    return tuple(_frozen(item) for item in value) if isinstance(value, list) else value


@dataclass(frozen=True, slots=True)
class Deck:
    """One deck file: its cards in order of the file, under their sections.

    `notes` are what the cards were made from: a note with two sides to ask makes two cards.
    """

    name: str
    title: str
    path: Path
    cards: tuple[Card, ...]
    source: str = ""
    language: str = ""
    formerly: tuple[str, ...] = ()
    notes: tuple[Card, ...] = ()
