"""The statistics of who has just begun, of who has stopped, and of cards that FSRS schedules."""

from __future__ import annotations

import re
from datetime import date, timedelta
from typing import TYPE_CHECKING

import pytest

from attn_study.memory.insight.record import record
from attn_study.memory.insight.stats import stats
from attn_study.memory.overview import Counts
from attn_study.memory.rules import NO_RULES, Rules
from attn_study.render.insight.advice import Advice, facts
from attn_study.render.insight.calendar import calendar, weeks_in
from attn_study.render.insight.plots import HEIGHT
from attn_study.render.insight.stats import NARROWEST, Page, stats_lines
from attn_study.render.insight.stats_plain import plain_stats_lines
from attn_study.render.insight.stats_words import notes, waiting
from attn_study.render.today import Glance, today_lines

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from attn_study.memory.replaying import Row

TODAY = date(2026, 3, 2)  # a Monday
NOTHING = Counts(due=0, askable=0, new=0, drill=0, done_today=0, next_due=None)
FSRS = Rules(decks={"a": {"scheduler": "fsrs"}})
PLOT = re.compile("[\u2801-\u28ff]")  # a braille cell with dots


def row(card: str, ago: int, grade: int, kind: str = "review") -> Row:
    day = str(TODAY - timedelta(days=ago))
    tick = 1000 - 2 * ago + (kind == "drill")
    at = f"{day}T12:00:00.000+00:00"
    return day, tick, f"{card}-{tick}", card, kind, grade, "{}", at, 0, 30.0


def told(*answers: tuple[str, int, int, str]) -> list[tuple[str, list[Row]]]:
    """Return the history of each card from (card, days ago, grade, kind)."""
    found: dict[str, list[Row]] = {}
    for card, ago, grade, kind in answers:
        found.setdefault(card, []).append(row(card, ago, grade, kind))
    return [(card, sorted(rows)) for card, rows in found.items()]


def page(
    histories: Sequence[tuple[str, list[Row]]],
    *,
    coming: Sequence[int] = (0,) * 31,
    held: bool = True,
    now: Counts = NOTHING,
    rules: Rules = NO_RULES,
) -> Page:
    found = record(histories, rules)
    cards = {card.card for card in found.cards} if held else set()
    figures = stats(found, TODAY, rules, cards)
    leeches, hardest = ([Advice(card) for card in of] for of in (figures.leeches, figures.hardest))
    return Page(figures, now, coming, (), 200, leeches, hardest)


def begun(days: int) -> list[tuple[str, list[Row]]]:
    """Return a card a day, the first so many days ago, today's among them."""
    return told(*((f"a/c{ago}", ago, 4, "review") for ago in range(days + 1)))


def section(found: Page, title: str, columns: int = 80) -> list[str]:
    """Return the lines under the title that begins so; nothing where it is not on the page."""
    lines = [line.plain for line in stats_lines(found, columns)]
    at = next((at for at, line in enumerate(lines) if line.startswith(f" {title}")), len(lines))
    rest = lines[at : at + 40]
    return rest[: rest.index("")] if "" in rest else rest


@pytest.mark.parametrize(
    ("days", "plotted"), [(0, 14), (5, 14), (13, 14), (14, 15), (60, 61), (89, 90), (200, 90)]
)
def test_the_line_of_reviews_starts_with_the_first_study_day(days: int, plotted: int) -> None:
    found = section(page(begun(days)), "reviews a day")
    assert found[0] == f" reviews a day, last {plotted} days"
    first = TODAY - timedelta(days=plotted - 1)
    assert found[HEIGHT + 1].split() == [str(first.day), f"{first:%b}", "today"]


@pytest.mark.parametrize(
    ("days", "spans"),
    [
        (0, ["1 day"]),
        (4, ["5 days"]),
        (6, ["7 days"]),
        (9, ["7 days", "10 days"]),
        (300, ["7 days", "30 days", "90 days"]),
    ],
)
def test_no_mean_is_over_days_before_the_first(days: int, spans: list[str]) -> None:
    said = " ".join(section(page(begun(days)), "reviews a day")[HEIGHT + 2 :])
    means = re.findall(r"(\d+ days?): 1\.0 a day, 0\.5 min a day", said)
    assert means == spans, "one review of half a minute on each day"


def test_minutes_with_drill_in_them_say_so() -> None:
    quiet = begun(3)
    drilled = [*quiet, *told(("a/x", 0, 4, "review"), ("a/x", 0, 4, "drill"))]
    assert "minutes with drill" not in " ".join(section(page(quiet), "reviews a day"))
    assert "minutes with drill" in " ".join(section(page(drilled), "reviews a day"))


@pytest.mark.parametrize("days", [0, 3, 20, 27, 40, 200])
def test_the_calendar_starts_with_the_first_study_day_and_says_that_day(days: int) -> None:
    lines = section(page(begun(days)), "calendar")
    weeks = max(len(line) for line in lines[2:9]) - 6
    monday = TODAY - timedelta(days=days)
    monday -= timedelta(days=monday.weekday())
    assert weeks == max(4, (TODAY - monday).days // 7 + 1)
    assert f"{days + 1} review{'s' * (days > 0)} since {TODAY - timedelta(days=days)}" in lines[-1]


def test_a_calendar_that_does_not_hold_all_says_its_own_first_day() -> None:
    found = section(page(begun(300)), "calendar", 40)
    first = TODAY - timedelta(days=7 * (weeks_in(40) - 1))
    inside = (TODAY - first).days + 1
    assert f"{inside} reviews since {first}, {301 - inside} before" in " ".join(
        line.strip() for line in found
    )


@pytest.mark.parametrize("columns", range(NARROWEST, 90))
def test_no_line_of_the_legend_ends_between_a_shade_and_its_counts(columns: int) -> None:
    reviews = {TODAY - timedelta(days=ago): 10 + 7 * ago for ago in range(20)}
    legend = [line.plain for line in calendar(reviews, TODAY, 9, columns)[8:]]
    assert len(re.findall(r"[░▒▓█] \d+(?:–\d+)?(?=   |$)", "\n".join(legend), re.MULTILINE)) == 4
    assert any("weeks begin on Monday" in line for line in legend)


def test_without_cards_in_decks_nothing_flat_is_drawn() -> None:
    found = page(begun(5), held=False)
    text = "\n".join(line.plain for line in stats_lines(found, 80))
    for title in ("coming", "intervals", "ease, in cards"):
        assert title not in text
    assert "reviews a day, last" in text


def test_a_line_without_any_height_is_a_word() -> None:
    quiet = page(told(("a/x", 200, 4, "review")))
    assert section(quiet, "reviews a day")[1:] == [" none"]
    assert section(quiet, "coming")[1:] == [" nothing comes due today or in the 30 days after it"]
    assert not PLOT.search("\n".join(line.plain for line in stats_lines(quiet, 80)))


def test_the_bars_of_intervals_stand_alone_where_no_card_has_an_ease() -> None:
    lines = [line.plain for line in stats_lines(page(begun(2), rules=FSRS), 80)]
    assert " intervals, in cards" in lines
    assert not any(line.lstrip().startswith("ease, in cards") for line in lines)


def plain(found: Page) -> list[str]:
    return [line.plain for line in plain_stats_lines(found)]


def test_plain_lines_leave_out_what_is_nothing_and_say_so_once() -> None:
    lines = plain(page(told(("a/x", 0, 4, "review"))))
    assert not [line for line in lines if re.search(r"(: 0|of 0)$", line)]
    assert [line for line in lines if line.startswith("retention")] == [
        "retention, no known card reviewed: today, 7 days, 30 days, 365 days, all"
    ]
    assert [line for line in lines if "due" in line] == [
        "Nothing is due.",
        "nothing is due on any day up to 2026-04-01",
    ]


def test_plain_lines_have_no_bar_without_a_card() -> None:
    old = told(*(("a/y", ago, 4, "review") for ago in (10, 9, 3)))  # 1, 6 and then 15 days
    lines = plain(page([*old, *told(("a/x", 0, 4, "review"))]))
    assert [line for line in lines if line.startswith("cards with")] == [
        "cards with an interval of 1 d: 1",
        "cards with an interval of 7–20 d: 1",
        "cards with an ease of 2.50–2.89: 2",
    ]


def test_plain_lines_name_what_there_is_and_what_is_missing_beside_it() -> None:
    days = (0, 3, *(0,) * 28, 2)
    lines = plain(page(told(("a/x", 2, 4, "review"), ("a/x", 1, 1, "review")), coming=days))
    assert "retention 7 days young: 0 % of 1" in lines
    missing = "today, 7 days mature, 30 days mature, 365 days mature, all mature"
    assert f"retention, no known card reviewed: {missing}" in lines
    assert [line for line in lines if "due on" in line] == [
        "due on 2026-03-03: 3",
        "due on 2026-04-01: 2",
        "nothing is due on any other day up to 2026-04-01",
    ]


TOLD: Mapping[str, Counts] = {
    "2 due, 6 new, 1 again: attn-study review": NOTHING._replace(due=2, askable=2, new=6, drill=1),
    "2 again: attn-study review": NOTHING._replace(drill=2, done_today=9),
    "Nothing is due.": NOTHING,
    "Done for today. Tomorrow: 4 due.": NOTHING._replace(
        done_today=9, next_due=TODAY + timedelta(days=1), coming=4
    ),
}


@pytest.mark.parametrize("words", TOLD)
def test_what_to_do_is_what_today_says(words: str) -> None:
    counts = TOLD[words]
    found = page(begun(1), now=counts)
    assert section(found, "to do")[1] == f" {words}"
    assert words in plain(found)
    now = words.removesuffix(": attn-study review")
    assert now in "\n".join(glance(counts, 200))


def glance(counts: Counts, a_day: int) -> list[str]:
    shown = Glance(TODAY, counts, {}, (), 10, a_day, studied_before=True, kept_in="")
    return [line.plain.strip() for line in today_lines(shown)]


@pytest.mark.parametrize(("due", "a_day"), [(800, 200), (1201, 200), (200, 200), (5, 0), (0, 9)])
def test_a_backlog_is_said_in_the_same_words_by_both(due: int, a_day: int) -> None:
    counts = NOTHING._replace(due=due, askable=min(due, a_day), new=1)
    said = [line for line in waiting(TODAY, counts, a_day) if "waiting" in line]
    assert said == [line for line in glance(counts, a_day) if "waiting" in line]
    assert bool(said) == (due > a_day > 0)


def test_a_hard_card_of_fsrs_shows_its_difficulty_and_no_ease() -> None:
    answers = [("a/x", ago, 1 if ago % 2 else 4, "review") for ago in range(6, -1, -1)]
    (card,) = page(told(*answers), rules=FSRS).hardest
    assert re.fullmatch(r"3 lapses, difficulty (\d|10)\.\d", facts(card))
    (same,) = page(told(*answers)).hardest
    assert facts(same) == "3 lapses, ease 2.50"


@pytest.mark.parametrize("rules", [NO_RULES, FSRS])
def test_a_line_breaks_between_facts_and_never_within_one(rules: Rules) -> None:
    answers = [("a/a-long-name", ago, 1 if ago % 2 else 4, "review") for ago in range(6, -1, -1)]
    found = page(told(*answers, ("a/a-long-name", 0, 4, "drill")), coming=range(31), rules=rules)
    for columns in range(NARROWEST, 101):
        for line in (line.plain.strip() for line in stats_lines(found, columns)):
            assert not line.startswith("· ") or "none" in line, "that is the legend"
            assert not line.endswith((", ease", "difficulty"))


def test_where_a_rule_parts_young_and_mature_anew_that_is_said() -> None:
    histories = begun(2)
    words = "another choice parts the reviews of the past anew"
    for rules, is_said in ((NO_RULES, False), (FSRS, True), (Rules(cap=20), True)):
        assert any(words in note for note in notes(page(histories, rules=rules).stats)) == is_said
    gone = page(histories, rules=FSRS, held=False)
    assert any(words in note for note in notes(gone.stats)), "its reviews still count"
