"""Writing the ids that are missing into a deck's text; every other character stays.

A note gets `id: …` in front of its first key, and nothing is taken away. The result is read again
before it is given out: the same notes with the same texts, but for the new ids.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import TYPE_CHECKING

from attn_study.deck.fields import Desk
from attn_study.deck.lines import apart, line_end, lines_of
from attn_study.deck.lists import card_lists
from attn_study.deck.nodes import Map, grow
from attn_study.deck.note import read_note
from attn_study.deck.quoting import scalar
from attn_study.deck.reader import parse
from attn_study.deck.slug import Names
from attn_study.deck.source import RefusedError, decode

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence
    from pathlib import Path

    from attn_study.deck.card import Card, Deck
    from attn_study.deck.nodes import Node
    from attn_study.deck.note import Draft
    from attn_study.deck.reader import Reading
    from attn_study.deck.source import Place


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


@dataclass(frozen=True, slots=True)
class DeckText:
    """A deck's text and what it says; `lines` keep their ends, `mark` stood in front of the text.

    `drafts` are its notes in order of the file, sound or not: None when a mistake hides where they
    begin and end.
    """

    mark: str
    text: str
    reading: Reading
    deck: Deck
    lines: tuple[str, ...]
    starts: tuple[int, ...]
    drafts: tuple[Draft, ...] | None

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
        return line_end(line, line_end(self.text)) + " " * node.start.column


def read_text(source: str, path: Path) -> DeckText | None:
    """Return the deck in a text, note by note; None when it is no deck."""
    mark, text = apart(source)
    reading = parse(text, path)
    if reading.deck is None:
        return None
    drafts = _drafts(text, path, reading.deck.name)
    lines = tuple(lines_of(text))
    starts = tuple(accumulate((len(line) for line in lines), initial=0))
    return DeckText(mark, text, reading, reading.deck, lines, starts, drafts)


def _drafts(text: str, path: Path, deck: str) -> tuple[Draft, ...] | None:
    """The notes in order of the file; None when a mistake hides where they begin and end."""
    try:
        source, foul = decode(text, path)
        tree = grow(source.text)
    except RefusedError:
        return None
    if foul or tree.error or tree.faults or not isinstance(tree.root, Map):
        return None
    desk = Desk(source)
    return tuple(
        read_note(desk, note, deck, str(number))
        for number, one in enumerate(card_lists(tree.root))
        for note in one.notes
    )


def with_ids(before: DeckText, taken: Collection[str], named: Collection[str]) -> Fixed:
    """Return the text with an id for every sound note that has none.

    `taken` are names that no new note may have. Notes whose name, as it is, stands in `named` or
    in an `after` of this file are left alone: whoever means them would lose them. So is a file
    with a mistake that hides where its notes begin and end.
    """
    source = before.mark + before.text
    if before.drafts is None:
        return Fixed(source, (), ((0, "it cannot be read as a whole"),))
    found, left = _without_ids(before, before.drafts, named)
    free = Names([*taken, *(draft.id for draft in before.drafts)])
    names = {draft.node: free.make(card.asked) for draft, card in found}
    result = before.insert(names)
    if names and not _is_same(before, names, read_text(result, before.deck.path)):
        return Fixed(source, (), ((0, "more than ids would change"),))
    ids = tuple((draft.id, names[draft.node]) for draft, _ in found)
    return Fixed(before.mark + result, ids, tuple(left))


def _without_ids(
    before: DeckText, drafts: Sequence[Draft], named: Collection[str]
) -> tuple[list[tuple[Draft, Card]], list[tuple[int, str]]]:
    """The sound notes that want an id, and on which lines others are left alone, and why."""
    spoken_of = {*named, *(name for draft in drafts for name in before.after(draft))}
    often = Counter(draft.node for draft in drafts)
    found, left = [], []
    for draft in drafts:
        if draft.card is None or draft.card.written_id:
            continue
        if often[draft.node] > 1 or before.char(draft.node.start) in "&*":
            left.append((draft.card.line, "an anchor or alias stands for it"))
        elif draft.id in spoken_of:
            left.append((draft.card.line, f"an `after` names it {draft.id}"))
        else:
            found.append((draft, draft.card))
    return found, left


def _is_same(before: DeckText, names: Mapping[Node, str], after: DeckText | None) -> bool:
    """Whether what was written says the same notes with the new ids, and nothing else."""
    if before.drafts is None or after is None or after.drafts is None:
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
