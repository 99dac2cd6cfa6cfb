"""The fault run: kills, full disks, read-only homes, damaged files, many at once; counts printed.

Reviews that are killed are in test_kill, syncs in test_sync_faults.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
import time
from contextlib import closing, contextmanager, suppress
from typing import TYPE_CHECKING

import pytest

from attn_study.memory.database import transaction
from attn_study.memory.format import VERSION
from attn_study.memory.log import INSERT_EVENT
from attn_study.memory.rebuilding import rebuild
from attn_study.memory.rows import event_row
from attn_study.memory.safety.copies import copy
from cli_helpers import HIDDEN, SMALL, Said, Shell
from memory_helpers import (
    NO_RIGHTS,
    folder_for_all,
    log_on_disk,
    noon,
    read_only,
    replay,
    review,
    rows,
    states,
    told,
)
from test_backup import as_format_1, files
from test_kill import seeded
from test_two_at_once import together

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from conftest import Logged

pytestmark = pytest.mark.slow

FULL = os.environ.get("ATTN_STUDY_FULL") == "1"
KILLS = 60 if FULL else 6
MANY = 20_000  # rows: a copy of them takes long enough to be interrupted
PAGE = 4096  # bytes
STEP = 1 if FULL else 5  # pages between two damages
READING = (
    ("today",),
    ("log",),
    ("card", "list"),
    ("card", "show", "mine/one"),
    ("deck", "list"),
    ("config",),
    ("backup",),
    ("doctor",),
    ("doctor", "--json"),
)


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    return Shell(tmp_path)


def filled(home: Path, count: int = MANY) -> None:
    """Make a study with that many rows."""
    with log_on_disk(home) as log:
        story = ((number // 500, review(f"a/c{number % 900}", 4)) for number in range(count))
        with transaction(log.conn):
            log.conn.executemany(INSERT_EVENT, map(event_row, told(*story)))
            rebuild(log)


def uids(path: Path) -> list[str]:
    """The rows of a sound file; raises where it is not sound."""
    with closing(sqlite3.connect(path)) as conn:
        assert conn.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        return [row[0] for row in conn.execute("SELECT uid FROM log ORDER BY id")]


class Killing:
    """Ends commands at any moment; every other one just as an unfinished file shows up."""

    def __init__(self, shell: Shell) -> None:
        self._environ = shell.environ({"PYTHONUTF8": "1"})
        self._dice = seeded()
        self._number = 0
        self.ended = 0

    def _start(self, *words: str) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [sys.executable, "-m", "attn_study", *words],
            env=self._environ,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    def takes(self, *words: str) -> float:
        """Return the seconds that a command takes when it is left alone."""
        before = time.monotonic()
        assert self._start(*words).wait(60) == 0
        return time.monotonic() - before

    def kill(self, seconds: float, folder: Path, *words: str) -> None:
        """Start a command that writes in `folder`, and end it before, or just when, it is done."""
        self._number += 1
        process = self._start(*words)
        wait = self._dice.uniform(0.3, 1.0) * seconds
        if self._number % 2:
            while process.poll() is None and not any(folder.glob(".*.tmp*")):
                pass
            wait = self._dice.uniform(0, 0.5) * seconds
        with suppress(subprocess.TimeoutExpired):
            process.wait(wait)
            self.ended += 1
        process.kill()
        process.wait()


def test_a_backup_that_is_killed_is_whole_or_not_there(shell: Shell) -> None:
    filled(shell.home)
    right = uids(shell.home / "study.db")
    killing = Killing(shell)
    seconds = killing.takes("backup", str(shell.folder / "first.db"))
    whole = 0
    for number in range(KILLS):
        target = shell.folder / f"{number}.db"
        killing.kill(seconds, shell.folder, "backup", str(target))
        if target.exists():
            assert uids(target) == right
            whole += 1
            target.unlink()
        assert uids(shell.home / "study.db") == right
    print(f"backup: {KILLS} kills, {whole} copies there and whole, no half one")
    assert shell.done("doctor").code == 0


def test_an_automatic_backup_that_is_killed_costs_no_grade(shell: Shell) -> None:
    shell.only_mine()
    filled(shell.home)
    before = uids(shell.home / "study.db")
    killing = Killing(shell)
    seconds = killing.takes("card", "grade", "mine/one", "good")
    for _ in range(KILLS):
        shutil.rmtree(shell.home / "backups", ignore_errors=True)
        killing.kill(seconds, shell.home / "backups", "card", "grade", "mine/one", "good")
        for path in (shell.home / "backups").glob("*.db"):
            assert set(before) <= set(uids(path)) <= set(uids(shell.home / "study.db"))
    after = uids(shell.home / "study.db")
    assert after[: len(before)] == before
    assert len(after) > len(before) + killing.ended
    print(f"daily backup: {KILLS} kills, {len(after) - len(before)} grades, none lost")
    for path in (shell.home / "backups").glob("*.db"):
        path.unlink()
    shell.done("card", "grade", "mine/two", "good")
    assert not list((shell.home / "backups").glob(".*.tmp*"))
    assert shell.done("doctor").code == 0


def test_a_restore_that_is_killed_leaves_one_study_or_the_other(shell: Shell) -> None:
    filled(shell.home)
    with log_on_disk(shell.home) as log:
        copy(log.conn, shell.folder / "small.db")
        log.conn.execute("PRAGMA synchronous = OFF")
        for number in range(9):
            log.write([review(f"b/{number}", 4)], noon(40))
        copy(log.conn, shell.folder / "large.db")
    small, large = (uids(shell.folder / name) for name in ("small.db", "large.db"))
    killing = Killing(shell)
    seconds = killing.takes("backup", "--restore", str(shell.folder / "small.db"))
    changed, now = 0, small
    for number in range(KILLS):
        source, other = ("large.db", large) if number % 2 == 0 else ("small.db", small)
        killing.kill(seconds, shell.home, "backup", "--restore", str(shell.folder / source))
        found = uids(shell.home / "study.db")
        assert found in (now, other), number
        changed += found != now
        now = found
    for path in shell.home.glob("study-before-restore*.db"):
        assert uids(path) in (small, large)
    print(f"restore: {KILLS} kills, {changed} had put the copy in place, each study whole")
    shell.done("card", "suspend", "attention/scaling")
    assert shell.done("doctor").code == 0


def test_an_upgrade_that_is_killed_is_done_or_not_begun(shell: Shell) -> None:
    filled(shell.home)
    path = shell.home / "study.db"
    as_format_1(path)
    right = uids(path)
    shutil.copytree(shell.home, shell.folder / "old")
    killing = Killing(shell)
    seconds = killing.takes("today")
    done = 0
    for _ in range(KILLS):
        shutil.rmtree(shell.home)
        shutil.copytree(shell.folder / "old", shell.home)
        killing.kill(seconds, shell.home / "backups", "today")
        assert uids(path) == right
        with closing(sqlite3.connect(path)) as conn:
            found = conn.execute("PRAGMA user_version").fetchone()[0]
        assert found in (1, VERSION)
        done += found == VERSION
        for backup in (shell.home / "backups").glob("*.db"):
            assert uids(backup) == right
        shell.done("today")
        with log_on_disk(shell.home, write=False) as log:
            assert states(log.conn) == replay(rows(log.conn))
    assert shell.done("doctor").lines[-1].startswith("Nothing is wrong")
    print(f"upgrade: {KILLS} kills, {done} were done, the others left the old format whole")


# No room


@contextmanager
def small_disk(folder: Path, kilobytes: int) -> Iterator[None]:
    """Put a small file system at `folder`; skip where this user may not."""
    folder.mkdir()
    size = f"size={kilobytes}k"
    mount = shutil.which("mount")
    if (
        mount is None
        or subprocess.run(
            [mount, "-t", "tmpfs", "-o", size, "none", str(folder)],
            capture_output=True,
            check=False,
        ).returncode
    ):
        pytest.skip("no file system can be mounted here")
    try:
        yield
    finally:
        subprocess.run(["umount", str(folder)], check=True)


def graded_until_full(shell: Shell, before: str = "") -> tuple[int, list[Said]]:
    """Grade again and again; return how many grades were acknowledged, and the refusals."""
    acknowledged, refused = 0, []
    for _ in range(60 if FULL else 12):
        said = (
            shell.process("card", "grade", "mine/one", "good", before=before)
            if before
            else shell.attn("card", "grade", "mine/one", "good")
        )
        assert "Traceback" not in said.err
        assert said.code in (0, 2), said.err
        acknowledged += said.code == 0
        refused += [said] if said.code else []
    return acknowledged, refused


def test_s35_a_full_disk_costs_no_acknowledged_grade(shell: Shell) -> None:
    with small_disk(shell.home, 2000):
        shell.file("home/settings.toml", HIDDEN)
        shell.deck(SMALL)
        shell.done("card", "grade", "mine/two", "good")
        room = shutil.disk_usage(shell.home).free
        (shell.home / "filler").write_bytes(bytes(max(0, room - 160_000)))
        shell.now = "2026-03-03T12:00:00+00:00"
        acknowledged, refused = graded_until_full(shell)
        with (shell.home / "filler2").open("wb", buffering=0) as file, suppress(OSError):
            while file.write(bytes(1000)):
                pass
        more, refused_more = graded_until_full(shell)
        for said in (*refused, *refused_more):
            assert "full" in said.err or "cannot be" in said.err or "refuses" in said.err, said.err
        said = shell.attn("doctor")
        assert "Traceback" not in said.err
        (shell.home / "filler").unlink()
        (shell.home / "filler2").unlink()
        found = uids(shell.home / "study.db")
        print(
            f"full disk: {acknowledged + more} acknowledged, {len(found) - 1} kept, "
            f"{len(refused) + len(refused_more)} refused"
        )
        assert len(found) - 1 == acknowledged + more
        assert shell.done("doctor").code == 0


@pytest.mark.skipif(sys.platform == "win32", reason="asks for what POSIX alone has")
@pytest.mark.parametrize("kilobytes", [40, 79])
def test_s35_a_limit_on_files_costs_no_acknowledged_grade(shell: Shell, kilobytes: int) -> None:
    shell.only_mine()
    shell.done("card", "grade", "mine/two", "good")
    limit = (
        "import resource, signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN); "
        f"resource.setrlimit(resource.RLIMIT_FSIZE, ({kilobytes} * 1024,) * 2)"
    )
    shell.now = "2026-03-03T12:00:00+00:00"
    acknowledged, refused = graded_until_full(shell, limit)
    copied = shell.process("backup", "copy.db", before=limit)
    assert copied.code == 0 or not (shell.folder / "copy.db").exists()
    assert "Traceback" not in copied.err
    found = len(uids(shell.home / "study.db")) - 1
    print(
        f"limit of {kilobytes} kB: {acknowledged} acknowledged, {found} kept, "
        f"{len(refused)} refused"
    )
    assert found == acknowledged
    assert shell.done("doctor").code == 0


@NO_RIGHTS
def test_s35_in_a_read_only_home_everything_is_read_or_refused_cleanly() -> None:
    with folder_for_all() as folder:
        shell = Shell(folder)
        shell.only_mine()
        shell.done("card", "grade", "mine/one", "good")
        shell.done("backup", "copy.db")
        for path in folder.rglob("*"):
            path.chmod(0o755 if path.is_dir() else 0o644)
        before = files(shell.home)
        with read_only(shell.home):
            codes = {words: shell.attn(*words).code for words in READING}
            assert set(codes.values()) == {0}, codes
            for words in (
                ("card", "grade", "mine/two", "good"),
                ("backup", "--restore", "copy.db"),
                ("backup", "home/new.db"),
                ("doctor", "--salvage"),
            ):
                said = shell.attn(*words)
                assert (said.code, said.out) == (2, ""), words
            assert shell.attn("doctor", "--fix").code == 0
        assert files(shell.home) == before


# Damage


def damaged(data: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield a file cut at every page, and with each page zeroed, each with what was done."""
    for page in range(0, len(data) // PAGE, STEP):
        yield f"cut to {page} pages", data[: page * PAGE]
        zeroed = data[: page * PAGE] + bytes(PAGE) + data[(page + 1) * PAGE :]
        yield f"page {page + 1} zeroed", zeroed


def test_s31_whatever_is_damaged_no_command_breaks_and_all_else_is_saved(shell: Shell) -> None:
    shell.only_mine()
    filled(shell.home, 400)
    shell.done("card", "grade", "mine/one", "good")
    shutil.rmtree(shell.home / "backups")  # whose rows would come back with the others
    path = shell.home / "study.db"
    data = path.read_bytes()
    with closing(sqlite3.connect(path)) as conn:  # as texts that stand side by side in the table
        spelled = dict(conn.execute("SELECT uid, uid || device FROM log"))
    tried = worked = saved = 0
    for what, spoiled in damaged(data):
        path.write_bytes(spoiled)
        for words in READING:
            said = shell.attn(*words)
            assert said.code in (0, 1, 2), (what, words)
            assert "Traceback" not in said.err, (what, words)
            assert said.code == 0 or said.err or said.out, (what, words)
            tried += 1
            worked += said.code == 0
        assert path.read_bytes() == spoiled, what
        target = shell.folder / "saved.db"
        target.unlink(missing_ok=True)
        if shell.attn("doctor", "--salvage", "-o", str(target)).code == 0:
            found = set(uids(target))
            assert found == {uid for uid in spelled if spelled[uid].encode() in spoiled}, what
            saved += len(found)
        else:
            assert not any(text.encode() in spoiled for text in spelled.values()), what
        for side in shell.home.glob("study.db-*"):
            side.unlink()
    print(f"damage: {tried} commands, {worked} worked, the rest said why; {saved} rows saved")


# Many at once


def stocked(home: Path, count: int, each: int) -> list[str]:
    """Put decks with so many cards each into a home; return their names."""
    names = [f"deck{number}" for number in range(count)]
    (home / "decks").mkdir(parents=True)
    cards = "".join(f"  - {{id: c{n}, front: F{n}, back: B}}\n" for n in range(each))
    for name in names:
        (home / "decks" / f"{name}.yaml").write_text(f"deck: {name}\ncards:\n{cards}", "utf-8")
    return names


@pytest.mark.parametrize("count", [2, 10])
def test_of_grades_given_at_once_none_that_was_acknowledged_is_lost(
    home: Path, environ: dict[str, str], logged: Logged, count: int
) -> None:
    rounds = 6 if FULL else 1
    names = stocked(home, count, rounds)
    given: list[str] = []
    refused = 0
    for number in range(rounds):
        asked = [f"{name}/c{number}" for name in names]
        codes = together(environ, *(("card", "grade", card, "good") for card in asked))
        given += [card for card, code in zip(asked, codes, strict=True) if code == 0]
        refused += sum(code != 0 for code in codes)
    assert sorted(card for card, *_ in logged()) == sorted(given)
    with log_on_disk(home, write=False) as log:
        assert states(log.conn) == replay(rows(log.conn))
    print(f"{count} at once: {len(given)} grades acknowledged and kept, {refused} refused")
    assert refused == 0


@pytest.mark.parametrize("count", [2, 10])
def test_of_reviews_held_at_once_none_loses_an_answer(
    home: Path, environ: dict[str, str], logged: Logged, count: int
) -> None:
    each = 20 if FULL else 5
    names = stocked(home, count, each)
    running = []
    for name in names:
        review_of = subprocess.Popen(
            [sys.executable, "-m", "attn_study", "review", "--plain", name, "--new", "999"],
            env=environ,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        assert review_of.stdin
        review_of.stdin.write(b"\n3\n" * each)
        review_of.stdin.close()
        running.append(review_of)
    said = [process.stdout.read().decode() if process.stdout else "" for process in running]
    codes = [process.wait(60) for process in running]
    for process in running:
        assert process.stdout
        process.stdout.close()
    assert codes == [0] * count, said
    assert sorted(card for card, *_ in logged()) == sorted(
        f"{name}/c{number}" for name in names for number in range(each)
    )
    with log_on_disk(home, write=False) as log:
        assert states(log.conn) == replay(rows(log.conn))
    print(f"{count} reviews at once: {count * each} answers, all kept")
