"""Offers that wait for the learner: a card that is gone may give its history to a new one."""

from __future__ import annotations

import sqlite3

from attn_study.memory.attached import writing


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
