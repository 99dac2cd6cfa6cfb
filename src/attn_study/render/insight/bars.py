"""Counts as bars, one under the other, or as columns in one row."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from attn_study.render.cells import cells, pad
from attn_study.render.numbers import bar

if TYPE_CHECKING:
    from collections.abc import Sequence

    from attn_study.memory.insight.stats import Bar

COLUMNS = " ▁▂▃▄▅▆▇█"
DAYS = (".0f", " d", 1)  # format, unit, and what a unit has of the number
EASE = (".2f", "", 100)


def bars(rows: Sequence[tuple[str, int]], columns: int) -> list[Text]:
    """Return a line for each label and count, the longest bar as wide as there is room."""
    label = max((cells(name) for name, _ in rows), default=0)
    most = max((count for _, count in rows), default=0)
    number = len(f"{most:,}")
    width = max(1, columns - label - number - 4)
    return [
        Text.assemble(
            (f" {pad(name, label)} ", "dim"),
            f"{count:>{number},}",
            (f" {bar(count / most, width)}" if count else "", "cyan"),
        )
        for name, count in rows
    ]


def beside(left: Sequence[Text], right: Sequence[Text], width: int) -> list[Text]:
    """Return two blocks side by side, the first padded to `width` cells."""
    rows = max(len(left), len(right))
    blank = Text()
    lines = []
    for at in range(rows):
        first, second = (block[at] if at < len(block) else blank for block in (left, right))
        gap = " " * max(0, width - first.cell_len) if second.plain else ""
        lines.append(Text.assemble(first, gap, second))
    return lines


def column_row(counts: Sequence[int], width: int) -> str:
    """Return the counts as columns of `width` cells each; a small count still shows."""
    most = max(counts, default=0) or 1
    top = len(COLUMNS) - 1
    return "".join(COLUMNS[-(-count * top // most)] * width for count in counts)


def interval_names(found: Sequence[Bar]) -> list[tuple[str, int]]:
    """Return the bars of intervals with what they hold, `7–20 d`, up to the longest there is."""
    filled = [at for at, bar in enumerate(found) if bar.cards]
    found = found[: max(filled, default=-1) + 1]
    return [(_span(bar.least, bar.most, DAYS), bar.cards) for bar in found]


def ease_names(found: Sequence[Bar]) -> list[tuple[str, int]]:
    """Return the bars of ease factors with what they hold; the least says that it is that."""
    return [
        (
            f"{bar.least / 100:.2f}, stuck" if at == 0 else _span(bar.least, bar.most, EASE),
            bar.cards,
        )
        for at, bar in enumerate(found)
    ]


def _span(least: int, most: int | None, words: tuple[str, str, float]) -> str:
    form, unit, size = words
    low = format(least / size, form)
    if most is None:
        return f"from {low}{unit}"
    return f"{low}{unit}" if least == most else f"{low}–{format(most / size, form)}{unit}"
