"""What is wrong with a deck file, and where: one complaint, as a person reads it."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

WIDEST = 100  # characters of a source line that are shown
BEFORE = 40  # of them in front of the mistake, when the line is longer


@dataclass(frozen=True, slots=True)
class Complaint:
    """One mistake in a deck file. `line` and `column` count from 1; 0 means the whole file.

    `source` is the line as it stands in the file, but for bytes that are no text. A `warning`
    does not keep a card out. `card` is the id, with its deck, of a note that reads well and is
    wrong all the same; "" for what could not be read and for the file.
    """

    path: Path
    line: int
    column: int
    what: str
    source: str = ""
    hint: str = ""
    warning: bool = False
    card: str = ""

    def __str__(self) -> str:
        place = f"{self.path}:{self.line}:{self.column}" if self.line else str(self.path)
        head = f"{place}: {'warning: ' if self.warning else ''}{self.what}"
        if not self.source:
            return f"{head}\n  {self.hint}" if self.hint else head
        shown, before = _window(self.source, self.column - 1)
        number = f"{self.line:6} | "
        caret = " " * (len(number) - 2) + "| " + before + f"^ {self.hint}".rstrip()
        return f"{head}\n{number}{shown}\n{caret}"


def _window(source: str, column: int) -> tuple[str, str]:
    """The part of a line around a column, and the blanks that lead under that column."""
    begin = max(0, column - BEFORE) if len(source) > WIDEST else 0
    left = "…" if begin else ""
    right = "…" if len(source) > begin + WIDEST else ""
    shown = left + source[begin : begin + WIDEST] + right
    return shown, "".join(map(_blank, shown[: column - begin + len(left)]))


def _blank(char: str) -> str:
    """What is as wide as the character: a tab is as wide as a tab."""
    if char == "\t":
        return char
    if unicodedata.combining(char):
        return ""
    return "  " if unicodedata.east_asian_width(char) in "WF" else " "
