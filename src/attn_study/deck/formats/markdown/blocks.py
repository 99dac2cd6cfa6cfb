"""A Markdown text as blocks: headings, cards of both forms, and comments that are ours.

A card begins with `Q:` or `C:` at the left edge and ends at the next one, at a `---` line, at a
heading or at a comment of ours. Between cards `question :: answer` is a card of one line, and any
other text is left alone. What stands in fenced code is never a mark.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from attn_study.deck.formats.markdown.text import pair
from attn_study.deck.source import RefusedError

if TYPE_CHECKING:
    from collections.abc import Sequence

MAX_LINES = 1_000_000
MAX_BLOCKS = 200_000
FENCE = re.compile(r"[ \t]*(?P<run>`{3,}(?=[^`]*$)|~{3,})(?P<info>.*)")
HEADING = re.compile(r"(?P<level>#{1,6})(?:[ \t]+(?P<title>.*))?")
COMMENT = re.compile(r"<!-- attn-study (?P<json>.*) -->[ \t]*")
RULE = re.compile(r"---[ \t]*")
MARK = re.compile(r"[QAC]:|---[ \t]*$|#{1,6}(?:[ \t]|$)|<!-- attn-study ")
SCHEDULE = re.compile(r"<!--SR:[^>]*-->[ \t]*$")  # what another program keeps behind a card

Segment = tuple[bool, str]


class Line(NamedTuple):
    """A line of a card; `fenced` where it belongs to fenced code, its fences included."""

    text: str
    fenced: bool = False


@dataclass(slots=True)
class Block:
    """What begins on one line, from 1.

    `sign` is `Q` with one or two `fields`, `C` with one, `::` or `:::` for a line with a pair in
    its two fields, `#` for a heading with its `level`, `<` for a comment with its JSON, `A` for an
    answer to nothing. `fault` says what is wrong with it; `is_bare` that `::` has no blanks around.
    """

    sign: str
    line: int
    fields: list[list[Line]]
    level: int = 0
    fault: str = ""
    is_bare: bool = False

    def text(self) -> str:
        """Return the text of the first field, which has one line."""
        return self.fields[0][0].text


def looks_like_a_mark(line: str) -> bool:
    """Whether a line would begin or end a card."""
    return MARK.match(line) is not None


def closes(match: re.Match[str], run: str) -> bool:
    """Return whether a line with a fence ends the fenced code that `run` began."""
    return match["run"].startswith(run) and not match["info"].strip()


def segments(lines: Sequence[Line]) -> list[Segment]:
    """Return the text of a field as fenced and other stretches, without blank lines around it."""
    kept = list(lines)
    while kept and not kept[-1].text.strip():
        kept.pop()
    first = next((at for at, line in enumerate(kept) if line.text.strip()), 0)
    grouped = groupby(kept[first:], key=lambda line: line.fenced)
    found = [(fenced, "".join(f"{line.text}\n" for line in group)) for fenced, group in grouped]
    if found:
        found[-1] = found[-1][0], found[-1][1].rstrip()
    return found


def blocks(lines: Sequence[str], first: int = 1) -> list[Block]:
    """Return the blocks of a text whose first line has the number `first`.

    Raises RefusedError for a text with more lines or blocks than a deck can have.
    """
    if len(lines) > MAX_LINES:
        raise _refused(f"more than {MAX_LINES:,} lines", 0)
    reading = _Reading(_last_closers(lines))
    for number, line in enumerate(lines):
        reading.line(line, number, first + number)
        if len(reading.found) > MAX_BLOCKS:
            raise _refused(f"more than {MAX_BLOCKS:,} cards and headings", first + number)
    reading.close()
    return reading.found


def _refused(what: str, line: int) -> RefusedError:
    return RefusedError(what, "a large deck can be split into several files", line=line)


def _last_closers(lines: Sequence[str]) -> dict[str, list[tuple[int, int]]]:
    """For both kinds of fence: lines that can close one, each longer than all that follow it."""
    found: dict[str, list[tuple[int, int]]] = {"`": [], "~": []}
    for number in range(len(lines) - 1, -1, -1):
        match = FENCE.match(lines[number])
        if match is not None and not match["info"].strip():
            known = found[match["run"][0]]
            if not known or known[-1][1] < len(match["run"]):
                known.append((number, len(match["run"])))
    return found


@dataclass(slots=True)
class _Reading:
    """Goes through the lines; `open` is the card that takes them."""

    closers: dict[str, list[tuple[int, int]]]
    found: list[Block] = field(default_factory=list)
    open: Block | None = None
    fence: str = ""

    def line(self, line: str, number: int, place: int) -> None:
        """Take the next line; `number` is its place in the text, `place` that in the file."""
        if self.fence:
            match = FENCE.match(line)
            if match is not None and closes(match, self.fence):
                self.fence = ""
            self._add(Line(line, fenced=True))
            return
        if line.startswith(("Q:", "A:", "C:")):
            self._begin(line[0], place)
            line = line[2:].lstrip(" \t")
        elif self._alone(line, place):
            return
        self.fence = self._fence(line, number)
        if self.open is None and not self.fence:
            self._pair(line, place)
        self._add(Line(line, fenced=bool(self.fence)))

    def close(self) -> None:
        """End the open card."""
        if self.open is not None:
            if self.open.sign == "Q" and len(self.open.fields) == 1 and not self.open.fault:
                self.open.fault = "a `Q:` without an `A:`"
            self.open = None

    def _add(self, line: Line) -> None:
        if self.open is not None:
            self.open.fields[-1].append(line)

    def _begin(self, sign: str, place: int) -> None:
        """Open a card, or the answer of the open one."""
        block = self.open
        if sign != "A":
            self.close()
            self.open = Block(sign, place, [[]])
        elif block is None or block.sign == "A":
            self.open = Block(sign, place, [[]], fault="an `A:` without a `Q:`")
        elif block.sign == "C" or len(block.fields) > 1:
            before = "a `C:`" if block.sign == "C" else "an `A:`"
            block.fault = f"an `A:` on line {place} follows {before} of the same card"
        else:
            block.fields.append([])
        if self.open is not None and self.open is not block:
            self.found.append(self.open)

    def _alone(self, line: str, place: int) -> bool:
        """Whether the line is a block by itself, or a rule between cards."""
        if match := COMMENT.fullmatch(line):
            self.close()
            self.found.append(Block("<", place, [[Line(match["json"])]]))
        elif match := HEADING.fullmatch(line):
            self.close()
            title = (match["title"] or "").strip()
            self.found.append(Block("#", place, [[Line(title)]], len(match["level"])))
        elif RULE.fullmatch(line):
            self.close()
        else:
            return False
        return True

    def _fence(self, line: str, number: int) -> str:
        """Return the fence that the line opens, if one is closed again further on."""
        match = FENCE.match(line)
        if match is None:
            return ""
        run = match["run"]
        known = self.closers[run[0]]
        while known and known[-1][0] <= number:
            known.pop()
        return run if known and known[-1][1] >= len(run) else ""

    def _pair(self, line: str, place: int) -> None:
        """Keep a line that has `::` outside of code and mathematics."""
        found = pair(SCHEDULE.sub("", line)) if "::" in line else None
        if found is not None:
            front, mark, back = found
            sides = [[Line(front.strip())], [Line(back.strip())]]
            fault = "" if front.strip() and back.strip() else f"`{mark}` has nothing on one side"
            is_bare = front[-1:].strip() != "" or back[:1].strip() != ""
            self.found.append(Block(mark, place, sides, fault=fault, is_bare=is_bare))
