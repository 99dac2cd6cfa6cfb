"""How many cards a study day takes, and what of that is left."""

from __future__ import annotations

from collections import Counter
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Mapping
    from datetime import date


class Limit(NamedTuple):
    """The most cards of each sort on one study day."""

    new: int
    reviews: int


class Limits(NamedTuple):
    """The limit for everything together, and those of single decks."""

    total: Limit
    decks: Mapping[str, Limit] = MappingProxyType({})

    def of(self, deck: str) -> Limit:
        """Return the limit of one deck: the common one unless it has its own."""
        return self.decks.get(deck, self.total)


class Done(NamedTuple):
    """How many cards were studied on a day, by deck; from the log, so a restart gives no more."""

    new: Counter[str]
    reviews: Counter[str]


class Room:
    """What the limits leave for one sort of card, counted down as cards are taken."""

    def __init__(self, total: int, of_deck: Callable[[str], int], done: Counter[str]) -> None:
        self._left = total - done.total()
        self._of_deck = of_deck
        self._taken = Counter(done)

    def is_full(self) -> bool:
        """Return whether no card at all may be taken."""
        return self._left <= 0

    def takes(self, deck: str) -> bool:
        """Return whether a card of `deck` may be taken."""
        return not self.is_full() and self._taken[deck] < self._of_deck(deck)

    def take(self, deck: str) -> None:
        """Take one card of `deck`."""
        self._taken[deck] += 1
        self._left -= 1


def done_on(conn: sqlite3.Connection, day: date) -> Done:
    """Count the live reviews of a study day."""
    done = Done(Counter(), Counter())
    query = "SELECT card, first_day = review_day FROM card_state WHERE review_day = ?"
    for card, is_first in conn.execute(query, [day.isoformat()]):
        counted = done.new if is_first else done.reviews
        counted[card.partition("/")[0]] += 1
    return done
