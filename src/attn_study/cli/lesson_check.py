"""Cards that name a demo, a question or a knob that there is not, and where they stand."""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import TYPE_CHECKING

from attn_study.computed import find
from attn_study.deck.complaint import Complaint
from attn_study.demos import LESSONS, exists, load
from attn_study.errors import UserError, near

if TYPE_CHECKING:
    from collections.abc import Iterator

    from attn_study.deck.card import Card, Deck


def lesson_complaints(deck: Deck) -> list[Complaint]:
    """Return a complaint for each `demo`, `question` and `with` that leads nowhere.

    The lessons that cards name are loaded, and no others; knobs are tried out together.
    """
    naming = [card for card in deck.cards if card.demo or card.question]
    if not naming:
        return []
    source = deck.path.read_text(encoding="utf-8-sig", errors="replace").splitlines()
    ends = sorted([*(card.line - 1 for card in deck.cards), len(source)])
    found = []
    for card in naming:
        end = ends[bisect_left(ends, card.line)]
        for key, fault in _faults(card):
            line, column = _place(source, card.line, end, key)
            text = source[line - 1] if line <= len(source) else ""
            said = f"{card.id}: {fault.what}"
            found.append(Complaint(deck.path, line, column, said, source=text, hint=fault.hint))
    return found


def _faults(card: Card) -> Iterator[tuple[str, UserError]]:
    """Yield the key that is at fault, and what is wrong with it."""
    if card.question:
        try:
            find(card.question)
        except UserError as error:
            yield "question", error
    if not card.demo:
        return
    if not exists(card.demo):
        hint = near(card.demo, LESSONS) or "`attn-study demo` lists them"
        yield "demo", UserError(f"no demo is called {card.demo!r}", hint=hint)
        return
    if card.knobs:
        from attn_study.demos.lesson import Lesson

        try:
            Lesson.of(load(card.demo), dict(card.knobs))
        except UserError as error:
            yield "with", error


def _place(source: list[str], begin: int, end: int, key: str) -> tuple[int, int]:
    """Return line and column, from 1, of a card's key; where the card begins if it is not found.

    `begin` is the card's first line, from 1, and `end` its last.
    """
    for number, line in enumerate(source[begin - 1 : end], start=begin):
        match = re.match(rf"[\s-]*(?={key}\s*:)", line)
        if match:
            return number, match.end() + 1
    return begin, 1
