"""Damaged logs of other programs: each fault is named by its row, and takes no other row along."""

from __future__ import annotations

import os
import threading
from typing import TYPE_CHECKING

import pytest

from anki_package import Package
from cli_helpers import Shell
from test_log_import import AT, DAY, HEADER, brought, package, rows, table

if TYPE_CHECKING:
    from pathlib import Path

OPEN = "a quote opens here and is not closed"


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    made = Shell(tmp_path)
    made.only_mine()
    return made


def row(number: int) -> str:
    """One sound row of a card of its own."""
    return f"c{number},3,2026-02-20T09:00:00+00:00,4000"


def sound(*numbers: int) -> list[str]:
    return [f"mine/c{number}" for number in numbers]


def cards(found: list[dict[str, object]]) -> list[object]:
    return [one["card"] for one in found]


def refusal(shell: Shell, name: str, *words: str) -> str:
    return shell.refused("log", "import", name, "--deck", "mine", "--zone", "UTC", *words)


# Quotes

QUOTES = {
    "never closes": '"c3,3,2026-02-20T09:00:00+00:00,4000',
    "never closes, and doubled ones follow": '"c3,3,""now"",4000',
    "opens in the last cell": 'c3,3,2026-02-20T09:00:00+00:00,"4000',
}


@pytest.mark.parametrize("name", QUOTES)
@pytest.mark.parametrize("after", [0, 1, 2000])
def test_s26_a_quote_that_never_closes_costs_its_own_line_alone(
    shell: Shell, name: str, after: int
) -> None:
    good = [*range(1, 3), *range(4, 4 + after)]
    named = table(shell, row(1), row(2), QUOTES[name], *map(row, range(4, 4 + after)))
    many = f"{len(good):,}"
    skip = f"nothing came in (--skip-bad brings in {many})"
    assert refusal(shell, named).splitlines()[-2:] == [
        f"reviews.csv:4: {OPEN}",
        f"reviews.csv: {many} rows are fine, 1 is not; {skip}",
    ]
    assert cards(brought(shell, named, "--skip-bad")) == sound(*good)


@pytest.mark.parametrize(
    "later",
    [
        '"c6","3","2026-02-20T09:00:00+00:00","4000"',  # its first quote would close the other
        'c6,3,2026-02-20T09:00:00+00:00,"4000"',
    ],
)
def test_s26_a_quote_of_a_later_row_does_not_close_it(shell: Shell, later: str) -> None:
    named = table(shell, row(1), QUOTES["never closes"], row(4), row(5), later, row(7))
    assert f"reviews.csv:3: {OPEN}" in refusal(shell, named)
    assert cards(brought(shell, named, "--skip-bad")) == sound(1, 4, 5, 6, 7)


def test_s26_two_stray_quotes_do_not_hide_the_rows_between_them(shell: Shell) -> None:
    stray = 'c6",3,2026-02-20T09:00:00+00:00,4000'
    named = table(shell, row(1), QUOTES["never closes"], row(4), row(5), stray, row(7))
    said = refusal(shell, named)
    assert f"reviews.csv:3: {OPEN}" in said
    assert "reviews.csv:6: card_id 'c6\"' cannot be a card" in said
    assert cards(brought(shell, named, "--skip-bad")) == sound(1, 4, 5, 7)


def test_s26_rows_inside_a_cell_that_nobody_reads_are_not_taken_for_its_text(shell: Shell) -> None:
    lines = [f'{row(1)},"a note', f"{row(2)},", f'{row(3)},a note"', f"{row(4)},"]
    shell.file("reviews.csv", "\n".join([f"{HEADER},note", *lines]))
    assert f"reviews.csv:2: {OPEN}" in refusal(shell, "reviews.csv")
    found = brought(shell, "reviews.csv", "--skip-bad")
    assert cards(found) == sound(2, 3, 4)


def test_s26_a_cell_that_nobody_reads_may_span_lines(shell: Shell) -> None:
    note = '"one, two,\n\n""three"", four,\n5,6,7,8,9"'
    shell.file("reviews.csv", f"note,{HEADER}\n{note},{row(1)}\nplain,{row(2)}\nbad,x\n")
    assert "reviews.csv:7: 2 cells under 5 columns" in refusal(shell, "reviews.csv")
    assert cards(brought(shell, "reviews.csv", "--skip-bad")) == sound(1, 2)


def test_s26_a_quote_inside_a_cell_and_a_cell_too_few_are_named(shell: Shell) -> None:
    named = table(shell, '"c"1,3,2026-02-20T09:00:00+00:00,1', '"c2"', row(3))
    said = refusal(shell, named)
    assert "reviews.csv:2: text follows a closing quote" in said
    assert "reviews.csv:3: 1 cell under 4 columns" in said
    assert cards(brought(shell, named, "--skip-bad")) == sound(3)


def test_s26_an_open_quote_in_a_log_of_our_own_costs_its_own_line_alone(shell: Shell) -> None:
    brought(shell, table(shell, *map(row, range(1, 30))))
    header, *lines = shell.done("log", "export", "--to", "csv").lines
    lines[4] = f'"{lines[4]}'
    shell.file("log.csv", "\n".join([header, *lines]))
    there = Shell(shell.folder)
    there.home = shell.folder / "there"
    said = there.refused("log", "import", "log.csv")
    assert f"log.csv:6: {OPEN}" in said
    assert "28 rows are fine, 1 is not" in said
    there.done("log", "import", "log.csv", "--skip-bad")
    assert len(rows(there)) == 28


def test_each_of_many_open_quotes_is_named_once(shell: Shell) -> None:
    # From where a row begins, and from inside a quote too, such a line ends inside a quote
    named = table(shell, *['c1","3'] * 1200, row(1))
    assert "1 row is fine, 1,200 are not" in refusal(shell, named)
    assert cards(brought(shell, named, "--skip-bad")) == sound(1)


# Anki


def answers(*others: tuple[object, ...]) -> Package:
    """A package of one card with two sound answers, and with others."""
    made = Package()
    made.note("Basic", "One?", "1.", deck="Biology")
    made.answer(1, ease=3, at=AT)
    made.answer(1, ease=3, at=AT + DAY)
    made.revlog += others
    return made


def revlog(at: object, card: object = 1, ease: object = 3, time: object = 1) -> tuple[object, ...]:
    """A row of Anki's log, whatever stands in it."""
    return (at, card, 0, ease, 1, 1, 2500, time, 1)


NOT_THEN = "no answer was given then"
ODD_ANSWERS = {
    "far ahead": (revlog(10**18), f"Anki's answer {10**18}: {NOT_THEN}"),
    "far back": (revlog(-(10**18)), f"Anki's answer {-(10**18)}: {NOT_THEN}"),
    "before 1970": (revlog(-1), f"Anki's answer -1: {NOT_THEN}"),
    "zero": (revlog(0), f"Anki's answer 0: {NOT_THEN}"),
    "in seconds": (revlog(AT // 1000), f"Anki's answer {AT // 1000}: {NOT_THEN}"),
    "ahead": (revlog(AT + 900 * DAY), f"Anki's answer {AT + 900 * DAY}: this is ahead of today"),
    "a word for an ease": (revlog(AT + 5, ease="x"), f"Anki's answer {AT + 5}: 'x' stands"),
    "a word for an id": (revlog("x"), "Anki's answer x: 'x' stands"),
    "no card": (revlog(AT + 5, card=None), f"Anki's answer {AT + 5}: 'None' stands"),
    "endless": (revlog(AT + 5, time=float("inf")), f"Anki's answer {AT + 5}: 'inf' stands"),
}


@pytest.mark.parametrize("name", ODD_ANSWERS)
def test_an_answer_of_anki_that_makes_no_sense_is_named_and_keeps_no_other_out(
    shell: Shell, name: str
) -> None:
    odd, why = ODD_ANSWERS[name]
    named = package(shell, answers(odd))
    said = refusal(shell, named)
    assert f"Biology.apkg: {why}" in said
    assert "2 rows are fine, 1 is not; nothing came in (--skip-bad brings in 2)" in said
    assert rows(shell) == []
    assert len(brought(shell, named, "--skip-bad")) == 2


def test_two_grades_at_one_instant_are_told_by_what_anki_calls_them(shell: Shell) -> None:
    named = package(shell, answers(revlog(AT, ease=1)))
    why = f"Anki's answer {AT}: another row gives this answer another grade"
    assert why in refusal(shell, named)


def test_a_deck_with_its_schedule_comes_in_without_the_answers_that_make_no_sense(
    shell: Shell,
) -> None:
    made = answers(revlog(AT + 5, ease="x"), revlog(10**18), revlog(0))
    said = shell.done("deck", "add", package(shell, made), "--schedule")
    assert "  1 answer that makes no sense was left out" in said.lines
    assert "2 answers with a date that cannot be were left out" in said.out
    assert len(rows(shell)) == 2


# What is no regular file


def test_a_pipe_is_refused_and_not_waited_for(shell: Shell) -> None:
    os.mkfifo(shell.folder / "pipe.csv")
    said: list[str] = []
    waiting = threading.Thread(target=lambda: said.append(refusal(shell, "pipe.csv")), daemon=True)
    waiting.start()
    waiting.join(20)
    assert said, "it waits for the pipe"
    assert "pipe.csv: this is no regular file" in said[0]
    assert "save it in a file first" in said[0]


@pytest.mark.parametrize("words", [(), ("--format", "reviews")])
def test_what_comes_through_a_pipe_is_refused_as_such(shell: Shell, words: tuple[str, ...]) -> None:
    given = f"{HEADER}\n{row(1)}\n"
    said = shell.process("log", "import", "/dev/stdin", *words, given=given)
    assert (said.code, said.out) == (2, "")
    assert "/dev/stdin: this is no regular file" in said.err


# Text


def test_bytes_that_are_not_utf_8_are_called_so(shell: Shell) -> None:
    data = f"{HEADER},note\n{row(1)},\nCAFE{row(2)},\n{row(3)},CAFE\n".encode()
    (shell.folder / "reviews.csv").write_bytes(data.replace(b"CAFE", b"caf\xe9"))
    said = refusal(shell, "reviews.csv")
    assert "reviews.csv:3: the byte 0xE9 is not UTF-8" in said
    assert "2 rows are fine, 1 is not" in said  # what nobody reads may be anything
    assert cards(brought(shell, "reviews.csv", "--skip-bad")) == sound(1, 3)


@pytest.mark.parametrize("to", ["jsonl", "csv"])
def test_bytes_that_are_not_utf_8_in_a_log_of_our_own_are_called_so(shell: Shell, to: str) -> None:
    brought(shell, table(shell, row(1), row(2)))
    data = shell.done("log", "export", "--to", to).out.encode()
    (shell.folder / "log").write_bytes(data.replace(b"mine/c2", b"mine/c\xe9"))
    said = shell.refused("log", "import", "log")
    assert f"log:{2 + (to == 'csv')}: the byte 0xE9 is not UTF-8" in said


def test_nothing_long_is_printed_whole(shell: Shell) -> None:
    long = "x" * 200_000
    cells = [f"{long},3,2026-02-20T09:00:00+00:00,1", f"a,{long},2026-02-20T09:00:00+00:00,1",
             f"a,3,{long},1", f"a,3,2026-02-20T09:00:00+00:00,{long}"]  # fmt: skip
    said = refusal(shell, table(shell, *cells))
    assert [name for name in HEADER.split(",") if f": {name} " in said] == HEADER.split(",")
    assert "cannot be a card: small letters" in said
    assert max(map(len, said.splitlines())) < 200
    brought(shell, table(shell, row(1)))
    line = shell.done("log", "export").lines[0]
    keys = ('"kind"', '"day"', '"card"', '"at"')
    changed = [line.replace(key, f'"{long}": 1, {key}') for key in keys]
    changed += [line.replace('"review"', f'"{long}"'), line.replace('"2026-02-20"', f'"{long}"')]
    shell.file("log.jsonl", "\n".join(changed))
    said = shell.refused("log", "import", "log.jsonl")
    assert max(map(len, said.splitlines())) < 300


def test_blank_lines_before_the_header_are_passed_over_and_counted(shell: Shell) -> None:
    shell.file("reviews.csv", f"\ufeff\n  \r\n\n{HEADER}\n{row(1)}\n\n{row(2)},x\n")
    assert "reviews.csv:7: 5 cells under 4 columns" in refusal(shell, "reviews.csv")
    assert cards(brought(shell, "reviews.csv", "--skip-bad")) == sound(1)


def test_columns_without_a_name_are_no_two_columns_of_one_name(shell: Shell) -> None:
    shell.file("reviews.csv", f"{HEADER},,\n{row(1)},,\n")
    assert cards(brought(shell, "reviews.csv")) == sound(1)
    shell.file("twice.csv", f"{HEADER},card_id\n{row(1)},c2\n")
    assert "twice.csv:1: two columns are called card_id" in refusal(shell, "twice.csv")


TABLE = f"{HEADER}\n{row(1)}\n"
NO_TEXT = {
    "empty": (b"", "the file is empty"),
    "blank": (b"\n \n", "the file is empty"),
    "UTF-16": (TABLE.encode("utf-16"), "this is UTF-16 text"),
    "UTF-32": (TABLE.encode("utf-32"), "this is UTF-32 text"),
    "UTF-16 without a mark": (TABLE.encode("utf-16-le"), "this is not UTF-8 text"),
}


@pytest.mark.parametrize("name", NO_TEXT)
@pytest.mark.parametrize("layout", ["", "reviews", "csv", "jsonl"])
def test_what_is_no_text_is_called_so_whatever_it_is_said_to_be(
    shell: Shell, name: str, layout: str
) -> None:
    data, why = NO_TEXT[name]
    (shell.folder / "log").write_bytes(data)
    words = ("--format", layout) if layout else ()
    said = shell.refused("log", "import", "log", "--zone", "UTC", *words)
    assert f"log: {why}" in said


# Times

ODD_TIMES = {
    "0": f"review_time is '0': {NOT_THEN}; a number counts milliseconds since 1970",
    "1771750800": f"review_time is '1771750800': {NOT_THEN}; a number counts milliseconds",
    "0001-01-01T00:00:00+14:00": f"review_time is '0001-01-01T00:00:00+14:00': {NOT_THEN}",
    "1969-12-31T23:59:59+00:00": f"review_time is '1969-12-31T23:59:59+00:00': {NOT_THEN}",
    "9999-12-31T23:59:59-12:00": "this is ahead of today",
    "9999-12-31T23:59:59+00:00": "this is ahead of today",
    "2026-02-30T09:00:00+00:00": "review_time is '2026-02-30T09:00:00+00:00', not a time",
    "2026-02-20T09:00:00+24:00": "review_time is",
    "\0": r"review_time is '\x00', not a time",
}


@pytest.mark.parametrize("time", ODD_TIMES)
@pytest.mark.parametrize("zone", ["UTC", "+14:00", "-12:00", "America/New_York"])
def test_a_time_that_cannot_be_is_named_in_every_zone(shell: Shell, time: str, zone: str) -> None:
    named = table(shell, f"one,3,{time},1", row(1))
    said = shell.refused("log", "import", named, "--zone", zone)
    calendar = "no calendar has this time"  # where the zone leads beyond the year 9999
    assert f"reviews.csv:2: {ODD_TIMES[time]}" in said or (calendar in said and "9999" in time)
    assert "1 row is fine, 1 is not" in said


def test_times_of_mixed_zones_and_of_the_hour_that_comes_twice_stay_apart(shell: Shell) -> None:
    times = ["2025-11-02T01:30:00-04:00", "2025-11-02T01:30:00-05:00", "2025-11-02T15:30:00+09:00"]
    named = table(shell, *(f"one,3,{time},1" for time in times))
    shell.done("log", "import", named, "--deck", "mine", "--zone", "America/New_York")
    # The last is the second in another zone
    assert [(one["at"], one["offset"], one["day"]) for one in rows(shell)] == [
        ("2025-11-02T05:30:00.000+00:00", -240, "2025-11-01"),
        ("2025-11-02T06:30:00.000+00:00", -300, "2025-11-01"),
    ]
