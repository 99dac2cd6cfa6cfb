"""The text of a deck file, and the places in it that no deck may hold."""

from __future__ import annotations

import codecs
import re
import unicodedata
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

from attn_study.deck.complaint import Complaint

if TYPE_CHECKING:
    from pathlib import Path

MAX_BYTES = 20_000_000
MAX_FOUL = 100  # a file with more foul lines than this was never written as text

BREAK = re.compile(r"\r\n|\r|\n")
# What YAML forbids, the line ends that only YAML sees, and the mark that belongs in front of text
# Said as what is foul, for a set of all other characters takes ten times as long to compile
FOUL = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]"
)
LONE = re.compile("[\ud800-\udfff]")  # what stands for a byte that is not UTF-8
ESCAPED_BYTE = range(0xDC80, 0xDD00)


class Place(Protocol):
    """A point of the text: line and column count from 0."""

    line: int
    column: int


class RefusedError(Exception):
    """The whole text is refused. Line and column count from 1; 0 means the whole file."""

    def __init__(self, what: str, hint: str = "", *, line: int = 0, column: int = 0) -> None:
        super().__init__(what)
        self.what = what
        self.hint = hint
        self.line = line
        self.column = column


@dataclass(frozen=True)
class Source:
    """One deck file as text, without a byte order mark.

    `raw` is what stands in the file, `text` the same length with foul characters replaced;
    `foul` names their lines, from 0.
    """

    path: Path
    raw: str
    text: str
    foul: frozenset[int]

    @cached_property
    def lines(self) -> list[str]:
        """The lines as they stand in the file, without their ends."""
        return BREAK.split(self.raw) if "\r" in self.raw else self.raw.split("\n")

    def complaint(
        self, line: int, column: int, what: str, hint: str = "", *, warning: bool = False
    ) -> Complaint:
        """Complain about a place that is counted from 0."""
        shown = LONE.sub("\ufffd", self.lines[line]) if line < len(self.lines) else ""
        return Complaint(self.path, line + 1, column + 1, what, shown, hint, warning)

    def refusal(self, reason: RefusedError) -> Complaint:
        """Say why the whole file is refused."""
        if reason.line:
            return self.complaint(reason.line - 1, reason.column - 1, reason.what, reason.hint)
        return Complaint(self.path, 0, 0, reason.what, hint=reason.hint)


def decode(data: str | bytes, path: Path) -> tuple[Source, tuple[Complaint, ...]]:
    """Return the text with a complaint for each line that holds something foul.

    Raises RefusedError for what is no text at all, or too much of it.
    """
    if len(data) > MAX_BYTES:
        raise RefusedError(
            f"larger than {MAX_BYTES // 1_000_000} MB", "split the deck into several files"
        )
    raw = (_text(data) if isinstance(data, bytes) else data).removeprefix("\ufeff")
    if "\0" in raw:
        raise RefusedError("this is not a text file", "a deck is a YAML file in UTF-8")
    if not FOUL.search(raw):
        return Source(path, raw, raw, frozenset()), ()
    text = FOUL.sub("\ufffd", raw)
    places = _foul_places(raw)
    source = Source(path, raw, text, frozenset(places))
    found = [
        source.complaint(line, column, *_describe(char))
        for line, (column, char) in list(places.items())[:MAX_FOUL]
    ]
    return source, tuple(found)


def _text(data: bytes) -> str:
    """Bytes that are not UTF-8 stay findable as lone surrogates."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        try:
            return data.decode("utf-16")
        except UnicodeDecodeError:
            raise RefusedError("damaged UTF-16 text", "save the file as UTF-8") from None
    return data.decode("utf-8", errors="surrogateescape")


def _foul_places(raw: str) -> dict[int, tuple[int, str]]:
    """The first foul character of each line: line to column and character."""
    places = {}
    for number, line in enumerate(BREAK.split(raw)):
        if match := FOUL.search(line):
            places[number] = (match.start(), match[0])
    return places


def _describe(char: str) -> tuple[str, str]:
    """What is wrong with it, and what to do."""
    if ord(char) in ESCAPED_BYTE:
        return f"the byte 0x{ord(char) - 0xDC00:02X} is not UTF-8", "save the file as UTF-8"
    name = unicodedata.name(char, "a control character").lower()
    return f"invisible character U+{ord(char):04X} ({name})", "delete it"
