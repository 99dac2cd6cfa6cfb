"""Finding cards by words, deck, tag and standing."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from attn_study.errors import UserError, near
from attn_study.memory.catalogue import ENTRY_COLUMNS, Entry, entry_of
from attn_study.memory.fold import LEECH_LAPSES, CardState
from attn_study.memory.indexed import with_words
from attn_study.memory.rows import STATE_COLUMNS, state_of

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator, Sequence
    from datetime import date

Standing = Literal["suspended", "buried", "new", "due", "waiting"]

# Each standing as SQL on `card_state AS s`; they hold in the order of `standing`.
STANDINGS = {
    "suspended": "s.suspended = 1",
    "buried": "s.suspended = 0 AND s.buried = :day",
    "new": "ifnull(s.suspended, 0) = 0 AND ifnull(s.buried, '') != :day AND s.due IS NULL",
    "due": "s.suspended = 0 AND ifnull(s.buried, '') != :day AND s.due <= :day",
    "waiting": "s.suspended = 0 AND ifnull(s.buried, '') != :day AND s.due > :day",
    "flagged": "s.flag != ''",
    "leech": f"s.lapses >= {LEECH_LAPSES}",
}


@dataclass(frozen=True, slots=True)
class Query:
    """What to look for; every part must hold."""

    words: tuple[str, ...] = ()
    decks: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    standings: tuple[str, ...] = ()


def parse(terms: Sequence[str]) -> Query:
    """Read words, `deck:NAME`, `tag:NAME` and `is:STANDING`.

    Raises UserError for a standing that there is not.
    """
    parts: dict[str, list[str]] = {"deck": [], "tag": [], "is": [], "": []}
    for term in " ".join(terms).split():
        key, colon, value = term.partition(":")
        parts[key if colon and value and key in parts else ""].append(
            value if colon and value and key in parts else term
        )
    for name in parts["is"]:
        if name not in STANDINGS:
            raise UserError(f"no card is:{name}", hint=near(name, STANDINGS))
    return Query(*(tuple(parts[key]) for key in ("", "deck", "tag", "is")))


def search(conn: sqlite3.Connection, query: Query, day: date) -> Iterator[tuple[Entry, CardState]]:
    """Yield the cards that fit, in the order of study, each with its state."""

    def found(schema: str) -> sqlite3.Cursor:
        conditions, values = _conditions(query, schema)
        entry = ", ".join(f"c.{name}" for name in ENTRY_COLUMNS.split(", "))
        state = ", ".join(f"s.{name}" for name in STATE_COLUMNS.split(", "))
        return conn.execute(
            f"""SELECT {entry}, {state} FROM cache.card c
            JOIN cache.file f ON f.path = c.path LEFT JOIN card_state s ON s.card = c.card
            WHERE {" AND ".join(conditions)} ORDER BY f.place, c.position""",
            {**values, "day": day.isoformat()},
        )

    rows = with_words(conn, found) if any(map(_has_letters, query.words)) else found("cache")
    width = len(ENTRY_COLUMNS.split(", "))
    for row in rows:
        entry = entry_of(row[:width])
        yield entry, CardState(entry.card) if row[width] is None else state_of(row[width:])


def _conditions(query: Query, schema: str) -> tuple[list[str], dict[str, str]]:
    """Return conditions and the values in them; `schema` is where the index of words is."""
    conditions = ["1", *(f"({STANDINGS[name]})" for name in query.standings)]
    values: dict[str, str] = {}
    for number, deck in enumerate(query.decks):
        conditions.append(f"c.deck = :deck{number}")
        values[f"deck{number}"] = deck
    for number, tag in enumerate(query.tags):
        conditions.append(f":tag{number} IN (SELECT value FROM json_each(c.tags))")
        values[f"tag{number}"] = tag
    for number, word in enumerate(query.words):
        name = f"word{number}"
        if _has_letters(word):
            found = f"SELECT rowid FROM {schema}.words WHERE words MATCH :{name}"
            values[name] = '"{}" *'.format(word.replace('"', '""'))
        else:
            found = f"SELECT id FROM cache.searched WHERE instr(text, :{name})"
            values[name] = word
        conditions.append(f"c.id IN ({found})")
    return conditions, values


def _has_letters(word: str) -> bool:
    """Return whether the index can know a word; it leaves out all signs."""
    return re.search(r"[^\W_]", word) is not None


def standing(state: CardState, day: date) -> Standing:
    """Return where a card stands; the first that holds, in this order."""
    if state.suspended:
        return "suspended"
    if state.buried == day:
        return "buried"
    due = state.memory.due
    if due is None:
        return "new"
    return "due" if due <= day else "waiting"
