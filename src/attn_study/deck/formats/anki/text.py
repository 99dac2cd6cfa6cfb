"""Notes in plain text, as Anki exports them and reads them back."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from attn_study.deck.formats.anki.guid import guid
from attn_study.deck.formats.anki.levels import apart, together
from attn_study.deck.formats.anki.makeshift import label, plain_question
from attn_study.deck.formats.exchange import Exported
from attn_study.deck.formats.losses import common_losses
from attn_study.deck.formats.table.reading import read_table
from attn_study.deck.formats.table.rows import write as written
from attn_study.wording import all_counted

if TYPE_CHECKING:
    from attn_study.deck.card import Card, Deck
    from attn_study.deck.formats.exchange import File, Imported, ReadOptions, WriteOptions

HEAD = (
    "#separator:tab\n#html:true\n#guid column:1\n#notetype column:2\n#deck column:3\n"
    "#tags column:6\n"
)
BASIC, REVERSED = "Basic", "Basic (and reversed card)"
CLOZE, TYPED = "Cloze", "Basic (type in the answer)"


class Sides(NamedTuple):
    """A note as one of the note types that every Anki has."""

    notetype: str
    first: str
    second: str


def read(file: File, options: ReadOptions) -> tuple[Imported, ...]:
    """Return the decks in notes that Anki exported as text."""
    return read_table(file, options, by_anki=True)


def write(deck: Deck, options: WriteOptions) -> Exported:
    """Return the notes as Anki imports them, updating those it has from an earlier export."""
    notes = [note for note in deck.notes if note.kind != "computed"]
    rows = [_row(deck.name, note) for note in notes]
    return Exported(
        (HEAD + written(rows, "\t")).encode(), (*_losses(deck), *common_losses(deck, options))
    )


def _row(deck: str, note: Card) -> tuple[str, ...]:
    from attn_study.deck.formats.anki.cloze import cloze_html
    from attn_study.deck.formats.html import to_html

    sides = _sides(note)
    first = cloze_html(sides.first) if note.kind == "cloze" else to_html(sides.first)
    where = together(deck, " ".join(note.section.split()))
    tags = " ".join(map(label, note.tags))
    return guid(note.id), sides.notetype, where, first, to_html(sides.second), tags


def _sides(note: Card) -> Sides:
    """What is asked and what is shown then."""
    if note.kind == "reversed":
        return Sides(REVERSED, note.front, note.back)
    if note.kind == "cloze":
        return Sides(CLOZE, note.cloze, _joined(note.back, note.note))
    if note.kind == "typed" and not _says_more(note):
        return Sides(TYPED, note.front, note.answer)
    if note.kind == "choice":
        front, back = plain_question(note)
        return Sides(BASIC, front, _joined(back, note.note))
    return Sides(BASIC, note.front, _joined(note.answer, note.back, note.note))


def _says_more(note: Card) -> bool:
    """Whether a typed note has more than Anki's type for it, which compares with all its back."""
    return bool(note.back or note.note or note.accept or note.tolerance is not None)


def _joined(*texts: str) -> str:
    return "\n\n".join(text for text in texts if text)


def _is_respelled(note: Card) -> bool:
    """Whether Anki's name for a section is another one than ours."""
    return apart(together("-", " ".join(note.section.split())))[1] != note.section


def _losses(deck: Deck) -> tuple[str, ...]:
    """What Anki's own note types have no place for."""
    kinds = Counter(note.kind for note in deck.notes)
    typed = [note for note in deck.notes if note.kind == "typed"]
    noted = Counter(note.kind for note in deck.notes if note.note)
    tags = [tag for note in deck.notes for tag in note.tags]
    return all_counted(
        {
            "choice card(|s) as (a plain question|plain questions)": kinds["choice"],
            "typed card(|s) as (a plain question|plain questions)": sum(map(_says_more, typed)),
            "typed card(|s) without other answers": sum(bool(one.accept) for one in typed),
            "typed card(|s) without tolerance": sum(one.tolerance is not None for one in typed),
            "reversed card(|s) without `note`": noted["reversed"],
            "card(|s) with `note` at the end of the back": noted["basic"] + noted["cloze"],
            "card(|s) whose section is spelled in another way": sum(map(_is_respelled, deck.notes)),
            "tag(|s) with _ for blanks": sum(tag != label(tag) for tag in tags),
        }
    )
