"""Which kind of log a file is, seen from how it begins."""

from __future__ import annotations

import csv
import stat
from typing import TYPE_CHECKING

from attn_study.deck.formats.decoding import MARKS
from attn_study.errors import UserError, near
from attn_study.memory.exchange.foreign import COLUMNS
from attn_study.memory.format import APPLICATION

if TYPE_CHECKING:
    from pathlib import Path

HEAD = 65_536  # bytes that are looked at
SQLITE, MARK = b"SQLite format 3\0", slice(68, 72)  # who made it stands there
SAVE = "save it as UTF-8"
REVIEWS = {"card_id", "review_rating", "review_time"}  # columns that a table of reviews must have
TEXTS = ("jsonl", "csv", "reviews")
LAYOUTS = (*TEXTS, "anki")
SEPARATORS = (",", ";", "\t")


def recognise(path: Path, wanted: str) -> str:
    """Return one of `LAYOUTS`: the one that is wanted, or the one that the file shows.

    Raises UserError for a file that is none of them.
    """
    if wanted and wanted not in LAYOUTS:
        hint = near(wanted, LAYOUTS) or "one of: " + ", ".join(LAYOUTS)
        raise UserError(f"no kind of log is called {wanted!r}", hint=hint)
    head = _head(path)
    if wanted:
        if wanted in TEXTS:
            _text(head, path)
        return wanted
    if head.startswith(SQLITE):
        if int.from_bytes(head[MARK], "big") == APPLICATION:
            hint = "in its own home `attn-study log export -o log.jsonl` writes what can come in"
            raise UserError("this is a study database, not a log", where=str(path), hint=hint)
        return "anki"
    if head.startswith(b"PK"):
        return "anki"
    if head.startswith(b"PAR1"):
        hint = "Parquet is for counting; JSON Lines and CSV come back"
        raise UserError("a log does not come back from Parquet", where=str(path), hint=hint)
    return _by_text(_text(head, path), path)


def _text(head: bytes, path: Path) -> str:
    """Return how a text begins, without blank lines before it; UserError for what is no text."""
    name = next((name for mark, name in MARKS if head.startswith(mark)), "utf-8")
    if name != "utf-8":
        raise UserError(f"this is {name.upper()} text", where=str(path), hint=SAVE)
    if head.count(0) * 4 > len(head):  # UTF-16 without a mark has a zero in every second byte
        raise UserError("this is not UTF-8 text", where=str(path), hint=SAVE)
    text = head.decode("utf-8-sig", "replace").lstrip()
    if not text:
        raise UserError("the file is empty", where=str(path))
    return text


def _by_text(text: str, path: Path) -> str:
    first = text.splitlines()[0].strip()
    if first.startswith("{"):
        return "jsonl"
    columns = set(split(first, separator(first)))
    if {"uid", "kind", "card"} <= columns:
        return "csv"
    if columns >= REVIEWS:
        return "reviews"
    hint = f"a table of reviews begins with {','.join(sorted(REVIEWS))}"
    raise UserError("this is no log that can be read", where=str(path), hint=hint)


def separator(header: str) -> str:
    """Return what stands between the columns of a header: the mark that parts most known ones."""
    known = REVIEWS | set(COLUMNS)
    return max(SEPARATORS, key=lambda mark: len(set(split(header, mark)) & known))


def split(line: str, mark: str) -> list[str]:
    """Return the cells of a line."""
    return [cell.strip() for cell in next(csv.reader([line], delimiter=mark), [])]


def _head(path: Path) -> bytes:
    try:
        kind = path.stat().st_mode
        if not (stat.S_ISREG(kind) or stat.S_ISDIR(kind)):  # a pipe would be waited for
            hint = "what comes through a pipe is there only once: save it in a file first"
            raise UserError("this is no regular file", where=str(path), hint=hint)
        with path.open("rb") as file:
            return file.read(HEAD)
    except OSError as error:
        what = f"cannot be read: {error.strerror or error}"
        raise UserError(what, where=str(path)) from error
