"""The day at a glance, and what to type next."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, NamedTuple

from rich.text import Text

from attn_study.render.cells import cells, pad
from attn_study.render.safe import safe
from attn_study.wording import cards

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import date

    from attn_study.memory.overview import Counts


class Glance(NamedTuple):
    """What the day's screen says: counts of all and of each deck, and where progress is kept.

    `sections` pairs each section of the decks with its number of cards, in order of study; only
    who has not begun is shown them.
    """

    day: date
    total: Counts
    decks: Mapping[str, Counts]
    sections: tuple[tuple[str, int], ...]
    new_a_day: int
    reviews_a_day: int
    studied_before: bool
    kept_in: str


def today_lines(glance: Glance) -> list[Text]:
    """Return the lines of `attn-study today`."""
    if not glance.studied_before:
        return _first(glance)
    total = glance.total
    lines = [Text(f"{glance.day:%A} {glance.day.day} {glance.day:%B}", "bold")]
    if total.waiting:
        lines.append(Text.assemble(f"  {waiting(total)}   ", ("attn-study review", "bold cyan")))
    else:
        lines.append(Text(f"  {nothing(glance.day, total)}"))
    if total.done_today:
        lines.append(Text(f"  done today: {cards(total.done_today)}"))
    if behind := backlog(total.due, glance.reviews_a_day):
        lines.append(Text(f"  {behind}"))
    return lines + (_decks(glance) if len(glance.decks) > 1 else [])


def waiting(counts: Counts) -> str:
    """Return what can be asked now: `3 due, 7 new, 1 again`."""
    parts = ((counts.askable, "due"), (counts.new, "new"), (counts.drill, "again"))
    return ", ".join(f"{number} {name}" for number, name in parts if number)


def nothing(day: date, counts: Counts) -> str:
    """Return why nothing is asked, and when the next card comes."""
    if counts.due > counts.askable:
        reason = f"The day's reviews are done; {counts.due} wait."
    elif counts.done_today:
        reason = "Done for today."
    else:
        reason = "Nothing is due."
    return f"{reason} {coming(day, counts)}".strip()


def coming(day: date, counts: Counts) -> str:
    """Return when the next cards come due."""
    if counts.next_due is None:
        return ""
    return f"{when(day, counts.next_due)}: {counts.coming} due."


def when(day: date, then: date) -> str:
    """Return a later day in words."""
    if then == day + timedelta(days=1):
        return "Tomorrow"
    ahead = (then - day).days
    return f"In {ahead} days, on {then.isoformat()}"


def _first(glance: Glance) -> list[Text]:
    """Return the screen of someone who has not begun."""
    found = ", ".join(f"{cards(number)} in “{safe(name)}”" for name, number in glance.sections[:3])
    more = sum(number for _, number in glance.sections[3:])
    found += f" and {cards(more)} more" if more else ""
    kept = f"Your progress will be kept in {safe(glance.kept_in)}"
    lines = [
        Text(f"  Nothing studied yet. {found or 'No cards yet'}; {glance.new_a_day} new a day.")
    ]
    if not glance.sections:
        return [*lines, Text(f"  {kept}")]
    ways = (
        ("Not read the chapter?", "attn-study demo head --step", "3 minutes"),
        ("Ready?", "attn-study review", "10 minutes"),
    )
    return [*lines, Text(f"  {kept}"), *(_way(*way) for way in ways)]


def _way(question: str, command: str, time: str) -> Text:
    return Text.assemble(f"  {question:<24}", (f"{command:<33}", "bold cyan"), time)


def backlog(due: int, a_day: int) -> str:
    """Return how long a backlog takes at the present limit; "" where one day is enough."""
    if due <= a_day or not a_day:
        return ""
    return f"{due:,} waiting, {-(-due // a_day):,} days at {a_day:,} a day"


def _decks(glance: Glance) -> list[Text]:
    width = max(cells(safe(name)) for name in glance.decks)
    lines = [Text()]
    reached = "for another day: the limit is reached"
    why = "behind other decks today" if glance.total.new else reached
    for name, counts in glance.decks.items():
        later = f"{counts.unseen} new, {why}" if counts.unseen else ""
        said = waiting(counts) or later or coming(glance.day, counts) or "nothing more today"
        lines.append(Text(f"  {pad(safe(name), width)}   {said}"))
    return lines
