"""Anki packages of the older form, made by hand, row by row, for the tests of the reader."""

from __future__ import annotations

import json
import sqlite3
import zipfile
from contextlib import closing
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path

from attn_study.deck.formats import File, Imported, ReadOptions
from attn_study.deck.formats.anki.package import read

CREATED = 1_700_000_000 - 1_700_000_000 % 86_400 + 4 * 3600  # 2023-11-14, 04:00 UTC
HERE = Path("my.apkg")
SCHEMA = """
CREATE TABLE col (id, crt, mod, scm, ver, dty, usn, ls, conf, models, decks, dconf, tags);
CREATE TABLE notes (id, guid, mid, mod, usn, tags, flds, sfld, csum, flags, data);
CREATE TABLE cards (id, nid, did, ord, mod, usn, type, queue, due, ivl, factor, reps, lapses,
                    left, odue, odid, flags, data);
CREATE TABLE revlog (id, cid, usn, ease, ivl, lastIvl, factor, time, type);
"""
QUESTIONS = {
    "Basic": ["{{Front}}"],
    "Basic (and reversed card)": ["{{Front}}", "{{Back}}"],
    "Optional": ["{{Front}}", "{{#Add Reverse}}{{Back}}{{/Add Reverse}}"],
    "Typed": ["{{Front}} {{type:Back}}"],
    "Cloze": ["{{cloze:Text}}"],
    "Vocabulary": ["{{Word}} {{hint:Help}}"],
    "Three": ["{{Front}}", "{{Back}}", "{{Front}}{{Back}}"],
}
FIELDS = {
    "Optional": ["Front", "Back", "Add Reverse"],
    "Cloze": ["Text", "Back Extra"],
    "Vocabulary": ["Help", "Word", "Meaning", "Sound"],
}
TYPES = {name: number for number, name in enumerate(QUESTIONS, start=100)}


def models() -> str:
    return json.dumps(
        {
            str(TYPES[name]): {
                "name": name,
                "type": int(name == "Cloze"),
                "flds": [{"name": one} for one in FIELDS.get(name, ["Front", "Back"])],
                "tmpls": [{"qfmt": question, "afmt": ""} for question in questions],
            }
            for name, questions in QUESTIONS.items()
        }
    )


@dataclass
class Package:
    """A package while it grows; ids of notes, cards and decks count up from 1."""

    decks: list[str] = field(default_factory=list)
    notes: list[tuple[object, ...]] = field(default_factory=list)
    cards: list[tuple[object, ...]] = field(default_factory=list)
    revlog: list[tuple[object, ...]] = field(default_factory=list)
    conf: dict[str, object] = field(default_factory=lambda: {"creationOffset": 0})
    created: int = CREATED
    sql: str = ""

    def note(
        self,
        kind: str,
        *fields: str,
        deck: str = "Mine",
        tags: str = "",
        guid: str = "",
        cards: int = 1,
        **card: int,
    ) -> int:
        """Add a note with its cards, new ones unless `card` says more of them."""
        if deck not in self.decks:
            self.decks.append(deck)
        number = len(self.notes) + 1
        self.notes.append(
            (
                *(number, guid or f"g{number}", TYPES[kind], 0, 0, tags),
                *("\x1f".join(fields), fields[0], 0, 0, ""),
            )
        )
        names = ("type", "queue", "due", "ivl", "factor", "reps", "lapses")
        known = tuple(card.get(name, 0) for name in names)
        home = (0, card.get("odue", 0), card.get("odid", 0), 0, "")
        for ord_ in range(cards):
            row = (len(self.cards) + 1, number, self.decks.index(deck) + 1, ord_, 0, 0)
            self.cards.append((*row, *known, *home))
        return number

    def answer(self, card: int, ease: int, at: int, time: int = 4000, kind: int = 1) -> None:
        self.revlog.append((at, card, 0, ease, 1, 1, 2500, time, kind))

    def database(self) -> bytes:
        with closing(sqlite3.connect(":memory:")) as conn:
            conn.executescript(SCHEMA)
            decks = {number: {"name": name} for number, name in enumerate(self.decks, start=1)}
            about = (json.dumps(self.conf), models(), json.dumps(decks), "{}", "{}")
            for table, rows in (
                ("col", [(1, self.created, 0, 0, 11, 0, 0, 0, *about)]),
                ("notes", self.notes),
                ("cards", self.cards),
                ("revlog", self.revlog),
            ):
                for row in rows:
                    marks = ",".join("?" * len(row))
                    conn.execute(f"INSERT INTO {table} VALUES ({marks})", row)
            conn.executescript(self.sql)
            conn.commit()
            return bytes(conn.serialize())

    def read(self, *, schedule: bool = False) -> tuple[Imported, ...]:
        return opened(zipped({"collection.anki2": self.database()}), schedule=schedule)


def zipped(entries: dict[str, bytes], packing: int = zipfile.ZIP_DEFLATED) -> bytes:
    made = BytesIO()
    with zipfile.ZipFile(made, "w", packing) as archive:
        for name, data in entries.items():
            archive.writestr(name, data)
    return made.getvalue()


def opened(data: bytes, *, schedule: bool = False) -> tuple[Imported, ...]:
    return read(File(HERE, data), ReadOptions("apkg", schedule=schedule))


def section_in_anki(section: str) -> str:
    """Return a section without the colons that would part decks in Anki."""
    while ":::" in section:
        section = section.replace(":::", "::")
    return (section.replace("::", " › ").strip(" :") or "-") if section else ""
