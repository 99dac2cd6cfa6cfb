"""What `--json` says of cards: one place for its field names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attn_study.memory.search import standing

if TYPE_CHECKING:
    from datetime import date

    from attn_study.cli.study import Study
    from attn_study.deck.card import Card
    from attn_study.memory.catalogue import Entry
    from attn_study.memory.fold import CardState


def card_fields(card: Card, state: CardState, day: date) -> dict[str, object]:
    """Return a card and its state; `ease` as a factor such as 2.5, `interval` in days.

    `stability`, in days, and `difficulty` are FSRS's, null where it has not scheduled the card.
    """
    memory = state.memory
    return {
        "id": card.id,
        "deck": card.deck,
        "section": card.section,
        "kind": card.kind,
        "front": card.front,
        "tags": list(card.tags),
        "state": standing(state, day),
        "flagged": bool(state.flag),
        "leech": state.is_leech,
        "ease": memory.ease / 100,
        "interval": memory.interval,
        "repetitions": memory.repetitions,
        "lapses": memory.lapses,
        "stability": memory.stability or None,
        "difficulty": memory.difficulty or None,
        "due": memory.due,
    }


def full_fields(study: Study, entry: Entry) -> dict[str, object]:
    """Return a card with its back, its place in the file, and its rows as the log holds them."""
    card = study.text(entry)
    state = study.log.state(entry.card)
    return {
        **card_fields(card, state, study.moment().day),
        "back": card.back,
        "where": study.where(entry),
        "history": study.log.columns(entry.card),
    }
