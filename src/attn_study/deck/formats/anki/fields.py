"""The fields of a note in an Anki package, as HTML."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attn_study.deck.formats.anki.cloze import cloze_html
from attn_study.deck.formats.anki.makeshift import plain_question
from attn_study.deck.formats.html import to_html

if TYPE_CHECKING:
    from attn_study.deck.card import Card, Figure


def fields(note: Card, picture: str) -> dict[str, str]:
    """Return what the fields of `models` hold for a note; `picture` is HTML."""
    front, back = plain_question(note) if note.kind == "choice" else (note.front, note.back)
    return {
        "Front": to_html(front),
        "Back": to_html(back),
        "Answer": to_html(note.answer),
        "Text": cloze_html(note.cloze),
        "Back Extra": to_html(note.back),
        "Note": to_html(note.note),
        "Picture": (_figure(note.figure) if note.figure else "") + picture,
    }


def _figure(figure: Figure) -> str:
    """Words with their weights, as a line of text."""
    pairs = zip(figure.tokens, figure.weights, strict=True)
    words = " · ".join(f"{token} {weight:g}" for token, weight in pairs)
    return f"<div>{to_html(f'{figure.asks} → {words}')}</div>"
