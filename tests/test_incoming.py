"""Rows that wait beside the log: they go in a part at a time, and others write in between."""

from __future__ import annotations

import tracemalloc
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest

from attn_study.errors import UserError
from attn_study.memory.exchange.incoming import waiting
from attn_study.memory.exchange.merge import merge
from attn_study.memory.sync.exchange import sync
from attn_study.memory.sync.folder import prepare
from memory_helpers import (
    adopt,
    log_in_memory,
    log_on_disk,
    noon,
    replay,
    review,
    rows,
    states,
    told,
    undo,
    write,
)
from test_merge import shown

if TYPE_CHECKING:
    from pathlib import Path

    from attn_study.memory.event import Event
    from attn_study.memory.exchange.incoming import Refused, Stage
    from attn_study.memory.log import Log


def nothing(refused: list[Refused]) -> None:
    assert refused == []


def batches(*sizes: int) -> list[Event]:
    """Return answers of one device in batches of these sizes."""
    names = [f"{number:016x}" for number, size in enumerate(sizes) for _ in range(size)]
    events = told(*((0, review(f"a/{n}", 4)) for n in range(len(names))))
    return [event._replace(batch=name) for event, name in zip(events, names, strict=True)]


def parts(log: Log, events: list[Event], at_once: int) -> list[int]:
    """Take rows in; return how many went in together each time."""
    done = [0]

    def tell(stage: Stage, number: int) -> None:
        if stage == "taken in":
            done.append(number)

    with waiting(log, tell) as incoming:
        for line, event in enumerate(events):
            incoming.put("x", line, event)
        incoming.take_in(nothing, at_once)
    return [after - before for before, after in pairwise(done)]


def test_rows_go_in_a_part_at_a_time_and_a_batch_is_never_parted() -> None:
    with log_in_memory() as log:
        assert parts(log, batches(1, 1, 1, 5, 1, 2, 1), at_once=3) == [3, 5, 3, 1]
        assert len(log.undo(noon(1))) == 1
        assert len(log.undo(noon(1))) == 2  # a batch is still one step


def test_batches_of_devices_that_wrote_at_the_same_time_stay_whole() -> None:
    ours, theirs = batches(2, 2, 2), batches(3, 3)
    others = [one._replace(uid=f"f{one.uid[1:]}", device="lap") for one in theirs]
    with log_in_memory() as log:
        assert sum(parts(log, [*others, *ours], at_once=1)) == 12
        order = [(event.device, event.batch) for event in rows(log.conn)]
        changes = sum(one != other for one, other in pairwise(order))
        assert changes == len(set(order)) - 1
        assert states(log.conn) == replay([*others, *ours])


def test_between_two_parts_another_process_writes_and_nothing_comes_in_twice(
    tmp_path: Path,
) -> None:
    events = batches(1, 1, 1, 1)
    with log_on_disk(tmp_path, "desk") as log, log_on_disk(tmp_path, "desk") as other:

        def tell(stage: Stage, number: int) -> None:
            if stage == "taken in" and number == 1:  # an answer, and one of the rows that wait
                write(other, 1, review("a/0", 4))
                merge(other, shown(events[2]))

        with waiting(log, tell) as incoming:
            for line, event in enumerate(events):
                incoming.put("x", line, event)
            incoming.take_in(nothing, 1)
            assert sum(incoming.taken("card").values()) == 3
        assert [event.card for event in rows(log.conn)] == ["a/0", "a/0", "a/2", "a/1", "a/3"]
        assert states(log.conn) == replay(rows(log.conn))


def test_many_cards_are_folded_at_once_as_they_are_one_by_one() -> None:
    """Adoptions, undos and more cards than are folded one by one."""
    story = [(n % 5, review(f"a/{n % 40}", n % 6)) for n in range(200)]
    events = told(*story, (5, adopt("a/1", "a/2")), (5, undo("a/3", 3)), (6, review("a/1", 4)))
    with log_in_memory() as log:
        write(log, 0, adopt("a/7", "a/8"), review("a/8", 2))
        before = rows(log.conn)
        merge(log, shown(*(event._replace(tick=event.tick + 9) for event in events)))
        moved = [event._replace(tick=event.tick + 9) for event in events]
        assert states(log.conn) == replay([*before, *moved])


STRANGE = "row 2 of the log: it takes back a row of another card"


def test_an_undo_that_names_a_row_of_another_card_is_refused() -> None:
    story = told((0, review("a/x", 4)), (1, undo("a/y", 0)))
    with log_in_memory() as log:
        with pytest.raises(UserError, match=STRANGE):
            merge(log, shown(*story))
        merge(log, shown(story[0]))
        with pytest.raises(UserError, match=STRANGE.replace("2", "1")):
            merge(log, shown(story[1]))
        assert [event.card for event in log.undo(noon(2))] == ["a/x"]  # it counts as not undone
        assert log.state("a/x").is_new


def test_an_undo_before_the_row_it_names_is_taken_in() -> None:
    story = told((0, review("a/x", 4)), (1, undo("a/x", 0)))
    with log_in_memory() as log:
        merge(log, shown(story[1]))
        merge(log, shown(story[0]))
        assert log.state("a/x").is_new


def peak(number: int, box: Path) -> int:
    """The most memory that Python held while so many rows went out and came in, in bytes."""
    with log_in_memory("desk") as desk, log_in_memory("lap") as lap:
        with desk.writing():
            events = batches(*[1] * number)
            desk.take_in([event._replace(card=f"a/{event.tick % 9}") for event in events])
        tracemalloc.start()
        sync(desk, prepare(box))
        assert sync(lap, prepare(box)).received == number
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return most


def test_a_longer_log_takes_no_more_memory(tmp_path: Path) -> None:
    for name in ("few", "many"):
        (tmp_path / name).mkdir()
    few, many = peak(2_000, tmp_path / "few"), peak(6_000, tmp_path / "many")
    assert many < 1.5 * few
