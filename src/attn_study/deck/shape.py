"""The shape of a deck file as a JSON Schema, made from what the reader itself goes by.

Keys, kinds and limits are the reader's own, so that the two cannot part. What hangs on other
cards, on the sum of numbers or on repeated keys no schema can say: that is left to `deck check`.
"""

from __future__ import annotations

import json
import re
from typing import Any

from attn_study.deck import kinds
from attn_study.deck.binder import DECK, SECTION
from attn_study.deck.holes import BEGIN
from attn_study.deck.note import COMMON, ID, INFERRED, KNOB, REFERENCE
from attn_study.deck.options import LEAST, MOST

FILE = "deck.schema.json"
Schema = dict[str, Any]

# An editor takes 64, true and nothing for other things than text; a deck reads all as text
SCALAR = ["string", "number", "boolean"]
WRITTEN: Schema = {"type": SCALAR, "pattern": r"\S"}
MAY_BE_EMPTY: Schema = {"type": [*SCALAR, "null"]}
NUMBER: Schema = {"type": ["string", "number"], "minimum": 0, "pattern": "[0-9]"}
# Letters and digits of any script with . _ - between them; of ASCII nothing else
NAME = r"^[^\s!-/:-@\[-`{-~]([^\s!-,/:-@\[-^`{-~]*[^\s!-/:-@\[-`{-~])?$"


def deck_schema() -> Schema:
    """Return the schema, draft 2020-12; no key is allowed that the reader does not know."""
    shapes = {**{f"kind-{name}": _kind(name) for name in kinds.NAMES}, "note": _note()}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A deck of attn-study",
        **_map({key: _said(OF_DECK, key) for key in DECK}, ["deck"]),
        "oneOf": [{"required": ["sections"]}, {"required": ["cards"]}],
        "$defs": shapes,
    }


def schema_text() -> str:
    """Return the schema as it is printed and kept, in ASCII."""
    return json.dumps(deck_schema(), indent=2) + "\n"


def _note() -> Schema:
    """Any note: its kind is the one written, else the first that a key makes plain."""
    inferred: Schema = _see("kind-basic")
    for key, name in reversed(INFERRED.items()):
        inferred = {"if": {"required": [key]}, "then": _see(f"kind-{name}"), "else": inferred}
    written = [
        {"if": {"properties": {"kind": {"const": name}}}, "then": _see(f"kind-{name}")}
        for name in kinds.NAMES
    ]
    known = {"properties": {"kind": {"enum": list(kinds.NAMES)}}, "allOf": written}
    return {"type": "object", "if": {"required": ["kind"]}, "then": known, "else": inferred}


def _kind(name: str) -> Schema:
    form = kinds.kind(name)
    keys = {key: _said(OF_NOTE, key) for key in sorted(form.KEYS | form.MAY | COMMON)}
    return _map(keys, sorted(form.KEYS)) | {"dependentRequired": {"with": ["demo"]}}


def _map(keys: Schema, needed: list[str]) -> Schema:
    return {
        "type": "object",
        "properties": keys,
        "required": needed,
        "additionalProperties": False,
    }


def _said(table: dict[str, tuple[str, Schema]], key: str) -> Schema:
    says, shape = table[key]
    return {"description": says, **shape}


def _see(name: str) -> Schema:
    return {"$ref": f"#/$defs/{name}"}


def _many(item: Schema) -> Schema:
    return {"type": "array", "items": item}


def _list_or_nothing(item: Schema) -> Schema:
    return {"anyOf": [_many(item), {"enum": [None, ""]}]}


def _whole(pattern: re.Pattern[str]) -> Schema:
    """A text of which all must fit; groups lose their names, which not every reader knows."""
    plain = re.sub(r"\?P<\w+>", "", pattern.pattern)
    return {"type": SCALAR, "pattern": f"^(?:{plain})$"}


CARDS = _list_or_nothing(_see("note"))
OF_SECTION: dict[str, tuple[str, Schema]] = {
    "title": ("The heading of the section.", MAY_BE_EMPTY),
    "cards": ("The cards of the section.", CARDS),
}
OF_DECK: dict[str, tuple[str, Schema]] = {
    "deck": ("The short name of the deck, part of every card's id.", _whole(re.compile(NAME))),
    "title": ("The heading of the deck.", MAY_BE_EMPTY),
    "source": ("Where the facts come from.", MAY_BE_EMPTY),
    "formerly": ("Earlier names of the deck.", _many(WRITTEN)),
    "language": ("The language of the texts.", MAY_BE_EMPTY),
    "sections": (
        "Cards under headings; a deck has sections or cards.",
        _list_or_nothing(_map({key: _said(OF_SECTION, key) for key in SECTION}, ["cards"])),
    ),
    "cards": ("The cards of a deck without sections.", CARDS),
}
OPTION: Schema = {
    "anyOf": [WRITTEN, _map({"text": WRITTEN, "why": MAY_BE_EMPTY}, ["text"])],
}
FIGURE = _map(
    {"tokens": _many(WRITTEN), "weights": _many(NUMBER | {"maximum": 1}), "from": MAY_BE_EMPTY},
    ["tokens", "weights", "from"],
)
OF_NOTE: dict[str, tuple[str, Schema]] = {
    "id": ("Names the card for good; progress hangs on it.", _whole(ID)),
    "kind": ("The kind, where the other keys do not say it.", {"enum": list(kinds.NAMES)}),
    "front": ("What is asked.", WRITTEN),
    "back": ("What is shown with the answer.", WRITTEN),
    "cloze": ("A text with holes: {{c1::text}} or {{c1::text::hint}}.", WRITTEN | {
        "pattern": BEGIN.pattern,
    }),
    "question": ("A lesson's question, whose numbers are drawn fresh.", WRITTEN),
    "answer": ("What is right: typed, or one of the choices.", WRITTEN),
    "choices": (
        "The answers on offer, the right one among them.",
        _many(OPTION) | {"minItems": LEAST, "maxItems": MOST},
    ),
    "accept": ("What else counts as right.", _many(WRITTEN)),
    "tolerance": ("How far a number may be off.", NUMBER),
    "figure": ("Words shaded by weight, shown with the answer.", FIGURE),
    "note": ("Shown after the answer.", MAY_BE_EMPTY),
    "tags": ("Labels to find the card by.", _many(WRITTEN)),
    "after": ("Cards to be met before this one.", _many(_whole(REFERENCE))),
    "demo": ("The lesson that the key d opens.", WRITTEN),
    "with": ("The knobs of the demo.", {
        "type": "object",
        "propertyNames": {"pattern": f"^{KNOB.pattern}$"},
        "additionalProperties": MAY_BE_EMPTY,
    }),
}  # fmt: skip
