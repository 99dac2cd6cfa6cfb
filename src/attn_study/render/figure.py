"""Words shaded by weight, with the number under each: a stored picture of attention."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from attn_study.render.text import cells, pad, safe, wrap

if TYPE_CHECKING:
    from attn_study.deck.card import Figure

BARS = " ▁▂▃▄▅▆▇█"
SHADES = ("", "on grey19", "on grey27", "on dark_blue", "on blue3", "on blue1")


def figure(picture: Figure, width: int) -> list[Text]:
    """Return the words in rows of at most `width` cells: word, bar and weight one under another.

    The bar's height is the weight's share of the largest one, so that the shape is seen
    without colour.
    """
    most = max(picture.weights) or 1.0
    columns = [
        (safe(token).replace("\n", " "), weight, weight / most)
        for token, weight in zip(picture.tokens, picture.weights, strict=True)
    ]
    lines: list[Text] = []
    for row in _rows(columns, width):
        words, bars, numbers = Text(), Text(), Text()
        for token, weight, share in row:
            size = _size(token)
            words.append(pad(token, size), _shade(share)).append("  ")
            bars.append(pad(BARS[round(share * 8)] * cells(token), size), "blue").append("  ")
            numbers.append(pad(f"{weight:.2f}", size)).append("  ")
        lines += [words, bars, numbers]
    said = f"“{safe(picture.asks)}” asks; the bars are its weights (illustrative)"
    return [*lines, *(Text(line, "dim") for line in wrap(said, width))]


def _size(token: str) -> int:
    return max(cells(token), len("0.00"))


def _rows(
    columns: list[tuple[str, float, float]], width: int
) -> list[list[tuple[str, float, float]]]:
    rows: list[list[tuple[str, float, float]]] = [[]]
    used = 0
    for column in columns:
        size = _size(column[0]) + 2
        if rows[-1] and used + size > width + 2:
            rows.append([])
            used = 0
        rows[-1].append(column)
        used += size
    return rows


def _shade(share: float) -> str:
    shade = SHADES[round(share * (len(SHADES) - 1))]
    return f"rgb(255,255,255) {shade}" if shade else ""
