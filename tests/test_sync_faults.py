"""A sync that ends at any moment loses no row, doubles none, and is made good by the next."""

from __future__ import annotations

import errno
import os
import shutil
import signal
import subprocess
import sys
from collections import Counter
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from attn_study.errors import UserError
from attn_study.memory.database import open_study
from attn_study.memory.replaying import replayed
from attn_study.memory.sync.folder import LOGS
from attn_study.memory.sync.lines import row_of
from cli_helpers import SOURCES
from memory_helpers import log_in_memory, log_on_disk, noon, review, rows, states, write
from sync_helpers import met, own, uids

if TYPE_CHECKING:
    from pathlib import Path

    from attn_study.memory.log import Log

FULL = os.environ.get("ATTN_STUDY_FULL") == "1"
KILLS = 120 if FULL else 8  # over all of it, and as many near its end
OURS, THEIRS = 30, 40  # rows that wait on either side

# The program, killed at the KILL_AT-th line that sync runs; at 0 it lives and counts them.
VICTIM = """
import os, signal, sys
left, seen = int(os.environ["KILL_AT"]), 0
PARTS = tuple(os.path.join(*path) for path in (("memory", "sync"), ("memory", "log.py"),
              ("memory", "incoming.py"), ("attn_study", "files.py"), ("cli", "sync.py")))
def line(frame, event, arg):
    global seen
    if event == "line":
        seen += 1
        if seen == left:
            os.kill(os.getpid(), signal.SIGKILL)
    return line
def trace(frame, event, arg):
    return line if any(part in frame.f_code.co_filename for part in PARTS) else None
sys.settrace(trace)
sys.argv = ["attn-study", "sync"]
from attn_study.cli.main import main
try:
    main()
finally:
    sys.settrace(None)
    print(seen)
"""


class World:
    """A home with rows to send, and a folder that holds rows to receive."""

    def __init__(self, root: Path) -> None:
        self.home, self.box = root / "home", root / "box"

    @staticmethod
    def made(root: Path) -> World:
        world = World(root)
        world.box.mkdir(parents=True)
        world.run(0, "sync", str(world.box))
        with world.log() as log, log_in_memory("lap") as lap:
            write(log, 0, *(review(f"a/{n % 7}", n % 6) for n in range(OURS)))
            met(log, world.box)
            write(log, 1, *(review(f"a/{n % 7}", n % 6) for n in range(OURS)))
            write(lap, 1, *(review(f"a/{n % 9}", n % 6) for n in range(THEIRS)))
            met(lap, world.box)
            lap.undo(noon(2))
            met(lap, world.box)
        return world

    def run(self, kill_at: int, *words: str) -> subprocess.CompletedProcess[str]:
        """Run a sync that is killed at this line."""
        environ = {
            **os.environ,
            "ATTN_STUDY_HOME": str(self.home),
            "ATTN_STUDY_NOW": "2026-03-04T12:00:00+00:00",
            "PYTHONPATH": str(SOURCES),
            "KILL_AT": str(kill_at),
        }
        script = VICTIM.replace('"sync"]', f'"sync", {str(self.box)!r}]')
        start = ["-c", script] if not words else ["-m", "attn_study", *words]
        return subprocess.run(
            [sys.executable, *start], env=environ, capture_output=True, text=True, check=False
        )

    def log(self) -> _Open:
        return _Open(self.home)

    def copies(self) -> Counter[str]:
        """How often each row stands in the folder."""
        found: Counter[str] = Counter()
        for path in (self.box / LOGS).glob("*.jsonl"):
            found.update(str(row_of(line)["uid"]) for line in path.read_bytes().splitlines())
        return found


class _Open:
    """The log of a home under the id it has there."""

    def __init__(self, home: Path) -> None:
        with closing(open_study(home / "study.db", home / "cache.db", "1", write=True)) as conn:
            query = "SELECT value FROM meta WHERE key = 'device'"
            device = conn.execute(query).fetchone()[0]
        self._opened = log_on_disk(home, device)

    def __enter__(self) -> Log:
        return self._opened.__enter__()

    def __exit__(self, *_: object) -> None:
        self._opened.__exit__(None, None, None)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="no kill -9")
def test_a_sync_that_is_killed_at_any_line_is_made_good_by_the_next(tmp_path: Path) -> None:
    template = World.made(tmp_path / "template")
    with template.log() as log:
        before = uids(log)
    all_rows = set(template.copies()) | before
    assert (len(before), len(all_rows)) == (2 * OURS, 2 * OURS + THEIRS + 1)
    shutil.copytree(template.box.parent, tmp_path / "count")
    counted = World(tmp_path / "count").run(0)
    steps = int(counted.stdout.splitlines()[-1])
    print(f"sync runs {steps} lines; killed at {2 * KILLS} of them")
    stages: Counter[tuple[int, int]] = Counter()
    late = steps - steps // 6  # where the own file and the memory of it are written
    ats = [1 + number * (steps - 1) // KILLS for number in range(KILLS)]
    ats += [late + number * (steps - late) // KILLS for number in range(KILLS)]
    for at in ats:
        world = World(tmp_path / "world")
        shutil.copytree(template.box.parent, world.box.parent)
        done = world.run(at)
        assert done.returncode == -signal.SIGKILL, done.stderr
        with world.log() as log:
            assert log.conn.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
            assert before <= uids(log) <= all_rows
            assert states(log.conn) == {state.card: state for state in replayed(log)}
            stages[len(uids(log)), sum(path.stat().st_size for path in box_files(world))] += 1
            assert met(log, world.box).odd == ()
            assert uids(log) == all_rows
        assert world.copies() == Counter(all_rows), at
        shutil.rmtree(world.box.parent)
    print(f"rows in the log and bytes in the folder after the kills: {dict(stages)}")
    assert len(stages) > 2  # before the rows came, before ours went, and after


def box_files(world: World) -> list[Path]:
    return list((world.box / LOGS).glob("*.jsonl"))


# The same, a step at a time, without processes


class EndedError(Exception):
    """The moment at which everything ended."""


def end(*_: object) -> None:
    raise EndedError


def cut_short(log: Log, box: Path, place: str) -> None:
    """Sync up to a step of the exchange."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(f"attn_study.memory.sync.exchange.{place}", end)
        with pytest.raises(EndedError):
            met(log, box)


def test_rows_that_were_half_written_when_it_ended_stand_there_once_after_the_next(
    two: list[Log], box: Path
) -> None:
    desk, lap = two
    write(desk, 0, review("a/x", 4))
    met(desk, box)
    first = own(box, desk).stat().st_size
    write(desk, 1, review("a/x", 4), review("a/y", 4))
    cut_short(desk, box, "remember")
    whole = own(box, desk).read_bytes()
    lines = whole.splitlines(keepends=True)
    assert len(lines) == 3
    for cut in (*range(first, len(whole), 37), len(whole) - 1, len(whole)):
        own(box, desk).write_bytes(whole[:cut])
        cut_short(desk, box, "remember")  # so that each cut is the first
        assert own(box, desk).read_bytes().rstrip(b"\n") == whole.rstrip(b"\n"), cut
    assert met(desk, box).odd == ()
    assert met(lap, box).odd == ()
    assert uids(lap) == uids(desk)


@pytest.mark.parametrize("place", ["_take_in", "_send", "remember"])
def test_a_sync_that_ends_between_two_steps_is_made_good_by_the_next(
    two: list[Log], box: Path, place: str
) -> None:
    desk, lap = two
    write(lap, 0, review("a/x", 4))
    met(lap, box)
    write(desk, 0, review("a/y", 4))
    cut_short(desk, box, place)
    met(desk, box)
    met(lap, box)
    assert [len(own(box, log).read_bytes().splitlines()) for log in two] == [1, 1]
    assert len(uids(desk)) == 2
    assert rows(lap.conn) != []
    assert uids(lap) == uids(desk)


def test_s35_where_the_disk_is_full_nothing_counts_as_sent(two: list[Log], box: Path) -> None:
    desk, lap = two
    write(lap, 0, review("a/y", 4))
    met(lap, box)
    write(desk, 0, review("a/x", 4))
    met(desk, box)
    write(desk, 1, review("a/x", 4))

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("attn_study.memory.sync.own.os.fsync", full)
        with pytest.raises(UserError, match="No space left") as refused:
            met(desk, box)
    assert "goes with the next sync" in refused.value.hint
    done = met(desk, box)
    assert len(own(box, desk).read_bytes().splitlines()) == 2
    assert done.odd == ()
    met(lap, box)
    assert uids(lap) == uids(desk)
