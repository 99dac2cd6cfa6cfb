"""A deck's text as lines that keep their ends, behind the mark that may stand in front of it."""

from __future__ import annotations

import re

from attn_study.deck.source import BREAK

LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")


def apart(text: str) -> tuple[str, str]:
    """Return the byte order mark, if there is one, and the text behind it."""
    body = text.removeprefix("\ufeff")
    return text[: len(text) - len(body)], body


def lines_of(body: str) -> list[str]:
    """Return the lines; joined they are the text again."""
    return LINE.findall(body)


def line_end(text: str, usual: str = "\n") -> str:
    """Return the first line end in a text, `usual` where there is none."""
    found = BREAK.search(text)
    return found[0] if found else usual
