"""Three devices apart, in any order of doing and meeting: they end up knowing the same."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from hypothesis import given
from hypothesis import strategies as st

from attn_study.memory.event import Draft
from attn_study.memory.exchange.merge import merge
from attn_study.memory.exchange.outgoing import outgoing
from attn_study.memory.replaying import replayed
from attn_study.memory.sm2 import Grade
from memory_helpers import LAW, adopt, cap, imported, noon, rows, states
from sync_helpers import devices, met

if TYPE_CHECKING:
    from collections.abc import Iterable

    from attn_study.memory.log import Log

CARDS = st.sampled_from(["a/x", "a/y", "a/z"])
GRADES = st.sampled_from(Grade)
DRAFTS = st.one_of(
    st.builds(
        Draft,
        CARDS,
        st.sampled_from(["review", "review", "drill"]),
        GRADES,
    ),
    st.builds(
        Draft,
        CARDS,
        st.sampled_from(["reset", "suspend", "resume", "bury", "flag", "unflag"]),
    ),
    st.builds(
        lambda card, days: imported(card, interval=days, ease=200), CARDS, st.integers(1, 40)
    ),
    st.builds(adopt, CARDS, CARDS),
    st.builds(cap, st.integers(1, 9)),
    st.sampled_from(["sm2", "fsrs"]).map(lambda who: Draft("", "rule", data={"scheduler": who})),
)
# What one of three devices does: writes a batch on a day, takes its last step back, or meets
STEPS = st.tuples(
    st.integers(0, 2),
    st.one_of(
        st.tuples(st.integers(0, 9), st.lists(DRAFTS, min_size=1, max_size=2)),
        st.sampled_from(["undo", "meet", "meet"]),
    ),
)
Step = tuple[int, Any]


def follow(logs: list[Log], steps: Iterable[Step], meet: Any) -> None:
    """Take the steps; after each the states are those of a replay of the whole log."""
    for number, step in steps:
        log = logs[number]
        if step == "undo":
            log.undo(noon(9))
        elif step == "meet":
            meet(log)
        else:
            log.write(step[1], noon(step[0]))
        assert states(log.conn) == {state.card: state for state in replayed(log)}


def same(logs: list[Log]) -> None:
    first, *others = logs
    for log in others:
        assert states(log.conn) == states(first.conn)
        assert sorted(map(repr, rows(log.conn))) == sorted(map(repr, rows(first.conn)))


@LAW
@given(st.lists(STEPS, max_size=16), st.permutations([0, 1, 2]))
def test_devices_that_meet_in_a_folder_know_the_same_whatever_the_order(
    steps: list[Step], order: list[int]
) -> None:
    with TemporaryDirectory() as name, devices("desk", "lap", "phone") as logs:
        follow(logs, steps, lambda log: met(log, Path(name)))
        for number in (*order, *order):
            met(logs[number], Path(name))
        same(logs)
        for log in logs:
            again = met(log, Path(name))
            assert (again.sent, again.received, again.odd) == (0, 0, ())


@LAW
@given(st.lists(STEPS, max_size=16), st.permutations([(a, b) for a in range(3) for b in range(3)]))
def test_logs_merged_in_any_order_and_twice_know_the_same(
    steps: list[Step], order: list[tuple[int, int]]
) -> None:
    with devices("desk", "lap", "phone") as logs:

        def meet(log: Log) -> None:
            merge(log, list(outgoing(logs[0])))

        follow(logs, steps, meet)
        for here, there in (*order, *order):
            merge(logs[here], list(outgoing(logs[there])))
        same(logs)
        for log in logs:
            known = states(log.conn)
            assert merge(log, list(outgoing(logs[0]))).added == 0
            assert states(log.conn) == known
