"""The statistics on one page: first how it goes and what to do, then the days, then the cards."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from rich.text import Text

from attn_study.memory.leech import OFTEN
from attn_study.render.insight.advice import advice_lines
from attn_study.render.insight.bars import bars, beside, column_row, ease_names, interval_names
from attn_study.render.insight.calendar import calendar, first_day, weeks_in, weeks_since
from attn_study.render.insight.plots import plot
from attn_study.render.insight.stats_words import (
    DASH,
    NOTHING,
    name_of,
    notes,
    overall,
    percent,
    waiting,
)
from attn_study.render.posed import header
from attn_study.render.safe import safe
from attn_study.render.wrapping import NO_BREAK, wrap
from attn_study.wording import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from attn_study.memory.insight.retention import Stretch
    from attn_study.memory.insight.stats import Stats
    from attn_study.memory.overview import Counts
    from attn_study.render.insight.advice import Advice

ROOMY = 72  # columns: two blocks stand side by side
WIDEST = 100  # columns: a longer line is hard to read
NARROWEST = 40  # columns: with fewer, one fact a line serves better
PLOTTED = 90  # days of the plot of reviews, at most
LEAST_PLOTTED = 14  # days, of who began lately
SHOWN = 3  # cards of each sort
LEECHES = "attn-study card list is:leech"


@dataclass(frozen=True, slots=True)
class Page:
    """What the page says. `now` counts what can be asked; `coming` are the cards due today and on
    each day after it; `leeches` and `hardest` are the first of each, with what to do.
    """

    stats: Stats
    now: Counts
    coming: Sequence[int]
    decks: Sequence[str]
    reviews_a_day: int
    leeches: Sequence[Advice]
    hardest: Sequence[Advice]
    ascii: bool = False


def stats_lines(page: Page, columns: int) -> list[Text]:
    """Return the page for a terminal of so many columns."""
    columns = min(columns, WIDEST)
    found = page.stats
    place = f"statistics › {', '.join(page.decks)}" if page.decks else "statistics"
    day = f"{found.today:%a} {found.today.day} {found.today:%b} {found.today.year}"
    top = list(header(safe(place), day, columns))
    if not found.days and not found.cards:
        return [*top, *(Text(f" {line}") for words in NOTHING for line in wrap(words, columns - 2))]
    return [
        *top,
        *_facts(overall(found), columns),
        *_section("retention: known cards that passed", _retention(found.stretches, columns)),
        *_section("to do", _to_do(page, columns)),
        *_section("coming: cards due a day", _coming(page, columns)),
        *_section(f"reviews a day, last {_plotted(found)} days", _reviews(found, columns)),
        *_section("calendar of reviews", _calendar(page, columns)),
        *_cards(found, columns),
        *_answers(found, columns),
        *_notes(found, columns),
    ]


def _section(title: str, lines: Sequence[Text]) -> list[Text]:
    """Return lines under their title, with a blank before it; nothing of nothing."""
    return [Text(), Text(f" {title}", "bold"), *lines] if lines else []


def _said(words: str, columns: int, style: str = "") -> list[Text]:
    return [Text(f" {line}", style) for line in wrap(words, max(8, columns - 2))]


def _facts(parts: Sequence[str], columns: int, style: str = "") -> list[Text]:
    """Return facts in a row; a line breaks between two of them."""
    words = f"{NO_BREAK}· ".join(part.replace(" ", NO_BREAK) for part in parts)
    return _said(words, columns, style)


def _retention(stretches: Sequence[Stretch], columns: int) -> list[Text]:
    """Return a row for each stretch of days: young, mature, and where there is room both."""
    is_roomy = columns >= ROOMY
    width = 20 if is_roomy else 15
    names = ("young, under 21 d", "mature, 21 d on", "both") if is_roomy else ("young", "mature")
    lines = [Text(" " * 10 + "".join(f"{name:<{width}}" for name in names).rstrip(), "dim")]
    for stretch in stretches:
        shares = (stretch.young, stretch.mature, stretch.both)[: len(names)]
        line = Text(f" {stretch.name:<9}")
        for share in shares:
            of = f" of {share.reviews:,}" if share.reviews else ""
            line.append(f"{percent(share):>5}", "bold")
            line.append(f"{of:<{width - 5}}")
        line.rstrip()
        lines.append(line)
    return lines


def _to_do(page: Page, columns: int) -> list[Text]:
    """Return what waits today, then leeches and hard cards with what to do about each."""
    told = waiting(page.stats.today, page.now, page.reviews_a_day)
    lines = [line for words in told for line in _said(words, columns)]
    leeches = page.stats.leeches
    if leeches:
        head = f"{counted(len(leeches), 'leech(|es)')}, {OFTEN}:"
        lines += _said(head, columns)
        lines += advice_lines(page.leeches[:SHOWN], columns)
        if len(leeches) > SHOWN:
            lines += _said(f"and {len(leeches) - SHOWN:,} more: {LEECHES}", columns, "dim")
    if page.hardest:
        lines += _said("hardest otherwise:" if leeches else "hardest cards:", columns)
        lines += advice_lines(page.hardest[:SHOWN], columns)
    return lines


def _coming(page: Page, columns: int) -> list[Text]:
    """Return the line of what comes due, and what that is in numbers; nothing without cards."""
    if not page.stats.cards:
        return []
    ahead = len(page.coming) - 1
    if not any(page.coming):
        return _said(f"nothing comes due today or in the {ahead} days after it", columns, "dim")
    last = page.stats.today + timedelta(days=ahead)
    facts = (
        f"today {page.coming[0]:,}",
        f"tomorrow {page.coming[1]:,}",
        f"in the {ahead} days from tomorrow: {sum(page.coming[1:]):,}",
        "new cards left out",
        "one card of a note a day",
    )
    return [*plot(page.coming, columns, "today", _short(last)), *_facts(facts, columns, "dim")]


def _short(day: object) -> str:
    return f"{day:%d %b}".lstrip("0")


def _studied(found: Stats) -> int:
    """Return how many days it is since the first study day, today and that day included."""
    return (found.today - (found.streak.first or found.today)).days + 1


def _plotted(found: Stats) -> int:
    """Return how many days the line of reviews shows: those since the first, a few at least."""
    return min(PLOTTED, max(LEAST_PLOTTED, _studied(found)))


def _reviews(found: Stats, columns: int) -> list[Text]:
    """Return the line of reviews, and what an average day was."""
    plotted = _plotted(found)
    first = found.today - timedelta(days=plotted - 1)
    days = [found.days.get(first + timedelta(days=at)) for at in range(plotted)]
    reviews = [day.reviews if day else 0 for day in days]
    if not any(reviews):
        return _said("none", columns, "dim")
    span = min(plotted, _studied(found))
    parts = []
    for length in (*(few for few in (7, 30) if few < span), span):
        minutes = sum(day.seconds for day in days[-length:] if day) / 60
        mean = f"{sum(reviews[-length:]) / length:.1f} a day, {minutes / length:.1f} min a day"
        parts.append(f"{counted(length, 'day(|s)')}: {mean}")
    if any(day.drill for day in days if day):
        parts.append("minutes with drill")
    return [
        *plot(reviews, columns, _short(first), "today"),
        *_facts(parts, columns, "dim"),
    ]


def _calendar(page: Page, columns: int) -> list[Text]:
    """Return the calendar, and how many reviews it holds of all; nothing where there is none."""
    found = page.stats
    reviews = {day: done.reviews for day, done in found.days.items() if done.reviews}
    past = [day for day in reviews if day <= found.today]
    if not past:
        return []
    weeks = min(weeks_in(columns), weeks_since(past[0], found.today))
    start = max(past[0], first_day(found.today, weeks))
    inside = sum(reviews[day] for day in past if day >= start)
    before = sum(reviews[day] for day in past if day < start)
    words = f"{counted(inside, 'review(|s)')} since {start.isoformat()}"
    words += f", {before:,} before" if before else ""
    drawn = calendar(reviews, found.today, weeks, columns, ascii=page.ascii)
    return [*drawn, *(Text(f"     {line.plain}", "dim") for line in _said(words, columns - 5))]


def _cards(found: Stats, columns: int) -> list[Text]:
    """Return the bars of intervals and ease that hold cards, side by side where there is room."""
    is_roomy = columns >= ROOMY
    width = columns // 2 if is_roomy else columns
    named = (
        ("intervals, in cards", interval_names(found.intervals)),
        ("ease, in cards", ease_names(found.eases)),
    )
    blocks = [
        _section(title, bars(rows, width - 2))
        for title, rows in named
        if any(cards for _, cards in rows)
    ]
    if is_roomy and len(blocks) == len(named):
        left, right = blocks
        return beside(left, right, width)
    return [line for block in blocks for line in block]


def _answers(found: Stats, columns: int) -> list[Text]:
    """Return the grades of each sort of answer, and the hours of the day."""
    graded = sorted({grade for counts in found.grades.values() for grade in counts})
    rows = [Text(" " * 9 + "".join(f"{name_of(grade):>7}" for grade in graded), "dim")]
    for sort, counts in found.grades.items():
        cells = "".join(
            f"{counts[grade]:>7,}" if grade in counts else f"{DASH:>7}" for grade in graded
        )
        rows.append(Text(f" {sort:<8}{cells}"))
    width = 2 if columns >= ROOMY else 1
    scale = "".join(f"{hour:<{6 * width}}" for hour in (0, 6, 12, 18))
    hours = [
        Text.assemble("   ", (column_row(found.hours, width).rstrip(), "cyan")),
        Text(f"   {scale.rstrip()}", "dim"),
    ]
    return [
        *_section("grades, in answers", rows if graded else []),
        *_section("hours of the day, in answers", hours if any(found.hours) else []),
    ]


def _notes(found: Stats, columns: int) -> list[Text]:
    """Return what was left out of the counts above."""
    words = notes(found)
    return (
        [Text(), *(line for each in words for line in _said(each, columns, "dim"))] if words else []
    )
