"""`log import`: logs from elsewhere come in once, on the right study days, or not at all."""

from __future__ import annotations

import json
import sqlite3
import zipfile
from contextlib import closing
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pytest

from anki_package import Package, zipped
from cli_helpers import SMALL, Shell

if TYPE_CHECKING:
    from pathlib import Path

HEADER = "card_id,review_rating,review_time,review_duration"
TWO = f"{HEADER}\none,3,2026-02-20T09:00:00+00:00,4000\ntwo,1,2026-02-21T09:00:00+00:00,5500\n"
KEPT = "rows are kept and counted all the same"


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    made = Shell(tmp_path)
    made.only_mine()
    return made


def table(shell: Shell, *rows: str, name: str = "reviews.csv") -> str:
    """Put a table of reviews on the desk; return its name."""
    shell.file(name, "\n".join([HEADER, *rows]) + "\n")
    return name


def brought(shell: Shell, *words: str) -> list[dict[str, Any]]:
    """Import into the deck `mine` in UTC; return all rows of the log, the oldest first."""
    shell.done("log", "import", *words, "--deck", "mine", "--zone", "UTC")
    return rows(shell)


def rows(shell: Shell) -> list[dict[str, Any]]:
    """Every row of the log, in order of arrival."""
    return [json.loads(line) for line in shell.done("log", "export").lines]


def days(shell: Shell) -> list[str]:
    return [row["day"] for row in rows(shell)]


# A table of reviews


def test_reviews_of_a_table_become_rows_with_the_grades_that_the_keys_give(shell: Shell) -> None:
    times = [f"2026-02-{number}T09:00:00.500000+00:00" for number in range(20, 24)]
    named = table(shell, *(f"one,{n},{at},{n}250" for n, at in enumerate(times, start=1)))
    found = brought(shell, named)
    assert [(row["card"], row["kind"], row["grade"], row["seconds"]) for row in found] == [
        ("mine/one", "review", 1, 1.25),
        ("mine/one", "review", 3, 2.25),
        ("mine/one", "review", 4, 3.25),
        ("mine/one", "review", 5, 4.25),
    ]
    assert [row["at"] for row in found] == [at.replace(".500000", ".500") for at in times]
    assert len({row["batch"] for row in found}) == 1
    # 1 fails, then 1, 6 and ceil(6 × 2.46) days at EF 2.36, 2.36 and 2.46
    assert (shell.card("mine/one")["interval"], shell.card("mine/one")["ease"]) == (15, 2.46)


def test_an_answer_after_the_days_first_does_not_schedule(shell: Shell) -> None:
    first, second = ("one,3,2026-02-20T09:00:00+00:00,1", "one,1,2026-02-20T20:00:00+00:00,1")
    found = brought(shell, table(shell, second, first))  # in whatever order the file has them
    assert [(row["kind"], row["grade"]) for row in found] == [("review", 4), ("review", 1)]
    card = shell.card("mine/one")
    assert (card["due"], card["repetitions"], card["lapses"]) == ("2026-02-21", 1, 0)


def test_a_minute_is_the_longest_answer_and_a_missing_duration_stays_unknown(shell: Shell) -> None:
    named = table(
        shell,
        "one,3,2026-02-20T09:00:00+00:00,60001",
        "one,3,2026-02-21T09:00:00+00:00,",
        "one,3,1771750800000,0",  # 2026-02-22, 09:00 UTC, in milliseconds since 1970
    )
    found = brought(shell, named)
    assert [row["seconds"] for row in found] == [60, None, 0]
    assert found[2]["at"] == "2026-02-22T09:00:00.000+00:00"


@pytest.mark.parametrize("mark", [";", "\t"])
def test_other_separators_and_other_orders_of_the_columns_are_read(shell: Shell, mark: str) -> None:
    header = ["review_time", "card_id", "review_state", "review_rating"]
    cells = ["2026-02-20T09:00:00+00:00", "one", "2", "3"]
    shell.file("odd.csv", f"\ufeff{mark.join(header)}\r\n{mark.join(cells)}\r\n")
    assert [row["card"] for row in brought(shell, "odd.csv")] == ["mine/one"]


def test_the_deck_is_called_as_the_file_where_none_is_named(shell: Shell) -> None:
    table(shell, "one,3,2026-02-20T09:00:00+00:00,1", name="my week (3).csv")
    said = shell.done("log", "import", "my week (3).csv", "--zone", "UTC")
    assert said.lines[1] == "  under the deck my-week--3"
    assert [row["card"] for row in rows(shell)] == ["my-week--3/one"]
    assert "as in a-b" in shell.refused("log", "import", "my week (3).csv", "--deck", "a/b")


# Study days


def test_s08_one_instant_is_another_study_day_in_another_zone(tmp_path: Path) -> None:
    evening = ("one,3,2026-02-20T11:00:00+00:00,1", "one,3,2026-02-21T04:00:00+00:00,1")
    seen = {}
    for zone in ("Asia/Tokyo", "America/Los_Angeles", "+09:00", "-08:00", "UTC"):
        shell = Shell(tmp_path / zone.replace("/", "-"))
        shell.only_mine()
        shell.done("log", "import", table(shell, *evening), "--deck", "mine", "--zone", zone)
        seen[zone] = days(shell), [row["offset"] for row in rows(shell)]
    # 20:00 and 13:00 the next day in Tokyo; 03:00 and 20:00 of one day in Los Angeles
    assert seen["Asia/Tokyo"] == seen["+09:00"] == (["2026-02-20", "2026-02-21"], [540, 540])
    assert seen["America/Los_Angeles"] == seen["-08:00"]
    assert seen["-08:00"] == (["2026-02-19", "2026-02-20"], [-480, -480])
    assert seen["UTC"][0] == ["2026-02-20", "2026-02-21"]


def test_s08_without_a_zone_the_days_are_the_local_ones_and_that_is_said(shell: Shell) -> None:
    shell.now = "2026-03-02T12:00:00+09:00"
    named = table(shell, "one,3,2026-02-20T20:00:00+00:00,1")  # 05:00 there, the next day
    said = shell.done("log", "import", named)
    assert any("no --zone was named" in line and "UTC+09:00" in line for line in said.notices)
    assert days(shell) == ["2026-02-21"]


def test_s34_the_day_turns_at_the_hour_that_is_set_and_days_that_are_written_stay(
    shell: Shell,
) -> None:
    night = table(shell, "one,3,2026-02-20T03:30:00+00:00,1", "one,3,2026-02-21T04:30:00+00:00,1")
    brought(shell, night)
    assert days(shell) == ["2026-02-19", "2026-02-21"]
    shell.done("config", "rollover", "0")
    assert days(shell) == ["2026-02-19", "2026-02-21"]
    brought(shell, night)  # known still, whatever day it would be now
    later = table(shell, "two,3,2026-02-20T03:30:00+00:00,1")
    brought(shell, later)
    assert days(shell) == ["2026-02-19", "2026-02-21", "2026-02-20"]


def test_s33_an_hour_that_comes_twice_gives_two_answers_their_own_offsets(shell: Shell) -> None:
    named = table(shell, "one,3,2025-10-26T00:30:00+00:00,1", "two,3,2025-10-26T01:30:00+00:00,1")
    shell.done("log", "import", named, "--zone", "Europe/Berlin")
    assert [(row["day"], row["offset"]) for row in rows(shell)] == [
        ("2025-10-25", 120),
        ("2025-10-25", 60),
    ]


@pytest.mark.parametrize("zone", ["Mars/Olympus", "+25:00", "+01:75", "../etc/passwd", "/etc"])
def test_a_zone_that_there_is_not_is_refused(shell: Shell, zone: str) -> None:
    said = shell.refused("log", "import", table(shell), "--zone", zone)
    assert "for example --zone Asia/Shanghai, or --zone +08:00" in said


# Once


def test_the_same_answers_come_in_once_whatever_zone_is_named(shell: Shell) -> None:
    shell.file("a.csv", TWO)
    before = brought(shell, "a.csv")
    said = shell.done("log", "import", "a.csv", "--deck", "mine", "--zone", "Asia/Tokyo")
    assert said.lines == ["brought in 0 answers", "  2 rows were here already"]
    assert rows(shell) == before


def test_a_longer_log_of_the_same_cards_brings_in_what_is_new(shell: Shell) -> None:
    shell.file("a.csv", TWO)
    brought(shell, "a.csv")
    shell.file("a.csv", f"{TWO}one,2,2026-02-22T09:00:00+00:00,1\n{TWO.splitlines()[1]}\n")
    assert [(row["card"], row["grade"]) for row in brought(shell, "a.csv")] == [
        ("mine/one", 4),
        ("mine/two", 1),
        ("mine/one", 3),
    ]


def test_undo_takes_an_import_back_as_one_step_and_it_may_come_again(shell: Shell) -> None:
    shell.done("card", "grade", "mine/three", "good")
    shell.file("a.csv", TWO)
    assert shell.done("log", "import", "a.csv", "--deck", "mine").lines[-1] == (
        "`attn-study undo` takes all of it back"
    )
    assert [card["state"] for card in shell.cards()] == ["due", "due", "waiting"]
    assert len(shell.done("undo").lines) == 2
    assert [card["state"] for card in shell.cards()] == ["new", "new", "waiting"]
    said = shell.done("log", "import", "a.csv", "--deck", "mine", "--zone", "Asia/Tokyo")
    assert said.lines[0].startswith("brought in 2 answers of 2 cards")
    assert [card["state"] for card in shell.cards()] == ["due", "due", "waiting"]


def test_answers_of_a_card_that_goes_by_another_name_now_are_known(shell: Shell) -> None:
    table(shell, "old,3,2026-02-20T09:00:00+00:00,1")
    brought(shell, "reviews.csv")
    shell.done("card", "adopt", "mine/old", "mine/one")
    assert shell.card("mine/one")["due"] == "2026-02-21"
    table(shell, "one,3,2026-02-20T09:00:00+00:00,1", "old,3,2026-02-20T09:00:00+00:00,1")
    assert len(brought(shell, "reviews.csv")) == 2  # the review and the adoption


def test_past_answers_go_before_those_that_are_here(shell: Shell) -> None:
    shell.done("card", "grade", "mine/one", "again")
    assert shell.card("mine/one")["lapses"] == 0
    brought(shell, table(shell, "one,3,2026-02-20T09:00:00+00:00,1"))
    card = shell.card("mine/one")
    assert (card["lapses"], card["due"]) == (1, "2026-03-03")


def test_a_step_taken_back_elsewhere_is_taken_back_here(shell: Shell) -> None:
    there = Shell(shell.folder)
    there.home = shell.folder / "there"
    there.file("there/decks/mine.yaml", SMALL)
    for words in (("card", "grade", "mine/one", "good"), ("undo",)):
        there.done(*words)
        there.done("log", "export", "-o", "log.csv")
        shell.done("log", "import", "log.csv")
    assert shell.card("mine/one")["state"] == "new"
    assert "First question?" in shell.done("review", "--plain").out


@pytest.mark.parametrize("own", [False, True])
def test_an_import_that_breaks_off_leaves_nothing(shell: Shell, own: bool) -> None:
    shell.file("a.csv", TWO)
    if own:
        there = Shell(shell.folder)
        there.home = shell.folder / "there"
        there.done("log", "import", "a.csv", "--deck", "mine")
        there.done("log", "export", "-o", "a.csv")
    shell.done("card", "grade", "mine/three", "good")
    with closing(sqlite3.connect(shell.home / "study.db", isolation_level=None)) as conn:
        conn.execute(
            "CREATE TRIGGER full BEFORE INSERT ON log WHEN NEW.card = 'mine/two' "
            "BEGIN SELECT RAISE(ABORT, 'the disk is full'); END"
        )
    before = rows(shell)
    words = () if own else ("--deck", "mine", "--zone", "UTC")
    assert "the disk is full; nothing was saved" in shell.refused("log", "import", "a.csv", *words)
    assert (len(before), rows(shell)) == (1, before)
    assert [card["state"] for card in shell.cards()] == ["new", "new", "waiting"]


# What comes is said


def test_what_came_is_said_with_the_cards_that_no_deck_holds(shell: Shell) -> None:
    named = table(
        shell, "one,3,2026-02-20T09:00:00+00:00,1", "gone,3,2026-02-22T09:00:00+00:00,1",
        "lost,3,2026-02-22T10:00:00+00:00,1",
    )  # fmt: skip
    said = shell.done("log", "import", named, "--deck", "mine", "--zone", "UTC")
    assert said.lines == [
        "brought in 3 answers of 3 cards, on 2 days from 2026-02-20 to 2026-02-22",
        "  under the deck mine",
        f"  2 cards are in no deck; their {KEPT}",
        "`attn-study undo` takes all of it back",
    ]
    assert [row["card"] for row in rows(shell)] == ["mine/one", "mine/gone", "mine/lost"]
    assert shell.ids("is:due") == ["mine/one"]


def test_a_dry_run_says_the_same_and_writes_nothing(shell: Shell) -> None:
    shell.file("a.csv", TWO + "one,9,2026-02-22T09:00:00+00:00,1\n")
    said = shell.done("log", "import", "a.csv", "--deck", "mine", "--zone", "UTC", "--dry-run")
    assert said.lines == [
        "would bring in 2 answers of 2 cards, on 2 days from 2026-02-20 to 2026-02-21",
        "  under the deck mine",
        "  left out: a.csv:4: review_rating is '9', not 1, 2, 3 or 4",
        "  as it is, nothing would come in: --skip-bad brings in the others",
    ]
    assert not (shell.home / "study.db").exists()


# Bad rows

BAD = {
    "one,0,2026-02-20T09:00:00+00:00,1": "review_rating is '0'",
    "one,²,2026-02-20T09:00:00+00:00,1": "review_rating is '²'",
    "one,,2026-02-20T09:00:00+00:00,1": "review_rating is ''",
    "one,3,2026-02-20T09:00:00,1": "not a time with its offset",
    "one,3,yesterday,1": "review_time is 'yesterday'",
    "one,3,999999999999999,1": "review_time is '999999999999999': no answer was given then",
    "one,3,9999999999999999,1": "a time with its offset",
    "one,3,9999-12-31T23:59:59-12:00,1": "no calendar has this time",
    "one,3,2026-03-03T09:00:00+00:00,1": "ahead of today, 2026-03-02",
    "one,3,2026-02-20T09:00:00+00:00,-1": "review_duration is '-1'",
    "one,3,2026-02-20T09:00:00+00:00,nan": "review_duration is 'nan'",
    "One two,3,2026-02-20T09:00:00+00:00,1": "card_id 'One two' cannot be a card",
    ",3,2026-02-20T09:00:00+00:00,1": "card_id '' cannot be a card",
    "two/one,3,2026-02-20T09:00:00+00:00,1": "cannot be a card",
    "one,3,2026-02-20T09:00:00+00:00": "3 cells under 4 columns",
    "x,1,2026-02-01T09:00:00+00:00,1": "line 2 gives this answer another grade",
}


@pytest.mark.parametrize(("row", "why"), BAD.items())
def test_a_bad_row_is_named_by_its_line_and_keeps_the_others_out_unless_skipped(
    shell: Shell, row: str, why: str
) -> None:
    good = "x,3,2026-02-01T09:00:00+00:00,1"
    named = table(shell, good, row, "one,3,2026-02-10T09:00:00+00:00,1")
    said = shell.refused("log", "import", named, "--deck", "mine", "--zone", "UTC")
    assert f"reviews.csv:3: {why}" in said or (said.count("reviews.csv:3: ") == 1 and why in said)
    assert "2 rows are fine, 1 is not; nothing came in (--skip-bad brings in 2)" in said
    assert rows(shell) == []
    assert len(brought(shell, named, "--skip-bad")) == 2


def test_many_bad_rows_are_counted_and_the_first_are_named(shell: Shell) -> None:
    named = table(shell, *["one,9,2026-02-20T09:00:00+00:00,1"] * 30)
    said = shell.refused("log", "import", named, "--zone", "UTC")
    assert said.count("review_rating is '9'") == 20
    assert "… and 10 more" in said
    assert "0 rows are fine, 30 are not; nothing came in" in said


# What is no log

NOT_LOGS: dict[str, tuple[bytes, str]] = {
    "empty": (b"", "the file is empty"),
    "blank": (b"\n \n", "the file is empty"),
    "a deck": (b"deck: mine\n", "this is no log that can be read"),
    "some columns": (b"card_id,review_time\n", "this is no log that can be read"),
    "UTF-16": (TWO.encode("utf-16"), "this is UTF-16 text"),
    "Parquet": (b"PAR1....PAR1", "a log does not come back from Parquet"),
    "a package cut off": (b"PK\3\4....", "this Anki package is cut off"),
    "SQLite cut off": (b"SQLite format 3\0....", "cannot be read"),
    "bytes": (bytes(range(256)), "this is no log that can be read"),
    "two columns of one name": (b"card_id,card_id,review_rating,review_time\n", "two columns"),
    "an open quote": (HEADER.encode() + b'\n"one,3\n' + b"x" * 11_000_000, "a quote opens here"),
}


@pytest.mark.parametrize("name", NOT_LOGS)
def test_what_is_no_log_is_refused_with_its_name(shell: Shell, name: str) -> None:
    data, why = NOT_LOGS[name]
    (shell.folder / "log").write_bytes(data)
    said = shell.refused("log", "import", "log", "--zone", "UTC")
    assert why in said
    assert any(line.startswith("log:") for line in said.splitlines())
    assert rows(shell) == []


def test_a_file_that_is_not_there_and_a_folder_are_refused(shell: Shell) -> None:
    assert "none.csv: cannot be read: No such file" in shell.refused("log", "import", "none.csv")
    assert "home: cannot be read: Is a directory" in shell.refused("log", "import", "home")
    said = shell.refused("log", "import", "none.csv", "--format", "anky")
    assert "did you mean anki?" in said


def test_a_database_of_our_own_is_no_log(shell: Shell) -> None:
    shell.done("card", "grade", "mine/one", "good")
    said = shell.refused("log", "import", "home/study.db")
    assert "this is a study database, not a log" in said


# Our own


def exported(shell: Shell, name: str = "log.jsonl", *words: str) -> list[str]:
    """Export the log of a home of its own; return its lines."""
    there = Shell(shell.folder)
    there.home = shell.folder / "there"
    there.done("card", "grade", "attention/scaling", "good")
    there.done("card", "grade", "attention/static-embeddings", "again")
    there.done("undo")
    there.done("log", "export", "-o", name, *words)
    return (shell.folder / name).read_text("utf-8").splitlines()


def test_two_logs_become_one(shell: Shell) -> None:
    exported(shell)
    shell.done("card", "grade", "mine/one", "good")
    said = shell.done("log", "import", "log.jsonl")
    assert said.lines == [
        "brought in 3 rows of 2 cards, on 2026-03-02",
        "  under the deck attention",
        f"  2 cards are in no deck; their {KEPT}",
    ]
    assert len(rows(shell)) == 4
    # Undo takes back what was done here, not what was done there
    assert shell.done("undo").out.startswith("took back: mine/one good")
    assert "nothing to take back" in shell.refused("undo")


def test_a_line_that_is_no_row_is_named(shell: Shell) -> None:
    first, second, third = exported(shell)
    shell.file("bad.jsonl", "\n".join([first, "", second.replace('"day"', '"Day"'), third[:40]]))
    said = shell.refused("log", "import", "bad.jsonl")
    assert said.splitlines()[-3:-1] == [
        "bad.jsonl:3: `day` is missing",
        "bad.jsonl:4: this is not a line of JSON, and the file ends in it",
    ]
    assert (
        shell.done("log", "import", "bad.jsonl", "--skip-bad")
        .lines[0]
        .startswith("brought in 1 row of 1 card")
    )
    assert [row["kind"] for row in rows(shell)] == ["review"]


def test_answers_that_are_here_under_another_deck_are_refused_with_that_name(shell: Shell) -> None:
    shell.file("reviews.csv", TWO)
    shell.done("log", "import", "reviews.csv", "--zone", "UTC")
    again = ("log", "import", "reviews.csv", "--deck", "biology", "--zone", "UTC")
    said = shell.refused(*again)
    assert "reviews.csv:2: here already, as an answer to reviews/one; import it under that" in said
    assert "0 rows are fine, 2 are not; nothing came in" in said
    assert len(rows(shell)) == 2
    shell.done("undo")
    assert shell.done(*again).lines[0].startswith("brought in 2 answers of 2 cards")


def test_a_second_import_with_another_zone_says_that_days_stay_and_how_they_move(
    shell: Shell,
) -> None:
    late = "one,3,2026-02-20T23:00:00+00:00,4000"
    named = table(shell, late, "two,3,2026-02-20T09:00:00+00:00,1")
    shell.done("log", "import", named, "--zone", "UTC")
    said = shell.done("log", "import", named, "--zone", "+08:00").lines
    anew = "to move it, take the first import back with undo and import anew"
    assert said[0] == "brought in 0 answers"
    assert said[-2:] == [
        "  2 rows were here already",
        f"  1 of these stands on another study day than the zone gives now: {anew}",
    ]
    assert "of these" not in shell.done("log", "import", named, "--zone", "UTC").out


def test_a_row_that_says_otherwise_than_ours_is_refused(shell: Shell) -> None:
    first, *_ = exported(shell)
    shell.done("log", "import", "log.jsonl")
    before = rows(shell)
    changed = json.dumps(json.loads(first) | {"grade": 1})
    shell.file("changed.jsonl", f"{first}\n{changed}\n")
    said = shell.refused("log", "import", "changed.jsonl")
    uid = json.loads(first)["uid"]
    assert f"changed.jsonl:2: {uid} says otherwise; no row is ever changed" in said
    assert rows(shell) == before


def test_cells_of_a_table_that_mean_nothing_are_named(shell: Shell) -> None:
    header, *lines = exported(shell, "log.csv")
    lines[0] = lines[0].replace(",0,", ",zero,")
    lines[1] = lines[1].replace("{}", "{'")
    shell.file("bad.csv", "\n".join([header, *lines]))
    said = shell.refused("log", "import", "bad.csv").splitlines()
    why = "a number, or the JSON in `data`, cannot be read"
    assert said[-3:-1] == [f"bad.csv:2: {why}", f"bad.csv:3: {why}"]


@pytest.mark.parametrize("name", ["log.jsonl", "log.csv"])
def test_an_anonymous_log_is_refused(shell: Shell, name: str) -> None:
    exported(shell, name, "--anonymous")
    assert "this log is anonymous" in shell.refused("log", "import", name, "--skip-bad")
    assert rows(shell) == []


@pytest.mark.parametrize("words", [("--deck", "mine"), ("--zone", "UTC")])
def test_what_does_not_fit_a_log_of_our_own_is_refused(
    shell: Shell, words: tuple[str, str]
) -> None:
    exported(shell)
    assert f"leave {words[0]} out" in shell.refused("log", "import", "log.jsonl", *words)


def test_a_dry_run_of_our_own_log_counts_and_writes_nothing(shell: Shell) -> None:
    first, *_ = exported(shell)
    shell.file("first.jsonl", f"{first}\n")
    shell.done("log", "import", "first.jsonl")
    before = rows(shell)
    said = shell.done("log", "import", "log.jsonl", "--dry-run")
    assert said.lines[0] == "would bring in 2 rows of 1 card, on 2026-03-02"
    assert "  1 row was here already" in said.lines
    assert rows(shell) == before


# Anki

AT = int(datetime(2026, 2, 20, 9, tzinfo=UTC).timestamp() * 1000)
DAY = 86_400_000  # milliseconds


def package(shell: Shell, made: Package, name: str = "Biology.apkg") -> str:
    (shell.folder / name).write_bytes(zipped({"collection.anki2": made.database()}))
    return name


def test_answers_of_anki_are_filed_under_the_cards_that_deck_add_makes(shell: Shell) -> None:
    made = Package()
    made.note("Basic", "One?", "1.", deck="Biology::Cells")
    made.note("Basic (and reversed card)", "two", "zwei", deck="Biology", cards=2)
    made.note("Cloze", "{{c1::a}} and {{c2::b}}", "", deck="Biology", cards=2)
    for card in range(1, 6):
        made.answer(card, ease=3, at=AT + card)
    named = package(shell, made)
    shell.done("deck", "add", named)
    said = shell.done("log", "import", named, "--zone", "UTC")
    assert said.lines == [
        "brought in 5 answers of 5 cards, on 2026-02-20",
        "  under the deck Biology",
        "`attn-study undo` takes all of it back",
    ]
    assert sorted(row["card"] for row in rows(shell)) == sorted(shell.ids("deck:Biology"))
    assert shell.ids("deck:Biology", "is:due") == shell.ids("deck:Biology")


def test_what_anki_did_not_schedule_is_drill_and_what_was_no_answer_is_left_out(
    shell: Shell,
) -> None:
    made = Package()
    made.note("Basic", "One?", "1.")
    for kind, ease in ((0, 1), (1, 2), (2, 3), (3, 4), (4, 0), (5, 3)):
        made.answer(1, ease=ease, at=AT + kind * DAY, time=70_000 - kind * 20_000, kind=kind)
    said = shell.done("log", "import", package(shell, made), "--zone", "UTC")
    assert [(row["kind"], row["grade"], row["seconds"]) for row in rows(shell)] == [
        ("review", 1, 60),
        ("review", 3, 50),
        ("review", 4, 30),
        ("drill", 5, 10),
    ]
    assert "  2 rows that Anki wrote without an answer were left out" in said.lines


def test_answers_of_cards_that_anki_dropped_are_kept_under_its_number(shell: Shell) -> None:
    made = Package()
    made.note("Basic", "One?", "1.")
    made.answer(77, ease=3, at=AT)
    said = shell.done("log", "import", package(shell, made), "--deck", "bio", "--zone", "UTC")
    assert [row["card"] for row in rows(shell)] == ["bio/anki-card-77"]
    lost = "1 answer of cards that are no longer in Anki"
    assert any(line.strip().startswith(lost) for line in said.lines)


def test_a_bare_collection_is_read_like_a_package_and_a_deck_may_be_named(shell: Shell) -> None:
    made = Package()
    made.note("Basic", "One?", "1.", deck="Biology")
    made.answer(1, ease=3, at=AT)
    (shell.folder / "collection.anki2").write_bytes(made.database())
    package(shell, made, "whole.colpkg")
    for name in ("collection.anki2", "whole.colpkg"):
        shell.done("log", "import", name, "--deck", "bio", "--zone", "UTC")
    assert [row["card"].partition("/")[0] for row in rows(shell)] == ["bio"]


def test_cards_that_went_to_anki_from_here_keep_their_ids(shell: Shell) -> None:
    shell.done("deck", "export", "mine", "-o", "mine.apkg")
    with zipfile.ZipFile(shell.folder / "mine.apkg") as archive:
        name = next(name for name in archive.namelist() if name.startswith("collection"))
        data = archive.read(name)
    with closing(sqlite3.connect(":memory:")) as conn:
        conn.deserialize(data)
        for number, (card,) in enumerate(
            conn.execute("SELECT id FROM cards ORDER BY id").fetchall()
        ):
            conn.execute(
                "INSERT INTO revlog VALUES (?, ?, 0, 3, 1, 1, 2500, 4000, 1)",
                [AT + number * DAY, card],
            )
        conn.commit()
        data = conn.serialize()
    (shell.folder / "back.apkg").write_bytes(zipped({name: data}))
    shell.done("log", "import", "back.apkg", "--deck", "other", "--zone", "UTC")
    assert sorted(row["card"] for row in rows(shell)) == ["mine/one", "mine/three", "mine/two"]


def test_what_came_with_the_deck_is_not_added_again(shell: Shell) -> None:
    made = Package()
    made.note("Basic", "One?", "1.", deck="Biology", type=2, queue=2, ivl=3, factor=2500, reps=1)
    made.answer(1, ease=3, at=AT)
    named = package(shell, made)
    shell.done("deck", "add", named, "--schedule")
    before = rows(shell)
    assert "  1 row was here already" in shell.done("log", "import", named, "--zone", "UTC").lines
    assert rows(shell) == before
