"""Which cards the log knows under a deck's name, whether or not a deck holds them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import sqlite3

# A card that was put away, flagged or buried has been dealt with as much as one that was graded
KNOWN = "coalesce(due, answer_day, buried) IS NOT NULL OR suspended OR flag != ''"
BELOW = "card >= ? || '/' AND card < ? || '0'"  # the ids of one deck: 0 is what follows a /


def known(conn: sqlite3.Connection, deck: str) -> set[str]:
    """Return the ids below a deck's name that have a history: their own, or an adopted one."""
    query = f"SELECT card FROM main.card_state WHERE {BELOW} AND ({KNOWN})"
    return {row[0] for row in conn.execute(query, [deck, deck])}


def used(conn: sqlite3.Connection, deck: str) -> set[str]:
    """Return every id below a deck's name that stands in the log, adopted cards included."""
    query = f"SELECT DISTINCT card FROM main.log WHERE {BELOW}"
    return {row[0] for row in conn.execute(query, [deck, deck])}


def decks_of(conn: sqlite3.Connection) -> list[str]:
    """Return the decks of which the log has cards, without a look at each card."""
    found = []
    after = ""
    query = "SELECT min(card) FROM main.card_state WHERE card >= ?"
    while (card := conn.execute(query, [after]).fetchone()[0]) is not None:
        deck = card.partition("/")[0]
        found.append(deck)
        after = f"{deck}0"  # 0 follows /
    return found
