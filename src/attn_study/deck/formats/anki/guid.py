"""The word by which Anki knows a note of ours, and the way back to the id."""

from __future__ import annotations

import hashlib

from attn_study.deck.note import ID

PREFIX = "attn-study/"


def guid(note_id: str) -> str:
    """Return Anki's word for the note `deck/name`."""
    return PREFIX + note_id


def name_of(word: str) -> str:
    """Return the id, without its deck, of a note that Anki knows by `word`.

    Of a note that came from here it is the one it had, "" where none was written; any other gets
    one that stays the same however its text is edited.
    """
    if not word.startswith(PREFIX):
        return "anki-" + hashlib.sha256(word.encode()).hexdigest()[:10]
    name = word.removeprefix(PREFIX).partition("/")[2]
    return name if ID.fullmatch(name) else ""
