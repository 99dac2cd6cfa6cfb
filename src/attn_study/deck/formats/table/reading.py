"""A table in a text file as decks: which columns it has, and what of its rows becomes notes."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from attn_study.deck.formats.anki.levels import apart
from attn_study.deck.formats.decoding import decode
from attn_study.deck.formats.exchange import Imported, Skipped
from attn_study.deck.formats.table.cells import Cells, UnfitError
from attn_study.deck.formats.table.columns import EXTRA, UNREAD, check_once, header, keys
from attn_study.deck.formats.table.directives import Directives, take
from attn_study.deck.formats.table.rows import parse
from attn_study.deck.formats.table.separator import SAY, Split, guess, split, usual_width, word
from attn_study.deck.note import plain_front
from attn_study.errors import UserError
from attn_study.wording import all_counted, counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from attn_study.deck.formats.exchange import File, Note, ReadOptions
    from attn_study.deck.formats.table.rows import Row

SHOWN = 3  # pictures and sounds that a remark names
HEADER = "write a line such as `front,back,tags` on top; a column with another name is left out"


def read_table(
    file: File, options: ReadOptions, *, separator: str = "", by_anki: bool = False
) -> tuple[Imported, ...]:
    """Return the decks in a table; without a separator the file shows which one it is.

    With `by_anki` lines that begin with `#` are comments, as they are below Anki's directives.
    """
    where = str(file.path)
    said, text = take(decode(file, options.encoding), where)
    said.by_anki |= by_anki
    table = _split(text, options.field_separator or said.separator or separator, where, said)
    rows = [row for row in table.rows if row.cells]
    if not rows:
        raise UserError("there is no card in this file", where=where)
    named = () if said.names or said.columns else header(rows[0])
    columns = _columns(rows, said, table.separator, where, named)
    cells = Cells(columns, said.html, said.notetype, said.tags, said.by_anki)
    remarks = [f"{word(table.separator)}-separated, {_columns_of(columns, named)}"]
    remarks += _left_out(table.rows, rows[0] if named else None, columns, said)
    return gather(file, rows[1:] if named else rows, cells, tuple(remarks), said.deck)


def _split(text: str, separator: str, where: str, said: Directives) -> Split:
    line, comments = said.lines + 1, said.by_anki
    if not separator:
        return guess(text, where=where, line=line, comments=comments)
    if len(separator) > 1 or separator in '"\n':
        what = f"{separator!r} cannot separate the fields of a table"
        raise UserError(what, where=where, hint=SAY)
    return split(text, separator, where=where, line=line, comments=comments)


def _columns(
    rows: Sequence[Row], said: Directives, separator: str, where: str, named: Sequence[str]
) -> tuple[str, ...]:
    """What each column holds, by the names above it, else by its place."""
    if named:
        columns = tuple(named)
    elif said.names:
        names = parse(said.names, separator, where=where)
        columns = tuple(key or EXTRA for key in keys(names[0].cells if names else ()))
    else:
        columns = (EXTRA,) * _width(rows, len(said.columns) + 2)
    special = said.columns
    if outside := [key for key, at in special.items() if at >= len(columns)]:
        what = f"there is no column {special[outside[0]] + 1} for the {outside[0]}"
        raise UserError(what, where=where)
    at_place = {at: key for key, at in special.items()}
    columns = tuple(at_place.get(at, key) for at, key in enumerate(columns))
    if not {"front", "cloze"} & {*columns}:
        columns = _by_place(columns, said, where)
    check_once(columns, where)
    return columns


def _width(rows: Sequence[Row], least: int) -> int:
    """How many columns there are, without those at the end that are empty in every row."""
    width, _ = usual_width(rows)
    filled = max(
        (at + 1 for row in rows for at, cell in enumerate(row.cells[:width]) if cell), default=0
    )
    return min(width, max(filled, least))


def _by_place(columns: tuple[str, ...], said: Directives, where: str) -> tuple[str, ...]:
    """The first column that holds nothing else is the front, the next one the back."""
    free = [at for at, key in enumerate(columns) if key in (EXTRA, UNREAD, "back")]
    is_cloze = "cloze" in said.notetype.casefold()
    if not free or (len(free) == 1 and not is_cloze):
        what = "there is only one column, and a card needs a front and a back"
        raise UserError(what, where=where, hint=SAY)
    if len(free) > 2 and not said.by_anki:
        what = f"{len(columns)} columns, and no line above them says what they hold"
        raise UserError(what, where=where, hint=HEADER)
    found = [EXTRA if at in free else key for at, key in enumerate(columns)]
    for at, key in zip(free, ("front", "back"), strict=False):
        found[at] = key
    return tuple(found)


def _columns_of(columns: Sequence[str], named: Sequence[str]) -> str:
    return f"{counted(len(columns), 'column(|s)')}, {'header' if named else 'no header'}"


def _left_out(
    rows: Sequence[Row], top: Row | None, columns: Sequence[str], said: Directives
) -> list[str]:
    """What is not read as a whole, in words."""
    comments = sum(not row.cells for row in rows)
    found = [*all_counted({"line(|s) that begin(s|) with # left out as a comment": comments})]
    if said.unread:
        found.append(f"not followed: {', '.join(said.unread)}")
    names = [name for name, key in zip(top.cells, columns, strict=False) if not key] if top else []
    if names := [name for name in names if name.strip()]:
        found.append(f"columns left out: {', '.join(names)}")
    return found


def gather(
    file: File, rows: Sequence[Row], cells: Cells, remarks: tuple[str, ...], name: str = ""
) -> tuple[Imported, ...]:
    """Return the decks of these rows; raises UserError if there is not one card among them."""
    home = name or file.path.stem
    decks: dict[str, list[Note]] = {}
    skipped: list[Skipped] = []
    known: dict[tuple[str, ...], int] = {}
    for row in rows:
        deck, section = cells.deck(row) or home, ""
        if cells.by_anki:
            deck, section = apart(deck)
        try:
            note = cells.note(row)
            _check_new(known, deck, note)
        except UnfitError as error:
            skipped.append(Skipped(str(error), row.line))
        else:
            decks.setdefault(deck, []).append(replace(note, section=note.section or section))
    if not decks:
        first = f": line {skipped[0].line}, {skipped[0].what}" if skipped else ""
        raise UserError(f"there is no card in this file{first}", where=str(file.path))
    made = [Imported(deck, tuple(notes)) for deck, notes in decks.items()]
    head = Imported(
        made[0].name, made[0].notes, skipped=tuple(skipped), remarks=remarks + _noticed(cells)
    )
    return (head, *made[1:])


def _check_new(known: dict[tuple[str, ...], int], deck: str, note: Note) -> None:
    """Refuse an id that was given before, and without ids a question that was asked before."""
    name = str(note.fields.get("id", ""))
    asked = plain_front(str(note.fields.get("front") or note.fields.get("cloze")))
    mark = (deck, name) if name else (deck, "", asked)
    first = known.setdefault(mark, note.line)
    if first != note.line:
        what = f"the id {name!r} is given twice, first" if name else "the same front as the card"
        raise UnfitError(f"{what} on line {first}")


def _noticed(cells: Cells) -> tuple[str, ...]:
    """What the notes show when all are read."""
    notes = {
        "note(|s) with more than two fields: the others are in `note`": cells.merged,
        "id(|s) left out that a deck cannot hold": cells.nameless,
    }
    if not cells.media:
        return all_counted(notes)
    named = ", ".join(cells.media[:SHOWN]) + (", …" if len(cells.media) > SHOWN else "")
    media = counted(len(cells.media), "picture(|s) or sound(|s) left as (a name|names) in brackets")
    return (f"{media}: {named}", *all_counted(notes))
