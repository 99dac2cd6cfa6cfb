"""The statistics without drawing: one fact a line, for pipes and screen readers."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from rich.text import Text

from attn_study.render.insight.advice import facts
from attn_study.render.insight.bars import ease_names, interval_names
from attn_study.render.insight.stats import PLOTTED
from attn_study.render.insight.stats_words import (
    NOTHING,
    duration,
    name_of,
    notes,
    overall,
    percent,
    waiting,
)
from attn_study.render.safe import safe
from attn_study.wording import counted

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from attn_study.memory.insight.stats import Stats
    from attn_study.render.insight.advice import Advice
    from attn_study.render.insight.stats import Page


def plain_stats_lines(page: Page) -> list[Text]:
    """Return every fact of the page on a line of its own."""
    found = page.stats
    if not found.days and not found.cards:
        return [Text(words) for words in NOTHING]
    lines = [
        f"study day: {found.today.isoformat()}",
        f"decks: {', '.join(page.decks) or 'all'}",
        *overall(found),
        *_retention(found),
        *waiting(found.today, page.now, page.reviews_a_day),
        *_hard("leech", page.leeches),
        *_hard("hard", page.hardest),
        *_coming(page),
        *_days(found),
        *(
            f"cards with an interval of {name}: {count}"
            for name, count in interval_names(found.intervals)
            if count
        ),
        *(
            f"cards with an ease of {name}: {count}"
            for name, count in ease_names(found.eases)
            if count
        ),
        *_grades(found),
        *(f"answers at {hour:02} h: {count}" for hour, count in enumerate(found.hours) if count),
        *notes(found),
    ]
    return [Text(safe(line)) for line in lines]


def _retention(found: Stats) -> Iterator[str]:
    """Yield each share that there is, then one line on what has none."""
    missing = []
    for stretch in found.stretches:
        sorts = (("young", stretch.young), ("mature", stretch.mature), ("both", stretch.both))
        for name, share in sorts:
            if share.reviews:
                yield f"retention {stretch.name} {name}: {percent(share)} of {share.reviews:,}"
            elif stretch.both.reviews:
                missing.append(f"{stretch.name} {name}")
        if not stretch.both.reviews:
            missing.append(stretch.name)
    if missing:
        yield f"retention, no known card reviewed: {', '.join(missing)}"


def _hard(sort: str, found: Sequence[Advice]) -> Iterator[str]:
    for advice in found:
        ways = "; ".join(f"{why}: {command}" for why, command in advice.ways)
        yield f"{sort}: {advice.known.card}, {facts(advice)}; {ways}"


def _coming(page: Page) -> Iterator[str]:
    days = [page.stats.today + timedelta(days=at) for at in range(len(page.coming))]
    for day, count in zip(days, page.coming, strict=True):
        if count:
            yield f"due on {day.isoformat()}: {count}"
    other = "other " if any(page.coming) else ""
    if not all(page.coming):
        yield f"nothing is due on any {other}day up to {days[-1].isoformat()}"


def _days(found: Stats) -> Iterator[str]:
    first = found.today - timedelta(days=PLOTTED - 1)
    for day, done in found.days.items():
        if day < first:
            continue
        drill = f", {done.drill} drill" if done.drill else ""
        said = f"{counted(done.reviews, 'review(|s)')}{drill}, {duration(done.seconds)}"
        yield f"{day.isoformat()}: {said}"


def _grades(found: Stats) -> Iterator[str]:
    for sort, counts in found.grades.items():
        for grade, count in counts.items():
            yield f"answers {sort} {name_of(grade)}: {count}"
