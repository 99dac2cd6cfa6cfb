"""One file's tree as a deck: its heading, its sections and their notes."""

from __future__ import annotations

import unicodedata
from bisect import bisect_left
from typing import TYPE_CHECKING

from attn_study.deck import kinds
from attn_study.deck.beside import sound
from attn_study.deck.card import Deck
from attn_study.deck.complaint import Complaint
from attn_study.deck.nodes import MAX_ITEMS, Many, Map, Text, last_line
from attn_study.deck.note import Draft, id_node, read_note

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from attn_study.deck.fields import Desk
    from attn_study.deck.nodes import Node
    from attn_study.deck.salvage import Salvage

DECK = ("deck", "title", "source", "formerly", "language", "sections", "cards")
SECTION = ("title", "cards")
STAND_IN = "deck"  # for the ids of a deck without a name, which nobody will see


def bind(desk: Desk, saved: Salvage) -> Deck | None:
    """Return the deck with its sound cards; None without a deck or without its name."""
    root = saved.tree.root
    if root is None or (isinstance(root, Text) and not root.value):
        if not desk.complaints:
            hint = "a deck begins with `deck: name` and has `cards:`"
            path = desk.source.path
            desk.complaints.append(Complaint(path, 0, 0, "there is no deck in it", hint=hint))
        return None
    if not isinstance(root, Map):
        shape = "a list" if isinstance(root, Many) else "a text"
        hint = "begin with `deck: name` and put the cards under `cards:`"
        desk.blame(root.start, f"this file is {shape}, not a deck", hint)
        return None
    fields = desk.fields(root, DECK)
    name = _name(desk, root, fields.get("deck"))
    drafts = list(_Notes(desk, saved, name or STAND_IN).drafts(root, fields))
    notes = sound(desk, drafts, name or STAND_IN, saved)
    deck = Deck(
        name=name,
        title=desk.text(fields.get("title"), prose=True) or name,
        path=desk.source.path,
        cards=tuple(card for note in notes for card in kinds.kind(note.kind).cards(note)),
        source=desk.text(fields.get("source"), prose=True),
        language=desk.text(fields.get("language")),
        formerly=tuple(text for text, _ in desk.texts(fields.get("formerly"))),
        notes=tuple(notes),
    )
    return deck if name else None


def _name(desk: Desk, root: Map, node: Node | None) -> str:
    """The short name in one Unicode form; "" after a complaint."""
    stem = as_name(desk.source.path.stem) or "my-deck"
    if node is None:
        desk.blame(root.start, "the deck has no name", f"begin the file with `deck: {stem}`")
        return ""
    text = unicodedata.normalize("NFC", desk.text(node))
    if isinstance(node, Text) and (not text or as_name(text) != text):
        hint = f"letters, digits and . _ - only, as in `deck: {as_name(text) or stem}`"
        desk.blame(node.start, f"{text!r} cannot be the name of a deck", hint)
        return ""
    return text


def as_name(text: str) -> str:
    """Return the nearest name: letters, marks and digits of any script, and `. _ -` inside."""
    kept = (char if char.isalnum() or _joins(char) else "-" for char in text)
    return "".join(kept).strip("-._")


def _joins(char: str) -> bool:
    return char in "._-" or unicodedata.category(char).startswith("M")


class _Notes:
    """The notes of one tree, in order of the file."""

    def __init__(self, desk: Desk, saved: Salvage, deck: str) -> None:
        self.desk = desk
        self.saved = saved
        self.deck = deck
        self.foul = sorted(desk.source.foul.union(at.line for at, _, _ in saved.tree.faults))

    def drafts(self, root: Map, fields: Mapping[str, Node]) -> Iterator[Draft]:
        """Read each note."""
        if "sections" in fields and "cards" in fields:
            what = "a deck has `sections` or `cards`, not both"
            self.desk.blame(fields["cards"].start, what, "move the cards into a section")
        elif not fields.keys() & {"sections", "cards"} and not self.saved.cut:
            self.desk.blame(root.start, "the deck has no cards", "add `cards:` with a list")
        lists = [(title, self._items(cards, "cards")) for title, cards in self._lists(fields)]
        # Aliases may name one list many times, so the number is known before any is read
        if sum(len(nodes) for _, nodes in lists) > MAX_ITEMS:
            what = f"more than {MAX_ITEMS:,} cards; none is read"
            self.desk.blame(root.start, what, "split the deck into several files")
            return
        for title, nodes in lists:
            for node in nodes:
                if node.start.line not in self.saved.struck:
                    yield self._draft(node, title)

    def _lists(self, fields: Mapping[str, Node]) -> Iterator[tuple[str, Node]]:
        """Titles of sections with their lists of cards."""
        if "cards" in fields:
            yield "", fields["cards"]
        for item in self._items(fields.get("sections"), "sections"):
            if not isinstance(item, Map):
                what = "a section has `title` and `cards`"
                self.desk.blame(item.start, what, "write `- title: …`")
                continue
            inside = self.desk.fields(item, SECTION)
            title = self.desk.text(inside.get("title"), prose=True)
            if "cards" in inside:
                yield title, inside["cards"]
            elif not self.saved.cut:
                self.desk.blame(item.start, "this section has no `cards`", "add `cards:`")

    def _items(self, node: Node | None, key: str) -> list[Node]:
        """The items of a list that may also be left empty."""
        if node is None:
            return []
        if isinstance(node, Many):
            return node.items
        if isinstance(node, Text) and not node.value:
            self.desk.blame(node.start, f"`{key}` is empty", "0 cards here", warning=True)
        else:
            self.desk.blame(node.start, f"`{key}` must be a list", "begin each item with `- `")
        return []

    def _draft(self, node: Node, section: str) -> Draft:
        """One note; a note on a foul line has been complained about and is not read."""
        following = bisect_left(self.foul, node.start.line) if self.foul else 0
        if following < len(self.foul) and self.foul[following] <= last_line(node):
            written = id_node(node)
            return Draft(written.value if isinstance(written, Text) else "", node)
        return read_note(self.desk, node, self.deck, section)
