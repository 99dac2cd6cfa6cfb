"""What is lost where a format has no place for it, in words and with numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from attn_study.wording import all_counted

if TYPE_CHECKING:
    from collections.abc import Collection

    from attn_study.deck.card import Deck
    from attn_study.deck.formats.exchange import WriteOptions

HEADING = ("deck", "title", "source", "language", "formerly")  # what a deck says of itself


def common_losses(deck: Deck, options: WriteOptions) -> tuple[str, ...]:
    """Return what no table has a column for."""
    notes = deck.notes
    counts = {
        "computed card(|s)": sum(note.kind == "computed" for note in notes),
        "figure(|s)": sum(note.figure is not None for note in notes),
        "demo(|s)": sum(bool(note.demo) for note in notes),
        "list(|s) of cards that come before": sum(bool(note.after) for note in notes),
    }
    history = {"row(|s) of history, which .json carries": len(options.rows)}
    carried = ("deck", "title") if deck.title == deck.name else ("deck",)
    return (*all_counted(counts), *heading_losses(deck, carried), *all_counted(history))


def heading_of(deck: Deck) -> dict[str, Any]:
    """Return what a deck says of itself, by the keys of a deck file, empty values too."""
    values = (deck.name, deck.title, deck.source, deck.language, deck.formerly)
    return dict(zip(HEADING, values, strict=True))


def heading_losses(deck: Deck, carried: Collection[str]) -> tuple[str, ...]:
    """Return what of its heading a deck loses, where only the keys `carried` come through."""
    gone = [key for key, value in heading_of(deck).items() if value and key not in carried]
    return (f"of the deck itself: {', '.join(gone)}",) if gone else ()
