"""Reading on after a mistake in the syntax: the card it stands in is struck out."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from attn_study.deck.hints import explain
from attn_study.deck.nodes import PARSER, Parser, Tree, grow
from attn_study.deck.source import BREAK

if TYPE_CHECKING:
    from collections.abc import Sequence

    from attn_study.deck.complaint import Complaint
    from attn_study.deck.hints import Mistake
    from attn_study.deck.source import Source

MAX_REREAD = 50_000_000  # characters read again in all, so that a broken file ends soon
MAX_TRIES = 200

HEAD = re.compile(r"(?P<margin>[ ]*)(?P<dash>-[ ]+)?cards[ ]*:[ ]*(#.*)?$")
DASH = re.compile(r"(?P<margin>[ \t]*)-(?:\s|$)")
NAME = re.compile(r"[ \t]*(?:-[ ]+)?id:[ ]+['\"]?(?P<id>[^\s'\"]+)")


@dataclass(frozen=True, slots=True)
class Salvage:
    """What could be read: `struck` are the lines, from 0, on which cards left out began.

    `ids` are the written ids of those cards. `cut` says that the end of the file is missing.
    """

    tree: Tree
    struck: frozenset[int]
    ids: frozenset[str]
    cut: bool


def salvage(source: Source, parser: Parser = PARSER) -> tuple[Salvage, tuple[Complaint, ...]]:
    """Read the text, again without each card that cannot be read.

    Raises RefusedError beyond the limits of a tree.
    """
    lines: list[str] = []  # most files need none of them
    text = source.text
    complaints: list[Complaint] = []
    struck: set[int] = set()
    ids: set[str] = set()
    while True:
        tree = grow(text, parser)
        if tree.error is None:
            return Salvage(tree, frozenset(struck), frozenset(ids), False), tuple(complaints)
        lines = lines or BREAK.split(source.text)
        mistake = explain(tree.error, tree, source.lines)
        tries = len(complaints) + 1
        item = _item(lines, mistake.cause)
        if item is None or item[0] in struck or tries > min(MAX_TRIES, MAX_REREAD // len(text)):
            complaints.append(_complain(source, mistake, "nothing below could be read"))
            tree.cut()
            return Salvage(tree, frozenset(struck), frozenset(ids), True), tuple(complaints)
        first, end, column = item
        names = [match["id"] for line in lines[first:end] if (match := NAME.match(line))]
        ids.update(names)
        who = f"card {names[0]!r}" if names else f"the card on line {first + 1}"
        complaints.append(_complain(source, mistake, f"{who} is left out"))
        struck.add(first)
        lines[first:end] = [" " * column + "- x", *[""] * (end - first - 1)]
        text = "\n".join(lines)


def _complain(source: Source, mistake: Mistake, result: str) -> Complaint:
    what = f"{mistake.what} ({result})"
    return source.complaint(mistake.line, mistake.column, what, mistake.hint)


def _item(lines: Sequence[str], line: int) -> tuple[int, int, int] | None:
    """The card around a line: its first line, the line behind it, and the column of its dash."""
    head = next((n for n in range(line, -1, -1) if HEAD.match(lines[n])), None)
    if head is None or head == line:
        return None
    column = next((_width(lines[n]) for n in range(head + 1, line + 1) if DASH.match(lines[n])), -1)
    outer = _key_column(lines[head])
    if column < outer:
        return None
    first = next(
        (
            n
            for n in range(line, head, -1)
            if _begins(lines[n], column, outer if n == line else column)
        ),
        None,
    )
    if first is None or any(_outside(text, column, outer) for text in lines[first + 1 : line + 1]):
        return None
    own = _width(lines[first])
    behind = (n for n in range(line + 1, len(lines)) if _leaves(lines[n], own, column))
    end = next(behind, len(lines))
    return first, end, column


def _key_column(head: str) -> int:
    match = HEAD.match(head)
    assert match is not None
    return match.end("dash") if match["dash"] else match.end("margin")


def _width(line: str) -> int:
    return len(line) - len(line.lstrip(" \t"))


def _begins(line: str, column: int, least: int) -> bool:
    """Whether a card begins here; from `least` on, a dash may have slipped to the left."""
    match = DASH.match(line)
    if match is None:
        return False
    return least <= _width(line) <= column or (least < column and "\t" in match["margin"])


def _leaves(line: str, own: int, column: int) -> bool:
    """Whether the line stands behind a card whose dash is at `own`; the others are at `column`."""
    if not line.strip() or line.lstrip().startswith("#"):
        return False
    return _width(line) <= own or (_width(line) <= column and DASH.match(line) is not None)


def _outside(line: str, column: int, outer: int) -> bool:
    """Whether the line belongs to what is around the list of cards."""
    return _leaves(line, column, column) and _width(line) <= outer
