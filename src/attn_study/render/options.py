"""The answers on offer of a choice card, numbered; after the answer, the right one marked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from attn_study.render.text import paragraphs

if TYPE_CHECKING:
    from attn_study.posed import Posed

MARGIN = 5  # cells before an option: its mark and its number


def option_lines(face: Posed, width: int) -> list[Text]:
    """Return each option with its number, in the order in which it is asked."""
    lines = []
    for number, option in enumerate(face.options, start=1):
        mark, style = _mark(face, option.text)
        text = paragraphs(option.text, max(1, width - MARGIN), ascii=face.ascii)
        for at, line in enumerate(text):
            head = f"{mark} {number}  " if at == 0 else ""
            lines.append(Text(f"{head:<{MARGIN}}{line}", style))
    return lines


def _mark(face: Posed, text: str) -> tuple[str, str]:
    """Return what stands before an option, and how it is drawn."""
    if face.verdict is None:
        return " ", ""
    if text == face.verdict.expected:
        return "✓", "bold green"
    return ("✗", "red") if text == face.given else (" ", "dim")
