"""Notes read as they would stand in a deck file, before they do."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING

from attn_study.deck.composing import Heading, compose, listing, spaced
from attn_study.deck.quoting import STEP
from attn_study.deck.reader import parse
from attn_study.deck.spelling import in_order, spelled
from attn_study.errors import UserError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from attn_study.deck.spelling import Value

HEAD = 4  # the line of the first card under a name and a title


def tried(
    notes: Mapping[str, Mapping[str, Value]], deck: str, path: Path
) -> tuple[dict[str, str], dict[str, dict[str, Value]]]:
    """Return why notes cannot be cards, and the keys of the others when read, by their ids.

    What they come after is left to the whole deck.
    """
    bad: dict[str, str] = {}
    sound: dict[str, Mapping[str, Value]] = {}
    starts, at = [], HEAD
    for name, given in notes.items():
        keys = {key: value for key, value in given.items() if key != "after"}
        try:
            lines = spaced(listing([keys], STEP)).count("\n")
        except UserError as error:
            bad[name] = error.what
            continue
        sound[name] = keys
        starts.append(at)
        at += lines
    found = parse(compose(Heading(deck, deck), [("", keys) for keys in sound.values()]), path)
    names = list(sound)
    for one in found.complaints:
        if not one.warning and one.line >= HEAD:
            bad.setdefault(names[bisect_right(starts, one.line) - 1], one.what)
    read = {}
    for note in found.deck.notes if found.deck else ():
        given = notes.get(note.name, {})
        after = {"after": given["after"]} if "after" in given else {}
        read[note.name] = in_order(spelled(note) | after)
    return bad, read
