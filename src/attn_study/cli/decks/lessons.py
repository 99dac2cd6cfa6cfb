"""Cards that name a demo, a question or a knob that there is not, and where they stand."""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import TYPE_CHECKING, Any

from attn_study.computed import find
from attn_study.deck.complaint import Complaint
from attn_study.demos import LESSONS, exists, load
from attn_study.errors import UserError, near

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from attn_study.deck.card import Deck


def lesson_complaints(deck: Deck) -> list[Complaint]:
    """Return a complaint for each `demo`, `question` and `with` of a note that leads nowhere.

    The lessons that notes name are loaded, and no others; knobs are tried out together.
    """
    naming = [note for note in deck.notes if note.demo or note.question]
    if not naming:
        return []
    source = deck.path.read_text(encoding="utf-8-sig", errors="replace").splitlines()
    ends = sorted([*(note.line - 1 for note in deck.notes), len(source)])
    found = []
    for note in naming:
        end = ends[bisect_left(ends, note.line)]
        for key, fault in _faults(note.question, note.demo, dict(note.knobs)):
            line, column = _place(source, note.line, end, key)
            text = source[line - 1] if line <= len(source) else ""
            said = f"{note.id}: {fault.what}"
            found.append(
                Complaint(deck.path, line, column, said, source=text, hint=fault.hint, card=note.id)
            )
    return found


def lesson_fault(keys: Mapping[str, Any]) -> str:
    """Return the first of these faults of a note that is given by its keys, "" for none."""
    names = (str(keys.get("question", "")), str(keys.get("demo", "")))
    for _, fault in _faults(*names, dict(keys.get("with", {}))):
        return f"{fault.what} ({fault.hint})" if fault.hint else fault.what
    return ""


def _faults(question: str, demo: str, knobs: dict[str, Any]) -> Iterator[tuple[str, UserError]]:
    """Yield the key that is at fault, and what is wrong with it."""
    if question:
        try:
            find(question)
        except UserError as error:
            yield "question", error
    if not demo:
        return
    if not exists(demo):
        hint = near(demo, LESSONS) or "`attn-study demo` lists them"
        yield "demo", UserError(f"no demo is called {demo!r}", hint=hint)
        return
    if knobs:
        from attn_study.demos.lesson import Lesson

        try:
            Lesson.of(load(demo), knobs)
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
