"""The word by which Anki knows a note of ours, and the way back to the id."""

from __future__ import annotations

from attn_study.deck.note import ID

PREFIX = "attn-study/"


def guid(note_id: str) -> str:
    """Return Anki's word for the note `deck/name`."""
    return PREFIX + note_id


def name_of(word: str) -> str:
    """Return the id, without its deck, of a note that came from here; "" for any other.

    A note without a written id has none to give back either.
    """
    name = word.removeprefix(PREFIX).partition("/")[2] if word.startswith(PREFIX) else ""
    return name if ID.fullmatch(name) else ""
