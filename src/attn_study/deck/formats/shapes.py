"""What notes and log rows in JSON must look like before anything else reads them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attn_study.deck.note import COMMON, INFERRED
from attn_study.deck.source import FOUL
from attn_study.errors import near

if TYPE_CHECKING:
    from collections.abc import Mapping

# How deep the lists and objects of a key go; without one it is a text
DEPTH = {"tags": 1, "after": 1, "accept": 1, "with": 1, "choices": 2, "figure": 2}
NOTE = COMMON | INFERRED.keys() | {"front", "back"}
TEXT, WHOLE = (str,), (int,)
ROW: Mapping[str, tuple[type, ...]] = {
    "id": WHOLE,
    "uid": TEXT,
    "device": TEXT,
    "tick": WHOLE,
    "batch": TEXT,
    "card": TEXT,
    "kind": TEXT,
    "grade": (int, type(None)),
    "day": TEXT,
    "at": TEXT,
    "offset": WHOLE,
    "seconds": (int, float, type(None)),
    "data": (dict,),
}
LARGEST = 2**63 - 1  # of the integers that a database holds
MAY_LACK = ("id",)  # the order of arrival means nothing in another log
MOST_SAID = 80  # characters
SHAPES = {str: "a text", list: "a list", dict: "an object", bool: "true or false"}


def said(key: str) -> str:
    """Return a key as a complaint names it, whatever is in it."""
    return FOUL.sub("\ufffd", key[:MOST_SAID])


def wrong_text(value: object) -> str:
    """Say why this is no text that a deck can hold, as a phrase behind a name; "" for a text."""
    return _wrong(value, 0)


def wrong_texts(value: object) -> str:
    """Say why this is no list of texts, as a phrase behind a name; "" for a list."""
    if not isinstance(value, list):
        return f"is {_shape(value)}, not a list of texts"
    return _wrong(value, 1)


def wrong_note(fields: object) -> str:
    """Say why this is no note, as a sentence; "" for a note."""
    if not isinstance(fields, dict):
        return f"this note is {_shape(fields)}, not an object"
    for key, value in fields.items():
        if key not in NOTE:
            hint = near(key, NOTE)
            return f"there is no key `{said(key)}` in a note" + (f"; {hint}" if hint else "")
        if wrong := _wrong(value, DEPTH.get(key, 0)):
            return f"`{key}` {wrong}"
    return ""


def wrong_row(row: object) -> str:
    """Say why this is no row of a log, as a phrase behind a name; "" for a row."""
    if not isinstance(row, dict):
        return f"is {_shape(row)}, not an object"
    for key, types in ROW.items():
        if key not in row:
            if key not in MAY_LACK:
                return f"has no `{key}`"
        elif type(row[key]) not in types:
            return f"has {_shape(row[key])} as its `{key}`"
        elif type(row[key]) is int and not -LARGEST <= row[key] <= LARGEST:
            return f"has a number too large as its `{key}`"
    unknown = next((key for key in row if key not in ROW), "")
    return f"has a key `{said(unknown)}`, which is not known" if unknown else ""


def _wrong(value: object, depth: int) -> str:
    """Lists and objects of texts may stand in one another as deep as `depth` says."""
    if isinstance(value, str):
        if match := FOUL.search(value):
            return f"holds the invisible character U+{ord(match[0]):04X}"
        return "holds a carriage return" if "\r" in value else ""
    if not depth or not isinstance(value, list | dict):
        return f"is {_shape(value)}, not a text"
    inside = [*value, *value.values()] if isinstance(value, dict) else value
    return next(filter(None, (_wrong(one, depth - 1) for one in inside)), "")


def _shape(value: object) -> str:
    return SHAPES.get(type(value), "nothing" if value is None else "a number")
