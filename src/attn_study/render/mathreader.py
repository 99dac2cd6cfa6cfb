"""A recursive descent through the tokens of a formula, which sets each part as it goes."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from attn_study.render import boxes, mathforms
from attn_study.render.boxes import Box, box
from attn_study.render.mathatoms import Atom, Style, atom, line
from attn_study.render.mathforms import glyph
from attn_study.render.mathscripts import with_scripts
from attn_study.render.mathtokens import Formula
from attn_study.render.symbols import (
    ACCENTS,
    ALIGNED,
    BRACKETS,
    FONTS,
    KINDS,
    LIMITS,
    SILENT,
    SPACES,
    SYMBOLS,
    TEXT,
)

if TYPE_CHECKING:
    from collections.abc import Callable

DEEPEST = 24  # levels; what lies deeper stays as typed
LARGEST = 2_500  # cells of a table; a larger one stays as typed

_NUMBER = re.compile(r"\d+(?:,\d{3}(?!\d))*(?:\.\d+)?")
_BEGIN = re.compile(r"\\begin\s*\{([A-Za-z]+\*?)\}")
_COLUMNS = re.compile(r"[lcr|\s]*")
_ESCAPED = re.compile(r"\\([%$#_&{}])")
_NAME = re.compile(r"(?:[^\W_]|[\s-])*")

Step = tuple[Atom, int]  # what was read, and the number of the token after it


class Reader:
    """Reads one formula. Every range of tokens is `[at, stop)`; nothing raises."""

    def __init__(self, tex: str) -> None:
        self.formula = Formula(tex)

    def whole(self, style: Style) -> Box:
        r"""Return the whole formula; `\\` outside a table begins another line."""
        rows = [(row[0][0], row[-1][1]) for row in self.formula.rows(0, len(self.formula.tokens))]
        if len(rows) == 1 or len(rows) > LARGEST:
            return line(self.atoms(0, len(self.formula.tokens), style), style)
        table = [[self.atoms(at, stop, style)] for at, stop in rows]
        return mathforms.table(table, "aligned", style).box

    def atoms(self, at: int, stop: int, style: Style) -> list[Atom]:
        """Return the atoms of a range."""
        if style.depth > DEEPEST:
            return [Atom(box(self.formula.source(at, stop)))]
        found: list[Atom] = []
        while at < stop:
            if (
                self.formula.text(at).removeprefix("\\") in SILENT
                and len(self.formula.text(at)) > 1
            ):
                at += 1
                continue
            base, at = self._nucleus(at, stop, style)
            base, at = self._scripts(base, at, stop, style)
            found.append(base)
        return found

    def _nucleus(self, at: int, stop: int, style: Style) -> Step:
        text = self.formula.text(at)
        if text == "{":
            closing = self.formula.closing(at, stop)
            return self._group(at + 1, closing, style) if closing else self._typed(at, stop, style)
        if text == "'" or (text in "^_" and self.formula.argument(at + 1, stop)):
            return Atom(box("")), at  # a script without a base
        if text.isdecimal():
            return self._number(at, stop)
        if len(text) > 1 and text[0] == "\\":
            return self._command(at, stop, style)
        return self._character(at, stop, style)

    def _group(self, at: int, stop: int, style: Style) -> Step:
        found = self.atoms(at, stop, _deeper(style))
        if len(found) != 1:
            return Atom(line(found, style)), stop + 1
        kind = "ord" if found[0].kind in ("bin", "rel", "punct") else found[0].kind
        return replace(found[0], kind=kind), stop + 1

    def _number(self, at: int, stop: int) -> Step:
        start = self.formula.tokens[at].start
        match = _NUMBER.match(self.formula.tex, start)
        end = match.end() if match else start
        after = at + 1
        while after < stop and self.formula.tokens[after].end <= end:
            after += 1
        return Atom(box(self.formula.tex[start : self.formula.tokens[after - 1].end])), after

    def _character(self, at: int, stop: int, style: Style) -> Step:
        text = self.formula.text(at)
        if text == "~":
            return Atom(box(" "), "space"), at + 1
        if text == ":":
            end = self.formula.tokens[at].end
            following = self.formula.tex[end : end + 1]
            if following == "=" and at + 1 < stop:
                return Atom(box(":="), "rel"), at + 2
            return Atom(box(":"), "punct" if following.isspace() else "ord"), at + 1
        return atom(glyph(text, style), KINDS.get(text, "ord")), at + 1

    def _command(self, at: int, stop: int, style: Style) -> Step:
        name = self.formula.text(at)[1:]
        if name in SPACES:
            return Atom(box(" " * SPACES[name]), "space"), at + 1
        if name in SYMBOLS:
            symbol, kind = SYMBOLS[name]
            shown = glyph(symbol, style)
            shown = shown if shown.isascii() or not style.ascii else self.formula.text(at)
            return replace(atom(shown, kind), limits=name in LIMITS), at + 1
        return self._construct(name, at, stop, style) or self._typed(at, stop, style)

    def _construct(self, name: str, at: int, stop: int, style: Style) -> Step | None:
        """A command with arguments; None if it is unknown or they are missing."""
        if read := _CONSTRUCTS.get(name.partition("{")[0].rstrip()):
            return read(self, at, stop, style)
        argument = self.formula.argument(at + 1, stop)
        if argument is None:
            return None
        if name in TEXT:
            shown = _ESCAPED.sub(r"\1", self.formula.inside(argument))
            return Atom(box(shown), word=len(shown) > 1), argument[2]
        if name in FONTS:
            return self._letters(name, argument, style), argument[2]
        if name in ACCENTS:
            inside = line(self.atoms(*argument[:2], _deeper(style)), style)
            return mathforms.accent(name, inside, style), argument[2]
        if name in ("underbrace", "overbrace"):
            inside = line(self.atoms(*argument[:2], _deeper(style)), style)
            return mathforms.brace(inside, style, is_under=name[0] == "u"), argument[2]
        return None

    def _letters(self, name: str, argument: tuple[int, int, int], style: Style) -> Atom:
        source = self.formula.inside(argument)
        if not _NAME.fullmatch(source):
            return Atom(line(self.atoms(*argument[:2], _deeper(style)), style), word=True)
        return atom(mathforms.letters("".join(source.split()), name, style))

    def _operator(self, at: int, stop: int, style: Style) -> Step | None:
        has_limits = at + 1 < stop and self.formula.text(at + 1) == "*"
        argument = self.formula.argument(at + (2 if has_limits else 1), stop)
        if argument is None:
            return None
        name = self._letters("mathrm", argument, style)
        return replace(name, kind="op", limits=has_limits), argument[2]

    def _fraction(self, at: int, stop: int, style: Style) -> Step | None:
        above = self.formula.argument(at + 1, stop)
        below = self.formula.argument(above[2], stop) if above else None
        if above is None or below is None:
            return None
        inner = replace(_deeper(style), tight=True)
        top, bottom = self.atoms(*above[:2], inner), self.atoms(*below[:2], inner)
        if self.formula.text(at) == "\\binom":
            return mathforms.binomial(top, bottom, style), below[2]
        return mathforms.fraction(top, bottom, inner), below[2]

    def _set_over(self, at: int, stop: int, style: Style) -> Step | None:
        label = self.formula.argument(at + 1, stop)
        under = self.formula.argument(label[2], stop) if label else None
        if label is None or under is None:
            return None
        found = self.atoms(*under[:2], _deeper(style))
        base = found[0] if len(found) == 1 else Atom(line(found, style))
        text = self._flat(*label[:2], style)
        scripts = (text, "") if self.formula.text(at) == "\\underset" else ("", text)
        ready = replace(base, limits=True, word=False)
        return replace(with_scripts(ready, *scripts, style), limits=False), under[2]

    def _root(self, at: int, stop: int, style: Style) -> Step | None:
        index, start = "", at + 1
        if start < stop and self.formula.text(start) == "[":
            end = next((i for i in range(start, stop) if self.formula.text(i) == "]"), None)
            if end is not None:
                index, start = self._flat(start + 1, end, style), end + 1
        argument = self.formula.argument(start, stop)
        if argument is None:
            return None
        inner = _deeper(style)
        flat = self.atoms(*argument[:2], replace(inner, flat=True))
        inside = line(flat, style) if style.flat else line(self.atoms(*argument[:2], inner), style)
        return mathforms.root(flat, inside, index, style), argument[2]

    def _fence(self, at: int, stop: int, style: Style) -> Step | None:
        closing = self.formula.closing(at, stop - 1)
        if closing is None or closing < at + 2:
            return None
        left, right = self._bracket(at + 1, style), self._bracket(closing + 1, style)
        if left is None or right is None:
            return None
        inside = line(self.atoms(at + 2, closing, _deeper(style)), style)
        return Atom(boxes.fence(left, inside, right, ascii=style.ascii), "fence"), closing + 2

    def _bracket(self, at: int, style: Style) -> str | None:
        text = self.formula.text(at)
        if text in "()[]|/":
            return text
        if text in (".", "<", ">"):
            return {".": "", "<": glyph("⟨", style), ">": glyph("⟩", style)}[text]
        symbol, kind = SYMBOLS.get(text[1:], ("", ""))
        return glyph(symbol, style) if kind in ("open", "close") or symbol in ("|", "‖") else None

    def _table(self, at: int, stop: int, style: Style) -> Step | None:
        match = _BEGIN.fullmatch(self.formula.text(at))
        closing = self.formula.closing(at, stop)
        if match is None or closing is None or match[1] not in {*BRACKETS, *ALIGNED}:
            return None
        start, name = at + 1, match[1]
        columns = self.formula.argument(start, closing)
        if name == "array" and columns and _COLUMNS.fullmatch(self.formula.inside(columns)):
            start = columns[2]
        rows = self.formula.rows(start, closing)
        if len(rows) * max(map(len, rows)) > LARGEST:
            return Atom(box(self.formula.source(at, closing + 1))), closing + 1
        inner = replace(_deeper(style), tight=name not in ALIGNED)
        table = [[self.atoms(*cell, inner) for cell in row] for row in rows]
        return mathforms.table(table, name, style), closing + 1

    def _typed(self, at: int, stop: int, style: Style) -> Step:
        """What is not understood, as typed; braces after it are shown, not taken."""
        parts = [box(self.formula.source(at, at + 1))]
        at += 1
        while at < stop and len(parts[0].rows[0]) > 1 and self.formula.text(at) == "{":
            closing = self.formula.closing(at, stop)
            if closing is None:
                break
            parts += [box("{"), line(self.atoms(at + 1, closing, _deeper(style)), style), box("}")]
            at = closing + 1
        return Atom(boxes.beside(parts), word=True), at

    def _flat(self, at: int, stop: int, style: Style) -> str:
        inner = replace(_deeper(style), flat=True, script=True)
        return line(self.atoms(at, stop, inner), inner).rows[0].strip()

    def _scripts(self, base: Atom, at: int, stop: int, style: Style) -> Step:
        """The base with its primes and at most one sub- and one superscript."""
        slots = {"_": "", "^": ""}
        primes = 0
        while at < stop:
            text = self.formula.text(at)
            if text in ("\\limits", "\\nolimits", "'"):
                primes += text == "'"
                at += 1
                continue
            argument = self.formula.argument(at + 1, stop) if slots.get(text) == "" else None
            if argument is None:
                break
            slots[text] = self._flat(*argument[:2], style)
            at = argument[2]
        if primes:
            base = replace(base, box=boxes.beside([base.box, box(glyph("′", style) * primes)]))
        if any(slots.values()):
            base = with_scripts(base, slots["_"], slots["^"], style)
        return base, at


def _deeper(style: Style) -> Style:
    return replace(style, depth=style.depth + 1)


_CONSTRUCTS: dict[str, Callable[[Reader, int, int, Style], Step | None]] = {
    **dict.fromkeys(["frac", "dfrac", "tfrac", "cfrac", "binom"], Reader._fraction),
    **dict.fromkeys(["overset", "underset", "stackrel"], Reader._set_over),
    "sqrt": Reader._root,
    "left": Reader._fence,
    "begin": Reader._table,
    "operatorname": Reader._operator,
}
