"""Opening and writing when the world misbehaves: full disks, files that vanish, pipes."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import attn_study
from attn_study.errors import UserError
from attn_study.memory import database
from attn_study.memory.attached import writing
from attn_study.memory.catalogue import Catalogue
from attn_study.memory.database import open_study
from attn_study.memory.device import device_id
from attn_study.memory.limits import Limit, Limits
from attn_study.memory.overview import overview
from memory_helpers import day, log_in_memory, log_on_disk, noon, review, rows, shelve, write

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from attn_study.memory.log import Log

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="asks for what POSIX alone has")
READ_OR_WRITE = pytest.mark.parametrize("write_too", [False, True], ids=["reading", "writing"])
LIMITS = Limits(Limit(10, 200))


def opening_refused(home: Path, *, write_too: bool) -> UserError:
    """Return why the study in `home` is not opened; its files have to stay as they are."""
    before = contents(home)
    with pytest.raises(UserError) as caught, log_on_disk(home, write=write_too):
        pass
    assert contents(home) == before
    assert caught.value.where == str(home / "study.db")
    return caught.value


def contents(home: Path) -> dict[str, bytes]:
    """Return the files of `home`; an index of a WAL is no content."""
    found = (path for path in home.rglob("*") if path.is_file())
    return {path.name: path.read_bytes() for path in found if not path.name.endswith("-shm")}


# A full disk


def test_a_failure_that_ends_the_change_of_a_catalogue_is_the_one_that_is_told() -> None:
    with log_in_memory() as log:
        no_row = "INSERT OR ROLLBACK INTO cache.mark VALUES (NULL, NULL)"
        with pytest.raises(sqlite3.IntegrityError, match="NOT NULL"), writing(log.conn):
            log.conn.execute(no_row)  # SQLite rolls back by itself, as it does on a full disk
        assert log.conn.execute("PRAGMA busy_timeout").fetchone()[0] > 0


@POSIX
@pytest.mark.parametrize("kilobytes", [40, 64])
def test_a_first_start_with_little_room_names_the_room(tmp_path: Path, kilobytes: int) -> None:
    code = f"""
import resource, signal, sys
from pathlib import Path
from attn_study.errors import UserError
from attn_study.memory.database import open_study
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, ({kilobytes} * 1024,) * 2)
home = Path(sys.argv[1])
try:
    open_study(home / "study.db", home / "cache.db", "1.0", write=True)
except UserError as error:
    print(error)
"""
    ran = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path)],
        env={**os.environ, "PYTHONPATH": str(Path(attn_study.__file__).parents[1])},
        capture_output=True,
        text=True,
        check=True,
    )
    assert "nothing was saved" in ran.stdout
    with log_on_disk(tmp_path) as log:
        write(log, 0, review("a/x", 4))


# Traces of a study that is gone


def studied(home: Path) -> None:
    with log_on_disk(home) as log:
        shelve(log.conn, "a/x")
        write(log, 0, review("a/x", 4))
        Catalogue(log.conn).saw(["a/x"])


@READ_OR_WRITE
def test_an_empty_file_is_refused_where_the_catalogue_names_an_answer(
    tmp_path: Path, write_too: bool
) -> None:
    studied(tmp_path)
    (tmp_path / "study.db").write_bytes(b"")
    error = opening_refused(tmp_path, write_too=write_too)
    assert "empty" in str(error)
    assert "cache.db" in error.hint
    (tmp_path / "cache.db").rename(tmp_path / "aside")
    with log_on_disk(tmp_path, write=write_too) as log:
        assert not log.has_begun()


def test_the_mark_is_found_in_the_wal_of_the_catalogue_too(tmp_path: Path) -> None:
    with log_on_disk(tmp_path / "open") as log:
        shelve(log.conn, "a/x")
        write(log, 0, review("a/x", 4))
        Catalogue(log.conn).saw(["a/x"])
        (tmp_path / "home").mkdir()
        for name in ("cache.db", "cache.db-wal"):
            shutil.copy(tmp_path / "open" / name, tmp_path / "home")
    (tmp_path / "home" / "study.db").touch()
    assert "empty" in str(opening_refused(tmp_path / "home", write_too=True))


@pytest.mark.parametrize("damage", [b"", b"no catalogue", b"SQLite format 3\0" + b"\xff" * 5000])
def test_a_damaged_catalogue_does_not_keep_an_empty_file_from_becoming_a_study(
    tmp_path: Path, damage: bytes
) -> None:
    (tmp_path / "study.db").touch()
    (tmp_path / "cache.db").write_bytes(damage)
    with log_on_disk(tmp_path) as log:
        write(log, 0, review("a/x", 4))
        assert len(rows(log.conn)) == 1


@READ_OR_WRITE
@pytest.mark.parametrize("backup", [False, True])
def test_a_missing_file_whose_wal_was_left_behind_is_refused(
    tmp_path: Path, write_too: bool, backup: bool
) -> None:
    with log_on_disk(tmp_path / "open") as log:
        write(log, 0, review("a/x", 4))
        (tmp_path / "home").mkdir()
        shutil.copy(tmp_path / "open" / "study.db-wal", tmp_path / "home")
    if backup:
        (tmp_path / "home" / "backups").mkdir()
        (tmp_path / "home" / "backups" / "study-1.db").write_bytes(b"a copy")
    error = opening_refused(tmp_path / "home", write_too=write_too)
    assert "missing" in str(error)
    assert "study.db-wal" in error.hint
    assert (str(tmp_path / "home" / "backups") in error.hint) is backup


def test_an_empty_wal_speaks_of_nothing(tmp_path: Path) -> None:
    (tmp_path / "study.db-wal").touch()
    with log_on_disk(tmp_path) as log:
        write(log, 0, review("a/x", 4))


# A file that is taken away while it is open


def removed(path: Path) -> None:
    path.unlink()


def moved(path: Path) -> None:
    path.rename(path.with_name("elsewhere.db"))


def replaced(path: Path) -> None:
    shutil.copy(path, path.with_name("copy.db"))
    path.with_name("copy.db").replace(path)


@POSIX
@pytest.mark.parametrize("taken", [removed, moved, replaced])
def test_an_answer_to_a_study_that_is_gone_is_not_taken_for_saved(
    tmp_path: Path, taken: Callable[[Path], None]
) -> None:
    with log_on_disk(tmp_path) as log:
        write(log, 0, review("a/x", 4))
        taken(tmp_path / "study.db")
        with pytest.raises(UserError, match="not saved") as caught:
            write(log, 0, review("a/y", 4))
        assert caught.value.where == str(tmp_path / "study.db")
        with pytest.raises(UserError, match="not saved"):
            log.undo(noon())
        assert [event.card for event in rows(log.conn)] == ["a/x"]


# Two first starts


def test_whoever_is_overtaken_at_a_first_start_takes_the_device_that_is_there(
    tmp_path: Path,
) -> None:
    with log_on_disk(tmp_path) as log, log_on_disk(tmp_path) as quicker:
        made: list[str] = []

        def overtake(statement: str) -> None:
            if statement == "BEGIN" and not made:  # nothing was known a moment ago
                made.append(device_id(quicker.conn, "machine|home|1"))

        log.conn.set_trace_callback(overtake)
        assert [device_id(log.conn, "machine|home|1")] == made


@pytest.fixture
def overtaken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[sqlite3.Connection]:
    """Another who takes the lock just before the study is made to write ahead."""
    with closing(sqlite3.connect(tmp_path / "study.db", isolation_level=None)) as other:

        class Overtaken(database.Connection):
            def execute(self, statement: str, values: Any = (), /) -> sqlite3.Cursor:
                if "journal_mode" in statement and not other.in_transaction and not taken:
                    other.execute("BEGIN IMMEDIATE")
                    taken.append(statement)
                return super().execute(statement, values)

        taken: list[str] = []
        monkeypatch.setattr(database, "Connection", Overtaken)
        yield other


def test_whoever_meets_another_at_a_first_start_waits_for_it(
    overtaken: sqlite3.Connection, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    waited: list[float] = []

    def wait(seconds: float) -> None:
        waited.append(seconds)
        if len(waited) == 3:
            overtaken.execute("COMMIT")

    monkeypatch.setattr(database, "sleep", wait)
    with log_on_disk(tmp_path) as log:
        log.write([review("a/x", 4)], noon())
        assert log.conn.execute("PRAGMA main.journal_mode").fetchone()[0] == "wal"
    assert len(waited) == 3


@pytest.mark.usefixtures("overtaken")
def test_whoever_is_never_let_in_at_a_first_start_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "WAIT", 0.0)
    monkeypatch.setattr(database, "sleep", lambda _: pytest.fail("there is no time left"))
    with pytest.raises(UserError, match="in use by another attn-study"), log_on_disk(tmp_path):
        pass


# A day that cannot be


def test_a_due_day_that_is_none_stops_no_overview() -> None:
    with log_in_memory() as log:
        shelve(log.conn, "a/x", "a/y")
        write(log, 0, review("a/x", 4), review("a/y", 4))
        log.conn.execute("PRAGMA ignore_check_constraints = ON")
        log.conn.execute("UPDATE card_state SET due = 'soon' WHERE card = 'a/x'")
        assert overview(log, day(0), LIMITS, ["a"])[0].next_due == day(1)
        log.conn.execute("UPDATE card_state SET due = '2026-99-99'")
        assert overview(log, day(0), LIMITS, ["a"])[0].next_due is None


def test_a_row_dated_far_ahead_does_not_hide_the_newest_day_there_can_be() -> None:
    with log_in_memory() as log:
        assert newest(log, 0) is None
        write(log, 2000, review("a/w", 4))
        write(log, 3, review("a/x", 4))
        assert log.newest_day() == day(2000)
        assert [newest(log, number) for number in (1, 2, 3, 9)] == [None, None, day(3), day(3)]


def newest(log: Log, number: int) -> object:
    return log.newest_day(day(number))


def test_a_flight_west_goes_on_with_the_day_whatever_is_dated_far_ahead() -> None:
    with log_in_memory() as log:
        write(log, 2000, review("a/w", 4))
        write(log, 1, review("a/x", 4))
        assert log.moment(noon(0).at, 4).day == day(1)
        assert log.moment(noon(1).at, 4).day == day(1)
        assert log.moment(noon(5).at, 4).day == day(5)


# What is no study yet, or no file


def test_reading_an_aborted_first_start_makes_no_table(tmp_path: Path) -> None:
    path = tmp_path / "study.db"
    with closing(sqlite3.connect(path)) as conn:
        conn.execute("PRAGMA journal_mode = WAL")
    before = contents(tmp_path)
    assert before["study.db"]
    with log_on_disk(tmp_path, write=False) as log:
        assert not log.has_begun()
    assert contents(tmp_path) == before
    with log_on_disk(tmp_path) as log:
        write(log, 0, review("a/x", 4))


@contextmanager
def closing_descriptor(number: int) -> Iterator[int]:
    try:
        yield number
    finally:
        os.close(number)


@POSIX
@READ_OR_WRITE
def test_a_pipe_is_refused_and_not_waited_for(tmp_path: Path, write_too: bool) -> None:
    os.mkfifo(tmp_path / "study.db")
    # held open for both, so that a reader would not wait for ever but find no database
    with closing_descriptor(os.open(tmp_path / "study.db", os.O_RDWR | os.O_NONBLOCK)) as pipe:
        os.write(pipe, b"x" * 100)
        with pytest.raises(UserError, match="no regular file"):
            open_study(tmp_path / "study.db", tmp_path / "cache.db", "1.0", write=write_too)
        assert os.read(pipe, 200) == b"x" * 100
