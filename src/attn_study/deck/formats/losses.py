"""What is lost with every format that is a table of texts, in words and with numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attn_study.wording import all_counted

if TYPE_CHECKING:
    from attn_study.deck.card import Deck
    from attn_study.deck.formats import WriteOptions

HEADING = ("title", "source", "language", "formerly")


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
    kept = [key for key in HEADING if getattr(deck, key) not in ("", (), deck.name)]
    heading = (f"of the deck itself: {', '.join(kept)}",) if kept else ()
    return (*all_counted(counts), *heading, *all_counted(history))
