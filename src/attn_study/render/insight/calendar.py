"""A calendar of shades: weeks as columns, weekdays as rows, a legend that says what each means."""

from __future__ import annotations

from bisect import bisect_right
from datetime import date, timedelta
from typing import TYPE_CHECKING

from rich.text import Text

from attn_study.render.wrapping import NO_BREAK, wrap

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

MOST_WEEKS = 53
LEAST_WEEKS = 4  # of who began lately
LABEL = 6  # cells before the first week
NONE = "·"
SHADES = "░▒▓█"
ASCII_NONE, ASCII_SHADES = ".", "-+*#"
AHEAD = " "  # days of this week that are yet to come
WEEK = 7  # days


def weeks_in(columns: int) -> int:
    """Return how many weeks fit: a year and the week it began in, at most."""
    return max(1, min(MOST_WEEKS, columns - LABEL - 1))


def weeks_since(first: date, today: date) -> int:
    """Return how many weeks it takes to show all days since `first`; a few at least."""
    monday = first - timedelta(days=first.weekday())
    return max(LEAST_WEEKS, (today - monday).days // WEEK + 1)


def first_day(today: date, weeks: int) -> date:
    """Return the Monday on which the first of so many weeks begins, the last being today's."""
    days = today.weekday() + WEEK * (weeks - 1)
    return date.fromordinal(max(1, today.toordinal() - days))


def calendar(
    reviews: Mapping[date, int], today: date, weeks: int, columns: int, *, ascii: bool = False
) -> list[Text]:
    """Return the months, a row for each weekday, and the legend. Every day of the weeks has one
    cell; no more weeks are asked for than `weeks_in` says.
    """
    start = first_day(today, weeks)
    shown = {day: count for day, count in reviews.items() if start <= day <= today}
    ends = _ends(shown.values())
    none, shades = (ASCII_NONE, ASCII_SHADES) if ascii else (NONE, SHADES)
    lines = [Text(" " * LABEL + _months(start, weeks), "dim")]
    for weekday in range(WEEK):
        days = (start + timedelta(days=weekday + WEEK * week) for week in range(weeks))
        row = "".join(
            AHEAD if day > today else _shade(shown.get(day, 0), ends, none, shades) for day in days
        )
        name = (start + timedelta(days=weekday)).strftime("%a")
        lines.append(Text.assemble((f" {name:<{LABEL - 1}}", "dim"), (row.rstrip(AHEAD), "cyan")))
    return [*lines, *_legend(ends, max(shown.values(), default=0), none, shades, columns)]


def _ends(counts: Iterable[int]) -> tuple[int, ...]:
    """Return the least count of each shade: the quarters of the days studied, without doubles."""
    ordered = sorted(count for count in counts if count)
    quarters = (ordered[len(ordered) * quarter // 4] for quarter in range(4 if ordered else 0))
    return tuple(dict.fromkeys(quarters))


def _shade(count: int, ends: tuple[int, ...], none: str, shades: str) -> str:
    return shades[bisect_right(ends, count) - 1] if count else none


def _legend(ends: tuple[int, ...], most: int, none: str, shades: str, columns: int) -> list[Text]:
    """Return what each shade means, and on which day a week begins."""
    uppers = [*(end - 1 for end in ends[1:]), most]
    parts = [f"{none} none"] + [
        f"{shade} {least}" if least == upper else f"{shade} {least}–{upper}"
        for shade, least, upper in zip(shades, ends, uppers, strict=False)
    ]
    words = "   ".join(part.replace(" ", NO_BREAK) for part in [*parts, "weeks begin on Monday"])
    return [Text(" " * LABEL + line, "dim") for line in wrap(words, max(8, columns - LABEL - 1))]


def _months(start: date, weeks: int) -> str:
    """Return the names of the months, each over the first week that begins in it."""
    line = ""
    for week in range(weeks):
        monday = start + timedelta(days=WEEK * week)
        begins = monday.day <= WEEK
        if begins and (not line or len(line) < week) and week <= weeks - 3:
            line = line.ljust(week) + monday.strftime("%b")
    return line
