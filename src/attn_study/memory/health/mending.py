"""What can be put right from the log alone, and is; no row of the log is ever touched."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attn_study.memory.health.structure import can_be_made, reference, things
from attn_study.memory.log import Log
from attn_study.memory.rebuilding import rebuild

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Collection
    from pathlib import Path

    from attn_study.memory.health.finding import Mend


def mend(conn: sqlite3.Connection, path: Path, what: Collection[Mend]) -> list[str]:
    """Mend these things in one transaction; return what was done, for the learner.

    Raises UserError as a replay does, and sqlite3.Error, with nothing changed.
    """
    done = []
    conn.execute("BEGIN IMMEDIATE")
    try:
        if {"objects", "states"} & set(what):
            done += _things_anew(conn)
        if "indexes" in what:
            conn.execute("REINDEX main.log")
            conn.execute("REINDEX main.card_state")
            done.append("the indexes were made anew")
        if "states" in what:
            rebuild(Log(conn, "", path))
            cards = conn.execute("SELECT count(*) FROM main.card_state").fetchone()[0]
            whose = "card was" if cards == 1 else "cards was"
            done.append(f"the state of {cards:,} {whose} worked out anew from the log")
        conn.execute("COMMIT")
    except BaseException:
        if conn.in_transaction:
            conn.execute("ROLLBACK")
        raise
    return done


def _things_anew(conn: sqlite3.Connection) -> list[str]:
    """Make what is missing or not as it should be; the log's own table is not touched."""
    done = []
    right = reference()
    here = things(conn)
    for name, thing in right.items():
        if here.get(name) == thing or not can_be_made(thing, is_there=name in here):
            continue
        if name in here:
            conn.execute(f'DROP {here[name].type} main."{name}"')
        conn.execute(thing.sql)
        done.append(f"the {thing.type} {name} was made anew")
        here = things(conn)  # with a table its indexes went too
    return done
