"""A database of every earlier format opens, moves on in one step, and has lost nothing.

`golden/study-vN.db` was written by the release that had format N, by the commands named here.
"""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from attn_study.memory.format import VERSION
from attn_study.memory.rows import EVENT_COLUMNS
from attn_study.memory.sm2 import Memory
from cli_helpers import Shell
from memory_helpers import day, log_on_disk, replay, rows, states

GOLDEN = Path(__file__).parent / "golden"
EARLIER = range(1, VERSION)
# card grade one good, two again, two good; the next day two hard, one easy and undo, suspend
# three, bury one; resume three and grade it good; one q5, reset three, interval_cap 300; three
# again; two easy
KNOWN = {
    "mine/what-is-one": Memory(260, 2, 6, 0, day(9)),
    "mine/what-is-two": Memory(246, 2, 6, 0, day(13)),
    "mine/what-is-three": Memory(250, 0, 1, 0, day(5)),
}


def log_rows(path: Path) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(path)) as conn:
        return conn.execute(f"SELECT id, {EVENT_COLUMNS} FROM log ORDER BY id").fetchall()


@pytest.fixture(params=EARLIER, ids=lambda version: f"v{version}")
def earlier(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    path = tmp_path / "home" / "study.db"
    path.parent.mkdir()
    shutil.copy(GOLDEN / f"study-v{request.param}.db", path)
    return path


def test_every_row_and_every_state_is_there_after_the_upgrade(earlier: Path) -> None:
    before = log_rows(earlier)
    with log_on_disk(earlier.parent) as log:
        assert log.conn.execute("PRAGMA user_version").fetchone() == (VERSION,)
        found = states(log.conn)
        assert found == replay(rows(log.conn))
        assert {card: state.memory for card, state in found.items()} == KNOWN
        assert log.rules().cap == 300
    assert log_rows(earlier) == before
    assert len(before) == 15


def test_the_log_is_still_append_only_after_the_upgrade(earlier: Path) -> None:
    with log_on_disk(earlier.parent) as log:
        for change in ("DELETE FROM log", "UPDATE log SET grade = 5 WHERE grade = 1"):
            with pytest.raises(sqlite3.IntegrityError, match="append-only"):
                log.conn.execute(change)


def test_the_tables_are_those_of_a_new_database(earlier: Path, tmp_path: Path) -> None:
    def tables(folder: Path) -> dict[str, list[tuple[object, ...]]]:
        with log_on_disk(folder) as log:
            names = log.conn.execute(
                "SELECT name FROM main.sqlite_schema WHERE type IN ('table', 'index', 'trigger')"
            ).fetchall()
            return {
                name: log.conn.execute(f"PRAGMA main.table_info('{name}')").fetchall()
                for (name,) in names
            }

    assert tables(earlier.parent) == tables(tmp_path / "new")


def test_an_upgrade_that_fails_leaves_the_file_as_it_was(
    earlier: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from attn_study.memory import schema

    def broken(conn: sqlite3.Connection) -> None:
        conn.execute("CREATE TABLE half (made)")
        raise sqlite3.OperationalError("disk I/O error")

    before = log_rows(earlier)
    monkeypatch.setattr(schema.migrations, "apply", lambda db: broken(db.conn))
    with pytest.raises(Exception, match="nothing was saved"), log_on_disk(earlier.parent):
        pass
    assert log_rows(earlier) == before
    with closing(sqlite3.connect(earlier)) as conn:
        assert conn.execute("PRAGMA user_version").fetchone() == (1,)
        assert conn.execute("SELECT 1 FROM sqlite_schema WHERE name = 'half'").fetchone() is None


def test_the_learner_goes_on_with_the_upgraded_study(earlier: Path, tmp_path: Path) -> None:
    shell = Shell(tmp_path)
    assert earlier.parent == shell.home
    said = shell.done("card", "add", "mine", "What is four?", "4")
    assert "mine/what-is-four" in said.out
    assert next(entry["id"] for entry in shell.done("log", "--json").json["entries"]) == 15
