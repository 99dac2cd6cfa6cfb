"""Readable ids for new cards, from their fronts."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections import Counter
from typing import TYPE_CHECKING

from attn_study.deck.holes import Hole, parts

if TYPE_CHECKING:
    from collections.abc import Iterable

LONGEST = 40  # characters, cut between words
COMMAND = re.compile(r"\\[A-Za-z]+|[\\{}_^]")
WORD = re.compile(r"[a-z0-9]+")


class Names:
    """Readable ids for new notes, each given once; a thousand equal fronts cost a thousand looks.

    `taken` are ids that no note may get, with or without their deck and the hole they stand for.
    """

    def __init__(self, taken: Iterable[str]) -> None:
        self._used: set[str] = set()
        self._last: Counter[str] = Counter()
        for name in taken:
            self.add(name)

    def add(self, taken: str) -> None:
        """Give out `taken` no more."""
        self._used.add(taken.rpartition("/")[2].partition(":")[0].casefold())

    def make(self, asked: str) -> str:
        """Return an id like `shape-of-q-k-for-n-tokens`; a number tells equal ones apart.

        `asked` is what a note asks, with its holes. Without a Latin or Greek letter or a digit
        it gives `card-` and six hexadecimal digits.
        """
        stem = name = _stem(asked)
        while name in self._used:
            self._last[stem] += 1
            name = f"{stem}-{self._last[stem] + 1}"
        self._used.add(name)
        return name


def make_id(asked: str, taken: Iterable[str]) -> str:
    """Return one such id that is not among `taken`."""
    return Names(taken).make(asked)


def _stem(asked: str) -> str:
    """Its words, as many as fit."""
    said = "".join(part.text if isinstance(part, Hole) else part for part in parts(asked))
    name = ""
    for word in WORD.findall(_latin(said)):
        longer = f"{name}-{word}" if name else word[:LONGEST]
        if len(longer) > LONGEST:
            break
        name = longer
    return name or "card-" + hashlib.sha256(asked.encode()).hexdigest()[:6]


def _latin(text: str) -> str:
    """Small Latin letters, digits and blanks; Greek letters by name, raised ones dropped."""
    kept = []
    for char in COMMAND.sub(" ", text):
        name = unicodedata.name(char, "")
        if name.startswith("GREEK") and " LETTER " in name:
            kept.append(f" {name.partition(' LETTER ')[2].partition(' WITH ')[0]} ")
        elif unicodedata.decomposition(char).startswith("<super>"):
            kept.append(" ")
        else:
            plain = unicodedata.normalize("NFKD", char)
            kept += (one for one in plain if not unicodedata.combining(one))
    return "".join(kept).lower()
