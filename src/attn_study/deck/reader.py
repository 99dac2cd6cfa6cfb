"""Deck files as decks, with every mistake named by file, line and column."""

from __future__ import annotations

import stat
from dataclasses import dataclass
from typing import TYPE_CHECKING

from attn_study.collector import resting
from attn_study.deck.binder import bind
from attn_study.deck.complaint import Complaint
from attn_study.deck.fields import Desk
from attn_study.deck.salvage import salvage
from attn_study.deck.source import MAX_BYTES, RefusedError, Source, decode

if TYPE_CHECKING:
    from pathlib import Path

    from attn_study.deck.card import Deck


@dataclass(frozen=True, slots=True)
class Reading:
    """What a file says: the deck with its sound cards, and what is wrong with the rest.

    `deck` is None when the file as a whole is no deck.
    """

    deck: Deck | None
    complaints: tuple[Complaint, ...]


def read(path: Path) -> Reading:
    """Read one deck file; whatever is wrong becomes a complaint."""
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            what = "a folder, not a file" if path.is_dir() else "not a file"
            return Reading(None, (Complaint(path, 0, 0, what, hint="name a YAML file"),))
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except OSError as error:
        reason = error.strerror or "it cannot be opened"
        return Reading(None, (Complaint(path, 0, 0, f"cannot be read: {reason}"),))
    return parse(data, path)


def parse(text: str | bytes, path: Path) -> Reading:
    """Read the text of one deck file; `path` is what complaints name."""
    with resting():
        source = Source(path, "", "", frozenset())
        try:
            source, foul = decode(text, path)
            saved, broken = salvage(source)
        except RefusedError as reason:
            return Reading(None, (source.refusal(reason),))
        desk = Desk(source, (*foul, *broken))
        for place, what, hint in saved.tree.faults:
            desk.blame(place, what, hint)
        deck = bind(desk, saved)
    found = sorted(desk.complaints, key=lambda one: (one.line, one.column))
    return Reading(deck, tuple(dict.fromkeys(found)))
