"""Sync: every device writes one file of a folder and reads all, whatever befalls the files."""

from __future__ import annotations

import json
import os
from contextlib import suppress
from datetime import UTC, datetime, timedelta, timezone
from typing import TYPE_CHECKING, BinaryIO
from zlib import crc32

import pytest

from attn_study.errors import UserError
from attn_study.memory.event import Draft
from attn_study.memory.exchange.incoming import AHEAD, Incoming
from attn_study.memory.exchange.merge import merge
from attn_study.memory.exchange.outgoing import outgoing
from attn_study.memory.rebuilding import catch_up
from attn_study.memory.sync import reading
from attn_study.memory.sync.exchange import sync
from attn_study.memory.sync.folder import LOGS, prepare
from attn_study.memory.sync.lines import line_of
from attn_study.memory.sync.reading import NAMED
from memory_helpers import (
    NO_RIGHTS,
    day,
    folder_for_all,
    log_in_memory,
    log_on_disk,
    noon,
    read_only,
    review,
    told,
    uid,
    write,
)
from sync_helpers import devices, known, met, odd, own, uids
from test_merge import shown

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from attn_study.memory.event import Event
    from attn_study.memory.log import Log
    from attn_study.memory.sync.reading import Place, Reading


@pytest.fixture
def looked_at(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of files that were opened to be read."""
    names: list[str] = []

    def read(path: Path, place: Place, keep: Callable[[int, Event], None]) -> Reading:
        names.append(path.name)
        return reading.read(path, place, keep)

    monkeypatch.setattr("attn_study.memory.sync.exchange.read", read)
    return names


def lines(path: Path) -> list[bytes]:
    return path.read_bytes().splitlines(keepends=True)


# What goes and comes


def test_each_device_gets_the_rows_of_the_other_and_then_nothing_is_new(
    two: list[Log], box: Path
) -> None:
    desk, lap = two
    write(desk, 0, review("a/x", 4), review("a/y", 1))
    write(lap, 0, review("a/z", 5))
    assert (met(desk, box).sent, met(lap, box).sent) == (2, 1)
    done = met(desk, box)
    assert (done.sent, done.received, set(done.cards)) == (0, 1, {"a/z"})
    assert uids(desk) == uids(lap)
    assert known(desk) == known(lap)
    before = {path: path.read_bytes() for path in (box / LOGS).iterdir()}
    for log in (desk, lap):
        again = met(log, box)
        assert (again.sent, again.received, again.odd) == (0, 0, ())
    assert {path: path.read_bytes() for path in (box / LOGS).iterdir()} == before


def test_a_line_is_plain_json_with_the_columns_of_the_log_and_a_checksum(
    two: list[Log], box: Path
) -> None:
    desk, _ = two
    write(desk, 0, Draft("a/x", "flag", data={"words": "√dₖ"}))
    met(desk, box)
    (line,) = lines(own(box, desk))
    found = json.loads(line)
    (row,) = desk.columns()
    del row["id"]
    assert found["row"] == row
    text = json.dumps(row, sort_keys=True, separators=(",", ":"))
    assert found["check"] == format(crc32(text.encode("ascii")), "08x")
    assert "each of your devices" in (box / LOGS / "README.txt").read_text(encoding="utf-8")


def test_a_third_device_repeats_nothing_that_the_folder_holds(two: list[Log], box: Path) -> None:
    desk, lap = two
    write(desk, 0, review("a/x", 4))
    met(desk, box)
    met(lap, box)
    assert not own(box, lap).exists()
    write(lap, 1, review("a/x", 4))
    assert met(lap, box).sent == 1
    assert len(lines(own(box, lap))) == 1


def test_rows_of_an_older_device_that_no_file_holds_go_into_the_own_file(
    two: list[Log], box: Path
) -> None:
    desk, lap = two
    merge(desk, shown(*told((0, review("a/x", 4)))))  # a copied home: its device was "here"
    assert met(desk, box).sent == 1
    assert [path.name for path in (box / LOGS).glob("*.jsonl")] == ["desk.jsonl"]
    met(lap, box)
    assert uids(lap) == uids(desk)


def test_a_row_that_both_have_by_import_goes_there_once(two: list[Log], box: Path) -> None:
    for log in two:
        merge(log, shown(*told((0, review("a/x", 4)))))
    assert [met(log, box).sent for log in two] == [1, 0]


def test_undo_takes_back_only_what_this_device_wrote_and_reaches_the_others(
    two: list[Log], box: Path
) -> None:
    desk, lap = two
    write(desk, 0, review("a/x", 4))
    met(desk, box)
    met(lap, box)
    write(lap, 0, review("a/y", 4))
    met(lap, box)
    met(desk, box)
    assert [event.card for event in desk.undo(noon())] == ["a/x"]
    assert desk.undo(noon()) == []
    met(desk, box)
    met(lap, box)
    assert known(desk) == known(lap)
    assert lap.state("a/x").is_new
    assert not lap.state("a/y").is_new


def test_a_study_day_stays_the_one_it_was_written_for(two: list[Log], box: Path) -> None:
    desk, lap = two
    tokyo = datetime(2026, 3, 3, 7, tzinfo=timezone(timedelta(hours=9)))
    desk.write([review("a/x", 4)], desk.moment(tokyo, 4))
    met(desk, box)
    met(lap, box)
    assert lap.state("a/x").review_day == day(1)
    west = tokyo.astimezone(UTC)  # where it is the evening before
    assert lap.moment(west, 4).day == day(1)
    assert lap.moment(west - timedelta(days=1), 4).day == day(0) - timedelta(days=1)


# What need not be read again


def test_a_sync_that_finds_nothing_new_opens_no_file(
    two: list[Log], box: Path, looked_at: list[str]
) -> None:
    desk, lap = two
    write(desk, 0, review("a/x", 4))
    met(desk, box)
    met(lap, box)
    looked_at.clear()
    met(lap, box)
    met(desk, box)
    assert looked_at == []
    write(desk, 1, review("a/x", 4))
    met(desk, box)
    assert looked_at == []
    met(lap, box)
    assert looked_at == ["desk.jsonl"]


def test_of_a_file_that_has_grown_the_new_lines_alone_are_taken_in(
    two: list[Log], box: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk, lap = two
    write(desk, 0, *(review(f"a/{n}", 4) for n in range(9)))
    met(desk, box)
    met(lap, box)
    write(desk, 1, review("a/0", 4))
    met(desk, box)
    offered: list[str] = []
    put = Incoming.put

    def noted(incoming: Incoming, source: str, line: int, event: Event) -> None:
        offered.append(f"{source}:{line}: {event.card}")
        put(incoming, source, line, event)

    monkeypatch.setattr(Incoming, "put", noted)
    assert met(lap, box).received == 1
    assert offered == ["desk.jsonl:10: a/0"]


def test_of_the_own_file_what_was_added_alone_is_read_again(
    two: list[Log], box: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk, lap = two
    write(desk, 0, *(review(f"a/{n}", 4) for n in range(9)))
    met(desk, box)
    before = own(box, desk).stat().st_size
    sizes: list[int] = []

    def noted(file: BinaryIO, size: int, before: int = 0) -> int | None:
        sizes.append(size)
        return reading.checked(file, size, before)

    write(desk, 1, review("a/0", 4))
    with monkeypatch.context() as patch:
        patch.setattr("attn_study.memory.sync.own.checked", noted)
        met(desk, box)
    assert sizes == [own(box, desk).stat().st_size - before]
    text = own(box, desk).read_bytes()  # touched by another: found out, and read from its start
    own(box, desk).write_bytes(text.replace(b"a/3", b"a/4"))
    assert odd(met(desk, box)) == ["desk.jsonl:4: this line is damaged"]
    assert met(lap, box).received == 10


def test_what_was_written_and_does_not_stand_there_is_not_counted_as_sent(
    two: list[Log], box: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk, _ = two
    write(desk, 0, review("a/x", 4))
    met(desk, box)
    write(desk, 1, review("a/x", 4))
    whole = own(box, desk).read_bytes()

    def lost(handle: int) -> None:  # the disk says yes and keeps something else
        os.pwrite(handle, b"?", len(whole) + 9)

    with monkeypatch.context() as patch:
        patch.setattr("attn_study.memory.sync.own.os.fsync", lost)
        with pytest.raises(UserError, match="what was written does not stand there"):
            met(desk, box)
    met(desk, box)
    assert len(lines(own(box, desk))) == 2
    assert met(desk, box).odd == ()


def swap(path: Path) -> None:
    first, second, *rest = lines(path)
    path.write_bytes(b"".join([second, first, *rest]))


REPLACED: dict[str, Callable[[Path], object]] = {
    "shortened": lambda path: path.write_bytes(b"".join(lines(path)[:1])),
    "cut in a line": lambda path: path.write_bytes(path.read_bytes()[:-30]),
    "without its last line end": lambda path: path.write_bytes(path.read_bytes()[:-1]),
    "with a long half line": lambda path: path.write_bytes(
        path.read_bytes() + b'{"check":"' + b"x" * 999
    ),
    "emptied": lambda path: path.write_bytes(b""),
    "deleted": lambda path: path.unlink(),
    "reordered": swap,
    "doubled": lambda path: path.write_bytes(path.read_bytes() * 2),
    "with a mark at its head": lambda path: path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes()),
    "with other line ends": lambda path: path.write_bytes(
        path.read_bytes().replace(b"\n", b"\r\n")
    ),
    "with blank lines": lambda path: path.write_bytes(path.read_bytes().replace(b"\n", b"\n\n")),
    "with spaces in it": lambda path: path.write_bytes(
        b"".join(json.dumps(json.loads(line)).encode() + b"\n" for line in lines(path))
    ),
    "renamed by a sync service": lambda path: path.rename(
        path.with_name("desk.sync-conflict-20260302-120000-ABCDEFG.jsonl")
    ),
    "renamed by another": lambda path: path.rename(path.with_name("desk (conflicted copy).jsonl")),
}


@pytest.mark.parametrize("change", REPLACED.values(), ids=REPLACED)
def test_a_file_that_was_changed_costs_no_row_and_is_whole_again_after_a_sync(
    two: list[Log], box: Path, change: Callable[[Path], object]
) -> None:
    desk, lap = two
    write(desk, 0, review("a/x", 4), review("a/y", 1), review("a/z", 3))
    met(desk, box)
    met(lap, box)
    change(own(box, desk))
    write(desk, 1, review("a/x", 4))
    write(lap, 1, review("a/y", 4))
    for log in (desk, lap, desk):
        assert met(log, box).odd == ()
    assert uids(desk) == uids(lap)
    assert b"x" * 9 not in own(box, desk).read_bytes()
    with log_in_memory("new") as new:
        met(new, box)
        assert uids(new) == uids(desk)
        assert known(new) == known(desk) == known(lap)


def test_a_line_that_lacks_its_end_alone_stays_when_the_next_is_written(
    two: list[Log], box: Path
) -> None:
    desk, _ = two
    write(desk, 0, review("a/x", 4), review("a/y", 4))
    met(desk, box)
    before = own(box, desk).read_bytes()
    own(box, desk).write_bytes(before[:-1])
    write(desk, 1, review("a/x", 4))
    assert met(desk, box).sent == 1
    assert own(box, desk).read_bytes().startswith(before)
    assert len(lines(own(box, desk))) == 3


def test_rows_that_were_in_a_vanished_file_alone_are_sent_again(two: list[Log], box: Path) -> None:
    desk, lap = two
    write(desk, 0, review("a/x", 4))
    met(desk, box)
    met(lap, box)
    own(box, desk).unlink()
    assert met(lap, box).sent == 1
    assert met(desk, box).sent == 0


def test_what_a_copy_of_the_log_forgot_is_read_again(tmp_path: Path, box: Path) -> None:
    with log_on_disk(tmp_path / "home", "desk") as desk:
        write(desk, 0, review("a/x", 4), review("a/y", 4))
        met(desk, box)
        memory = desk.conn.execute("SELECT key, value FROM meta WHERE key = 'sync'").fetchone()
        (kept,) = [row for row in outgoing(desk) if row["card"] == "a/y"]
    with log_in_memory("desk") as salvaged:  # one row of two, and the memory of both
        merge(salvaged, [kept])
        salvaged.conn.execute("INSERT INTO meta VALUES (?, ?)", memory)
        assert met(salvaged, box).received == 1


def test_own_rows_that_a_restored_log_lacks_come_back(two: list[Log], box: Path) -> None:
    desk, _ = two
    write(desk, 0, review("a/x", 4))
    met(desk, box)
    with log_in_memory("desk") as restored:
        write(restored, 0, review("a/y", 4))
        done = met(restored, box)
        assert (done.sent, done.received) == (1, 1)
        assert len(lines(own(box, desk))) == 2


def test_another_folder_is_given_everything(two: list[Log], box: Path, tmp_path: Path) -> None:
    desk, _ = two
    write(desk, 0, review("a/x", 4))
    met(desk, box)
    other = tmp_path / "other"
    other.mkdir()
    assert met(desk, other).sent == 1
    assert met(desk, box).sent == 0


def test_a_folder_that_was_moved_is_given_nothing_twice(
    two: list[Log], box: Path, tmp_path: Path
) -> None:
    desk, _ = two
    write(desk, 0, review("a/x", 4))
    met(desk, box)
    assert met(desk, box.rename(tmp_path / "moved")).sent == 0


# What is damaged


def test_a_half_written_last_line_is_no_fault_and_is_read_once_it_is_whole(
    two: list[Log], box: Path
) -> None:
    desk, lap = two
    write(desk, 0, review("a/x", 4), review("a/y", 4))
    met(desk, box)
    whole = own(box, desk).read_bytes()
    for end in range(len(lines(own(box, desk))[0]) + 1, len(whole) - 1, 17):
        own(box, desk).write_bytes(whole[:end])
        done = met(lap, box)
        assert (done.odd, uids(lap) < uids(desk)) == ((), True)
    own(box, desk).write_bytes(whole[:-1])  # only the end of the line is missing
    assert met(lap, box).received == 1
    own(box, desk).write_bytes(whole)
    done = met(lap, box)
    assert (done.received, done.sent, done.odd) == (0, 0, ())


@pytest.mark.parametrize(
    "tail",
    [b"\x00\xff" * 500, b'{"check":"\x00', b'{"check":"\xff', b"<<<<<<< mine", b"x", b"\xef\xbbx"],
)
def test_a_last_line_without_its_end_that_can_be_no_row_is_named_as_damage(
    two: list[Log], box: Path, tail: bytes
) -> None:
    desk, lap = two
    write(desk, 0, review("a/x", 4))
    met(desk, box)
    whole = own(box, desk).read_bytes()
    own(box, desk).write_bytes(whole + tail)
    (said,) = odd(met(lap, box))
    assert said.startswith("desk.jsonl:2: ")
    assert set(known(lap)) == {"a/x"}
    met(desk, box)  # which writes its file again
    assert own(box, desk).read_bytes() == whole
    assert met(lap, box).odd == ()


def test_a_last_line_may_still_be_on_its_way_however_little_of_it_is_there(
    two: list[Log], box: Path
) -> None:
    desk, lap = two
    write(desk, 0, review("a/x", 4))
    met(desk, box)
    whole = own(box, desk).read_bytes()
    marked = b"\xef\xbb\xbf" + json.dumps({"row": "…"}, ensure_ascii=False).encode()
    for begun in [whole[:end] for end in range(12)] + [marked[:end] for end in range(len(marked))]:
        own(box, desk).write_bytes(begun)
        assert met(lap, box).odd == ()


def test_a_damaged_line_loses_only_itself_is_named_and_its_device_writes_it_again(
    two: list[Log], box: Path
) -> None:
    desk, lap = two
    write(desk, 0, review("a/x", 4), review("a/y", 4), review("a/z", 4))
    met(desk, box)
    whole = own(box, desk).read_bytes()
    own(box, desk).write_bytes(whole.replace(b"a/y", b"a/q"))
    for _ in range(2):  # told again as long as it lasts
        assert odd(met(lap, box)) == ["desk.jsonl:2: this line is damaged"]
    assert set(known(lap)) == {"a/x", "a/z"}
    done = met(desk, box)
    assert (done.sent, odd(done)) == (1, ["desk.jsonl:2: this line is damaged"])
    assert sorted(lines(own(box, desk))) == sorted(whole.splitlines(keepends=True))
    for log in (desk, lap):
        assert met(log, box).odd == ()
    assert known(lap) == known(desk)


def test_what_git_writes_around_a_conflict_is_named_and_both_sides_are_read(
    two: list[Log], box: Path
) -> None:
    desk, lap = two
    write(desk, 0, review("a/x", 4), review("a/y", 4))
    met(desk, box)
    one, two_ = lines(own(box, desk))
    marks = b"<<<<<<< HEAD\n" + one + b"=======\n" + two_ + b">>>>>>> theirs\n"
    own(box, desk).write_bytes(marks)
    said = odd(met(lap, box))
    assert [line.split(":")[1] for line in said] == ["1", "3", "5"]
    assert all("git" in line for line in said)
    assert uids(lap) == uids(desk)
    met(desk, box)
    assert lines(own(box, desk)) == [one, two_]
    assert met(lap, box).odd == ()


def test_a_binary_file_is_told_in_few_lines_and_harms_nothing(two: list[Log], box: Path) -> None:
    desk, lap = two
    write(desk, 0, review("a/x", 4))
    met(desk, box)
    junk = box / LOGS / "junk.jsonl"
    junk.write_bytes(bytes(range(256)) * 400)
    done = met(lap, box)
    assert len(done.odd) == NAMED
    assert len(done.odd) + done.untold == len(junk.read_bytes().split(b"\n"))
    assert uids(lap) == uids(desk)


def test_an_endless_line_is_one_damaged_line(
    two: list[Log], box: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk, _ = two
    monkeypatch.setattr("attn_study.memory.sync.reading.LONGEST", 1000)
    good = line_of(shown(told((0, review("a/x", 4)))[0])[0])
    (prepare(box) / "x.jsonl").write_bytes(b"x" * 5000 + b"\n" + good + b"[" * 3000)
    assert odd(met(desk, box)) == [
        "x.jsonl:1: this line is damaged",
        "x.jsonl:3: this line is damaged",
    ]
    assert set(known(desk)) == {"a/x"}


LINES = {
    "a list": b"[]",
    "a number": b"1",
    "no row": b'{"check":"00000000"}',
    "a row that is none": b'{"check":"00000000","row":1}',
    "a deep one": b'{"check":"00000000","row":' + b"[" * 5000 + b"]" * 5000 + b"}",
    "not a number": b'{"check":"00000000","row":{"x":NaN}}',
    "a long number": b'{"check":"00000000","row":{"x":' + b"9" * 9999 + b"}}",
    "no text": b"\xff\xfe",
    "zeros": b"\0" * 50,
}


@pytest.mark.parametrize("line", LINES.values(), ids=LINES)
def test_what_is_no_line_of_ours_is_damaged(two: list[Log], box: Path, line: bytes) -> None:
    (prepare(box) / "x.jsonl").write_bytes(line + b"\n")
    assert odd(met(two[0], box)) == ["x.jsonl:1: this line is damaged"]


def test_what_is_no_readable_file_is_named_and_keeps_no_other_out(
    two: list[Log], box: Path
) -> None:
    desk, lap = two
    write(desk, 0, review("a/x", 4))
    met(desk, box)
    (box / LOGS / "folder.jsonl").mkdir()
    with suppress(AttributeError):  # not on Windows
        os.mkfifo(box / LOGS / "pipe.jsonl")
    (box / LOGS / "empty.jsonl").write_bytes(b"")
    (box / LOGS / "notes.txt").write_bytes(b"not ours\n")
    (box / LOGS / ".desk.jsonl.1a2b.tmp").write_bytes(b"half\n")
    done = met(lap, box)
    assert {one.file for one in done.odd} <= {"folder.jsonl", "pipe.jsonl"}
    assert all("cannot be read" in one.what for one in done.odd)
    assert uids(lap) == uids(desk)


@NO_RIGHTS
def test_a_file_without_permission_is_named_and_read_once_it_is_given() -> None:
    with folder_for_all() as box, devices("desk", "lap", "new") as (desk, lap, new):
        write(desk, 0, review("a/x", 4))
        write(lap, 0, review("a/y", 4))
        for log in (desk, lap):
            met(log, box)
        own(box, desk).chmod(0)
        with read_only(box):
            assert odd(met(new, box)) == ["desk.jsonl:0: cannot be read: Permission denied"]
        assert set(known(new)) == {"a/y"}
        own(box, desk).chmod(0o644)
        met(new, box)
        assert set(known(new)) == {"a/x", "a/y"}


@NO_RIGHTS
def test_s35_from_a_read_only_folder_rows_still_come_and_none_counts_as_sent() -> None:
    with folder_for_all() as box, devices("desk", "lap") as (desk, lap):
        write(desk, 0, review("a/x", 4))
        met(desk, box)
        write(lap, 0, review("a/y", 4))
        (box / LOGS).chmod(0o555)
        with read_only(box), pytest.raises(UserError, match="cannot be written") as refused:
            met(lap, box)
        assert refused.value.where.endswith("lap.jsonl")
        assert "1 row from there was taken in" in refused.value.hint
        assert set(known(lap)) == {"a/x", "a/y"}
        (box / LOGS).chmod(0o755)
        assert met(lap, box).sent == 1


def test_a_link_or_a_folder_in_the_place_of_the_own_file_is_refused(
    two: list[Log], box: Path, tmp_path: Path
) -> None:
    desk, _ = two
    write(desk, 0, review("a/x", 4))
    path = prepare(box) / "desk.jsonl"
    path.mkdir()
    with pytest.raises(UserError, match="cannot be read"):
        met(desk, box)
    path.rmdir()
    elsewhere = tmp_path / "elsewhere"
    elsewhere.write_bytes(b"")
    path.symlink_to(elsewhere)
    with pytest.raises(UserError, match="this is a link"):
        met(desk, box)
    assert elsewhere.read_bytes() == b""
    path.unlink()
    assert met(desk, box).sent == 1


# Copies that a service puts aside


def test_s09_a_conflicted_copy_is_read_and_neither_written_nor_deleted(
    two: list[Log], box: Path
) -> None:
    desk, lap = two
    write(desk, 0, review("a/x", 4))
    met(desk, box)
    with log_in_memory("desk") as twin:  # two machines under one id, as after a cloned disk
        write(twin, 0, review("a/y", 4))
        other = b"".join(line_of(row) for row in outgoing(twin))
    aside = box / LOGS / "desk (conflicted copy 2026-03-02).jsonl"
    aside.write_bytes(other)
    for log in (lap, desk):
        met(log, box)
        write(log, 1, review("a/x", 4))
        met(log, box)
    assert set(known(lap)) == set(known(desk)) == {"a/x", "a/y"}
    assert aside.read_bytes() == other


def test_a_conflicted_copy_that_a_person_deletes_takes_no_row_with_it(
    two: list[Log], box: Path
) -> None:
    desk, lap = two
    aside = prepare(box) / "old (conflicted copy).jsonl"
    aside.write_bytes(b"damaged\n" + b"".join(map(line_of, shown(*told((0, review("a/x", 4)))))))
    met(desk, box)
    aside.unlink()
    assert met(desk, box).sent == 1
    met(lap, box)
    assert set(known(lap)) == {"a/x"}


# What is not taken in


def test_a_row_that_says_otherwise_is_named_with_both_places_and_left_out(
    two: list[Log], box: Path
) -> None:
    desk, lap = two
    row = shown(told((0, review("a/x", 4)))[0])[0]
    logs = prepare(box)
    (logs / "one.jsonl").write_bytes(line_of(row))
    (logs / "two.jsonl").write_bytes(line_of(row | {"grade": 1}) + line_of(row | {"uid": uid(7)}))
    said = f"two.jsonl:1: kept out: {uid(0)} says otherwise in"
    assert odd(met(desk, box)) == [f"{said} one.jsonl:1"]
    assert len(uids(desk)) == 2
    assert odd(met(desk, box)) == [f"{said} study.db"]
    assert met(lap, box).received == 2
    assert known(lap) == known(desk)


def test_a_row_of_a_newer_version_waits_for_an_update(
    two: list[Log], box: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk, lap = two
    both = shown(*told((0, review("a/x", 4)), (1, Draft("a/x", "suspend"))))
    (prepare(box) / "new.jsonl").write_bytes(b"".join(map(line_of, both)))
    with monkeypatch.context() as older:
        older.setattr("attn_study.memory.exchange.foreign.KINDS", ("review",))
        for log in (desk, desk, lap):
            (said,) = odd(met(log, box))
            assert said.startswith("new.jsonl:2: kept out: this version knows no rows of the kind")
            assert log.state("a/x").rows == 1
    done = met(desk, box)
    assert (done.received, done.odd) == (1, ())
    assert desk.state("a/x").suspended


def test_a_tick_from_nowhere_is_kept_out_and_rows_written_later_can_still_be_sent(
    two: list[Log], box: Path
) -> None:
    desk, lap = two
    wild = told((0, review("a/x", 4)))[0]._replace(tick=2**53)
    (prepare(box) / "wild.jsonl").write_bytes(line_of(shown(wild)[0]))
    (said,) = odd(met(desk, box))
    assert said.startswith("wild.jsonl:1: kept out: its `tick` is too far ahead")
    (event,) = desk.write([review("a/y", 4)], noon())
    assert event.tick == 1
    met(desk, box)
    met(lap, box)
    assert set(known(lap)) == {"a/y"}


def test_ticks_may_be_as_far_apart_as_the_rows_that_are_under_way(
    two: list[Log], box: Path
) -> None:
    desk, lap = two
    near, far = told((0, review("a/x", 4)), (0, review("a/y", 4)))
    steps = [near._replace(tick=AHEAD), far._replace(tick=2 * AHEAD)]
    (prepare(box) / "b.jsonl").write_bytes(line_of(shown(steps[1])[0]))
    assert odd(met(desk, box)) != []
    (box / LOGS / "a.jsonl").write_bytes(line_of(shown(steps[0])[0]))
    for log in two:  # together they are believed, in whatever order they came
        assert met(log, box).odd == ()
        assert set(known(log)) == {"a/x", "a/y"}
    assert lap.write([review("a/x", 4)], noon())[0].tick == 2 * AHEAD + 1


def test_a_rule_that_asks_for_what_is_not_installed_keeps_no_row_out(
    two: list[Log], box: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SM-2 takes its place; when the package is there, the states follow."""
    desk, lap = two
    write(lap, 0, review("a/y", 5))
    wants = Draft("", "rule", data={"scheduler": "fsrs"})
    (prepare(box) / "new.jsonl").write_bytes(
        b"".join(map(line_of, shown(*told((0, review("a/x", 5)), (0, wants)))))
    )
    with monkeypatch.context() as without:
        without.setattr("attn_study.memory.rules.fsrs_is_installed", lambda: False)
        for log in (lap, desk):
            sync(log, box / LOGS)
            assert {card: state.memory.interval for card, state in known(log).items()} == {
                "a/x": 1,
                "a/y": 1,
            }
    for log in two:
        catch_up(log, log.rules())
        assert known(log) == known(desk)
        assert log.state("a/x").memory.interval == 8
