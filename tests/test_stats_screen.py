"""The statistics on a terminal: a calendar that adds up, lines that fit, shades told apart."""

from __future__ import annotations

import re
from datetime import date, timedelta
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from attn_study.memory.insight.forecast import Cards, Question, workload
from attn_study.memory.insight.habits import habits
from attn_study.memory.insight.record import record
from attn_study.memory.insight.stats import Stats, stats
from attn_study.memory.overview import Counts
from attn_study.memory.rules import NO_RULES
from attn_study.render.insight.advice import Advice
from attn_study.render.insight.ahead import Ahead, ahead_lines
from attn_study.render.insight.bars import bars, column_row
from attn_study.render.insight.calendar import LABEL, MOST_WEEKS, calendar, first_day, weeks_in
from attn_study.render.insight.plots import HEIGHT, plot
from attn_study.render.insight.stats import NARROWEST, Page, stats_lines
from attn_study.render.output import fitted
from memory_helpers import LAW

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rich.text import Text

    from attn_study.memory.replaying import Row

TODAY = date(2024, 3, 6)  # a Wednesday, eleven days after a 29 February that was a Thursday
LEAP = date(2024, 2, 29)
WEEKDAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
WIDTHS = (20, 32, 40, 60, 80, 120, 200)
Cells = dict[date, str]


def cells(reviews: Mapping[date, int], today: date, columns: int, *, ascii: bool = False) -> Cells:
    """Read the calendar back: each day's cell, by its row and column."""
    weeks = weeks_in(columns)
    drawn = [line.plain for line in calendar(reviews, today, weeks, columns, ascii=ascii)]
    rows = drawn[1:8]
    assert [row[:LABEL].strip() for row in rows] == WEEKDAYS
    start = first_day(today, weeks)
    return {
        start + timedelta(days=7 * week + weekday): rows[weekday][LABEL:].ljust(weeks)[week]
        for week in range(weeks)
        for weekday in range(7)
    }


@pytest.mark.parametrize("columns", WIDTHS)
def test_s38_each_day_has_one_cell_under_its_weekday(columns: int) -> None:
    found = cells({LEAP: 3, TODAY: 1}, TODAY, columns)
    assert (found[LEAP], found[TODAY]) == ("▒", "░")
    assert [day for day, cell in found.items() if cell in "░▒▓█"] == [LEAP, TODAY]
    assert all(found[TODAY + timedelta(days=ahead)] == " " for ahead in range(1, 5))


def test_s38_weeks_begin_on_monday_and_that_is_said() -> None:
    assert first_day(TODAY, 1) == date(2024, 3, 4)
    said = " ".join(line.plain for line in calendar({TODAY: 1}, TODAY, 9, 80)[8:])
    assert "weeks begin on Monday" in said


@pytest.mark.parametrize("change", [date(2026, 3, 29), date(2026, 10, 25)])
def test_s38_a_week_in_which_the_clocks_change_has_seven_days(change: date) -> None:
    reviews = {change + timedelta(days=off): 1 for off in range(-3, 4)}
    found = cells(reviews, change + timedelta(days=30), 80)
    assert {day for day, cell in found.items() if cell == "░"} == reviews.keys()


@LAW
@given(
    st.dictionaries(st.integers(0, 500), st.integers(1, 400), max_size=60), st.sampled_from(WIDTHS)
)
def test_s38_cells_and_what_came_before_them_add_up_to_all_reviews(
    told: dict[int, int], columns: int
) -> None:
    reviews = {TODAY - timedelta(days=ago): count for ago, count in told.items()}
    found = cells(reviews, TODAY, columns)
    start = first_day(TODAY, weeks_in(columns))
    assert {day for day, cell in found.items() if cell in "░▒▓█"} == {
        day for day in reviews if day >= start
    }
    assert len(found) == 7 * weeks_in(columns)


@pytest.mark.parametrize("ascii", [False, True])
def test_a_day_with_more_reviews_has_no_lighter_shade_and_the_legend_says_which(
    ascii: bool,
) -> None:
    counts = [1, 1, 2, 3, 5, 8, 13, 21, 34, 55]
    reviews = {TODAY - timedelta(days=ago): count for ago, count in enumerate(counts)}
    found = cells(reviews, TODAY, 80, ascii=ascii)
    shades = "-+*#" if ascii else "░▒▓█"
    order = [shades.index(found[TODAY - timedelta(days=ago)]) for ago in range(len(counts))]
    assert order == sorted(order)
    assert set(order) == {0, 1, 2, 3}
    legend = " ".join(line.plain for line in calendar(reviews, TODAY, 9, 80, ascii=ascii)[8:])
    spans = re.findall(rf"([{re.escape(shades)}]) (\d+)(?:–(\d+))?", legend)
    for shade, least, most in spans:
        own = [count for count, level in zip(counts, order, strict=True) if shades[level] == shade]
        assert int(least) <= min(own)
        assert max(own) <= int(most or least)


def test_a_year_and_a_week_is_the_most_and_few_columns_show_fewer_weeks() -> None:
    assert [weeks_in(columns) for columns in (40, 80, 200)] == [33, MOST_WEEKS, MOST_WEEKS]


def history(cards: int, days: int) -> list[tuple[str, list[Row]]]:
    """Return cards answered at their due days, some of them failed often."""
    found: list[tuple[str, list[Row]]] = []
    for number in range(cards):
        rows: list[Row] = []
        for step, ago in enumerate(range(days - number % 7, -1, -(number % 5 + 1))):
            day = str(TODAY - timedelta(days=ago))
            grade = 1 if number % 4 == 0 and step % 2 else 4
            at = f"{day}T{(number * 3) % 24:02}:30:00.000+00:00"
            uid = f"{number}-{step}"
            card = f"deck/card-{number}"
            rows.append((day, step + 1, uid, card, "review", grade, "{}", at, 60, 9.5))
        found.append((f"deck/card-{number}", rows))
    return found


def counts(due: int) -> Counts:
    return Counts(due=due, askable=due, new=0, drill=0, done_today=0, next_due=None)


def page(cards: int = 40, days: int = 200, *, ascii: bool = False) -> Page:
    found = record(history(cards, days), NO_RULES)
    figures = stats(found, TODAY, NO_RULES, {card.card for card in found.cards})
    return Page(
        stats=figures,
        now=counts(250),
        coming=[250, *range(30)],
        decks=(),
        reviews_a_day=100,
        leeches=[Advice(known, "scale", 400) for known in figures.leeches[:10]],
        hardest=[Advice(known) for known in figures.hardest[:10]],
        ascii=ascii,
    )


def plain(lines: Sequence[Text]) -> list[str]:
    return [line.plain for line in lines]


@pytest.mark.parametrize("columns", [width for width in WIDTHS if width >= NARROWEST])
def test_every_line_fits(columns: int) -> None:
    for line in stats_lines(page(), columns):
        assert line.cell_len <= columns, line.plain


@pytest.mark.parametrize("columns", [40, 80, 120])
def test_how_it_goes_and_what_to_do_come_first(columns: int) -> None:
    text = "\n".join(plain(stats_lines(page(), columns)))
    places = [
        text.index(title)
        for title in ("streak", "retention", "to do", "coming", "reviews a day", "calendar")
    ]
    assert places == sorted(places)
    assert "250 due: attn-study review" in text
    assert "250 waiting, 3 days at 100 a day" in text


def test_the_page_names_leeches_with_the_first_thing_to_do() -> None:
    text = "\n".join(plain(stats_lines(page(), 80)))
    assert "10 leeches, forgotten 8 times or more:" in text
    assert "split it (long):  attn-study card edit deck/card-0" in text
    assert "see it computed:  attn-study demo scale" in text
    assert "and 7 more: attn-study card list is:leech" in text


def test_the_calendar_says_how_many_of_all_reviews_it_holds() -> None:
    found = page(days=600)
    text = " ".join(plain(stats_lines(found, 80)))
    match = re.search(r"([\d,]+) reviews since ([\d-]+), ([\d,]+) before", text)
    assert match
    inside, before = (int(match[at].replace(",", "")) for at in (1, 3))
    assert inside + before == found.stats.reviews
    start = date.fromisoformat(match[2])
    assert inside == sum(d.reviews for day, d in found.stats.days.items() if day >= start)


def test_a_day_without_known_cards_has_a_dash_and_no_nan() -> None:
    empty = page(cards=1, days=0)
    lines = plain(stats_lines(empty, 80))
    today = next(line for line in lines if line.startswith(" today    "))
    assert today.split() == ["today", "–", "–", "–"]
    assert "nan" not in "\n".join(lines).casefold()


def test_ascii_alone_tells_the_shades_apart() -> None:
    lines = [fitted(line, "ascii", ascii=True).plain for line in stats_lines(page(ascii=True), 80)]
    assert all(line.isascii() for line in lines)
    assert "?" not in "".join(lines)
    rows = [line[LABEL:] for line in lines if re.match(rf" ({'|'.join(WEEKDAYS)})  [.+*#-]", line)]
    assert len(rows) == 7
    assert len(set("".join(rows)) & set(".-+*#")) >= 4


def test_without_a_single_answer_the_page_says_what_to_type() -> None:
    nothing = stats(record([], NO_RULES), TODAY, NO_RULES, set())
    assert isinstance(nothing, Stats)
    lines = plain(stats_lines(Page(nothing, counts(0), [0] * 31, (), 200, [], []), 40))
    assert " Ready?   attn-study review" in lines
    assert len(lines) < 8


@pytest.mark.parametrize("columns", [20, 40, 80])
@pytest.mark.parametrize("values", [[0, 0], [1, 1_000_000], [5, 0, 3] * 40, [0.5, 0.25]])
def test_a_line_plot_fits_and_names_both_its_ends(values: list[float], columns: int) -> None:
    drawn = plot(values, columns, "a", "z")
    assert len(drawn) == HEIGHT + 1
    assert max(line.cell_len for line in drawn) <= columns
    assert drawn[-1].plain.split() == ["a", "z"]
    assert drawn[0].plain.split()[0] == f"{max(1.0, *values):,.0f}"


def test_a_higher_value_stands_higher_in_a_plot() -> None:
    rows = [line.plain for line in plot([0, 10], 40, "", "")[:HEIGHT]]
    ends = [len(row.rstrip("\u2800 ")) for row in rows]
    assert ends == sorted(ends, reverse=True)


def test_bars_are_as_long_as_their_counts() -> None:
    drawn = [line.plain for line in bars([("a", 10), ("bb", 5), ("c", 0)], 30)]
    lengths = [line.count("█") for line in drawn]
    assert lengths[0] == 2 * lengths[1] > 0 == lengths[2]
    assert drawn[2].endswith("0")


def test_columns_show_a_small_count_and_nothing_of_nothing() -> None:
    assert column_row([0, 1, 50, 100], 1) == " ▁▄█"
    assert column_row([0, 0], 2) == "    "


@pytest.mark.parametrize("columns", [width for width in WIDTHS if width >= NARROWEST])
@pytest.mark.parametrize("days", [1, 2, 90, 365])
def test_the_workload_ahead_fits(columns: int, days: int) -> None:
    for line in ahead_lines(workloads(days), columns):
        assert line.cell_len <= columns, line.plain


def test_the_workload_ahead_marks_the_present_limit_and_says_how_to_choose() -> None:
    text = "\n".join(plain(ahead_lines(workloads(30), 80)))
    assert re.search(r"a day:\s+5 new\s+10 new\*\s+20 new", text)
    assert "* the limit you have now" in text
    assert "attn-study config new 20" in text


def workloads(days: int) -> Ahead:
    own = habits(record(history(5, 30), NO_RULES), TODAY)
    known = Cards.of([(250, 3, n % 30 + 1, n % 9) for n in range(400)])
    asked = Question(known, 150, 60, days, 36_500, 1)
    return Ahead(
        today=TODAY,
        days=days,
        seed=1,
        decks=("deck",),
        known=400,
        new=150,
        reviews_a_day=60,
        chosen=20,
        present=10,
        habits=own,
        workloads=[workload(asked, own, limit) for limit in (5, 10, 20)],
        notes=["every day is studied"],
    )
