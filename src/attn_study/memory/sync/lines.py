"""A row of the log as one line of JSON with a checksum, and back."""

from __future__ import annotations

import json
import re
from codecs import getincrementaldecoder
from typing import TYPE_CHECKING
from zlib import crc32

if TYPE_CHECKING:
    from collections.abc import Mapping

HEAD = re.compile(rb'\s*\{"check":"([0-9a-f]{8})","row":(\{.*\})\}\s*')
CONTROL = re.compile(r"[\x00-\x08\x0a-\x0c\x0e-\x1f]")  # no JSON holds it within a line
MARKS = (b"<<<<<<<", b"|||||||", b"=======", b">>>>>>>")  # what git writes around a conflict


# Made once: it costs more than it encodes
_canonical = json.JSONEncoder(sort_keys=True, separators=(",", ":"), allow_nan=False).encode


class DamagedError(ValueError):
    """A line that is not what was written."""


def line_of(row: Mapping[str, object]) -> bytes:
    """Return a row, given as `Log.columns` gives it, as a line; in ASCII, whoever carries it."""
    text = _canonical(row)
    return f'{{"check":"{_check(text)}","row":{text}}}\n'.encode()


def row_of(line: bytes) -> Mapping[str, object]:
    """Return the row in a line, whatever ends it. Raises DamagedError."""
    try:
        if (found := HEAD.fullmatch(line)) and found[1].decode() == f"{crc32(found[2]):08x}":
            row = json.loads(found[2])  # as it was written: most lines, and in a third of the time
            if isinstance(row, dict):
                return row
        whole = json.loads(line.decode("utf-8-sig"))
        row = whole["row"]
        if isinstance(row, dict) and whole["check"] == _check(_canonical(row)):
            return row
    except (ValueError, TypeError, KeyError, RecursionError):
        pass  # not JSON, or not ours
    if line.startswith(MARKS):
        raise DamagedError("a mark that git leaves at a conflict")
    raise DamagedError("this line is damaged")


def may_become_one(tail: bytes) -> bool:
    """Return whether more bytes could make a line with a row of these first ones."""
    try:
        begun = getincrementaldecoder("utf-8-sig")().decode(tail).lstrip()
    except UnicodeDecodeError:
        return False
    return "{".startswith(begun[:1]) and not CONTROL.search(begun)


def _check(text: str) -> str:
    return f"{crc32(text.encode()):08x}"
