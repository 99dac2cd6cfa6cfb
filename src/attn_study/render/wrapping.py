"""Lines that fit: words move down whole, and nothing typed is lost."""

from __future__ import annotations

import re
from collections import deque

from attn_study.render.cells import cells, clusters

NO_BREAK = "\ufdd0"  # a space at which a line breaks only in need; safe text never has it

_START = re.compile(r" *(?:(?:[-*•]|\d{1,3}[.)]) +)?")


def wrap(text: str, width: int, *, split: bool = True) -> list[str]:
    """Return the lines of `text`, each of at most `width` cells.

    Spaces within a line and at its beginning stay as typed, spaces at a break go. What
    follows a break starts under the first word, after the dash or number of a list. A word
    longer than a line is split between clusters, or where `split` is false sticks out whole; a
    cluster wider than `width` always does.
    """
    lines = [
        piece for line in text.split("\n") for piece in _fill(line, max(1, width), split=split)
    ]
    return [line.replace(NO_BREAK, " ") for line in lines]


def _fill(line: str, width: int, *, split: bool) -> list[str]:
    if cells(line) <= width:
        return [line.rstrip(" ")]
    match = _START.match(line)
    margin = " " * (match.end() if match else 0)
    if len(margin) > (width - 1) // 2:  # at least one wide character must fit beside it
        margin = ""
    indent = line[: len(line) - len(line.lstrip(" "))]
    filling = _Filling(width, margin, indent if len(indent) < width else "")
    pieces = deque(re.findall(" +|[^ ]+", line[len(indent) :]))
    while pieces:
        piece = pieces.popleft()
        is_long = cells(margin + piece) > width
        if is_long and NO_BREAK in piece:
            pieces.extendleft(reversed(re.findall(" +|[^ ]+", piece.replace(NO_BREAK, " "))))
        else:
            filling.add(piece, splits=split and is_long)
    return filling.lines()


class _Filling:
    """The lines filled so far and the one being filled."""

    def __init__(self, width: int, margin: str, indent: str) -> None:
        self._width = width
        self._margin = margin
        self._done: list[str] = []
        self._line = indent
        self._gap = ""

    def add(self, piece: str, *, splits: bool) -> None:
        if not piece.strip(" "):
            self._gap = piece
        elif splits:
            for cluster in clusters(piece):
                self._put(cluster)
        else:
            self._put(piece)

    def _put(self, piece: str) -> None:
        if cells(self._line + self._gap + piece) <= self._width:
            self._line += self._gap + piece
        else:
            if self._line.strip(" "):
                self._done.append(self._line)
            self._line = self._margin + piece
        self._gap = ""

    def lines(self) -> list[str]:
        return [*self._done, self._line.rstrip(" ")]
