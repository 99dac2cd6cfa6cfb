"""The format of study.db: what marks a file as ours, and how a newer one is refused."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

from attn_study.errors import UserError

if TYPE_CHECKING:
    from pathlib import Path

VERSION = 2  # of the tables, in PRAGMA user_version
APPLICATION = 0x61747374  # "atst" in PRAGMA application_id marks the file as ours
HEADER = 100  # bytes of an SQLite file header
MAGIC = b"SQLite format 3\0"  # what every SQLite file begins with


def check_tables(conn: sqlite3.Connection) -> None:
    """Read what tables there are, as every statement must; raises sqlite3.Error.

    Where SQLite names a damaged text, the words it is named in are no UTF-8, and Python says only
    that.
    """
    try:
        conn.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    except UnicodeDecodeError as error:
        raise sqlite3.DatabaseError("malformed database schema: a text is no UTF-8") from error


def newer_format(conn: sqlite3.Connection, path: Path, version: int, program: str) -> UserError:
    """Return the refusal of a study in a format that this program does not know yet."""
    try:
        row = conn.execute("SELECT value FROM meta WHERE key = 'written_by'").fetchone()
    except sqlite3.Error:
        row = None
    writer = f"attn-study {row[0]}" if row else "a newer attn-study"
    return UserError(
        f"this database has format {version}, written by {writer}; "
        f"this is attn-study {program}, which reads formats up to {VERSION}",
        where=str(path),
        hint="update attn-study; nothing was changed",
    )
