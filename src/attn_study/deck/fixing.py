"""Writing the ids that are missing into a deck's text; every other character stays.

A note gets `id: …` in front of its first key, and nothing is taken away. The result is read again
before it is given out: the same notes with the same texts, but for the new ids.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import TYPE_CHECKING

from attn_study.deck.fields import Desk
from attn_study.deck.holes import Hole, parts
from attn_study.deck.nodes import Many, Map, Text, grow
from attn_study.deck.note import read_note
from attn_study.deck.quoting import scalar
from attn_study.deck.reader import parse
from attn_study.deck.slug import make_id
from attn_study.deck.source import RefusedError, decode

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping
    from pathlib import Path

    from attn_study.deck.card import Card, Deck
    from attn_study.deck.nodes import Node
    from attn_study.deck.note import Draft
    from attn_study.deck.reader import Reading
    from attn_study.deck.source import Place

LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n|$)")


@dataclass(frozen=True, slots=True)
class Fixed:
    """A deck's text with ids written.

    `ids` pairs the name a note had with the one it has, in order of the file; of notes that read
    the same only the first had it. `left` says on which line a note was left alone, and why; line
    0 stands for the whole file.
    """

    text: str
    ids: tuple[tuple[str, str], ...]
    left: tuple[tuple[int, str], ...]


def with_ids(source: str, path: Path, taken: Collection[str], named: Collection[str]) -> Fixed:
    """Return the text with an id for every sound note that has none.

    `taken` are names that no new note may have. Notes whose name, as it is, stands in `named` or
    in an `after` of this file are left alone: whoever means them would lose them. So is a file
    with a mistake that hides where its notes begin and end.
    """
    text = source.removeprefix("\ufeff")
    before = _read(text, path)
    if before is None:
        return Fixed(source, (), ((0, "it cannot be read as a whole"),))
    spoken_of = {*named, *(name for draft in before.drafts for name in before.after(draft))}
    free = _Names({*taken, *(draft.id for draft in before.drafts)})
    often = Counter(draft.node for draft in before.drafts)
    names: dict[Node, str] = {}
    ids, left = [], []
    for draft in before.drafts:
        if draft.card is None or draft.card.written_id:
            continue
        if often[draft.node] > 1 or before.char(draft.node.start) in "&*":
            left.append((draft.card.line, "an anchor or alias stands for it"))
        elif draft.id in spoken_of:
            left.append((draft.card.line, f"an `after` names it {draft.id}"))
        else:
            names[draft.node] = free.name(_asked(draft.card))
            ids.append((draft.id, names[draft.node]))
    result = before.insert(names) if names else text
    if not _is_same(before, names, _read(result, path)):
        return Fixed(source, (), ((0, "more than ids would change"),))
    return Fixed(source[: len(source) - len(text)] + result, tuple(ids), tuple(left))


@dataclass(frozen=True, slots=True)
class _Before:
    """A deck as read, its notes in order of the file, sound or not; `lines` keep their ends."""

    text: str
    reading: Reading
    deck: Deck
    lines: tuple[str, ...]
    starts: tuple[int, ...]
    drafts: tuple[Draft, ...]

    def char(self, place: Place) -> str:
        """The character at a place."""
        return self.text[self.starts[place.line] + place.column]

    def after(self, draft: Draft) -> Iterator[str]:
        """The names, in this deck, of what a note comes after."""
        for full, _ in draft.after:
            home, _, name = full.partition("/")
            if home == self.deck.name:
                yield name.partition(":")[0]

    def insert(self, names: Mapping[Node, str]) -> str:
        """The text with an id in front of the first key of each of these notes."""
        pieces, done = [], 0
        for node, name in names.items():
            assert isinstance(node, Map)
            place = node.pairs[0][0].start if node.flow else node.start
            at = self.starts[place.line] + place.column
            pieces += [self.text[done:at], f"id: {scalar(name, 0)}", self._behind(node)]
            done = at
        return "".join([*pieces, self.text[done:]])

    def _behind(self, node: Map) -> str:
        """What parts the id from the next key."""
        if node.flow:
            return ", "
        line = self.lines[node.start.line]
        return line[len(line.rstrip("\r\n")) :] + " " * node.start.column


def _read(text: str, path: Path) -> _Before | None:
    """None when a mistake hides where the notes begin and end."""
    reading = parse(text, path)
    if reading.deck is None:
        return None
    try:
        source, foul = decode(text, path)
        tree = grow(source.text)
    except RefusedError:
        return None
    if foul or tree.error or tree.faults or not isinstance(tree.root, Map):
        return None
    desk = Desk(source)
    drafts = tuple(
        read_note(desk, node, reading.deck.name, section)
        for section, nodes in _lists(tree.root)
        for node in nodes
    )
    lines = tuple(LINE.findall(text))
    starts = tuple(accumulate((len(line) for line in lines), initial=0))
    return _Before(text, reading, reading.deck, lines, starts, drafts)


def _lists(root: Map) -> Iterator[tuple[str, list[Node]]]:
    """The notes of each list of cards, under the number of the list."""
    for number, holder in enumerate([root, *_items(root, "sections")]):
        if isinstance(holder, Map):
            yield str(number), _items(holder, "cards")


def _items(node: Map, name: str) -> list[Node]:
    """The items of the list behind a key."""
    found = (value for key, value in node.pairs if isinstance(key, Text) and key.value == name)
    value = next(found, None)
    return value.items if isinstance(value, Many) else []


def _is_same(before: _Before, names: Mapping[Node, str], after: _Before | None) -> bool:
    """Whether what was written says the same notes with the new ids, and nothing else."""
    if after is None:
        return False
    wanted = [_renamed(draft, names.get(draft.node)) for draft in before.drafts]
    found = [_renamed(draft, None) for draft in after.drafts]
    heads = [replace(one.deck, cards=(), notes=()) for one in (before, after)]
    has_more_errors = _errors(after.reading) > _errors(before.reading)
    return wanted == found and heads[0] == heads[1] and not has_more_errors


def _renamed(draft: Draft, name: str | None) -> Card | None:
    """The note as it should read, wherever it stands."""
    if draft.card is None or name is None:
        return draft.card and replace(draft.card, line=0)
    full = f"{draft.card.deck}/{name}"
    return replace(draft.card, line=0, id=full, written_id=True)


def _errors(reading: Reading) -> int:
    return sum(not one.warning for one in reading.complaints)


class _Names:
    """Ids for new notes, each given once."""

    def __init__(self, taken: Collection[str]) -> None:
        self.used = {name.partition(":")[0].casefold() for name in taken}
        self.last: Counter[str] = Counter()

    def name(self, asked: str) -> str:
        """Return an id for what a note asks; the next free number tells equal ones apart."""
        stem = make_id(asked, ())
        name = stem
        while name in self.used:
            self.last[stem] += 1
            name = f"{stem}-{self.last[stem] + 1}"
        self.used.add(name)
        return name


def _asked(note: Card) -> str:
    """What the note asks, holes filled."""
    if not note.cloze:
        return note.asked
    return "".join(part.text if isinstance(part, Hole) else part for part in parts(note.cloze))
