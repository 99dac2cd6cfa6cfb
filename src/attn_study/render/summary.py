"""What a sitting did, in the few lines that stay on the screen after it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from attn_study.render.text import safe
from attn_study.render.today import coming, nothing, waiting

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from attn_study.memory.overview import Counts
    from attn_study.sitting import Summary

SHOWN = 5  # cards named one by one


def summary(done: Summary) -> list[Text]:
    """Return what was studied and missed, the time it took, and what older steps were undone."""
    new = sum(answer.new for answer in done.studied)
    old = len(done.studied) - new
    parts = [f"{new} new" if new else "", f"{old} reviewed" if old else ""]
    drilled = len({answer.card for answer in done.answers if answer.drill and answer.grade > 3})
    parts.append(f"{drilled} asked again until right" if drilled else "")
    parts.append(minutes(done.seconds))
    said = ", ".join(part for part in parts if part)
    head = "Time is up" if done.out_of_time else "Done" if done.answers else "Nothing answered"
    lines = [Text(f"{head}: {said}." if done.answers else f"{head}.")]
    told = (("Missed", done.missed), ("Taken back from before", done.earlier))
    return [*lines, *(Text(f"{what}: {_named(cards)}.") for what, cards in told if cards)]


def _named(cards: Sequence[str]) -> str:
    more = len(cards) - SHOWN
    named = ", ".join(safe(card) for card in cards[:SHOWN])
    return f"{named} and {more} more" if more > 0 else named


def closing(done: Summary | None, day: date, now: Counts, tomorrow: Counts) -> list[Text]:
    """Return what stays on the screen: what was done, what is left, when the next card comes.

    `tomorrow` counts the following study day. Without a sitting, why there was none.
    """
    if done is None:
        return [Text(nothing(day, now))]
    lines = summary(done)
    if now.waiting:
        return [*lines, Text(f"Left for today: {waiting(now)}.")]
    if tomorrow.waiting:
        return [*lines, Text(f"Tomorrow: {waiting(tomorrow)}.")]
    return [*lines, Text(coming(day, now) or "Nothing comes due.")]


def minutes(seconds: float) -> str:
    """Return a time for the eye."""
    return f"{round(seconds)} s" if round(seconds) < 60 else f"{round(seconds / 60)} min"
