"""Copies of study.db: made by SQLite itself, verified, and never half there."""

from __future__ import annotations

import os
import sqlite3
import stat
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from os import urandom
from typing import TYPE_CHECKING

from attn_study.errors import UserError
from attn_study.files import settle
from attn_study.memory.format import APPLICATION, HEADER, MAGIC, VERSION, check_tables, newer_format
from attn_study.memory.nearest import is_day

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

PAGES = 4_000  # copied at a time, 16 MB: between them Ctrl-C is heard
SIDE = ("-wal", "-shm", "-journal")  # what SQLite keeps beside a file


@dataclass(frozen=True, slots=True)
class Facts:
    """What tells one log from another. `newest_uid` is of the row that came last.

    `newest_day` is the latest study day; both are empty in a log without rows.
    """

    version: int
    rows: int
    newest_uid: str
    newest_day: str


def facts(conn: sqlite3.Connection) -> Facts:
    """Return the facts of the log that is open as `main`; raises sqlite3.Error."""
    version = conn.execute("PRAGMA main.user_version").fetchone()[0]
    count = conn.execute("SELECT count(*) FROM main.log").fetchone()[0]
    day = conn.execute(f"SELECT max(day) FROM main.log WHERE {is_day('day')}").fetchone()[0]
    return Facts(version, count, newest_uid(conn), day or "")


def newest_uid(conn: sqlite3.Connection) -> str:
    """Return the uid of the row that came last, empty where there is none."""
    row = conn.execute("SELECT uid FROM main.log ORDER BY id DESC LIMIT 1").fetchone()
    return row[0] if row else ""


def copy(conn: sqlite3.Connection, target: Path) -> Facts:
    """Put a copy of the open study at `target`: durable and verified, or not there at all.

    The copy names no device: who goes on from it writes under an id of its own, and never again
    the ticks that this device has used since. Raises UserError when it cannot be made, or when
    what is copied is damaged.
    """
    with writing_to(target):
        beside = made_beside(target)
        try:
            with _blaming(conn):
                known = fill(conn, beside)
                verify(beside, known)
            put(beside, target)
        except BaseException:
            drop(beside)
            raise
    return known


@contextmanager
def _blaming(conn: sqlite3.Connection) -> Iterator[None]:
    """Say of a copy that came out unsound that the study is: what was written cannot help it."""
    try:
        yield
    except sqlite3.OperationalError:  # no room, no rights
        raise
    except sqlite3.DatabaseError as error:
        found = conn.execute("PRAGMA database_list").fetchone()
        raise UserError(
            f"no copy could be made: the study itself is damaged ({str(error).splitlines()[-1]})",
            where=found[2] if found else "",
            hint="`attn-study doctor --salvage` saves what can be read; "
            "`attn-study backup` lists the copies there are",
        ) from error


@contextmanager
def writing_to(target: Path) -> Iterator[None]:
    """Turn what goes wrong while a copy is made into an error a person can act on."""
    hint = (
        "make room there, look for a limit on the size of files (`ulimit -f`), "
        "check who may write there, or choose another place"
    )
    try:
        yield
    except OSError as error:
        what = f"no copy could be made: {error.strerror or error}"
        raise UserError(what, where=str(target), hint=hint) from error
    except sqlite3.Error as error:
        raise UserError(f"no copy could be made: {error}", where=str(target), hint=hint) from error


def made_beside(target: Path) -> Path:
    """Make an empty file beside `target`, for its owner's eyes alone; return its hidden name."""
    beside = target.with_name(f".{target.name}.{urandom(4).hex()}.tmp")
    os.close(os.open(beside, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    return beside


def fill(conn: sqlite3.Connection, beside: Path) -> Facts:
    """Copy the open study into the empty file `beside`; return what it must hold."""
    if conn.in_transaction:
        raise RuntimeError("SQLite would wait for ever for this connection's own transaction")
    with closing(sqlite3.connect(beside, isolation_level=None)) as made:
        # Nobody else knows this file, and after a crash it is thrown away
        made.execute("PRAGMA synchronous = OFF")
        made.execute("PRAGMA journal_mode = OFF")
        conn.execute("BEGIN")  # one moment of the log, whoever writes meanwhile
        try:
            known = facts(conn)
            conn.backup(made, pages=PAGES, name="main")
        finally:
            conn.execute("ROLLBACK")
    with closing(sqlite3.connect(beside, isolation_level=None)) as made:
        made.execute("PRAGMA synchronous = OFF")
        with suppress(sqlite3.OperationalError):  # a study so damaged that it has no `meta`
            made.execute("DELETE FROM meta WHERE key IN ('device', 'fingerprint')")
    return known


def verify(path: Path, known: Facts) -> None:
    """Raise sqlite3.DatabaseError unless the file is sound and holds what is known of it."""
    with closing(
        sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro&immutable=1", uri=True)
    ) as it:
        # States with impossible values are a matter for `doctor`, and worth keeping meanwhile
        it.execute("PRAGMA ignore_check_constraints = ON")
        found = it.execute("PRAGMA quick_check(1)").fetchone()[0]
        if found != "ok":
            raise sqlite3.DatabaseError(found)
        if facts(it) != known:
            raise sqlite3.DatabaseError("it does not hold what it was copied from")


def put(beside: Path, target: Path) -> None:
    """Make a finished file durable, and give it its name in one step."""
    with beside.open("rb+") as file:
        os.fsync(file.fileno())
    beside.replace(target)
    settle(target.parent)


def drop(path: Path) -> None:
    """Remove a file that was not finished, with what SQLite keeps beside it."""
    for name in (path, *sides(path)):
        with suppress(OSError):
            name.unlink(missing_ok=True)


def sides(path: Path) -> list[Path]:
    """Return the names of what SQLite keeps beside a file."""
    return [path.with_name(f"{path.name}{end}") for end in SIDE]


@contextmanager
def reading(path: Path, program: str) -> Iterator[sqlite3.Connection]:
    """Open a copy to read it, with nothing changed and nothing left beside it.

    Raises UserError when it is no study database, cannot be read, or is newer than `program`.
    """
    _check_file(path)
    wal = sides(path)[0]
    mode = "mode=ro" if wal.exists() and wal.stat().st_size else "mode=ro&immutable=1"
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?{mode}", uri=True)) as conn:
            conn.isolation_level = None
            check_tables(conn)
            _check_owner(conn, path, program)
            yield conn
    except sqlite3.DatabaseError as error:
        hint = f"`attn-study doctor --salvage {path}` reads what can be read"
        raise UserError(f"this file is damaged: {error}", where=str(path), hint=hint) from error


def _check_file(path: Path) -> None:
    try:
        if path.is_dir():
            raise UserError("this is a folder, not a file", where=str(path), hint="name the file")
        if not stat.S_ISREG(path.stat().st_mode):  # a pipe would be waited for
            raise UserError("this is no regular file", where=str(path))
        with path.open("rb") as file:
            header = file.read(HEADER)
    except OSError as error:
        hint = "`attn-study backup` lists the copies there are"
        what = f"this file cannot be read: {error.strerror or error}"
        raise UserError(what, where=str(path), hint=hint) from error
    if len(header) < HEADER or not header.startswith(MAGIC):
        raise UserError("this is no study database", where=str(path), hint=OTHERS)


OTHERS = "`attn-study backup` lists the copies there are"


def _check_owner(conn: sqlite3.Connection, path: Path, program: str) -> None:
    if conn.execute("PRAGMA application_id").fetchone()[0] != APPLICATION:
        raise UserError("this is no study database", where=str(path), hint=OTHERS)
    version = conn.execute("PRAGMA user_version").fetchone()[0]
    if version > VERSION:
        raise newer_format(conn, path, version, program)
