"""The statistics: what each answer counts as, on which day, and what is hard."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from attn_study.memory.day import moment
from attn_study.memory.fold import names
from attn_study.memory.insight.days import streak
from attn_study.memory.insight.record import REVIEWS, record
from attn_study.memory.insight.stats import EASES, INTERVALS, stats
from attn_study.memory.replaying import histories
from attn_study.memory.rules import Rules
from memory_helpers import (
    LAW,
    adopt,
    cap,
    day,
    drill,
    imported,
    log_in_memory,
    noon,
    review,
    write,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from attn_study.memory.event import Draft
    from attn_study.memory.insight.record import Record
    from attn_study.memory.insight.stats import Stats
    from attn_study.memory.log import Log


@pytest.fixture
def log() -> Iterator[Log]:
    with log_in_memory() as found:
        yield found


def reset(card: str) -> Draft:
    return review(card, 1)._replace(kind="reset", grade=None)


def read(log: Log, decks: Sequence[str] = ()) -> Record:
    return record(histories(log), log.rules(), decks)


def seen(log: Log, number: int, decks: Sequence[str] = (), held: set[str] | None = None) -> Stats:
    """Return the statistics on that day; all cards of the log are in decks unless `held` says."""
    found = read(log, decks)
    cards = {card.card for card in found.cards} if held is None else held
    return stats(found, day(number), log.rules(), cards)


def story(log: Log, *told: tuple[int, Draft]) -> None:
    for number, draft in told:
        write(log, number, draft)


def retained(log: Log, number: int) -> dict[str, tuple[int, int]]:
    """Return (passed, reviews) of young and mature cards of all time."""
    everything = seen(log, number).stretches[-1]
    return {
        name: (share.passed, share.reviews)
        for name, share in (("young", everything.young), ("mature", everything.mature))
    }


def test_the_first_answer_of_a_card_is_no_retention(log: Log) -> None:
    story(log, (0, review("a/x", 1)), (0, review("a/y", 4)))
    assert retained(log, 0) == {"young": (0, 0), "mature": (0, 0)}
    assert seen(log, 0).grades["new"] == {1: 1, 4: 1}


@pytest.mark.parametrize(("grade", "passed"), [(0, 0), (1, 0), (2, 0), (3, 1), (4, 1), (5, 1)])
def test_a_known_card_that_is_graded_3_or_more_was_retained(
    log: Log, grade: int, passed: int
) -> None:
    story(log, (0, review("a/x", 4)), (1, review("a/x", grade)))
    assert retained(log, 1) == {"young": (passed, 1), "mature": (0, 0)}


def test_only_the_first_review_of_a_card_and_day_counts_and_no_drill(log: Log) -> None:
    story(log, (0, review("a/x", 4)), (1, review("a/x", 1)), (1, review("a/x", 5)))
    story(log, (1, drill("a/x", 1)), (1, drill("a/x", 4)), (2, drill("a/x", 5)))
    assert retained(log, 2) == {"young": (0, 1), "mature": (0, 0)}
    assert seen(log, 2).grades["drill"] == {1: 1, 4: 1, 5: 2}
    assert (seen(log, 2).reviews, seen(log, 2).drills) == (2, 4)


@pytest.mark.parametrize(("interval", "sort"), [(1, "young"), (20, "young"), (21, "mature")])
def test_a_card_is_mature_from_an_interval_of_21_days(log: Log, interval: int, sort: str) -> None:
    story(log, (0, imported("a/x", interval=interval, repetitions=3)), (5, review("a/x", 4)))
    assert retained(log, 5)[sort] == (1, 1)
    assert sum(reviews for _, reviews in retained(log, 5).values()) == 1


def test_a_card_made_new_again_has_a_first_answer_again(log: Log) -> None:
    story(log, (0, review("a/x", 4)), (1, reset("a/x")), (2, review("a/x", 4)))
    assert retained(log, 2) == {"young": (0, 0), "mature": (0, 0)}
    assert seen(log, 2).grades["new"] == {4: 2}


@pytest.mark.parametrize(
    ("ago", "counts"),
    [
        (0, [1, 1, 1, 1, 1]),
        (1, [0, 1, 1, 1, 1]),
        (6, [0, 1, 1, 1, 1]),
        (7, [0, 0, 1, 1, 1]),
        (29, [0, 0, 1, 1, 1]),
        (30, [0, 0, 0, 1, 1]),
        (364, [0, 0, 0, 1, 1]),
        (365, [0, 0, 0, 0, 1]),
    ],
)
def test_a_stretch_of_days_ends_today_and_holds_its_first_day(
    log: Log, ago: int, counts: list[int]
) -> None:
    story(log, (0, review("a/x", 4)), (400 - ago, review("a/x", 4)))
    assert [stretch.young.reviews for stretch in seen(log, 400).stretches] == counts


def test_nothing_of_nothing_is_neither_0_nor_1(log: Log) -> None:
    for stretch in seen(log, 0).stretches:
        for share in (stretch.young, stretch.mature, stretch.both):
            assert share.retention is None


def test_a_review_dated_ahead_is_in_no_stretch_and_in_no_streak(log: Log) -> None:
    story(log, (0, review("a/x", 4)), (1, review("a/x", 4)), (9, review("a/x", 4)))
    found = seen(log, 1)
    assert (found.stretches[-1].young.reviews, found.later) == (1, 1)
    assert (found.streak.longest, found.streak.studied) == (2, 2)
    assert found.reviews == 3


def test_a_deck_has_the_answers_of_its_own_cards_and_of_those_they_adopted(log: Log) -> None:
    story(log, (0, review("a/x", 4)), (1, review("b/x", 4)), (2, review("b/y", 4)))
    assert sum(day.reviews for day in seen(log, 2, ["a"]).days.values()) == 1
    story(log, (2, adopt("b/x", "a/z")))
    assert {d: found.reviews for d, found in seen(log, 2, ["a"]).days.items()} == {
        day(0): 1,
        day(1): 1,
    }
    assert seen(log, 2, ["b"]).reviews == 1
    assert seen(log, 2).reviews == 3


@pytest.mark.parametrize(
    ("studied", "today", "current", "longest"),
    [
        ([], 5, 0, 0),
        ([5], 5, 1, 1),
        ([4], 5, 1, 1),
        ([3], 5, 0, 1),
        ([3, 4, 5], 5, 3, 3),
        ([0, 1, 2, 4, 5], 5, 2, 3),
        ([0, 1, 2], 9, 0, 3),
        ([8, 9, 10], 9, 2, 2),
    ],
)
def test_a_streak_is_days_in_a_row_and_waits_until_today_is_over(
    studied: list[int], today: int, current: int, longest: int
) -> None:
    found = streak(map(day, studied), day(today))
    assert (found.current, found.longest) == (current, longest)


def test_a_single_drill_answer_keeps_a_streak(log: Log) -> None:
    story(log, (0, review("a/x", 4)), (1, drill("a/x", 4)))
    assert seen(log, 1).streak.current == 2


def test_s37_answer_and_undo_five_times_count_one_review(log: Log) -> None:
    for _ in range(5):
        write(log, 0, review("a/x", 1))
        log.undo(noon(0))
    write(log, 0, review("a/x", 4))
    found = seen(log, 0)
    assert (found.reviews, found.drills, found.streak.current) == (1, 0, 1)
    assert found.grades["new"] == {4: 1}
    log.undo(noon(0))
    nothing = seen(log, 0)
    assert (nothing.days, nothing.cards, nothing.streak.studied) == ({}, 0, 0)
    assert not any(nothing.hours)


@pytest.mark.parametrize(
    ("when", "hour"),
    [
        ("2026-03-02T23:50:00+01:00", 23),
        ("2026-03-03T01:30:00+01:00", 1),
        ("2026-10-25T02:30:00+02:00", 2),  # before the clocks go back
        ("2026-10-25T02:30:00+01:00", 2),  # and the same hour after it
        ("2026-03-29T03:00:00+02:00", 3),  # the instant after 01:59:59+01:00
        ("2026-06-01T00:15:00+05:45", 0),
        ("2026-06-01T21:15:00-09:30", 21),
    ],
)
def test_s33_an_hour_is_that_of_the_wall_clock_as_it_was_then(
    log: Log, when: str, hour: int
) -> None:
    log.write([review("a/x", 4)], moment(datetime.fromisoformat(when), 4, None))
    hours = seen(log, 0).hours
    assert [at for at, count in enumerate(hours) if count] == [hour]


def test_s24_cards_stuck_at_the_least_ease_have_a_bar_of_their_own(log: Log) -> None:
    for card, ease in (("a/x", 130), ("a/y", 131), ("a/z", 250)):
        story(log, (0, imported(card, ease=ease, interval=3, repetitions=2)))
    assert [(bar.least, bar.cards) for bar in seen(log, 0).eases if bar.cards] == [
        (130, 1),
        (131, 1),
        (250, 1),
    ]


@pytest.mark.parametrize("interval", [1, 2, 6, 7, 20, 21, 59, 60, 364, 365, 1094, 1095, 36_500])
def test_a_card_lies_in_the_bar_whose_ends_hold_its_interval(log: Log, interval: int) -> None:
    story(log, (0, imported("a/x", interval=interval)))
    bars = [bar for bar in seen(log, 0).intervals if bar.cards]
    assert len(bars) == 1
    assert bars[0].least <= interval <= (bars[0].most or 36_500)
    assert len(INTERVALS) == len(seen(log, 0).intervals)
    assert len(EASES) == len(seen(log, 0).eases)


def test_cards_that_no_deck_holds_count_among_the_answers_alone(log: Log) -> None:
    story(log, (0, review("a/x", 4)), (0, review("gone/x", 4)))
    found = seen(log, 0, held={"a/x"})
    assert (found.reviews, found.cards, found.gone) == (2, 1, 1)


def test_hard_cards_come_with_the_most_lapses_first_and_leeches_apart(log: Log) -> None:
    for card, lapses, ease in (
        ("a/few", 2, 130),
        ("a/leech", 8, 250),
        ("a/hard", 7, 250),
        ("a/worse", 12, 250),
        ("a/harder", 7, 200),
        ("a/fine", 0, 130),
    ):
        story(log, (0, imported(card, interval=3, repetitions=2, lapses=lapses, ease=ease)))
    found = seen(log, 0)
    assert [card.card for card in found.leeches] == ["a/worse", "a/leech"]
    assert [card.card for card in found.hardest] == ["a/harder", "a/hard", "a/few"]


def test_the_longest_interval_that_a_rule_allows_holds_for_the_bars(log: Log) -> None:
    story(log, (0, imported("a/x", interval=400, repetitions=5)), (1, cap(30)))
    assert [bar.least for bar in seen(log, 1).intervals if bar.cards] == [21]


CARDS = ("a/x", "a/y", "b/x")
ACTS = st.sampled_from(CARDS).flatmap(
    lambda card: st.one_of(
        st.integers(0, 5).map(lambda grade: review(card, grade)),
        st.integers(0, 5).map(lambda grade: drill(card, grade)),
        st.integers(1, 60).map(lambda days: imported(card, interval=days, repetitions=2)),
        st.just(reset(card)),
        st.just(None),
    )
)


@LAW
@given(st.lists(st.tuples(st.integers(0, 3), ACTS), max_size=25))
def test_every_count_agrees_with_the_history_of_each_card(
    acts: list[tuple[int, Draft | None]],
) -> None:
    with log_in_memory() as log:
        now = 0
        for later, draft in acts:
            now += later
            if draft is None:
                log.undo(noon(now))
            else:
                write(log, now, draft)
        counted: dict[tuple[str, str, int], int] = {}
        for card in CARDS:
            for key in _by_hand(log, card):
                counted[key] = counted.get(key, 0) + 1
        found = read(log).answers
        assert {(each.day, each.sort, each.grade): each.number for each in found} == counted


def _by_hand(log: Log, card: str) -> Iterator[tuple[str, str, int]]:
    """Sort the live answers of a card by what `card show` says each did."""
    assert names(card, log.aliases()) == {card}
    reviewed: date | None = None
    for row in log.past(card):
        event = row.event
        if row.undone:
            continue
        if event.kind == "reset":
            reviewed = None
        if event.grade is None:
            continue
        sort = "drill"
        if event.kind == "review" and event.day != reviewed:
            reviewed = event.day
            is_new = row.before.due is None
            sort = "new" if is_new else "mature" if row.before.interval > 20 else "young"
        yield event.day.isoformat(), sort, int(event.grade)


def test_seconds_are_added_up_by_day_and_none_is_made_up(log: Log) -> None:
    timed = review("a/x", 4)._replace(seconds=7.5)
    story(log, (0, timed), (0, review("a/y", 4)), (1, drill("a/x", 4)._replace(seconds=2.25)))
    assert [(found.reviews, found.seconds) for found in seen(log, 1).days.values()] == [
        (2, 7.5),
        (0, 2.25),
    ]
    assert [each.timed for each in read(log).answers if each.sort in REVIEWS] == [1]


def test_a_day_is_the_one_that_stands_in_the_row(log: Log) -> None:
    row = noon(0)._replace(day=date(2026, 2, 28) + timedelta(days=1))
    log.write([review("a/x", 4)], row)
    assert list(seen(log, 5).days) == [date(2026, 3, 1)]


def test_cards_of_a_deck_that_fsrs_schedules_have_no_ease(log: Log) -> None:
    story(log, (0, review("a/x", 4)), (0, review("b/x", 4)))
    found = read(log)
    rules = Rules(decks={"b": {"scheduler": "fsrs"}})
    both = stats(found, day(0), rules, {"a/x", "b/x"})
    assert (sum(bar.cards for bar in both.eases), both.without_ease, both.cards) == (1, 1, 2)
