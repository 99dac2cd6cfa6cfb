r"""Rows of cells as text and back: a separator between cells, double quotes around awkward ones.

Blanks around a bare cell mean nothing, those inside quotes are kept. Lines end by `\n`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from attn_study.errors import UserError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

BLANKS = " \t"
MAX_ROWS = 100_000  # as many as a deck may hold cards
MAX_COLUMNS = 1_000
FOLLOWED = "text follows a closing quote; a quote inside a field is written twice"
AWKWARD = re.compile(r'["\n]|^#')


@dataclass(frozen=True, slots=True)
class Row:
    """The cells of one row and the line on which it begins, from 1; a comment has none.

    `fault` says what is wrong with the row.
    """

    line: int
    cells: tuple[str, ...]
    fault: str = ""


class UnsplitError(UserError):
    """A text that is no table with this separator."""


def parse(
    text: str, separator: str, *, where: str, line: int = 1, comments: bool = False
) -> list[Row]:
    """Return the rows that are not blank; the text begins on `line` of the file `where`.

    With `comments` a line that begins with a bare `#` is one. A row that goes on behind a closing
    quote has a fault. Raises UnsplitError with the line of a quote that opens and is not closed,
    and for more rows or columns than a deck could hold.
    """
    rows: list[Row] = []
    at = 0
    while at < len(text):
        end = _end_of_line(text, at)
        behind = end + 1
        if comments and text[at] == "#":
            rows.append(Row(line, ()))
        elif text.count(separator, at, end) >= MAX_COLUMNS and '"' not in text[at:end]:
            raise _too_wide(where, line)
        else:
            row, behind = _row(text, separator, at, end, where=where, line=line)
            if row.fault or any(row.cells):
                rows.append(row)
        if len(rows) > MAX_ROWS:
            what, hint = f"more than {MAX_ROWS:,} rows", "split the file into several"
            raise UnsplitError(what, where=f"{where}:{line}", hint=hint)
        line += 1 if behind == end + 1 else text.count("\n", at, behind)
        at = behind
    return rows


def _row(text: str, separator: str, at: int, end: int, *, where: str, line: int) -> tuple[Row, int]:
    """The row that begins at `at`, on a line that ends at `end`, and where the next one begins."""
    if text.find('"', at, end) < 0:
        return Row(line, tuple(c.strip(BLANKS) for c in text[at:end].split(separator))), end + 1
    pattern, cells, begun = _cell(separator), list[str](), at
    while True:
        match = pattern.match(text, at)
        assert match is not None  # a bare cell may be empty
        at, inside = match.end(), match["quoted"]
        if inside is not None and match["ended"] is None:
            if not match["closed"] or "\n" in inside:
                raise _unclosed(where, line + text.count("\n", begun, match.start()))
            return Row(line, (*cells, inside), FOLLOWED), _end_of_line(text, at) + 1
        cells.append(match["bare"].strip(BLANKS) if inside is None else inside.replace('""', '"'))
        if len(cells) > MAX_COLUMNS:
            raise _too_wide(where, line)
        if not text.startswith(separator, at):
            return Row(line, tuple(cells)), at + 1
        at += 1


@cache
def _cell(separator: str) -> re.Pattern[str]:
    """One cell, quoted or bare; `ended` is there when nothing follows a closing quote."""
    mark = re.escape(separator)
    ended = rf"(?P<ended> *(?={mark}|\n|\Z))?"
    quoted = rf' *"(?P<quoted>(?:[^"]++|"")*+)(?:(?P<closed>"){ended})?'
    return re.compile(rf"{quoted}|(?P<bare>[^{mark}\n]*)")


def _end_of_line(text: str, at: int) -> int:
    end = text.find("\n", at)
    return len(text) if end < 0 else end


def _unclosed(where: str, line: int) -> UnsplitError:
    hint = "close it, or write a quote that belongs to the text twice and in quotes"
    return UnsplitError("a quote opens here and is not closed", where=f"{where}:{line}", hint=hint)


def _too_wide(where: str, line: int) -> UnsplitError:
    what = f"more than {MAX_COLUMNS:,} columns"
    return UnsplitError(what, where=f"{where}:{line}", hint="is it another separator? --field-sep")


def write(rows: Iterable[Sequence[str]], separator: str, end: str = "\n") -> str:
    """Return the rows as text that `parse` reads as the same cells."""
    return "".join(separator.join(_written(cell, separator) for cell in row) + end for row in rows)


def _written(cell: str, separator: str) -> str:
    is_plain = cell == cell.strip(BLANKS) and separator not in cell and not AWKWARD.search(cell)
    return cell if is_plain or not cell else '"' + cell.replace('"', '""') + '"'


def packed(rows: Iterable[Sequence[str]], separator: str) -> str:
    """Return rows as the text of one cell."""
    return write(rows, separator).removesuffix("\n")


def unpacked(cell: str, separator: str) -> list[tuple[str, ...]]:
    """Return the rows in one cell; raises UserError where its quotes do not fit."""
    rows = parse(cell, separator, where="")
    if fault := next((row.fault for row in rows if row.fault), ""):
        raise UserError(fault)
    return [row.cells for row in rows]
