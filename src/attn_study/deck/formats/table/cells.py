"""One row of a table as a note, in the words of a deck file."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING

from attn_study.deck import kinds
from attn_study.deck.formats.anki.guid import name_of
from attn_study.deck.formats.exchange import Note
from attn_study.deck.formats.table.columns import EXTRA, UNREAD
from attn_study.deck.formats.table.rows import unpacked
from attn_study.deck.holes import BEGIN, fault
from attn_study.deck.note import ID
from attn_study.deck.numbers import number
from attn_study.deck.source import FOUL
from attn_study.errors import UserError, near
from attn_study.wording import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from attn_study.deck.formats.table.rows import Row
    from attn_study.deck.spelling import Value

ITEMS = "|"  # between a choice and why it is wrong, each choice on a line of its own
# Words in Anki's names of note types, and the kind of card they mean
NOTETYPES = {"cloze": "cloze", "reversed": "reversed", "type in the answer": "typed"}
OPTIONAL = "optional reversed"  # reversed where a third field says so
PROSE = ("front", "back", "cloze", "answer", "note")


class UnfitError(Exception):
    """Why a row makes no note."""


@dataclass(slots=True)
class Cells:
    """Turns rows into notes; `keys` says what each column holds, the rest holds for all rows.

    With `by_anki` labels have no blanks. `media` are the pictures and sounds that HTML named,
    `merged` counts rows with further fields, `nameless` those whose id no deck can hold.
    """

    keys: Sequence[str]
    html: bool = False
    notetype: str = ""
    tags: str = ""
    by_anki: bool = False
    media: list[str] = field(default_factory=list)
    merged: int = 0
    nameless: int = 0

    def note(self, row: Row) -> Note:
        """Return the note of a row; raises UnfitError where it makes none."""
        cells = self._cells(row)
        found = {key: cell for key, cell in zip(self.keys, cells, strict=True) if key != UNREAD}
        extra = [cell for key, cell in zip(self.keys, cells, strict=True) if key == EXTRA]
        if self.html:
            found = {key: self._text(cell) if key in PROSE else cell for key, cell in found.items()}
            extra = [self._text(cell) for cell in extra]
        if foul := FOUL.search("".join([*found.values(), *extra])):
            raise UnfitError(f"it holds an invisible character, U+{ord(foul[0]):04X}")
        kind = self._kind(found, extra)
        fields = _fields(kind, found)
        labels = found.get("tags", "")
        own = labels.split() if self.by_anki else _tags(labels)
        fields["tags"] = list(dict.fromkeys([*own, *self.tags.split()]))
        if OPTIONAL not in self._notetype(found):
            self._add_extra(fields, [text for text in extra if text.strip()])
        _check(kind, fields)
        word = found.get("guid", "")
        return Note(
            fields=self._named(found, word)
            | {key: value for key, value in fields.items() if value},
            section=found.get("section", ""),
            line=row.line,
            source=word,
        )

    def deck(self, row: Row) -> str:
        """Return the deck that a row names."""
        at = self.keys.index("deck") if "deck" in self.keys else len(row.cells)
        return row.cells[at].strip() if at < len(row.cells) else ""

    def _cells(self, row: Row) -> tuple[str, ...]:
        """As many cells as there are columns."""
        if row.fault:
            raise UnfitError(row.fault)
        width = len(self.keys)
        if len(row.cells) < width or any(row.cells[width:]):
            raise UnfitError(f"{counted(len(row.cells), 'field(|s)')} where {width} are expected")
        return row.cells[:width]

    def _text(self, html: str) -> str:
        from attn_study.deck.formats.html import to_text

        plain = to_text(html)
        self.media += plain.media
        return plain.text

    def _kind(self, found: dict[str, str], extra: Sequence[str]) -> str:
        """The kind as said, by us or by Anki's name of the note type; else as the cells show."""
        if said := found.get("kind", "").strip().casefold():
            if said not in kinds.NAMES:
                hint = near(said, kinds.NAMES)
                what = f"there is no kind of card called `{said[:80]}`"
                raise UnfitError(f"{what}; {hint}" if hint else what)
            return said
        notetype = self._notetype(found)
        if OPTIONAL in notetype:
            return "reversed" if extra and extra[0].strip() else "basic"
        if named := next((kind for word, kind in NOTETYPES.items() if word in notetype), ""):
            return named
        if found.get("cloze"):
            return "cloze"
        if notetype.startswith("basic"):
            return "basic"
        front = found.get("front", "")
        if BEGIN.search(front) and not fault(front):
            return "cloze"
        return "choice" if found.get("choices") else "typed" if found.get("answer") else "basic"

    def _notetype(self, found: dict[str, str]) -> str:
        return (found.get("notetype", "").strip() or self.notetype).casefold()

    def _add_extra(self, fields: dict[str, Value], extra: Sequence[str]) -> None:
        """Fields beyond the second are shown with the note."""
        if extra:
            self.merged += 1
            fields["note"] = "\n\n".join([*filter(None, [str(fields["note"])]), *extra])

    def _named(self, found: dict[str, str], word: str) -> dict[str, Value]:
        """The id, where the row has one that a deck can hold."""
        name = found.get("id", "").strip() or (name_of(word) if word else "")
        if name and not ID.fullmatch(name):
            self.nameless += 1
            return {}
        return {"id": name} if name else {}


def _fields(kind: str, found: dict[str, str]) -> dict[str, Value]:
    """The keys of this kind, without what they do not allow."""
    front, back, answer = (found.get(key, "") for key in ("front", "back", "answer"))
    fields: dict[str, Value] = {"kind": kind, "note": found.get("note", "")}
    if kind == "cloze":
        return fields | {"cloze": found.get("cloze") or front, "back": back}
    fields["front"] = front
    if kind in ("basic", "reversed"):
        return fields | {"back": back or answer}
    if not answer:
        answer, back = back, ""
    fields |= {"answer": answer, "back": back}
    if kind == "choice":
        return fields | {"choices": [_option(item) for item in _items(found, "choices")]}
    accept = [text for item in _items(found, "accept") for text in item if text.strip()]
    return fields | {"accept": accept, "tolerance": found.get("tolerance", "").strip()}


def _items(found: dict[str, str], key: str) -> list[tuple[str, ...]]:
    """The items that one cell lists, each on a line."""
    try:
        return unpacked(found.get(key, ""), ITEMS)
    except UserError as error:
        raise UnfitError(f"in the {key}, {error.what}") from None


def _option(item: tuple[str, ...]) -> Value:
    if len(item) > 2:
        raise UnfitError("a choice has more than a text and why it is wrong")
    return {"text": item[0], "why": item[1]} if len(item) == 2 and item[1] else item[0]


def _tags(cell: str) -> list[str]:
    """Labels between blanks; one that has blanks itself stands in quotes."""
    if '"' not in cell:
        return cell.split()
    try:
        found = [tag for row in unpacked(cell, " ") for tag in row]
    except UserError:
        found = cell.split()
    return [tag for tag in found if tag.strip()]


@cache
def _needed(kind: str) -> frozenset[str]:
    return kinds.kind(kind).KEYS


def _check(kind: str, fields: dict[str, Value]) -> None:
    """Refuse a note that lacks something its kind must have; whoever takes it in reads the rest."""
    for key in ("front", "cloze", "back", "answer"):
        value = fields.get(key, "")
        if key in _needed(kind) and not (isinstance(value, str) and value.strip()):
            raise UnfitError(f"the {'front' if key == 'cloze' else key} is empty")
    if kind == "computed":
        raise UnfitError("a table cannot hold a computed card")
    if kind == "cloze" and (what := fault(str(fields["cloze"]))):
        raise UnfitError(what)
    if kind == "choice" and not fields["choices"]:
        raise UnfitError("there are no choices")
    if fields.get("tolerance") and not _is_number(str(fields["tolerance"])):
        raise UnfitError("the tolerance is no number")


def _is_number(text: str) -> bool:
    value = number(text)
    return value is not None and value >= 0
