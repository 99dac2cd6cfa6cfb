"""The inputs side by side, every number of them to be clicked."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from rich.text import Text

from attn_study.render.explorer.targets import target
from attn_study.render.numbers import digits_for, longest, number, shape
from attn_study.render.text import cells, cut, pad, safe

if TYPE_CHECKING:
    from collections.abc import Sequence

APART = 3  # cells between two inputs
LABEL = 10  # cells of the name of a row


class Input(NamedTuple):
    """An input as it is shown: its name, its title, a name for each row, (rows, columns)."""

    name: str
    title: str
    rows: tuple[str, ...]
    values: Sequence[Sequence[float]]


def inputs(shown: Sequence[Input], columns: int, rows: int, focus: int) -> list[Text]:
    """Return the inputs in one band; nothing where there is no room for every number.

    The row of the query in focus is marked where the rows of an input are tokens.
    """
    drawn = [_block(each, focus) for each in shown]
    height = max((len(block) for block in drawn), default=0)
    widths = [max(line.cell_len for line in block) for block in drawn]
    if not drawn or height > rows or sum(widths) + APART * (len(drawn) - 1) > columns:
        return []
    lines = []
    for at in range(height):
        line = Text()
        for block, width in zip(drawn, widths, strict=True):
            part = block[at] if at < len(block) else Text()
            line.append_text(part).append(" " * (width - part.cell_len + APART))
        line.rstrip()
        lines.append(line)
    return lines


def _block(shown: Input, focus: int) -> list[Text]:
    """Return one input under its title, with its tokens on the left where it has tokens."""
    digits = digits_for([value for row in shown.values for value in row], 2)
    size = longest(shown.values, digits) + 1
    label = min(LABEL, max((cells(safe(name)) for name in shown.rows), default=-2) + 2)
    lines = [Text(f"{' ' * label}{shown.title} {shape(shown.values)}", "bold")]
    for at, row in enumerate(shown.values):
        line = Text()
        if shown.rows:
            mark = "▸" if at == focus else " "
            line.append(pad(f"{mark}{cut(safe(shown.rows[at]), label - 1)}", label))
        for column, value in enumerate(row):
            text = number(value, digits).rjust(size)
            line.append(text, target(f"input {shown.name} {at} {column}"))
        lines.append(line)
    return lines
