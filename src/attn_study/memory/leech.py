"""Leeches: cards forgotten so often that they want rewriting; when one is named, and why."""

from __future__ import annotations

from attn_study.memory.fold import LEECH_LAPSES

OFTEN = f"forgotten {LEECH_LAPSES} times or more"
MARK_EVERY = LEECH_LAPSES // 2  # lapses: Anki's rule, the threshold and then each half of it


def is_marked(lapses: int) -> bool:
    """Return whether this very lapse marks the card: the 8th, the 12th, the 16th and so on."""
    return lapses >= LEECH_LAPSES and (lapses - LEECH_LAPSES) % MARK_EVERY == 0


def new_mark(before: int, after: int) -> bool:
    """Return whether an answer that took the lapses from `before` to `after` marked the card."""
    return after > before and is_marked(after)


def reason(lapses: int) -> str:
    """Return why a card is a leech, in a few words; "" for one that is none."""
    return f"leech: forgotten {lapses} times" if lapses >= LEECH_LAPSES else ""


def mark_words(card: str, lapses: int, demo: str = "") -> str:
    """Return why a card was marked just now, and what can be done about it."""
    ways = [f"`attn-study card edit {card}` rewrites it"]
    ways += [f"`attn-study demo {demo}` shows it computed"] if demo else []
    ways += [f"`attn-study card suspend {card}` puts it away"]
    return f"{card} is a leech: forgotten {lapses} times. {', '.join(ways)}"
