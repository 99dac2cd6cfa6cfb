"""A line being typed, as a value: every press makes a new one."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from itertools import accumulate, takewhile
from typing import TYPE_CHECKING

from attn_study.render.cells import cells, clusters

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from attn_study.screen.keys import Press

LIMIT = 2_000  # code points
JOINERS = "\u200c\u200d"  # invisible, but letters and emoji need them


@dataclass(frozen=True, slots=True)
class Line:
    """What stands in an input line. `cursor` counts code points, and never splits a character."""

    text: str = ""
    cursor: int = 0

    @property
    def before(self) -> str:
        """What stands left of the cursor."""
        return self.text[: self.cursor]

    @property
    def after(self) -> str:
        """What stands at the cursor and right of it."""
        return self.text[self.cursor :]

    def press(self, press: Press) -> Line:
        """Return the line after `press`; a key that does not edit returns the line itself.

        Line breaks in a paste or a burst become spaces: they never submit. Backspaces in a burst
        take back what was typed before them.
        """
        if press.key in {"paste", "burst"}:
            line = self
            for part in re.split("(\x7f)", press.text):
                if part != "\x7f":
                    line = _insert(line, part)
                elif press.key == "burst":
                    line = _backspace(line)
            return line
        if press.character:
            return _insert(self, press.character)
        edit = _EDITS.get(press.key)
        return edit(self) if edit else self

    def view(self, width: int) -> tuple[str, int]:
        """Return what is visible in `width` cells, and the cell the cursor is in, from 0.

        The cursor always has a cell, also behind the last character; a third of the width shows
        what follows it.
        """
        if width < 1:
            return "", 0
        ahead = min(sum(map(cells, clusters(self.after))), width // 3)
        left = _fitting(reversed(clusters(self.before)), width - 1 - ahead)
        column = sum(map(cells, left))
        right = _fitting(clusters(self.after), width - column)
        return "".join([*reversed(left), *right]), column


def _fitting(pieces: Iterable[str], width: int) -> list[str]:
    """Return the first pieces that fit `width` cells together."""
    pieces = list(pieces)
    ends = accumulate(map(cells, pieces))
    return [
        piece
        for piece, _ in takewhile(lambda pair: pair[1] <= width, zip(pieces, ends, strict=True))
    ]


def _line(before: str, after: str) -> Line:
    """Join two parts; where they melt into one character, the cursor goes behind it."""
    text = before + after
    ends = accumulate(map(len, clusters(text)), initial=0)
    return Line(text, next(end for end in ends if end >= len(before)))


def _insert(line: Line, text: str) -> Line:
    room = LIMIT - len(line.text)
    pieces = clusters(_clean(text))
    ends = accumulate(map(len, pieces))
    fitting = [piece for piece, end in zip(pieces, ends, strict=True) if end <= room]
    return _line(line.before + "".join(fitting), line.after)


def _clean(text: str) -> str:
    """Make spaces of line breaks and tabs; leave out what is invisible or steers a terminal."""
    text = re.sub("\r\n|[\t-\r\x85\u2028\u2029]", " ", text)
    return "".join(
        character
        for character in text
        if character in JOINERS or unicodedata.category(character) not in {"Cc", "Cf", "Cs"}
    )


def _backspace(line: Line) -> Line:
    return _line("".join(clusters(line.before)[:-1]), line.after)


def _delete(line: Line) -> Line:
    return _line(line.before, "".join(clusters(line.after)[1:]))


def _left(line: Line) -> Line:
    return Line(line.text, len("".join(clusters(line.before)[:-1])))


def _right(line: Line) -> Line:
    return Line(line.text, line.cursor + len("".join(clusters(line.after)[:1])))


def _home(line: Line) -> Line:
    return Line(line.text, 0)


def _end(line: Line) -> Line:
    return Line(line.text, len(line.text))


def _word_back(line: Line) -> Line:
    return _line(re.sub(r"\S*\s*\Z", "", line.before), line.after)


_EDITS: dict[str, Callable[[Line], Line]] = {
    "backspace": _backspace,
    "delete": _delete,
    "left": _left,
    "right": _right,
    "home": _home,
    "ctrl-a": _home,
    "end": _end,
    "ctrl-e": _end,
    "ctrl-u": lambda line: _line("", line.after),
    "ctrl-k": lambda line: _line(line.before, ""),
    "ctrl-w": _word_back,
}
