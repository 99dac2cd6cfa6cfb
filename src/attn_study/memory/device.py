"""Which installation writes: an id of its own for every copy of a home."""

from __future__ import annotations

from os import urandom
from typing import TYPE_CHECKING

from attn_study.memory.log import transaction

if TYPE_CHECKING:
    import sqlite3


def device_id(conn: sqlite3.Connection, fingerprint: str) -> str:
    """Return this installation's id, made new when the home was copied.

    `fingerprint` tells one home on one machine from every other. Two copies must not write
    under one id, or each would take the other's rows for its own.
    """
    known = dict(conn.execute("SELECT key, value FROM meta WHERE key IN ('device', 'fingerprint')"))
    if known.get("fingerprint") == fingerprint and "device" in known:
        return str(known["device"])
    fresh = urandom(8).hex()
    with transaction(conn):
        conn.executemany(
            "INSERT OR REPLACE INTO meta VALUES (?, ?)",
            [("device", fresh), ("fingerprint", fingerprint)],
        )
    return fresh
