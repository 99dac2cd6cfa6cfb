"""A card in plain lines: no indent, no box, mathematics in one row."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from rich.text import Text

from attn_study.render.text import paragraphs, safe

if TYPE_CHECKING:
    from attn_study.deck.card import Figure
    from attn_study.posed import Posed

DISPLAY = re.compile(r"\\\[(.+?)\\\]", re.DOTALL)
PAGE = 80  # cells: grids of numbers keep their shape
ENDLESS = 100_000  # cells: plain lines are never wrapped


def card_lines(text: str, label: str = "", *, ascii: bool = False) -> list[Text]:
    """Return the text of a card as lines, the first one after `label`; nothing for no text."""
    in_a_row = DISPLAY.sub(r"\\(\1\\)", text)  # a fraction over several lines cannot be heard
    lines = [line for line in paragraphs(in_a_row, ENDLESS, ascii=ascii) if text]
    return [Text(f"{label if number == 0 else ''}{line}") for number, line in enumerate(lines)]


def question_lines(face: Posed) -> list[Text]:
    """Return the question: the card's front with the answers on offer, or drawn numbers."""
    if face.worked:
        from attn_study.render.asked import question_lines as asked_lines

        return asked_lines(face.worked.asked, PAGE)
    lines = card_lines(face.card.front, ascii=face.ascii)
    for number, option in enumerate(face.options, start=1):
        lines += card_lines(option.text, f"{number}: ", ascii=face.ascii)
    return lines


def answer_lines(face: Posed) -> list[Text]:
    """Return how the answer compares, what is right, the figure and the note."""
    return [
        *verdict_lines(face),
        *card_lines("" if face.repeats else face.card.back, ascii=face.ascii),
        *_figure(face.card.figure),
        *card_lines(face.card.note, "note: ", ascii=face.ascii),
    ]


def _figure(picture: Figure | None) -> list[Text]:
    if picture is None:
        return []
    head = Text(f"“{safe(picture.asks)}” asks; its weights, illustrative:")
    pairs = zip(picture.tokens, picture.weights, strict=True)
    return [head, *(Text(f"  {safe(token)} {weight:.2f}") for token, weight in pairs)]


def verdict_lines(face: Posed) -> list[Text]:
    """Return how what was typed or chosen compares; nothing for a card that is recalled."""
    found = face.verdict
    if found is None:
        return []
    if face.worked:
        from attn_study.render.verdict import verdict

        heading, lines = verdict(face, PAGE)
        return [Text(heading), *(line for line in lines if line.plain)]
    if found.right:
        return [Text("right")]
    nothing = "nothing chosen" if face.options else "nothing typed"
    given = card_lines(face.given or nothing, "not quite: ", ascii=face.ascii)
    if not face.options:
        given = [Text(f"not quite: {safe(face.given or '') or nothing}")]
    return [
        *given,
        *card_lines(found.why, ascii=face.ascii),
        *card_lines(found.expected, "right: ", ascii=face.ascii),
    ]
