"""The fold: rows of the log go in, the state of every card comes out."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from attn_study.memory.event import KINDS, Draft, Event, Kind
from attn_study.memory.fold import CardState
from attn_study.memory.log import Log
from attn_study.memory.sm2 import INTERVAL_CAP, Grade, Memory
from memory_helpers import (
    DAY,
    LAW,
    NOWHERE,
    adopt,
    after,
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
    undo,
)

if TYPE_CHECKING:
    import random
    from collections.abc import Iterable

NUMBERS = st.one_of(
    st.none(), st.booleans(), st.integers(-2, 4_000_000), st.floats(), st.sampled_from(["", "soon"])
)
DUE_DAYS = st.one_of(NUMBERS, st.dates().map(str))
MEMORIES = st.fixed_dictionaries(
    {},
    optional={
        "ease": NUMBERS,
        "interval": NUMBERS,
        "repetitions": NUMBERS,
        "lapses": NUMBERS,
        "due": DUE_DAYS,
    },
)


@dataclass(frozen=True)
class Sketch:
    """What a row is made of; `target` says which earlier row an undo names."""

    kind: Kind
    card: str
    other: str
    device: str
    number: int
    tick: int
    grade: int
    target: int
    days: int

    def draft(self, memory: dict[str, object] | None = None) -> Draft:
        """Return the row that is to be written, unless it is an undo."""
        match self.kind:
            case "review" | "drill":
                return Draft(self.card, self.kind, Grade(self.grade))
            case "adopt":
                return adopt(self.other, self.card)
            case "rule":
                return cap(self.days)
            case "set":
                return imported(self.card, interval=self.days, ease=200, repetitions=self.grade)
            case _:
                return Draft(self.card, self.kind)


CARDS = st.sampled_from(["a/x", "a/y", "a/z"])


def sketches(*kinds: Kind) -> st.SearchStrategy[Sketch]:
    return st.builds(
        Sketch,
        kind=st.sampled_from(kinds or KINDS),
        card=CARDS,
        other=CARDS,
        device=st.sampled_from(["desk", "lap", "phone"]),
        number=st.integers(0, 12),
        tick=st.integers(1, 9),
        grade=st.integers(0, 5),
        target=st.integers(0, 50),
        days=st.integers(0, 40),
    )


def built(plans: list[Sketch]) -> list[Event]:
    """Return rows as three devices that do not know each other's ticks would write them."""
    events: list[Event] = []
    for plan, event in zip(plans, told(*[(p.number, p.draft()) for p in plans]), strict=True):
        row = event._replace(device=plan.device, tick=plan.tick)
        if plan.kind == "undo":
            target = events[plan.target % len(events)] if events else row
            row = row._replace(card=target.card, data={"undone": target.uid})
        events.append(row)
    return events


def histories(*kinds: Kind) -> st.SearchStrategy[list[Event]]:
    return st.lists(sketches(*kinds), max_size=16).map(built)


def known(events: Iterable[Event]) -> dict[str, CardState]:
    """Return what is true of the cards, leaving aside how many rows say so."""
    plain = {card: replace(state, rows=0) for card, state in replay(events).items()}
    return {card: state for card, state in plain.items() if state != CardState(card)}


def undoing(event: Event, number: int) -> Event:
    row = event._replace(uid="f" * 31 + str(number), kind="undo", grade=None)
    return row._replace(data={"undone": event.uid})


@LAW
@given(histories(), st.randoms(use_true_random=False))
def test_the_order_of_arrival_does_not_matter(events: list[Event], dice: random.Random) -> None:
    assert replay(dice.sample(events, len(events))) == replay(events)


@LAW
@given(histories(), sketches(*(kind for kind in KINDS if kind != "undo")))
def test_a_row_and_its_undo_are_nothing(events: list[Event], plan: Sketch) -> None:
    row = built([plan])[0]._replace(uid="f" * 32)
    assert known([*events, row, undoing(row, 0)]) == known(events)


@LAW
@given(histories(*KINDS, "undo", "undo", "undo"))
def test_an_undo_cannot_be_undone(events: list[Event]) -> None:
    more = [undoing(e, n % 10) for n, e in enumerate(events) if e.kind == "undo"]
    assert known([*events, *more]) == known(events)


@LAW
@given(histories("review", "drill", "set", "undo", "suspend", "bury"))
def test_only_the_first_live_review_of_a_card_and_day_schedules(events: list[Event]) -> None:
    dead = {e.data.get("undone") for e in events if e.kind == "undo"}
    scheduled: set[tuple[str, date]] = set()
    told_plainly = []
    for event in sorted(events, key=lambda e: e.order):
        place = (event.card, event.day)
        if event.kind == "review" and event.uid not in dead:
            plain = event._replace(kind="drill") if place in scheduled else event
            scheduled.add(place)
            told_plainly.append(plain)
        else:
            told_plainly.append(event)
    assert replay(told_plainly) == replay(events)


@LAW
@given(histories(*(kind for kind in KINDS if kind != "adopt")), CARDS, CARDS)
def test_an_adopted_card_is_as_if_its_rows_had_always_had_the_new_name(
    events: list[Event], former: str, card: str
) -> None:
    adoption = told((0, adopt(former, card)))[0]._replace(uid="f" * 32)
    renamed = [e._replace(card=card) if e.card == former else e for e in events]
    assert known([*events, adoption]) == known(renamed)


@LAW
@given(MEMORIES, st.integers(0, 5))
def test_any_imported_state_can_be_read_and_is_sound_after_the_next_answer(
    memory: dict[str, object], grade: int
) -> None:
    read = after((0, imported("a/x", **memory))).memory
    assert read.ease >= 130
    assert 1 <= read.interval <= INTERVAL_CAP
    assert min(read.repetitions, read.lapses) >= 0
    assert read.due is not None
    answered = after((0, imported("a/x", **memory)), (3, review("a/x", grade))).memory
    assert answered.due is not None
    assert 1 <= (answered.due - day(3)).days == answered.interval


@pytest.mark.parametrize(
    ("memory", "due"),
    [
        ({"due": "1738-05-01"}, date(1738, 5, 1)),
        ({"due": "soon"}, DAY),
        ({"due": None}, DAY),
        ({"interval": 3_000_000}, DAY),
        ({"interval": 12, "due": "2026-03-09"}, day(7)),
    ],
)
def test_an_imported_card_without_a_sound_due_day_is_due_at_once(
    memory: dict[str, object], due: date
) -> None:
    assert after((0, imported("a/x", **memory))).memory.due == due


def test_an_imported_due_day_beyond_every_interval_does_not_hide_the_card_for_ever() -> None:
    due = after((0, imported("a/x", interval=12, due="9999-12-31"))).memory.due
    assert due is not None
    assert (due - DAY).days <= INTERVAL_CAP


@settings(LAW, max_examples=60)
@given(st.lists(st.lists(sketches(*KINDS, "undo", "undo"), min_size=1, max_size=3), max_size=9))
def test_after_every_write_and_undo_the_kept_states_are_those_of_a_replay(
    batches: list[list[Sketch]],
) -> None:
    with log_in_memory() as log:
        for batch in batches:
            mine = Log(log.conn, batch[0].device, NOWHERE)
            drafts = [plan.draft() for plan in batch if plan.kind != "undo"]
            if drafts:
                mine.write(drafts, noon(batch[0].number))
            else:
                mine.undo(noon(batch[0].number))
            assert states(log.conn) == replay(rows(log.conn))


def test_answering_twice_on_one_day_schedules_once_and_counts_the_second_answer() -> None:
    state = after((0, review("a/x", 5)), (0, review("a/x", 1)))
    assert state.memory == Memory(260, 1, 1, 0, day(1))
    assert state.answer_grade == Grade.WRONG


def test_undoing_the_first_review_of_a_day_lets_the_second_schedule() -> None:
    story = [(0, review("a/x", 1)), (0, review("a/x", 5)), (0, undo("a/x", 0))]
    assert after(*story).memory == Memory(260, 1, 1, 0, day(1))


def test_past_answers_keep_their_day_whatever_the_rollover_is_later() -> None:
    midnight = told((0, review("a/x", 4)))[0]._replace(at="2026-03-03T01:30:00.000+00:00")
    assert replay([midnight])["a/x"].memory.due == day(1)


@pytest.mark.parametrize("grades", [[1], [5, 0, 3], [4, 4, 4, 1]])
def test_the_drill_changes_neither_factor_nor_interval_nor_due_day(grades: list[int]) -> None:
    first = after((0, review("a/x", 3)))
    drilled = after((0, review("a/x", 3)), *[(0, drill("a/x", q)) for q in grades])
    assert drilled.memory == first.memory
    assert drilled.first_day == drilled.review_day == DAY


def test_of_three_five_and_one_the_drill_asks_the_first_and_the_last_until_four() -> None:
    learned = [
        (number, review(card, 4))
        for number, card in [(-7, "a/a"), (-6, "a/a"), (-6, "a/b"), (-1, "a/c")]
    ]
    today = [(0, review("a/a", 3)), (0, review("a/b", 5)), (0, review("a/c", 1))]
    before = replay(told(*learned, *today))
    assert [card for card, state in before.items() if state.waits_for_drill(DAY)] == ["a/a", "a/c"]
    rounds = [(0, drill("a/a", 1)), (0, drill("a/c", 4)), (0, drill("a/a", 4))]
    done = replay(told(*learned, *today, *rounds))
    assert not any(state.waits_for_drill(DAY) for state in done.values())
    assert {card: state.memory for card, state in done.items()} == {
        card: state.memory for card, state in before.items()
    }
    assert done["a/a"].memory == Memory(236, 3, 15, 0, day(15))
    assert done["a/c"].memory == Memory(250, 0, 1, 1, day(1))


@pytest.mark.parametrize(
    ("story", "waits"),
    [
        ([], False),
        ([review("a/x", 0)], True),
        ([review("a/x", 3)], True),
        ([review("a/x", 4)], False),
        ([review("a/x", 3), drill("a/x", 1)], True),
        ([review("a/x", 1), drill("a/x", 4)], False),
        ([review("a/x", 1), drill("a/x", 4), undo("a/x", 1)], True),
        ([review("a/x", 1), undo("a/x", 0)], False),
        ([review("a/x", 5), review("a/x", 2)], True),
        ([review("a/x", 1), Draft("a/x", "reset")], False),
    ],
)
def test_a_card_waits_for_the_drill_while_its_last_answer_of_the_day_is_below_four(
    story: list[Draft], waits: bool
) -> None:
    state = after(*[(0, draft) for draft in story])
    assert state.waits_for_drill(DAY) is waits
    assert not state.waits_for_drill(day(1))
    assert not state.waits_for_drill(day(-1))


def test_a_reset_makes_the_card_new_and_clears_the_mark_of_the_day() -> None:
    past = [(0, review("a/x", 4)), (1, review("a/x", 1)), (1, Draft("a/x", "reset"))]
    assert after(*past).is_new
    assert not after(*past).was_shown
    again = after(*past, (1, review("a/x", 5)))
    assert again.memory == Memory(260, 1, 1, 0, day(2))
    assert again.first_day == again.review_day == day(1)


def test_a_reset_keeps_what_the_learner_said_of_the_card() -> None:
    said = [Draft("a/x", "suspend"), Draft("a/x", "flag", data={"words": "typo"})]
    state = after(*[(0, draft) for draft in [*said, Draft("a/x", "reset")]])
    assert (state.suspended, state.flag) == (True, "typo")


@pytest.mark.parametrize(
    ("kinds", "suspended", "flag"),
    [
        (["suspend"], True, ""),
        (["suspend", "resume"], False, ""),
        (["resume", "suspend"], True, ""),
        (["flag"], False, "flagged"),
        (["flag", "unflag"], False, ""),
    ],
)
def test_the_last_word_on_a_card_holds(kinds: list[Kind], suspended: bool, flag: str) -> None:
    state = after(*[(0, Draft("a/x", kind)) for kind in kinds])
    assert (state.suspended, state.flag) == (suspended, flag)


@pytest.mark.parametrize("kind", ["suspend", "resume", "bury", "flag", "unflag"])
def test_putting_a_card_aside_keeps_its_interval_and_due_day(kind: Kind) -> None:
    learned = [(0, review("a/x", 4)), (1, review("a/x", 4))]
    assert after(*learned, (2, Draft("a/x", kind))).memory == after(*learned).memory


def test_failing_a_new_card_is_no_lapse() -> None:
    assert after(*[(n, review("a/x", 1)) for n in range(10)]).memory.lapses == 0


def test_a_card_is_a_leech_from_its_eighth_lapse_and_undo_takes_that_back() -> None:
    forgotten = [(2 * n + k, review("a/x", 4 - 3 * k)) for n in range(8) for k in (0, 1)]
    assert after(*forgotten[:-1]).memory.lapses == 7
    assert not after(*forgotten[:-1]).is_leech
    assert after(*forgotten).memory.lapses == 8
    assert after(*forgotten).is_leech
    assert not after(*forgotten, (16, undo("a/x", 15))).is_leech


LEARNED = [(-3, review("a/x", 4)), (-2, review("a/y", 4)), (-1, review("a/z", 4))]


@pytest.mark.parametrize(
    ("adoptions", "repetitions"),
    [
        ([], {"a/x": 1, "a/y": 1, "a/z": 1}),
        ([adopt("a/x", "a/y")], {"a/y": 2, "a/z": 1}),
        ([adopt("a/x", "a/y"), adopt("a/y", "a/z")], {"a/z": 3}),
        ([adopt("a/x", "a/y"), adopt("a/x", "a/z")], {"a/y": 1, "a/z": 2}),
        ([adopt("a/x", "a/z"), adopt("a/y", "a/z")], {"a/z": 3}),
        ([adopt("a/x", "a/y"), adopt("a/y", "a/x")], {"a/x": 2, "a/z": 1}),
        ([adopt("a/y", "a/z"), adopt("a/x", "a/y")], {"a/y": 2, "a/z": 1}),
        ([adopt("a/x", "a/y"), adopt("a/y", "a/z"), adopt("a/z", "a/x")], {"a/x": 3}),
        ([adopt("a/x", "a/y"), undo("a/y", 3)], {"a/x": 1, "a/y": 1, "a/z": 1}),
        ([adopt("a/x", "a/y"), adopt("a/y", "a/z"), undo("a/z", 4)], {"a/y": 2, "a/z": 1}),
        ([adopt("a/x", "a/y"), adopt("a/y", "a/z"), undo("a/y", 3)], {"a/x": 1, "a/z": 2}),
        ([adopt("a/x", "a/x")], {"a/x": 1, "a/y": 1, "a/z": 1}),
    ],
    ids=[
        "none",
        "one",
        "chain",
        "another",
        "two",
        "back",
        "into one that had left",
        "cycle of three",
        "undone",
        "chain, its end undone",
        "chain, its start undone",
        "itself",
    ],
)
def test_adopted_rows_count_for_the_new_card(
    adoptions: list[Draft], repetitions: dict[str, int]
) -> None:
    found = replay(told(*LEARNED, *[(0, draft) for draft in adoptions]))
    assert {card: state.memory.repetitions for card, state in found.items()} == repetitions


def test_rows_written_under_the_old_name_after_the_adoption_count_for_the_new_card() -> None:
    later = [(0, adopt("a/x", "a/y")), (5, review("a/x", 4)), (6, Draft("a/x", "suspend"))]
    found = replay(told(*LEARNED, *later))
    assert (found["a/y"].memory.repetitions, found["a/y"].suspended) == (3, True)
    assert "a/x" not in found


GROWN = [(day_of, review("a/x", 4)) for day_of in (-22, -21, -15, 0)]


@pytest.mark.parametrize(
    ("rules", "interval"),
    [
        ([], 38),
        ([cap(20)], 20),
        ([cap(3)], 3),
        ([cap(20), cap(30)], 30),
        ([cap(20), undo("", 4)], 38),
        ([cap(20), cap(30), undo("", 5)], 20),
        ([cap(0)], 38),
        ([cap("long")], 38),
        ([cap(20), cap(40_000)], 20),
    ],
)
def test_the_newest_sound_cap_that_was_not_undone_holds_for_the_whole_log(
    rules: list[Draft], interval: int
) -> None:
    state = after(*GROWN, *[(0, rule) for rule in rules])
    assert state.memory.interval == interval
    assert state.memory.due == day(interval)


def test_the_cap_reaches_the_reviews_before_it_and_an_import() -> None:
    story = [(0, imported("a/x", interval=500, repetitions=6, due="2026-03-05")), (0, cap(100))]
    assert after(*story).memory.interval == 100
    assert after(*GROWN[:3], (1, cap(2)), (-1, review("a/x", 3))).memory.interval == 2


@pytest.mark.parametrize(
    ("story", "first", "latest"),
    [
        ([], None, None),
        ([(0, review("a/x", 1))], 0, 0),
        ([(0, review("a/x", 1)), (1, review("a/x", 4))], 0, 1),
        ([(0, drill("a/x", 4))], None, None),
        ([(0, imported("a/x", interval=9)), (1, review("a/x", 4))], None, 1),
        ([(0, review("a/x", 4)), (1, Draft("a/x", "reset")), (2, review("a/x", 4))], 2, 2),
    ],
)
def test_a_card_is_first_studied_on_the_day_it_stops_being_new(
    story: list[tuple[int, Draft]], first: int | None, latest: int | None
) -> None:
    state = after(*story)
    wanted = [None if number is None else day(number) for number in (first, latest)]
    assert [state.first_day, state.review_day] == wanted
