"""Opening the learner's study: what is looked after first and last, and what is said of it."""

from __future__ import annotations

import sqlite3
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

from attn_study import __version__
from attn_study.cli.study import Study
from attn_study.errors import UserError
from attn_study.memory.catalogue import Catalogue
from attn_study.memory.database import open_study, speaking_of
from attn_study.memory.log import Log

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from attn_study.cli.world import World
    from attn_study.places import Home


@contextmanager
def opened(world: World, *, write: bool, adopting: bool = True) -> Iterator[Study]:
    """Open the study; without `write` nothing is created.

    With `write` and `adopting`, decks with a new name take their progress along first.
    """
    home = world.home
    is_missing = not home.study.exists()
    is_first = write and is_missing
    with speaking_of(home.study):
        conn = open_study(
            home.study,
            home.cache,
            __version__,
            write=write,
            before_upgrade=lambda conn, version: _keep_old(conn, home, version),
        )
        with closing(conn):
            if is_missing:
                _tell_of_backup(world)
            if is_first:
                home.decks.mkdir(exist_ok=True)
                world.say(f"Your progress is kept in {home.study}")
            log = Log(conn, _device(world, conn, write=write), home.study)
            study = Study(world, log, Catalogue(conn))
            for notice in (*getattr(conn, "notices", ()), *study.refresh(), *_conflicted(home)):
                world.say(notice)
            for notice in _told_of_fsrs(log, write=write):
                world.say(notice)
            try:
                renamed = study.keep_renamed() if write and adopting else []
                for notice in renamed if write else study.behind():
                    world.say(notice)
                yield study
                if write:
                    _keep_backup(study)
            except sqlite3.DatabaseError as error:
                raise _damage(conn, home) or error from error


def _keep_old(conn: sqlite3.Connection, home: Home, version: int) -> str:
    """Make a backup of a study that is about to be upgraded; return a notice when that fails."""
    from attn_study.memory.safety.backup import keep_before_migration

    return keep_before_migration(conn, home.backups, version)


def _keep_backup(study: Study) -> None:
    """Make the day's backup, or make it anew, once the command has done all it was asked.

    At the end, because a log of a million rows takes seconds to copy: by then every grade is kept
    and the last line is on the screen. Where a command does not get that far, the next one does it.
    """
    from attn_study.memory.safety.backup import keep_daily

    notice = keep_daily(study.log.conn, study.world.home.backups, study.moment().day)
    if notice:
        study.world.say(notice)


def _conflicted(home: Home) -> list[str]:
    """Mention copies of the log that a file sync put aside; they are never merged by themselves."""
    said = "a file sync put this copy aside; it is left alone"
    return [f"{path.name}: {said}" for path in conflicted(home)]


def conflicted(home: Home) -> list[Path]:
    """Return the copies of the log that a file sync put aside, in order."""
    if not home.root.is_dir():
        return []
    paths = [path for path in home.root.glob("study*.db") if path != home.study]
    return sorted(path for path in paths if "conflict" in path.name.casefold())


def _tell_of_backup(world: World) -> None:
    """Say which copy would bring an earlier study back, where there is no study but a copy."""
    if not world.home.backups.is_dir():
        return
    from attn_study.memory.safety.fullest import fullest

    if best := fullest(world.home.backups):
        world.say(
            f"there is no study here, but a copy of one with {best.says}: "
            f"`attn-study backup --restore {best.path.name}` brings it back"
        )


def _told_of_fsrs(log: Log, *, write: bool) -> list[str]:
    """Say where a deck has to do without FSRS; a writer lets the states follow what is there."""
    rules = log.rules()
    if not rules.fsrs_decks:
        return []
    from attn_study.cli.ruling import without_fsrs

    if write:
        from attn_study.memory.rebuilding import catch_up

        catch_up(log, rules)
    return without_fsrs(rules)


def _damage(conn: sqlite3.Connection, home: Home) -> UserError | None:
    """Return what to say when it is the catalogue that is damaged; it is removed then."""
    try:
        sound = conn.execute("PRAGMA cache.quick_check(1)").fetchone()[0] == "ok"
    except sqlite3.DatabaseError:
        sound = False
    if sound:
        return None
    home.cache.unlink(missing_ok=True)
    hint = "run the command again; nothing you learned was in it"
    return UserError("the catalogue was damaged and is removed", where=str(home.cache), hint=hint)


def _device(world: World, conn: sqlite3.Connection, *, write: bool) -> str:
    """Return this installation's id; only a writer needs one."""
    if not write:
        return ""
    from attn_study.memory.device import device_id
    from attn_study.places import fingerprint

    return device_id(conn, fingerprint(world.home.root))
