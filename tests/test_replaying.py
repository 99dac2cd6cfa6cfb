"""Replaying the whole log from the database: the same states as the fold of its rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import given

from attn_study.memory.database import transaction
from attn_study.memory.event import Draft
from attn_study.memory.replaying import histories, replayed
from memory_helpers import (
    LAW,
    adopt,
    cap,
    drill,
    log_in_memory,
    noon,
    replay,
    review,
    rows,
    states,
    write,
)
from test_fold import histories as stories

if TYPE_CHECKING:
    from attn_study.memory.event import Event


@LAW
@given(stories())
def test_replaying_the_log_gives_what_its_rows_fold_to(events: list[Event]) -> None:
    with log_in_memory() as log:
        with transaction(log.conn):
            log.take_in(events)
        found = list(replayed(log))
        assert {state.card: state for state in found} == replay(events) == states(log.conn)
        assert len(found) == len(states(log.conn))


@LAW
@given(stories())
def test_a_history_holds_the_live_rows_of_a_card_in_replay_order(events: list[Event]) -> None:
    dead = {event.data["undone"] for event in events if event.kind == "undo"}
    with log_in_memory() as log:
        with transaction(log.conn):
            log.take_in(events)
        found = dict(histories(log))
    uids = [row[2] for own in found.values() for row in own]
    live = {e.uid for e in events if e.card and e.kind != "undo" and e.uid not in dead}
    assert sorted(uids) == sorted(live)
    assert all(own == sorted(own) for own in found.values())


def test_the_rows_of_an_adopted_card_come_with_those_of_its_heir() -> None:
    with log_in_memory() as log:
        write(log, 0, review("a/x", 4), review("a/y", 1))
        write(log, 1, adopt("a/x", "a/y"), adopt("a/y", "a/z"), drill("a/x", 4))
        found = dict(histories(log))
    kinds = {card: [(row[3], row[4]) for row in own] for card, own in found.items()}
    assert kinds == {
        "a/z": [
            ("a/x", "review"),
            ("a/y", "review"),
            ("a/y", "adopt"),
            ("a/z", "adopt"),
            ("a/x", "drill"),
        ]
    }


def test_an_undo_takes_back_only_rows_of_its_own_card() -> None:
    """No device writes another; one that was made by hand counts alike however it is folded."""
    with log_in_memory() as log:
        write(log, 0, review("a/x", 4), review("a/y", 4))
        named = {row.card: row.uid for row in rows(log.conn)}
        write(log, 0, Draft("a/y", "undo", data={"undone": named["a/x"]}))
        assert {state.card: state for state in replayed(log)} == states(log.conn)
        assert not log.state("a/x").is_new


def test_a_card_whose_rows_were_all_taken_back_has_an_empty_history() -> None:
    with log_in_memory() as log:
        write(log, 0, cap(9), review("a/x", 4))
        log.undo(noon())
        assert dict(histories(log)) == {"a/x": []}
        (state,) = replayed(log)
        assert (state.card, state.is_new, state.rows) == ("a/x", True, 2)


def test_a_flag_keeps_its_words_through_a_replay() -> None:
    with log_in_memory() as log:
        write(log, 0, Draft("a/x", "flag", data={"words": "two answers fit"}))
        assert [state.flag for state in replayed(log)] == ["two answers fit"]
        assert len(rows(log.conn)) == 1
