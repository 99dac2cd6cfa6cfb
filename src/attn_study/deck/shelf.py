"""All decks beside each other: which file a name means, and what they say of one another."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from attn_study.deck.complaint import Complaint
from attn_study.deck.order import cycles
from attn_study.errors import near

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from attn_study.deck.card import Card, Deck
    from attn_study.deck.library import DeckFile
    from attn_study.deck.reader import Reading


@dataclass(frozen=True, slots=True)
class Shelf:
    """The decks that stand, in order of their files, and every complaint about any file.

    `replaced` are the built-in decks that gave way to a learner's deck of the same name.
    """

    decks: tuple[Deck, ...]
    complaints: tuple[Complaint, ...]
    replaced: tuple[Deck, ...]


def resolve(readings: Sequence[tuple[DeckFile, Reading]]) -> Shelf:
    """Decide which deck each name means.

    A learner's deck takes the place of the built-in one of exactly its name. Otherwise the
    first of two files with the same name stays, names alike but for case or Unicode form
    included, and the other is complained about.
    """
    complaints = [one for _, reading in readings for one in reading.complaints]
    places: dict[str, tuple[DeckFile, Deck]] = {}
    replaced = []
    for file, reading in readings:
        deck = reading.deck
        if deck is None:
            continue
        other, standing = places.setdefault(_fold(deck.name), (file, deck))
        if standing is deck:
            continue
        if other.origin == "built-in" != file.origin and standing.name == deck.name:
            places[_fold(deck.name)] = file, deck
            replaced.append(standing)
        else:
            complaints.append(_clash(deck, standing))
    decks, found = _linked([deck for _, deck in places.values()])
    return Shelf(decks, (*complaints, *found), tuple(replaced))


def _fold(name: str) -> str:
    """Equal for names that a file system or a reader may take for the same."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())


def _clash(deck: Deck, standing: Deck) -> Complaint:
    same = f"a deck called {standing.name!r}"
    what = f"{standing.path} already holds {same}, so {deck.name!r} here is not read"
    return Complaint(deck.path, 0, 0, what, hint="give one of them another `deck:` name")


def _linked(decks: Sequence[Deck]) -> tuple[tuple[Deck, ...], list[Complaint]]:
    """Check what cards say of cards in other decks; a card that closes a circle is left out."""
    complaints = list(_dangling(decks))
    where = {card.id: (deck, card) for deck in decks for card in deck.cards}
    waits = {card.stem: [_stem(one) for one in card.after] for _, card in where.values()}
    out = set()
    for names in cycles(waits):
        closing = next(pair for key, pair in where.items() if _stem(key) == names[-1])
        circle = " → ".join((*names, names[0]))
        what = f"these cards wait for each other: {circle}"
        complaints.append(_about(*closing, what, "take one `after` out"))
        out.add(names[-1])
    return tuple(_without(deck, out) if out else deck for deck in decks), complaints


def _without(deck: Deck, stems: set[str]) -> Deck:
    return replace(deck, cards=tuple(card for card in deck.cards if card.stem not in stems))


def _dangling(decks: Sequence[Deck]) -> Iterable[Complaint]:
    """Warn of references into other decks that lead nowhere."""
    known = {deck.name: {card.stem for card in deck.cards} for deck in decks}
    former = {name: deck.name for deck in decks for name in deck.formerly}
    for deck in decks:
        for card in deck.cards:
            for full in card.after:
                home, _, name = _stem(full).partition("/")
                if home == deck.name or _stem(full) in known.get(home, ()):
                    continue
                if home in known:
                    what = f"`after` names {full!r}, and the deck {home!r} has no such card"
                    hint = near(name, (one.partition("/")[2] for one in known[home]))
                elif home in former:
                    what = f"`after` names {full!r}, and that deck has a new name"
                    hint = f"write {former[home]}/{name}"
                else:
                    what = f"`after` names {full!r}, and there is no deck {home!r}"
                    hint = near(home, known)
                yield _about(deck, card, what, hint, warning=True)


def _about(deck: Deck, card: Card, what: str, hint: str, *, warning: bool = False) -> Complaint:
    return Complaint(deck.path, card.line, 1, f"{card.id}: {what}", hint=hint, warning=warning)


def _stem(full: str) -> str:
    return full.partition(":")[0]
