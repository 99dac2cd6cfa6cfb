"""A study looked over, sound or not: every check for itself, so that one finds what another cannot.

Nothing is written, and a file that no command can open is looked at as far as it goes.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from attn_study.errors import UserError
from attn_study.memory.copies import reading, sides
from attn_study.memory.database import VERSION, WAIT, newer_format
from attn_study.memory.health import replay, story, structure, values
from attn_study.memory.health.finding import Check, Finding
from attn_study.memory.log import Log

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from datetime import date
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class Examined:
    """What was looked at; `rows` is None where the log cannot be counted.

    `is_open` says whether other commands can use the file at all.
    """

    checks: tuple[Check, ...]
    rows: int | None = None
    is_open: bool = True


def examine(path: Path, program: str, today: date, tell: Callable[[str], None]) -> Examined:
    """Look over the study at `path`; `tell` hears what is looked at now.

    Raises UserError for a study of a newer program, and one that another process keeps to itself.
    """
    try:
        with opened_as_it_is(path) as conn:
            version = conn.execute("PRAGMA user_version").fetchone()[0]
            if version > VERSION:
                raise newer_format(conn, path, version, program)
            return _look(conn, path, today, tell)
    except sqlite3.Error as error:
        if "locked" in str(error):
            hint = "try again in a moment"
            raise UserError("in use by another attn-study", where=str(path), hint=hint) from error
        return _unreadable(str(error))


def _unreadable(says: str) -> Examined:
    what = f"the study database cannot be opened: {says}"
    finding = Finding("unreadable", what, remedy=structure.SALVAGE)
    return Examined((Check("the file is sound", (finding,)),), is_open=False)


@contextmanager
def opened_as_it_is(path: Path) -> Iterator[sqlite3.Connection]:
    """Open a study for looking alone: nothing is upgraded, folded in or left beside it."""
    wal = sides(path)[0]
    has_wal = wal.exists() and wal.stat().st_size > 0
    uri = path.absolute().as_uri()
    modes = ["ro"] if has_wal else ["rw", "ro&immutable=1"]  # `ro` leaves an empty WAL behind
    for mode in modes:
        try:
            conn = _opened(f"{uri}?mode={mode}")
        except sqlite3.OperationalError as error:
            if mode == modes[-1] or "locked" in str(error):
                raise
        else:
            with closing(conn):
                yield conn
            return


def _opened(uri: str) -> sqlite3.Connection:
    conn = sqlite3.connect(uri, uri=True, timeout=WAIT)
    try:
        conn.isolation_level = None
        conn.execute("PRAGMA query_only = ON")
        conn.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    except BaseException:
        conn.close()
        raise
    return conn


def _look(
    conn: sqlite3.Connection, path: Path, today: date, tell: Callable[[str], None]
) -> Examined:
    log = Log(conn, "", path)
    is_old = conn.execute("PRAGMA user_version").fetchone()[0] < VERSION
    checks = []
    for sound, look in (
        ("the file is sound", lambda: structure.trees(conn)),
        ("every reference leads somewhere", lambda: structure.references(conn)),
        ("tables, indexes and triggers are as they should be", lambda: structure.objects(conn)),
        ("every value in the log can be", lambda: values.in_log(conn)),
        ("every value in the states can be", lambda: values.in_states(conn)),
        ("the states are what the log says", lambda: replay.against_log(log)),
        ("what was taken back is known", lambda: story.undone(conn)),
        ("clocks went forward", lambda: story.clocks(conn, today)),
    ):
        tell(sound)
        if is_old and sound in OF_THIS_FORMAT:
            continue
        checks.append(Check(sound, tuple(_guarded(look))))
    if is_old:
        checks.append(Check("the format is today's", (OLD,)))
    try:
        rows = conn.execute("SELECT count(*) FROM log").fetchone()[0]
    except sqlite3.Error:
        rows = None
    is_open = not any(one.name in BROKEN for check in checks for one in check.findings)
    return Examined(tuple(checks), rows, is_open)


BROKEN = ("damaged", "unreadable", "check")
OF_THIS_FORMAT = (
    "tables, indexes and triggers are as they should be",
    "the states are what the log says",
)
OLD = Finding(
    "format",
    "this study has an older format, so its states were not compared with the log",
    remedy="the next command upgrades it, after a backup; then ask again",
    is_fault=False,
)


def _guarded(look: Callable[[], Iterable[Finding]]) -> Iterator[Finding]:
    """Yield what a check finds; what keeps it from looking is a finding too."""
    try:
        yield from look()
    except (sqlite3.Error, ValueError, TypeError, OverflowError) as error:
        what = f"this could not be looked at: {error}"
        yield Finding("check", what, remedy=structure.SALVAGE)
    except UserError as error:
        yield Finding("replay", error.what, error.where, error.hint)


def examine_copy(path: Path, program: str) -> Finding | None:
    """Return what is wrong with a backup, if anything."""
    try:
        with reading(path, program) as conn:
            said = conn.execute("PRAGMA quick_check(1)").fetchone()[0]
    except UserError as error:
        said = error.what
    if said == "ok":
        return None
    what = f"the newest backup is of no use: {said}"
    remedy = "move it away; `attn-study backup FILE` makes another"
    return Finding("backup", what, str(path), remedy)
