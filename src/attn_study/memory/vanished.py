"""Cards with a history that no deck holds any more: what they said, which card may follow each.

Kept in the catalogue, where the text of a card would be forgotten with it. Like all of the
catalogue it may be lost: then such a card is still known by its name.
"""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from typing import TYPE_CHECKING

from attn_study.memory.attached import writing

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


@dataclass(frozen=True, slots=True)
class Vanished:
    """A card that is gone; `heir` is the card that was found to read nearly the same, or empty."""

    card: str
    text: str
    heir: str


def keep(conn: sqlite3.Connection, paths: Iterable[str]) -> None:
    """Keep the cards with a history of files whose cards are about to be dropped."""
    conn.executemany(
        "INSERT OR REPLACE INTO cache.vanished SELECT card, deck, text, '' FROM cache.card "
        "WHERE path = ? AND card IN (SELECT card FROM main.card_state)",
        [[path] for path in paths],
    )


def settle(conn: sqlite3.Connection, heirs: Mapping[str, str]) -> None:
    """Let go of what is in a deck again; note which card may follow which.

    Of a card that is known by its name alone the text is empty.
    """
    conn.execute(
        "DELETE FROM cache.vanished WHERE EXISTS "
        "(SELECT 1 FROM cache.card WHERE cache.card.card = cache.vanished.card)"
    )
    conn.executemany(
        "INSERT INTO cache.vanished VALUES (?, ?, '', ?) "
        "ON CONFLICT (card) DO UPDATE SET heir = excluded.heir",
        [(old, old.partition("/")[0], new) for old, new in heirs.items()],
    )


def vanished(conn: sqlite3.Connection, deck: str) -> dict[str, Vanished]:
    """Return the cards gone from a deck whose history counts for no other card, by their ids."""
    rows = conn.execute(
        "SELECT card, text, heir FROM cache.vanished WHERE deck = ? "
        "AND card IN (SELECT card FROM main.card_state)",
        [deck],
    )
    return {row[0]: Vanished(*row) for row in rows}


def waiting(conn: sqlite3.Connection) -> list[tuple[str, str]]:
    """Return (gone card, its likely successor) pairs: the one has a history still, the other is
    in a deck.
    """
    rows = conn.execute(
        "SELECT card, heir FROM cache.vanished WHERE heir IN (SELECT card FROM cache.card) "
        "AND card IN (SELECT card FROM main.card_state) "
        "AND card NOT IN (SELECT card FROM cache.card) ORDER BY card"
    )
    return rows.fetchall()


def turn_down(conn: sqlite3.Connection, card: str) -> None:
    """Offer the history of `card` no more, if the catalogue is free to note it."""
    try:
        with writing(conn):
            conn.execute("UPDATE cache.vanished SET heir = '' WHERE card = ?", [card])
    except sqlite3.DatabaseError:
        return  # it is offered once more
