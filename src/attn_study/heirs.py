"""Which card of a deck follows one that is gone and has a history."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attn_study.memory.logged import known
from attn_study.memory.vanished import vanished

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from attn_study.deck.card import Card, Deck
    from attn_study.memory.catalogue import Catalogue


def heirs(catalogue: Catalogue, deck: Deck) -> dict[str, str]:
    """Pair the cards that the log knows and `deck` does not hold with those that follow them.

    A card follows one other at most. What was found when a card went stands; else only cards that
    nobody has answered and that were not beside the old one come into question: of the same note,
    with the same front, or reading nearly the same, in this order.
    """
    learned = known(catalogue.conn, deck.name)
    there = {card.id for card in deck.cards}
    lost = learned - there
    if not lost:
        return {}
    gone = vanished(catalogue.conn, deck.name)
    texts = catalogue.texts(deck.name)
    found = {old: gone[old].heir for old in sorted(lost & gone.keys()) if gone[old].heir in there}
    new = [card for card in deck.cards if card.id not in learned and card.id not in texts]
    _pair(found, deck, lost & {*gone, *texts}, new)
    # Of the others it is not known when they went: the catalogue was lost since
    unseen = [card for card in deck.cards if card.id not in learned]
    _pair(found, deck, lost - {*gone, *texts}, unseen)
    said = {name: one.text for name, one in gone.items() if one.text} | texts
    _pair_alike(found, [said[old] for old in sorted(lost & said.keys())], new)
    return found


def offer(old: str, new: str) -> str:
    """Return words that offer the history of a vanished card to the one that follows it."""
    return (
        f"{new} reads nearly like {old}, which is gone: to keep its history, "
        f"`attn-study card adopt {old} {new}`"
    )


def _pair(found: dict[str, str], deck: Deck, lost: Collection[str], new: Sequence[Card]) -> None:
    """Add the pairs that names show."""
    for pairs in (_same_notes, _same_fronts):
        left = [old for old in sorted(lost) if old not in found]
        taken = set(found.values())
        found |= pairs(deck, left, [card.id for card in new if card.id not in taken])


def _same_notes(_: Deck, lost: Sequence[str], new: Sequence[str]) -> dict[str, str]:
    """Cards whose note is there, but makes one other card now: its kind was changed."""
    gone, made = _by_note(lost), _by_note(new)
    return {
        old[0]: made[note][0]
        for note, old in gone.items()
        if len(old) == 1 == len(made.get(note, ()))
    }


def _by_note(names: Sequence[str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for name in names:
        found.setdefault(name.partition(":")[0], []).append(name)
    return found


def _same_fronts(deck: Deck, lost: Sequence[str], new: Sequence[str]) -> dict[str, str]:
    """Cards that were given an id since: the old one is told by the front, which is the same."""
    from attn_study.deck.note import automatic_id

    given: dict[str, str] = {}
    for note in deck.notes:
        given.setdefault(f"{deck.name}/{automatic_id(note.asked)}", note.id)
    pairs = ((old, *old.partition(":")) for old in lost)
    found = {old: given[note] + colon + part for old, note, colon, part in pairs if note in given}
    unseen = set(new)
    return {old: heir for old, heir in found.items() if heir in unseen}


def _pair_alike(found: dict[str, str], lost: Sequence[str], new: Sequence[Card]) -> None:
    """Add the pairs of cards that read nearly the same; `lost` is what `Card.to_json` gave."""
    from attn_study.deck.card import Card
    from attn_study.deck.successor import successors

    taken = set(found.values())
    old = [card for card in map(Card.from_json, lost) if card.id not in found]
    found |= dict(successors(old, [card for card in new if card.id not in taken]))
