"""Opening study.db, with the catalogue in cache.db beside it, safely or not at all."""

from __future__ import annotations

import os
import sqlite3
import stat
import struct
from contextlib import contextmanager, suppress
from time import monotonic, sleep
from typing import TYPE_CHECKING

from attn_study.errors import UserError
from attn_study.memory.format import APPLICATION, HEADER, MAGIC, VERSION, check_tables, newer_format
from attn_study.memory.traces import NOT_STUDY, check_empty, check_missing, remedy

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    BeforeUpgrade = Callable[[sqlite3.Connection, int], str]

WAIT = 5.0  # seconds to wait for another writer
PAUSE = 0.01  # seconds between two tries where SQLite does not wait by itself
RESCUE = "`attn-study doctor` says more, and `attn-study doctor --salvage` saves what can be read"


class Connection(sqlite3.Connection):
    """A connection that knows which file it opened, and where that was.

    `notices` are words for the learner on what opening it took.
    """

    path: Path
    file: tuple[int, int] | None = None
    notices: tuple[str, ...] = ()


def open_study(
    path: Path,
    cache: Path,
    program: str,
    *,
    write: bool,
    before_upgrade: BeforeUpgrade | None = None,
) -> sqlite3.Connection:
    """Open the log, with the catalogue attached as `cache`.

    `program` is this program's version. Without `write`, nothing is created: where no log is
    kept yet, an empty one in memory is returned. `before_upgrade` is called with a study in an
    old format and that format's number; what it returns becomes a notice. Raises UserError, with
    the file untouched, when the file is no study database, is damaged, is newer than this program,
    or cannot be written.
    """
    with speaking_of(path):
        version = _file_version(path, cache)
        if write:
            _make_folder(path.parent)
        found = None if version is None and not write else _connect(path, write=write)
        if found and version == 0 and not write and is_bare(found):
            found.close()
            found = None
        conn = found or sqlite3.connect(":memory:", isolation_level=None)
        cache_name = str(cache) if found else ":memory:"
    try:
        with speaking_of(path):
            _prepare(conn, path, program, before_upgrade)
            if write:  # a copy put here by hand may come without it
                _log_ahead(conn)
        from attn_study.memory.attached import attach

        attach(conn, cache_name)
    except BaseException:
        conn.close()
        raise
    return conn


def _prepare(
    conn: sqlite3.Connection, path: Path, program: str, before_upgrade: BeforeUpgrade | None
) -> None:
    """Set the pragmas and bring the tables up to date."""
    conn.execute("PRAGMA recursive_triggers = ON")
    conn.execute("PRAGMA synchronous = FULL")
    version = conn.execute("PRAGMA user_version").fetchone()[0]
    owner = conn.execute("PRAGMA application_id").fetchone()[0]
    tables = conn.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]
    if tables and owner != APPLICATION:
        raise UserError("this is no study database", where=str(path), hint=remedy(path))
    if version > VERSION:
        raise newer_format(conn, path, version, program)
    if version < VERSION:
        from attn_study.memory.schema import migrate

        if version and before_upgrade and isinstance(conn, Connection):
            notice = before_upgrade(conn, version)
            conn.notices = (notice,) if notice else ()
        _log_ahead(conn)
        migrate(conn, program)


def _log_ahead(conn: sqlite3.Connection) -> None:
    """Have the study write ahead (WAL), with the patience shown to any other writer.

    SQLite refuses this step at once while another process is about to write, whatever the timeout:
    it reads the file by then, and two that wait for each other would wait for ever.
    """
    last = monotonic() + WAIT  # a try that begins before may wait as long once more
    while True:
        try:
            conn.execute("PRAGMA main.journal_mode = WAL")
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or monotonic() >= last:
                raise
            sleep(PAUSE)
        else:
            return


def is_bare(conn: sqlite3.Connection) -> bool:
    """Return whether a first start ended before it made the tables."""
    query = "SELECT (SELECT count(*) FROM sqlite_schema) + user_version FROM pragma_user_version"
    return not conn.execute(query).fetchone()[0]


def _connect(path: Path, *, write: bool) -> Connection:
    """Open for writing where that is possible, for reading where that is enough."""
    uri = path.absolute().as_uri()
    modes = ["rwc"] if write else ["rw", "ro", "ro&immutable=1"]
    if write:  # for its owner's eyes alone, as are its copies; SQLite would ask the umask only
        with suppress(OSError):
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    for mode in modes:
        before = _file_at(path)
        conn = sqlite3.connect(
            f"{uri}?mode={mode}", uri=True, isolation_level=None, timeout=WAIT, factory=Connection
        )
        try:
            check_tables(conn)
            if write:
                conn.execute("BEGIN IMMEDIATE")
                conn.execute("ROLLBACK")
        except sqlite3.OperationalError as error:
            conn.close()
            if mode == modes[-1] or "locked" in str(error):
                raise
        except BaseException:
            conn.close()
            raise
        else:
            conn.path, conn.file = path.absolute(), _file_at(path)
            if before and conn.file != before:  # a backup was put back while it was waited for
                conn.close()
                raise sqlite3.OperationalError("busy: another file has taken its place")
            return conn
    raise AssertionError("one of the modes has answered")


def check_in_place(conn: sqlite3.Connection) -> None:
    """Raise UserError when the open file is no longer the one at its path.

    SQLite would go on writing to a file that nobody finds again.
    """
    if isinstance(conn, Connection) and conn.file != _file_at(conn.path):
        raise UserError(
            "this file was removed or replaced while it was in use; this step was not saved",
            where=str(conn.path),
            hint="leave this program, see which file belongs there, and start again",
        )


@contextmanager
def transaction(conn: sqlite3.Connection) -> Iterator[None]:
    """Hold the log's write lock; commit at the end, or leave everything as it was.

    Raises UserError when the file was taken away or replaced since it was opened.
    BEGIN IMMEDIATE would take the lock of the attached catalogue too, which another process may
    hold for long; a write that changes nothing takes the log's alone.
    """
    conn.execute("BEGIN")
    try:
        conn.execute("UPDATE main.meta SET value = value WHERE 0")
        check_in_place(conn)
        yield
        conn.execute("COMMIT")
    except BaseException:
        if conn.in_transaction:
            conn.execute("ROLLBACK")
        raise


def _file_at(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _file_version(path: Path, cache: Path) -> int | None:
    """Return the version in the file's header, None where there is no database yet.

    Read from the bytes, so that a file that is not ours is not even opened as a database.
    """
    try:
        kind = path.stat().st_mode
        if not (stat.S_ISREG(kind) or stat.S_ISDIR(kind)):  # a pipe would be waited for
            raise UserError("this is no regular file", where=str(path), hint=NOT_STUDY)
        with path.open("rb") as file:
            header = file.read(HEADER)
    except FileNotFoundError:
        check_missing(path)
        return None
    except OSError as error:
        what = f"this file cannot be used: {error.strerror or error}"
        raise UserError(what, where=str(path), hint=NOT_STUDY) from error
    if not header:
        check_empty(path, cache)
        return None
    if len(header) < HEADER or not header.startswith(MAGIC):
        raise UserError("this is no study database", where=str(path), hint=remedy(path))
    return int(struct.unpack(">I", header[60:64])[0])


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        raise UserError(
            f"this folder cannot be made: {error.strerror or error}",
            where=str(folder),
            hint=NOT_STUDY,
        ) from error


@contextmanager
def speaking_of(path: Path) -> Iterator[None]:
    """Turn what SQLite says of `path` into an error a person can act on."""
    try:
        yield
    except sqlite3.Error as error:
        what, hint = _explained(str(error), path)
        raise UserError(what, where=str(path), hint=hint) from error


def _explained(says: str, path: Path) -> tuple[str, str]:
    """Return what SQLite's message means for the learner, and what to try."""
    if says.startswith("Could not decode"):  # and then it quotes what it found
        says = "malformed: a text is no UTF-8"
    rights = f"check who may write there, or {NOT_STUDY}"
    faults = (
        ("locked|busy", "in use by another attn-study", "try again in a moment"),
        ("full", "the disk is full; nothing was saved", "make room and try again"),
        ("readonly|read-only", "this file cannot be written", rights),
        ("unable to open", "this file cannot be opened", rights),
        (
            "disk I/O",
            "the disk refuses to take this file; nothing was saved",
            f"make room, look for a limit on the size of files (`ulimit -f`), {rights}",
        ),
    )
    for words, what, hint in faults:
        if any(word in says for word in words.split("|")):
            return what, hint
    way_on = remedy(path)  # not before it is wanted: it looks into the backups
    if "malformed" in says or "not a database" in says:
        what = f"the study database is damaged ({says}); it was left as it is"
        return what, f"{way_on}; {RESCUE}"
    return f"the study database answers: {says}", way_on
