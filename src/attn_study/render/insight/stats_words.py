"""What the statistics say in words, on the page and line by line alike."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attn_study.memory.words import GRADE_NAMES
from attn_study.render.today import backlog, nothing
from attn_study.render.today import waiting as asked
from attn_study.wording import counted

if TYPE_CHECKING:
    from datetime import date

    from attn_study.memory.insight.retention import Share
    from attn_study.memory.insight.stats import Stats
    from attn_study.memory.overview import Counts

DASH = "–"
NOTHING = (
    "Nothing studied yet, so there is nothing to count.",
    "Ready?   attn-study review",
)


def overall(found: Stats) -> list[str]:
    """Return streak, days, reviews and time, a fact each."""
    streak = found.streak
    parts = [
        f"streak {counted(streak.current, 'day(|s)')}, longest {streak.longest:,}",
        f"{counted(streak.studied, 'day(|s)')} studied",
        counted(found.reviews, "review(|s)"),
        f"{counted(found.drills, 'drill answer(|s)')} apart" if found.drills else "",
        duration(found.seconds),
    ]
    if streak.current and found.today not in found.days:
        parts.append("not yet today")
    return [part for part in parts if part]


def duration(seconds: float) -> str:
    """Return a time for the eye: seconds, minutes or hours."""
    if round(seconds) < 60:
        return f"{round(seconds)} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 120 else f"{minutes // 60:,} h {minutes % 60} min"


def percent(share: Share) -> str:
    """Return a share as a whole percentage; a dash of nothing."""
    return DASH if share.retention is None else f"{share.retention * 100:.0f} %"


def waiting(day: date, counts: Counts, a_day: int) -> list[str]:
    """Return what can be asked now, or when the next card comes, and the days a backlog takes."""
    now = f"{asked(counts)}: attn-study review" if counts.waiting else nothing(day, counts)
    return [words for words in (now, backlog(counts.due, a_day)) if words]


def name_of(grade: int) -> str:
    """Return the name of a grade; one that no key gives goes by its number, `q0`."""
    names = {int(known): name for known, name in GRADE_NAMES.items()}
    return names.get(grade, f"q{grade}")


def notes(found: Stats) -> list[str]:
    """Return what the counts leave out, a sentence each."""
    said = []
    if found.gone:
        said.append(
            counted(found.gone, "card(|s) with a history (is|are) in no deck: ")
            + "counted among the answers, not among the cards"
        )
    if found.without_ease:
        said.append(counted(found.without_ease, "card(|s) of FSRS (has|have) no ease"))
    if found.parted_anew:
        said.append(
            "young and mature are those of the scheduler and the interval cap in force: another "
            "choice parts the reviews of the past anew"
        )
    if found.later:
        said.append(
            counted(found.later, "review(|s) (is|are) dated after today, ")
            + "by a clock that was ahead: in no stretch of days"
        )
    return said
