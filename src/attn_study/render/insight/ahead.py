"""The workload ahead, for a few limits on new cards, so that one can be chosen."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from rich.text import Text

from attn_study.render.insight.plots import plot
from attn_study.render.posed import header
from attn_study.render.safe import safe
from attn_study.render.wrapping import NO_BREAK, wrap
from attn_study.wording import counted

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import date

    from attn_study.memory.insight.forecast import Workload
    from attn_study.memory.insight.habits import Grades, Habits

WIDEST = 100  # columns
WIDTH = 12  # cells of a column of the table
CELL = 9  # of a column where few fit
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


def figures(ahead: Ahead, load: Workload) -> dict[str, str]:
    """Return what is said of one limit, each figure under its name, those of a day first."""
    answers = _answers(load)
    minutes = sum(load.seconds) / 60 / ahead.days
    said = {
        "reviews a day": f"{sum(answers) / ahead.days:,.0f}",
        "busiest day": f"{max(answers):,}",
        "minutes a day": f"{minutes:.0f}" if minutes >= TO_A_TENTH else f"{minutes:.1f}",
    }
    if ahead.new:
        out = "later" if load.last_new is None else ahead.on(load.last_new).isoformat()
        said["new run out"] = out
    said["most waiting"] = f"{max(load.waiting):,}"
    said["waiting at end"] = f"{load.waiting[-1]:,}"
    return said


def _answers(load: Workload) -> list[int]:
    """Return the reviews of each day, first answers of new cards among them."""
    return [reviews + new for reviews, new in zip(load.reviews, load.new, strict=True)]


def ahead_lines(ahead: Ahead, columns: int) -> list[Text]:
    """Return the table of limits, the line of the chosen one, and what it was worked out from."""
    columns = min(columns, WIDEST)
    place = " › ".join(["statistics", "ahead", *ahead.decks])
    chosen = next(load for load in ahead.workloads if load.limit == ahead.chosen)
    title = "reviews a day"
    title += f" with {counted(ahead.chosen, 'new card(|s)')} a day" if ahead.new else ""
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
        lines += [f"with {counted(load.limit, 'new card(|s)')} a day:"] if ahead.new else []
        lines += [f"{name}: {said}" for name, said in figures(ahead, load).items()]
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
    """Return a row for each figure and a column for each limit; where these have no room, a row
    for each limit.
    """
    told = {_name(ahead, load): figures(ahead, load) for load in ahead.workloads}
    label = 2 + max(len(name) for said in told.values() for name in said)
    has_room = label + WIDTH * len(told) < columns
    rows = _wide(told, label) if has_room else _narrow(told, columns)
    if ahead.new and any(load.limit == ahead.present for load in ahead.workloads):
        rows.append(Text(" * the limit you have now", "dim"))
    return rows


def _name(ahead: Ahead, load: Workload) -> str:
    if not ahead.new:
        return "no new left"
    return f"{load.limit} new" + ("*" if load.limit == ahead.present else "")


def _wide(told: Mapping[str, Mapping[str, str]], label: int) -> list[Text]:
    head = "".join(f"{name:>{WIDTH}}" for name in told)
    rows = [Text(f" {'a day:':<{label}}{head}", "bold")]
    for name in next(iter(told.values())):
        cells = "".join(f"{said[name]:>{WIDTH}}" for said in told.values())
        rows.append(Text(f" {name:<{label}}{cells}"))
    return rows


def _narrow(told: Mapping[str, Mapping[str, str]], columns: int) -> list[Text]:
    """Return the figures of a day of each limit in a row, and under it what else is said."""
    heads = ("reviews", "busiest", "minutes")  # the first figures, in short
    rows = [Text(f" {'a day:':<{WIDTH}}" + "".join(f"{head:>{CELL}}" for head in heads), "bold")]
    for name, said in told.items():
        facts = list(said.items())
        cells = "".join(f"{figure:>{CELL}}" for _, figure in facts[: len(heads)])
        rows.append(Text(f" {name:<{WIDTH}}{cells}"))
        rest = (f"{what} {each}".replace(" ", NO_BREAK) for what, each in facts[len(heads) :])
        rows += [Text(f"   {line}", "dim") for line in wrap(", ".join(rest), max(8, columns - 4))]
    return rows


def _said(words: str, columns: int, style: str = "") -> list[Text]:
    return [Text(f" {line}", style) for line in wrap(words, max(8, columns - 2))]
