"""A card in plain lines: no indent, no box, mathematics in one row."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from rich.text import Text

from attn_study.render.text import paragraphs, safe

if TYPE_CHECKING:
    from attn_study.sitting import Face

DISPLAY = re.compile(r"\\\[(.+?)\\\]", re.DOTALL)
PAGE = 80  # cells: grids of numbers keep their shape
ENDLESS = 100_000  # cells: plain lines are never wrapped


def card_lines(text: str, label: str = "", *, ascii: bool = False) -> list[Text]:
    """Return the text of a card as lines, the first one after `label`; nothing for no text."""
    in_a_row = DISPLAY.sub(r"\\(\1\\)", text)  # a fraction over several lines cannot be heard
    lines = [line for line in paragraphs(in_a_row, ENDLESS, ascii=ascii) if text]
    return [Text(f"{label if number == 0 else ''}{line}") for number, line in enumerate(lines)]


def question_lines(face: Face) -> list[Text]:
    """Return the question: the card's front, or the numbers of a computed card."""
    if face.worked:
        from attn_study.render.asked import question_lines as asked_lines

        return asked_lines(face.worked.asked, PAGE)
    return card_lines(face.card.front, ascii=face.ascii)


def verdict_lines(face: Face) -> list[Text]:
    """Return how a typed answer compares."""
    found = face.verdict
    if found is None:
        return []
    if face.worked:
        from attn_study.render.verdict import verdict

        heading, lines = verdict(face, PAGE)
        return [Text(heading), *(line for line in lines if line.plain)]
    if found.right:
        return [Text("right")]
    given = safe(face.given or "") or "nothing typed"
    return [Text(f"not quite: {given}"), *card_lines(found.expected, "right: ", ascii=face.ascii)]
