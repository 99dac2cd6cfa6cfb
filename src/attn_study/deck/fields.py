"""The fields of one map in a deck file, read with every complaint kept."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from attn_study.deck.hints import requote
from attn_study.deck.nodes import Many, Map, Node, Text
from attn_study.errors import near

if TYPE_CHECKING:
    from collections.abc import Collection

    from attn_study.deck.complaint import Complaint
    from attn_study.deck.source import Place, Source

CUT = re.compile(r"[ \t]+#")
# What double quotes make of LaTeX: \frac becomes a form feed and "rac", \Leftarrow a line end
EATEN = re.compile(r"\\(?:\\|(?P<char>[abefrv0_NLP])|(?P<word>[nt][A-Za-z]*)|.)", re.DOTALL)
LATEX = {
    "nabla", "natural", "ncong", "ne", "nearrow", "neg", "neq", "newline", "nexists", "ngeq",
    "ngtr", "ni", "nleq", "nless", "nmid", "not", "notin", "nparallel", "nsubseteq", "nu",
    "nwarrow", "tan", "tanh", "tau", "tbinom", "tfrac", "text", "textbf", "textit", "textrm",
    "texttt", "textsf", "therefore", "theta", "thickapprox", "thicksim", "tilde", "times", "to",
    "top", "triangle", "triangleq", "tt",
}  # fmt: skip
CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029]")
SINGLE = "a backslash counts in double quotes; use 'single quotes' or a | block"


class Desk:
    """Reads the nodes of one file; `complaints` grows in the order of reading."""

    def __init__(self, source: Source, complaints: Collection[Complaint] = ()) -> None:
        self.source = source
        self.complaints = list(complaints)
        self.errors = 0

    def blame(self, place: Place, what: str, hint: str = "", *, warning: bool = False) -> None:
        """Keep a complaint about a place."""
        self.errors += not warning
        self.complaints.append(
            self.source.complaint(place.line, place.column, what, hint, warning=warning)
        )

    def fields(self, node: Map, known: Collection[str]) -> dict[str, Node]:
        """Return the map as a dict; the first of two equal keys stays, unknown keys go."""
        found: dict[str, Node] = {}
        places: dict[str, Place] = {}
        for key, value in node.pairs:
            name = key.value if isinstance(key, Text) else None
            if name is None:
                self.blame(key.start, self._shape(key), self._requote(key))
            elif name in places:
                first = places[name].line + 1
                self.blame(key.start, f"`{name}` is given twice, first on line {first}")
            elif name == "<<":
                self.blame(key.start, "merge keys (`<<`) are not read", "write the keys out")
            elif name not in known:
                places[name] = key.start
                self.blame(key.start, f"there is no key `{name}` here", near(name, known))
            else:
                places[name] = key.start
                found[name] = value
        return found

    def text(self, node: Node | None, *, prose: bool = False) -> str:
        """Return a text as typed, or "" after a complaint; `prose` may have been cut by ` #`."""
        if node is None:
            return ""
        if not isinstance(node, Text):
            self.blame(node.start, self._shape(node), self._requote(node))
            return ""
        if node.style == '"':
            self._check_escapes(node)
        elif prose and not node.style and node.value:
            self._check_cut(node)
        return node.said

    def texts(self, node: Node | None, *, prose: bool = False) -> tuple[tuple[str, Node], ...]:
        """Return the texts of a list with their nodes; empty ones are complained about."""
        if node is None:
            return ()
        if not isinstance(node, Many):
            shown = node.value if isinstance(node, Text) and node.value else "…"
            self.blame(node.start, "a list is expected here", f"write it as [{shown}]")
            return ()
        found = []
        for item in node.items:
            text = self.text(item, prose=prose)
            if text.strip():
                found.append((text, item))
            elif isinstance(item, Text):
                self.blame(item.start, "this list holds an empty text", "take it out")
        return tuple(found)

    def _shape(self, node: Node) -> str:
        shape = {Text: "a text", Many: "a list", Map: "a map"}[type(node)]
        return f"this reads as {shape}, not as text"

    def _requote(self, node: Node) -> str:
        """Repeat what stands in the file, where it stands on one line."""
        if not isinstance(node, Text) and node.flow and node.start.line == node.end.line:
            line = self.source.lines[node.start.line]
            return requote(line[node.start.column : node.end.column])
        return "write it as text, in quotes or as a | block"

    def _check_cut(self, node: Text) -> None:
        rest = self.source.lines[node.end.line][node.end.column :]
        if rest and CUT.match(rest):
            whole = node.value + rest.rstrip()
            hint = "if it is part of the text, " + requote(whole)
            self.blame(node.end, "the text ends before ` #`", hint, warning=True)

    def _check_escapes(self, node: Text) -> None:
        """Find characters that nobody meant to type: backslashes of LaTeX in double quotes."""
        lines = self.source.lines[node.start.line : node.end.line + 1]
        for number, line in enumerate(lines):
            begin = node.start.column if number == 0 else 0
            end = node.end.column if number == len(lines) - 1 else len(line)
            for match in EATEN.finditer(line, begin, end):
                if match["char"] or match["word"] in LATEX:
                    what = f"double quotes turn {match[0][:2]} into an invisible character"
                    self.blame(Spot(node.start.line + number, match.start()), what, SINGLE)
                    return
        if CONTROL.search(node.value):
            self.blame(node.start, "the text holds an invisible character", SINGLE)


class Spot:
    """A place that no node begins at."""

    def __init__(self, line: int, column: int) -> None:
        self.line = line
        self.column = column
