"""Which installation writes: an id of its own for every copy of a home."""

from __future__ import annotations

from os import urandom
from typing import TYPE_CHECKING

from attn_study.memory.database import transaction

if TYPE_CHECKING:
    import sqlite3


def device_id(conn: sqlite3.Connection, fingerprint: str) -> str:
    """Return this installation's id, made new when the home was copied.

    `fingerprint` tells one home on one machine from every other. Two copies must not write
    under one id, or each would take the other's rows for its own.
    """
    known = _known(conn)
    if known.get("fingerprint") != fingerprint:
        with transaction(conn):
            known = _known(conn)  # another process may have been first
            if known.get("fingerprint") != fingerprint:
                known = {"device": urandom(8).hex(), "fingerprint": fingerprint}
                conn.executemany("INSERT OR REPLACE INTO meta VALUES (?, ?)", known.items())
    return known["device"]


def _known(conn: sqlite3.Connection) -> dict[str, str]:
    query = "SELECT key, value FROM meta WHERE key IN ('device', 'fingerprint')"
    return dict(conn.execute(query).fetchall())
