"""A copy put back where disks are full, studies are links, and earlier runs were killed."""

from __future__ import annotations

import os
import re
import sqlite3
import sys
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from attn_study.memory.safety.leftovers import AGE
from cli_helpers import Shell

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

POSIX = pytest.mark.skipif(os.name != "posix", reason="Windows asks for rights to make links")
# A file that grows beyond this many bytes is refused, as on a full disk
FULL = "import resource\nresource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))"


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    """A shell with one answer in the study and in copy.db, and one more in the study since."""
    shell = Shell(tmp_path)
    shell.only_mine()
    shell.done("card", "grade", "mine/one", "good")
    shell.done("backup", "copy.db")
    shell.done("card", "grade", "mine/two", "good")
    return shell


def answers(path: Path) -> list[str]:
    with closing(sqlite3.connect(path)) as conn:
        return [card for (card,) in conn.execute("SELECT card FROM log ORDER BY id")]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows limits no process so")
def test_s35_a_full_disk_is_not_taken_for_a_damaged_copy(shell: Shell) -> None:
    said = shell.process("backup", "--restore", "copy.db", before=FULL)
    assert (said.code, said.out) == (2, "")
    assert "no copy could be made: " in said.err
    assert "make room" in said.err
    assert not re.search("copy.db|damaged|salvage", said.err)
    assert answers(shell.home / "study.db") == ["mine/one", "mine/two"]
    assert unfinished(shell.home) == []


# A study that is a link


@pytest.fixture
def linked(shell: Shell) -> Iterator[Path]:
    """The file that study.db leads to, in a folder of its own."""
    real = shell.folder / "real" / "progress.db"
    real.parent.mkdir()
    (shell.home / "study.db").rename(real)
    (shell.home / "study.db").symlink_to("../real/progress.db")
    yield real
    assert (shell.home / "study.db").readlink().as_posix() == "../real/progress.db"
    assert sorted(path.name for path in real.parent.iterdir()) == ["progress.db"]


@POSIX
def test_a_copy_takes_the_place_of_what_a_link_leads_to(shell: Shell, linked: Path) -> None:
    said = shell.done("backup", "--restore", "copy.db").out
    assert answers(linked) == ["mine/one"]
    kept = shell.home / "study-before-restore-2026-03-02.db"
    assert str(kept) in said
    assert "1 row that is not here now" in said
    assert not kept.is_symlink()
    assert answers(kept) == ["mine/one", "mine/two"]
    assert str(kept) in [copy["file"] for copy in shell.done("backup", "--json").json["copies"]]


@POSIX
def test_answers_in_the_wal_of_a_linked_study_are_kept_with_it(shell: Shell, linked: Path) -> None:
    with closing(sqlite3.connect(linked)) as other:
        other.execute("INSERT INTO meta VALUES ('waits', 'in the WAL')")
        other.commit()
        waiting = {path.name: path.read_bytes() for path in linked.parent.iterdir()}
    assert len(waiting["progress.db-wal"]) > 0
    for name, content in waiting.items():  # as a process that was killed leaves them
        (linked.parent / name).write_bytes(content)
    shell.done("backup", "--restore", "copy.db")
    with closing(sqlite3.connect(shell.home / "study-before-restore-2026-03-02.db")) as kept:
        assert kept.execute("SELECT value FROM meta WHERE key = 'waits'").fetchone()


@POSIX
def test_a_link_that_leads_nowhere_leads_to_the_copy_then(shell: Shell, linked: Path) -> None:
    linked.unlink()
    shell.done("backup", "--restore", "copy.db")
    assert answers(linked) == ["mine/one"]


# What killed runs left


def unfinished(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.rglob(".*.tmp*"))


def leave(path: Path, seconds: float) -> str:
    """Leave a file that was last written that long ago; return its name."""
    path.write_bytes(b"half a copy")
    then = path.stat().st_mtime - seconds
    os.utime(path, (then, then))
    return path.name


def test_the_day_s_backup_clears_what_killed_runs_left_an_hour_ago(shell: Shell) -> None:
    home, backups = shell.home, shell.home / "backups"
    for number, name in enumerate(
        ("study-before-fix-2026-03-01.db", "study-format-1.db", "study.db", "study-salvaged-1.db")
    ):
        folder = backups if number < 2 else home
        leave(folder / f".{name}.0123abc{number}.tmp", AGE + 60)
        leave(folder / f".{name}.0123abc{number}.tmp-wal", AGE + 60)
    stays = [
        leave(backups / ".study-before-fix-2026-03-02.db.89abcdef.tmp", AGE - 60),
        leave(home / ".study.db.89abcdef.tmp", 0),
        leave(home / ".another.db.89abcdef.tmp", AGE + 60),
    ]
    shell.now = "2026-03-03T12:00:00+00:00"
    shell.done("card", "grade", "mine/three", "good")
    assert unfinished(home) == sorted(stays)


def test_a_restore_clears_what_a_killed_one_left_in_the_same_place(shell: Shell) -> None:
    leave(shell.home / ".study.db.01234567.tmp", AGE + 60)
    stays = leave(shell.home / ".study.db.89abcdef.tmp", AGE - 60)
    shell.done("backup", "--restore", "copy.db")
    assert unfinished(shell.home) == [stays]
