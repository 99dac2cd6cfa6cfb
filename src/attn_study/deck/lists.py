"""The lists of cards in the tree of a deck file, wherever they stand."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from attn_study.deck.nodes import Many, Map, Node, Text, pair

if TYPE_CHECKING:
    from collections.abc import Iterator


class CardList(NamedTuple):
    """One `cards`, key and value, in the map that holds it.

    `section` is the title of that map, empty at the top of the file.
    """

    section: str
    holder: Map
    key: Text
    cards: Node

    @property
    def notes(self) -> list[Node]:
        """The notes of the list; none where something else stands there."""
        return items(self.cards)


def card_lists(root: Map) -> Iterator[CardList]:
    """Yield each list of cards in order of the file: the one at the top, then by sections."""
    if found := pair(root, "cards"):
        yield CardList("", root, *found)
    sections = pair(root, "sections")
    for holder in items(sections[1]) if sections else ():
        if isinstance(holder, Map) and (found := pair(holder, "cards")):
            title = pair(holder, "title")
            said = title[1].said if title and isinstance(title[1], Text) else ""
            yield CardList(said, holder, *found)


def items(node: Node) -> list[Node]:
    """Return the items of a list; none of what is no list."""
    return node.items if isinstance(node, Many) else []
