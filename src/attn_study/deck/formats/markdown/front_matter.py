"""The lines between two `---` at the beginning of a Markdown file, in TOML or YAML."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from attn_study.deck.nodes import Map, Text, grow
from attn_study.deck.source import FOUL, RefusedError

if TYPE_CHECKING:
    from collections.abc import Sequence

MAX_LINES = 200
MAX_LETTERS = 20_000
CARD = re.compile(r"[QAC]:")
NAMES = ("deck", "name", "title")  # the first of these that is there names the deck


def front_matter(lines: Sequence[str]) -> tuple[str, int]:
    """Return the name of the deck, "" for none, and how many lines stand before the cards.

    A card between the two lines shows that they are only rules.
    """
    if not lines or lines[0].rstrip() != "---":
        return "", 0
    for end in range(1, min(len(lines), MAX_LINES)):
        if CARD.match(lines[end]):
            break
        if lines[end].rstrip() == "---":
            text = "\n".join(lines[1:end])
            return _name(text if len(text) <= MAX_LETTERS else ""), end + 1
    return "", 0


def _name(text: str) -> str:
    found = _toml(text) or _yaml(text)
    names = (found[key].strip() for key in NAMES if key in found)
    return next((name for name in names if name and not FOUL.search(name)), "")


def _toml(text: str) -> dict[str, str]:
    """The texts at the top; nothing where this is no TOML."""
    import tomllib

    try:
        found = tomllib.loads(text)
    except (ValueError, RecursionError):
        return {}
    return {key: value for key, value in found.items() if isinstance(value, str)}


def _yaml(text: str) -> dict[str, str]:
    """The texts at the top; nothing where this is no map in YAML."""
    if FOUL.search(text):
        return {}
    try:
        tree = grow(text)
    except RefusedError:
        return {}
    pairs = tree.root.pairs if isinstance(tree.root, Map) and tree.error is None else []
    return {
        key.value: value.said
        for key, value in pairs
        if isinstance(key, Text) and isinstance(value, Text)
    }
