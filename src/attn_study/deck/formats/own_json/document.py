"""Our own JSON: a deck with all that it has, and the log of its cards.

One object: `schema`, `deck`, `title`, `source`, `language`, `formerly`, then `sections`, each with
its `title` and its `notes` in the keys of a deck file, and `log`, the rows of `log --json`.
"""

from __future__ import annotations

import json
from itertools import groupby
from typing import TYPE_CHECKING, Any

from attn_study.deck.formats.checks import said, shape, wrong_note, wrong_text, wrong_texts
from attn_study.deck.formats.decoding import decode
from attn_study.deck.formats.exchange import Exported, Imported, Note, Skipped
from attn_study.deck.formats.losses import HEADING, heading_of
from attn_study.deck.formats.own_json.values import Values
from attn_study.deck.nodes import MAX_ITEMS
from attn_study.deck.spelling import spelled
from attn_study.errors import near

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from attn_study.deck.card import Deck
    from attn_study.deck.formats.exchange import File, ReadOptions, WriteOptions

SCHEMA = "attn-study/deck/1"
KEYS = ("schema", *HEADING, "sections", "log")
SECTION = ("title", "notes")


def write(deck: Deck, options: WriteOptions) -> Exported:
    """Return the deck as JSON, a note or a row a line; nothing is lost."""
    head = {"schema": SCHEMA, **heading_of(deck)}
    sections = [
        f'{{"title": {_json(title)}, "notes": {_lines(spelled(note) for note in notes)}}}'
        for title, notes in groupby(deck.notes, key=lambda note: note.section)
    ]
    parts = [f"{_json(key)}: {_json(value)}" for key, value in head.items()]
    parts.append(f'"sections": [{", ".join(sections)}]')
    parts.append(f'"log": {_lines(dict(row) for row in options.rows)}')
    return Exported(("{\n" + ",\n".join(parts) + "\n}\n").encode())


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def _lines(objects: Iterable[object]) -> str:
    """A list whose items have a line each."""
    inside = ",\n".join(_json(one) for one in objects)
    return f"[\n{inside}\n]" if inside else "[]"


def read(file: File, options: ReadOptions) -> tuple[Imported, ...]:
    """Return the one deck of a file that `write` made, or that has the same shape.

    A note of the wrong shape is skipped; anything else of the wrong shape is refused. Whether a
    row of the log can be believed is for the log to say.
    """
    values = Values(decode(file, options.encoding), file.path)
    reading = _Reading(values)
    reading.whole()
    values.end()
    return (reading.imported(),)


class _Reading:
    """What was found so far in one document."""

    def __init__(self, values: Values) -> None:
        self.values = values
        self.found: dict[str, Any] = {}
        self.notes: list[Note] = []
        self.skipped: list[Skipped] = []
        self.count = 0

    def whole(self) -> None:
        """Read the object at the top."""
        for key in self.values.members("the file"):
            if key == "sections":
                self._sections()
            elif key == "log":
                self.found[key] = tuple(self._rows())
            else:
                self._heading(key)
        for key in ("schema", "deck"):
            if key not in self.found:
                raise self.values.fault(f"the object has no `{key}`", _known(), line=1)

    def imported(self) -> Imported:
        """Return the deck; everything must have been read."""
        return Imported(
            name=self.found["deck"],
            notes=tuple(self.notes),
            skipped=tuple(self.skipped),
            rows=self.found.get("log", ()),
            **{key: self.found[key] for key in HEADING[1:] if key in self.found},
        )

    def _heading(self, key: str) -> None:
        line = self.values.line()
        if key not in KEYS:
            raise self.values.fault(f"there is no key `{said(key)}` here", near(key, KEYS))
        value = self.values.value()
        if key == "schema" and value != SCHEMA:
            what = f"the schema {said(str(value))!r} is not known"
            raise self.values.fault(what, _known(), line=line)
        listed = key == "formerly"
        if wrong := (wrong_texts if listed else wrong_text)(value):
            raise self.values.fault(f"`{key}` {wrong}", line=line)
        if key == "deck" and not value.strip():
            raise self.values.fault("`deck` is empty", line=line)
        self.found[key] = tuple(value) if listed else value

    def _sections(self) -> None:
        for _ in self.values.items("`sections`"):
            title = ""
            notes: list[Note] = []
            for key in self.values.members("a section"):
                if key == "notes":
                    notes.extend(self._notes())
                elif key == "title":
                    title = self._title()
                else:
                    hint = near(key, SECTION)
                    raise self.values.fault(f"there is no key `{said(key)}` in a section", hint)
            self.notes += [Note(note.fields, title, note.line) for note in notes]

    def _title(self) -> str:
        line = self.values.line()
        title = self.values.value()
        if wrong := wrong_text(title):
            raise self.values.fault(f"the `title` of a section {wrong}", line=line)
        return str(title)

    def _notes(self) -> Iterator[Note]:
        for line in self.values.items("`notes`"):
            self.count += 1
            if self.count > MAX_ITEMS:
                hint = "a large deck can be split into several files"
                raise self.values.fault(f"more than {MAX_ITEMS:,} notes", hint)
            fields = self.values.value()
            if wrong := wrong_note(fields):
                self.skipped.append(Skipped(wrong, line))
            else:
                yield Note(fields, line=line)

    def _rows(self) -> Iterator[Mapping[str, object]]:
        for line in self.values.items("`log`"):
            row = self.values.value()
            if not isinstance(row, dict):
                what = f"a row of the log is {shape(row)}, not an object"
                raise self.values.fault(what, line=line)
            yield row


def _known() -> str:
    return f"{SCHEMA} is known, as `deck export NAME -o FILE.json` writes it"
