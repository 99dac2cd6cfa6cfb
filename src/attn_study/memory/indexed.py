"""The index of the words in all cards: made when a word is first looked for.

Most commands look for none, and to index a large deck takes as long as to note its cards. So any
change of the cards drops the index, and the next search makes it again.
"""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

from attn_study.memory.attached import HAS_WORDS, PROBE_WORDS, writing

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeVar

    Found = TypeVar("Found")

# It holds no copy of the texts, which stand in the table of cards
MAKE = """CREATE VIRTUAL TABLE {schema}.words USING fts5 (
    text, content = '', tokenize = 'unicode61 remove_diacritics 2', columnsize = 0
)"""
FILL = "INSERT INTO {schema}.words (rowid, text) SELECT id, text FROM cache.searched"


def with_words(conn: sqlite3.Connection, ask: Callable[[str], Found]) -> Found:
    """Return what `ask` finds; it is given the schema in which the table `words` is up to date.

    Where the catalogue cannot be written, the index is made for this connection alone.
    """
    try:
        if conn.execute(HAS_WORDS).fetchone() is None:
            with writing(conn):
                _make(conn, "cache")
        conn.execute(PROBE_WORDS).fetchone()
        return ask("cache")
    except sqlite3.DatabaseError:  # held by another process, dropped by one, or not to be written
        conn.execute("DROP TABLE IF EXISTS temp.words")
        _make(conn, "temp")
        return ask("temp")


def _make(conn: sqlite3.Connection, schema: str) -> None:
    conn.execute(MAKE.format(schema=schema))
    conn.execute(FILL.format(schema=schema))
