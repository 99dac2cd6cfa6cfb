"""Words shaded by weight, with the number under each: a stored picture of attention."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from attn_study.render.shaded import GAPS, Word, in_rows
from attn_study.render.text import safe, wrap

if TYPE_CHECKING:
    from attn_study.deck.card import Figure

SHADES = ("", "on grey19", "on grey27", "on dark_blue", "on blue3", "on blue1")


def figure(picture: Figure, width: int) -> list[Text]:
    """Return the words in rows of at most `width` cells: word, bar and weight one under another.

    The bar's height is the weight's share of the largest one, so that the shape is seen
    without colour.
    """
    most = max(picture.weights) or 1.0
    words = [
        Word(safe(token).replace("\n", " "), _shade(weight / most), weight / most, f"{weight:.2f}")
        for token, weight in zip(picture.tokens, picture.weights, strict=True)
    ]
    lines = in_rows(words, width, GAPS[0])
    said = f"“{safe(picture.asks)}” asks; the bars are its weights (illustrative)"
    return [*lines, *(Text(line, "dim") for line in wrap(said, width))]


def _shade(share: float) -> str:
    shade = SHADES[round(share * (len(SHADES) - 1))]
    return f"rgb(255,255,255) {shade}" if shade else ""
