"""Words in rows, each shaded, with a bar and a number under it: a row of weights as text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rich.text import Text

from attn_study.render.ledger import trimmed
from attn_study.render.numbers import number
from attn_study.render.shades import of_weight
from attn_study.render.text import cells, cut, pad, safe, wrap

if TYPE_CHECKING:
    from collections.abc import Sequence

    from attn_study.demos.panels import Shaded

BARS = " ▁▂▃▄▅▆▇█"
GAPS = (2, 1)  # cells between two words, the wider where it costs no further row


@dataclass(frozen=True, slots=True)
class Word:
    """A word with its style, how high its bar is as a share of a row, and the number under it."""

    text: str
    style: str
    height: float
    number: str

    @property
    def width(self) -> int:
        """The cells that the word and its number take."""
        return max(cells(self.text), cells(self.number))


def draw_shaded(panel: Shaded, columns: int) -> list[Text]:
    """Return the words with what each weighs; a bar over the whole row is a weight of 1."""
    room = max(1, columns - 2)
    words = [
        Word(cut(safe(text), room), of_weight(weight), weight, number(weight, 2))
        for text, weight in zip(panel.words, panel.weights, strict=True)
    ]
    gap = min(GAPS, key=lambda gap: len(_rows(words, room, gap)))
    drawn = [trimmed(Text(" ").append_text(line)) for line in in_rows(words, room, gap)]
    return [*(Text(f" {line}", "bold") for line in wrap(safe(panel.title), room)), *drawn]


def in_rows(words: Sequence[Word], width: int, gap: int) -> list[Text]:
    """Return three lines for each row of at most `width` cells: words, bars and numbers."""
    lines: list[Text] = []
    for row in _rows(words, width, gap):
        names, bars, numbers = Text(), Text(), Text()
        for word in row:
            names.append(pad(word.text, word.width), word.style).append(" " * gap)
            bar = BARS[round(max(0.0, min(word.height, 1.0)) * 8)] * cells(word.text)
            bars.append(pad(bar, word.width), "blue").append(" " * gap)
            numbers.append(pad(word.number, word.width)).append(" " * gap)
        lines += [names, bars, numbers]
    return lines


def _rows(words: Sequence[Word], width: int, gap: int) -> list[list[Word]]:
    rows: list[list[Word]] = [[]]
    used = 0
    for word in words:
        size = word.width + gap
        if rows[-1] and used + size > width + gap:
            rows.append([])
            used = 0
        rows[-1].append(word)
        used += size
    return rows
