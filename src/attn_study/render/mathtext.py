"""LaTeX mathematics as terminal text, in two dimensions or within a sentence."""

from __future__ import annotations

import re

from attn_study.render.ascii import SUPERSCRIPT
from attn_study.render.boxes import Box, box
from attn_study.render.mathatoms import Style
from attn_study.render.mathreader import Reader
from attn_study.render.safe import safe

__all__ = ["Box", "inline", "lacks_capital", "layout"]

LONGEST = 10_000  # characters; a longer formula stays as typed

_CAPITAL = re.compile(r"\^\s*\{?\s*([A-Z])")


def layout(tex: str, *, ascii: bool = False, capitals: bool = True) -> Box:
    """Return a formula in display form; never raises, whatever `tex` is.

    What is no known LaTeX stays as typed. With `ascii` nothing but ASCII is added. Without
    `capitals` no superscript capital becomes a glyph (see `lacks_capital`).
    """
    return _set(tex, Style(flat=False, ascii=ascii, capitals=capitals))


def inline(tex: str, *, ascii: bool = False, capitals: bool = True) -> str:
    """Return a formula in one row, for use within a sentence; as `layout` in all else."""
    return _set(tex, Style(flat=True, ascii=ascii, capitals=capitals)).rows[0]


def lacks_capital(tex: str) -> bool:
    """Whether `tex` raises a capital without a small glyph, such as the Q of W^Q.

    Beside it W^K should not be set as Wᴷ: formulas that are read together pass the answer
    on as `capitals`.
    """
    return any(letter not in SUPERSCRIPT for letter in _CAPITAL.findall(tex))


def _set(tex: str, style: Style) -> Box:
    tex = safe(tex)
    if len(tex) > LONGEST:
        return box(" ".join(tex.split()))
    if lacks_capital(tex):
        style = Style(flat=style.flat, ascii=style.ascii, capitals=False)
    return Reader(tex).whole(style)
