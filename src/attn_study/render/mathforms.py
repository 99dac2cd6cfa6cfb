"""How fractions, roots, accents and tables are set, in two dimensions or in one row."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

from attn_study.render import boxes
from attn_study.render.ascii import SPELLED
from attn_study.render.boxes import Box, box, stacked
from attn_study.render.cells import cells, clusters
from attn_study.render.mathatoms import (
    Atom,
    Style,
    atom,
    is_enclosed,
    is_product,
    is_single,
    line,
)
from attn_study.render.mathscripts import with_scripts
from attn_study.render.symbols import ACCENTS, ALIGNED, BRACKETS, DOUBLE_STRUCK

if TYPE_CHECKING:
    from collections.abc import Sequence


def glyph(text: str, style: Style) -> str:
    """Return a symbol in the letters `style` allows."""
    return SPELLED.get(text, text) if style.ascii else text


def fraction(above: list[Atom], below: list[Atom], style: Style) -> Atom:
    """Return numerator over denominator, or with a slash between them."""
    top, bottom = line(above, style), line(below, style)
    if not style.flat:
        return Atom(boxes.fraction(top, bottom, ascii=style.ascii), "frac")
    left = top.rows[0] if is_product(above, top.rows[0]) else _enclosed(top.rows[0])
    right = bottom.rows[0] if is_single(below) else _enclosed(bottom.rows[0])
    return Atom(box(f"{left}/{right}"), "frac")


def binomial(above: list[Atom], below: list[Atom], style: Style) -> Atom:
    """Return one part over the other in parentheses, or "(n choose k)"."""
    top, bottom = line(above, style), line(below, style)
    if style.flat:
        return Atom(box(f"({top.rows[0]} choose {bottom.rows[0]})"), "fence")
    column = boxes.grid([[top], [bottom]], ["c"], [0])
    return Atom(boxes.fence("(", column, ")", ascii=style.ascii), "fence")


def root(flat: list[Atom], inside: Box, index: str, style: Style) -> Atom:
    """Return a root: √dₖ over one short thing, else √(…) or a line over `inside`.

    `flat` is what stands under the root, set in one row; `inside` the same as `style` sets it.
    """
    one_row = line(flat, style).rows[0]
    is_short = style.flat or is_single(flat)
    if style.ascii and (style.flat or inside.height == 1):
        return atom(f"root({index}, {one_row})" if index else f"sqrt{_enclosed(one_row)}", "root")
    if style.ascii or not is_short:
        drawn = boxes.root(inside, ascii=style.ascii)
    else:
        drawn = box("√" + (one_row if is_single(flat) else _enclosed(one_row)))
    if not index:
        return Atom(drawn, "root")
    small = with_scripts(Atom(box("")), "", index, style)
    if small.box.height > 1 or "^" in small.text:
        small = atom(f"({index})")
    return Atom(boxes.beside([small.box, drawn]), "root")


def accent(name: str, inside: Box, style: Style) -> Atom:
    """Return `inside` with a hat, a bar or the like."""
    mark, drawn, stretches = ACCENTS[name]
    text = inside.rows[0]
    is_row = inside.height == 1
    if not style.ascii and is_row and len(clusters(text)) == 1 and text.isalnum():
        return Atom(box(unicodedata.normalize("NFC", text + mark)))
    if is_row and (style.flat or style.ascii):
        return atom(f"{name}{_enclosed(text)}")
    drawn = glyph(drawn, style)
    cover = box(drawn * max(1, inside.width) if stretches else drawn)
    if name == "underline":
        return Atom(stacked([inside, cover], on=0))
    return Atom(stacked([cover, inside], on=1))


def brace(inside: Box, style: Style, *, is_under: bool) -> Atom:
    """Return `inside` with a brace under or over it, which takes a script as its label."""
    if style.flat:
        return Atom(box(_enclosed(inside.rows[0])) if " " in inside.rows[0] else inside)
    ends, bar = ("++", "-") if style.ascii else (("└┘" if is_under else "┌┐"), "─")
    drawn = box(ends[0] + bar * max(0, inside.width - 2) + ends[1])
    parts = [inside, drawn] if is_under else [drawn, inside]
    return Atom(stacked(parts, on=0 if is_under else 1), limits=True)


def table(rows: Sequence[Sequence[list[Atom]]], name: str, style: Style) -> Atom:
    """Return the cells of a matrix, of cases or of aligned lines, as environment `name` does."""
    widest = max(map(len, rows))
    is_aligned = name in ALIGNED
    full = [
        [_cell(part, column, style, is_aligned=is_aligned) for column, part in enumerate(row)]
        + [box("")] * (widest - len(row))
        for row in rows
    ]
    left, right = (glyph(side, style) for side in BRACKETS.get(name, ("", "")))
    if style.flat:
        return _table_in_line(full, left, right, name)
    if is_aligned:
        aligns = ["rl"[column % 2] for column in range(widest)] if widest > 1 else ["l"]
        gaps = [0 if column % 2 or not column else 2 for column in range(widest)]
    else:
        aligns = ["l" if name == "cases" else _align(full, column) for column in range(widest)]
        gaps = [2 if column else 0 for column in range(widest)]
    drawn = boxes.grid(full, aligns, gaps)
    if not (left or right):
        return Atom(drawn, "fence")
    if drawn.height == 1:
        drawn = boxes.beside([box(" "), drawn, box(" ")])
    return Atom(boxes.fence(left, drawn, right, ascii=style.ascii), "fence")


def letters(text: str, name: str, style: Style) -> str:
    """Return letters in the font `name`, where a terminal has it."""
    if name == "mathbb" and not style.ascii:
        return "".join(DOUBLE_STRUCK.get(char, char) for char in text)
    return text


def _enclosed(text: str) -> str:
    return text if is_enclosed(text) else f"({text})"


def _cell(part: list[Atom], column: int, style: Style, *, is_aligned: bool) -> Box:
    """A cell after & goes on from the one before: its first sign has a left operand."""
    follows = [Atom(box("")), *part] if is_aligned and column % 2 else part
    set_part = line(follows, style)
    starts_apart = follows is not part and part and part[0].kind in ("rel", "bin")
    return boxes.beside([box(" "), set_part]) if starts_apart else set_part


def _align(full: Sequence[Sequence[Box]], column: int) -> str:
    """Numbers end at the same place, anything else is centred."""
    texts = [row[column].rows[0].strip() for row in full]
    return "r" if all(text.lstrip("-").replace(".", "").isdecimal() for text in texts) else "c"


def _table_in_line(full: Sequence[Sequence[Box]], left: str, right: str, name: str) -> Atom:
    if name == "cases":
        right = "}"
    texts = [[part.rows[0].strip() for part in row] for row in full]
    is_matrix = name not in ALIGNED and name != "cases"
    if is_matrix:
        between = ", " if any(" " in text for row in texts for text in row) else " "
    else:
        between = " "
        texts = [[text for text in row if text] for row in texts]
    joined = "; ".join(between.join(row) for row in texts)
    return Atom(box(f"{left}{joined}{right}"), "fence" if cells(left) else "ord")
