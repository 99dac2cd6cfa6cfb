"""What a note in JSON must look like before anything else reads it."""

from __future__ import annotations

from attn_study.deck.note import COMMON, INFERRED, KNOB
from attn_study.deck.source import FOUL
from attn_study.errors import near

# How deep the lists and objects of a key go; without one it is a text
DEPTH = {"tags": 1, "after": 1, "accept": 1, "with": 1, "choices": 2, "figure": 2}
NOTE = COMMON | INFERRED.keys() | {"front", "back"}
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
        return f"is {shape(value)}, not a list of texts"
    return _wrong(value, 1)


def wrong_note(fields: object) -> str:
    """Say why this is no note, as a sentence; "" for a note."""
    if not isinstance(fields, dict):
        return f"this note is {shape(fields)}, not an object"
    for key, value in fields.items():
        if key not in NOTE:
            hint = near(key, NOTE)
            return f"there is no key `{said(key)}` in a note" + (f"; {hint}" if hint else "")
        if wrong := _wrong(value, DEPTH.get(key, 0)):
            return f"`{key}` {wrong}"
    return ""


def _wrong(value: object, depth: int) -> str:
    """Lists and objects of texts may stand in one another as deep as `depth` says."""
    if isinstance(value, str):
        if match := FOUL.search(value):
            return f"holds the invisible character U+{ord(match[0]):04X}"
        return "holds a carriage return" if "\r" in value else ""
    if not depth or not isinstance(value, list | dict):
        return f"is {shape(value)}, not a text"
    if isinstance(value, dict) and (odd := [key for key in value if not KNOB.fullmatch(key)]):
        return f"has the key `{said(odd[0])}`, which cannot be one"
    inside = value.values() if isinstance(value, dict) else value
    return next(filter(None, (_wrong(one, depth - 1) for one in inside)), "")


def shape(value: object) -> str:
    """Return what a value of JSON is, in words."""
    return SHAPES.get(type(value), "nothing" if value is None else "a number")
