"""Backups: made by themselves, thinned, never half there; and one put back in the study's place."""

from __future__ import annotations

import hashlib
import os
import shutil
import sqlite3
import stat
import sys
from contextlib import closing
from datetime import date, timedelta
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from attn_study.errors import UserError
from attn_study.memory import database
from attn_study.memory.database import open_study, transaction
from attn_study.memory.format import VERSION
from attn_study.memory.log import INSERT_EVENT
from attn_study.memory.rows import event_row
from attn_study.memory.safety.backup import dailies, keep_before_migration, keep_daily, kept
from attn_study.memory.safety.copies import copy
from attn_study.memory.safety.restoring import restore
from cli_helpers import Shell
from memory_helpers import LAW, day, log_on_disk, noon, replay, review, rows, states, told, write

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from attn_study.memory.database import BeforeUpgrade
    from attn_study.memory.log import Log

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="asks for what POSIX alone has")
CARD = "attention/static-embeddings"
OTHER = "attention/scaling"
DAYS = st.sets(
    st.integers(0, 900).map(lambda number: date(2024, 12, 1) + timedelta(days=number)),
    min_size=1,
    max_size=120,
)


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    return Shell(tmp_path)


def backups(shell: Shell) -> list[Path]:
    return sorted((shell.home / "backups").glob("*.db"))


def logged(path: Path) -> list[tuple[object, ...]]:
    """The rows of a file, read without a word from the program."""
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro&immutable=1", uri=True)) as conn:
        return conn.execute("SELECT * FROM log ORDER BY id").fetchall()


def files(folder: Path) -> dict[str, bytes]:
    found = sorted(path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in found}


# Which ones are kept


@LAW
@given(DAYS)
def test_each_backup_is_kept_for_its_reason_and_no_other(days: set[date]) -> None:
    reasons = kept(days, max(days))
    for one in days:
        later = [other for other in days if other > one]
        weeks = {other.isocalendar()[:2] for other in later}
        months = {(other.year, other.month) for other in later}
        why = []
        if len(later) < 7:
            why.append("daily")
        if one.isocalendar()[:2] not in weeks and len(weeks) < 8:
            why.append("weekly")
        if (one.year, one.month) not in months and len(months) < 12:
            why.append("monthly")
        assert reasons.get(one, ()) == tuple(why)


@LAW
@given(DAYS)
def test_the_newest_is_kept_and_never_more_than_27(days: set[date]) -> None:
    assert max(days) in kept(days, max(days))
    assert len(kept(days, max(days))) <= 27


@LAW
@given(DAYS)
def test_thinning_every_day_leaves_what_thinning_once_leaves(days: set[date]) -> None:
    there: set[date] = set()
    for today in sorted(days):
        there = set(kept({*there, today}, today))
    assert there == set(kept(days, max(days)))


@LAW
@given(DAYS, DAYS)
def test_days_of_a_wrong_clock_push_no_right_day_out(days: set[date], wrong: set[date]) -> None:
    today = max(days)
    ahead = {one.replace(year=one.year + 100) for one in wrong if (one.month, one.day) != (2, 29)}
    assert set(kept(days | ahead, today)) == set(kept(days, today)) | ahead


@LAW
@given(DAYS)
def test_s34_a_clock_that_was_set_back_throws_no_backup_away(days: set[date]) -> None:
    assert set(kept(days, min(days))) == days


# Made by themselves


def test_the_first_command_of_a_study_day_that_wrote_something_makes_a_backup(shell: Shell) -> None:
    shell.done("card", "grade", CARD, "good")
    (first,) = backups(shell)
    assert first.name.startswith("study-2026-03-02-")
    assert logged(first) == logged(shell.home / "study.db")
    shell.done("card", "grade", OTHER, "good")
    assert backups(shell) == [first]
    shell.now = "2026-03-03T03:59:00+00:00"  # before the rollover
    shell.done("card", "suspend", CARD)
    assert backups(shell) == [first]
    shell.now = "2026-03-03T04:00:00+00:00"
    shell.done("card", "resume", CARD)
    assert len(backups(shell)) == 2
    assert logged(backups(shell)[1]) == logged(shell.home / "study.db")


def test_a_day_on_which_nothing_changed_has_no_backup(shell: Shell) -> None:
    shell.done("card", "grade", CARD, "good")
    before = backups(shell)
    shell.now = "2026-03-05T12:00:00+00:00"
    shell.done("review", "--new", "0", "--plain")
    shell.done("today")
    assert backups(shell) == before


def with_rows(log: Log, numbers: range) -> None:
    """Add rows of the first day quickly, without the states that they lead to."""
    story = told(*((0, review("a/x", 4)) for _ in range(numbers.stop)))
    with transaction(log.conn):
        for event in story[numbers.start :]:
            uid = hashlib.sha256(event.uid.encode()).hexdigest()[:32]
            log.conn.execute(INSERT_EVENT, event_row(event._replace(uid=uid)))


def name_with(log: Log, rows: int) -> str:
    uid = log.conn.execute("SELECT uid FROM log WHERE id = ?", [rows]).fetchone()[0]
    return f"study-{day(0)}-{uid[:8]}.db"


@pytest.mark.parametrize(("count", "held"), [(9, 9), (5_000, 4_910)])
def test_a_start_after_the_day_s_backup_opens_no_copy_and_reads_no_more_of_a_long_log(
    tmp_path: Path, count: int, held: int
) -> None:
    asked: list[int] = []
    with log_on_disk(tmp_path / "home") as log:
        with_rows(log, range(count))
        there = tmp_path / name_with(log, held)
        there.write_bytes(b"not even a database")
        log.conn.set_progress_handler(lambda: asked.append(1), 1)  # at each step SQLite takes
        assert keep_daily(log.conn, tmp_path, day(0)) == ""
        log.conn.set_progress_handler(None, 0)
    assert there.read_bytes() == b"not even a database"
    assert 0 < len(asked) < 60


@pytest.mark.parametrize(
    ("before", "since", "anew"),
    [
        (1, 9, False),
        (1, 10, True),
        (400, 9, False),
        (400, 10, True),
        (2000, 40, False),  # of 2,040 rows a fiftieth is 40.8
        (2000, 41, True),
    ],
)
def test_the_day_s_backup_is_made_anew_when_it_lacks_ten_rows_and_a_fiftieth(
    tmp_path: Path, before: int, since: int, anew: bool
) -> None:
    with log_on_disk(tmp_path) as log:
        with_rows(log, range(before))
        folder = tmp_path / "backups"
        assert keep_daily(log.conn, folder, day(0)) == ""
        (first,) = folder.glob("*.db")
        with_rows(log, range(before, before + since))
        assert keep_daily(log.conn, folder, day(0)) == ""
    (left,) = folder.glob("*.db")
    assert (left != first, len(logged(left))) == (anew, before + since * anew)


def test_the_backup_of_a_day_on_which_another_study_came_is_kept_beside_its_own(
    shell: Shell,
) -> None:
    shell.done("card", "grade", CARD, "good")
    shell.done("backup", "copy.db")
    (first,) = backups(shell)
    first.unlink()
    shell.done("card", "grade", OTHER, "good")
    (second,) = backups(shell)
    shell.done("backup", "--restore", "copy.db")
    shell.done("card", "suspend", CARD)
    shell.done("card", "resume", CARD)
    both = backups(shell)
    assert second in both
    assert sorted(len(logged(path)) for path in both) == [2, 2]


@POSIX
def test_backups_are_for_their_owner_s_eyes_alone(shell: Shell) -> None:
    shell.done("card", "grade", CARD, "good")
    assert stat.S_IMODE((shell.home / "backups").stat().st_mode) == 0o700
    assert stat.S_IMODE(backups(shell)[0].stat().st_mode) == 0o600
    shell.done("backup", "mine.db")
    assert stat.S_IMODE((shell.folder / "mine.db").stat().st_mode) == 0o600
    shell.done("backup", "--restore", "mine.db")
    assert stat.S_IMODE((shell.home / "study.db").stat().st_mode) == 0o600


@POSIX
def test_a_home_that_only_holds_settings_is_for_its_owner_s_eyes_alone(shell: Shell) -> None:
    before = os.umask(0o022)
    try:
        shell.done("config", "new", "5")
    finally:
        os.umask(before)
    assert stat.S_IMODE(shell.home.stat().st_mode) == 0o700


def test_s35_a_backup_that_cannot_be_made_is_a_notice_and_the_grade_is_kept(shell: Shell) -> None:
    shell.file("home/backups", "a file in the way")
    said = shell.done("card", "grade", CARD, "good")
    assert any(line.startswith("today's backup was not made: ") for line in said.notices)
    assert [row["card"] for row in shell.log()] == [CARD]


def test_backups_grow_old_by_the_rule_and_those_made_by_hand_stay(tmp_path: Path) -> None:
    folder = tmp_path / "backups"
    with log_on_disk(tmp_path) as log:
        write(log, 0, review("a/x", 4))
        folder.mkdir()
        by_hand = [folder / "study.db", folder / "study-2025-01-01.db", folder / "exam.db"]
        for path in by_hand:
            copy(log.conn, path)
        for number in range(40):
            write(log, number, review("a/x", 4))
            assert keep_daily(log.conn, folder, day(number)) == ""
    # 2 March 2026 is a Monday: the last seven, the Sundays before them, the last of each month
    last = [day(39 - ago) for ago in range(7)]
    sundays = [day(number) for number in (6, 13, 20, 27)]
    assert sorted(dailies(folder).values()) == sorted({*last, *sundays, date(2026, 3, 31)})
    assert all(path.exists() for path in by_hand)
    assert not list(folder.glob(".*.tmp*"))


def test_what_a_killed_backup_left_is_cleared_by_the_next_one(tmp_path: Path) -> None:
    folder = tmp_path / "backups"
    folder.mkdir()
    left = folder / ".study-2026-03-01-0123abcd.db.89abcdef.tmp"
    left.write_bytes(b"half of it")
    with log_on_disk(tmp_path) as log:
        write(log, 0, review("a/x", 4))
        assert keep_daily(log.conn, folder, day(0)) == ""
    assert not left.exists()


def test_a_copy_names_no_device(tmp_path: Path) -> None:
    with log_on_disk(tmp_path) as log:
        log.conn.execute("INSERT INTO meta VALUES ('device', 'x'), ('fingerprint', 'y')")
        write(log, 0, review("a/x", 4))
        copy(log.conn, tmp_path / "copy.db")
    with closing(sqlite3.connect(tmp_path / "copy.db")) as conn:
        names = {row[0] for row in conn.execute("SELECT key FROM meta")}
    assert names == {"study", "written_by"}


# Before an upgrade


def as_format_1(path: Path, *, fails: bool = False) -> None:
    """Take a study back to the first format; with `fails` so that it cannot be upgraded."""
    with closing(sqlite3.connect(path, isolation_level=None)) as conn:
        conn.execute("DELETE FROM _sqlite_migrations WHERE name NOT LIKE 'm001%'")
        for name in ("difficulty",) if fails else ("difficulty", "stability"):
            conn.execute(f"ALTER TABLE card_state DROP COLUMN {name}")
        conn.execute("PRAGMA user_version = 1")


def old_study(folder: Path, *, fails: bool = False) -> list[tuple[object, ...]]:
    with log_on_disk(folder) as log:
        write(log, 0, review("a/x", 4), review("a/y", 1))
    as_format_1(folder / "study.db", fails=fails)
    return logged(folder / "study.db")


def keeping(home: Path) -> BeforeUpgrade:
    return lambda conn, version: keep_before_migration(conn, home / "backups", version)


def version(path: Path) -> int:
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro&immutable=1", uri=True)) as conn:
        return int(conn.execute("PRAGMA user_version").fetchone()[0])


def test_s31_an_old_study_is_backed_up_and_upgraded(tmp_path: Path) -> None:
    before = old_study(tmp_path)
    with log_on_disk(tmp_path, before_upgrade=keeping(tmp_path)) as log:
        assert states(log.conn) == replay(rows(log.conn))
    (kept_copy,) = (tmp_path / "backups").glob("*.db")
    assert kept_copy.name == "study-format-1.db"
    assert (version(kept_copy), version(tmp_path / "study.db")) == (1, VERSION)
    assert logged(kept_copy) == logged(tmp_path / "study.db") == before


def test_s31_a_failed_upgrade_leaves_the_study_as_it_was_with_one_backup(tmp_path: Path) -> None:
    before = old_study(tmp_path, fails=True)
    for _ in range(2):
        refused = pytest.raises(UserError)
        with refused, log_on_disk(tmp_path, before_upgrade=keeping(tmp_path)):
            pass
    assert (version(tmp_path / "study.db"), logged(tmp_path / "study.db")) == (1, before)
    assert [path.name for path in (tmp_path / "backups").glob("*.db")] == ["study-format-1.db"]


def test_an_upgrade_without_room_for_a_backup_goes_on_with_a_notice(shell: Shell) -> None:
    old_study(shell.home)
    shell.file("home/backups", "a file in the way")
    said = shell.done("card", "suspend", CARD)
    assert any("before the upgrade" in line for line in said.notices)
    assert version(shell.home / "study.db") == VERSION


# By hand


def test_backup_writes_a_verified_copy_where_it_is_wanted(shell: Shell) -> None:
    shell.done("card", "grade", CARD, "good")
    said = shell.done("backup", "usb.db").out
    assert said == "usb.db: 1 row of the log, the newest of 2026-03-02; verified\n"
    assert logged(shell.folder / "usb.db") == logged(shell.home / "study.db")


@pytest.mark.parametrize(
    ("where", "says"),
    [("there.db", "there already"), ("home", "a folder"), ("nowhere/x.db", "no such folder")],
)
def test_a_copy_overwrites_nothing(shell: Shell, where: str, says: str) -> None:
    shell.done("card", "grade", CARD, "good")
    there = shell.file("there.db", "dear to me")
    assert says in shell.refused("backup", where)
    assert there.read_bytes() == b"dear to me"
    assert not list(shell.folder.glob(".*"))


def test_where_nothing_was_studied_there_is_nothing_to_copy(shell: Shell) -> None:
    assert "nothing to copy" in shell.refused("backup", "usb.db")
    assert "No copies yet" in shell.done("backup").out
    assert not shell.home.exists()


def test_the_list_has_every_copy_that_which_holds_most_first(shell: Shell) -> None:
    shell.done("card", "grade", CARD, "good")
    (first,) = backups(shell)
    shell.now = "2026-03-03T12:00:00+00:00"
    shell.done("card", "grade", OTHER, "good")
    (second,) = set(backups(shell)) - {first}
    shell.done("card", "suspend", CARD)
    shell.done("backup", "home/study-of-mine.db")
    beside = shell.home / "study-of-mine.db"
    broken = shell.file("home/backups/broken.db", "no copy at all")
    for number, path in enumerate([beside, second, first, broken]):  # as a copied home may have
        os.utime(path, (1_700_000_000 + number, 1_700_000_000 + number))
    report = shell.done("backup", "--json").json
    assert (report["schema"], report["folder"]) == ("attn-study/backup/1", str(broken.parent))
    found = [(copy["file"], copy["rows"], copy["newest_day"]) for copy in report["copies"]]
    assert found == [
        (str(beside), 3, "2026-03-03"),
        (str(second), 2, "2026-03-03"),
        (str(first), 1, "2026-03-02"),
        (str(broken), None, None),
    ]
    assert report["copies"][0]["bytes"] == beside.stat().st_size
    shown = shell.done("backup").lines
    assert [line.rpartition("  ")[2] for line in shown[1:5]] == [
        str(beside),
        second.name,
        first.name,
        broken.name,
    ]
    assert "no study database" in shown[4]


# Put back


def two_rows_one_in_the_copy(shell: Shell) -> Path:
    shell.done("card", "grade", CARD, "good")
    shell.done("backup", "copy.db")
    shell.done("card", "grade", OTHER, "good")
    return shell.folder / "copy.db"


def test_a_copy_takes_the_study_s_place_which_is_kept_beside_it(shell: Shell) -> None:
    two_rows_one_in_the_copy(shell)
    before = logged(shell.home / "study.db")
    said = shell.done("backup", "--restore", "copy.db").out
    aside = shell.home / "study-before-restore-2026-03-02.db"
    assert "1 row of the log from copy.db, the newest of 2026-03-02" in said
    assert f"kept as {aside}, with 1 row that is not here now" in said
    assert logged(aside) == before
    assert logged(shell.home / "study.db") == before[:1]
    assert shell.done("doctor").code == 0
    back = shell.done("backup", "--restore", str(aside)).out
    assert "study-before-restore-2026-03-02-2.db; all its rows are here" in back
    assert logged(shell.home / "study.db") == before


@pytest.mark.parametrize("place", ["backups", "."])
def test_a_copy_is_found_by_its_bare_name_from_wherever_the_learner_stands(
    shell: Shell, place: str
) -> None:
    kept_at = two_rows_one_in_the_copy(shell).rename(shell.home / place / "study-of-mine.db")
    said = shell.done("backup", "--restore", "study-of-mine.db").out
    assert f"1 row of the log from {kept_at}" in said
    shutil.copy(shell.home / "study-before-restore-2026-03-02.db", shell.folder / kept_at.name)
    said = shell.done("backup", "--restore", "study-of-mine.db").out  # where one stands comes first
    assert "2 rows of the log from study-of-mine.db" in said
    assert "cannot be read" in shell.refused("backup", "--restore", "nowhere.db")


def hints(shell: Shell) -> list[str]:
    """The cards that the catalogue takes for seen."""
    with closing(sqlite3.connect(shell.home / "cache.db")) as conn:
        query = "SELECT card FROM card WHERE seen = 1 ORDER BY card"
        return [row[0] for row in conn.execute(query)]


def test_a_card_that_is_new_in_the_copy_is_offered_as_new_again(shell: Shell) -> None:
    shell.only_mine()
    shell.done("card", "grade", "mine/one", "good")
    shell.done("backup", "copy.db")
    shell.done("card", "grade", "mine/two", "good")
    shell.done("backup", "--restore", "copy.db")
    assert hints(shell) == ["mine/one"]
    assert shell.ids("is:new") == ["mine/two", "mine/three"]
    assert shell.done("today", "--json").json["decks"][0]["new"] == 2
    shell.done("backup", "--restore", str(next(shell.home.glob("study-before-*.db"))))
    assert hints(shell) == ["mine/one", "mine/two"]
    assert shell.ids("is:new") == ["mine/three"]
    assert shell.done("today", "--json").json["decks"][0]["new"] == 1


def test_ticks_of_one_device_are_never_used_again_after_a_copy_was_put_back(shell: Shell) -> None:
    two_rows_one_in_the_copy(shell)
    lost = shell.log()[-1]
    shell.done("backup", "--restore", "copy.db")
    shell.done("card", "grade", OTHER, "again")
    new = shell.log()[-1]
    assert new["tick"] == lost["tick"] == 2
    assert new["device"] != lost["device"]
    shutil.copy(shell.folder / "copy.db", shell.home / "study.db")  # by hand, as people do
    shell.done("card", "grade", OTHER, "again")
    assert shell.log()[-1]["device"] not in (lost["device"], new["device"])


def test_answers_that_wait_in_the_old_wal_do_not_reach_the_new_study(tmp_path: Path) -> None:
    home = tmp_path / "home"
    with log_on_disk(tmp_path / "open") as log:
        write(log, 0, review("a/x", 4))
        copy(log.conn, tmp_path / "copy.db")
        log.conn.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        write(log, 0, review("a/y", 4))
        home.mkdir()
        for name in ("study.db", "study.db-wal"):  # as after a crash
            shutil.copy(tmp_path / "open" / name, home)
        both = rows(log.conn)
    done = restore(tmp_path / "copy.db", home / "study.db", "aside.db", "1.0")
    assert (done.facts.rows, done.left_out) == (1, 1)
    with log_on_disk(home, write=False) as log:
        assert rows(log.conn) == both[:1]
    with closing(open_study(home / "aside.db", home / "no.db", "1.0", write=False)) as conn:
        assert rows(conn) == both


def test_the_wal_of_a_study_that_cannot_be_opened_is_kept_with_it(tmp_path: Path) -> None:
    with log_on_disk(tmp_path / "home") as log:
        write(log, 0, review("a/x", 4))
        copy(log.conn, tmp_path / "copy.db")
        log.conn.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        write(log, 0, review("a/y", 4))
        wal = (tmp_path / "home" / "study.db-wal").read_bytes()
    home = tmp_path / "home"
    (home / "study.db").write_bytes(b"no database any more" * 500)
    (home / "study.db-wal").write_bytes(wal)
    done = restore(tmp_path / "copy.db", home / "study.db", "aside.db", "1.0")
    assert (done.kept, done.left_out) == (home / "aside.db", None)
    assert (home / "aside.db-wal").read_bytes() == wal
    with log_on_disk(home, write=False) as log:
        assert [row.card for row in rows(log.conn)] == ["a/x"]


def test_of_a_damaged_study_no_copy_is_called_verified(tmp_path: Path) -> None:
    path = tmp_path / "study.db"
    with log_on_disk(tmp_path) as log:
        write(log, 0, review("a/x", 4))
        query = "SELECT rootpage FROM sqlite_schema WHERE name = 'state_deck'"
        start = (log.conn.execute(query).fetchone()[0] - 1) * 4096
    data = path.read_bytes()
    path.write_bytes(data[:start] + b"\xff" * 4096 + data[start + 4096 :])
    refused = pytest.raises(UserError, match="no copy could be made")
    with log_on_disk(tmp_path, write=False) as log, refused:
        copy(log.conn, tmp_path / "copy.db")
    assert not [found for found in tmp_path.iterdir() if "copy" in found.name]


def test_a_copy_of_a_damaged_study_blames_the_study_and_names_the_way_out(shell: Shell) -> None:
    two_rows_one_in_the_copy(shell)
    path = shell.home / "study.db"
    with closing(sqlite3.connect(path)) as conn:
        query = "SELECT rootpage FROM sqlite_schema WHERE name = 'state_deck'"
        start = (conn.execute(query).fetchone()[0] - 1) * 4096
    data = path.read_bytes()
    path.write_bytes(data[:start] + b"\xff" * 4096 + data[start + 4096 :])
    said = shell.refused("backup", "other.db")
    assert said.startswith(f"{path}: no copy could be made: the study itself is damag")
    assert "--salvage" in said
    assert "make room" not in said


def overwritten(path: Path) -> None:
    data = path.read_bytes()
    path.write_bytes(data[:100] + b"\xff" * 8000 + data[8100:])


def emptied(path: Path) -> None:
    path.write_bytes(b"")


def a_text(path: Path) -> None:
    path.write_text("deck: mine\n" * 50, encoding="utf-8")


def gone(path: Path) -> None:
    path.unlink()


@pytest.mark.parametrize("spoil", [overwritten, emptied, a_text, gone])
def test_s31_a_study_that_cannot_be_opened_gives_way_to_a_copy(
    shell: Shell, spoil: Callable[[Path], None]
) -> None:
    two_rows_one_in_the_copy(shell)
    path = shell.home / "study.db"
    spoil(path)
    before = path.read_bytes() if path.exists() else None
    shell.done("backup", "--restore", "copy.db")
    assert [row["card"] for row in shell.log()] == [CARD]
    aside = shell.home / "study-before-restore-2026-03-02.db"
    assert (aside.read_bytes() if aside.exists() else None) == before


def test_an_old_copy_is_upgraded_when_it_is_put_back(shell: Shell) -> None:
    copy_of = two_rows_one_in_the_copy(shell)
    as_format_1(copy_of)
    before = copy_of.read_bytes()
    shell.done("backup", "--restore", "copy.db")
    assert version(shell.home / "study.db") == VERSION
    assert shell.done("doctor").code == 0
    assert copy_of.read_bytes() == before


def test_a_copy_without_wal_becomes_a_study_with_it(shell: Shell) -> None:
    copy_of = two_rows_one_in_the_copy(shell)
    with closing(sqlite3.connect(copy_of)) as conn:
        conn.execute("PRAGMA journal_mode = DELETE")
    shell.done("backup", "--restore", "copy.db")
    assert (shell.home / "study.db").read_bytes()[18:20] == b"\2\2"
    shutil.copy(copy_of, shell.home / "study.db")
    shell.done("card", "suspend", CARD)
    assert (shell.home / "study.db").read_bytes()[18:20] == b"\2\2"


def newer(path: Path) -> None:
    with closing(sqlite3.connect(path)) as conn:
        conn.execute("PRAGMA user_version = 99")


def another_program_s(path: Path) -> None:
    path.unlink()
    with closing(sqlite3.connect(path)) as conn:
        conn.execute("CREATE TABLE col (id INTEGER, crt INTEGER)")  # as Anki's begins
        conn.execute("CREATE TABLE log (id INTEGER, uid TEXT, day TEXT)")


def a_catalogue(path: Path) -> None:
    shutil.copy(path.parent / "home" / "cache.db", path)


def a_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-4096])


@pytest.mark.parametrize(
    ("spoil", "says"),
    [
        (a_text, "no study database"),
        (emptied, "no study database"),
        (another_program_s, "no study database"),
        (a_catalogue, "no study database"),
        (a_folder, "a folder"),
        (gone, "cannot be read"),
        (overwritten, "damaged"),
        (cut, "damaged"),
        (newer, "format 99"),
    ],
)
def test_what_is_no_sound_copy_is_refused_and_the_study_untouched(
    shell: Shell, spoil: Callable[[Path], None], says: str
) -> None:
    spoil(two_rows_one_in_the_copy(shell))
    before = files(shell.home)
    assert says in shell.refused("backup", "--restore", "copy.db")
    assert files(shell.home) == before


def test_the_study_itself_is_no_copy_of_it(shell: Shell) -> None:
    shell.done("card", "grade", CARD, "good")
    before = files(shell.home)
    assert "the study itself" in shell.refused("backup", "--restore", "home/study.db")
    assert files(shell.home) == before


def test_a_study_that_another_process_has_open_is_not_replaced(shell: Shell) -> None:
    two_rows_one_in_the_copy(shell)
    before = logged(shell.home / "study.db")
    with log_on_disk(shell.home) as log:
        assert "in use by another" in shell.refused("backup", "--restore", "copy.db")
        log.write([review(CARD, 3)], noon(1))  # it goes on as before
        assert len(rows(log.conn)) == len(before) + 1
    assert not list(shell.home.glob("study-before-*"))
    assert not list(shell.home.glob(".*"))
    shell.done("backup", "--restore", "copy.db")


def test_a_study_that_was_replaced_while_it_was_waited_for_is_not_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with log_on_disk(tmp_path) as log:
        write(log, 0, review("a/x", 4))
    files_there = iter([(1, 1), (1, 2)])  # before it was opened, and when its lock was free
    monkeypatch.setattr(database, "_file_at", lambda _: next(files_there))
    with pytest.raises(UserError, match="in use by another"), log_on_disk(tmp_path):
        pass


def test_restore_refuses_what_it_would_have_to_guess(shell: Shell) -> None:
    two_rows_one_in_the_copy(shell)
    assert "takes one file" in shell.refused("backup", "other.db", "--restore", "copy.db")
    said = shell.attn("backup", "--restore", "copy.db", ATTN_STUDY_HOME=None)
    assert (said.code, "frozen" in said.err) == (2, True)


def test_a_study_that_is_gone_is_not_begun_anew_without_a_word(shell: Shell) -> None:
    shell.done("card", "grade", CARD, "good")
    (made,) = backups(shell)
    for name in ("study.db", "cache.db"):
        (shell.home / name).unlink()
    for words in (("today",), ("card", "grade", OTHER, "good")):
        said = shell.done(*words).notices
        assert (
            "there is no study here, but a copy of one with 1 row to 2026-03-02: "
            f"`attn-study backup --restore {made.name}` brings it back"
        ) in said
