"""Changes to a learner's deck file that leave every other character as it was."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from attn_study.deck.composing import listing, section
from attn_study.deck.layout import item
from attn_study.deck.lines import apart, line_end, lines_of
from attn_study.deck.lists import card_lists
from attn_study.deck.nodes import Many, Map, Text, grow, last_line, pair
from attn_study.deck.note import asked_by, automatic_id
from attn_study.deck.quoting import STEP, scalar
from attn_study.deck.source import BREAK, RefusedError, decode
from attn_study.errors import UserError

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from attn_study.deck.lists import CardList
    from attn_study.deck.nodes import Node
    from attn_study.deck.spelling import Value

EMPTY_LIST = re.compile(r"(?P<head>.*:)[ ]*\[[ ]*\](?P<rest>[ ]*(?:#.*)?)")
HINT = "add the card with an editor"


class _Edit(NamedTuple):
    """Lines from `first` up to `end`, from 0, give way to `piece`."""

    first: int
    end: int
    piece: str


def new(name: str, title: str) -> str:
    """Return the text of a deck without cards."""
    return f"deck: {scalar(name, 0)}\ntitle: {scalar(title, 0)}\ncards: []\n"


def append(source: str, fields: Mapping[str, Value]) -> str:
    """Return the deck text with one more card at the end of its last list of cards.

    Comments, order, quoting and line ends stay. Raises UserError where the text cannot take a
    card: it is no deck, its list stands in brackets, or its last section has no cards.
    """
    if not fields:
        raise UserError("a card without a single field")
    result = amend(source, {}, [("", fields)])
    _compare(apart(source)[1], apart(result)[1], fields)
    return result


def amend(
    source: str,
    changed: Mapping[str, Mapping[str, Value]],
    added: Sequence[tuple[str, Mapping[str, Value]]],
) -> str:
    """Return the deck text with some notes written anew and others added.

    `changed` gives the keys of notes by their ids, written or automatic, `added` pairs of a section
    and the keys of a note: it goes to the end of the section of that title, made if need be, and
    without one to the end of the last list. Raises UserError as `append` does, and where a changed
    note is not there or there twice.
    """
    mark, text = apart(source)
    lines = lines_of(text)
    end = line_end(text)
    if lines and not lines[-1].endswith(("\r", "\n")):
        lines[-1] += end
    root = _root(text)
    edits = [_rewritten(lines, node, changed[name]) for name, node in _called(root, changed)]
    by_section: dict[str, list[Mapping[str, Value]]] = {}
    for title, fields in added:
        by_section.setdefault(title, []).append(fields)
    known = [one.section for one in _open_lists(root)]
    for title in sorted(by_section, key=lambda title: title not in known and title != ""):
        edits.append(_added(lines, root, title, by_section[title]))
    # From the end, so that no line moves before its turn; sections of their own come last
    for _, (first, behind, piece) in sorted(enumerate(edits), key=_place, reverse=True):
        lines[first:behind] = [piece.replace("\n", end)]
    return mark + "".join(lines)


def _place(edit: tuple[int, _Edit]) -> tuple[int, int]:
    number, (first, _, _) = edit
    return first, number


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


def _called(root: Map, names: Collection[str]) -> list[tuple[str, Node]]:
    """Each of the names with its note."""
    named = ((_name(note), note) for one in card_lists(root) for note in one.notes)
    found = [(name, note) for name, note in named if name in names]
    often = Counter(name for name, _ in found)
    for name in names:
        if often[name] != 1:
            how = "two cards here are" if often[name] else "no card here is"
            raise UserError(f"{how} called {name!r}", hint="change this file with an editor")
    return found


def _name(note: Node) -> str:
    """The id of a note, written or automatic; empty where it has neither."""
    pairs = reversed(note.pairs) if isinstance(note, Map) else ()  # the first of a key counts
    keys = {
        key.value: value.said
        for key, value in pairs
        if isinstance(key, Text) and isinstance(value, Text)
    }
    asked = asked_by(keys)
    return keys.get("id", "") or (automatic_id(asked) if asked else "")


def _open_lists(root: Map) -> list[CardList]:
    """The lists of cards but for those in braces."""
    return [one for one in card_lists(root) if not one.holder.flow]


def _rewritten(lines: list[str], node: Node, fields: Mapping[str, Value]) -> _Edit:
    """The edit that writes a note anew where it stands, behind the dash that it has."""
    if isinstance(node, Map) and node.flow:
        raise UserError("this card stands in braces", hint="change it with an editor")
    first, column = node.start.line, node.start.column
    written = [line[STEP:] for line in item(fields, 0, STEP).removesuffix("\n").split("\n")]
    margin = " " * column
    rest = "".join(f"{margin}{line}\n" if line else "\n" for line in written[1:])
    return _Edit(first, last_line(node) + 1, f"{lines[first][:column]}{written[0]}\n{rest}")


def _added(lines: list[str], root: Map, title: str, notes: Sequence[Mapping[str, Value]]) -> _Edit:
    """The edit that puts notes behind the last card of a list, or into a section of their own."""
    found = [one for one in _open_lists(root) if not title or one.section in (title, "")]
    sections = pair(root, "sections")
    if not found and title and sections and isinstance(sections[1], Many) and sections[1].items:
        at = last_line(sections[1].items[-1]) + 1
        return _Edit(
            at, at, _gap(lines, sections[1]) + section(title, notes, sections[1].start.column)
        )
    if not found:
        raise UserError("there is no list of cards to add to", hint=HINT)
    key, cards = found[-1].key, found[-1].cards
    if isinstance(cards, Many) and cards.flow and cards.items:
        raise UserError("these cards stand in brackets", hint=HINT)
    if isinstance(cards, Many) and cards.items:
        at = last_line(cards.items[-1]) + 1
        return _Edit(at, at, _gap(lines, cards) + listing(notes, *_columns(cards)))
    at = key.start.line + 1
    head = EMPTY_LIST.sub(r"\g<head>\g<rest>", lines[at - 1]).rstrip("\r\n")
    return _Edit(at - 1, at, f"{head}\n{listing(notes, key.start.column + STEP)}")


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
    while (isinstance(node, Map) and node.pairs) or (isinstance(node, Many) and node.items):
        node = node.pairs[-1][1] if isinstance(node, Map) else node.items[-1]
    head = lines[node.start.line][node.start.column :]
    return isinstance(node, Text) and node.style in ("|", ">") and "+" in head.partition(" ")[0]


def _compare(before: str, after: str, fields: Mapping[str, Value]) -> None:
    """Refuse a change that a reader would not see as exactly one card more."""
    new_cards = [
        (key, BREAK.sub("\n", value) if isinstance(value, str) else list(value) or "")
        for key, value in fields.items()
    ]
    old, changed = _root(before), _root(after)
    *_, grown = _open_lists(changed)
    added = grown.notes.pop() if grown.notes else None
    if added is None or _plain(added) != new_cards or _plain(old) != _plain(changed):
        raise UserError("a card cannot be added to this file without changing others", hint=HINT)


def _plain(node: Node) -> object:
    """What a node says, without where and how it stands; nothing and an empty list are alike."""
    if isinstance(node, Text):
        return node.said
    if isinstance(node, Many):
        return [_plain(one) for one in node.items] or ""
    return [(_plain(key), _plain(value)) for key, value in node.pairs]
