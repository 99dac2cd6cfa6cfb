"""Anki's decks within decks: a deck of ours is the outermost, its sections are those inside."""

from __future__ import annotations

import re

LEVELS = "::"  # between the names of decks in Anki
SECTIONS = " › "  # between them in a section
COLONS = re.compile(r":{2,}")


def apart(name: str) -> tuple[str, str]:
    """Return the outermost deck that Anki's `name` speaks of, and the section inside it."""
    root, _, below = name.partition(LEVELS)
    return root, below.replace(LEVELS, SECTIONS)


def together(deck: str, section: str) -> str:
    """Return the name under which Anki keeps a section of a deck; colons of their own give way."""
    levels = (deck, section) if section else (deck,)
    return LEVELS.join(COLONS.sub(SECTIONS, level).strip(": ") or "-" for level in levels)
