"""A line over days, drawn in braille dots, with its scale beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

if TYPE_CHECKING:
    from collections.abc import Sequence

HEIGHT = 5  # rows
GAP = 2  # cells between the scale and the line
EMPTY = "\u2800"  # a braille cell without dots


def plot(values: Sequence[float], columns: int, first: str, last: str) -> list[Text]:
    """Return the line through `values`, one a day, with `first` and `last` under its ends.

    The scale goes from 0 to the largest value. There are at least two values.
    """
    from plotille import Canvas

    top = max(1.0, *values)
    scale = [f"{top:,.0f}", *[""] * (HEIGHT - 2), "0"]
    margin = len(scale[0]) + 1
    width = max(8, columns - margin - GAP - 1)
    canvas = Canvas(width, HEIGHT, 0, 0, len(values) - 1, top)
    for at in range(1, len(values)):
        canvas.line(at - 1, values[at - 1], at, values[at])
    rows = str(canvas.plot()).splitlines()
    lines = [
        Text.assemble((f"{label:>{margin}}", "dim"), " " * GAP, (row.rstrip(EMPTY), "cyan"))
        for label, row in zip(scale, rows, strict=True)
    ]
    ends = first + " " * max(1, width - len(first) - len(last)) + last
    return [*lines, Text(" " * (margin + GAP) + ends, "dim")]
