"""Any text as a YAML value that reads back as the same text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from attn_study.deck.source import BREAK, FOUL
from attn_study.errors import UserError

if TYPE_CHECKING:
    from collections.abc import Sequence

STEP = 2  # spaces by which a block stands further in than its key
PLAIN = re.compile(r"[^\W\d_](?:[^:#\s]| |:(?=\S)|(?<=\S)#)*(?<![\s:])")
SIMPLE = re.compile(r"[A-Za-z][\w -]*")  # as plain between brackets as elsewhere
# What other YAML readers take for something else than text
WORDS = frozenset({"y", "n", "yes", "no", "on", "off", "true", "false", "null"})


def scalar(text: str, indent: int) -> str:
    """Return the text as it is written after a key that stands `indent` spaces in.

    Plain where nothing can be misread, else in single quotes; a text of several lines becomes
    a block whose lines stand two spaces further in. Line ends become `\\n`. Raises UserError
    for invisible characters, which YAML cannot hold without escapes.
    """
    text = BREAK.sub("\n", text)
    if foul := FOUL.search(text):
        raise UserError(
            f"the text holds an invisible character, U+{ord(foul[0]):04X}", hint="delete it"
        )
    if "\n" in text:
        return _block(text, indent)
    if PLAIN.fullmatch(text) and text.lower() not in WORDS:
        return text
    return quoted(text)


def listed(texts: Sequence[str]) -> str:
    """Return the texts as a list on one line; raises UserError for one of several lines."""
    written = []
    for text in texts:
        value = scalar(text, 0)
        if "\n" in value:
            raise UserError(f"a list holds texts of one line, and {text!r} has more")
        written.append(value if SIMPLE.fullmatch(value) else quoted(text))
    return f"[{', '.join(written)}]"


def quoted(text: str) -> str:
    """Return one line in single quotes, where a backslash is a backslash."""
    return "'" + text.replace("'", "''") + "'"


def _block(text: str, indent: int) -> str:
    """A literal block. The width is said where the first line cannot show it."""
    width = str(STEP) if text[0] in " \t\n" else ""
    # The one line end that a block adds is taken off by the reader; any more must be kept
    chomp = "+" if text.endswith("\n") else ""
    margin = " " * (indent + STEP)
    lines = [margin + line if line else "" for line in text.split("\n")]
    return "\n".join([f"|{width}{chomp}", *lines])
