"""Which character separates the cells of a table, by a rule that refuses when it is unsure."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from attn_study.deck.formats.table.columns import header
from attn_study.deck.formats.table.rows import Row, UnsplitError, parse
from attn_study.errors import UserError

if TYPE_CHECKING:
    from collections.abc import Sequence

TAB = "\t"
WORDS = {TAB: "tab", ";": "semicolon", ",": "comma", "|": "pipe", " ": "space", ":": "colon"}
CANDIDATES = (TAB, ";", ",", "|")
NEARLY_ALL = 0.9  # share of the rows that have the same number of cells
SAY = "say it: --field-sep ';'"


class Split(NamedTuple):
    """A text split by one separator; `width` is the most frequent number of cells."""

    separator: str
    rows: list[Row]
    width: int
    share: float

    @property
    def fits(self) -> bool:
        """Whether nearly all rows have the same number of cells, two or more."""
        return self.width > 1 and self.share >= NEARLY_ALL


def word(separator: str) -> str:
    """Return what a separator is called."""
    return WORDS.get(separator, repr(separator))


def usual_width(rows: Sequence[Row]) -> tuple[int, int]:
    """Return the most frequent number of cells, the larger of two, and how many rows have it."""
    counts = Counter(len(row.cells) for row in rows if row.cells and not row.fault)
    return max(counts.items(), key=lambda item: (item[1], item[0]), default=(0, 0))


def split(text: str, separator: str, *, where: str, line: int, comments: bool) -> Split:
    """Split a text; raises UnsplitError where that gives no table."""
    rows = parse(text, separator, where=where, line=line, comments=comments)
    width, count = usual_width(rows)
    total = sum(bool(row.cells) for row in rows)
    return Split(separator, rows, width, count / total if total else 0.0)


def guess(text: str, *, where: str, line: int, comments: bool) -> Split:
    """Split a text by the separator that its rows make plain.

    The one under which the first row names columns; else a tab, which nobody types in a text,
    if it gives nearly all rows the same number of cells; else the only one that does so. Raises
    UserError where none does, or more than one.
    """
    tried: list[Split] = []
    unsplit: UnsplitError | None = None
    for separator in (one for one in CANDIDATES if one in text):
        try:
            tried.append(split(text, separator, where=where, line=line, comments=comments))
        except UnsplitError as error:
            unsplit = unsplit or error
    named = [one for one in tried if header(next((row for row in one.rows if row.cells), None))]
    fitting = [one for one in tried if one.fits]
    tabbed = [one for one in fitting if one.separator == TAB]
    chosen = named or tabbed or fitting
    if len(chosen) == 1:
        return chosen[0]
    if unsplit is not None and not chosen:
        raise unsplit
    raise UserError(_unsure(chosen, tried), where=where, hint=SAY)


def _unsure(chosen: Sequence[Split], tried: Sequence[Split]) -> str:
    """Say why no separator is plain."""
    if chosen:
        names = " and ".join(word(one.separator) for one in chosen)
        return f"{names} would each split the rows evenly: which one separates the fields?"
    uneven = [one for one in tried if one.width > 1]
    if not uneven:
        return "there is only one column, and a card needs a front and a back"
    said = ", ".join(
        f"{word(one.separator)} gives {one.width} fields on {one.share:.0%} of the rows"
        for one in uneven
    )
    return f"no separator splits the rows evenly: {said}"
