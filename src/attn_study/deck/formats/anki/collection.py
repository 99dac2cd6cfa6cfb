"""The SQLite file of Anki, either generation, as plain rows; it is read and never trusted."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING, Any, NamedTuple, get_type_hints

from attn_study.deck.formats.anki.archive import HINT
from attn_study.deck.formats.anki.protobuf import fields
from attn_study.errors import UserError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from attn_study.deck.formats.exchange import File

MOST = {"notes": 100_000, "cards": 300_000, "revlog": 1_000_000}
LONGEST = 5_000_000  # characters of a field, and of the JSON that describes the note types
STEPS, CALLS = 100_000, 1_000  # what a query may do; honest ones need a fifth
ROLLOVER = 4  # o'clock
DAY = 86_400  # seconds


class Template(NamedTuple):
    """What one card of a note type asks, in Anki's own language."""

    question: str


@dataclass(frozen=True, slots=True)
class NoteType:
    """The form of notes: names of fields, and a template a card; cloze texts need one only."""

    name: str
    is_cloze: bool
    fields: tuple[str, ...]
    templates: tuple[Template, ...]


class NoteRow(NamedTuple):
    """A note as Anki keeps it; `fields` are HTML with a separator between them."""

    id: int
    guid: str
    type: int
    tags: str
    fields: str


class CardRow(NamedTuple):
    """A card as Anki keeps it; `due` is a place, a day or a time, depending on `type`."""

    id: int
    note: int
    deck: int
    ord: int
    type: int
    queue: int
    due: int
    interval: int
    factor: int
    reps: int
    lapses: int
    due_at_home: int
    home: int


class ReviewRow(NamedTuple):
    """One answer; `id` is its time in milliseconds."""

    id: int
    card: int
    ease: int
    milliseconds: int
    type: int


@dataclass(frozen=True, slots=True)
class Collection:
    """What a package holds. `created` is day 0 of Anki's count of days.

    `unread` are answers that cannot be one: Anki's number of each, and why. `west` is how many
    minutes the learner's clock was behind UTC, `rollover` when the day turns.
    """

    types: Mapping[int, NoteType]
    decks: Mapping[int, str]
    notes: tuple[NoteRow, ...]
    cards: tuple[CardRow, ...]
    reviews: tuple[ReviewRow, ...]
    unread: tuple[tuple[str, str], ...]
    created: date
    west: int
    rollover: int


def read_collection(file: File, data: bytearray, *, reviews: bool) -> Collection:
    """Read a collection; UserError for one that is damaged, or would keep SQLite at work."""
    try:
        with closing(_opened(data)) as conn:
            return _read(conn, reviews=reviews)
    except (sqlite3.Error, ValueError, TypeError, KeyError, AttributeError) as reason:
        what = f"the collection in this Anki package cannot be read: {reason}"
    except (RecursionError, OverflowError, MemoryError):
        what = "the collection in this Anki package cannot be read"
    raise UserError(what, where=str(file.path), hint=HINT)


def _opened(data: bytearray) -> sqlite3.Connection:
    conn = sqlite3.connect(":memory:")
    left = iter(range(CALLS))
    conn.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LONGEST)
    conn.set_progress_handler(lambda: next(left, None) is None, STEPS)
    conn.text_factory = lambda text: text.decode("utf-8", "replace")
    conn.create_collation("unicase", lambda one, other: (one > other) - (one < other))
    # These bytes ask for a write-ahead log beside the file, which memory does not have
    data[18:20] = b"\1\1"
    conn.deserialize(data)
    conn.execute("PRAGMA trusted_schema = OFF")
    conn.execute("PRAGMA query_only = ON")
    conn.execute("PRAGMA cell_size_check = ON")
    return conn


def _read(conn: sqlite3.Connection, *, reviews: bool) -> Collection:
    tables = {name for (name,) in conn.execute("SELECT name FROM sqlite_master WHERE type='table'")}
    if missing := {"col", "notes", "cards", "revlog"} - tables:
        raise ValueError(f"it has no table {min(missing)}")
    is_new = {"notetypes", "templates", "fields", "decks", "config"} <= tables
    conf = _config(conn) if is_new else _json(conn, "conf")
    types, decks = _new(conn) if is_new else _old(conn)
    created = int(conn.execute("SELECT crt FROM col").fetchone()[0])
    offset = conf.get("creationOffset")
    # Without an offset the zone is the one in which the collection began at four o'clock
    local = created - 60 * int(offset) if offset is not None else created + DAY // 3
    west = conf.get("localOffset", offset)
    answers, unread = _answers(conn) if reviews else ([], [])
    return Collection(
        types,
        decks,
        tuple(_rows(conn, NoteRow, "notes", "id, guid, mid, tags, flds")),
        tuple(_rows(conn, CardRow, "cards", CARD_COLUMNS)),
        tuple(answers),
        tuple(unread),
        created=datetime.fromtimestamp(local, UTC).date(),
        west=int(west or 0),
        rollover=int(conf.get("rollover", ROLLOVER)),
    )


CARD_COLUMNS = "id, nid, did, ord, type, queue, due, ivl, factor, reps, lapses, odue, odid"


def _rows(conn: sqlite3.Connection, row: Any, table: str, columns: str) -> Iterator[Any]:
    """The rows of a table in order of their ids, each column of the type it should have."""
    kinds = get_type_hints(row).values()
    for values in _values(conn, table, columns):
        yield row(*map(_typed, kinds, values))


def _answers(conn: sqlite3.Connection) -> tuple[list[ReviewRow], list[tuple[str, str]]]:
    """The answers, and those that cannot be one: one such row spoils no other."""
    kinds = tuple(get_type_hints(ReviewRow).values())
    sound: list[ReviewRow] = []
    unread: list[tuple[str, str]] = []
    for values in _values(conn, "revlog", "id, cid, ease, time, type"):
        try:
            sound.append(ReviewRow(*map(_typed, kinds, values)))  # type: ignore[arg-type]
        except ValueError as reason:
            unread.append((str(values[0])[:40], str(reason)))
    return sound, unread


def _values(conn: sqlite3.Connection, table: str, columns: str) -> Iterator[Any]:
    """The rows of a table in order of their ids, as they stand there."""
    found = conn.execute(f"SELECT {columns} FROM {table} ORDER BY id LIMIT {MOST[table] + 1}")
    for count, values in enumerate(found):
        if count >= MOST[table]:
            raise ValueError(f"it has more than {MOST[table]:,} {table}")
        yield values


def _typed(kind: type, value: object) -> int | str:
    if kind is str:
        return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)
    if not isinstance(value, int | float) or value - value != 0:  # an endless one
        raise ValueError(f"{str(value)[:40]!r} stands where a number should")
    return int(value)


def _json(conn: sqlite3.Connection, column: str) -> Any:
    """A column of the one row that describes the collection."""
    row = conn.execute(f"SELECT {column} FROM col").fetchone()
    if row is None:
        raise ValueError("it does not describe itself")
    return json.loads(row[0])


def _old(conn: sqlite3.Connection) -> tuple[dict[int, NoteType], dict[int, str]]:
    """Note types and names of decks, as collections kept them until 2020."""
    types = {
        int(number): NoteType(
            str(model["name"]),
            model.get("type") == 1,
            tuple(str(one["name"]) for one in model["flds"]),
            tuple(Template(str(one["qfmt"])) for one in model["tmpls"]),
        )
        for number, model in _json(conn, "models").items()
    }
    decks = {int(number): str(deck["name"]) for number, deck in _json(conn, "decks").items()}
    return types, decks


def _new(conn: sqlite3.Connection) -> tuple[dict[int, NoteType], dict[int, str]]:
    """Note types and names of decks, as collections keep them in tables."""
    named: dict[int, list[str]] = {}
    for number, name in _few(conn, "SELECT ntid, name FROM fields ORDER BY ntid, ord"):
        named.setdefault(int(number), []).append(str(name))
    asked: dict[int, list[Template]] = {}
    for number, config in _few(conn, "SELECT ntid, config FROM templates ORDER BY ntid, ord"):
        question = fields(config).get(1, b"")
        text = question.decode("utf-8", "replace") if isinstance(question, bytes) else ""
        asked.setdefault(int(number), []).append(Template(text))
    types = {
        int(number): NoteType(
            str(name),
            fields(config).get(1) == 1,
            tuple(named.get(number, ())),
            tuple(asked.get(number, ())),
        )
        for number, name, config in _few(conn, "SELECT id, name, config FROM notetypes")
    }
    decks = {
        int(number): str(name).replace("\x1f", "::")
        for number, name in _few(conn, "SELECT id, name FROM decks")
    }
    return types, decks


def _config(conn: sqlite3.Connection) -> dict[str, Any]:
    names = ("creationOffset", "localOffset", "rollover")
    rows = _few(conn, "SELECT key, val FROM config")
    return {key: json.loads(value) for key, value in rows if key in names}


def _few(conn: sqlite3.Connection, query: str) -> list[Any]:
    """The rows of a table that describes others."""
    return conn.execute(f"{query} LIMIT 100000").fetchall()


def day(collection: Collection, number: int) -> date:
    """Return the date of a day in Anki's count; OverflowError or ValueError for none."""
    return collection.created + timedelta(days=number)


def day_of(collection: Collection, seconds: int) -> date:
    """Return the study day that a time belongs to, in the learner's own zone."""
    local = seconds - 60 * collection.west - 3600 * collection.rollover
    return datetime.fromtimestamp(local, UTC).date()
