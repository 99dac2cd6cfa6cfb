"""Atoms of a formula, and the spaces that belong between them."""

from __future__ import annotations

from dataclasses import dataclass, replace

from attn_study.render.boxes import Box, beside, box

_OPERANDS = frozenset(["ord", "close", "frac", "root", "fence"])
_BEFORE_SIGN = frozenset(["", "bin", "sign", "rel", "open", "punct", "op"])


@dataclass(frozen=True)
class Style:
    """How a part of a formula is set: in one row or more, in which letters, how deep."""

    flat: bool
    ascii: bool
    capitals: bool  # whether superscript capitals may be glyphs such as ᴷ
    script: bool = False
    tight: bool = False  # inside a fraction: limits stay beside their operator
    depth: int = 0


@dataclass(frozen=True)
class Atom:
    """One piece of a formula.

    `kind` is ord, op, bin, sign, rel, open, close, punct, fence, frac, root or space.
    `word` marks a name of several letters, which must not run into its neighbours;
    `runs_on` one whose last script would swallow letters that follow at once.
    """

    box: Box
    kind: str = "ord"
    word: bool = False
    runs_on: bool = False
    limits: bool = False

    @property
    def text(self) -> str:
        """What stands on the baseline."""
        return self.box.rows[self.box.baseline]


def atom(text: str, kind: str = "ord") -> Atom:
    """Return one row of text as an atom."""
    return Atom(box(text), kind, word=len(text) > 1 and text[-1].isalnum())


def line(atoms: list[Atom], style: Style) -> Box:
    """Return the atoms from left to right, with a cell of space where one belongs."""
    atoms = resolved(atoms)
    parts: list[Box] = []
    for number, part in enumerate(atoms):
        if number and _is_apart(atoms[number - 1], part, style):
            parts.append(box(" "))
        parts.append(part.box)
    return beside(parts) if parts else box("")


def resolved(atoms: list[Atom]) -> list[Atom]:
    """Return the atoms with each operator that has no left operand turned into a sign."""
    done: list[Atom] = []
    before = ""
    for part in atoms:
        is_sign = part.kind == "bin" and before in _BEFORE_SIGN
        done.append(replace(part, kind="sign") if is_sign else part)
        if part.kind != "space":
            before = done[-1].kind
    return done


def _is_apart(left: Atom, right: Atom, style: Style) -> bool:
    if "space" in (left.kind, right.kind) or not left.box.width or not right.box.width:
        return False
    names = left.word or left.runs_on or right.word
    if names and left.text[-1].isalnum() and right.text[0].isalnum():
        return True
    is_spelled = any(part.kind in ("rel", "bin") and part.text.isalpha() for part in (left, right))
    if style.script and is_spelled:
        return True
    return not style.script and _is_apart_by_kind(left, right, style)


def _is_apart_by_kind(left: Atom, right: Atom, style: Style) -> bool:
    kinds = (left.kind, right.kind)
    if kinds == ("rel", "rel"):
        return False
    if "rel" in kinds or "bin" in kinds:
        return True
    if left.kind == "punct":
        return right.kind != "close"
    if left.kind == "op":
        is_closed = style.flat and left.text.endswith(")") and not left.text[0].isalpha()
        return right.kind in ("ord", "op", "frac", "root") and not is_closed
    if right.kind == "op":
        return left.kind in _OPERANDS
    if left.kind == "frac":
        return right.kind in ("ord", "frac", "root", "fence", "open")
    if right.kind == "frac":
        return left.kind in _OPERANDS or (left.kind == "sign" and not style.flat)
    if left.kind == "root":
        return right.kind in ("ord", "root")
    return kinds == ("fence", "fence") and left.box.height > 1 < right.box.height


def is_enclosed(text: str) -> bool:
    """Whether one pair of parentheses holds all of `text`."""
    if not (text.startswith("(") and text.endswith(")")):
        return False
    depth = 0
    for number, char in enumerate(text):
        depth += (char == "(") - (char == ")")
        if depth == 0:
            return number == len(text) - 1
    return False


def is_product(atoms: list[Atom], text: str) -> bool:
    """Whether a numerator, set as `text`, can stand before a slash without parentheses."""
    kinds = ("ord", "sign", "op", "open", "close", "fence")
    return " " not in text and all(part.kind in kinds for part in resolved(atoms))


def is_single(atoms: list[Atom]) -> bool:
    """Whether a denominator, or what stands under a root, can do without parentheses."""
    shown = [part for part in atoms if part.kind != "space"]
    if len(shown) == 2 and shown[0].text == "∂":
        shown = shown[1:]
    if len(shown) != 1:
        return False
    is_spelled_root = shown[0].kind == "root" and shown[0].text.endswith(")")
    is_letter = shown[0].kind == "ord" and " " not in shown[0].text
    return is_letter or is_spelled_root or shown[0].kind == "fence"
