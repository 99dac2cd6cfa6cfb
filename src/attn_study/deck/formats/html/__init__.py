r"""The HTML that Anki keeps in a field, as text of a deck, and the way back.

What `to_html` writes, `to_text` reads as the same text. A character written as a reference is
text whatever it is: `&#9;` is a tab, `&#91;latex]` begins no mathematics. `&nbsp;` alone is a
common blank, because Anki writes it where several blanks were typed.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from attn_study.deck.formats.html.markup import REFERENCE, Tag, decoded, pieces
from attn_study.deck.formats.html.page import Page

LITERAL = {
    "&": "&amp;",
    "<": "&lt;",
    ">": "&gt;",
    "[": "&#91;",
    "\r": "&#13;",
    "\f": "&#12;",
    "\t": "&#9;",
    "\n": "<br>",
    " ": "&nbsp;",
}
# Blanks that a browser would not show, and brackets that Anki would read
ESCAPED = re.compile(
    r"[&<>\r\f\t\n]|(?<= ) |^ | $|\[(?=sound:|/?(?:latex|\$\$?)\])", re.MULTILINE | re.IGNORECASE
)
PIECE = re.compile(
    rf"(?P<white>[ \t\n\r\f]+)|(?P<reference>{REFERENCE.pattern})"
    r"|\[sound:(?P<sound>[^\]\r\n]{1,300})\]|(?P<mark>\[/?(?:latex|\$\$?)\])"
    r"|[^ \t\n\r\f&\[]+|[&\[]",
    re.IGNORECASE,
)
BLOCKS = {
    "address", "article", "aside", "blockquote", "body", "center", "dd", "div", "dl", "dt",
    "fieldset", "figcaption", "figure", "footer", "form", "header", "hr", "html", "li", "main",
    "nav", "ol", "pre", "section", "table", "tbody", "tfoot", "thead", "tr", "ul",
}  # fmt: skip
PARAGRAPHS = {"p", "h1", "h2", "h3", "h4", "h5", "h6"}
MEDIA = {"img": "picture", "audio": "sound", "video": "video"}
RAISED = {"sup": "^", "sub": "_"}
INLINE, DISPLAY = (r"\(", r"\)"), (r"\[", r"\]")
MATH = {"[$]": INLINE, "[$$]": DISPLAY, "[latex]": DISPLAY}
DOLLARS = re.compile(r"(?P<mark>\$\$?)(?P<inside>[^$]+)(?P=mark)")
LONGEST_NAME = 80  # characters of a file's name that are shown
DEEPEST = 8  # lists within lists that are set further in


@dataclass(frozen=True, slots=True)
class Plain:
    """A text, and the media it had in their order, as `picture x.png` or `sound x.mp3`."""

    text: str
    media: tuple[str, ...] = ()


def to_html(text: str) -> str:
    """Return the HTML that a browser shows as this text, line ends and blanks included."""
    html = ESCAPED.sub(lambda match: LITERAL[match[0]], text)
    return f"{html}<br>" if text.endswith("\n") else html  # the last break of a page shows nothing


def to_text(html: str) -> Plain:
    """Return what a browser shows of this HTML: lines of text, with media named in brackets."""
    reading = _Reading()
    for piece in pieces(html):
        if isinstance(piece, str):
            reading.text(piece)
        elif piece.is_end:
            reading.end(piece.name)
        else:
            reading.start(piece)
    return reading.done()


@dataclass(slots=True)
class _Reading:
    """Goes through the pieces of one page.

    `kept` counts the open elements in which blanks count, `cells` the cells of the table row.
    `lists` has an entry an open list: the number of its last item, None where items have none.
    `mark` is an open mark of LaTeX and its place in the page, `scripts` the places of open ones.
    """

    page: Page = field(default_factory=Page)
    media: list[str] = field(default_factory=list)
    kept: int = 0
    fresh: bool = False
    cells: int = 0
    lists: list[int | None] = field(default_factory=list)
    mark: tuple[str, int] | None = None
    scripts: list[int] = field(default_factory=list)
    closer: str = ""

    def text(self, text: str) -> None:
        """Show a text between two tags."""
        for match in PIECE.finditer(text):
            if match["white"]:
                self._white(match["white"])
            elif match["reference"]:
                self._refer(match["reference"])
            elif match["sound"]:
                self._medium("sound", decoded(match["sound"]))
            elif match["mark"]:
                self._latex(match["mark"].lower())
            else:
                self.page.show(match[0])
            self.fresh = False

    def start(self, tag: Tag) -> None:
        """Begin an element."""
        name = tag.name
        if name == "br":
            self.page.end_line()
        elif name in MEDIA:
            self._medium(MEDIA[name], tag.attribute("src"))
        elif name in RAISED:
            self.page.show(RAISED[name])
            self.scripts.append(len(self.page.out) - 1)
        elif name == "anki-mathjax":
            opener, self.closer = DISPLAY if tag.attribute("block") == "true" else INLINE
            self.page.show(opener)
        elif name in ("td", "th"):
            self._cell()
        else:
            self._block(name)
        if name in ("pre", "code"):
            self.kept += 1
            self.fresh = True
        elif name in ("ul", "ol"):
            self.lists.append(0 if name == "ol" else None)
        elif name == "li":
            self.page.lead = self._item()

    def end(self, name: str) -> None:
        """End an element."""
        if name in RAISED and self.scripts:
            self._end_script(self.scripts.pop())
        elif name == "anki-mathjax":
            self._end_math()
        elif name in ("pre", "code"):
            self.kept = max(0, self.kept - 1)
        elif name in ("ul", "ol") and self.lists:
            self.lists.pop()
        self._block(name)

    def done(self) -> Plain:
        """Return the whole."""
        self._end_math()
        return Plain(self.page.done(), tuple(self.media))

    def _block(self, name: str) -> None:
        if name in ("tr", "table"):
            self.cells = 0
        if name in ("div", *PARAGRAPHS) and self.cells:
            self.page.blank = True  # a row stays one line
        elif name in BLOCKS or name in PARAGRAPHS:
            self.page.block(gap=name in PARAGRAPHS)

    def _white(self, white: str) -> None:
        if not self.kept:
            self.page.blank = True
            return
        first, *rest = white.replace("\r\n", "\n").split("\n")
        if first:
            self.page.show(first)
        for number, line in enumerate(rest):
            if not self.fresh or first or number:  # the line end behind <pre> shows nothing
                self.page.end_line()
            if line:
                self.page.show(line)

    def _refer(self, reference: str) -> None:
        char = " " if reference.rstrip(";") == "&nbsp" else decoded(reference)
        if char == "\n":
            self.page.end_line()
        else:
            self.page.show(char)

    def _medium(self, kind: str, source: str) -> None:
        name = "" if source.startswith("data:") else " ".join(source.split())[:LONGEST_NAME]
        self.media.append(f"{kind} {name}".rstrip())
        self.page.show(f"[{self.media[-1]}]")

    def _cell(self) -> None:
        if self.cells:
            self.page.blank = True
            self.page.show("|")
            self.page.blank = True
        self.cells += 1

    def _item(self) -> str:
        """What a list item begins with."""
        margin = "  " * min(len(self.lists) - 1, DEEPEST)
        if not self.lists or self.lists[-1] is None:
            return f"{margin}- "
        self.lists[-1] += 1
        return f"{margin}{self.lists[-1]}. "

    def _end_script(self, place: int) -> None:
        """Put what is raised or lowered in brackets where it is more than one word."""
        out = self.page.out
        inside = len(out) - place - 1
        if not inside:
            out[place] = ""
        elif inside > 1 or not (out[-1].isalnum() or len(out[-1]) == 1):
            out[place] += "("
            self.page.show(")")

    def _end_math(self) -> None:
        if self.closer:
            self.page.show(self.closer)
        self.closer = ""

    def _latex(self, mark: str) -> None:
        """Turn a pair of Anki's marks into ours; a mark without its other half stays text."""
        self.page.show(mark)
        if self.mark is None and mark in MATH:
            self.mark = mark, len(self.page.out) - 1
        elif self.mark is not None and mark == self.mark[0].replace("[", "[/"):
            opener, place = self.mark
            self.page.out[place:] = _math(opener, "".join(self.page.out[place + 1 : -1]))
            self.mark = None


def _math(mark: str, inside: str) -> list[str]:
    """Mathematics between our marks; whole LaTeX has marks of its own, or is a text with some."""
    opener, closer = MATH[mark]
    dollars = DOLLARS.fullmatch(inside.strip()) if mark == "[latex]" else None
    if dollars:
        opener, closer = INLINE if dollars["mark"] == "$" else DISPLAY
        inside = dollars["inside"]
    elif mark == "[latex]" and "$" in inside:
        return [inside]
    return [opener, inside, closer]
