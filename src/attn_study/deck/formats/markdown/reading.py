"""Markdown: `Q:` and `A:` for two sides, `C:` for a text with [holes], and `one :: other` lines.

Headings become sections; the first one becomes the title where it alone is of the first level.
A file of ours has comments that hold what Markdown has no form for. They are invisible to a
viewer, and no use where the text below one was changed: then that text counts.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from attn_study.deck.formats.checks import said, wrong_text, wrong_texts
from attn_study.deck.formats.decoding import decode
from attn_study.deck.formats.exchange import Imported, Note, Skipped
from attn_study.deck.formats.losses import HEADING
from attn_study.deck.formats.markdown.blocks import blocks
from attn_study.deck.formats.markdown.cards import fields_of
from attn_study.deck.formats.markdown.front_matter import front_matter
from attn_study.deck.formats.markdown.text import pair, told
from attn_study.deck.formats.markdown.writing import heading, write
from attn_study.deck.source import MAX_BYTES, RefusedError
from attn_study.errors import UserError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from attn_study.deck.formats.exchange import File, ReadOptions
    from attn_study.deck.formats.markdown.blocks import Block

__all__ = ["read", "write"]

CARDS = ("Q", "C", "A", "::", ":::")
SHOWN = 3  # cards that a remark is made of
SPACED = re.compile(r"\S[ \t]+:::?[ \t]+\S")
HINT = "a card is `Q: …` with `A: …` under it, `C: text with a [hole]`, or `question :: answer`"


def read(file: File, options: ReadOptions) -> tuple[Imported, ...]:
    """Return the cards of a Markdown file as one deck."""
    if len(file.data) > MAX_BYTES:
        what = f"larger than {MAX_BYTES // 1_000_000} MB"
        raise UserError(what, where=str(file.path), hint="split the deck into several files")
    lines = decode(file, options.encoding).split("\n")
    named, count = front_matter(lines)
    try:
        reading = _Reading(blocks(lines[count:], count + 1))
    except RefusedError as reason:
        where = f"{file.path}:{reason.line}" if reason.line else str(file.path)
        raise UserError(reason.what, where=where, hint=reason.hint) from reason
    reading.whole()
    if not reading.notes:
        raise _nothing(file, reading.skipped)
    head: dict[str, Any] = {"deck": named or file.path.stem, **reading.head}
    return (
        Imported(
            name=head["deck"],
            notes=tuple(reading.notes),
            title=head.get("title", ""),
            source=head.get("source", ""),
            language=head.get("language", ""),
            formerly=tuple(head.get("formerly", ())),
            skipped=tuple(reading.skipped),
            remarks=tuple(reading.remarks()),
        ),
    )


def _nothing(file: File, skipped: Sequence[Skipped]) -> UserError:
    """The complaint about a file without a single sound card."""
    if not skipped:
        return UserError("there is no card in this file", where=str(file.path), hint=HINT)
    first = skipped[0]
    what = f"no card can be read: {first.what}"
    return UserError(what, where=f"{file.path}:{first.line}", hint=HINT)


class _Reading:
    """Turns the blocks of one file into notes."""

    def __init__(self, found: Sequence[Block]) -> None:
        self.blocks = found
        self.head: dict[str, Any] = {}
        self.notes: list[Note] = []
        self.skipped: list[Skipped] = []
        self.holding: list[int] = []
        self.section = ""
        self.pending: Block | None = None
        self.bare_counts = not any(_is_sure(block) for block in found)

    def whole(self) -> None:
        """Read the blocks in order; a comment belongs to the block that follows it."""
        title = self._title()
        for block in self.blocks:
            if block.sign == "<":
                self._pend(block)
            elif block.sign == "#":
                self._heading(block, is_title=block is title)
            elif not block.is_bare or self.bare_counts:
                self._card(block)
        self._drop()

    def remarks(self) -> list[str]:
        """Say how the file was read."""
        found = []
        if self.bare_counts and any(block.is_bare for block in self.blocks):
            found.append("question::answer lines without blanks around the colons")
        for line in self.holding[:SHOWN]:
            what = "holds a line that looks like `question :: answer`: a line of --- parts them"
            found.append(f"the card on line {line} {what}")
        return found

    def _title(self) -> Block | None:
        """The heading that names the deck: the first block of all, alone of the first level."""
        top = [block for block in self.blocks if block.sign == "#" and block.level == 1]
        first = next((block for block in self.blocks if block.sign in ("#", *CARDS)), None)
        return first if len(top) == 1 and first is top[0] else None

    def _pend(self, block: Block) -> None:
        """Keep a comment for what follows; one about the deck counts at once."""
        self._drop()
        found = _object(block.text())
        if "deck" not in found:
            self.pending = block
        elif wrong := _wrong_head(found):
            self.skipped.append(
                Skipped(f"a comment about the deck is not sound: {wrong}", block.line)
            )
        else:
            self.head = found

    def _taken(self) -> dict[str, Any] | None:
        """The fields of the comment above, which counts once."""
        block, self.pending = self.pending, None
        return None if block is None else _object(block.text())

    def _drop(self) -> None:
        if self.pending is not None:
            what = "a comment of attn-study without its card below"
            self.skipped.append(Skipped(what, self.pending.line))
            self.pending = None

    def _heading(self, block: Block, *, is_title: bool) -> None:
        written = block.text()
        extra = {} if self.pending is None else _object(self.pending.text())
        exact = self.head.get("title", "") if is_title else extra.get("section", "")
        if "section" in extra:
            self.pending = None
        self._drop()
        if wrong_text(exact) or heading(exact) != written:
            exact = told([(False, written)])
        if is_title:
            self.head = {**self.head, "title": exact}
        else:
            self.section = exact

    def _card(self, block: Block) -> None:
        extra = self._taken()
        if extra is None and _holds_pair(block):
            self.holding.append(block.line)
        fields, wrong = fields_of(block, extra)
        if wrong:
            self.skipped.append(Skipped(wrong, block.line))
        else:
            self.notes.append(Note(fields, self.section, block.line))


def _holds_pair(block: Block) -> bool:
    """Whether a text of several paragraphs has one that may be meant as a card of its own."""
    for lines in block.fields:
        is_apart = False
        for line in lines:
            if not line.text.strip():
                is_apart = True
            elif is_apart and not line.fenced and SPACED.search(line.text) and pair(line.text):
                return True
    return False


def _is_sure(block: Block) -> bool:
    """Whether a block is a card beyond doubt: a bare `::` may stand in any text."""
    return block.sign in CARDS and not block.is_bare


def _object(text: str) -> dict[str, Any]:
    """The object that a comment holds; if it holds none, its text as a key that no note has."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        found = None
    return found if isinstance(found, dict) else {text[:80]: ""}


def _wrong_head(found: dict[str, Any]) -> str:
    for key, value in found.items():
        if key not in HEADING:
            return f"there is no key `{said(key)}` in it"
        if wrong := (wrong_texts if key == "formerly" else wrong_text)(value):
            return f"`{key}` {wrong}"
    return ""
