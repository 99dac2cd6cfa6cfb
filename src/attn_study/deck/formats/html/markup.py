"""HTML as pieces, tags and the text between them, in time that grows with its length alone."""

from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

NAME = re.compile(r"<(?P<end>/?)(?P<name>[A-Za-z][^\s/<>]{0,60})")
ENDS = re.compile(r"[\"'>]")
ATTRIBUTE = re.compile(
    r"(?P<name>[^\s=/>\"']+)(?:\s*=\s*(?:\"(?P<two>[^\"]*)\"|'(?P<one>[^']*)'|(?P<bare>[^\s>\"']+)))?"
)
# Digits enough for every character: more of them are no reference, and slow to read
REFERENCE = re.compile(r"&(?:#(?:\d{1,7}|[xX][0-9a-fA-F]{1,6})|[A-Za-z][A-Za-z0-9]{1,31});?")
UNSEEN = ("script", "style")
FEW = 100  # quotes that are never closed; with more, a tag ends at the next `>`


class Tag(NamedTuple):
    """A start tag, or an end tag; names in small letters."""

    name: str
    is_end: bool
    written: str

    def attribute(self, name: str) -> str:
        """Return the value of an attribute; "" where it has none."""
        for match in ATTRIBUTE.finditer(self.written):
            if match["name"].lower() == name:
                return decoded(match["two"] or match["one"] or match["bare"] or "")
        return ""


def decoded(text: str) -> str:
    """Return a text with its character references resolved, once."""
    return REFERENCE.sub(lambda match: unescape(match[0]), text)


def pieces(html: str) -> Iterator[Tag | str]:
    """Return tags and texts in order; comments, scripts and styles are left out.

    A `<` that begins no tag is text.
    """
    scan = _Scan(html)
    at = 0
    while (begun := html.find("<", at)) >= 0:
        if at < begun:
            yield html[at:begun]
        tag, at = scan.markup(begun)
        if tag is not None:
            yield tag
    if at < len(html):
        yield html[at:]


class _Scan:
    """Finds the ends of markup; remembers what is nowhere further on, so as not to look again."""

    def __init__(self, html: str) -> None:
        self.html = html
        self.last = html.rfind(">")
        self.absent: set[str] = set()
        self.open_quotes = 0

    def markup(self, at: int) -> tuple[Tag | str | None, int]:
        """Return what begins with the `<` at a place, if it is to be seen, and its end."""
        match = NAME.match(self.html, at)
        if match is not None and match.end() <= self.last:
            return self._tag(match)
        if self.html.startswith("<!--", at):
            end = self._find("-->", at + 4)
            return None, len(self.html) if end < 0 else end + 3
        if self.html.startswith(("<!", "<?", "</"), at) and at < self.last:
            return None, self.html.index(">", at) + 1
        return "<", at + 1

    def _tag(self, match: re.Match[str]) -> tuple[Tag, int]:
        end = self._end(match.end())
        written = self.html[match.end() : end].rstrip("/")
        tag = Tag(match["name"].lower(), bool(match["end"]), written)
        if tag.name in UNSEEN and not tag.is_end:
            closing = re.compile(f"</{tag.name}", re.IGNORECASE).search(self.html, end)
            return tag, closing.start() if closing else len(self.html)
        return tag, end + 1

    def _end(self, at: int) -> int:
        """Return the place of the `>` that ends a tag; one in quotes does not."""
        begun = at
        while self.open_quotes < FEW and (match := ENDS.search(self.html, at)):
            if match[0] == ">":
                return match.start()
            at = self._find(match[0], match.end()) + 1
            if not at:
                break
        self.open_quotes += 1
        return self.html.index(">", begun)

    def _find(self, sought: str, at: int) -> int:
        if sought in self.absent:
            return -1
        found = self.html.find(sought, at)
        if found < 0:
            self.absent.add(sought)
        return found
