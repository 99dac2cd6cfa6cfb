"""The file as SQLite sees it: its trees, its references, its tables and what guards them."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING, NamedTuple

from attn_study.memory.health.finding import Finding, Mend, listed

if TYPE_CHECKING:
    from collections.abc import Iterator

MOST = 20  # messages
OF_VALUES = ("CHECK constraint failed in", " value in ")  # `values` names these better
OF_INDEXES = ("missing from index", "wrong # of entries in index", "non-unique entry in index")
SALVAGE = (
    "`attn-study doctor --salvage` saves what can be read; `attn-study backup` lists the copies"
)


class Thing(NamedTuple):
    """A table, an index or a trigger, as `sqlite_schema` has it."""

    type: str
    name: str
    sql: str


def trees(conn: sqlite3.Connection) -> Iterator[Finding]:
    """Yield what SQLite itself finds wrong with the file."""
    rows = conn.execute(f"PRAGMA main.integrity_check({MOST})").fetchall()
    said = [line for (text,) in rows for line in str(text).splitlines()]
    said = [line for line in said if line != "ok" and not line.startswith("***")]
    said = [line for line in said if not any(words in line for words in OF_VALUES)]
    indexes = [line for line in said if any(words in line for words in OF_INDEXES)]
    broken = [line for line in said if line not in indexes]
    if broken:
        what = "the file is damaged: SQLite cannot read all of it"
        yield Finding("damaged", what, listed(broken, len(broken)), SALVAGE)
    elif indexes:
        what = "an index does not lead to every row"
        where = listed(indexes, len(indexes))
        yield Finding("index", what, where, "`--fix` makes the indexes anew", mend="indexes")


def references(conn: sqlite3.Connection) -> Iterator[Finding]:
    """Yield rows that name a row that is not there."""
    found = conn.execute("PRAGMA main.foreign_key_check").fetchall()
    if found:
        where = listed((f"{row[0]} row {row[1]}" for row in found), len(found))
        yield Finding("reference", "rows name others that are not there", where, SALVAGE)


def objects(conn: sqlite3.Connection) -> Iterator[Finding]:
    """Yield what is missing, changed or too much among tables, indexes and triggers.

    A log whose triggers are gone takes any change, so that is a fault.
    """
    here, right = things(conn), reference()
    missing = [thing for name, thing in right.items() if name not in here]
    changed = [right[name] for name in here.keys() & right.keys() if here[name] != right[name]]
    for thing in sorted([*missing, *changed]):
        says = "is missing" if thing in missing else "is not as it should be"
        what = f"the {thing.type} {thing.name} {says}"
        if can_be_made(thing, is_there=thing in changed):
            remedy = "`--fix` makes it anew"
            yield Finding("object", what, remedy=remedy, mend=_mend(thing))
        else:
            yield Finding("object", what, remedy=SALVAGE)
    strange = [thing for name, thing in here.items() if name not in right]
    for thing in strange:
        what = f"there is a {thing.type} {thing.name} that attn-study did not make"
        remedy = "it is left alone"
        if thing.type == "trigger":
            remedy = f"it may change what is written; `DROP TRIGGER {thing.name}` removes it"
        yield Finding("strange", what, remedy=remedy, is_fault=thing.type == "trigger")


def can_be_made(thing: Thing, *, is_there: bool) -> bool:
    """Whether a thing can be made anew with nothing lost: states can, a table of facts cannot."""
    if thing.type != "table" or thing.name == "card_state":
        return True
    return thing.name == "meta" and not is_there


def _mend(thing: Thing) -> Mend:
    return "states" if (thing.type, thing.name) == ("table", "card_state") else "objects"


def things(conn: sqlite3.Connection) -> dict[str, Thing]:
    """Return all that was made in the open file, by name, in the order it was made."""
    rows = conn.execute(
        "SELECT type, name, sql FROM main.sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid"
    )
    return {name: Thing(kind, name, sql) for kind, name, sql in rows}


def reference() -> dict[str, Thing]:
    """Return the same of a study that was made just now."""
    from attn_study.memory.schema import migrate

    with closing(sqlite3.connect(":memory:", isolation_level=None)) as fresh:
        migrate(fresh, "")
        return things(fresh)
