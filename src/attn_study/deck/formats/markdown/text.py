r"""The text of a card in Markdown and in a deck file: mathematics, dollars and holes.

Markdown has `$…$` and `$$…$$` where a deck has `\( … \)` and `\[ … \]`, `\$` for a dollar, and in a
cloze text `[hole]` or `[hole::hint]` with `\[` for a bracket. Code is the same in both. Every
function takes time that grows with the length of the text alone.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from attn_study.deck.holes import Hole, fault, parts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from attn_study.deck.formats.markdown.blocks import Segment

IN_MARKDOWN = re.compile(r"\\.|`+|\$\$?|!\[[^\[\]\n]*\]\([^()\n]*\)|[\[\]]", re.DOTALL)
IN_DECK = re.compile(r"\\.|`+|[$\[\]]", re.DOTALL)
PAIR = re.compile(r"(?<!:):::?(?!:)")
BULLET = re.compile(r"[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+")
FACING = {"(": ")", "[": "]"}


class _Piece(NamedTuple):
    """`sign` is "(" or "[" for mathematics, with its inside as `text`; "code", "token", or ""."""

    sign: str
    text: str
    start: int = 0

    def is_token(self, text: str) -> bool:
        """Return whether this is a sign that may mean something, standing alone."""
        return self.sign == "token" and self.text == text


class _Scan:
    """One text, and what is known to be nowhere further on in it."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.absent: set[str] = set()

    def find(self, sought: str, at: int) -> int:
        """Return where the next one stands; -1 for none."""
        if sought in self.absent:
            return -1
        found = self.text.find(sought, at)
        if found < 0:
            self.absent.add(sought)
        return found

    def pieces(self, token: re.Pattern[str], *, raw: str) -> Iterator[_Piece]:
        r"""Yield the pieces in order; `raw` holds which of `\(` and `\[` begin mathematics."""
        at = 0
        while match := token.search(self.text, at):
            if at < match.start():
                yield _Piece("", self.text[at : match.start()], at)
            piece, at = self._piece(match, raw)
            yield piece
        if at < len(self.text):
            yield _Piece("", self.text[at:], at)

    def _piece(self, match: re.Match[str], raw: str) -> tuple[_Piece, int]:
        sign, begun = match[0], match.end()
        if sign[0] == "`" and (end := self.find(sign, begun)) >= 0:
            end += len(sign)
            return _Piece("code", self.text[match.start() : end]), end
        closer = "\\" + FACING[sign[1]] if sign[0] == "\\" and sign[1] in raw else ""
        if closer and (end := self.find(closer, begun)) >= 0:
            return _Piece(sign[1], self.text[begun:end]), end + 2
        if sign[0] == "$" and (end := self._dollars(sign, begun)) >= 0:
            kind = "(" if sign == "$" else "["
            return _Piece(kind, self.text[begun:end]), end + len(sign)
        return _Piece("token", sign), begun

    def _dollars(self, sign: str, begun: int) -> int:
        """Return where the mathematics ends that begins with one or two dollars; -1 for none."""
        end = self.find(sign, begun)
        while end > begun and self._is_escaped(end):
            end = self.find(sign, end + 1)
        inside = self.text[begun:end] if end >= 0 else ""
        if sign == "$$":
            return end if inside.strip() and r"\]" not in inside else -1
        after = self.text[end + 1 : end + 2]
        return end if is_inline(inside, after) else -1

    def _is_escaped(self, at: int) -> bool:
        begun = at
        while begun and self.text[begun - 1] == "\\":
            begun -= 1
        return (at - begun) % 2 == 1


def is_inline(inside: str, after: str) -> bool:
    """Whether dollars around this are mathematics and not money.

    Blanks stand on both sides inside of them or on none, and no digit follows.
    """
    return (
        bool(inside.strip())
        and inside[:1].isspace() == inside[-1:].isspace()
        and not (after.isascii() and after.isdigit())
        and "\n\n" not in inside
        and r"\)" not in inside
        and "$" not in inside.replace(r"\$", "")
    )


def pair(line: str) -> tuple[str, str, str] | None:
    """Return what stands before and behind the first `::` or `:::`, and which it is.

    One in code or mathematics does not count, and what makes the line an item of a list is left
    out.
    """
    for piece in _Scan(line).pieces(IN_MARKDOWN, raw="(["):
        if piece.sign == "" and (match := PAIR.search(piece.text)):
            begun, end = piece.start + match.start(), piece.start + match.end()
            bullet = BULLET.match(line, 0, begun)
            return line[bullet.end() if bullet else 0 : begun], match[0], line[end:]
    return None


def told(segments: Iterable[Segment]) -> str:
    """Return a text of Markdown as a deck has it."""
    return "".join(_told(piece) for piece in _pieces(segments, raw="(["))


def told_cloze(segments: Iterable[Segment]) -> tuple[str, str]:
    """Return a text with brackets as a cloze text, and what is wrong with it."""
    out: list[str] = []
    hole: list[str] | None = None
    holes: list[str] = []
    for piece in _pieces(segments, raw="("):
        if piece.is_token("["):
            if hole is not None:
                return "", r"a bracket stands inside a hole; write \[ for one that is text"
            hole = []
        elif piece.is_token("]"):
            if hole is None:
                return "", r"a `]` closes nothing; write \] for one that is text"
            holes.append("".join(hole))
            out.append(f"{{{{c{len(holes)}::{holes[-1]}}}}}")
            hole = None
        else:
            (out if hole is None else hole).append(_told(piece, brackets=True))
    if hole is not None:
        return "", r"a hole is never closed; write \[ for a bracket that is text"
    text = "".join(out)
    return text, _fault(text, holes)


def _fault(text: str, holes: list[str]) -> str:
    """What is wrong with a cloze text whose brackets had `holes` in them."""
    if what := fault(text):
        return what
    found = [part for part in parts(text) if isinstance(part, Hole)]
    said = [f"{hole.text}::{hole.hint}" if hole.hint else hole.text for hole in found]
    return "braces or `::` in a hole change where it ends" if holes and said != holes else ""


def _pieces(segments: Iterable[Segment], raw: str) -> Iterator[_Piece]:
    for is_fenced, text in segments:
        if is_fenced:
            yield _Piece("code", text)
        else:
            yield from _Scan(text).pieces(IN_MARKDOWN, raw=raw)


def _told(piece: _Piece, *, brackets: bool = False) -> str:
    freed = (r"\$", r"\[", r"\]") if brackets else (r"\$",)
    if piece.sign == "token" and piece.text in freed:
        return piece.text[1:]
    return _in_deck(piece)


def _in_deck(piece: _Piece) -> str:
    """A piece as a deck has it, where it has no other meaning than its own."""
    if piece.sign in FACING:
        return f"\\{piece.sign}{piece.text}\\{FACING[piece.sign]}"
    return piece.text


def shown(text: str, *, brackets: bool = False) -> str:
    """Return a text of a deck as Markdown has it, with `brackets` as in a cloze text.

    What comes of reading it back may differ: a text can look like mathematics and be none.
    """
    found = list(_Scan(text).pieces(IN_DECK, raw="(["))
    following = [*found[1:], _Piece("", "")]
    pairs = zip(found, following, strict=False)
    return "".join(_shown(one, after.text[:1], brackets=brackets) for one, after in pairs)


def _shown(piece: _Piece, after: str, *, brackets: bool) -> str:
    if piece.sign == "(" and is_inline(piece.text, after):
        return f"${piece.text}$"
    if piece.sign == "[" and piece.text.strip() and "$" not in piece.text:
        return f"$${piece.text}$$"
    marks = ("$", "[", "]") if brackets else ("$",)
    if piece.sign == "token" and piece.text in marks:
        return "\\" + piece.text
    return _in_deck(piece)


def shown_cloze(text: str) -> str:
    """Return a cloze text with brackets for holes; their numbers are not in it."""
    return "".join(_shown_part(part) for part in parts(text))


def _shown_part(part: str | Hole) -> str:
    if isinstance(part, str):
        return shown(part, brackets=True)
    hint = f"::{part.hint}" if part.hint else ""
    return f"[{shown(part.text, brackets=True)}{shown(hint, brackets=True)}]"
