"""Scripts on an atom: as small glyphs, a row higher or lower, above and below, or in line."""

from __future__ import annotations

from dataclasses import replace

from attn_study.render.ascii import SUBSCRIPT, SUPERSCRIPT
from attn_study.render.boxes import Box, beside, box, stacked
from attn_study.render.mathatoms import Atom, Style, is_enclosed

_RAISED = {**SUPERSCRIPT, "⊤": "ᵀ", "∘": "°", "°": "°", "′": "′", "†": "†", "−": "⁻"}
_LOWERED = {**SUBSCRIPT, "−": "₋"}
_SMALL = frozenset([*_RAISED.values(), *_LOWERED.values()])


def with_scripts(base: Atom, below: str, above: str, style: Style) -> Atom:
    """Return `base` with its scripts, each one row of text; "" is none.

    A script becomes small glyphs only if every character of it has one.
    """
    low, high = _small(below, _LOWERED, style), _small(above, _raised(above, style), style)
    if base.limits and not style.flat and not style.script:
        stays_beside = style.tight or base.word
        if not (stays_beside and _is_short(below, low, style) and _is_short(above, high, style)):
            return replace(base, box=_limits(base.box, below, above), word=False)
    if base.box.height > 1:
        rows = [high or above, *[""] * (base.box.height - 2), low or below]
        return replace(base, box=beside([base.box, box(*rows, baseline=base.box.baseline)]))
    if style.flat or style.ascii:
        return _in_line(base, low or _marked("_", below, style), high or _marked("^", above, style))
    rows = [low + high]
    if above and not high:
        rows.insert(0, above)
    if below and not low:
        rows.append(below)
    column = box(*rows, baseline=1 if above and not high else 0)
    return replace(base, box=beside([base.box, column]))


def _raised(above: str, style: Style) -> dict[str, str]:
    if above == "*":
        return {"*": "*"}
    if style.capitals:
        return _RAISED
    return {char: glyph for char, glyph in _RAISED.items() if char == "T" or not "A" <= char <= "Z"}


def _small(script: str, glyphs: dict[str, str], style: Style) -> str:
    if style.ascii or not all(char in glyphs for char in script):
        return ""
    return "".join(glyphs[char] for char in script)


def _is_short(script: str, small: str, style: Style) -> bool:
    return not script or bool(small) or (style.ascii and script.isalnum())


def _marked(mark: str, script: str, style: Style) -> str:
    is_name = script.isalnum() and not _SMALL & set(script)
    if len(script) <= 1 or is_name or is_enclosed(script):
        return mark + script if script else ""
    return mark + (f"{{{script}}}" if style.ascii else f"({script})")


def _in_line(base: Atom, below: str, above: str) -> Atom:
    """A script that is no glyph comes last, else it would seem to own the other."""
    scripts = [below, above]
    if below.startswith("_") and above and not above.startswith("^"):
        scripts.reverse()
    joined = box(base.text + "".join(scripts))
    return replace(base, box=joined, runs_on=scripts[-1][:1] in ("_", "^") or "_" in below)


def _limits(operator: Box, below: str, above: str) -> Box:
    parts = [operator]
    if above:
        parts.insert(0, box(above))
    if below:
        parts.append(box(below))
    return stacked(parts, on=1 if above else 0)
