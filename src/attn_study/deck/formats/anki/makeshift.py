"""What Anki has no form for, in the forms that it has."""

from __future__ import annotations

from string import ascii_uppercase
from typing import TYPE_CHECKING

from attn_study.deck.kinds.choice import shuffled

if TYPE_CHECKING:
    from attn_study.deck.card import Card


def plain_question(note: Card) -> tuple[str, str]:
    """Return a choice as a question that lists what is on offer, and an answer that says why.

    The order is no hint, and the same each time.
    """
    lettered = list(zip(ascii_uppercase, shuffled(note, 0), strict=False))
    front = "\n".join([note.front, "", *(f"{letter}. {one.text}" for letter, one in lettered)])
    right = [f"{letter}. {one.text}" for letter, one in lettered if one.text == note.answer]
    whys = [f"Not {letter}: {one.why}" for letter, one in lettered if one.why]
    back = "\n".join([*(right or [note.answer]), *([""] if whys else []), *whys])
    return front, f"{back}\n\n{note.back}" if note.back else back


def label(tag: str) -> str:
    """Return a label as Anki can keep it: blanks stand between labels there."""
    return "_".join(tag.split())
