"""Notes of a deck text turned into comments: there to be mended, and no cards."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from attn_study.deck.lines import apart, lines_of
from attn_study.deck.lists import card_lists
from attn_study.deck.nodes import Map, last_line
from attn_study.deck.salvage import salvage
from attn_study.deck.source import RefusedError, decode
from attn_study.errors import UserError

if TYPE_CHECKING:
    from collections.abc import Sequence, Set
    from pathlib import Path

    from attn_study.deck.nodes import Node

DASH = re.compile(r"[ ]*-[ ]+")
BLANK = " \r\n"  # a tab between cards cannot be read
UTF_16 = (b"\xff\xfe", b"\xfe\xff")


def commented(data: bytes, path: Path, notes: Set[int]) -> bytes:
    """Return the text with a `#` before each line of the notes that begin on some lines, from 1.

    No line moves, and every other line stays as it is. `path` is what errors name; raises UserError
    for a note that does not have its lines to itself.
    """
    if data.startswith(UTF_16):
        hint = "save the file as UTF-8, or mend the card"
        raise UserError("no card can be left out of UTF-16 text", where=str(path), hint=hint)
    mark, body = apart(data.decode("utf-8", "surrogateescape"))
    lines = lines_of(body)
    meant = [note for note in _notes(data, path) if note.start.line + 1 in notes]
    for note in meant:
        for at in range(_first(lines, note, path), last_line(note) + 1):
            lines[at] = f"# {lines[at]}" if lines[at].strip(BLANK) else lines[at]
    for line in notes - {note.start.line + 1 for note in meant}:
        raise _refusal(path, line)
    return (mark + "".join(lines)).encode("utf-8", "surrogateescape")


def _notes(data: bytes, path: Path) -> list[Node]:
    """Return the notes of a text as far as it can be read."""
    try:
        source, _ = decode(data, path)
        root = salvage(source)[0].tree.root
    except RefusedError as reason:
        raise UserError(reason.what, where=str(path), hint=reason.hint) from reason
    return [note for one in card_lists(root) for note in one.notes] if isinstance(root, Map) else []


def _first(lines: Sequence[str], note: Node, path: Path) -> int:
    """Return the line, from 0, of the dash before a note."""
    at, column = note.start.line, note.start.column
    if DASH.fullmatch(lines[at][:column]):
        return at
    if not lines[at][:column].strip() and at and lines[at - 1].strip() == "-":
        return at - 1
    raise _refusal(path, at + 1)


def _refusal(path: Path, line: int) -> UserError:
    hint = "let it begin with `- ` on a line of its own, or mend it"
    return UserError(
        "this card cannot be left out as it is written", where=f"{path}:{line}", hint=hint
    )
