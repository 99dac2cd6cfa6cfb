"""Which cards exist: one row a card, for queue, search and counts.

The catalogue lives in cache.db and is made from the deck files alone, so it may be deleted at
any time. It does not know what a card's text means; `seen` is only a hint that a card is no
longer new, and every reader confirms it against the state of the card.
"""

from __future__ import annotations

import json
import sqlite3
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from attn_study.memory.attached import writing
from attn_study.memory.scope import IN_SCOPE

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from attn_study.memory.scope import Scope


class Source(NamedTuple):
    """One deck file as it was when it was read. `mtime` in nanoseconds.

    `deck` is empty when the file gave no deck; `complaints` are lines for the learner, `formerly`
    the names the deck had before. Only the cards of an `active` deck are in the catalogue: another
    of its name may stand before it.
    """

    path: str
    place: int
    origin: str
    size: int
    mtime: int
    digest: str
    deck: str
    title: str
    cards: int
    active: bool = True
    complaints: tuple[str, ...] = ()
    formerly: tuple[str, ...] = ()


class Entry(NamedTuple):  # which takes a fifth of the time a dataclass takes to be made
    """One card as the queue and the search need it.

    `text` is a JSON object with what the card says, opaque but for the texts that are searched:
    `front`, and where there are any, `back`, `note` and `answer`.
    """

    card: str
    note: str
    deck: str
    section: str
    position: int
    kind: str
    tags: tuple[str, ...]
    after: tuple[str, ...]
    text: str
    path: str = ""


CARD_COLUMNS = "id, card, note, deck, section, position, kind, tags, after, path, text"
ENTRY_COLUMNS = "card, note, deck, section, position, kind, tags, after, text, path"


@dataclass(frozen=True, slots=True)
class Catalogue:
    """The catalogue attached to `conn`."""

    conn: sqlite3.Connection

    def sources(self) -> list[Source]:
        """Return every deck file known, in the order of study."""
        rows = self.conn.execute("SELECT * FROM cache.file ORDER BY place")
        return [source_of(row) for row in rows]

    def decks(self) -> list[Source]:
        """Return the files whose cards are in the catalogue, in the order of study."""
        return [source for source in self.sources() if source.active]

    def put(self, source: Source) -> None:
        """Note what is known of a file; its cards stay as they are."""
        row = [
            source.path,
            source.place,
            source.origin,
            source.size,
            source.mtime,
            source.digest,
            source.deck,
            source.title,
            source.cards,
            int(source.active),
            json.dumps(source.complaints, ensure_ascii=False),
            json.dumps(source.formerly, ensure_ascii=False),
        ]
        self.conn.execute(f"INSERT OR REPLACE INTO cache.file VALUES ({marks(row)})", row)

    def forget(self, path: str) -> None:
        """Drop a file and its cards. What the log says of them stays."""
        self.conn.execute("DELETE FROM cache.file WHERE path = ?", [path])
        self.drop_cards(path)

    def drop_cards(self, path: str) -> None:
        """Drop the cards of a file, and with them the index of words: the next search makes it."""
        self.conn.execute("DROP TABLE IF EXISTS cache.words")
        self.conn.execute("DELETE FROM cache.card WHERE path = ?", [path])

    def fill(self, path: str, entries: Iterable[Entry]) -> None:
        """Put the cards of a file in the place of those it had."""
        self._forget_hints_of_another_log()
        self.drop_cards(path)
        next_id = self.conn.execute("SELECT ifnull(max(id), 0) + 1 FROM cache.card").fetchone()[0]
        rows = list(enumerate(entries, start=next_id))
        self.conn.executemany(
            f"INSERT INTO cache.card ({CARD_COLUMNS}) VALUES ({marks(CARD_COLUMNS.split())})",
            [(number, *_entry_row(entry, path)) for number, entry in rows],
        )
        self.conn.execute(
            "UPDATE cache.card SET seen = 1 WHERE path = ? AND card IN "
            "(SELECT card FROM main.card_state WHERE due IS NOT NULL)",
            [path],
        )
        self._mark()

    def entry(self, card: str) -> Entry | None:
        """Return the card called `card`."""
        query = f"SELECT {ENTRY_COLUMNS} FROM cache.card WHERE card = ?"
        row = self.conn.execute(query, [card]).fetchone()
        return entry_of(row) if row else None

    def texts(self, deck: str) -> dict[str, str]:
        """Return the text of each card of a deck."""
        rows = self.conn.execute("SELECT card, text FROM cache.card WHERE deck = ?", [deck])
        return dict(rows.fetchall())

    def names(self) -> list[str]:
        """Return every card id, in order."""
        return [row[0] for row in self.conn.execute("SELECT card FROM cache.card ORDER BY card")]

    def of_kinds(self, kinds: Sequence[str], scope: Scope) -> list[str]:
        """Return the cards of these kinds in a scope, in no order."""
        chosen = "c.kind IN (SELECT value FROM json_each(:kinds))"
        query = f"SELECT c.card FROM cache.card c WHERE {chosen} AND {IN_SCOPE}"
        values = {"kinds": json.dumps(kinds), **scope.values}
        return [row[0] for row in self.conn.execute(query, values)]

    def sections(self) -> tuple[tuple[str, int], ...]:
        """Return each section with its number of cards, in the order of study; a deck without
        sections goes by its title.
        """
        rows = self.conn.execute(
            "SELECT iif(c.section = '', f.title, c.section) AS name, count(*) FROM cache.card c "
            "JOIN cache.file f ON f.path = c.path GROUP BY f.place, name ORDER BY f.place, "
            "min(c.position)"
        )
        return tuple((name, number) for name, number in rows)

    def new_cards(self) -> dict[str, int]:
        """Count the cards of each deck that were never answered."""
        rows = self.conn.execute(
            "SELECT c.deck, count(*) FROM cache.card c LEFT JOIN main.card_state s "
            "ON s.card = c.card WHERE s.due IS NULL GROUP BY c.deck"
        )
        return dict(rows.fetchall())

    def waiting(self) -> dict[str, list[str]]:
        """Return the cards that come after others, with those they come after."""
        query = "SELECT card, after FROM cache.card WHERE after != '[]'"
        return {card: json.loads(after) for card, after in self.conn.execute(query)}

    def let_go(self, card: str, *others: str) -> None:
        """Let `card` no longer come after `others`."""
        gone = set(others)
        query = "SELECT after FROM cache.card WHERE card = ?"
        for (before,) in self.conn.execute(query, [card]).fetchall():
            after = [name for name in json.loads(before) if name not in gone]
            text = json.dumps(after, ensure_ascii=False)
            self.conn.execute("UPDATE cache.card SET after = ? WHERE card = ?", [text, card])

    def saw(self, cards: Iterable[str]) -> None:
        """Take the hint that `cards` are no longer new, if the catalogue is free for it."""
        try:
            with writing(self.conn):
                self._forget_hints_of_another_log()
                self.conn.executemany(
                    "UPDATE cache.card SET seen = 1 WHERE card IN "
                    "(SELECT card FROM main.card_state WHERE card = ? AND due IS NOT NULL)",
                    [[card] for card in cards],
                )
                self._mark()
        except sqlite3.DatabaseError:
            return  # only a hint: the queue confirms every card

    def _mark(self) -> None:
        """Note which log the hints were taken from."""
        self.conn.execute("DELETE FROM cache.mark")
        self.conn.execute(
            "INSERT INTO cache.mark SELECT id, uid FROM main.log ORDER BY id DESC LIMIT 1"
        )

    def mend_hints(self) -> bool:
        """Take hints back that the log does not bear out, so that no new card is hidden.

        Returns whether all hints are right now: not while another process holds the catalogue.
        """
        wrong = "seen = 1 AND card IN (SELECT card FROM main.card_state WHERE due IS NULL)"
        query = f"SELECT 1 FROM cache.card WHERE {wrong} LIMIT 1"
        if self._is_of_this_log() and self.conn.execute(query).fetchone() is None:
            return True
        try:
            with writing(self.conn):
                self._forget_hints_of_another_log()
                self.conn.execute(f"UPDATE cache.card SET seen = 0 WHERE {wrong}")
                self._mark()
        except sqlite3.DatabaseError:
            return False
        return True

    def _is_of_this_log(self) -> bool:
        """Return whether the row that was newest at the last hint is still there.

        When it is not, the log was replaced, and no hint can be trusted.
        """
        mark = self.conn.execute("SELECT log_id, uid FROM cache.mark").fetchone()
        if mark is None:
            return self.conn.execute("SELECT 1 FROM cache.card WHERE seen = 1").fetchone() is None
        query = "SELECT 1 FROM main.log WHERE id = ? AND uid = ?"
        return self.conn.execute(query, mark).fetchone() is not None

    def _forget_hints_of_another_log(self) -> None:
        if not self._is_of_this_log():
            self.conn.execute("UPDATE cache.card SET seen = 0 WHERE seen = 1")


def source_of(row: Sequence[Any]) -> Source:
    """Return the file that stands in `row` of the table."""
    *fields, active, complaints, formerly = row
    lists = [tuple(json.loads(texts)) for texts in (complaints, formerly)]
    return Source(*fields, bool(active), *lists)  # type: ignore[call-arg]


def entry_of(row: Sequence[object]) -> Entry:
    """Return the entry that stands in `row`, given as `ENTRY_COLUMNS`."""
    card, note, deck, section, position, kind, tags, after, text, path = row
    return Entry(
        card=str(card),
        note=str(note),
        deck=str(deck),
        section=str(section),
        position=int(str(position)),
        kind=str(kind),
        tags=tuple(json.loads(str(tags))),
        after=tuple(json.loads(str(after))),
        text=str(text),
        path=str(path),
    )


def _entry_row(entry: Entry, path: str) -> tuple[object, ...]:
    return (
        entry.card,
        entry.note,
        entry.deck,
        entry.section,
        entry.position,
        entry.kind,
        _as_json(entry.tags),
        _as_json(entry.after),
        path,
        entry.text,
    )


@lru_cache(maxsize=1_000)  # the cards of a deck share their tags
def _as_json(names: tuple[str, ...]) -> str:
    return json.dumps(names, ensure_ascii=False)


def marks(values: Sequence[object]) -> str:
    """Return as many SQL question marks as there are values."""
    return ", ".join("?" * len(values))
