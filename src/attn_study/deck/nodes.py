"""YAML as a small tree of texts, lists and maps that no hostile file can make grow.

Every value is text as typed. Tags build nothing, aliases are counted in full, and limits on
depth, width and number stop a file while it is being read.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import yaml
from yaml.events import (
    AliasEvent,
    DocumentStartEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
    StreamEndEvent,
)

from attn_study.deck.source import RefusedError

if TYPE_CHECKING:
    from attn_study.deck.source import Place

MAX_DEPTH = 20
MAX_ITEMS = 100_000  # of one list, and the cards of one deck
MAX_KEYS = 1_000
MAX_NODES = 2_500_000
MAX_ALIASED = 5_000_000  # characters and nodes that aliases stand for, in all


Parser = Callable[[str], Any]  # gives an object with `get_event`
PURE: Parser = yaml.SafeLoader
PARSER: Parser = yaml.CSafeLoader if yaml.__with_libyaml__ else PURE


@dataclass(slots=True, eq=False)
class Text:
    """A value. `style` is empty for plain text, else the character that began it."""

    value: str
    style: str
    start: Place
    end: Place

    @property
    def said(self) -> str:
        """The text without the one line end that a block adds."""
        return self.value.removesuffix("\n") if self.style in ("|", ">") else self.value


@dataclass(slots=True, eq=False)
class Many:
    """A list, filled while its items are read."""

    start: Place
    end: Place
    flow: bool
    items: list[Node] = field(default_factory=list)


@dataclass(slots=True, eq=False)
class Map:
    """Keys with their values in order, repeated keys included; filled while read."""

    start: Place
    end: Place
    flow: bool
    pairs: list[tuple[Node, Node]] = field(default_factory=list)


Node = Text | Many | Map


@dataclass(slots=True, eq=False)
class _Frame:
    """A list or map still open; `weight` counts characters and nodes inside."""

    node: Many | Map
    anchor: str | None
    key: Node | None = None
    weight: int = 1


@dataclass(slots=True, eq=False)
class Tree:
    """One file's nodes; grows event by event.

    `faults` are places (of a node), what is wrong and a hint; the reading goes on after them.
    `error` is the mistake in the syntax that ended the reading early.
    """

    root: Node | None = None
    faults: list[tuple[Place, str, str]] = field(default_factory=list)
    error: yaml.MarkedYAMLError | None = None
    last: Text | None = None
    stack: list[_Frame] = field(default_factory=list)
    anchors: dict[str, tuple[Node, int] | None] = field(default_factory=dict)
    aliased: int = 0
    nodes: int = 0

    def put(self, node: Node, weight: int) -> None:
        """Hang a finished or opening node into the innermost open one."""
        self.nodes += 1
        if self.nodes > MAX_NODES:
            raise _refused(node.start, f"more than {MAX_NODES:,} values")
        if not self.stack:
            self.root = node
            return
        frame = self.stack[-1]
        frame.weight += weight
        parent = frame.node
        if isinstance(parent, Many):
            if len(parent.items) >= MAX_ITEMS:
                raise _refused(node.start, f"a list of more than {MAX_ITEMS:,}")
            parent.items.append(node)
        elif frame.key is None:
            if len(parent.pairs) >= MAX_KEYS:
                raise _refused(node.start, f"more than {MAX_KEYS:,} keys in one map")
            frame.key = node
        else:
            parent.pairs.append((frame.key, node))
            frame.key = None

    def text(self, event: Any) -> None:
        """Add a value."""
        value = event.value
        node = self.last = Text(value, event.style or "", event.start_mark, event.end_mark)
        self.put(node, 1 + len(value))
        if event.anchor or event.tag is not None:
            self._mark(event, node, 1 + len(value))

    def begin(self, event: Any, node: Many | Map) -> None:
        """Open a list or a map."""
        if len(self.stack) >= MAX_DEPTH:
            raise _refused(node.start, f"lists and maps more than {MAX_DEPTH} deep")
        self.put(node, 1)
        if event.anchor or event.tag is not None:
            self._mark(event, node, None)
        self.stack.append(_Frame(node, event.anchor))

    def finish(self, event: Any) -> None:
        """Close the innermost list or map."""
        frame = self.stack.pop()
        frame.node.end = event.end_mark
        if frame.anchor:
            self.anchors[frame.anchor] = (frame.node, frame.weight)
        if self.stack:
            self.stack[-1].weight += frame.weight

    def alias(self, event: Any) -> None:
        """Put again what an anchor names."""
        known = self.anchors.get(event.anchor)
        if known is None:
            what = (
                f"the alias *{event.anchor} stands inside what it names"
                if event.anchor in self.anchors
                else f"*{event.anchor} reads as an alias, and nothing is called &{event.anchor}"
            )
            self.faults.append((event.start_mark, what, "text that begins with * needs quotes"))
            known = Text("", "*", event.start_mark, event.end_mark), 1
        node, weight = known
        self.aliased += weight
        if self.aliased > MAX_ALIASED:
            raise _refused(event.start_mark, "aliases that stand for too much text")
        self.put(node, weight)

    def cut(self) -> None:
        """Take out the innermost list item that was left unfinished."""
        unfinished = [frame.node for frame in self.stack]
        for node in reversed(unfinished):
            if isinstance(node, Many) and node.items and node.items[-1] in unfinished:
                node.items.pop()
                return

    def _mark(self, event: Any, node: Node, weight: int | None) -> None:
        """Remember an anchor, refuse a tag; an open node is named with nothing behind it yet."""
        if event.anchor:
            self.anchors[event.anchor] = None if weight is None else (node, weight)
        if event.tag is not None:
            what = f"{event.tag} reads as a tag, and a deck holds text alone"
            self.faults.append((event.start_mark, what, "text that begins with ! needs quotes"))


def _refused(place: Place, what: str) -> RefusedError:
    return RefusedError(
        f"{what}: this is beyond what a deck may hold",
        "a large deck can be split into several files",
        line=place.line + 1,
        column=place.column + 1,
    )


def pair(node: Map, name: str) -> tuple[Text, Node] | None:
    """Return the first key of that name and its value; None without one."""
    for key, value in node.pairs:
        if isinstance(key, Text) and key.value == name:
            return key, value
    return None


def last_line(node: Node) -> int:
    """Return the line, from 0, on which the last text of a node ends."""
    if isinstance(node, Text) or node.flow:
        return node.end.line - (node.end.column == 0 and node.end.line > node.start.line)
    parts = node.items if isinstance(node, Many) else [part for pair in node.pairs for part in pair]
    return max(map(last_line, parts), default=node.start.line)


def grow(text: str, parser: Parser = PARSER) -> Tree:
    """Return the tree of the first document.

    A mistake in the syntax ends it early (`error`); RefusedError is raised beyond the limits.
    """
    tree = Tree()
    try:
        _feed(tree, parser(text).get_event)
    except yaml.MarkedYAMLError as error:
        tree.error = error
    return tree


def _feed(tree: Tree, next_event: Callable[[], Any]) -> None:
    """Let the tree grow until the text ends or a second document begins."""
    documents = 0
    while True:
        event = next_event()
        sort = type(event)  # a parser gives these very classes, and the tree has many nodes
        if sort is ScalarEvent:
            tree.text(event)
        elif sort is MappingStartEvent:
            tree.begin(event, Map(event.start_mark, event.end_mark, bool(event.flow_style)))
        elif sort is SequenceStartEvent:
            tree.begin(event, Many(event.start_mark, event.end_mark, bool(event.flow_style)))
        elif sort is MappingEndEvent or sort is SequenceEndEvent:
            tree.finish(event)
        elif sort is AliasEvent:
            tree.alias(event)
        elif sort is DocumentStartEvent:
            documents += 1
            if documents > 1:
                what = "a second document begins here; what follows is not read"
                tree.faults.append((event.start_mark, what, "make it a deck file of its own"))
                return
        elif sort is StreamEndEvent:
            return
