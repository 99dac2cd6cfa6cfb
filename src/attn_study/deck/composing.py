"""The text of a whole deck, from its heading and its notes."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

from attn_study.deck.layout import behind, item
from attn_study.deck.quoting import STEP, scalar

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from attn_study.deck.spelling import Value


@dataclass(frozen=True, slots=True)
class Heading:
    """What a deck file says before its cards."""

    deck: str
    title: str
    source: str = ""
    language: str = ""
    formerly: tuple[str, ...] = ()


def compose(heading: Heading, notes: Sequence[tuple[str, Mapping[str, Value]]]) -> str:
    """Return a deck file: pairs of a section and the keys of a note, in order.

    A section that comes again later is a section of its own again. Raises UserError for invisible
    characters.
    """
    keys: dict[str, Value] = {
        "deck": heading.deck,
        "title": heading.title,
        "source": heading.source,
        "language": heading.language,
        "formerly": heading.formerly,
    }
    head = "".join(f"{key}:{behind(value, 0)}\n" for key, value in keys.items() if value)
    if not notes:
        return f"{head}cards: []\n"
    if not any(section for section, _ in notes):
        return f"{head}cards:\n{listing([fields for _, fields in notes], STEP)}"
    written = [
        section(title, [fields for _, fields in inside], STEP)
        for title, inside in groupby(notes, key=lambda note: note[0])
    ]
    return f"{head}sections:\n{''.join(written)}"


def section(title: str, notes: Sequence[Mapping[str, Value]], dash: int) -> str:
    """Return one section as an item of the list of sections."""
    margin = " " * dash
    heading = f"{margin}- title: {scalar(title, dash + STEP)}\n{margin}  cards:\n"
    return heading + listing(notes, dash + 2 * STEP)


def listing(notes: Sequence[Mapping[str, Value]], dash: int, keys: int = 0) -> str:
    """Return notes as the items of a list, a blank line between them."""
    items = [item(fields, dash, keys or dash + STEP) for fields in notes]
    return "".join(map(spaced, items[:-1])) + "".join(items[-1:])


def spaced(text: str) -> str:
    """Return lines with a blank one behind them, where that does not become part of a text."""
    return text if text.endswith("\n\n") else f"{text}\n"
