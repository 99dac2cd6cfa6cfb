"""The statistics on one page: first how it goes and what to do, then the days, then the cards."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from rich.text import Text

from attn_study.memory.leech import OFTEN
from attn_study.render.advice import advice_lines
from attn_study.render.bars import bars, beside, column_row, ease_names, interval_names
from attn_study.render.calendar import calendar, first_day, weeks_in
from attn_study.render.plots import plot
from attn_study.render.posed import header
from attn_study.render.safe import safe
from attn_study.render.stats_words import (
    DASH,
    NOTHING,
    name_of,
    notes,
    overall,
    percent,
    waiting,
)
from attn_study.render.wrapping import NO_BREAK, wrap
from attn_study.wording import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from attn_study.memory.retention import Stretch
    from attn_study.memory.stats import Stats
    from attn_study.render.advice import Advice

ROOMY = 72  # columns: two blocks stand side by side
WIDEST = 100  # columns: a longer line is hard to read
NARROWEST = 40  # columns: with fewer, one fact a line serves better
PLOTTED = 90  # days of the plot of reviews
SHOWN = 3  # cards of each sort
LEECHES = "attn-study card list is:leech"


@dataclass(frozen=True, slots=True)
class Page:
    """What the page says. `coming` are the notes due today and on each day after it; `leeches`
    and `hardest` are the first of each, with what to do.
    """

    stats: Stats
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
        *_section("coming: notes due a day", _coming(page.coming, found, columns)),
        *_section(f"reviews a day, last {PLOTTED} days", _reviews(found, columns)),
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
    words = " · ".join(part.replace(" ", NO_BREAK) for part in parts)
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
    lines = _said(waiting(page.coming[0], page.reviews_a_day), columns)
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


def _coming(coming: Sequence[int], found: Stats, columns: int) -> list[Text]:
    ahead = len(coming) - 1
    last = found.today + timedelta(days=ahead)
    facts = (
        f"today {coming[0]:,}",
        f"tomorrow {coming[1]:,}",
        f"{ahead} days from tomorrow {sum(coming[1:]):,}",
        "new cards left out",
    )
    return [*plot(coming, columns, "today", _short(last)), *_facts(facts, columns, "dim")]


def _short(day: object) -> str:
    return f"{day:%d %b}".lstrip("0")


def _reviews(found: Stats, columns: int) -> list[Text]:
    """Return the line of reviews, and what an average day was."""
    first = found.today - timedelta(days=PLOTTED - 1)
    days = [found.days.get(first + timedelta(days=at)) for at in range(PLOTTED)]
    reviews = [day.reviews if day else 0 for day in days]
    parts = []
    for length in (7, 30, PLOTTED):
        seconds = sum(day.seconds for day in days[-length:] if day)
        count = sum(reviews[-length:])
        parts.append(f"{length} days: {count / length:.1f} a day, {seconds / 60 / length:.1f} min")
    return [
        *plot(reviews, columns, _short(first), "today"),
        *_facts(parts, columns, "dim"),
    ]


def _calendar(page: Page, columns: int) -> list[Text]:
    """Return the calendar, and how many reviews it holds of all."""
    found = page.stats
    reviews = {day: done.reviews for day, done in found.days.items()}
    start = first_day(found.today, weeks_in(columns))
    inside = sum(count for day, count in reviews.items() if start <= day <= found.today)
    before = sum(count for day, count in reviews.items() if day < start)
    words = f"{counted(inside, 'review(|s)')} since {start.isoformat()}"
    words += f", {before:,} before" if before else ""
    drawn = calendar(reviews, found.today, columns, ascii=page.ascii)
    return [*drawn, *(Text(f"     {line.plain}", "dim") for line in _said(words, columns - 5))]


def _cards(found: Stats, columns: int) -> list[Text]:
    """Return the bars of intervals and ease, side by side where there is room."""
    is_roomy = columns >= ROOMY
    width = columns // 2 if is_roomy else columns
    left = _section("intervals, in cards", bars(interval_names(found.intervals), width - 2))
    right = _section("ease, in cards", bars(ease_names(found.eases), width - 2))
    return beside(left, right, width) if is_roomy else [*left, *right]


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
