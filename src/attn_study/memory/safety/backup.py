"""Automatic backups: once a study day and before every migration, thinned as they grow old.

The name of a daily backup says all that a start has to know: its study day and the first digits of
its newest row's uid. So a command that has no backup to make lists one folder, asks an index where
that row stands, and opens no copy.
"""

from __future__ import annotations

import os
import re
from contextlib import suppress
from datetime import date
from typing import TYPE_CHECKING

from attn_study.errors import UserError

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from attn_study.memory.safety.copies import Facts

DAILY, WEEKLY, MONTHLY = 7, 8, 12
# The day's copy is made anew when it lacks this many rows and this share of them all: so a first
# day is kept as a whole, and a log of a million rows is not copied for every sitting
LACKING, SHARE = 10, 1 / 50
NAME = re.compile(r"study-(\d{4}-\d{2}-\d{2})-([0-9a-f]{8})\.db")
UNFINISHED = ".study-????-??-??-????????.db.*.tmp*"


def kept(days: Iterable[date], today: date) -> dict[date, tuple[str, ...]]:
    """Return the days whose backups are kept, each with why: `daily`, `weekly`, `monthly`.

    The newest seven are, and the newest of each of eight weeks and of twelve months, counted over
    what there is: who pauses for a year keeps as many. Days after `today` are all kept, as `later`,
    and push no other out: whether the clock was wrong then or is now, nobody can tell.
    """
    ordered = sorted((day for day in set(days) if day <= today), reverse=True)
    reasons = {day: ["later"] for day in days if day > today}
    for why, most, group in (
        ("daily", DAILY, lambda day: day),
        ("weekly", WEEKLY, lambda day: day.isocalendar()[:2]),
        ("monthly", MONTHLY, lambda day: (day.year, day.month)),
    ):
        newest: dict[object, date] = {}
        for day in ordered:
            newest.setdefault(group(day), day)
        for day in list(newest.values())[:most]:
            reasons.setdefault(day, []).append(why)
    return {day: tuple(why) for day, why in reasons.items()}


def dailies(folder: Path) -> dict[str, date]:
    """Return the names of the daily backups in `folder`, each with its study day."""
    return {name: day for name, day, _ in _named(folder)}


def _named(folder: Path) -> Iterator[tuple[str, date, str]]:
    try:
        names = os.listdir(folder)  # noqa: PTH208 - names are all that each start needs
    except OSError:
        return
    for name in names:
        if found := NAME.fullmatch(name):
            with suppress(ValueError):
                yield name, date.fromisoformat(found[1]), found[2]


def keep_daily(conn: sqlite3.Connection, folder: Path, day: date) -> str:
    """Make the backup of the study day `day` if the log has changed since the newest one.

    One that was made earlier that day gives way to another once it lacks much of the log. Returns
    a notice when it cannot be made; what the learner did stands all the same.
    """
    if not _is_wanted(conn, folder, day):
        return ""
    from attn_study.files import alone

    try:
        make_folder(folder)
        with alone(folder / ".daily"):
            if _is_wanted(conn, folder, day):  # another process may have been first
                _make(conn, folder, day)
    except UserError as error:
        says = "; ".join(line.strip() for line in str(error).splitlines())
        return f"today's backup was not made: {says}"
    return ""


def _is_wanted(conn: sqlite3.Connection, folder: Path, day: date) -> bool:
    there = list(_named(folder))
    of_today = [uid for _, made, uid in there if made == day]
    rows = conn.execute("SELECT max(id) FROM main.log").fetchone()[0] or 0
    if of_today:
        # A copy whose row is not here was made before another study was put in this one's place
        held = max((_place(conn, uid) for uid in of_today), default=0)
        return bool(rows) and (not held or rows - held >= max(LACKING, rows * SHARE))
    from attn_study.memory.safety.copies import newest_uid

    newest = newest_uid(conn)[:8]
    return bool(newest) and all(uid != newest for *_, uid in there)


def _place(conn: sqlite3.Connection, uid: str) -> int:
    """Return the number of the row whose uid begins so, 0 where there is none.

    Rows are numbered from 1 without a gap, so this is also how many rows were there with it.
    """
    query = "SELECT max(id) FROM main.log WHERE uid >= ? AND uid < ?"
    return int(conn.execute(query, [uid, f"{uid}g"]).fetchone()[0] or 0)


def _make(conn: sqlite3.Connection, folder: Path, day: date) -> None:
    from attn_study.memory.safety.copies import copy, drop, newest_uid
    from attn_study.memory.safety.leftovers import clear

    for path in folder.glob(UNFINISHED):  # of a process that was killed
        drop(path)
    name = f"study-{day}-{newest_uid(conn)[:8]}.db"
    copy(conn, folder / name)
    for place in (folder, folder.parent):
        clear(place, made=folder / name)
    for other, made, uid in list(_named(folder)):
        if made == day and other != name and _place(conn, uid):  # all of it is in the new one
            with suppress(OSError):
                (folder / other).unlink()
    there = dailies(folder)
    stay = kept(there.values(), day)
    for name, made in there.items():
        if made not in stay:
            with suppress(OSError):
                (folder / name).unlink()


def keep_before_migration(conn: sqlite3.Connection, folder: Path, version: int) -> str:
    """Make a backup of a study in the old format `version`; return a notice when that fails.

    An upgrade is one transaction, so a full disk does not keep a learner from studying. An upgrade
    that failed and is tried again makes no second copy of the same log.
    """
    from attn_study.files import free
    from attn_study.memory.safety.copies import copy, facts

    try:
        make_folder(folder)
        now = facts(conn)
        if now.version == version and not _has_copy(folder, now):
            copy(conn, free(folder / f"study-format-{version}.db"))
    except UserError as error:
        return f"no backup was made before the upgrade: {' '.join(str(error).split())}"
    return ""


def _has_copy(folder: Path, now: Facts) -> bool:
    from attn_study.memory.safety.copies import facts, reading

    for path in folder.glob(f"study-format-{now.version}*.db"):
        with suppress(UserError), reading(path, "") as copy:
            if facts(copy) == now:
                return True
    return False


def make_folder(folder: Path) -> None:
    """Make the folder of the backups, for its owner's eyes alone; raises UserError."""
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
    except OSError as error:
        what = f"this folder cannot be made: {error.strerror or error}"
        raise UserError(what, where=str(folder), hint="check who may write there") from error
