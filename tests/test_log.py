"""The log: what is added stays, and what is kept of it is always its replay."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from attn_study.errors import UserError
from attn_study.memory.database import transaction
from attn_study.memory.event import Draft, Event
from attn_study.memory.fold import CardState
from attn_study.memory.limits import done_on
from attn_study.memory.log import INSERT_EVENT, Log, StaleError
from attn_study.memory.rebuilding import rebuild
from attn_study.memory.rows import EVENT_COLUMNS, event_row
from attn_study.memory.sm2 import INTERVAL_CAP, Grade, Memory
from memory_helpers import (
    NOWHERE,
    adopt,
    cap,
    day,
    drill,
    log_in_memory,
    log_on_disk,
    noon,
    replay,
    review,
    rows,
    states,
    told,
    write,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from attn_study.memory.rules import Rules


@pytest.fixture
def log() -> Iterator[Log]:
    with log_in_memory() as empty:
        yield empty


def other(log: Log) -> Log:
    """Return the same log, written by another device."""
    return Log(log.conn, "elsewhere", log.path)


def merge(log: Log, *events: Event) -> None:
    """Add rows that came from another log."""
    with transaction(log.conn):
        log.conn.executemany(INSERT_EVENT, map(event_row, events))
        rebuild(log)


CHANGES = [
    "UPDATE log SET grade = 5",
    "UPDATE log SET data = data WHERE id = 1",
    "UPDATE OR REPLACE log SET uid = 'u' WHERE id = 1",
    "UPDATE OR IGNORE log SET grade = 5",
    "DELETE FROM log",
    "DELETE FROM log WHERE id = 1",
    "INSERT OR REPLACE INTO log SELECT * FROM log WHERE id = 1",
    "UPDATE log SET grade = NULL, kind = 'suspend'",
    f"REPLACE INTO log ({EVENT_COLUMNS}) SELECT {EVENT_COLUMNS} FROM log WHERE id = 1",
    "INSERT INTO log SELECT * FROM log WHERE true ON CONFLICT (id) DO UPDATE SET grade = 5",
]


@pytest.mark.parametrize("statement", CHANGES)
@pytest.mark.parametrize("reopened", [False, True], ids=["as made", "opened again"])
def test_no_statement_changes_a_row(tmp_path: Path, statement: str, reopened: bool) -> None:
    with log_on_disk(tmp_path) as log:
        write(log, 0, review("a/x", 1), review("a/y", 2))
        if not reopened:
            _refused(log, statement)
    with log_on_disk(tmp_path, write=not reopened) as log:
        _refused(log, statement)


def _refused(log: Log, statement: str) -> None:
    before = rows(log.conn)
    with pytest.raises(sqlite3.IntegrityError, match="append-only"):
        log.conn.execute(statement)
    assert rows(log.conn) == before


def test_the_triggers_that_keep_the_log_are_there(log: Log) -> None:
    query = "SELECT sql FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = 'log'"
    heads = {sql.partition("BEGIN")[0].split("BEFORE ")[1] for (sql,) in log.conn.execute(query)}
    assert {head.split()[0] for head in heads} == {"UPDATE", "DELETE"}
    assert not any("WHEN" in head or " OF " in head for head in heads)
    assert log.conn.execute("PRAGMA recursive_triggers").fetchone() == (1,)


def test_a_row_holds_what_was_written_when_and_by_whom(log: Log) -> None:
    draft = Draft("a/x", "review", Grade.HARD, 7.25, {"given": "√dₖ"})
    (event,) = log.write([draft], noon(3))
    assert rows(log.conn) == [event]
    assert (event.device, event.tick, event.day, event.offset) == ("here", 1, day(3), 0)
    assert event.at == "2026-03-05T12:00:00.000+00:00"
    assert (event.grade, event.seconds, event.data) == (3, 7.25, {"given": "√dₖ"})
    assert len(bytes.fromhex(event.uid)) == 16


def test_ticks_grow_by_one_whoever_writes_and_start_over_the_largest_merged(log: Log) -> None:
    write(log, 0, review("a/x", 1), review("a/y", 1))
    other(log).write([review("a/z", 1), drill("a/z", 4)], noon())
    merge(log, told((0, review("a/w", 4)))[0]._replace(tick=70))
    write(log, -5, review("a/x", 1))
    assert [event.tick for event in rows(log.conn)] == [1, 2, 3, 4, 70, 71]
    assert len({event.uid for event in rows(log.conn)}) == 6


def test_an_answer_to_a_card_that_changed_meanwhile_is_refused_and_nothing_is_written(
    log: Log,
) -> None:
    seen = log.state("a/x")
    write(other(log), 0, review("a/x", 4))
    before = rows(log.conn), states(log.conn)
    with pytest.raises(StaleError):
        log.write([review("a/y", 4), review("a/x", 4)], noon(), expecting=seen)
    assert (rows(log.conn), states(log.conn)) == before


@pytest.mark.parametrize("meanwhile", ["suspend", "flag", "bury", "reset", "undo"])
def test_any_row_of_the_card_makes_an_older_reading_stale(log: Log, meanwhile: str) -> None:
    write(log, 0, review("a/x", 4))
    seen = log.state("a/x")
    if meanwhile == "undo":
        log.undo(noon())
    else:
        write(log, 0, Draft("a/x", meanwhile))  # type: ignore[arg-type]
    with pytest.raises(StaleError):
        log.write([review("a/x", 4)], noon(1), expecting=seen)


def test_a_card_that_was_adopted_and_given_back_is_not_taken_for_what_it_was(log: Log) -> None:
    write(log, 0, review("a/old", 4))
    write(log, 1, review("a/x", 4), adopt("a/old", "a/x"))
    seen = log.state("a/x")
    log.undo(noon(1))
    with pytest.raises(StaleError):
        log.write([review("a/x", 4)], noon(2), expecting=seen)


def test_a_new_card_that_was_adopted_away_meanwhile_is_stale(log: Log) -> None:
    write(log, 0, review("a/old", 4))
    seen = log.state("a/old")
    write(other(log), 0, adopt("a/old", "a/x"))
    with pytest.raises(StaleError):
        log.write([review("a/old", 4)], noon(1), expecting=seen)


def test_an_answer_to_the_card_as_it_stands_is_written(log: Log) -> None:
    write(log, 0, review("a/other", 4))
    for number, grade in enumerate([4, 4, 1]):
        log.write([review("a/x", grade)], noon(number), expecting=log.state("a/x"))
    assert log.state("a/x").memory == Memory(250, 0, 1, 1, day(3))


BAD = [
    Draft("a/x", "review"),
    Draft("a/x", "suspend", Grade.HARD),
    Draft("a/x", "review", Grade.HARD, 60.5),
    Draft("a/x", "review", Grade.HARD, -0.1),
    Draft("a/x", "quiz"),  # type: ignore[arg-type]
]


@pytest.mark.parametrize("bad", BAD, ids=lambda draft: f"{draft.kind} {draft.seconds}")
def test_a_row_that_cannot_be_true_is_refused_with_its_whole_batch(log: Log, bad: Draft) -> None:
    write(log, 0, review("a/x", 4))
    before = rows(log.conn), states(log.conn)
    with pytest.raises(UserError):
        log.write([review("a/y", 4), bad], noon())
    assert (rows(log.conn), states(log.conn)) == before
    write(log, 0, review("a/y", 4))


def test_when_the_disk_is_full_the_learner_is_told_and_nothing_is_written(log: Log) -> None:
    write(log, 0, review("a/x", 4))
    before = rows(log.conn), states(log.conn)
    pages = log.conn.execute("PRAGMA page_count").fetchone()[0]
    log.conn.execute(f"PRAGMA max_page_count = {pages}")
    flag = Draft("a/x", "flag", data={"words": "w" * 20_000})
    with pytest.raises(UserError, match="full"):
        log.write([review("a/y", 4), flag], noon())
    assert (rows(log.conn), states(log.conn)) == before
    log.conn.execute("PRAGMA max_page_count = 100000")
    log.write([review("a/y", 4), flag], noon())
    assert log.state("a/x").flag == "w" * 20_000


def test_a_locked_log_is_said_to_be_in_use_and_nothing_is_written(tmp_path: Path) -> None:
    with log_on_disk(tmp_path) as log, log_on_disk(tmp_path) as busy:
        log.conn.execute("PRAGMA busy_timeout = 0")
        with transaction(busy.conn), pytest.raises(UserError, match="in use by another"):
            write(log, 0, review("a/x", 4))
        assert rows(log.conn) == []
        write(log, 0, review("a/x", 4))
        assert states(busy.conn) == replay(rows(busy.conn))


def test_an_undo_takes_back_a_whole_batch_and_names_its_rows_in_order(log: Log) -> None:
    write(log, 0, review("a/x", 4))
    batch = log.write([review("a/y", 1), Draft("a/z", "suspend")], noon())
    assert len({event.batch for event in batch}) == 1
    assert log.undo(noon()) == batch
    assert all(log.undone(event) for event in batch)
    assert not log.state("a/z").suspended
    assert log.state("a/y").is_new
    assert not log.state("a/x").is_new


def test_undo_goes_back_step_by_step_to_the_beginning(log: Log) -> None:
    drafts = [
        review("a/x", 4),
        cap(5),
        adopt("a/x", "a/y"),
        review("a/y", 1),
        Draft("a/y", "flag", data={"words": "typo"}),
    ]
    seen = []
    for number, draft in enumerate(drafts):
        seen.append(_known(log))
        write(log, number, draft)
    for draft, before in zip(reversed(drafts), reversed(seen), strict=True):
        assert [event.kind for event in log.undo(noon(9))] == [draft.kind]
        assert _known(log) == before
    assert log.undo(noon(9)) == []
    assert len(rows(log.conn)) == 2 * len(drafts)


def _known(log: Log) -> tuple[dict[str, CardState], dict[str, str], Rules]:
    plain = {card: replace(state, rows=0) for card, state in states(log.conn).items()}
    told_of = {card: state for card, state in plain.items() if state != CardState(card)}
    return told_of, log.aliases(), log.rules()


def test_undo_takes_back_only_what_this_device_wrote(log: Log) -> None:
    write(log, 0, review("a/mine", 4))
    write(other(log), 0, review("a/theirs", 4))
    assert [event.card for event in log.undo(noon())] == ["a/mine"]
    assert log.undo(noon()) == []
    assert not log.state("a/theirs").is_new


def test_taking_back_an_adoption_leaves_no_trace_of_an_id_without_rows(log: Log) -> None:
    write(log, 0, review("a/x", 4), adopt("a/never", "a/x"))
    log.undo(noon())
    assert states(log.conn) == replay(rows(log.conn))


def test_answering_and_undoing_five_times_counts_one_review(log: Log) -> None:
    for _ in range(5):
        write(log, 0, review("a/x", 4))
        assert done_on(log.conn, day(0)).new.total() == 1
        log.undo(noon())
        assert done_on(log.conn, day(0)).new.total() == 0
    write(log, 0, review("a/x", 4))
    done = done_on(log.conn, day(0))
    assert (done.new.total(), done.reviews.total()) == (1, 0)
    assert log.state("a/x").memory == Memory(250, 1, 1, 0, day(1))


def test_merged_rows_fold_as_if_written_here(log: Log) -> None:
    write(log, 1, review("a/x", 4))
    theirs = told((0, review("a/x", 1)), (2, review("a/x", 5)), (2, adopt("a/w", "a/x")))
    merge(log, *[event._replace(device="elsewhere") for event in theirs])
    write(log, 3, review("a/w", 4))
    assert states(log.conn) == replay(rows(log.conn))
    assert log.state("a/x").memory == Memory(260, 3, 16, 0, day(19))


def test_a_rebuild_gives_what_was_kept_step_by_step(log: Log) -> None:
    write(log, 0, review("a/x", 4), review("a/y", 1), adopt("a/y", "a/z"), cap(3))
    write(log, 1, review("a/x", 4), drill("a/z", 4), Draft("a/x", "bury"))
    log.undo(noon(1))
    kept = states(log.conn)
    log.conn.execute("DELETE FROM card_state WHERE card = 'a/x'")
    log.conn.execute("UPDATE card_state SET interval = 99")
    with transaction(log.conn):
        rebuild(log)
    assert states(log.conn) == kept == replay(rows(log.conn))


IMPOSSIBLE = [
    "interval = 'soon'",
    "interval = -1",
    "ease = 0",
    "due = 'soon'",
    "repetitions = -3",
    "lapses = -1",
]
STRANGE = [
    "interval = 0",
    "interval = 3000000",
    "due = ''",
    "due = '1738-01-01'",
    "due = '2026-02-30'",
    "due = '9999-12-31'",
    "due = NULL",
    "review_day = 'yesterday'",
    "review_day = '2031-01-01'",
    "answer_grade = 17",
]


@pytest.mark.parametrize("damage", IMPOSSIBLE)
def test_a_state_that_cannot_be_is_refused_by_the_table(log: Log, damage: str) -> None:
    write(log, 0, review("a/x", 4))
    with pytest.raises(sqlite3.IntegrityError):
        log.conn.execute(f"UPDATE card_state SET {damage}")


@pytest.mark.parametrize("damage", [*STRANGE, *IMPOSSIBLE[1:]])
def test_a_damaged_state_can_be_read_and_the_next_answer_makes_it_true_again(
    log: Log, damage: str
) -> None:
    write(log, 0, review("a/x", 4))
    log.conn.execute("PRAGMA ignore_check_constraints = ON")
    log.conn.execute(f"UPDATE card_state SET {damage}")
    log.conn.execute("PRAGMA ignore_check_constraints = OFF")
    state = log.state("a/x")
    assert state.memory.ease >= 130
    assert 0 <= state.memory.interval <= INTERVAL_CAP
    assert state.memory.repetitions >= 0 <= state.memory.lapses
    log.write([review("a/x", 4)], noon(1), expecting=state)
    assert states(log.conn) == replay(rows(log.conn))


def test_a_rule_and_its_undo_reach_every_card_at_once(log: Log) -> None:
    for number in (0, 1, 7):
        write(log, number, review("a/x", 4), review("a/y", 5))
    write(log, 7, cap(10))
    assert [log.state(card).memory.interval for card in ("a/x", "a/y")] == [10, 10]
    log.undo(noon(7))
    assert [log.state(card).memory.interval for card in ("a/x", "a/y")] == [15, 17]


def test_the_newest_day_is_that_of_any_row_at_all(log: Log) -> None:
    assert log.newest_day() is None
    write(log, 3, review("a/x", 4))
    write(log, 1, Draft("a/x", "flag"))
    assert log.newest_day() == day(3)
    log.undo(noon(5))
    assert log.newest_day() == day(5)


def test_the_history_of_a_card_has_every_row_that_counts_for_it_in_replay_order(log: Log) -> None:
    write(log, 2, review("a/x", 4), review("a/z", 4))
    write(log, 0, review("a/old", 1), adopt("a/old", "a/x"))
    write(log, 3, drill("a/x", 1))
    log.undo(noon(3))
    history = log.history("a/x")
    kinds = ["review", "adopt", "review", "drill", "undo"]
    assert [event.kind for event in history] == kinds
    assert [log.undone(event) for event in history] == [False, False, False, True, False]
    assert [event.kind for event in log.recent(2)] == ["undo", "drill"]
    assert (log.canonical("a/old"), log.canonical("a/z")) == ("a/x", "a/z")


def test_a_row_is_there_for_every_other_reader_as_soon_as_it_is_written(tmp_path: Path) -> None:
    with log_on_disk(tmp_path) as log:
        write(log, 0, review("a/x", 4))
        with closing(sqlite3.connect(tmp_path / "study.db")) as reader:
            assert [event.card for event in rows(reader)] == ["a/x"]
            assert states(reader)["a/x"] == log.state("a/x")


def test_a_log_kept_nowhere_still_takes_answers() -> None:
    with log_in_memory() as log:
        write(log, 0, review("a/x", 4))
        assert not NOWHERE.exists()
        assert log.state("a/x").memory.due == day(1)
