"""Merging: rows of other logs come in once, checked, and in whatever order mean the same."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from attn_study.errors import UserError
from attn_study.memory.event import Draft, Event
from attn_study.memory.exchange.foreign import COLUMNS
from attn_study.memory.exchange.incoming import AHEAD
from attn_study.memory.exchange.merge import Merged, merge, rows_of
from attn_study.memory.fold import CardState
from attn_study.memory.nearest import LARGEST
from attn_study.memory.rows import event_row
from attn_study.memory.sm2 import Memory
from memory_helpers import (
    LAW,
    adopt,
    cap,
    day,
    drill,
    imported,
    log_in_memory,
    noon,
    replay,
    review,
    rows,
    states,
    told,
    uid,
    undo,
    write,
)
from test_fold import histories

if TYPE_CHECKING:
    from collections.abc import Iterator

    from attn_study.memory.log import Log

Row = dict[str, object]


@pytest.fixture
def log() -> Iterator[Log]:
    with log_in_memory() as empty:
        yield empty


def shown(*events: Event) -> list[Row]:
    """Return events as the columns of the table."""
    named = [dict(zip(COLUMNS, event_row(event), strict=True)) for event in events]
    return [row | {"data": json.loads(str(row["data"]))} for row in named]


def one(draft: Draft, **changes: object) -> Row:
    return shown(told((0, draft))[0])[0] | changes


# What comes in


def test_rows_that_are_new_come_in_as_they_are_and_those_that_are_known_once(log: Log) -> None:
    theirs = told((0, review("a/x", 4)), (1, Draft("a/x", "flag", data={"words": "√dₖ"})))
    assert merge(log, shown(*theirs)) == Merged(added=2, known=0)
    assert merge(log, shown(*theirs, theirs[0])) == Merged(added=0, known=3)
    assert rows(log.conn) == theirs
    assert log.state("a/x").memory == Memory(250, 1, 1, 0, day(1))


def test_what_a_log_shows_of_itself_is_taken_in_again_as_nothing_new(log: Log) -> None:
    write(log, 0, review("a/x", 4), imported("a/y", interval=3), cap(9), adopt("a/y", "a/z"))
    log.undo(noon(1))
    before = rows(log.conn), states(log.conn)
    assert merge(log, log.columns()) == Merged(added=0, known=5)
    assert (rows(log.conn), states(log.conn)) == before


def test_rows_of_an_empty_list_change_nothing(log: Log) -> None:
    assert merge(log, []) == Merged(0, 0)


def test_a_row_twice_in_one_list_comes_in_once(log: Log) -> None:
    row = one(review("a/x", 4))
    assert merge(log, [row, row]) == Merged(added=1, known=1)
    assert log.state("a/x").rows == 1


@LAW
@given(histories(), st.randoms(use_true_random=False), st.integers(1, 4))
def test_parts_merged_in_any_order_and_again_leave_what_a_replay_of_all_leaves(
    events: list[Event], dice: st.DataObject, parts: int
) -> None:
    shares: list[list[Event]] = [[] for _ in range(parts)]
    for event in events:
        shares[dice.randrange(parts)].append(event)  # type: ignore[attr-defined]
    shares += shares[: dice.randrange(parts + 1)]  # type: ignore[attr-defined]
    dice.shuffle(shares)  # type: ignore[attr-defined]
    with log_in_memory() as log:
        for share in shares:
            merge(log, shown(*share))
            assert states(log.conn) == replay(rows(log.conn))
        assert states(log.conn) == replay(events)
        assert len(rows(log.conn)) == len(events)


@LAW
@given(histories(), histories())
def test_two_logs_that_exchange_their_rows_know_the_same(
    ours: list[Event], theirs: list[Event]
) -> None:
    theirs = [
        event._replace(
            uid=f"f{event.uid[1:]}",
            data={k: f"f{v[1:]}" if k == "undone" else v for k, v in event.data.items()},  # type: ignore[index]
        )
        for event in theirs
    ]
    with log_in_memory() as here, log_in_memory() as there:
        merge(here, shown(*ours))
        merge(there, shown(*theirs))
        merge(here, there.columns())
        merge(there, here.columns())
        assert states(here.conn) == states(there.conn) == replay([*ours, *theirs])


OVERTAKEN = [
    (undo("a/x", 0), [review("a/x", 4)]),
    (undo("a/x", 0), [adopt("a/old", "a/x"), review("a/old", 4)]),
    (undo("", 0), [cap(3), review("a/x", 4), review("a/x", 4), review("a/x", 4)]),
    (adopt("a/x", "a/y"), [review("a/x", 4), review("a/y", 1)]),
    (cap(2), [review("a/x", 4), review("a/x", 4), review("a/x", 4)]),
]


@pytest.mark.parametrize(("early", "late"), OVERTAKEN, ids=lambda part: str(part)[:30])
def test_a_row_that_arrives_before_what_it_speaks_of_still_reaches_it(
    log: Log, early: Draft, late: list[Draft]
) -> None:
    events = told(*enumerate(late), (len(late), early))
    merge(log, shown(events[-1]))
    merge(log, shown(*events[:-1]))
    assert states(log.conn) == replay(events)


def test_a_rule_that_arrives_later_and_its_undo_reach_cards_that_no_row_names(log: Log) -> None:
    answers = [(number, review("a/x", 4)) for number in (0, 1, 7)]
    events = told(*answers, (8, cap(5)), (9, undo("", 3)))
    merge(log, shown(*events[:3]))
    assert log.state("a/x").memory.interval == 15
    merge(log, shown(events[3]))
    assert log.state("a/x").memory.interval == 5
    merge(log, shown(events[4]))
    assert log.state("a/x").memory.interval == 15


def test_an_adoption_from_elsewhere_moves_only_the_cards_it_names(log: Log) -> None:
    write(log, 0, review("a/x", 4), review("a/y", 4), review("b/z", 4), adopt("b/w", "b/z"))
    log.conn.execute("UPDATE card_state SET flag = 'not looked at' WHERE card LIKE 'b/%'")
    event = told((1, adopt("a/x", "a/y")))[0]._replace(tick=40)
    merge(log, shown(event))
    assert log.state("a/y").rows == 3
    assert log.state("a/x") == CardState("a/x")
    assert log.state("b/z").flag == "not looked at"


def test_what_is_written_next_comes_after_all_that_was_merged(log: Log) -> None:
    merge(log, [one(review("a/x", 4), tick=AHEAD)])
    (event,) = log.write([review("a/x", 4)], noon())
    assert event.tick == AHEAD + 1


def test_undo_takes_back_only_what_this_device_wrote_though_other_rows_came_later(
    log: Log,
) -> None:
    write(log, 0, review("a/x", 4))
    merge(log, [one(review("a/y", 4), device="elsewhere", tick=9)])
    assert [event.card for event in log.undo(noon())] == ["a/x"]
    assert log.undo(noon()) == []


def test_own_rows_that_come_back_are_undone_the_newest_first(log: Log) -> None:
    events = told((0, review("a/x", 4)), (1, review("a/y", 4)), (2, review("a/z", 4)))
    merge(log, shown(*reversed(events)))
    assert [log.undo(noon(3))[0].card for _ in events] == ["a/z", "a/y", "a/x"]


# What is refused


GOOD = review("a/x", 4)
BAD: dict[str, Row] = {
    "a uid too short": {"uid": "abc"},
    "a uid in capitals": {"uid": "A" * 32},
    "a uid that is a number": {"uid": 1},
    "a uid with a line end": {"uid": uid(1) + "\n"},
    "no device": {"device": ""},
    "a long device": {"device": "d" * 1001},
    "half a character": {"device": "\ud800"},
    "a tick of nothing": {"tick": 0},
    "a tick that leaves no room": {"tick": LARGEST + 1},
    "a tick that is true": {"tick": True},
    "a broken tick": {"tick": 1.5},
    "a batch that is none": {"batch": None},
    "a card without a deck": {"card": "x"},
    "a card of nothing": {"card": ""},
    "a card with a control character": {"card": "a/\x1b[2J"},
    "a kind of the future": {"kind": "quiz"},
    "a kind that is a list": {"kind": ["review"]},
    "no grade": {"grade": None},
    "a grade of 6": {"grade": 6},
    "a grade of -1": {"grade": -1},
    "a grade that is true": {"grade": True},
    "a suspended card with a grade": {"kind": "suspend"},
    "a day that is none": {"day": "2026-02-30"},
    "a day in another form": {"day": "20260302"},
    "a day as a number": {"day": 20260302},
    "a time without a zone": {"at": "2026-03-02T12:00:00.000"},
    "a time of another zone": {"at": "2026-03-02T12:00:00.000+01:00"},
    "a time in another form": {"at": "2026-03-02T12:00:00Z"},
    "a time that is none": {"at": "noon"},
    "an offset of a day": {"offset": 1440},
    "an offset of a text": {"offset": "0"},
    "a long answer": {"seconds": 60.5},
    "a negative answer": {"seconds": -0.5},
    "an answer that is no number": {"seconds": float("nan")},
    "an answer that is true": {"seconds": True},
    "data in a text": {"data": "{}"},
    "endless data": {"data": {"x": float("inf")}},
    "data with half a character": {"data": {"x": ["\udfff"]}},
    "a huge number": {"data": {"x": 10**5000}},
    "data of another type": {"data": {"x": {1, 2}}},
    "a key that is no text": {"data": {1: 2}},
    "too much data": {"data": {"x": "y" * 1_000_001}},
    "an undo of nothing": {"kind": "undo", "grade": None, "data": {}},
    "an undo of no uid": {"kind": "undo", "grade": None, "data": {"undone": "x"}},
    "an adoption of nothing": {"kind": "adopt", "grade": None},
    "an adoption of no card": {"kind": "adopt", "grade": None, "data": {"former": "x"}},
    "a column more": {"again": 1},
}


@pytest.mark.parametrize("changes", BAD.values(), ids=BAD)
def test_a_row_that_cannot_be_is_named_by_its_number_and_nothing_comes_in(
    log: Log, changes: Row
) -> None:
    write(log, 0, review("a/w", 4))
    before = rows(log.conn), states(log.conn)
    good = one(GOOD, uid=uid(70))
    with pytest.raises(UserError, match="row 2 of the log") as refused:
        merge(log, [good, one(GOOD, **changes), good])
    assert "nothing was taken in" in str(refused.value)
    assert (rows(log.conn), states(log.conn)) == before


@pytest.mark.parametrize("column", COLUMNS)
def test_a_row_that_lacks_a_column_is_refused(log: Log, column: str) -> None:
    row = one(GOOD)
    del row[column]
    with pytest.raises(UserError, match=f"row 1 of the log: `{column}` is missing"):
        merge(log, [row])


def test_data_nested_without_end_is_refused(log: Log) -> None:
    deep: object = 1
    for _ in range(100_000):
        deep = [deep]
    with pytest.raises(UserError, match="nested too deep"):
        merge(log, [one(GOOD, data={"x": deep})])


def test_what_is_no_row_at_all_is_refused(log: Log) -> None:
    with pytest.raises(UserError, match="row 1 of the log"):
        merge(log, ["review"])  # type: ignore[list-item]


@pytest.mark.parametrize("changes", [{"grade": 1}, {"data": {"x": 1}}, {"batch": "other"}])
def test_a_uid_that_says_something_else_here_is_refused_and_nothing_comes_in(
    log: Log, changes: Row
) -> None:
    merge(log, [one(GOOD)])
    before = rows(log.conn)
    with pytest.raises(UserError, match=r"row 2 of the log: 0{32} says otherwise"):
        merge(log, [one(GOOD, uid=uid(5)), one(GOOD, **changes)])
    with pytest.raises(UserError, match="row 3 of the log"):  # within one list as well
        merge(log, [one(GOOD, uid=uid(n), **more) for n, more in ((5, {}), (6, {}), (5, changes))])
    assert rows(log.conn) == before


def test_data_that_differ_in_kind_alone_are_not_the_same(log: Log) -> None:
    merge(log, [one(imported("a/x", interval=1))])
    with pytest.raises(UserError, match="says otherwise"):
        merge(log, [one(imported("a/x", interval=True))])


# What goes out


def test_the_rows_of_a_deck_are_those_that_count_for_its_cards_and_the_rules(log: Log) -> None:
    write(log, 0, review("b/old", 1), review("b/stays", 4), review("a/gone", 4), cap(5))
    write(log, 1, adopt("b/old", "a/x"), drill("a/x", 4), Draft("b/stays", "suspend"), cap(6))
    log.undo(noon(1))
    write(log, 2, review("a/given", 4), adopt("a/given", "c/taken"), review("ab/no", 4))
    found = [(row["card"], row["kind"]) for row in rows_of(log, "a")]
    assert found == [
        ("b/old", "review"),
        ("a/gone", "review"),
        ("", "rule"),
        ("a/x", "adopt"),
        ("a/x", "drill"),
        ("", "rule"),
        ("", "undo"),
    ]
    assert all("id" not in row for row in rows_of(log, "a"))


@LAW
@given(histories())
def test_the_rows_of_a_deck_make_the_same_states_in_an_empty_log(events: list[Event]) -> None:
    decks = {"a/x": "a/x", "a/y": "b/y", "a/z": "b/z"}
    moved = [
        event._replace(
            card=decks.get(event.card, event.card),
            data={key: decks.get(str(value), value) for key, value in event.data.items()},
        )
        for event in events
    ]
    with log_in_memory() as here, log_in_memory() as there:
        merge(here, shown(*moved))
        merge(there, rows_of(here, "b"))
        wanted = {card: state for card, state in states(here.conn).items() if card[0] == "b"}
        found = {card: state for card, state in states(there.conn).items() if card[0] == "b"}
        assert found == wanted
