"""What comes due: the forecast against a study that is lived through day by day."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from attn_study.memory.event import Draft
from attn_study.memory.insight.coming import AHEAD, coming
from attn_study.memory.limits import Limit, Limits
from attn_study.memory.overview import overview
from attn_study.memory.queue import plan
from attn_study.memory.scope import Scope
from memory_helpers import LAW, day, entry, imported, log_in_memory, review, shelve, write

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from attn_study.memory.log import Log

NO_LIMIT = Limits(Limit(999, 999))
NO_NEW = Limits(Limit(0, 999))


@pytest.fixture
def log() -> Iterator[Log]:
    with log_in_memory() as found:
        yield found


def shelved(log: Log, notes: Sequence[Sequence[int]]) -> list[list[str]]:
    """Make a card for each number, due that many days from today; return the cards of each note.

    Their intervals are so long that none comes back for years once it was passed.
    """
    cards = [
        [f"a/n{note}:c{number}" for number in range(len(dues))] for note, dues in enumerate(notes)
    ]
    shelve(
        log.conn, *(entry(card, note=f"a/n{at}") for at, own in enumerate(cards) for card in own)
    )
    for own, dues in zip(cards, notes, strict=True):
        for card, due in zip(own, dues, strict=True):
            memory = imported(card, interval=900, repetitions=5, ease=250, due=str(day(due)))
            write(log, -60, memory)
    return cards


def lived(log: Log, days: int) -> list[int]:
    """Return how many cards the queue asks on each day, when all that it asks is passed."""
    found = []
    for number in range(days):
        due = plan(log, day(number), Scope(), NO_NEW).due
        found.append(len(due))
        write(log, number, *(review(card, 4) for card in due))
    return found


@LAW
@given(
    st.lists(st.lists(st.integers(-5, 12), min_size=1, max_size=4), max_size=6),
    st.sets(st.integers(0, 23), max_size=3),
    st.sets(st.integers(0, 23), max_size=3),
)
def test_s38_the_forecast_is_what_the_queue_asks_on_those_days(
    notes: list[list[int]], buried: set[int], answered: set[int]
) -> None:
    with log_in_memory() as log:
        cards = [card for own in shelved(log, notes) for card in own]
        write(log, 0, *(Draft(cards[at], "bury") for at in buried if at < len(cards)))
        write(log, 0, *(review(cards[at], 4) for at in answered if at < len(cards)))
        told = coming(log.conn, day(0), Scope(), ahead=18)
        assert told == lived(log, 19)


@LAW
@given(
    st.lists(st.lists(st.integers(-5, 6), min_size=1, max_size=3), max_size=5),
    st.sets(st.integers(0, 14), max_size=2),
)
@example([[0]], {0})  # nothing comes due later: what rests is all there is
def test_when_the_day_is_done_today_names_the_next_as_the_forecast_has_it(
    notes: list[list[int]], buried: set[int]
) -> None:
    with log_in_memory() as log:
        cards = [card for own in shelved(log, notes) for card in own]
        write(log, 0, *(Draft(cards[at], "bury") for at in buried if at < len(cards)))
        lived(log, 1)
        told = coming(log.conn, day(0), Scope())
        total, _ = overview(log, day(0), NO_NEW, ())
        after = next((at for at, count in enumerate(told) if count), None)
        if after is None:
            assert total.next_due is None or total.next_due > day(AHEAD)
        else:
            assert (total.next_due, total.coming) == (day(after), told[after])


def test_a_card_that_waits_for_its_sibling_comes_the_day_after(log: Log) -> None:
    shelved(log, [[0, 0, 0], [0], [1]])
    assert coming(log.conn, day(0), Scope(), ahead=3) == [2, 2, 1, 0]


def test_a_note_studied_today_is_counted_once_on_a_day(log: Log) -> None:
    ((first, _),) = shelved(log, [[0, 0]])
    write(log, 0, review(first, 1))  # comes back tomorrow, when the other waits too
    assert coming(log.conn, day(0), Scope(), ahead=3) == [0, 1, 1, 0]


def test_the_last_day_is_in_and_what_is_pushed_beyond_it_is_not(log: Log) -> None:
    shelved(log, [[AHEAD, AHEAD], [AHEAD + 1]])
    found = coming(log.conn, day(0), Scope())
    assert (len(found), found[-1], sum(found)) == (AHEAD + 1, 1, 1)


def test_a_due_day_that_cannot_be_read_is_today(log: Log) -> None:
    ((card,),) = shelved(log, [[9]])
    log.conn.execute("PRAGMA ignore_check_constraints = ON")  # as a database damaged by hand
    log.conn.execute("UPDATE card_state SET due = '2026-01-99' WHERE card = ?", [card])
    assert coming(log.conn, day(0), Scope(), ahead=1) == [1, 0]
    assert plan(log, day(0), Scope(), NO_LIMIT).due == (card,)
