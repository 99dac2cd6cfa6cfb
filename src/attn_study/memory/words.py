"""What the grades are called, and a row of the log in a few words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attn_study.memory.sm2 import Grade

if TYPE_CHECKING:
    from collections.abc import Mapping

    from attn_study.memory.day import Moment
    from attn_study.memory.event import Event

GRADE_NAMES = {
    Grade.WRONG: "again",
    Grade.HARD: "hard",
    Grade.HESITANT: "good",
    Grade.PERFECT: "easy",
}

# The four keys of a review, and the grade each gives.
KEYS = dict(enumerate(GRADE_NAMES, start=1))


def named(grade: Grade) -> str:
    """Return the name of a grade; one that no key gives is called by its number, `q0`."""
    return GRADE_NAMES.get(grade, f"q{int(grade)}")


def described(event: Event) -> str:
    """Return an event in a few words: the card, and what was done."""
    if event.kind == "rule":
        return _ruled(event.data)
    if event.grade is None:
        return f"{event.card} {event.kind}".strip()
    drilled = " in the drill" if event.kind == "drill" else ""
    return f"{event.card} {named(event.grade)}{drilled}"


def _ruled(data: Mapping[str, object]) -> str:
    """Return which rule was set: `scheduler.mine = fsrs`."""
    deck = data.get("deck")
    behind = f".{deck}" if deck else ""
    said = [
        f"{name}{behind} = {'as for every deck' if value is None else value}"
        for name, value in data.items()
        if name != "deck"
    ]
    return f"rule {', '.join(said)}".strip()


def taken_back(event: Event, now: Moment) -> str:
    """Return what an undo took back, and how long ago that had been done."""
    return f"took back: {described(event)}, {_ago(event, now)}"


def _ago(event: Event, now: Moment) -> str:
    then = event.wall_clock
    if then is None:
        return f"on {event.day}"
    seconds = (now.at - then).total_seconds()
    for unit, size in (("day", 86_400), ("hour", 3_600), ("minute", 60)):
        if seconds >= size:
            number = int(seconds // size)
            return f"{number} {unit}{'s' if number > 1 else ''} ago"
    return "just now"
