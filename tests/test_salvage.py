"""What can be read of a damaged study comes out of it, and what is lost is counted."""

from __future__ import annotations

import os
import random
import shutil
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from attn_study.errors import UserError
from attn_study.memory.database import open_study
from attn_study.memory.event import Draft
from attn_study.memory.safety.copies import copy
from attn_study.memory.safety.fullest import by_content
from attn_study.memory.safety.pages import Pages, record, varint
from attn_study.memory.safety.salvage import Salvaged, salvage
from cli_helpers import Shell
from memory_helpers import log_on_disk, noon, replay, review, rows, states

if TYPE_CHECKING:
    from pathlib import Path

    from attn_study.memory.event import Event
    from attn_study.memory.log import Log
    from attn_study.memory.safety.fullest import Held

FULL = os.environ.get("ATTN_STUDY_FULL") == "1"
PAGE = 4096  # bytes
DICE = random.Random(5)
CARDS = [f"a/c{number}" for number in range(40)]


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A study of 300 rows, some of which fill pages of their own."""
    home = tmp_path_factory.mktemp("salvage")
    with log_on_disk(home) as log:
        log.conn.execute("PRAGMA synchronous = OFF")
        for number in range(300):
            draft = review(DICE.choice(CARDS), DICE.randrange(6))
            if number % 60 == 59:
                more = f"<{number}>" * 3000  # which the state of the card does not keep
                draft = Draft(draft.card, "flag", data={"words": "why", "more": more})
            elif number % 50 == 49:
                draft = Draft("", "rule", data={"interval_cap": 1000 + number})
            log.write([draft], noon(number // 20))
    return home / "study.db"


def events(path: Path) -> list[Event]:
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro&immutable=1", uri=True)) as conn:
        return rows(conn)


def copied(log: Log, story: list[Event]) -> None:
    with log.writing():
        log.take_in(story)


def salvaged(path: Path, folder: Path, backup: Held | None = None) -> tuple[Salvaged, list[Event]]:
    """Salvage a file, check that it stays as it is and that the new one is sound."""
    before = path.read_bytes()
    target = folder / "new.db"
    target.unlink(missing_ok=True)
    found = salvage(path, target, "1.0", backup=backup)
    assert path.read_bytes() == before
    assert not list(folder.glob(".*"))
    with closing(sqlite3.connect(target)) as conn:
        assert conn.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        out = rows(conn)
        assert states(conn) == replay(out)
        assert (found.rows, found.cards) == (len(out), len(states(conn)))
    return found, out


def spelled(event: Event) -> bytes:
    """Return a row's first texts, which stand side by side in the table and nowhere else."""
    return f"{event.uid}{event.device}".encode()


def touched(data: bytes, lost: set[int], among: list[Event]) -> set[str]:
    """The uids of rows any part of which lies in pages (counted from 0) that are lost.

    Found by a search for their bytes; of a long row, the pages its words fill.
    """
    found = set()
    for event in among:
        places = [data.index(spelled(event))]
        if event.kind == "flag":
            word = str(event.data["more"])[:5].encode()
            places += [at for at in range(0, len(data), PAGE) if word in data[at + 4 : at + PAGE]]
        if {place // PAGE for place in places} & lost:
            found.add(event.uid)
    return found


def test_all_of_a_sound_study_comes_out_in_order(study: Path, tmp_path: Path) -> None:
    found, out = salvaged(study, tmp_path)
    assert out == events(study)
    assert (found.rows, found.lost) == (300, 0)


def test_every_row_of_the_undamaged_pages_comes_out_whichever_page_is_zeroed(
    study: Path, tmp_path: Path
) -> None:
    whole, data, there = events(study), study.read_bytes(), 0
    damaged = tmp_path / "damaged.db"
    some = range(0, len(data) // PAGE, 1 if FULL else 4)
    for page in some:
        start = page * PAGE
        damaged.write_bytes(data[:start] + bytes(PAGE) + data[start + PAGE :])
        lost = touched(data, {page}, whole)
        found, out = salvaged(damaged, tmp_path)
        assert out == [event for event in whole if event.uid not in lost], page
        assert found.lost == len(lost), page
        there += len(out)
    print(f"{len(some)} pages zeroed one by one: {there} of {len(some) * 300} rows came out")
    assert there > 0.9 * len(some) * 300


def test_every_row_before_the_cut_comes_out_wherever_the_file_is_cut(
    study: Path, tmp_path: Path
) -> None:
    whole, data, refused = events(study), study.read_bytes(), 0
    damaged = tmp_path / "damaged.db"
    pages = len(data) // PAGE
    for page in range(1, pages, 4):
        damaged.write_bytes(data[: page * PAGE])
        lost = touched(data, set(range(page, pages)), whole)
        left = [event for event in whole if event.uid not in lost]
        if left:
            assert salvaged(damaged, tmp_path)[1] == left, page
        else:
            refused += 1
            with pytest.raises(UserError, match="not one row"):
                salvage(damaged, tmp_path / "none.db", "1.0")
            assert not (tmp_path / "none.db").exists()
    assert refused < pages // 8


def test_of_a_file_cut_near_its_start_nearly_all_that_is_lost_is_known_to_be(
    tmp_path: Path,
) -> None:
    with log_on_disk(tmp_path) as log:
        for number in range(44):
            log.write([review(f"a/c{(number * 13 + n) % 150}", 4) for n in range(50)], noon(number))
    path = tmp_path / "study.db"
    path.write_bytes(path.read_bytes()[:90_000])
    found, out = salvaged(path, tmp_path)
    assert len(out) < 200
    assert 2200 - len(out) - 40 < found.lost <= 2200 - len(out)  # but for those of the last page


def test_rows_that_a_backup_has_come_out_with_those_that_can_be_read(
    study: Path, tmp_path: Path
) -> None:
    whole = events(study)
    with log_on_disk(tmp_path / "home") as log:
        copied(log, whole[:250])
        copy(log.conn, tmp_path / "backup.db")
        copied(log, whole[250:])
    data = (tmp_path / "home" / "study.db").read_bytes()
    lost = touched(data, {17, 18, 19}, whole)
    assert lost  # else this shows nothing
    damaged = tmp_path / "damaged.db"
    damaged.write_bytes(data[: 17 * PAGE] + bytes(3 * PAGE) + data[20 * PAGE :])
    (held,) = by_content([tmp_path / "backup.db"])
    found, out = salvaged(damaged, tmp_path, held)
    later = {event.uid for event in whole[250:]}
    assert out == [event for event in whole if event.uid not in lost & later]
    assert found.added == len(lost - later)
    assert found.lost == len(lost & later)


def test_a_backup_with_other_rows_under_the_same_numbers_is_left_alone(
    study: Path, tmp_path: Path
) -> None:
    whole = events(study)
    with log_on_disk(tmp_path / "other") as log:  # the first rows, and then others
        copied(log, whole[:200])
        for _ in range(150):
            log.write([review("a/c1", 1)], noon(20))
        copy(log.conn, tmp_path / "backup.db")
    (held,) = by_content([tmp_path / "backup.db"])
    found, out = salvaged(study, tmp_path, held)
    assert (found.added, out) == (None, whole)


def test_without_its_header_the_file_still_gives_its_rows(study: Path, tmp_path: Path) -> None:
    damaged = tmp_path / "damaged.db"
    damaged.write_bytes(b"\xff" * 100 + study.read_bytes()[100:])
    assert salvaged(damaged, tmp_path)[1] == events(study)


def test_garbage_in_the_place_of_pages_gives_no_row_and_stops_nothing(
    study: Path, tmp_path: Path
) -> None:
    whole, data = events(study), study.read_bytes()
    for leaf in (b"", b"\x0d", b"\x0a"):  # pages that say they are leaves, with nothing in them
        noise = leaf + DICE.randbytes(PAGE - len(leaf))
        damaged = tmp_path / "damaged.db"
        damaged.write_bytes(data[: 20 * PAGE] + noise * 3 + data[23 * PAGE :])
        lost = touched(data, {20, 21, 22}, whole)
        assert salvaged(damaged, tmp_path)[1] == [one for one in whole if one.uid not in lost]


# What waits in a WAL


@pytest.fixture
def crashed(tmp_path: Path) -> tuple[Path, list[Event]]:
    """A study as a crash leaves it: twenty rows in the file, ten more in its WAL."""
    with log_on_disk(tmp_path / "open") as log:
        for number in range(20):
            log.write([review(CARDS[number], 4)], noon(0))
        log.conn.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        for number in range(10):
            log.write([review(CARDS[number], 4)], noon(1))
        (tmp_path / "home").mkdir()
        for name in ("study.db", "study.db-wal"):
            shutil.copy(tmp_path / "open" / name, tmp_path / "home")
        return tmp_path / "home" / "study.db", rows(log.conn)


def test_rows_that_wait_in_the_wal_come_out_too(
    crashed: tuple[Path, list[Event]], tmp_path: Path
) -> None:
    path, whole = crashed
    assert salvaged(path, tmp_path)[1] == whole
    path.with_name("study.db-wal").unlink()
    assert salvaged(path, tmp_path)[1] == whole[:20]


def test_a_wal_counts_up_to_its_first_damaged_frame(
    crashed: tuple[Path, list[Event]], tmp_path: Path
) -> None:
    path, whole = crashed
    wal = path.with_name("study.db-wal")
    data = wal.read_bytes()
    sizes = set()
    for cut in range(32, len(data), (PAGE + 24) * 9):
        wal.write_bytes(data[:cut] + bytes([data[cut] ^ 255]) + data[cut + 1 :])
        shutil.rmtree(tmp_path / "sqlite", ignore_errors=True)
        shutil.copytree(path.parent, tmp_path / "sqlite")
        with closing(sqlite3.connect(tmp_path / "sqlite" / "study.db")) as conn:
            by_sqlite = rows(conn)
        assert salvaged(path, tmp_path)[1] == by_sqlite == whole[: len(by_sqlite)]
        sizes.add(len(by_sqlite))
    assert len(sizes) > 3


# Bytes


@pytest.mark.parametrize("number", [0, 1, 127, 128, 240, 2**31, 2**55, 2**56, 2**63 - 1, -1, -5])
def test_whole_numbers_are_read_as_sqlite_writes_them(tmp_path: Path, number: int) -> None:
    path = tmp_path / "some.db"
    with closing(sqlite3.connect(path)) as conn:
        conn.execute("CREATE TABLE some (id INTEGER PRIMARY KEY, a, b, c, d, e)")
        values = (number, None, 2.5, "é" * 200, b"\0\1")
        conn.execute("INSERT INTO some VALUES (?, ?, ?, ?, ?, ?)", [number, *values])
        conn.commit()
    with closing(Pages(path)) as pages:
        assert (number, [None, *values]) in list(pages.records(0x0D))


def test_texts_of_any_length_are_followed_through_their_pages(tmp_path: Path) -> None:
    path = tmp_path / "some.db"
    texts = [(number, "x" * (3900 + 61 * number)) for number in range(1, 160)]
    with closing(sqlite3.connect(path)) as conn:
        conn.execute("CREATE TABLE some (id INTEGER PRIMARY KEY, text)")
        conn.executemany("INSERT INTO some VALUES (?, ?)", texts)
        conn.commit()
    with closing(Pages(path)) as pages:
        found = [(number, values[1]) for number, values in pages.records(0x0D) if values]
    assert sorted(found, key=str) == sorted([*texts, (1, "some")], key=str)


@pytest.mark.parametrize("payload", [b"", b"\x00", b"\x05", b"\x02\x0a", b"\x03\x17", b"\x02\x01"])
def test_bytes_that_are_no_record_are_none(payload: bytes) -> None:
    with pytest.raises((ValueError, IndexError)):
        record(payload)


def test_a_number_that_does_not_end_is_none() -> None:
    with pytest.raises(IndexError):
        varint(b"\xff\xff", 0)


# The command


def test_what_was_salvaged_is_put_in_place_with_the_line_that_is_printed(tmp_path: Path) -> None:
    shell = Shell(tmp_path)
    shell.only_mine()
    for card in ("mine/one", "mine/two"):
        shell.done("card", "grade", card, "good")
    path = shell.home / "study.db"
    before = shell.log()
    data = path.read_bytes()
    path.write_bytes(data[:100] + bytes(PAGE - 100) + data[PAGE:])  # no table is known any more
    spoiled = path.read_bytes()
    assert "damaged" in shell.refused("today")
    (backup,) = (shell.home / "backups").glob("*.db")
    said = shell.done("doctor", "--salvage").lines
    target = shell.home / "study-salvaged-2026-03-02.db"
    assert said == [
        f"2 rows of the log came out of {path}",
        f"nothing more came out of the backup {backup}, which holds 1 row to 2026-03-02",
        "no row is known to be lost",
        f"{target}: 2 rows of 2 cards",
        f"`attn-study backup --restore {target}` puts it in the study's place",
    ]
    assert path.read_bytes() == spoiled
    shell.done("backup", "--restore", str(target))
    assert shell.log() == before
    assert shell.done("doctor").lines[-1] == "Nothing is wrong."
    report = shell.done("doctor", "--salvage", str(target), "-o", "out.db", "--json").json
    assert (report["schema"], report["rows"]) == ("attn-study/salvage/1", 2)


def test_where_nothing_can_be_read_the_backup_that_holds_most_is_named(tmp_path: Path) -> None:
    shell = Shell(tmp_path)
    shell.done("card", "grade", "attention/scaling", "good")
    (backup,) = (shell.home / "backups").glob("*.db")
    (shell.home / "study.db").write_bytes(bytes(40_000))
    said = shell.refused("doctor", "--salvage")
    assert "not one row" in said
    assert f"`attn-study backup --restore {backup}` gives you 1 row to 2026-03-02" in said


def test_salvage_overwrites_nothing_and_names_what_is_no_study(tmp_path: Path) -> None:
    shell = Shell(tmp_path)
    assert "no such file" in shell.refused("doctor", "--salvage")
    text = shell.file("some.txt", "deck: mine\n" * 500)
    assert "not one row" in shell.refused("doctor", "--salvage", str(text), "-o", "out.db")
    assert not (tmp_path / "out.db").exists()
    shell.done("card", "grade", "attention/scaling", "good")
    assert "there already" in shell.refused("doctor", "--salvage", "-o", str(text))
    assert "no copy could be made" in shell.refused("doctor", "--salvage", "-o", "no/out.db")


@pytest.mark.parametrize("made", ["bare", "empty", "unstudied"])
def test_where_nothing_is_studied_yet_there_is_nothing_to_salvage(
    tmp_path: Path, made: str
) -> None:
    shell = Shell(tmp_path)
    path = shell.home / "study.db"
    path.parent.mkdir(parents=True, exist_ok=True)
    if made == "unstudied":
        with closing(open_study(path, path.with_name("cache.db"), "", write=True)):
            pass
    elif made == "bare":
        with closing(sqlite3.connect(path)) as conn:
            conn.execute("PRAGMA journal_mode = WAL")
    else:
        path.touch()
    said = shell.refused("doctor", "--salvage")
    assert "there is nothing to salvage: nothing is studied yet" in said
    assert "Nothing is wrong." in shell.done("doctor").out


def test_where_nothing_is_studied_any_more_the_backup_is_named(tmp_path: Path) -> None:
    shell = Shell(tmp_path)
    shell.done("card", "grade", "attention/scaling", "good")
    (backup,) = (shell.home / "backups").glob("*.db")
    path = shell.home / "study.db"
    path.unlink()
    with closing(sqlite3.connect(path)) as conn:
        conn.execute("PRAGMA journal_mode = WAL")
    said = shell.refused("doctor", "--salvage")
    assert f"`attn-study backup --restore {backup}` gives you 1 row to 2026-03-02" in said
    assert not list(shell.home.glob("study-salvaged-*"))
