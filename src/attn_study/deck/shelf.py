"""All decks beside each other: what is wrong with how they speak of one another."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attn_study.deck.complaint import Complaint
from attn_study.deck.order import cycles, told
from attn_study.deck.standing import alike, standing
from attn_study.errors import near

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from attn_study.deck.card import Card, Deck
    from attn_study.deck.library import DeckFile
    from attn_study.deck.reader import Reading


def complaints(readings: Sequence[tuple[DeckFile, Reading]]) -> list[Complaint]:
    """Return every complaint about any file: what each says by itself, then beside the others."""
    found = [one for _, reading in readings for one in reading.complaints]
    named = [(file.origin, reading.deck) for file, reading in readings if reading.deck]
    holders = standing((origin, deck.name) for origin, deck in named)
    stand = [named[at][1] for at in holders.values()]
    for origin, deck in named:
        _, holder = named[holders[alike(deck.name)]]
        gave_way = origin == "built-in" and holder.name == deck.name
        if holder is not deck and not gave_way:
            found.append(_clash(deck, holder))
    return [*found, *_dangling(stand), *_circles(stand)]


def _clash(deck: Deck, standing: Deck) -> Complaint:
    same = f"a deck called {standing.name!r}"
    what = f"{standing.path} already holds {same}, so {deck.name!r} here is not read"
    return Complaint(deck.path, 0, 0, what, hint="give one of them another `deck:` name")


def _circles(decks: Sequence[Deck]) -> Iterable[Complaint]:
    """Complain of cards that wait for each other, at one in the last deck that has a part in it.

    A deck that is asked about comes last, and the circle is the one that it closes.
    """
    where: dict[str, tuple[int, Card]] = {}
    for at, deck in enumerate(decks):
        for card in deck.cards:
            where.setdefault(card.stem, (at, card))
    waits = {stem: [_stem(one) for one in card.after] for stem, (_, card) in where.items()}
    for names in cycles(waits):
        at, card = where[max(reversed(names), key=lambda name: where[name][0])]
        what = f"these cards wait for each other: {told(names)}"
        yield _about(decks[at], card, what, "take one `after` out")


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
    said = f"{card.id}: {what}"
    return Complaint(deck.path, card.line, 1, said, hint=hint, warning=warning, card=card.stem)


def _stem(full: str) -> str:
    return full.partition(":")[0]
