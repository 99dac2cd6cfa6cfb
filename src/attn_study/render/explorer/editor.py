"""An input as a sheet of numbers with a cursor in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from attn_study.render.explorer.targets import target
from attn_study.render.numbers import digits_for, longest, number
from attn_study.render.text import cells, cut, pad, safe

if TYPE_CHECKING:
    from collections.abc import Sequence

LABEL = 14  # cells of the name of a row at most
CURSOR = "bold reverse"


def editor(
    names: Sequence[str],
    values: Sequence[Sequence[float]],
    cell: tuple[int, int],
    columns: int,
    rows: int,
    typed: str | None = None,
) -> list[Text]:
    """Return the numbers around the cursor with the numbers of their columns over them.

    `typed` is what stands at the cursor while a number is typed.
    """
    digits = digits_for([value for row in values for value in row], 2)
    label = min(LABEL, max(map(cells, map(safe, names)), default=0) + 4)
    size = max(longest(values, digits), len(typed or ""), 4) + 2
    there_are = len(values[0]) if values else 0
    most = max(1, (columns - label) // size)
    first = max(0, min(cell[1] - most // 2, there_are - most))
    shown = range(first, min(there_are, first + most))
    head = Text(" " * label)
    for column in shown:
        head.append(str(column + 1).rjust(size), "bold" if column == cell[1] else "dim")
    lines = [head]
    top = max(0, min(cell[0] - rows // 2, len(values) - rows))
    for at in range(top, min(len(values), top + rows)):
        mark = "▸" if at == cell[0] else " "
        name = pad(f" {mark} {cut(safe(names[at]), label - 4)}", label)
        line = Text(name, "bold" if at == cell[0] else "")
        line = Text().append_text(line)
        for column in shown:
            is_here = (at, column) == cell
            text = number(values[at][column], digits)
            if is_here and typed is not None:
                text = typed or " "
            style = target(f"cell {at} {column}", CURSOR if is_here else "")
            line.append(" " * (size - cells(text))).append(text, style)
        lines.append(line)
    return lines
