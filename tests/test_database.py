"""Opening the study: what is made, what is refused, and that nothing is harmed."""

from __future__ import annotations

import os
import shutil
import sqlite3
import stat
import subprocess
import sys
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, cast

import pytest

import attn_study
from attn_study.errors import UserError
from attn_study.memory import database
from attn_study.memory.catalogue import Catalogue
from attn_study.memory.database import open_study
from attn_study.memory.device import device_id
from attn_study.memory.limits import Limit, Limits
from attn_study.memory.queue import plan
from attn_study.memory.safety.copies import copy
from attn_study.memory.scope import Scope
from attn_study.places import fingerprint
from memory_helpers import (
    NO_RIGHTS,
    day,
    folder_for_all,
    log_in_memory,
    log_on_disk,
    noon,
    read_only,
    review,
    rows,
    shelve,
    write,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

READ_OR_WRITE = pytest.mark.parametrize("write_too", [False, True], ids=["reading", "writing"])
LIMITS = Limits(Limit(10, 200))


def contents(folder: Path) -> dict[str, bytes]:
    """Return every file under `folder`."""
    found = sorted(path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in found}


def study_with_an_answer(folder: Path) -> bytes:
    """Make a study with one answer and one card; return its file."""
    with log_on_disk(folder) as log:
        write(log, 0, review("a/x", 4))
        shelve(log.conn, "a/x", "a/y")
    return (folder / "study.db").read_bytes()


def opened_for(folder: Path, *, write: bool) -> None:
    with log_on_disk(folder, write=write):
        pass


def refusal(folder: Path, *, write: bool) -> str:
    """Return why the study in `folder` is not opened; it has to stay as it is."""
    before = contents(folder)
    with pytest.raises(UserError) as caught:
        opened_for(folder, write=write)
    assert contents(folder) == before
    assert caught.value.where == str(folder / "study.db")
    assert caught.value.hint
    return str(caught.value)


def python(code: str, *arguments: object) -> str:
    """Run `code` in a process of its own and return what it prints."""
    source = str(Path(attn_study.__file__).parents[1])
    tests = str(Path(__file__).parent)
    ran = subprocess.run(
        [sys.executable, "-c", code, *map(str, arguments)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join([source, tests])},
        capture_output=True,
        text=True,
        check=True,
    )
    return ran.stdout


def test_a_study_is_made_with_its_folder_and_opened_again(tmp_path: Path) -> None:
    home = tmp_path / "deep" / "home"
    study_with_an_answer(home)
    with log_on_disk(home) as log:
        assert [event.card for event in rows(log.conn)] == ["a/x"]
        pragmas = ("journal_mode", "synchronous", "recursive_triggers", "application_id")
        found = [log.conn.execute(f"PRAGMA {name}").fetchone()[0] for name in pragmas]
        assert found == ["wal", 2, 1, 0x61747374]
        assert Catalogue(log.conn).names() == ["a/x", "a/y"]


DAILY = """
import sys
from datetime import UTC, datetime
from pathlib import Path
from attn_study.memory.database import open_study
from attn_study.memory.day import moment
from attn_study.memory.event import Draft
from attn_study.memory.log import Log
from attn_study.memory.limits import Limit, Limits
from attn_study.memory.queue import plan
from attn_study.memory.scope import Scope
from attn_study.memory.sm2 import Grade
path = Path(sys.argv[1]) / "study.db"
for write in (False, True):
    conn = open_study(path, path.parent / "cache.db", "1.0", write=write)
    log = Log(conn, "here", path)
    now = moment(datetime(2026, 3, 3, 12, tzinfo=UTC), 4, log.newest_day())
    card = plan(log, now.day, Scope(), Limits(Limit(10, 200))).next()
    if write:
        log.write([Draft(card, "review", Grade.HARD)], now, expecting=log.state(card))
        log.undo(now)
    conn.close()
print(*sys.modules)
"""


def test_daily_use_of_a_current_study_loads_nothing_heavy(tmp_path: Path) -> None:
    study_with_an_answer(tmp_path)
    loaded = set(python(DAILY, tmp_path).split())
    assert "sqlite3" in loaded
    heavy = {"sqlite_utils", "numpy", "yaml", "rich", "typer", "pydantic", "asyncio", "zoneinfo"}
    assert not loaded & heavy


@pytest.mark.parametrize("home", ["", "not/there"])
def test_reading_where_nothing_was_studied_creates_nothing(tmp_path: Path, home: str) -> None:
    with log_on_disk(tmp_path / home, write=False) as log:
        assert rows(log.conn) == []
        assert plan(log, day(0), Scope(), LIMITS).next() is None
        assert list(tmp_path.iterdir()) == []
    assert list(tmp_path.iterdir()) == []


def newer(path: Path, program: str) -> None:
    with closing(open_study(path, path.parent / "cache.db", program, write=True)) as conn:
        conn.execute("PRAGMA user_version = 99")


@READ_OR_WRITE
def test_a_newer_study_is_refused_with_both_versions_named(tmp_path: Path, write_too: bool) -> None:
    newer(tmp_path / "study.db", "7.5.3")
    says = refusal(tmp_path, write=write_too)
    assert all(word in says for word in ("format 99", "7.5.3", "attn-study 1.0", "up to 2"))


def test_a_newer_study_that_does_not_say_who_wrote_it_is_refused_too(tmp_path: Path) -> None:
    newer(tmp_path / "study.db", "7.5.3")
    with closing(sqlite3.connect(tmp_path / "study.db")) as conn:
        conn.execute("ALTER TABLE meta RENAME TO facts")
    assert "format 99" in refusal(tmp_path, write=True)


def text_file(path: Path) -> None:
    path.write_text("deck: attention\n" * 20, encoding="utf-8")


def short_text_file(path: Path) -> None:
    path.write_text("x", encoding="utf-8")


def cut_to(size: int) -> Callable[[Path], None]:
    def cut(path: Path) -> None:
        path.write_bytes(study_with_an_answer(path.parent)[:size])

    return cut


def half_overwritten(path: Path) -> None:
    whole = study_with_an_answer(path.parent)
    path.write_bytes(whole[:20] + b"\xff" * 4000 + whole[4020:])


def another_program(version: int) -> Callable[[Path], None]:
    def make(path: Path) -> None:
        with closing(sqlite3.connect(path)) as conn:
            conn.execute("CREATE TABLE recipes (name TEXT)")
            conn.execute(f"PRAGMA user_version = {version}")

    return make


FAULTS: dict[str, Callable[[Path], None]] = {
    "a text": text_file,
    "one letter": short_text_file,
    "cut within the header": cut_to(60),
    "cut after the header": cut_to(100),
    "cut within a page": cut_to(2000),
    "cut after a page": cut_to(4096),
    "cut after some pages": cut_to(5 * 4096),
    "overwritten": half_overwritten,
    "another program's": another_program(0),
    "another program's, of our version": another_program(1),
    "another program's, of a high version": another_program(7),
}


@READ_OR_WRITE
@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS.keys())
def test_what_is_no_sound_study_is_refused_untouched(
    tmp_path: Path, fault: Callable[[Path], None], write_too: bool
) -> None:
    fault(tmp_path / "study.db")
    assert "newer" not in refusal(tmp_path, write=write_too)


@pytest.mark.parametrize("fault", ["a text", "cut within a page"])
def test_a_refusal_points_to_the_backups_that_there_are(tmp_path: Path, fault: str) -> None:
    FAULTS[fault](tmp_path / "study.db")
    (tmp_path / "backups").mkdir()
    assert str(tmp_path / "backups") not in refusal(tmp_path, write=True)
    (tmp_path / "backups" / "study-2026-03-01.db").write_bytes(b"a copy")
    assert str(tmp_path / "backups") in refusal(tmp_path, write=True)


def test_a_refusal_names_the_backup_that_holds_most_whatever_the_dates_of_the_files(
    tmp_path: Path,
) -> None:
    (tmp_path / "backups").mkdir()
    older, newer, broken = (
        tmp_path / "backups" / f"study-2026-03-0{n}-abcd1234.db" for n in (2, 3, 4)
    )
    with log_on_disk(tmp_path) as log:
        for number, path in enumerate((older, newer, broken)):
            write(log, number, review("a/x", 4))
            copy(log.conn, path)
        query = "SELECT rootpage FROM sqlite_schema WHERE name = 'state_deck'"  # no rows of the log
        start = (log.conn.execute(query).fetchone()[0] - 1) * 4096
    data = broken.read_bytes()
    broken.write_bytes(data[:start] + b"\xff" * 4096 + data[start + 4096 :])
    for seconds, path in enumerate((newer, older, broken)):  # as a copied folder may have them
        os.utime(path, (1_700_000_000 + seconds,) * 2)
    FAULTS["cut within a page"](tmp_path / "study.db")
    said = refusal(tmp_path, write=True)
    assert f"--restore {newer}` puts the newest backup in its place (2 rows to 2026-03-03)" in said


@pytest.mark.skipif(sys.platform == "win32", reason="asks for what POSIX alone has")
def test_a_new_study_is_for_its_owner_s_eyes_alone(tmp_path: Path) -> None:
    before = os.umask(0o022)
    try:
        study_with_an_answer(tmp_path / "home")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "home").stat().st_mode) == 0o700
    assert stat.S_IMODE((tmp_path / "home" / "study.db").stat().st_mode) == 0o600


def test_an_empty_file_becomes_a_study_where_nothing_speaks_of_another(tmp_path: Path) -> None:
    (tmp_path / "study.db").touch()
    opened_for(tmp_path, write=False)
    assert contents(tmp_path) == {"study.db": b""}
    assert study_with_an_answer(tmp_path)


@READ_OR_WRITE
@pytest.mark.parametrize("trace", ["backups/study-2026-03-01.db", "study.db-wal"])
def test_an_empty_file_is_refused_where_something_speaks_of_earlier_study(
    tmp_path: Path, trace: str, write_too: bool
) -> None:
    (tmp_path / "study.db").touch()
    (tmp_path / trace).parent.mkdir(exist_ok=True)
    (tmp_path / trace).write_bytes(b"a copy")
    assert "empty" in refusal(tmp_path, write=write_too)


def test_a_study_that_could_not_be_made_leaves_no_half_of_it(tmp_path: Path) -> None:
    path, cache = tmp_path / "study.db", tmp_path / "cache.db"
    not_text = cast("str", b"1.0")
    with pytest.raises(UserError):
        open_study(path, cache, not_text, write=True)
    with closing(sqlite3.connect(path)) as conn:
        assert conn.execute("SELECT count(*) FROM sqlite_schema").fetchone() == (0,)
    assert study_with_an_answer(tmp_path)


@READ_OR_WRITE
@pytest.mark.parametrize("below", ["study.db", "deep/study.db"])
def test_a_home_inside_a_file_is_refused_with_its_path(
    tmp_path: Path, below: str, write_too: bool
) -> None:
    (tmp_path / "file").write_text("text", encoding="utf-8")
    path = tmp_path / "file" / below
    with pytest.raises(UserError) as caught:
        open_study(path, path.parent / "cache.db", "1.0", write=write_too)
    assert str(tmp_path / "file") in caught.value.where
    assert "ATTN_STUDY_HOME" in caught.value.hint


@NO_RIGHTS
def test_in_a_read_only_folder_the_study_can_be_read_and_writing_is_refused() -> None:
    with folder_for_all() as home:
        study_with_an_answer(home)
        with read_only(home):
            with log_on_disk(home, write=False) as log:
                assert [event.card for event in rows(log.conn)] == ["a/x"]
                assert log.state("a/x").memory.due == day(1)
            assert "cannot be" in refusal(home, write=True)


@NO_RIGHTS
def test_in_a_read_only_folder_no_study_can_be_made_and_none_is_needed_to_read() -> None:
    with folder_for_all() as folder:
        with read_only(folder):
            opened_for(folder, write=False)
            for home in (folder, folder / "home"):
                with pytest.raises(UserError, match="cannot be") as caught:
                    opened_for(home, write=True)
                assert str(home) in caught.value.where
        assert contents(folder) == {}


HOLD = """
import sqlite3, sys
conn = sqlite3.connect(sys.argv[1], isolation_level=None)
conn.execute("BEGIN IMMEDIATE")
conn.execute("INSERT INTO meta VALUES ('held', 'yes')")
print("holding", flush=True)
sys.stdin.read()
"""


@contextmanager
def held(path: Path) -> Iterator[None]:
    """Let another process hold the write lock of a database in the middle of a change."""
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "holding\n"
        yield
        process.communicate()


def test_while_another_process_writes_reading_works_and_writing_says_who_is_in_the_way(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    study_with_an_answer(tmp_path)
    monkeypatch.setattr(database, "WAIT", 0.01)
    with held(tmp_path / "study.db"):
        with log_on_disk(tmp_path, write=False) as log:
            assert [event.card for event in rows(log.conn)] == ["a/x"]
            assert plan(log, day(1), Scope(), LIMITS).due == ("a/x",)
        with pytest.raises(UserError, match="in use by another attn-study"):
            opened_for(tmp_path, write=True)
    opened_for(tmp_path, write=True)


def test_after_a_normal_end_the_single_file_holds_everything(tmp_path: Path) -> None:
    with log_on_disk(tmp_path / "home") as log:
        write(log, 0, *[review(f"a/{name}", 4) for name in "xyz"])
    assert sorted(contents(tmp_path / "home")) == ["cache.db", "study.db"]
    (tmp_path / "copy").mkdir()
    shutil.copy(tmp_path / "home" / "study.db", tmp_path / "copy")
    with log_on_disk(tmp_path / "copy", write=False) as log:
        assert [event.card for event in rows(log.conn)] == ["a/x", "a/y", "a/z"]


DIE = """
import os, sys
from pathlib import Path
from memory_helpers import log_on_disk, review, write
with log_on_disk(Path(sys.argv[1])) as log:
    write(log, 0, review("a/x", 4))
    log.conn.execute("BEGIN IMMEDIATE")
    log.conn.execute("INSERT INTO meta VALUES ('half', 'done')")
    print("written", flush=True)
    os._exit(0)
"""


def test_an_answer_outlives_the_sudden_end_of_the_program(tmp_path: Path) -> None:
    assert python(DIE, tmp_path) == "written\n"
    with log_on_disk(tmp_path) as log:
        assert log.state("a/x").memory.due == day(1)
        assert log.conn.execute("SELECT 1 FROM meta WHERE key = 'half'").fetchone() is None


def device_of(home: Path) -> str:
    with log_on_disk(home) as log:
        return device_id(log.conn, fingerprint(home))


def test_a_home_keeps_its_device_and_a_copied_or_moved_one_gets_another(tmp_path: Path) -> None:
    home = tmp_path / "home"
    first = device_of(home)
    assert device_of(home) == first
    shutil.copytree(home, tmp_path / "copy")
    assert len({first, device_of(tmp_path / "copy"), device_of(home)}) == 2
    home.rename(tmp_path / "moved")
    assert device_of(tmp_path / "moved") not in {first, device_of(tmp_path / "copy")}


def test_a_home_in_memory_has_a_device_as_long_as_it_lives() -> None:
    with log_in_memory() as log:
        first = device_id(log.conn, "machine|home|1")
        assert device_id(log.conn, "machine|home|1") == first
        assert device_id(log.conn, "machine|home|2") != first


def test_the_device_is_in_every_row_it_writes(tmp_path: Path) -> None:
    with log_on_disk(tmp_path, device=device_of(tmp_path)) as log:
        log.write([review("a/x", 4)], noon())
        assert [event.device for event in rows(log.conn)] == [device_of(tmp_path)]
