"""Tables in which a character separates the cells: CSV, TSV, and what Quizlet exports."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attn_study.deck.formats.decoding import decode
from attn_study.deck.formats.exchange import Exported
from attn_study.deck.formats.losses import common_losses
from attn_study.deck.formats.table.cells import ITEMS, Cells
from attn_study.deck.formats.table.reading import gather, read_table
from attn_study.deck.formats.table.rows import BLANKS, MAX_ROWS, Row, packed
from attn_study.deck.formats.table.rows import write as written
from attn_study.deck.formats.table.separator import word
from attn_study.deck.source import BREAK
from attn_study.deck.spelling import plain
from attn_study.errors import UserError
from attn_study.wording import all_counted

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from attn_study.deck.card import Card, Deck
    from attn_study.deck.formats.exchange import File, Imported, ReadOptions, WriteOptions

ALWAYS = ("front", "back", "kind")  # also in a table whose columns are empty
# What a spreadsheet takes for the beginning of a formula
SUSPECT = "with = + - @ or a tab, which a spreadsheet may read as a formula"
FORMULA = ("=", "+", "-", "@", "\t")


def read(file: File, options: ReadOptions) -> tuple[Imported, ...]:
    """Return the decks of a table; a `tsv` file is split at tabs, a `csv` file as it shows."""
    if options.format == "quizlet":
        return _read_quizlet(file, options)
    return read_table(file, options, separator="\t" if options.format == "tsv" else "")


def _read_quizlet(file: File, options: ReadOptions) -> tuple[Imported, ...]:
    """Terms with their definitions, split as the learner said: here no quote protects anything."""
    between = BREAK.sub("\n", options.field_separator or "\t")
    behind = BREAK.sub("\n", options.row_separator or "\n")
    if between == behind:
        what = f"{between!r} cannot separate both the fields and the rows"
        raise UserError(what, where=str(file.path), hint="--field-sep and --row-sep must differ")
    rows = list(_quizlet_rows(decode(file, options.encoding), between, behind, str(file.path)))
    remark = f"split at {word(between)} into term and definition, at {word(behind)} into rows"
    return gather(file, rows, Cells(("front", "back")), (remark,))


def _quizlet_rows(text: str, between: str, behind: str, where: str) -> Iterator[Row]:
    line = 1
    if text.count(behind) >= MAX_ROWS:
        what = f"more than {MAX_ROWS:,} rows"
        raise UserError(what, where=where, hint="split the file into several")
    for piece in text.split(behind):
        if piece.strip():
            lead = len(piece) - len(piece.lstrip("\n"))
            cells = tuple(cell.strip(BLANKS + "\n") for cell in piece.split(between))
            yield Row(line + lead, cells)
        line += piece.count("\n") + behind.count("\n")


def write(deck: Deck, options: WriteOptions) -> Exported:
    """Return the notes as a table with a header, every text exactly as it is.

    `read` gives the same notes back, but for what `losses` names.
    """
    notes = [note for note in deck.notes if note.kind != "computed"]
    rows = [_row(note) for note in notes]
    columns = [key for key in _row_keys() if key in ALWAYS or any(row[key] for row in rows)]
    cells = [[row[key] for key in columns] for row in rows]
    is_tsv = options.format == "tsv"
    text = written([columns, *cells], "\t" if is_tsv else ",", "\n" if is_tsv else "\r\n")
    return Exported(text.encode(), (*common_losses(deck, options), *_formulas(cells)))


def _row_keys() -> tuple[str, ...]:
    return (
        "front", "back", "answer", "accept", "tolerance", "choices", "note", "tags", "section",
        "kind", "id",
    )  # fmt: skip


def _row(note: Card) -> dict[str, str]:
    """The cells of one note. A cloze text stands where others have their front."""
    return {
        "front": note.front or note.cloze,
        "back": note.back,
        "answer": note.answer,
        "accept": packed([note.accept], ITEMS),
        "tolerance": "" if note.tolerance is None else plain(note.tolerance),
        "choices": packed(
            [(one.text, one.why) if one.why else (one.text,) for one in note.options], ITEMS
        ),
        "note": note.note,
        "tags": packed([note.tags], " "),
        "section": note.section,
        "kind": note.kind,
        "id": note.name if note.written_id else "",
    }


def _formulas(cells: Sequence[Sequence[str]]) -> tuple[str, ...]:
    count = sum(cell.startswith(FORMULA) for row in cells for cell in row)
    return all_counted({f"cell(|s) begin(s|) {SUSPECT}": count})
