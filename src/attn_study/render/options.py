"""The answers on offer of a choice card, numbered; after the answer, the right one marked."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from rich.text import Text

from attn_study.render.text import paragraphs

if TYPE_CHECKING:
    from attn_study.posed import Posed

MARGIN = 5  # cells before an option: its mark and its number
FORMULA = re.compile(r"\\\[(?:(?!\\\]).)*\\\]", re.DOTALL)  # one on display, and nothing beside it


def option_lines(face: Posed, width: int) -> list[Text]:
    """Return each option with its number, in the order in which it is asked.

    The number of a formula stands at its middle, and formulas of several lines stand apart.
    """
    texts = [
        paragraphs(option.text, max(1, width - MARGIN), ascii=face.ascii) for option in face.options
    ]
    formulas = [FORMULA.fullmatch(option.text.strip()) is not None for option in face.options]
    is_tall = any(len(text) > 1 for text, alone in zip(texts, formulas, strict=True) if alone)
    lines: list[Text] = []
    for number, (option, text) in enumerate(zip(face.options, texts, strict=True), start=1):
        mark, style = _mark(face, option.text)
        middle = len(text) // 2 if formulas[number - 1] else 0
        lines += [Text()] if is_tall and lines else []
        for at, line in enumerate(text):
            head = f"{mark} {number}  " if at == middle else ""
            lines.append(Text(f"{head:<{MARGIN}}{line}", style))
    return lines


def _mark(face: Posed, text: str) -> tuple[str, str]:
    """Return what stands before an option, and how it is drawn."""
    if face.verdict is None:
        return " ", ""
    if text == face.verdict.expected:
        return "✓", "bold green"
    return ("✗", "red") if text == face.given else (" ", "dim")
