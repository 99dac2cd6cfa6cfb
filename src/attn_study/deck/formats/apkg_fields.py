"""The fields of a note in an Anki package, as HTML."""

from __future__ import annotations

from string import ascii_uppercase
from typing import TYPE_CHECKING

from attn_study.deck.formats.anki_cloze import cloze_html
from attn_study.deck.formats.html import to_html
from attn_study.deck.kinds.choice import shuffled

if TYPE_CHECKING:
    from attn_study.deck.card import Card, Figure


def fields(note: Card, picture: str) -> dict[str, str]:
    """Return what the fields of `apkg_models` hold for a note; `picture` is HTML."""
    front, back = _options(note) if note.kind == "choice" else (note.front, note.back)
    return {
        "Front": to_html(front),
        "Back": to_html(back),
        "Answer": to_html(note.answer),
        "Text": cloze_html(note.cloze),
        "Back Extra": to_html(note.back),
        "Note": to_html(note.note),
        "Picture": (_figure(note.figure) if note.figure else "") + picture,
    }


def _options(note: Card) -> tuple[str, str]:
    """A choice as a question that lists what is on offer, and an answer that says why."""
    lettered = list(zip(ascii_uppercase, shuffled(note, 0), strict=False))
    front = "\n".join([note.front, "", *(f"{letter}. {one.text}" for letter, one in lettered)])
    right = [f"{letter}. {one.text}" for letter, one in lettered if one.text == note.answer]
    whys = [f"Not {letter}: {one.why}" for letter, one in lettered if one.why]
    back = "\n".join([*(right or [note.answer]), *([""] if whys else []), *whys])
    return front, f"{back}\n\n{note.back}" if note.back else back


def _figure(figure: Figure) -> str:
    """Words with their weights, as a line of text."""
    pairs = zip(figure.tokens, figure.weights, strict=True)
    words = " · ".join(f"{token} {weight:g}" for token, weight in pairs)
    return f"<div>{to_html(f'{figure.asks} → {words}')}</div>"
