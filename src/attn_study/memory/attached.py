"""The catalogue's file, attached beside the log: its tables, and how it is made and changed."""

from __future__ import annotations

import sqlite3
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

VERSION = 6  # of the tables; a catalogue of another version is made anew

TABLES = """
CREATE TABLE cache.file (
    path TEXT PRIMARY KEY, place INTEGER NOT NULL, origin TEXT NOT NULL, size INTEGER NOT NULL,
    mtime INTEGER NOT NULL, digest TEXT NOT NULL, deck TEXT NOT NULL, title TEXT NOT NULL,
    cards INTEGER NOT NULL, active INTEGER NOT NULL, complaints TEXT NOT NULL,
    formerly TEXT NOT NULL
) STRICT;
CREATE TABLE cache.card (
    id INTEGER PRIMARY KEY, card TEXT NOT NULL UNIQUE, note TEXT NOT NULL, deck TEXT NOT NULL,
    section TEXT NOT NULL, position INTEGER NOT NULL, kind TEXT NOT NULL, tags TEXT NOT NULL,
    after TEXT NOT NULL, path TEXT NOT NULL,
    text TEXT NOT NULL, seen INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX cache.card_order ON card (deck, seen, position);
CREATE INDEX cache.card_note ON card (note);
CREATE INDEX cache.card_path ON card (path);
CREATE VIEW cache.searched AS SELECT
    id, card || ' ' || json_extract(text, '$.front')
    || ' ' || ifnull(json_extract(text, '$.back'), '')
    || ' ' || ifnull(json_extract(text, '$.note'), '')
    || ' ' || ifnull(json_extract(text, '$.answer'), '')
    || iif(tags = '[]', '', ' ' || (SELECT group_concat(value, ' ') FROM json_each(tags)))
    AS text FROM card;
CREATE TABLE cache.vanished (
    card TEXT PRIMARY KEY, deck TEXT NOT NULL, text TEXT NOT NULL, heir TEXT NOT NULL
) STRICT;
CREATE INDEX cache.vanished_deck ON vanished (deck);
CREATE TABLE cache.mark (log_id INTEGER NOT NULL, uid TEXT NOT NULL) STRICT;
"""

# One look at each table and index: what is damaged is found before it is relied on.
PROBES = (
    "SELECT * FROM cache.file LIMIT 1",
    "SELECT 1 FROM cache.file WHERE path = ''",
    "SELECT * FROM cache.card LIMIT 1",
    "SELECT 1 FROM cache.card WHERE card = ''",
    "SELECT 1 FROM cache.card INDEXED BY card_order WHERE deck = ''",
    "SELECT 1 FROM cache.card INDEXED BY card_note WHERE note = ''",
    "SELECT 1 FROM cache.card INDEXED BY card_path WHERE path = ''",
    "SELECT * FROM cache.vanished LIMIT 1",
    "SELECT 1 FROM cache.vanished INDEXED BY vanished_deck WHERE deck = ''",
    "SELECT * FROM cache.mark LIMIT 1",
)
# The index of words is there only after a search
HAS_WORDS = "SELECT 1 FROM cache.sqlite_schema WHERE name = 'words'"
PROBE_WORDS = "SELECT 1 FROM cache.words WHERE words MATCH 'a' LIMIT 1"


def attach(conn: sqlite3.Connection, name: str) -> None:
    """Attach the catalogue `name`; make it anew when it is absent, damaged or of another version.

    Where the file cannot be used, an empty one in memory takes its place.
    """
    for attempt in (name, name):
        try:
            conn.execute("ATTACH ? AS cache", [attempt])
            _ensure(conn)
        except sqlite3.OperationalError:
            _detach(conn)
        except (sqlite3.DatabaseError, UnicodeDecodeError):  # as `check_tables` explains
            _detach(conn)
            with suppress(OSError):
                Path(attempt).unlink(missing_ok=True)
        else:
            return
    conn.execute("ATTACH ':memory:' AS cache")
    _ensure(conn)


def _ensure(conn: sqlite3.Connection) -> None:
    version = conn.execute("PRAGMA cache.user_version").fetchone()[0]
    conn.execute("PRAGMA cache.synchronous = NORMAL")
    if version == VERSION:
        for probe in PROBES:
            conn.execute(probe).fetchone()
        if conn.execute(HAS_WORDS).fetchone():
            conn.execute(PROBE_WORDS).fetchone()
        return
    if version:
        raise sqlite3.DatabaseError("a catalogue of another version")
    conn.execute("PRAGMA cache.journal_mode = WAL")
    conn.execute("BEGIN")
    for statement in TABLES.split(";"):
        conn.execute(statement)
    conn.execute(f"PRAGMA cache.user_version = {VERSION}")
    conn.execute("COMMIT")


def _detach(conn: sqlite3.Connection) -> None:
    if conn.in_transaction:
        conn.execute("ROLLBACK")
    if any(row[1] == "cache" for row in conn.execute("PRAGMA database_list")):
        conn.execute("DETACH cache")


def in_memory(conn: sqlite3.Connection) -> None:
    """Put an empty catalogue in memory in the place of the attached one."""
    _detach(conn)
    attach(conn, ":memory:")


@contextmanager
def writing(conn: sqlite3.Connection) -> Iterator[None]:
    """Change the catalogue as a whole or not at all. Raises sqlite3.OperationalError at
    once when another process is changing it.
    """
    patience = conn.execute("PRAGMA busy_timeout").fetchone()[0]
    conn.execute("PRAGMA busy_timeout = 0")
    conn.execute("BEGIN")
    try:
        yield
        conn.execute("COMMIT")
    except BaseException:
        if conn.in_transaction:  # a full disk has ended it already
            conn.execute("ROLLBACK")
        raise
    finally:
        conn.execute(f"PRAGMA busy_timeout = {patience}")
