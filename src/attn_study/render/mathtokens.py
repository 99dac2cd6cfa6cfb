"""A formula as tokens: where groups close, arguments end and table cells lie."""

from __future__ import annotations

import re
from dataclasses import dataclass

from attn_study.render.cells import clusters
from attn_study.render.symbols import ARGUMENTS

_COMMAND = re.compile(r"\\(?:begin|end)\s*\{[A-Za-z]+\*?\}|\\[A-Za-z]+|\\.|‹[^‹›\n]*›", re.DOTALL)
_ENVIRONMENT = re.compile(r"\\(begin|end)\s*\{([A-Za-z]+\*?)\}")
_SPACE_AFTER_ROW = re.compile(r"\s*\[\s*-?[\d.]+\s*(?:pt|em|ex|mm|cm)\s*\]")

Range = tuple[int, int]  # of tokens, the second not included


@dataclass(frozen=True)
class Token:
    """A command with its backslash, a character or its ‹name›, and where it lies in the source."""

    text: str
    start: int
    end: int


class Formula:
    """The tokens of one formula; `pairs` has opening token number → closing token number."""

    def __init__(self, tex: str) -> None:
        self.tex = tex
        self.tokens = _tokens(tex)
        self.pairs = _pairs(self.tokens)

    def text(self, at: int) -> str:
        """Return the text of a token."""
        return self.tokens[at].text

    def source(self, at: int, stop: int) -> str:
        """Return a range as typed, in one row."""
        if at >= stop:
            return ""
        return re.sub(r"\s", " ", self.tex[self.tokens[at].start : self.tokens[stop - 1].end])

    def closing(self, at: int, stop: int) -> int | None:
        """Return where the group that opens at a token closes, if it does so before `stop`."""
        closing = self.pairs.get(at)
        return closing if closing is not None and closing < stop else None

    def argument(self, at: int, stop: int) -> tuple[int, int, int] | None:
        """Return the range of an argument without its braces, and where reading goes on."""
        if at >= stop:
            return None
        closing = self.closing(at, stop)
        if self.text(at) in "{}":
            return (at + 1, closing, closing + 1) if closing is not None else None
        end = at + 1
        if closing is not None:
            end = min(stop, closing + (2 if self.text(closing) == "\\right" else 1))
        for _ in range(ARGUMENTS.get(self.text(at)[1:], 0)):
            end = self._after(end, stop)
        return at, end, end

    def _after(self, at: int, stop: int) -> int:
        """Where the argument of an argument ends; one such step only, so that depth is bounded."""
        closing = self.closing(at, stop) if at < stop else None
        return min(stop, at + 1 if closing is None else closing + 1)

    def inside(self, argument: tuple[int, int, int]) -> str:
        """Return what the braces of an argument hold, as typed with all its spaces."""
        at, stop, after = argument
        if after == stop:
            return self.source(at, stop)
        inside = self.tex[self.tokens[at - 1].end : self.tokens[stop].start]
        return re.sub(r"\s", " ", inside)

    def rows(self, at: int, stop: int) -> list[list[Range]]:
        r"""Return the cells between & in the rows between \\; a last empty row is none."""
        rows: list[list[Range]] = [[]]
        start = at
        while at < stop:
            closing = self.closing(at, stop)
            text = self.text(at)
            at = at + 1 if closing is None else closing + 1
            if text == "&":
                rows[-1].append((start, at - 1))
                start = at
            elif text == "\\\\":
                rows[-1].append((start, at - 1))
                rows.append([])
                at = start = self._after_row_space(at, stop)
        if start < stop or rows[-1] or len(rows) == 1:
            rows[-1].append((start, stop))
        else:
            rows.pop()
        return rows

    def _after_row_space(self, at: int, stop: int) -> int:
        r"""Skip the length in \\[4pt]."""
        space = _SPACE_AFTER_ROW.match(self.tex, self.tokens[at - 1].end)
        while space and at < stop and self.tokens[at].end <= space.end():
            at += 1
        return at


def _tokens(tex: str) -> list[Token]:
    found: list[Token] = []
    at = 0
    for match in [*_COMMAND.finditer(tex), None]:
        for cluster in clusters(tex[at : match.start() if match else len(tex)]):
            if not cluster.isspace():
                found.append(Token(cluster, at, at + len(cluster)))
            at += len(cluster)
        if match:
            found.append(Token(match[0], match.start(), match.end()))
            at = match.end()
    return found


def _pairs(found: list[Token]) -> dict[int, int]:
    paired: dict[int, int] = {}
    waiting: list[tuple[str, int]] = []
    open_now: dict[str, int] = {}
    for number, token in enumerate(found):
        opens, name = _role(token.text)
        if not name:
            continue
        if opens:
            waiting.append((name, number))
            open_now[name] = open_now.get(name, 0) + 1
        elif open_now.get(name):
            while True:
                opener, at = waiting.pop()
                open_now[opener] -= 1
                if opener == name:
                    paired[at] = number
                    break
    return paired


def _role(text: str) -> tuple[bool, str]:
    """Whether a token opens, and what it opens or closes; "" for neither."""
    if text in "{}":
        return text == "{", "{"
    if text in ("\\left", "\\right"):
        return text == "\\left", "\\left"
    match = _ENVIRONMENT.fullmatch(text)
    return (match[1] == "begin", match[2]) if match else (False, "")
