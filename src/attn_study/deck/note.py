"""One note of a deck file: the card its map describes, before it is compared with others."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from attn_study.deck import kinds
from attn_study.deck.card import Card
from attn_study.deck.figures import read_figure
from attn_study.deck.holes import doubt, fault
from attn_study.deck.nodes import Many, Map, Text, pair
from attn_study.deck.numbers import number
from attn_study.deck.options import read_options
from attn_study.errors import near

if TYPE_CHECKING:
    from collections.abc import Mapping

    from attn_study.deck.fields import Desk
    from attn_study.deck.nodes import Node

COMMON = frozenset({"id", "kind", "figure", "note", "tags", "after", "demo", "with"})
# A key that only one kind has says which kind the card is
INFERRED = {
    "cloze": "cloze",
    "choices": "choice",
    "question": "computed",
    "answer": "typed",
    "accept": "typed",
    "tolerance": "typed",
}
TELLING = frozenset({"kind", *INFERRED})
TEXTS = ("front", "back", "answer", "question", "cloze")
ASKED = ("front", "cloze", "question")  # a note asks with the first of them that it has
ID = re.compile(r"[a-z0-9][a-z0-9._-]*")
REFERENCE = re.compile(r"(?:(?P<deck>[^/:]+)/)?(?P<id>~?[a-z0-9][a-z0-9._-]*)(?::[a-z0-9]+)?")
HOLE = "a hole is {{c1::text}} or {{c1::text::hint}}"
KNOB = re.compile(r"[a-z][a-z0-9_]*")


@dataclass(frozen=True, slots=True)
class Draft:
    """A note as read: `id` without the deck, empty when it cannot be known.

    `card` is None when the note has mistakes. `after` pairs full ids with where they stand.
    """

    id: str
    node: Node
    card: Card | None = None
    after: tuple[tuple[str, Node], ...] = ()


def plain_front(front: str) -> str:
    """Return a front as it is compared: one Unicode form, one space between words."""
    return " ".join(unicodedata.normalize("NFC", front).split())


def automatic_id(front: str) -> str:
    """Return the id of a note that has none written: `~` and 10 hexadecimal digits."""
    return "~" + hashlib.sha256(plain_front(front).encode()).hexdigest()[:10]


def asked_by(keys: Mapping[str, object]) -> str:
    """Return what a note with these keys asks: without an id it is known by that."""
    for key in ASKED:
        text = keys.get(key)
        if isinstance(text, str) and text:
            return text
    return ""


def read_note(desk: Desk, node: Node, deck: str, section: str) -> Draft:
    """Read one note; mistakes go to the desk and leave the draft without a card."""
    if not isinstance(node, Map):
        shape = "a list" if isinstance(node, Many) else "a text"
        desk.blame(node.start, f"this card is {shape}, not keys with values", "write `front: …`")
        return Draft("", node)
    before = desk.errors
    kind = _kind(desk, node)
    if kind is None:
        return Draft(_written_id(desk, id_node(node)), node)
    form = kinds.kind(kind)
    fields = desk.fields(node, _keys(kind))
    texts = {"front": "", "back": ""}  # a card has these; the other texts only where they are said
    for key in TEXTS:
        if key in fields or key in form.KEYS:
            texts[key] = _needed(desk, node, fields, key, key in form.KEYS)
    written = _written_id(desk, fields.get("id"))
    asked = asked_by(texts)
    name = written or (automatic_id(asked) if asked else "")
    after = _after(desk, fields.get("after"), deck)
    card = Card(
        id=f"{deck}/{name}",
        kind=kind,
        section=section,
        after=tuple(dict.fromkeys(full for full, _ in after)),
        line=node.start.line + 1,
        written_id=bool(written),
        **_said(desk, fields, texts),
    )
    return Draft(name, node, card if desk.errors == before and name else None, after)


def _said(desk: Desk, fields: Mapping[str, Node], texts: Mapping[str, str]) -> dict[str, Any]:
    """The texts and what the other keys say, by the names of a card; most have few of them."""
    found: dict[str, Any] = {**texts}
    if "note" in fields:
        found["note"] = desk.text(fields["note"], prose=True)
    if "tags" in fields:
        found["tags"] = tuple(text for text, _ in desk.texts(fields["tags"]))
    if "cloze" in fields:
        _check_holes(desk, fields["cloze"], texts["cloze"])
    if "accept" in fields:
        found["accept"] = tuple(text for text, _ in desk.texts(fields["accept"], prose=True))
    if "tolerance" in fields:
        found["tolerance"] = _tolerance(desk, fields["tolerance"], texts.get("answer", ""))
    if "choices" in fields:
        found["options"] = read_options(desk, fields["choices"], texts.get("answer", ""))
    if "figure" in fields:
        found["figure"] = read_figure(desk, fields["figure"])
    if "demo" in fields:
        found["demo"] = _demo(desk, fields["demo"])
    if "with" in fields:
        found["knobs"] = _knobs(desk, fields)
    return found


@cache
def _keys(kind: str) -> frozenset[str]:
    """The keys that a note of a kind may have."""
    form = kinds.kind(kind)
    return form.KEYS | form.MAY | COMMON


def _kind(desk: Desk, node: Map) -> str | None:
    """The kind as written, or as the keys make plain; None after a complaint."""
    keys: dict[str, Node] = {}
    for key, value in node.pairs:
        if isinstance(key, Text) and key.value in TELLING:
            keys.setdefault(key.value, value)
    if not keys:
        return "basic"
    written = keys.get("kind")
    if written is not None:
        name, place = desk.text(written), written
        if not isinstance(written, Text):
            return None
    else:
        named = next((key for key in INFERRED if key in keys), None)
        name, place = (INFERRED[named], keys[named]) if named else ("basic", node)
    if name in kinds.NAMES:
        return name
    hint = near(name, kinds.NAMES) or "the kinds are " + ", ".join(kinds.NAMES)
    desk.blame(place.start, f"there is no kind of card called `{name}`", hint)
    return None


def _needed(desk: Desk, node: Map, fields: Mapping[str, Node], key: str, must: bool) -> str:
    """A text of the card; one that must be there and is missing or empty is a mistake."""
    value = fields.get(key)
    if value is None:
        if must and not any(isinstance(name, Text) and name.value == key for name, _ in node.pairs):
            desk.blame(node.start, f"this card has no `{key}`", f"add `{key}: …`")
        return ""
    text = desk.text(value, prose=True)
    if isinstance(value, Text) and not text.strip():
        desk.blame(value.start, f"`{key}` is empty", f"write text behind `{key}: `")
    return text


def _check_holes(desk: Desk, node: Node, text: str) -> None:
    """Complain of a cloze text that does not make cards."""
    if text.strip() and (what := fault(text)):
        desk.blame(node.start, what, HOLE)
    elif odd := doubt(text):
        desk.blame(node.start, f"{odd!r} begins no hole and stays text", HOLE, warning=True)


def id_node(node: Node) -> Node | None:
    """Return what stands behind `id:`, if the note has one."""
    found = pair(node, "id") if isinstance(node, Map) else None
    return found[1] if found else None


def _written_id(desk: Desk, value: Node | None) -> str:
    """The id as written; "" without one or after a complaint."""
    text = desk.text(value)
    if not isinstance(value, Text) or ID.fullmatch(text):
        return text
    lower = re.sub(r"[^a-z0-9._-]+", "-", text.lower()).strip("-._")
    hint = "small letters, digits and . _ - only" + (f": {lower}" if lower else "")
    desk.blame(value.start, f"{text!r} cannot be an id", hint)
    return ""


def _after(desk: Desk, node: Node | None, deck: str) -> tuple[tuple[str, Node], ...]:
    """References as full ids."""
    if node is None:
        return ()
    found = []
    for typed, item in desk.texts(node):
        text = unicodedata.normalize("NFC", typed)
        match = REFERENCE.fullmatch(text)
        if match is None:
            desk.blame(item.start, f"{text!r} is not the id of a card", "write `id` or `deck/id`")
        else:
            found.append((text if match["deck"] else f"{deck}/{text}", item))
    return tuple(found)


def _tolerance(desk: Desk, node: Node, answer: str) -> float | None:
    """How far a number may be off, as a number from 0."""
    value = number(desk.text(node))
    if value is None or value < 0:
        desk.blame(node.start, "`tolerance` must be a number, 0 or more")
        return None
    if answer.strip() and number(answer) is None:
        desk.blame(node.start, "`tolerance` needs an `answer` that is a number")
    return float(value)


def _demo(desk: Desk, node: Node) -> str:
    """The name of the demo."""
    text = desk.text(node)
    if isinstance(node, Text) and not text.strip():
        desk.blame(node.start, "`demo` is empty", "name a demo, or take the key out")
    return text


def _knobs(desk: Desk, fields: Mapping[str, Node]) -> tuple[tuple[str, str], ...]:
    """Knobs and their settings, in the order written; without a demo they are a mistake."""
    node = fields["with"]
    if "demo" not in fields:
        desk.blame(node.start, "`with` sets the knobs of a demo", "add `demo: NAME`")
    if not isinstance(node, Map):
        desk.blame(node.start, "`with` must be keys with values", "for example {heads: 2}")
        return ()
    names = [key for key, _ in node.pairs if isinstance(key, Text)]
    for name in names:
        if not KNOB.fullmatch(name.value):
            desk.blame(name.start, f"{name.value!r} is not the name of a knob", "as in d_k: 64")
    found = desk.fields(node, frozenset(name.value for name in names))
    return tuple((name, desk.text(value)) for name, value in found.items())
