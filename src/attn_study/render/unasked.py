"""A card that cannot be asked: why, and the ways past it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from attn_study.render.face import counts
from attn_study.render.posed import framed, indent, key_line, place_of, said, text_width
from attn_study.render.text import safe, wrap

if TYPE_CHECKING:
    from attn_study.posed import Posed
    from attn_study.render.frame import Frame
    from attn_study.sitting import Face

NOTHING_GRADED = "It cannot be asked now. Nothing is graded, and its dates stay as they are."
KEYS = (("b", "not today"), ("u", "undo"), ("e", "edit"), ("?", "more"), ("q", "quit"))


def ways(bury: str, edit: str, leave: str) -> str:
    """Return what leads past such a card, by the keys or the words that do it."""
    return f"{bury} rests it until tomorrow; {edit} opens its deck; {leave} leaves."


def reason(face: Posed) -> list[str]:
    """Return which card it is and what is wrong, then what to try; nothing for a sound card."""
    fault = face.fault
    if fault is None:
        return []
    place = f"{fault.where}: " if fault.where else ""
    told = (f"{face.card.id}: {place}{fault.what}", fault.hint)
    return [safe(words) for words in told if words]


def unasked(face: Face, columns: int, words: str, rows: int) -> Frame:
    """Return the screen of such a card; `words` are said above the keys."""
    keys = key_line(KEYS, columns)
    margin, width = " " * indent(columns), text_width(columns)
    lines = [*reason(face), "", NOTHING_GRADED]
    body = (Text(), *(Text(margin + part) for line in lines for part in wrap(line, width) or [""]))
    return framed(
        place_of(face.card, named=False),
        counts(face.plan),
        body,
        (*said(words, columns), *keys),
        keys,
        columns,
        words=words,
        rows=rows,
    )
