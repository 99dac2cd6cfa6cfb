r"""The holes of a cloze text: `{{c1::text}}` or `{{c1::text::hint}}`.

A hole ends at the first `}}` that closes it: braces inside it are counted, and mathematics
(`\( … \)`, `\[ … \]`) and code (between backticks) are passed over whole. So is what stands
before the `::` of a hint.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

BEGIN = re.compile(r"\{\{c([1-9]\d{0,2})::")
MISTYPED = re.compile(r"(?<!\{)\{c\d+::|\{\{c\d*:(?!:)|\{\{c(?:0\d*|\d{4,})?::|\{\{C\d+::")
TOKEN = re.compile(r"\\[()\[\]{}\\]|`+|[{}]|::")
CLOSER = {r"\(": r"\)", r"\[": r"\]"}
MATH = re.compile(r"\\[()\[\]\\]")


@dataclass(frozen=True, slots=True)
class Hole:
    r"""One hole. `in_math` says whether mathematics stands around it, as in `\(x_{{c1::i}}\)`."""

    number: int
    text: str
    hint: str = ""
    in_math: bool = False

    @property
    def empty(self) -> str:
        """What is shown in its place when it is asked for."""
        return rf"\text{{[{self.hint or '…'}]}}" if self.in_math else f"[{self.hint or '…'}]"

    @property
    def alone(self) -> str:
        """The text as it is shown outside of the sentence."""
        return rf"\({self.text}\)" if self.in_math else self.text


def parts(text: str) -> tuple[str | Hole, ...]:
    """Return the text between the holes and the holes, in order; nothing empty.

    What begins like a hole and is never closed stays text, with all that follows.
    """
    scan = _Scan(text)
    found: list[str | Hole] = []
    begun = 0
    while (match := BEGIN.search(text, begun)) and (ends := scan.hole(match.end())):
        hint, end = ends
        if begun < match.start():
            found.append(text[begun : match.start()])
        inside = text[match.end() : end if hint is None else hint]
        said = "" if hint is None else text[hint + 2 : end]
        found.append(Hole(int(match[1]), inside, said, scan.is_math(match.start())))
        begun = end + 2
    if begun < len(text):
        found.append(text[begun:])
    return tuple(found)


def fault(text: str) -> str:
    """Return what is wrong with a cloze text, or nothing."""
    found = parts(text)
    holes = [part for part in found if isinstance(part, Hole)]
    if any(BEGIN.search(part) for part in found if isinstance(part, str)):
        return "a hole is never closed"
    if not holes:
        return "there is no hole in this text"
    if any(not hole.text.strip() for hole in holes):
        return "a hole has nothing in it"
    if any(BEGIN.search(hole.text) for hole in holes):
        return "a hole stands inside another"
    return ""


def doubt(text: str) -> str:
    """Return what looks like a hole and is none, as it is written; "" where nothing does."""
    for part in parts(text):
        if isinstance(part, str) and (match := MISTYPED.search(part)):
            return match[0]
    return ""


@dataclass(slots=True)
class _Scan:
    """Goes through one text in linear time, however many of its pieces are never closed."""

    text: str
    _absent: set[str] = field(default_factory=set)
    _math_at: int = 0
    _math: str = ""

    def hole(self, start: int) -> tuple[int | None, int] | None:
        """Return where the hint begins and where the closing braces stand, if they do."""
        return self._ends(start, counting=True) or self._ends(start, counting=False)

    def _ends(self, start: int, *, counting: bool) -> tuple[int | None, int] | None:
        depth, hint, at = 0, None, start
        while match := TOKEN.search(self.text, at):
            token, at = match[0], match.end()
            if token in CLOSER or token[0] == "`":
                at = self._behind(CLOSER.get(token, token), at)
            elif token == "::":
                hint = match.start() if hint is None and depth == 0 else hint
            elif token == "{" and counting:
                depth += 1
            elif token == "}" and depth:
                depth -= 1
            elif token == "}" and self.text.startswith("}", at):
                return hint, match.start()
        return None

    def _behind(self, closer: str, at: int) -> int:
        """Return the place behind the next `closer`; `at` itself where there is none."""
        if closer in self._absent:
            return at
        end = self.text.find(closer, at)
        if end < 0:
            self._absent.add(closer)
            return at
        return end + len(closer)

    def is_math(self, place: int) -> bool:
        """Return whether mathematics is open at `place`; places must be asked for in order."""
        for match in MATH.finditer(self.text, self._math_at, place):
            if match[0] in CLOSER:
                self._math = self._math or CLOSER[match[0]]
            elif match[0] == self._math:
                self._math = ""
        self._math_at = place
        return bool(self._math)
