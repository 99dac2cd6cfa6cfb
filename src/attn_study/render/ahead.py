"""The workload ahead, for a few limits on new cards, so that one can be chosen."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from rich.text import Text

from attn_study.render.plots import plot
from attn_study.render.posed import header
from attn_study.render.safe import safe
from attn_study.render.wrapping import wrap
from attn_study.wording import counted

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from attn_study.memory.forecast import Workload
    from attn_study.memory.habits import Grades, Habits

WIDEST = 100  # columns
WIDTH = 12  # cells of a column of the table
MANY = 120  # days: more are drawn as weeks
TO_A_TENTH = 10  # minutes: fewer are given to a tenth


@dataclass(frozen=True, slots=True)
class Ahead:
    """What was simulated from `today` on, and from what. `chosen` is the limit asked about,
    `present` the one in the settings.
    """

    today: date
    days: int
    seed: int
    decks: Sequence[str]
    known: int
    new: int
    reviews_a_day: int
    chosen: int
    present: int
    habits: Habits
    workloads: Sequence[Workload]
    notes: Sequence[str]

    def on(self, day: int) -> date:
        """Return the study day so many days from today."""
        return self.today + timedelta(days=day)


# What is said of each limit.
ROWS = (
    "reviews a day",
    "busiest day",
    "minutes a day",
    "new run out",
    "most waiting",
    "waiting at end",
)


def figures(ahead: Ahead, load: Workload) -> tuple[str, ...]:
    """Return the figures of one limit, in the order of `ROWS`."""
    answers = _answers(load)
    minutes = sum(load.seconds) / 60 / ahead.days
    out = "later" if load.last_new is None else ahead.on(load.last_new).isoformat()
    return (
        f"{sum(answers) / ahead.days:,.0f}",
        f"{max(answers):,}",
        f"{minutes:.0f}" if minutes >= TO_A_TENTH else f"{minutes:.1f}",
        out if ahead.new else "none left",
        f"{max(load.waiting):,}",
        f"{load.waiting[-1]:,}",
    )


def _answers(load: Workload) -> list[int]:
    """Return the reviews of each day, first answers of new cards among them."""
    return [reviews + new for reviews, new in zip(load.reviews, load.new, strict=True)]


def ahead_lines(ahead: Ahead, columns: int) -> list[Text]:
    """Return the table of limits, the line of the chosen one, and what it was worked out from."""
    columns = min(columns, WIDEST)
    place = " › ".join(["statistics", "ahead", *ahead.decks])
    chosen = next(load for load in ahead.workloads if load.limit == ahead.chosen)
    title = f"reviews a day with {counted(ahead.chosen, 'new card(|s)')} a day"
    return [
        *header(safe(place), f"{ahead.days} days, seed {ahead.seed}", columns),
        *_said(setting(ahead), columns),
        Text(),
        *_table(ahead, columns),
        *_line(ahead, _answers(chosen), title, columns),
        Text(),
        *(line for words in (*basis(ahead), *ahead.notes) for line in _said(words, columns, "dim")),
        *_choosing(ahead, columns),
    ]


def plain_ahead_lines(ahead: Ahead) -> list[Text]:
    """Return the same, one fact a line."""
    lines = [f"days: {ahead.days}", f"seed: {ahead.seed}", setting(ahead)]
    for load in ahead.workloads:
        pairs = zip(ROWS, figures(ahead, load), strict=True)
        lines += [f"{load.limit} new a day, {name}: {said}" for name, said in pairs]
    return [Text(safe(line)) for line in (*lines, *basis(ahead), *ahead.notes)]


def setting(ahead: Ahead) -> str:
    """Return what the simulation starts from."""
    return (
        f"{counted(ahead.known, 'known card(|s)')}, {ahead.new:,} new, "
        f"at most {counted(ahead.reviews_a_day, 'review(|s)')} a day"
    )


def basis(ahead: Ahead) -> list[str]:
    """Return what the learner's own answers say, and where they are too few."""
    found = ahead.habits
    sorts = (("new", found.new), ("young", found.young), ("mature", found.mature))
    passing = ", ".join(f"{name} {_passing(grades)}" for name, grades in sorts)
    seconds = (
        f"seconds: {found.new_seconds:.0f} a new card, {found.known_seconds:.0f} a known one, "
        f"{found.drill_seconds:.0f} for each asked again"
    )
    return [
        f"passing: {passing}",
        seconds,
    ]


def _passing(grades: Grades) -> str:
    return f"{grades.passing * 100:.0f} % ({counted(grades.answers, 'answer(|s)')})"


def _line(ahead: Ahead, answers: Sequence[int], title: str, columns: int) -> list[Text]:
    """Return the line of reviews; over many days that of the mean of each week."""
    if ahead.days == 1:
        return []
    values: Sequence[float] = answers
    if ahead.days > MANY:
        weeks = [answers[at : at + 7] for at in range(0, ahead.days - ahead.days % 7, 7)]
        values = [sum(week) / len(week) for week in weeks]
        title += ", mean of each week"
    last = ahead.on(ahead.days - 1).isoformat()
    titled = [Text(f" {line}", "bold") for line in wrap(title, max(8, columns - 2))]
    return [Text(), *titled, *plot(values, columns, "today", last)]


def _choosing(ahead: Ahead, columns: int) -> list[Text]:
    """Return how the limit asked about becomes the one in force, where it is not."""
    if ahead.chosen == ahead.present or not ahead.new:
        return []
    return [Text(), *_said(f"attn-study config new {ahead.chosen}", columns, "cyan")]


def _table(ahead: Ahead, columns: int) -> list[Text]:
    """Return a row for each figure and a column for each limit, as many as there is room for."""
    label = max(map(len, ROWS)) + 2
    room = max(1, (columns - label - 1) // WIDTH)
    loads = _nearest(ahead, room)
    head = [f"{load.limit} new" + ("*" if load.limit == ahead.present else "") for load in loads]
    rows = [Text(f" {'a day:':<{label}}" + "".join(f"{name:>{WIDTH}}" for name in head), "bold")]
    told = [figures(ahead, load) for load in loads]
    for at, name in enumerate(ROWS):
        cells = "".join(f"{one[at]:>{WIDTH}}" for one in told)
        rows.append(Text(f" {name:<{label}}{cells}"))
    if any(load.limit == ahead.present for load in loads):
        rows.append(Text(" * the limit you have now", "dim"))
    return rows


def _nearest(ahead: Ahead, room: int) -> list[Workload]:
    """Return at most `room` limits, those nearest to the chosen one."""
    order = sorted(ahead.workloads, key=lambda load: abs(load.limit - ahead.chosen))
    return sorted(order[:room], key=lambda load: load.limit)


def _said(words: str, columns: int, style: str = "") -> list[Text]:
    return [Text(f" {line}", style) for line in wrap(words, max(8, columns - 2))]
