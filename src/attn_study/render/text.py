"""The one door through which foreign text reaches a screen."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING

from attn_study.render.ascii import encodable, to_ascii
from attn_study.render.cells import cells, clusters, cut, pad, shortened
from attn_study.render.safe import safe
from attn_study.render.spans import Span, spans
from attn_study.render.wrapping import NO_BREAK, wrap

if TYPE_CHECKING:
    from attn_study.render.boxes import Box

__all__ = [
    "cells",
    "clusters",
    "cut",
    "encodable",
    "pad",
    "paragraphs",
    "safe",
    "shortened",
    "to_ascii",
    "wrap",
]

INDENT = "  "  # before a display
NARROW = 20  # cells; in a narrower column a formula needs every one of them

_PUNCTUATION = re.compile(r"[.,;:!?](?=\s|\Z)")
_BREAK = re.compile(r" *\n?")


def paragraphs(text: str, width: int, *, ascii: bool = False) -> list[str]:
    r"""Return card text as lines of at most `width` cells, safe to show.

    `\( … \)` is set within its line, `\[ … \]` as a block of its own; all else is shown as
    typed. With `ascii` every character is ASCII.
    """
    found = list(spans(safe(text).rstrip("\n")))
    if ascii:
        found = [replace(span, text=to_ascii(span.text)) for span in found]
    if len(found) == 1:
        return wrap(found[0].text, width)
    return _with_mathematics(found, width, ascii=ascii)


def _with_mathematics(found: list[Span], width: int, *, ascii: bool) -> list[str]:
    # a card without mathematics need not wait for this
    from attn_study.render.mathtext import inline, lacks_capital, layout

    is_plain = any(lacks_capital(span.text) for span in found if span.kind != "plain")
    one_row = partial(inline, ascii=ascii, capitals=not is_plain)
    draw = partial(layout, ascii=ascii, capitals=not is_plain)
    lines: list[str] = []
    waiting = ""  # text that a display or the end completes
    after_display = False
    for span, following in pairwise([*found, Span("plain", "")]):
        if span.kind == "display":
            before = waiting.rstrip(" ")
            lines += wrap(before.removesuffix("\n"), width) if before else []
            mark = _PUNCTUATION.match(following.text) if following.kind == "plain" else None
            tex = span.text + (mark[0] if mark else "")
            lines += _block(draw(tex), width) or wrap(_indented(one_row(tex), width), width)
            waiting = ""
        elif span.kind == "inline":
            waiting += one_row(span.text).replace(" ", NO_BREAK)
        else:
            waiting += _after_display(span.text) if after_display else span.text
        after_display = span.kind == "display"
    return lines + wrap(waiting, width) if waiting or not lines else lines


def _block(drawn: Box, width: int) -> list[str]:
    """The rows of a display, indented as far as there is room; none if they are too wide."""
    room = width - drawn.width
    return [(INDENT[:room] + row).rstrip(" ") for row in drawn.rows] if room >= 0 else []


def _indented(text: str, width: int) -> str:
    return INDENT + text if width >= NARROW else text


def _after_display(text: str) -> str:
    """What the display has taken: a mark right after it, and the rest of its own line."""
    mark = _PUNCTUATION.match(text)
    text = text[1:] if mark else text
    return _BREAK.sub("", text, count=1)
