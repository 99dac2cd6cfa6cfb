"""Where mathematics and code begin and end in card text."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_TOKEN = re.compile(r"\\[^\n]|`+")
_PAIR_OR_BLANK = re.compile(r"\\[^\n]|\n[ ]*\n")
_BLANK = re.compile(r"\n[ ]*\n")


@dataclass(frozen=True)
class Span:
    """A stretch of card text; `kind` is plain, inline or display, mathematics bare of marks."""

    kind: str
    text: str


def spans(text: str) -> Iterator[Span]:
    r"""Yield the stretches of `text` in order.

    Mathematics is `\( … \)` and `\[ … \]`. Code between backticks, in fences too, is plain,
    and so is whatever does not close before a blank line.
    """
    ahead = _Ahead(text)
    at = start = 0
    while match := _TOKEN.search(text, at):
        at = match.end()
        if match[0] in ("\\(", "\\["):
            end = _end_of_mathematics(text, match)
            if end is not None and text[at : end - 2].strip():
                yield Span("plain", text[start : match.start()])
                yield Span("inline" if match[0] == "\\(" else "display", text[at : end - 2])
                at = start = end
        elif match[0][0] == "`":
            at = _end_of_code(text, match, ahead) or at
    yield Span("plain", text[start:])


def _end_of_mathematics(text: str, opening: re.Match[str]) -> int | None:
    closer, stops = ("\\)", ("\\(", "\\[")) if opening[0] == "\\(" else ("\\]", ("\\[",))
    for found in _PAIR_OR_BLANK.finditer(text, opening.end()):
        if found[0] == closer:
            return found.end()
        if found[0] in stops or found[0][0] == "\n":
            return None
    return None


def _end_of_code(text: str, opening: re.Match[str], ahead: _Ahead) -> int | None:
    before = text[text.rfind("\n", 0, opening.start()) + 1 : opening.start()]
    line_end = text.find("\n", opening.end())
    info = text[opening.end() : line_end] if line_end >= 0 else ""
    ticks = len(opening[0])
    if ticks >= 3 and line_end >= 0 and not before.strip() and "`" not in info:
        fence = ahead.find(rf"\n[ ]*`{{{ticks},}}[ ]*(?=\n|\Z)", opening.end())
        if fence is not None:
            return fence.end()
    close = ahead.find(rf"(?<!`)`{{{ticks}}}(?!`)", opening.end())
    blank = ahead.find(_BLANK.pattern, opening.end())
    if close is None or (blank is not None and blank.start() < close.start()):
        return None
    return close.end()


class _Ahead:
    """The next match of each pattern, remembered so that a long text is searched once."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._found: dict[str, re.Match[str] | None] = {}

    def find(self, pattern: str, at: int) -> re.Match[str] | None:
        if pattern not in self._found or self._is_behind(pattern, at):
            self._found[pattern] = re.compile(pattern).search(self._text, at)
        return self._found[pattern]

    def _is_behind(self, pattern: str, at: int) -> bool:
        found = self._found[pattern]
        return found is not None and found.start() < at
