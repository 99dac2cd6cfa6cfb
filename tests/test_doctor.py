"""`attn-study doctor`: what is wrong is found and named, and mended where the log can mend it."""

from __future__ import annotations

import os
import re
import shutil
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING, Any

import pytest

from attn_study.attention.model import stored
from attn_study.extras import install
from attn_study.memory import rules
from attn_study.memory.event import Draft
from attn_study.memory.health.finding import Check, Finding
from attn_study.memory.rows import EVENT_COLUMNS
from attn_study.render.doctor import doctor_lines
from cli_helpers import Shell
from memory_helpers import log_on_disk, noon, replay, review, rows, states, write

if TYPE_CHECKING:
    from pathlib import Path

MINE = ("mine/one", "mine/two")


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    """A shell with a small deck, two cards of which were studied."""
    shell = Shell(tmp_path)
    shell.only_mine()
    for card in MINE:
        shell.done("card", "grade", card, "good")
    return shell


def study(shell: Shell) -> sqlite3.Connection:
    """Open the study behind the program's back, where it takes anything."""
    conn = sqlite3.connect(shell.home / "study.db", isolation_level=None)
    conn.execute("PRAGMA ignore_check_constraints = ON")
    return conn


def damage(shell: Shell, *statements: str) -> None:
    with closing(study(shell)) as conn:
        for statement in statements:
            conn.execute(statement)


def logged(shell: Shell) -> list[tuple[object, ...]]:
    with closing(study(shell)) as conn:
        return conn.execute("SELECT * FROM log ORDER BY id").fetchall()


def found(shell: Shell, *words: str) -> list[dict[str, Any]]:
    """What `doctor --json` finds; its exit code has to say whether a fault is among it."""
    said = shell.attn("doctor", "--json", *words)
    report = said.json
    levels = [one["level"] for one in report["findings"]]
    assert (levels.count("fault"), levels.count("note")) == (report["faults"], report["notes"])
    assert said.code == (1 if report["faults"] else 0), said.err
    return list(report["findings"])


def names(shell: Shell, *words: str) -> list[str]:
    return [one["name"] for one in found(shell, *words)]


def files(folder: Path) -> dict[str, bytes]:
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in paths}


def test_a_sound_study_is_called_sound_and_nothing_is_written(shell: Shell) -> None:
    before = files(shell.home)
    said = shell.done("doctor")
    assert said.lines[0] == f"{shell.home / 'study.db'}: 2 rows of the log"
    assert said.lines[-1] == "Nothing is wrong."
    assert all(line.startswith("✓ ") for line in said.lines[1:-1])
    for what in ("log", "states"):
        assert f"✓ every value in the {what} is a possible one" in said.lines
    assert files(shell.home) == before


def test_where_nothing_was_studied_nothing_is_wrong_and_nothing_is_made(tmp_path: Path) -> None:
    shell = Shell(tmp_path)
    assert found(shell) == []
    assert shell.done("doctor").lines[1] == "✓ nothing is studied yet"
    assert not shell.home.exists()


# States


@pytest.mark.parametrize(
    ("statement", "name", "says"),
    [
        ("UPDATE card_state SET interval = 99 WHERE card = 'mine/one'", "state", "1 card is not"),
        ("UPDATE card_state SET due = '1738-05-05'", "state", "2 cards are not"),
        ("UPDATE card_state SET answer_tick = answer_tick + 1", "state", "2 cards are not"),
        ("DELETE FROM card_state WHERE card = 'mine/one'", "state", "1 card of the log has no"),
        (
            "UPDATE card_state SET card = 'mine/three' WHERE card = 'mine/one'",
            "state",
            "1 card has a state and no log",
        ),
    ],
)
def test_a_state_that_the_log_does_not_bear_out_is_found_and_worked_out_anew(
    shell: Shell, statement: str, name: str, says: str
) -> None:
    before = logged(shell)
    damage(shell, statement)
    one = found(shell)[-1]
    assert (one["name"], one["level"], one["mend"]) == (name, "fault", True)
    assert says in one["what"]
    assert "mine/" in one["where"]
    assert names(shell, "--fix") == []
    with log_on_disk(shell.home, write=False) as log:
        assert states(log.conn) == replay(rows(log.conn))
    assert logged(shell) == before


@pytest.mark.parametrize(
    ("change", "column"),
    [
        ("interval = -1", "interval"),
        ("interval = 3000000", "interval"),
        ("ease = 0", "ease"),
        ("repetitions = -3", "repetitions"),
        ("due = 'soon'", "due"),
        ("due = '2026-02-30'", "due"),
        ("review_day = '0000-01-01'", "review_day"),
        ("answer_grade = 9", "answer_grade"),
        ("suspended = 5", "suspended"),
    ],
)
def test_s27_an_impossible_value_is_listed_with_its_card_and_mended(
    shell: Shell, change: str, column: str
) -> None:
    damage(shell, f"UPDATE card_state SET {change} WHERE card = 'mine/two'")
    one = next(one for one in found(shell) if one["name"] == "state-value")
    value = change.partition(" = ")[2]
    assert one["what"] == f"1 card with an impossible {column}"
    assert one["where"] == f"mine/two: {value}"
    assert names(shell, "--fix") == []


def test_s27_such_a_study_is_still_backed_up_and_studied(shell: Shell) -> None:
    damage(shell, "UPDATE card_state SET interval = -1, due = 'soon' WHERE card = 'mine/two'")
    shell.now = "2026-03-03T12:00:00+00:00"
    said = shell.done("card", "grade", "mine/three", "good")
    assert not [line for line in said.notices if "backup" in line.partition("/")[0]]
    assert len(list((shell.home / "backups").glob("*.db"))) == 2


# Tables, indexes and triggers


@pytest.mark.parametrize(
    "statements",
    [
        ["DROP TRIGGER log_keeps_rows"],
        [
            "DROP TRIGGER log_keeps_values",
            "CREATE TRIGGER log_keeps_values BEFORE UPDATE ON log BEGIN SELECT 1; END",
        ],
        ["DROP INDEX log_card"],
        ["DROP INDEX state_due", "DROP INDEX state_new"],
        ["DROP TABLE card_state"],
        ["ALTER TABLE card_state RENAME COLUMN flag TO words"],
        ["DROP TABLE meta"],
    ],
    ids=lambda statements: statements[0],
)
def test_what_guards_the_log_is_made_anew_as_it_was(shell: Shell, statements: list[str]) -> None:
    schema = "SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY name"
    before = logged(shell)
    with closing(study(shell)) as conn:
        right = conn.execute(schema).fetchall()
    damage(shell, *statements)
    assert "object" in names(shell)
    assert names(shell, "--fix") == []
    with closing(study(shell)) as conn:
        assert conn.execute(schema).fetchall() == right
    assert logged(shell) == before
    shell.done("card", "grade", "mine/three", "good")


def test_a_strange_trigger_is_a_fault_that_only_a_person_removes(shell: Shell) -> None:
    strange = "CREATE TRIGGER sly AFTER INSERT ON log BEGIN DELETE FROM card_state; END"
    damage(shell, strange, "CREATE TABLE notes_of_mine (x)")
    both = {one["what"]: one["level"] for one in found(shell, "--fix")}
    assert both == {
        "there is a trigger sly that attn-study did not make": "fault",
        "there is a table notes_of_mine that attn-study did not make": "note",
    }


def test_an_index_that_misses_rows_is_made_anew(shell: Shell) -> None:
    damage(
        shell,
        "PRAGMA writable_schema = ON",
        "CREATE TEMP TABLE kept AS SELECT * FROM sqlite_schema WHERE name = 'log_card'",
        "DELETE FROM sqlite_schema WHERE name = 'log_card'",
        "PRAGMA writable_schema = RESET",
        "INSERT INTO log SELECT 3, hex(randomblob(16)), device, 3, batch, card, kind, grade, day, "
        "at, offset, seconds, data FROM log WHERE id = 1",
        "PRAGMA writable_schema = ON",
        "INSERT INTO sqlite_schema SELECT * FROM kept",
    )
    before = logged(shell)
    assert "index" in names(shell)
    shell.attn("doctor", "--fix")
    assert "index" not in names(shell)
    assert logged(shell) == before


# The log


BAD_ROWS = {
    "uid": "'no uid'",
    "day": "'0000-01-01'",
    "at": "'yesterday'",
    "offset": "9000",
    "seconds": "99",
    "data": "'[1]'",
    "tick": "-1",
}


@pytest.mark.parametrize("column", BAD_ROWS)
def test_an_impossible_value_in_the_log_is_named_and_stays(shell: Shell, column: str) -> None:
    columns = EVENT_COLUMNS.split(", ")
    good = {"uid": "lower(hex(randomblob(16)))", "tick": "3"}
    chosen = ", ".join((good | {column: BAD_ROWS[column]}).get(name, name) for name in columns)
    damage(shell, f"INSERT INTO log ({', '.join(columns)}) SELECT {chosen} FROM log WHERE id = 1")
    before = logged(shell)
    one = next(one for one in found(shell) if one["name"] == "log-value")
    assert one["what"] == f"1 row of the log with an impossible {column}"
    assert one["where"].startswith("row 3: ")
    assert "log-value" in names(shell, "--fix")
    assert logged(shell) == before


def test_a_step_back_from_an_unknown_row_is_a_note(shell: Shell) -> None:
    damage(
        shell,
        "INSERT INTO log SELECT 3, lower(hex(randomblob(16))), device, 3, batch, card, 'undo', "
        f'NULL, day, at, offset, NULL, \'{{"undone": "{"ab" * 16}"}}\' FROM log WHERE id = 1',
        "UPDATE card_state SET rows = 2 WHERE card = 'mine/one'",
    )
    (one,) = found(shell)
    assert (one["name"], one["level"], one["where"]) == (
        "undo-unknown",
        "note",
        "row 3 of 2026-03-02",
    )


def test_clock_jumps_are_notes_and_an_import_is_none(tmp_path: Path) -> None:
    with log_on_disk(tmp_path / "home") as log:
        write(log, 0, review("mine/one", 4))
        write(log, -3, review("mine/two", 4))
        write(log, -3, review("mine/one", 4))
        write(log, 9, review("mine/three", 4))
        write(log, -700, review("mine/three", 4))  # an import of one old answer
        with log.writing():  # one batch of many days, as an import writes it
            log.add([(review(f"mine/{number}", 4), noon(number - 500)) for number in range(9)])
    shell = Shell(tmp_path)
    shell.only_mine()
    told = {one["name"]: (one["level"], one["where"]) for one in found(shell)}
    assert told["future"] == ("note", "mine/three on 2026-03-11")
    assert told["backwards"] == ("note", "2026-03-02T12:00 to 2026-02-27T12:00")
    assert "day" not in told


def test_a_study_day_far_from_its_time_is_a_note_and_a_night_or_a_flight_is_not(
    shell: Shell,
) -> None:
    def row(number: int, at: str, offset: int) -> str:
        return (
            f"INSERT INTO log SELECT {number}, lower(hex(randomblob(16))), device, {number}, "
            f"'{number}', 'mine/three', kind, grade, '2026-03-02', '{at}', {offset}, NULL, data "
            "FROM log WHERE id = 1"
        )

    damage(
        shell,
        row(3, "2026-03-03T03:59:00.000+00:00", 0),  # before the rollover
        row(4, "2026-03-02T09:59:00.000+00:00", -840),  # a day ahead after a flight west
        row(5, "2026-03-05T12:00:00.000+00:00", 0),
    )
    one = next(one for one in found(shell) if one["name"] == "day")
    assert (one["level"], one["where"]) == ("note", "mine/three on 2026-03-02 at 2026-03-05T12:00")


# Around the database


def test_cards_that_no_deck_holds_are_a_note_with_the_way_back(shell: Shell) -> None:
    path = shell.home / "decks" / "mine.yaml"
    path.write_text(path.read_text(encoding="utf-8").replace("mine", "ours"), "utf-8")
    (one,) = found(shell)
    assert (one["name"], one["level"], one["where"]) == ("orphan", "note", "mine/one, mine/two")
    assert "formerly: [mine]" in one["remedy"]
    assert "attn-study card adopt OLD NEW" in one["remedy"]


def test_s09_a_conflicted_copy_is_compared_and_left_alone(shell: Shell) -> None:
    aside = shell.home / "study (conflicted copy).db"
    shutil.copy(shell.home / "study.db", aside)
    (one,) = found(shell)
    assert (one["level"], one["where"]) == ("note", str(aside))
    assert "all its rows are in your study" in one["what"]
    with closing(sqlite3.connect(aside)) as conn:
        conn.execute(
            "INSERT INTO log SELECT 3, lower(hex(randomblob(16))), device, 3, batch, card, kind, "
            "grade, day, at, offset, seconds, data FROM log WHERE id = 1"
        )
        conn.commit()
    before = aside.read_bytes()
    assert "1 row of it is not in your study" in found(shell, "--fix")[0]["what"]
    assert aside.read_bytes() == before


def test_a_damaged_backup_is_found_before_it_is_needed(shell: Shell) -> None:
    (backup,) = (shell.home / "backups").glob("*.db")
    backup.write_bytes(backup.read_bytes()[:-4096])
    (one,) = found(shell)
    assert (one["name"], one["level"], one["where"]) == ("backup", "fault", str(backup))
    backup.rename(backup.with_name("study-before-fix-2026-03-02.db"))
    assert [(one["name"], one["level"]) for one in found(shell)] == [("no-backup", "note")]


def test_the_newest_backup_is_the_one_whose_name_says_so(shell: Shell) -> None:
    (old,) = (shell.home / "backups").glob("*.db")
    shell.now = "2026-03-03T12:00:00+00:00"
    shell.done("card", "grade", "mine/three", "good")
    (new,) = set((shell.home / "backups").glob("*.db")) - {old}
    shutil.copy(old, shell.home / "backups" / "study-2031-01-01-0123abcd.db")  # of a wrong clock
    new.write_bytes(new.read_bytes()[:-4096])
    os.utime(new, (1_600_000_000, 1_600_000_000))
    assert [one["where"] for one in found(shell)] == [str(new)]


def test_copies_from_before_repairs_are_counted_when_they_become_many(shell: Shell) -> None:
    (backup,) = (shell.home / "backups").glob("*.db")
    for number in range(3):
        shutil.copy(backup, shell.home / f"study-before-restore-2026-03-0{number + 1}.db")
        shutil.copy(backup, shell.home / "backups" / f"study-before-fix-2026-03-0{number + 1}.db")
        if number == 1:
            assert found(shell) == []
    (one,) = found(shell)
    assert (one["name"], one["level"]) == ("copies", "note")
    size = 6 * backup.stat().st_size / 1e6
    assert one["what"].startswith("6 copies from before")
    assert f"take {size:.1f} MB" in one["what"]


def test_a_deck_whose_scheduler_is_not_installed_is_named(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    with log_on_disk(shell.home) as log:
        log.write([Draft("", "rule", data={"scheduler": "fsrs", "deck": "mine"})], noon())
    assert found(shell) == []
    monkeypatch.setattr(rules, "fsrs_is_installed", lambda: False)
    shell.done("card", "grade", "mine/three", "good")  # the states follow
    (one,) = found(shell)
    assert (one["name"], one["level"], one["where"]) == ("scheduler", "fault", "mine")
    assert install("fsrs") in one["remedy"]


def test_settings_that_cannot_be_read_are_a_fault_that_stops_nothing(shell: Shell) -> None:
    path = shell.file("home/settings.toml", "new = many\n")
    damage(shell, "UPDATE card_state SET interval = 99 WHERE card = 'mine/one'")
    assert sorted(names(shell)) == ["settings", "state"]
    (one,) = found(shell, "--fix")
    assert (one["name"], one["where"]) == ("settings", str(path))


def test_a_damaged_model_is_a_fault_and_the_remedy_is_the_first_command_of_the_readme(
    shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    damaged = tmp_path / "trained.npz"
    damaged.write_bytes(stored.TRAINED.read_bytes()[:-1])
    shutil.copy(stored.checksum_of(stored.TRAINED), stored.checksum_of(damaged))
    monkeypatch.setattr(stored, "TRAINED", damaged)
    (one,) = found(shell)
    assert (one["name"], one["where"]) == ("model", str(damaged))
    assert "README" in one["remedy"]


def test_a_damaged_catalogue_is_thrown_away(shell: Shell) -> None:
    cache = shell.home / "cache.db"
    data = cache.read_bytes()
    cache.write_bytes(data[: 4096 * 3] + b"\xff" * 4096 * 4 + data[4096 * 7 :])
    assert names(shell) == ["catalogue"]
    assert names(shell, "--fix") == []
    assert shell.ids() == ["mine/one", "mine/two", "mine/three"]


# What cannot be opened


def broken_tree(path: Path) -> None:
    data = path.read_bytes()
    path.write_bytes(data[:4096] + b"\xff" * 4096 * 6 + data[4096 * 7 :])


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: 4096 * 3 + 1000])


def a_text(path: Path) -> None:
    path.write_text("deck: mine\n" * 50, encoding="utf-8")


def empty(path: Path) -> None:
    path.write_bytes(b"")


@pytest.mark.parametrize("spoil", [broken_tree, cut, a_text, empty])
@pytest.mark.parametrize("words", [(), ("--fix",)], ids=["look", "fix"])
def test_s31_a_study_that_cannot_be_opened_is_reported_with_the_way_out(
    shell: Shell, spoil: Any, words: tuple[str, ...]
) -> None:
    path = shell.home / "study.db"
    spoil(path)
    before = path.read_bytes()
    said = shell.attn("doctor", *words)
    assert (said.code, "Traceback" in said.err) == (1, False)
    assert re.search("doctor --salvage|backup --restore", said.out)
    assert path.read_bytes() == before
    assert not [path for path in shell.home.glob("study.db-wal") if path.stat().st_size]


def test_what_could_not_be_looked_at_is_named_once_and_nothing_is_said_to_be_mended(
    shell: Shell,
) -> None:
    broken_tree(shell.home / "study.db")
    faults = [one for one in found(shell) if one["level"] == "fault"]
    assert [one["name"] for one in faults] in (["damaged", "check"], ["check"])
    assert "malformed" in faults[-1]["what"]
    assert "whether the states are what the log says" in faults[-1]["where"]
    said = shell.attn("doctor", "--fix")
    assert said.lines[-1] == "Nothing was mended: --fix mends what a sound log can tell."
    assert "Nothing was mended" not in shell.attn("doctor").out
    assert not list((shell.home / "backups").glob("study-before-fix*"))


def test_into_a_damaged_file_nothing_is_written_to_mend_what_could_be_mended(
    shell: Shell,
) -> None:
    damage(shell, "UPDATE card_state SET interval = -1 WHERE card = 'mine/two'")
    path = shell.home / "study.db"
    with closing(study(shell)) as conn:
        query = "SELECT rootpage FROM sqlite_schema WHERE name = 'log'"
        start = (conn.execute(query).fetchone()[0] - 1) * 4096
    data = path.read_bytes()
    spoiled = data[:start] + b"\xff" * 4096 + data[start + 4096 :]
    path.write_bytes(spoiled)
    assert "state-value" in names(shell)
    said = shell.attn("doctor", "--fix")
    assert (said.code, said.lines[-1]) == (
        1,
        "Nothing was mended: --fix mends what a sound log can tell.",
    )
    assert path.read_bytes() == spoiled


def test_a_newer_study_is_not_looked_at(shell: Shell) -> None:
    damage(shell, "PRAGMA user_version = 99")
    assert "format 99" in shell.refused("doctor")


def test_a_fix_leaves_a_backup_from_before_it(shell: Shell) -> None:
    damage(shell, "UPDATE card_state SET interval = 99 WHERE card = 'mine/one'")
    report = shell.done("doctor", "--fix", "--json").json
    assert report["backup"] == str(shell.home / "backups" / "study-before-fix-2026-03-02.db")
    with closing(sqlite3.connect(report["backup"])) as conn:
        query = "SELECT interval FROM card_state WHERE card = 'mine/one'"
        assert conn.execute(query).fetchone() == (99,)
    assert report["done"] == ["the state of 2 cards was worked out anew from the log"]
    assert shell.done("doctor", "--fix", "--json").json["backup"] is None


def test_words_that_do_not_go_together_are_refused(shell: Shell) -> None:
    assert "goes with --salvage" in shell.refused("doctor", "some.db")
    assert "either" in shell.refused("doctor", "--fix", "--salvage")


@pytest.mark.parametrize("columns", [40, 80, 120])
def test_the_report_fits_its_screen_and_says_what_where_and_what_to_do(columns: int) -> None:
    long = ", ".join(f"mine/card-{number}" for number in range(8))
    fault = Finding("state", "8 cards are not as the log leaves them", long, "`--fix` does it\nso")
    note = Finding("orphan", "a note\x1b[2J", "", "", is_fault=False)
    checks = [Check("this is sound"), Check("not shown", (fault, note))]
    lines = [line.plain for line in doctor_lines(checks, "study.db", ["mended"], columns)]
    assert max(map(len, lines)) <= columns
    assert lines[:3] == ["study.db", "+ mended", "✓ this is sound"]
    assert lines[3].startswith("✗ 8 cards are not")
    assert "".join(line[4:] for line in lines if line.startswith("    mine")).startswith("mine/ca")
    assert [line for line in lines if "→" in line] == ["    → `--fix` does it", "    → so"]
    assert any(line.startswith("• a note") and "\x1b" not in line for line in lines)
    assert lines[-1] == "1 fault, 1 note."
