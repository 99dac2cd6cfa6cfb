"""A log that somebody changed by hand: every command reads the nearest that can be, as told."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING, Any

import pytest

from attn_study.memory.exchange.foreign import WrongRowError, event
from attn_study.memory.health.values import in_log
from cli_helpers import Shell
from memory_helpers import day, log_in_memory, log_on_disk, replay, review, rows, states, write

if TYPE_CHECKING:
    from pathlib import Path

# What no study writes, and a part of what `doctor` calls it.
IMPOSSIBLE = {
    "at='soon'": "at",
    "at='2026-02-30T12:00:00.000+00:00'": "at",
    "at='2026-03-02T12:00:00.000'": "at",
    "at='9999-12-31T23:59:00.000+00:00', offset=1439": "at",
    "at='0001-01-01T00:00:00.000+00:00', offset=-1439": "at",
    "day='soon'": "day",
    "day='0000-01-01'": "day",
    "day='2026-02-30'": "day",
    "day='20260301'": "day",
    "grade=9": "grade",
    "grade=-1": "grade",
    "grade=NULL": "grade",
    "data='[1'": "data",
    "data='[1]'": "data",
    "offset=999999999": "offset",
    "offset=1440": "offset",
    "seconds=9e999": "seconds",
    "seconds=-1": "seconds",
    "tick=9223372036854775807": "tick",
    "tick=-1": "tick",
    "kind='flag'": "grade",
    "card='zz'": "card",
    "card=''": "card",
    "card='mine/'": "card",
}
COMMANDS = (
    ("today",),
    ("stats",),
    ("stats", "--json"),
    ("stats", "--ahead", "30"),
    ("log",),
    ("log", "--json"),
    ("card", "list"),
    ("card", "show", "mine/one"),
    ("card", "show", "mine/one", "--json"),
    ("log", "export", "-o", "anonymous.jsonl", "--anonymous"),
    ("backup",),
    ("sync", "."),
    ("deck", "export", "mine", "-o", "mine.json"),
    ("card", "grade", "mine/three", "good"),
    ("card", "grade", "mine/one", "hard"),
    ("undo",),
    ("undo",),
    ("undo",),
)
SENDING = (("log", "export"), ("sync", "."), ("deck", "export"))  # on to where it would be believed


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    """A shell with a small deck, two cards of which were studied."""
    shell = Shell(tmp_path)
    shell.only_mine()
    for card in ("mine/one", "mine/two"):
        shell.done("card", "grade", card, "good")
    return shell


def change(shell: Shell, *values: str) -> None:
    """Change the first row, the second … as no command would."""
    with closing(sqlite3.connect(shell.home / "study.db")) as conn:
        conn.execute("PRAGMA ignore_check_constraints = ON")
        conn.execute("DROP TRIGGER log_keeps_values")
        for number, change in enumerate(values, start=1):
            conn.execute(f"UPDATE log SET {change} WHERE id = {number}")
        conn.commit()


def test_s27_every_command_works_on_rows_that_were_changed_by_hand(shell: Shell) -> None:
    values = [values for values in IMPOSSIBLE if not values.startswith("data=")]
    with log_on_disk(shell.home) as log:
        for number in range(len(values)):
            write(log, -number, review(f"mine/{'one' if number % 2 else 'two'}", 4))
    change(shell, *values)
    for words in COMMANDS:
        said = shell.attn(*words)
        assert said.code == 0, (words, said.err)


@pytest.mark.parametrize("values", ["data='[1'", "data='[1]'"])
def test_s27_damaged_data_stop_only_what_sends_them_on(shell: Shell, values: str) -> None:
    change(shell, values)
    for words in COMMANDS:
        said = shell.attn(*words)
        if words[:2] in SENDING:
            assert (said.code, "attn-study doctor" in said.err) == (2, True), words
        else:
            assert said.code == 0, (words, said.err)


@pytest.mark.parametrize(("values", "column"), IMPOSSIBLE.items())
def test_s27_doctor_names_the_row_and_the_states_stay_what_it_reads(
    shell: Shell, values: str, column: str
) -> None:
    change(shell, values)
    report = shell.attn("doctor", "--fix", "--json").json
    found = {one["what"]: one["where"] for one in report["findings"] if one["name"] == "log-value"}
    assert found[f"1 row of the log with an impossible {column}"].startswith("row 1: ")
    shell.now = "2026-03-03T12:00:00+00:00"
    shell.done("card", "grade", "mine/one", "hard")
    shell.done("card", "grade", "mine/three", "good")
    after = shell.attn("doctor", "--json").json["findings"]
    assert {one["name"] for one in after if one["level"] == "fault"} - {"object"} == {"log-value"}
    with log_on_disk(shell.home, write=False) as log:
        assert states(log.conn) == replay(rows(log.conn))


@pytest.mark.parametrize(
    ("values", "read"),
    [
        ("grade=9", {"grade": 5}),
        ("grade=-1", {"grade": 0}),
        ("grade=NULL", {"grade": 1}),
        ("kind='flag'", {"grade": None}),
        ("day='soon'", {"day": "0001-01-01"}),
        ("day='0000-12-31'", {"day": "0001-01-01"}),
        ("offset=999999999", {"offset": 1439}),
        ("offset=-1440", {"offset": -1439}),
        ("seconds=9e999", {"seconds": 60.0}),
        ("seconds=-9e999", {"seconds": 0.0}),
        ("seconds=NULL", {"seconds": None}),
        ("tick=9223372036854775807", {"tick": 2**53}),
        ("tick=-5", {"tick": 1}),
        ("data='[1'", {"data": {}}),
        ("data='[1]'", {"data": {}}),
        (f"data='{'[' * 900}{']' * 900}'", {"data": {}}),
    ],
)
def test_s27_an_impossible_value_is_read_as_the_nearest_that_can_be(
    shell: Shell, values: str, read: dict[str, Any]
) -> None:
    before = shell.log()[0]
    change(shell, values)
    after = shell.log()[0]
    assert {name: after[name] for name in read} == read
    assert before.keys() == after.keys()
    others = before.keys() - read.keys() - {"kind"}
    assert {name: after[name] for name in others} == {name: before[name] for name in others}


def test_s27_a_tick_that_leaves_no_room_takes_none_from_the_rows_to_come(shell: Shell) -> None:
    change(shell, "tick=9223372036854775807")
    shell.done("card", "grade", "mine/three", "good")
    assert [row["tick"] for row in shell.log()] == [2**53, 2, 3]


def test_a_day_that_is_none_does_not_hide_the_newest_one_there_is(shell: Shell) -> None:
    with log_on_disk(shell.home) as log:
        write(log, -2, review("mine/three", 4))  # 28 February
    change(shell, "day='2026-02-30'")
    with log_on_disk(shell.home) as log:
        assert log.newest_day(day(-1)) == day(-2)


# The time of an answer


@pytest.mark.parametrize("values", [key for key in IMPOSSIBLE if key.startswith("at=")])
def test_a_row_without_a_time_is_shown_with_its_study_day(shell: Shell, values: str) -> None:
    change(shell, values)
    assert shell.done("log").lines == [
        "2026-03-02 12:00  mine/two good",
        "2026-03-02        mine/one good",
    ]
    assert "mine/two" in shell.done("undo").out
    assert "mine/one good, on 2026-03-02" in shell.done("undo").out


def test_years_of_old_have_four_digits(shell: Shell) -> None:
    change(shell, "at='0001-01-02T03:04:00.000+00:00', offset=-60")
    assert shell.done("log").lines[1] == "0001-01-02 02:04  mine/one good"


LIMITS = [
    ("at", "0001-01-02T00:00:00.000+00:00", True),
    ("at", "0001-01-01T23:59:59.999+00:00", False),
    ("at", "9999-12-30T23:59:59.999+00:00", True),
    ("at", "9999-12-31T00:00:00.000+00:00", False),
    ("at", "2026-03-02T24:00:00.000+00:00", False),
    ("at", "2026-03-02T12:00:00+00:00", False),
    ("offset", 1439, True),
    ("offset", 1440, False),
    ("offset", -1439, True),
    ("offset", -1440, False),
    ("tick", 2**53, True),
    ("tick", 2**53 + 1, False),
    ("seconds", 60, True),
    ("seconds", 60.5, False),
    ("day", "0001-01-01", True),
    ("day", "0000-01-01", False),
    ("card", "m/x", True),
    ("card", "/x", False),
    ("card", "m/", False),
    ("card", "m/x/y", True),
    ("card", "m/\x7f", False),
    ("card", "m/" + "x" * 998, True),
    ("card", "m/" + "x" * 999, False),
]


@pytest.mark.parametrize(("column", "value", "possible"), LIMITS)
def test_what_comes_from_elsewhere_is_what_doctor_takes_for_sound(
    column: str, value: object, possible: bool
) -> None:
    with log_in_memory() as log:
        write(log, 0, review("mine/one", 4))
        (row,) = log.columns()
        log.conn.execute("PRAGMA ignore_check_constraints = ON")
        log.conn.execute("DROP TRIGGER log_keeps_values")
        log.conn.execute(f"UPDATE log SET {column} = ?", [value])
        found = [one.what for one in in_log(log.conn)]
    assert (f"1 row of the log with an impossible {column}" not in found) is possible
    if possible:
        assert getattr(event(row | {column: value}), column) is not None
    else:
        with pytest.raises(WrongRowError):
            event(row | {column: value})
