"""The queue: which cards a study day asks, in which order, and when it is done."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from attn_study.memory.event import Draft
from attn_study.memory.limits import Limit, Limits, done_on
from attn_study.memory.overview import backlog, due_on, next_due
from attn_study.memory.queue import Plan, plan
from attn_study.memory.scope import Scope
from memory_helpers import (
    DAY,
    LAW,
    adopt,
    day,
    drill,
    entry,
    imported,
    log_in_memory,
    log_on_disk,
    noon,
    review,
    rows,
    shelve,
    write,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from attn_study.memory.catalogue import Entry
    from attn_study.memory.log import Log

PLENTY = Limits(Limit(1000, 1000))


@pytest.fixture
def log() -> Iterator[Log]:
    with log_in_memory() as empty:
        yield empty


def todo(log: Log, number: int = 0, limits: Limits = PLENTY, scope: Scope | None = None) -> Plan:
    return plan(log, day(number), scope or Scope(), limits)


def waiting(card: str, interval: int, due: int) -> Draft:
    """Return the import of a card that is due `due` days after the first."""
    return imported(card, ease=250, repetitions=5, interval=interval, due=str(day(due)))


def note(*cards: str) -> list[Entry]:
    return [entry(card, note="a/n") for card in cards]


def sitting(log: Log, number: int = 0, limits: Limits = PLENTY, *, most: int = 50) -> list[str]:
    """Answer what is asked, always with a four, until nothing is; return what was asked."""
    asked: list[str] = []
    while (card := todo(log, number, limits).next()) is not None:
        assert len(asked) < most, f"asked without end: {asked[-5:]}"
        asked.append(card)
        again = log.state(card).review_day == day(number)
        write(log, number, drill(card, 4) if again else review(card, 4))
    return asked


def test_the_most_overdue_for_its_interval_comes_first(log: Log) -> None:
    shelve(log.conn, "a/half", "a/whole", "a/third", "a/today", "a/tomorrow")
    past = {"half": (10, -5), "whole": (2, -2), "third": (90, -30), "today": (1, 0)}
    write(log, -1, *[waiting(f"a/{name}", *dates) for name, dates in past.items()])
    write(log, -1, waiting("a/tomorrow", 1, 1))
    assert todo(log).due == ("a/whole", "a/half", "a/third", "a/today")


def test_of_cards_as_overdue_for_their_interval_the_one_due_first_comes_first(log: Log) -> None:
    shelve(log.conn, "a/2", "a/8", "a/4")
    write(log, -9, waiting("a/2", 2, -2), waiting("a/8", 8, -8), waiting("a/4", 4, -4))
    assert todo(log).due == ("a/8", "a/4", "a/2")


def test_cards_learned_together_come_in_an_order_of_their_own_each_day() -> None:
    names = [f"a/{number:02}" for number in range(20)]
    orders = []
    for shelf in (names, names[::-1]):
        with log_in_memory() as log:
            shelve(log.conn, *shelf)
            write(log, -9, *[waiting(card, 6, -1) for card in shelf])
            orders.append([todo(log, number).due for number in range(20)])
            assert orders[-1] == [todo(log, number).due for number in range(20)]
    assert orders[0] == orders[1]
    assert len(set(orders[0])) == 20
    assert len({order[0] for order in orders[0]}) > 5
    assert tuple(names) not in orders[0]


def test_due_cards_come_before_new_ones_and_the_drill_last(log: Log) -> None:
    shelve(log.conn, "a/new", "a/due", "a/failed")
    write(log, -9, waiting("a/due", 6, -1), waiting("a/failed", 6, -1))
    write(log, 0, review("a/failed", 1))
    today = todo(log)
    assert (today.due, today.new, today.drill) == (("a/due",), ("a/new",), ("a/failed",))
    assert sitting(log) == ["a/due", "a/new", "a/failed"]


def test_new_cards_come_deck_by_deck_in_the_order_of_their_files(log: Log) -> None:
    shelve(log.conn, "b/z", "b/a", "a/y", "b/m", "a/x")
    assert todo(log).new == ("b/z", "b/a", "b/m", "a/y", "a/x")


@pytest.mark.parametrize(
    ("cards", "order"),
    [
        ([entry("a/x", after=["a/y"]), entry("a/y")], "a/y a/x"),
        ([entry("a/x", after=["a/y"]), entry("a/y", after=["a/z"]), entry("a/z")], "a/z a/y a/x"),
        ([entry("a/x", after=["b/z"]), entry("a/y"), entry("b/z")], "a/y b/z a/x"),
        ([entry("a/x", after=["a/y", "a/z"]), entry("a/y"), entry("a/z")], "a/y a/z a/x"),
        ([entry("a/x", after=["a/gone", "c/gone"]), entry("a/y")], "a/x a/y"),
    ],
    ids=["one", "chain", "another deck", "two", "missing"],
)
def test_a_new_card_comes_after_those_it_names(log: Log, cards: list[Entry], order: str) -> None:
    shelve(log.conn, *cards)
    assert todo(log).new == tuple(order.split())


def test_a_card_named_by_another_is_asked_first_even_when_one_alone_is_allowed(log: Log) -> None:
    shelve(log.conn, entry("a/x", after=["b/z"]), "b/z")
    one = Limits(Limit(1, 0))
    assert [todo(log, number, one).new for number in (0, 1)] == [("b/z",), ("b/z",)]
    write(log, 0, review("b/z", 0))
    assert todo(log, 1, one).new == ("a/x",)


@pytest.mark.parametrize(
    ("before", "asked_first"),
    [
        ([], "a/first"),
        ([review("a/first", 0)], "a/x"),
        ([drill("a/first", 1)], "a/x"),
        ([imported("a/first", interval=9)], "a/x"),
        ([Draft("a/first", "suspend")], "a/x"),
        ([Draft("a/first", "suspend"), Draft("a/first", "resume")], "a/first"),
        ([Draft("a/first", "bury")], "a/x"),
        ([Draft("a/first", "flag")], "a/first"),
        ([review("a/first", 4), Draft("a/first", "reset")], "a/first"),
    ],
    ids=lambda value: value if isinstance(value, str) else " ".join(d.kind for d in value) or "-",
)
def test_any_answer_counts_as_shown_and_a_card_at_rest_holds_nobody_back(
    log: Log, before: list[Draft], asked_first: str
) -> None:
    shelve(log.conn, entry("a/x", after=["a/first"]), "a/first")
    write(log, 0, *before)
    assert todo(log, 0, Limits(Limit(2, 0))).next() == asked_first


def test_a_card_that_was_adopted_away_holds_nobody_back(log: Log) -> None:
    shelve(log.conn, entry("a/x", after=["a/old"]), "a/old", "a/new")
    write(log, 0, adopt("a/old", "a/new"))
    assert sorted(todo(log).new) == ["a/new", "a/x"]


@pytest.mark.parametrize("new", ["b/new", "b/gone"], ids=["out of scope", "missing"])
def test_a_card_adopted_by_one_that_is_not_asked_here_holds_nobody_back(log: Log, new: str) -> None:
    shelve(log.conn, entry("a/x", after=["a/old"]), "a/old", "b/new")
    write(log, 0, adopt("a/old", new))
    assert todo(log, scope=Scope(("a",))).new == ("a/x",)


def test_a_card_outside_the_sitting_holds_nobody_back(log: Log) -> None:
    shelve(log.conn, entry("a/x", after=["b/first"]), "b/first")
    assert todo(log, scope=Scope(("a",))).new == ("a/x",)
    assert todo(log, scope=Scope(("a", "b"))).new == ("b/first", "a/x")


@pytest.mark.parametrize(
    ("limits", "new", "due"),
    [
        (Limits(Limit(2, 3)), "a/n1 a/n2", 3),
        (Limits(Limit(9, 9), {"a": Limit(1, 2)}), "a/n1 b/n1 b/n2 b/n3", 5),
        (Limits(Limit(2, 2), {"a": Limit(1, 1)}), "a/n1 b/n1", 2),
        (Limits(Limit(2, 2), {"a": Limit(9, 9)}), "a/n1 a/n2", 2),
        (Limits(Limit(0, 0)), "", 0),
    ],
)
def test_a_day_has_a_limit_for_all_decks_together_and_for_each(
    log: Log, limits: Limits, new: str, due: int
) -> None:
    shelve(log.conn, *[f"{d}/{sort}{n}" for d in "ab" for sort in "nr" for n in (1, 2, 3)])
    write(log, -9, *[waiting(f"{d}/r{n}", 6, -1) for d in "ab" for n in (1, 2, 3)])
    today = todo(log, 0, limits)
    assert today.new == tuple(new.split())
    assert len(today.due) == due
    assert backlog(log.conn, DAY, Scope()) == {"a": 3, "b": 3}


def test_what_was_studied_counts_after_a_restart_and_in_every_scope(tmp_path: Path) -> None:
    names = [f"{deck}/{number}" for deck in "ab" for number in range(5)]
    limits = Limits(Limit(3, 9), {"b": Limit(1, 9)})
    with log_on_disk(tmp_path) as log:
        shelve(log.conn, *names)
        write(log, 0, review("b/0", 4), review("a/0", 4))
    with log_on_disk(tmp_path) as log:
        assert todo(log, 0, limits).new == ("a/1",)
        assert todo(log, 0, limits, Scope(("b",))).new == ()
        write(log, 0, review("a/1", 1), drill("a/1", 1), drill("a/1", 4))
    with log_on_disk(tmp_path, write=False) as log:
        assert todo(log, 0, limits).new == ()
        assert done_on(log.conn, DAY).new == {"a": 2, "b": 1}
        assert todo(log, 1, limits).new == ("a/2", "a/3", "a/4")


@pytest.mark.parametrize(
    ("drafts", "new", "reviews"),
    [
        ([], 0, 0),
        ([review("a/x", 1)], 1, 0),
        ([review("a/x", 1), review("a/x", 4), drill("a/x", 4)], 1, 0),
        ([drill("a/x", 4)], 0, 0),
        ([review("a/known", 1)], 0, 1),
        ([review("a/imported", 4)], 0, 1),
        ([review("a/x", 4), Draft("a/x", "reset")], 0, 0),
        ([review("a/x", 4), Draft("a/x", "reset"), review("a/x", 4)], 1, 0),
        ([review("a/x", 4), Draft("a/x", "suspend")], 1, 0),
    ],
)
def test_a_card_counts_once_a_day_as_new_or_as_reviewed(
    log: Log, drafts: list[Draft], new: int, reviews: int
) -> None:
    write(log, -1, review("a/known", 4), waiting("a/imported", 9, 0))
    write(log, 0, *drafts)
    done = done_on(log.conn, DAY)
    assert (done.new.total(), done.reviews.total()) == (new, reviews)


def test_an_undo_gives_back_what_the_answer_took_from_the_limit(log: Log) -> None:
    shelve(log.conn, "a/x", "a/y")
    one = Limits(Limit(1, 1))
    write(log, 0, review("a/x", 4))
    assert todo(log, 0, one).new == ()
    log.undo(noon())
    assert todo(log, 0, one).new == ("a/x",)


def test_of_a_note_one_card_a_day_is_asked_and_a_failed_one_comes_back_itself(log: Log) -> None:
    shelve(log.conn, *note("a/n:c1", "a/n:c2", "a/n:c3"))
    write(log, -9, *[waiting(f"a/n:c{n}", 6, -n) for n in (1, 2, 3)])
    today = todo(log)
    assert today.due == ("a/n:c3",)
    assert backlog(log.conn, DAY, Scope()) == {"a": 1}
    write(log, 0, review("a/n:c3", 1))
    today = todo(log)
    assert (today.due, today.drill) == ((), ("a/n:c3",))
    assert not backlog(log.conn, DAY, Scope())
    write(log, 0, drill("a/n:c3", 4))
    assert todo(log).next() is None
    assert todo(log, 1).due == ("a/n:c2",)
    assert sitting(log, 1) == ["a/n:c2"]
    assert sitting(log, 2) == ["a/n:c3"]


def test_an_undo_brings_the_siblings_back(log: Log) -> None:
    shelve(log.conn, *note("a/n", "a/n:reverse"))
    write(log, 0, review("a/n", 4))
    assert todo(log).next() is None
    log.undo(noon())
    assert todo(log).new == ("a/n",)
    write(log, 0, Draft("a/n", "suspend"))
    assert todo(log).new == ("a/n:reverse",)


def test_a_note_is_offered_once_even_when_one_card_is_due_and_another_new(log: Log) -> None:
    shelve(log.conn, *note("a/n:c1", "a/n:c2"), "a/other")
    write(log, -9, waiting("a/n:c2", 6, -1))
    today = todo(log)
    assert (today.due, today.new) == (("a/n:c2",), ("a/other",))
    assert sitting(log) == ["a/n:c2", "a/other"]


def test_a_drilled_card_hides_no_sibling(log: Log) -> None:
    shelve(log.conn, *note("a/n:c1", "a/n:c2"))
    write(log, 0, drill("a/n:c2", 4))
    assert todo(log).new == ("a/n:c1",)


def test_the_drill_asks_in_turn_whose_last_answer_was_below_four(log: Log) -> None:
    shelve(log.conn, "a/x", "a/y", "a/z", "b/w")
    write(log, 0, review("a/x", 3), review("a/y", 5), review("a/z", 1), review("b/w", 0))
    assert todo(log).drill == ("a/x", "a/z", "b/w")
    write(log, 0, drill("a/x", 1))
    assert todo(log).drill == ("a/z", "b/w", "a/x")
    assert todo(log, scope=Scope(("a",))).drill == ("a/z", "a/x")
    write(log, 0, drill("a/z", 4), Draft("b/w", "bury"), Draft("a/x", "suspend"))
    assert todo(log).drill == ()
    log.undo(noon())
    assert todo(log).drill == ("a/x",)
    assert todo(log, 1).drill == ()


def test_the_drill_is_there_whatever_the_limit(log: Log) -> None:
    shelve(log.conn, "a/x", "a/y")
    write(log, 0, review("a/x", 3))
    assert todo(log, 0, Limits(Limit(0, 0))).next() == "a/x"


@pytest.mark.parametrize("card", ["a/new", "a/due"])
def test_a_buried_card_rests_for_a_day_and_a_suspended_one_until_resumed(
    log: Log, card: str
) -> None:
    shelve(log.conn, "a/new", "a/due")
    write(log, -1, waiting("a/due", 6, -1))
    other = {"a/new": "a/due", "a/due": "a/new"}[card]
    write(log, 0, Draft(card, "bury"))
    assert {*todo(log).due, *todo(log).new} == {other}
    assert {*todo(log, 1).due, *todo(log, 1).new} == {card, other}
    write(log, 1, Draft(card, "suspend"))
    assert {*todo(log, 9).due, *todo(log, 9).new} == {other}
    write(log, 9, Draft(card, "resume"))
    assert {*todo(log, 9).due, *todo(log, 9).new} == {card, other}


def test_the_next_day_with_due_cards_is_known_with_how_many(log: Log) -> None:
    shelve(log.conn, "a/x", "b/y", "b/z", *note("a/n:c1", "a/n:c2"))
    assert next_due(log.conn, DAY, Scope()) is None
    write(log, 0, *[waiting(card, 6, 3) for card in ("b/y", "b/z", "a/n:c1", "a/n:c2")])
    write(log, 0, waiting("a/x", 6, 1), waiting("a/gone", 6, 1))
    assert next_due(log.conn, DAY, Scope()) == day(1)
    assert next_due(log.conn, day(1), Scope()) == day(3)
    assert next_due(log.conn, day(1), Scope(("b",))) == day(3)
    assert due_on(log.conn, day(3), Scope()) == {"a/n", "b/y", "b/z"}
    assert due_on(log.conn, day(3), Scope(("b",))) == {"b/y", "b/z"}
    write(log, 0, Draft("a/x", "suspend"))
    assert next_due(log.conn, DAY, Scope()) == day(3)


def test_after_a_holiday_the_most_overdue_come_first_and_nothing_is_lost(tmp_path: Path) -> None:
    known = [f"a/{number:03}" for number in range(800)]
    limits = Limits(Limit(20, 100))
    with log_on_disk(tmp_path) as log:
        shelve(log.conn, *known, *[f"a/new{number}" for number in range(30)])
        dates = [(1 + number % 40, -1 - number % 37) for number in range(800)]
        drafts = [waiting(card, *pair) for card, pair in zip(known, dates, strict=True)]
        log.write(drafts, noon(-50))
        today = todo(log, 0, limits)
        assert (len(today.due), len(today.new)) == (100, 20)
        assert backlog(log.conn, DAY, Scope()) == {"a": 800}
        ratio = dict(zip(known, (-due / interval for interval, due in dates), strict=True))
        left = set(known) - set(today.due)
        assert min(ratio[card] for card in today.due) >= max(ratio[card] for card in left)
        log.write([review(card, 4) for card in (*today.due[:60], *today.new)], noon())
    with log_on_disk(tmp_path) as log:
        again = todo(log, 0, limits)
        assert (again.due, again.new) == (today.due[60:], ())
        log.write([review(card, 4) for card in again.due], noon())
        assert todo(log, 0, limits).next() is None
        assert backlog(log.conn, DAY, Scope()) == {"a": 700}
        tomorrow = todo(log, 1, limits)
        assert (len(tomorrow.due), len(tomorrow.new)) == (100, 10)


@pytest.mark.parametrize(
    ("scope", "cards"),
    [
        (Scope(), "a/x a/y b/x b/y"),
        (Scope(("b",)), "b/x b/y"),
        (Scope(("b", "a")), "a/x a/y b/x b/y"),
        (Scope(section="7.1"), "a/x b/y"),
        (Scope(tag="mask"), "a/y b/y"),
        (Scope(("b",), tag="mask"), "b/y"),
        (Scope(("a",), section="7.1", tag="mask"), ""),
        (Scope(tag="mas"), ""),
    ],
)
@pytest.mark.parametrize("sort", ["new", "due", "drill"])
def test_a_sitting_is_about_the_decks_section_and_tag_asked_for(
    log: Log, sort: str, scope: Scope, cards: str
) -> None:
    shelved = [
        entry("a/x", section="7.1"),
        entry("a/y", section="7.2", tags=["x", "mask"]),
        entry("b/x", tags=["masking"]),
        entry("b/y", section="7.1", tags=["mask"]),
    ]
    shelve(log.conn, *shelved)
    if sort == "due":
        write(log, -9, *[waiting(card.card, 6, -1) for card in shelved])
    if sort == "drill":
        write(log, 0, *[review(card.card, 1) for card in shelved])
    today = todo(log, scope=scope)
    assert sorted(getattr(today, sort)) == cards.split()
    assert today.next() in {*cards.split(), None}


@pytest.mark.parametrize("before", [[], [review("a/old", 4)], [review("a/old", 1)]])
@pytest.mark.parametrize("number", [0, 1, 40])
def test_an_id_that_was_adopted_away_is_not_offered(
    log: Log, before: list[Draft], number: int
) -> None:
    shelve(log.conn, "a/old", "a/x")
    write(log, 0, *before, adopt("a/old", "a/x"))
    assert "a/old" not in sitting(log, number)


@pytest.mark.parametrize("due", [-3, 0])
def test_a_card_made_due_by_an_import_on_the_day_it_was_reviewed_waits_for_tomorrow(
    log: Log, due: int
) -> None:
    shelve(log.conn, "a/x")
    write(log, 0, review("a/x", 4), waiting("a/x", 6, due))
    assert sitting(log) == []
    assert sitting(log, 1) == ["a/x"]


@pytest.mark.parametrize("damage", ["''", "'1738-01-01'"])
def test_a_card_whose_due_day_was_damaged_is_asked_once_and_first(log: Log, damage: str) -> None:
    shelve(log.conn, "a/x", "a/y")
    write(log, -20, waiting("a/x", 6, 30), waiting("a/y", 1, -15))
    log.conn.execute(f"UPDATE card_state SET due = {damage} WHERE card = 'a/x'")
    assert sitting(log) == ["a/x", "a/y"]


KINDS = ["review", "review", "set", "reset", "suspend", "resume", "bury", "adopt", "undo"]
STORIES = st.lists(
    st.tuples(
        st.sampled_from(KINDS),
        st.sampled_from(["a/n:c1", "a/n:c2", "a/x", "b/y"]),
        st.sampled_from(["a/n:c1", "a/x", "b/y"]),
        st.integers(-3, 0),
        st.integers(0, 5),
    ),
    max_size=10,
)


@settings(LAW, max_examples=50)
@given(STORIES)
def test_every_sitting_ends_and_asks_no_card_twice_unless_in_the_drill(
    story: list[tuple[str, str, str, int, int]],
) -> None:
    with log_in_memory() as log:
        shelve(log.conn, *note("a/n:c1", "a/n:c2"), entry("a/x", after=["b/y"]), "b/y")
        for kind, card, former, number, grade in story:
            _write(log, kind, card, former, number, grade)
        before = len(rows(log.conn))
        sitting(log, most=8)
        reviewed = [e.card for e in rows(log.conn)[before:] if e.kind == "review"]
        assert len(reviewed) == len(set(reviewed))
        notes = [card.partition(":")[0] for card in reviewed]
        assert len(notes) == len(set(notes))


def _write(log: Log, kind: str, card: str, former: str, number: int, grade: int) -> None:
    match kind:
        case "undo":
            log.undo(noon(number))
        case "review":
            write(log, number, review(card, grade))
        case "drill":
            write(log, number, drill(card, grade))
        case "set":
            write(log, number, waiting(card, grade + 1, number))
        case "adopt":
            write(log, number, adopt(former, card))
        case _:
            write(log, number, Draft(card, kind))  # type: ignore[arg-type]


@pytest.mark.parametrize("kind", ["review", "drill", "set", "reset", "suspend", "bury"])
def test_rows_written_under_a_clock_months_ahead_do_not_make_a_sitting_endless(
    log: Log, kind: str
) -> None:
    shelve(log.conn, "a/x", "a/y")
    write(log, -1, review("a/x", 4))
    _write(log, kind, "a/x", "", 200, 1)
    assert len(sitting(log, most=6)) <= 3


def test_no_daily_statement_reads_the_whole_log(log: Log) -> None:
    shelve(log.conn, entry("a/x", after=["a/y"]), "a/y")
    write(log, 0, review("a/y", 1), adopt("a/old", "a/y"))
    said: list[str] = []
    log.conn.set_trace_callback(said.append)
    log.write([review("a/x", 4)], noon(1), expecting=log.state("a/x"))
    log.undo(noon(1))
    todo(log, 1)
    next_due(log.conn, day(1), Scope())
    assert log.newest_day() == day(1)
    log.conn.set_trace_callback(None)
    asked = [text for text in said if text.lstrip().startswith("SELECT") and "log" in text]
    assert len(asked) > 5
    for text in asked:
        steps = [row[3] for row in log.conn.execute(f"EXPLAIN QUERY PLAN {text}")]
        assert not any(step == "SCAN log" for step in steps), text


def test_a_plan_writes_nothing(log: Log) -> None:
    shelve(log.conn, "a/x", "a/y")
    write(log, 0, review("a/x", 1))
    before = log.conn.total_changes
    todo(log)
    todo(log, 1)
    assert log.conn.total_changes == before
