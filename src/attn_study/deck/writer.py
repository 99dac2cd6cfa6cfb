"""Changes to a learner's deck file that leave every other character as it was."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from attn_study.deck.nodes import Many, Map, Text, grow, last_line
from attn_study.deck.quoting import STEP, listed, scalar
from attn_study.deck.source import BREAK, RefusedError, decode
from attn_study.errors import UserError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from attn_study.deck.nodes import Node

LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n|$)")
EMPTY_LIST = re.compile(r"(?P<head>.*:)[ ]*\[[ ]*\](?P<rest>[ ]*(?:#.*)?)")
HINT = "add the card with an editor"


def new(name: str, title: str) -> str:
    """Return the text of a deck without cards."""
    return f"deck: {scalar(name, 0)}\ntitle: {scalar(title, 0)}\ncards: []\n"


def append(source: str, card_fields: Mapping[str, str | Sequence[str]]) -> str:
    """Return the deck text with one more card at the end of its last list of cards.

    A field is a text or a list of texts. Comments, order, quoting and line ends stay. Raises
    UserError where the text cannot take a card: it is no deck, its list stands in brackets, or
    its last section has no cards.
    """
    if not card_fields:
        raise UserError("a card without a single field")
    text = source.removeprefix("\ufeff")
    lines = LINE.findall(text)[:-1]
    end = next(iter(BREAK.findall(text)), "\n")
    if lines and not lines[-1].endswith(("\r", "\n")):
        lines[-1] += end
    key, cards = _last_list(_root(text))
    if isinstance(cards, Many) and cards.items:
        at = last_line(cards.items[-1]) + 1
        piece = _gap(lines, cards) + _item(card_fields, *_columns(cards))
    else:
        at = key.start.line + 1
        piece = _item(card_fields, key.start.column + STEP, key.start.column + 2 * STEP)
        lines[at - 1] = EMPTY_LIST.sub(r"\g<head>\g<rest>", lines[at - 1])
    result = "".join([*lines[:at], piece.replace("\n", end), *lines[at:]])
    _compare(text, result, card_fields)
    return source[: len(source) - len(text)] + result


def _root(text: str) -> Map:
    """The map at the top of a deck text."""
    try:
        source, _ = decode(text, Path("deck"))
        tree = grow(source.text)
    except RefusedError as reason:
        raise UserError(reason.what, hint=reason.hint) from reason
    if tree.error is not None or not isinstance(tree.root, Map) or tree.root.flow:
        what = "this deck file cannot be read as it is, so nothing is added"
        raise UserError(what, hint="mend it first; `deck check` says where")
    return tree.root


def _last_list(root: Map) -> tuple[Text, Node]:
    """The key and the value of the last list of cards."""
    found = _value(root, "cards")
    sections = _value(root, "sections")
    if found is None and sections is not None:
        last = (
            sections[1].items[-1] if isinstance(sections[1], Many) and sections[1].items else None
        )
        found = _value(last, "cards") if isinstance(last, Map) and not last.flow else None
    if found is None:
        raise UserError("there is no list of cards to add to", hint=HINT)
    node = found[1]
    if isinstance(node, Many) and node.flow and node.items:
        raise UserError("these cards stand in brackets", hint=HINT)
    return found


def _value(node: Map, name: str) -> tuple[Text, Node] | None:
    for key, value in node.pairs:
        if isinstance(key, Text) and key.value == name:
            return key, value
    return None


def _columns(cards: Many) -> tuple[int, int]:
    """Where the dashes and the keys of these cards stand, from 0."""
    dash = cards.start.column
    last = cards.items[-1]
    return dash, last.start.column if isinstance(last, Map) and not last.flow else dash + STEP


def _gap(lines: list[str], cards: Many) -> str:
    """A blank line, if one stands before the last card and none behind it."""
    last = cards.items[-1]
    first = last.start.line
    spaced = len(cards.items) > 1 and not lines[first - 1].strip()
    ended = not lines[last_line(last)].strip()
    return "\n" if spaced and not ended and not _keeps(lines, last) else ""


def _keeps(lines: list[str], node: Node) -> bool:
    """Whether blank lines behind the node would become part of its text."""
    while isinstance(node, Map) and node.pairs:
        node = node.pairs[-1][1]
    head = lines[node.start.line][node.start.column :]
    return isinstance(node, Text) and node.style in ("|", ">") and "+" in head.partition(" ")[0]


def _item(card_fields: Mapping[str, str | Sequence[str]], dash: int, keys: int) -> str:
    """One card as an item of a list, lines ended by `\\n`."""
    margin = " " * dash + "-" + " " * (keys - dash - 1)
    written = []
    for key, text in card_fields.items():
        value = scalar(text, keys) if isinstance(text, str) else listed(text)
        written.append(f"{margin}{key}: {value}\n")
        margin = " " * keys
    return "".join(written)


def _compare(before: str, after: str, card_fields: Mapping[str, str | Sequence[str]]) -> None:
    """Refuse a change that a reader would not see as exactly one card more."""
    new_cards = [
        (key, BREAK.sub("\n", text) if isinstance(text, str) else list(text) or "")
        for key, text in card_fields.items()
    ]
    old, changed = _root(before), _root(after)
    _, grown = _last_list(changed)
    added = grown.items.pop() if isinstance(grown, Many) and grown.items else None
    if added is None or _plain(added) != new_cards or _plain(old) != _plain(changed):
        raise UserError("a card cannot be added to this file without changing others", hint=HINT)


def _plain(node: Node) -> object:
    """What a node says, without where and how it stands; nothing and an empty list are alike."""
    if isinstance(node, Text):
        return node.said
    if isinstance(node, Many):
        return [_plain(item) for item in node.items] or ""
    return [(_plain(key), _plain(value)) for key, value in node.pairs]
