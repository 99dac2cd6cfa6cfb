"""A backlog after a holiday: its order, its limits, and what `today` says of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from attn_study.memory.limits import Limit, Limits
from attn_study.memory.overview import backlog, overview
from attn_study.memory.queue import plan
from attn_study.memory.scope import Scope
from attn_study.render.today import Glance, today_lines
from memory_helpers import day, imported, log_in_memory, log_on_disk, noon, review, shelve

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from attn_study.memory.log import Log

OVERDUE, NEW = 800, 60
LIMITS = Limits(Limit(20, 100))


def away(log: Log) -> None:
    """Fill a study that was left alone: 800 cards overdue by 1 to 40 days, 60 new."""
    cards = [f"a/{number:03}" for number in range(OVERDUE + NEW)]
    shelve(log.conn, *cards)
    late = [
        imported(
            card, interval=1 + number % 30, repetitions=3, ease=250, due=str(day(-1 - number % 40))
        )
        for number, card in enumerate(cards[:OVERDUE])
    ]
    log.write(late, noon(-50))


@pytest.fixture
def log() -> Iterator[Log]:
    with log_in_memory() as found:
        away(found)
        yield found


def study_the_day(log: Log, number: int) -> tuple[list[str], list[str]]:
    """Pass all that is asked on a day, from a plan made anew; return due and new in order."""
    now = plan(log, day(number), Scope(), LIMITS)
    log.write([review(card, 4) for card in (*now.due, *now.new)], noon(number))
    return list(now.due), list(now.new)


def urgency(number: int) -> float:
    """Return how overdue the card of that number is on day 0, for its interval."""
    return (1 + number % 40) / (1 + number % 30)


def test_s39_the_first_day_asks_the_most_overdue_for_their_interval(log: Log) -> None:
    due, new = study_the_day(log, 0)
    asked = [urgency(int(card[2:])) for card in due]
    assert asked == sorted(asked, reverse=True)
    left = set(range(OVERDUE)) - {int(card[2:]) for card in due}
    assert max(map(urgency, left)) <= min(asked)
    assert new == [f"a/{number:03}" for number in range(OVERDUE, OVERDUE + 20)]


def test_s39_limits_hold_across_restarts(tmp_path: Path) -> None:
    with log_on_disk(tmp_path) as log:
        away(log)
        now = plan(log, day(0), Scope(), LIMITS)
        assert (len(now.due), len(now.new)) == (100, 20)
        log.write([review(card, 4) for card in (*now.due[:40], *now.new[:5])], noon(0))
    with log_on_disk(tmp_path) as log:
        after = plan(log, day(0), Scope(), LIMITS)
        assert after.due == now.due[40:]
        assert after.new == now.new[5:]
        log.write([review(card, 4) for card in (*after.due, *after.new)], noon(0))
    with log_on_disk(tmp_path) as log:
        done = plan(log, day(0), Scope(), LIMITS)
        assert (done.due, done.new) == ((), ())
        assert backlog(log.conn, day(0), Scope()).total() == OVERDUE - 100


def test_s39_nothing_is_lost_when_the_limit_cuts_the_list(log: Log) -> None:
    asked: list[str] = []
    for number in range(20):
        asked += study_the_day(log, number)[0]
    first = dict.fromkeys(asked)
    assert {f"a/{number:03}" for number in range(OVERDUE)} <= first.keys()


@pytest.mark.parametrize(
    ("a_day", "says"),
    [
        (200, "  800 waiting, 4 days at 200 a day"),
        (100, "  800 waiting, 8 days at 100 a day"),
        (300, "  800 waiting, 3 days at 300 a day"),
        (800, ""),
        (0, ""),
    ],
)
def test_s39_today_says_the_size_of_a_backlog_and_the_days_it_takes(
    log: Log, a_day: int, says: str
) -> None:
    total, _ = overview(log, day(0), Limits(Limit(20, a_day)), ())
    glance = Glance(
        day=day(0),
        total=total,
        decks={},
        sections=(),
        new_a_day=20,
        reviews_a_day=a_day,
        studied_before=True,
        kept_in="",
    )
    lines = [line.plain for line in today_lines(glance)]
    assert [line for line in lines if "waiting" in line] == ([says] if says else [])
    assert total.due == OVERDUE
    assert total.askable == min(OVERDUE, a_day)
