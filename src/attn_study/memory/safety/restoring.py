"""A copy put in the place of study.db, which is kept beside it: in one step, or not at all."""

from __future__ import annotations

import os
import shutil
import sqlite3
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from attn_study.errors import UserError
from attn_study.files import free, settle
from attn_study.memory.database import WAIT
from attn_study.memory.format import MAGIC, VERSION, check_tables
from attn_study.memory.safety.copies import (
    Facts,
    drop,
    facts,
    fill,
    made_beside,
    put,
    reading,
    sides,
    verify,
    writing_to,
)
from attn_study.memory.safety.leftovers import clear

if TYPE_CHECKING:
    from collections.abc import Iterator


@dataclass(frozen=True, slots=True)
class Restored:
    """What came of it. `kept` is the file that stood there before, None where none did.

    `left_out` counts the rows of `kept` that the study has no more, None where it is too damaged
    to tell.
    """

    facts: Facts
    kept: Path | None
    left_out: int | None


def restore(source: Path, study: Path, aside: str, program: str) -> Restored:
    """Put a copy of `source` in the place of `study`; what stood there is kept as `aside`.

    A link stays one: what it leads to gives way. Raises UserError, with `study` as it was, when
    `source` is not a sound study that this program reads, when another process has `study` open,
    or when the copy cannot be written.
    """
    if study.exists() and source.exists() and source.samefile(study):
        hint = "name the copy that is to take its place"
        raise UserError("this is the study itself", where=str(source), hint=hint)
    with writing_to(study):
        place = Path(os.path.realpath(study))
        for folder in (study.parent, place.parent):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        beside = made_beside(place)
        try:
            clear(place.parent, beside, place.name)
            with reading(source, program) as conn:
                _check_sound(conn)
                with writing_to(study):  # the source was read to its end: what fails is the copy
                    known = fill(conn, beside)
            known = _brought_up(beside, known, program)
            with _nobody_else(place):
                kept = _put_aside(place, free(study.with_name(aside)))
                put(beside, place)
        except BaseException:
            drop(beside)
            raise
    return Restored(known, kept, 0 if kept is None else left_out(kept, study))


def _check_sound(conn: sqlite3.Connection) -> None:
    found = conn.execute("PRAGMA integrity_check(1)").fetchone()[0]
    if found != "ok":
        raise sqlite3.DatabaseError(found)


def _brought_up(beside: Path, known: Facts, program: str) -> Facts:
    """Upgrade the copy of an old study, and verify it; return what it holds."""
    with closing(sqlite3.connect(beside, isolation_level=None)) as conn:
        conn.execute("PRAGMA journal_mode = WAL")
        if known.version < VERSION:
            from attn_study.memory.schema import migrate

            migrate(conn, program)
        now = facts(conn)
        conn.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    verify(beside, now)
    if (now.rows, now.newest_uid) != (known.rows, known.newest_uid):
        raise sqlite3.DatabaseError("the upgrade changed the log")
    return now


@contextmanager
def _nobody_else(study: Path) -> Iterator[None]:
    """Hold the present file alone, its WAL folded in; one that is too damaged is not held.

    Who waits for it meanwhile finds that another file has taken its place, and says so.
    """
    if not _is_database(study):  # SQLite would write the WAL into whatever it is, and drop it
        yield
        return
    conn = sqlite3.connect(f"{study.absolute().as_uri()}?mode=rw", uri=True, timeout=WAIT)
    conn.isolation_level = None
    try:
        try:
            check_tables(conn)
            conn.execute("PRAGMA journal_mode = DELETE")  # only who is alone may
            conn.execute("BEGIN EXCLUSIVE")
            is_held = True
        except sqlite3.Error as error:
            is_held = False
            if any(word in str(error) for word in ("locked", "busy")):
                hint = "leave the other attn-study, and try again"
                what = "in use by another attn-study"
                raise UserError(what, where=str(study), hint=hint) from error
        if not is_held or os.name != "posix":  # elsewhere an open file cannot be replaced
            conn.close()
        yield
    except BaseException:
        with suppress(sqlite3.Error):
            conn.execute("ROLLBACK")
            conn.execute("PRAGMA journal_mode = WAL")
        raise
    finally:
        conn.close()


def _is_database(study: Path) -> bool:
    try:
        with study.open("rb") as file:
            return file.read(len(MAGIC)) == MAGIC
    except OSError:
        return False


def _put_aside(study: Path, kept: Path) -> Path | None:
    """Give the present file the name `kept` too, and take what belongs to it out of the way.

    At every moment there is a study under its own name, or none ever was.
    """
    there = [path for path in (study, *sides(study)) if path.exists()]
    try:
        for path in there:
            _second_name(path, kept.with_name(path.name.replace(study.name, kept.name, 1)))
    except OSError:
        drop(kept)  # the names it had are all there still
        raise
    settle(kept.parent)
    for path in there:
        if path != study:
            path.unlink()
    settle(study.parent)
    return kept if study in there else None


def _second_name(path: Path, other: Path) -> None:
    try:
        other.hardlink_to(path)
    except OSError:  # not every file system has links
        shutil.copy2(path, other)
        with other.open("rb+") as file:
            os.fsync(file.fileno())


def left_out(kept: Path, study: Path) -> int | None:
    """Count the rows of one study that another has not; None where one is too damaged to tell."""
    uri = f"{study.absolute().as_uri()}?mode=ro"
    query = "SELECT count(*) FROM kept.log WHERE uid NOT IN (SELECT uid FROM main.log)"
    try:
        with closing(sqlite3.connect(uri, uri=True)) as conn:
            conn.execute("ATTACH ? AS kept", [f"{kept.absolute().as_uri()}?mode=ro&immutable=1"])
            return int(conn.execute(query).fetchone()[0])
    except (sqlite3.Error, UnicodeDecodeError):
        return None
