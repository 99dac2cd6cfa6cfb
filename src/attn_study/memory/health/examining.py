"""A study looked over, sound or not: every check for itself, so that one finds what another cannot.

Nothing is written, and a file that no command can open is looked at as far as it goes.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from attn_study.errors import UserError
from attn_study.memory.database import WAIT, is_bare
from attn_study.memory.format import APPLICATION, VERSION, check_tables, newer_format
from attn_study.memory.health import replay, schedulers, story, structure, values
from attn_study.memory.health.finding import Check, Finding
from attn_study.memory.log import Log
from attn_study.memory.safety.copies import reading, sides

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from datetime import date
    from pathlib import Path

    Look = Callable[[], Iterable[Finding]]


@dataclass(frozen=True, slots=True)
class Examined:
    """What was looked at; `rows` is None where the log cannot be counted.

    `is_open` says whether other commands can use the file at all, `is_whole` whether SQLite can
    read all of it.
    """

    checks: tuple[Check, ...]
    rows: int | None = None
    is_open: bool = True
    is_whole: bool = True


UNSTUDIED = Examined((Check("nothing is studied yet"),), 0, is_open=False)


def examine(path: Path, program: str, today: date, tell: Callable[[str], None]) -> Examined:
    """Look over the study at `path`; `tell` hears what is looked at now.

    Raises UserError for a study of a newer program, and one that another process keeps to itself.
    """
    try:
        with opened_as_it_is(path) as conn:
            if is_bare(conn):
                return UNSTUDIED
            if conn.execute("PRAGMA application_id").fetchone()[0] != APPLICATION:
                return _unreadable("it is no study database")
            version = conn.execute("PRAGMA user_version").fetchone()[0]
            if version > VERSION:
                raise newer_format(conn, path, version, program)
            return _look(conn, path, today, tell)
    except sqlite3.Error as error:
        if "locked" in str(error):
            hint = "try again in a moment"
            raise UserError("in use by another attn-study", where=str(path), hint=hint) from error
        return _unreadable(str(error))


def is_unstudied(path: Path) -> bool:
    """Return whether a sound file holds no answer: there is nothing that could be lost."""
    try:
        with opened_as_it_is(path) as conn:
            if is_bare(conn):
                return True
            is_sound = conn.execute("PRAGMA quick_check(1)").fetchone()[0] == "ok"
            return is_sound and not conn.execute("SELECT count(*) FROM log").fetchone()[0]
    except sqlite3.Error:
        return False


def _unreadable(says: str) -> Examined:
    what = f"the study database cannot be opened: {says}"
    finding = Finding("unreadable", what, remedy=structure.SALVAGE)
    checks = (Check(WHOLE, (finding,)),)
    return Examined(checks, is_open=False, is_whole=False)


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
        check_tables(conn)
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
    blocked: dict[str, list[str]] = {}
    for sound, look in _looks(conn, log, today):
        tell(sound)
        if is_old and sound in OF_THIS_FORMAT:
            continue
        try:
            checks.append(Check(sound, tuple(look())))
        except (sqlite3.Error, ValueError, TypeError, OverflowError) as error:
            blocked.setdefault(str(error), []).append(sound)
        except UserError as error:
            finding = Finding("replay", error.what, error.where, error.hint)
            checks.append(Check(sound, (finding,)))
    if blocked:
        checks.append(Check("everything could be looked at", tuple(_blocked(blocked))))
    if is_old:
        checks.append(Check("the format is today's", (OLD,)))
    try:
        rows = conn.execute("SELECT count(*) FROM log").fetchone()[0]
    except sqlite3.Error:
        rows = None
    names = {one.name for check in checks for one in check.findings}
    unread = [sound for sounds in blocked.values() for sound in sounds]
    is_whole = "damaged" not in names and WHOLE not in unread
    return Examined(tuple(checks), rows, names.isdisjoint(BROKEN), is_whole)


def _looks(conn: sqlite3.Connection, log: Log, today: date) -> list[tuple[str, Look]]:
    """Return what is looked at, each as the sentence that holds when nothing is found."""
    return [
        (WHOLE, lambda: structure.trees(conn)),
        ("every reference leads somewhere", lambda: structure.references(conn)),
        ("tables, indexes and triggers are as they should be", lambda: structure.objects(conn)),
        ("every value in the log is a possible one", lambda: values.in_log(conn)),
        ("every value in the states is a possible one", lambda: values.in_states(conn)),
        ("what schedules the decks is installed", lambda: schedulers.installed(log)),
        ("the states are what the log says", lambda: replay.against_log(log)),
        ("what was taken back is known", lambda: story.undone(conn)),
        ("clocks went forward", lambda: story.clocks(conn, today)),
    ]


WHOLE = "the file is sound"
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


def _blocked(blocked: Mapping[str, Sequence[str]]) -> Iterator[Finding]:
    """Yield what keeps checks from looking, each with those that it keeps from it."""
    for error, checks in blocked.items():
        why = "the file is damaged, so " if "malformed" in error else ""
        what = f"{why}not everything could be looked at: {error}"
        where = "whether " + "; whether ".join(checks)
        yield Finding("check", what, where, structure.SALVAGE)


def examine_copy(path: Path, program: str) -> Finding | None:
    """Return what is wrong with a backup, if anything; impossible values in it do no harm."""
    try:
        with reading(path, program) as conn:
            conn.execute("PRAGMA ignore_check_constraints = ON")
            said = conn.execute("PRAGMA quick_check(1)").fetchone()[0]
    except UserError as error:
        said = error.what
    if said == "ok":
        return None
    what = f"the newest backup is of no use: {said}"
    remedy = "move it away; `attn-study backup FILE` makes another"
    return Finding("backup", what, str(path), remedy)
