"""Cards with a history that no deck holds any more: what they said, and which may follow them.

Kept in the catalogue, where the text of a card would be forgotten with it. Like all of the
catalogue it may be lost: then such a card is still known by its name.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Mapping

# A card that was put away, flagged or buried has been dealt with as much as one that was graded
KNOWN = "coalesce(due, answer_day, buried) IS NOT NULL OR suspended OR flag != ''"
BELOW = "card >= ? || '/' AND card < ? || '0'"  # the ids of one deck: 0 is what follows a /


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
    """Let go of what is in a deck again; note which card may follow which."""
    conn.execute(
        "DELETE FROM cache.vanished WHERE EXISTS "
        "(SELECT 1 FROM cache.card WHERE cache.card.card = cache.vanished.card)"
    )
    conn.executemany(
        "UPDATE cache.vanished SET heir = ? WHERE card = ?",
        [(new, old) for old, new in heirs.items()],
    )


def vanished(conn: sqlite3.Connection, deck: str) -> dict[str, Vanished]:
    """Return the cards gone from a deck whose history counts for no other card, by their ids."""
    rows = conn.execute(
        "SELECT card, text, heir FROM cache.vanished WHERE deck = ? "
        "AND card IN (SELECT card FROM main.card_state)",
        [deck],
    )
    return {row[0]: Vanished(*row) for row in rows}


def known(conn: sqlite3.Connection, deck: str) -> set[str]:
    """Return the ids below a deck's name that have a history: their own, or an adopted one."""
    query = f"SELECT card FROM main.card_state WHERE {BELOW} AND ({KNOWN})"
    return {row[0] for row in conn.execute(query, [deck, deck])}


def used(conn: sqlite3.Connection, deck: str) -> set[str]:
    """Return every id below a deck's name that stands in the log, adopted cards included."""
    query = f"SELECT DISTINCT card FROM main.log WHERE {BELOW}"
    return {row[0] for row in conn.execute(query, [deck, deck])}
