"""The holes of a cloze text as Anki sees them.

Anki ends a hole at the first `}}`, even within mathematics, and its text at the first `::`. A
comment between two such characters is not shown and keeps them apart, as Anki's manual says; where
the text is read again it is gone.
"""

from __future__ import annotations

import re

from attn_study.deck.formats.html import to_html
from attn_study.deck.holes import Hole, parts

SPLIT, COMMENT = "\x1f", "<!-- -->"  # no deck holds the character
BEGINS = re.compile(r"\{(?=\{c\d)")
MARKS = re.compile(r"\{(?=\{c\d)|\}(?=\}|$)|:(?=:|$)")


def cloze_html(text: str) -> str:
    """Return the HTML of a cloze text, in which Anki finds the same holes and no others."""
    made, at = [], 0
    for part in parts(text):
        if isinstance(part, str):
            made.append(BEGINS.sub(rf"{{{SPLIT}", part))
            at += len(part)
            continue
        bare = f"{{{{c{part.number}::{part.text}}}}}"
        whole = f"{{{{c{part.number}::{part.text}::{part.hint}}}}}"
        is_bare = text.startswith(bare, at)
        made.append(_hole(part, hint=not is_bare))
        at += len(bare if is_bare else whole)
    return to_html("".join(made)).replace(SPLIT, COMMENT)


def _hole(hole: Hole, *, hint: bool) -> str:
    said = f"::{_split(hole.hint)}" if hint else ""
    return f"{{{{c{hole.number}::{_split(hole.text)}{said}}}}}"


def _split(text: str) -> str:
    return MARKS.sub(lambda match: match[0] + SPLIT, text)
