"""What makes a run of all tests quick, and nothing a test could see."""

from __future__ import annotations

import os
import shutil
import sqlite3
import sys
import tempfile
from contextlib import closing, contextmanager
from functools import cache
from pathlib import Path
from secrets import token_hex
from typing import TYPE_CHECKING

import typer

from attn_study.cli import app

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pytest

MEMORY = Path("/dev/shm")  # where Linux may keep files in memory
ROOM = 2 << 30  # bytes; a run that deleted nothing would leave a quarter of it


def calculate_in_one_thread() -> None:
    """Keep NumPy, which must not be loaded yet, to one thread.

    Matrices here are small, and tests run in several processes: threads that wait for each other
    would take half as much time again.
    """
    os.environ.setdefault("OMP_NUM_THREADS", "1")


def keep_files_in_memory() -> None:
    """Have temporary files made in memory where the system offers that and no place was chosen.

    Each grade is synced to the disk before it is said to be kept. On a disk that others use too,
    waiting for that takes half of the time of a test with a log; a power cut no test can cause.
    """
    if "TMPDIR" not in os.environ and _is_of_use(MEMORY):
        tempfile.tempdir = str(MEMORY)


def _is_of_use(folder: Path) -> bool:
    """Whether a run has room there, and may start the programs that it puts there."""
    if sys.platform != "linux" or not os.access(folder, os.W_OK):
        return False
    return not os.statvfs(folder).f_flag & os.ST_NOEXEC and shutil.disk_usage(folder).free > ROOM


def build_commands_once(patch: pytest.MonkeyPatch) -> None:
    """Let all runs of the command line in this process share the commands, which none changes.

    The first group forgets what it has loaded, as it would with the process.
    """
    patch.setattr(app, "_loaded", cache(app._loaded))
    build = cache(typer.main.get_command)

    def built(group: typer.Typer) -> object:
        command = build(group)
        if isinstance(command, app.Examples):
            command.commands = {}
        return command

    patch.setattr(typer.main, "get_command", built)


@contextmanager
def tables_made_once(patch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let studies in memory begin as copies of a first one, each under a name of its own."""
    from attn_study.memory import schema  # which loads NumPy, as the lessons below do

    make = schema.migrate
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as first:
        make(first, "")

        def migrate(conn: sqlite3.Connection, written_by: str) -> None:
            file, version = conn.execute(
                "SELECT file, user_version FROM pragma_database_list, pragma_user_version"
            ).fetchone()
            if file or version:
                make(conn, written_by)
                return
            first.backup(conn)
            named = {"study": token_hex(16), "written_by": written_by}
            conn.executemany(
                "UPDATE meta SET value = ? WHERE key = ?",
                [(value, key) for key, value in named.items()],
            )

        patch.setattr(schema, "migrate", migrate)
        yield


def compute_long_lessons_once(patch: pytest.MonkeyPatch) -> None:
    """Let the lessons `learn` and `scale` share what is learned, and measured, by a seed."""
    from attn_study.attention.spread import spread
    from attn_study.demos import scale
    from attn_study.demos.workings import learn
    from remembering import Remembering

    patch.setattr(learn, "Pupil", Remembering)
    patch.setattr(scale, "spread", cache(spread))
