"""Whatever a person can cause ends in words: what, where, what to try; never in a traceback."""

from __future__ import annotations

import os
import re
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from attn_study.cli.acting import grade_card
from attn_study.cli.world import World
from attn_study.errors import UserError
from attn_study.memory import database
from attn_study.memory.event import Draft
from attn_study.memory.sm2 import Grade
from cli_helpers import NO_ERRORS, NO_INPUT, NO_OUTPUT, SMALL, SOURCES, Said, Shell, held

if TYPE_CHECKING:
    from attn_study.cli.study import Study

CARD = "attention/scaling"
POSIX = pytest.mark.skipif(os.name != "posix", reason="Windows has no such streams")
# Escape, C1, bidirectional controls, line separators, what is invisible.
FULL = Path("/dev/full")
RAW = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]")


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    return Shell(tmp_path)


def refused(said: Said, *parts: str) -> None:
    """Hold that a command said why it could not, on standard error alone."""
    assert (said.code, said.out) == (2, ""), said
    text = "\n".join(said.notices)
    assert all(part in text for part in parts), text
    assert "Traceback" not in said.err


@POSIX
def test_a_time_zone_beyond_a_day_is_refused_in_words(shell: Shell) -> None:
    environ = shell.environ({"ATTN_STUDY_NOW": None, "TZ": "ABC+25", "PYTHONPATH": str(SOURCES)})
    command = [sys.executable, "-m", "attn_study", "today"]
    ran = subprocess.run(command, env=environ, capture_output=True, text=True, check=False)
    refused(Said(ran.returncode, ran.stdout, ran.stderr), "time zone", "TZ")


@pytest.mark.parametrize(
    "time", ["1738-01-01T00:00:00+00:00", "9999-12-31T23:59:59-12:00", "1899-12-31T23:59:59+14:00"]
)
def test_a_time_out_of_range_is_told_from_what_is_no_time(shell: Shell, time: str) -> None:
    refused(
        shell.attn("today", ATTN_STUDY_NOW=time), repr(time), "out of range", "from 1900 to 9000"
    )
    refused(shell.attn("today", ATTN_STUDY_NOW="noon"), "not a time with its offset")


@POSIX
@pytest.mark.parametrize(
    "words", [("card", "grade", CARD, "good"), ("backup", "copy.db"), ("deck", "new", "mine")]
)
def test_a_limit_on_the_size_of_files_is_among_what_to_look_for(
    shell: Shell, words: tuple[str, ...]
) -> None:
    study(shell)
    most = 0 if words[0] == "deck" else 8192  # bytes
    limit = f"import resource; resource.setrlimit(resource.RLIMIT_FSIZE, ({most}, {most}))"
    said = shell.process(*words, before=limit)
    refused(said, "ulimit -f", "make room")


# Names that nobody has

NAMES = {
    "review atention": ("no deck is called 'atention'", "attention"),
    "review --section 7.9": ("no section is called '7.9'", "7.1 Attention"),
    "review --tag contxt": ("no tag is called 'contxt'", "context"),
    "card show attention/scalign": ("no card is called", "attention/scaling"),
    "card show scalign": ("no card is called 'scalign'", "scaling"),
    "card grade scalign good": ("no card is called 'scalign'", "scaling"),
    "card edit nosuch": ("no card is called 'nosuch'",),
    "card suspend nosuch": ("no card is called 'nosuch'",),
    "deck edit atention": ("no deck is called 'atention'", "attention"),
    "deck remove atention": ("no deck is called 'atention'", "attention"),
    "deck add atention": ("atention", "no such file"),
    "nosuch": ("nosuch",),
    "card nosuch": ("nosuch",),
    "today --nosuch": ("--nosuch",),
    "today too many words": ("too",),
    "card show": ("CARD",),
    "review --new many": ("many",),
    "review --new -1": ("-1",),
    "review --minutes 0": ("0",),
    "review --minutes nan": ("nan",),
    "--color sometimes today": ("auto, always, never",),
}


@pytest.mark.parametrize("line", NAMES)
def test_what_does_not_exist_is_refused_with_what_does(shell: Shell, line: str) -> None:
    refused(shell.attn(*line.split()), *NAMES[line])


@pytest.mark.parametrize("when", ["auto", "always", "never"])
def test_colour_comes_when_it_is_asked_for(shell: Shell, when: str) -> None:
    said = shell.done("--color", when)
    assert ("\x1b[" in said.out) == (when == "always")


# Places that cannot be used

WRITING = (
    ("review",),
    ("card", "grade", CARD, "good"),
    ("card", "add", "mine", "F", "B"),
    ("undo",),
    ("config", "new", "5"),
)


@pytest.mark.parametrize("words", [("today",), ("card", "list"), ("deck", "check"), *WRITING])
@pytest.mark.parametrize("below", ["", "/deeper/still"])
def test_a_home_that_is_a_file_is_named(shell: Shell, words: tuple[str, ...], below: str) -> None:
    path = shell.file("taken", "a file")
    said = shell.attn(*words, ATTN_STUDY_HOME=f"{path}{below}")
    refused(said, str(path))
    assert path.read_text() == "a file"


def test_a_home_of_an_unknown_user_is_refused(shell: Shell) -> None:
    refused(shell.attn("today", ATTN_STUDY_HOME="~nosuchuser/study"), "~nosuchuser")


def test_help_and_version_work_without_any_home(shell: Shell) -> None:
    path = shell.file("taken", "a file")
    for words in (("--help",), ("--version",), ("review", "--help"), ("card", "--help")):
        assert shell.attn(*words, ATTN_STUDY_HOME=str(path)).code == 0


# Databases that are none


def study(shell: Shell) -> Path:
    """A study with an answer in it."""
    shell.done("card", "grade", CARD, "good")
    return shell.home / "study.db"


def spoil(path: Path, how: str) -> None:
    data = path.read_bytes()
    if how == "another program's":
        path.unlink()
        with closing(sqlite3.connect(path)) as conn:
            conn.execute("CREATE TABLE notes (text)")
        return
    spoilt = {
        "text": b"Dear diary,\n" * 50,
        "cut in the header": data[:60],
        "cut after the header": data[:150],
        "cut in half": data[: len(data) // 2],
        "overwritten": data[:4096] + b"\xaa" * (len(data) - 4096),
    }
    path.write_bytes(spoilt[how])


@pytest.mark.parametrize("words", [("today",), ("log",), ("card", "list"), *WRITING[:4]])
@pytest.mark.parametrize(
    "how",
    [
        "text",
        "cut in the header",
        "cut after the header",
        "cut in half",
        "overwritten",
        "another program's",
    ],
)
def test_a_file_that_is_no_sound_study_is_left_as_it_is(
    shell: Shell, how: str, words: tuple[str, ...]
) -> None:
    path = study(shell)
    (shell.home / "backups").mkdir(exist_ok=True)
    (shell.home / "backups" / "old.db").write_bytes(path.read_bytes())
    spoil(path, how)
    before = path.read_bytes()
    refused(shell.attn(*words), str(path), str(shell.home / "backups"))
    assert path.read_bytes() == before


def test_an_empty_file_counts_as_new_only_where_nothing_else_is(shell: Shell) -> None:
    path = shell.file("home/study.db", "")
    assert "Nothing studied yet" in shell.done("today").out
    assert path.read_bytes() == b""
    shell.file("home/backups/old.db", "")
    for words in (("today",), ("card", "grade", CARD, "good")):
        refused(shell.attn(*words), str(path), "empty", str(shell.home / "backups"))
    assert path.read_bytes() == b""


@pytest.mark.parametrize("words", [("today",), ("log",), *WRITING[:4]])
def test_a_newer_study_is_refused_with_both_versions_and_left_alone(
    shell: Shell, words: tuple[str, ...]
) -> None:
    path = study(shell)
    with closing(sqlite3.connect(path)) as conn:
        conn.execute("UPDATE meta SET value = '7.8.9' WHERE key = 'written_by'")
        conn.execute("PRAGMA user_version = 42")
        conn.commit()
    before = path.read_bytes()
    ours = shell.done("--version").out.strip()
    refused(shell.attn(*words), str(path), "format 42", "7.8.9", ours, "update")
    assert path.read_bytes() == before
    assert not list(shell.home.glob("study.db-*"))


def test_a_writer_waits_and_then_says_that_another_one_is_at_work(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = study(shell)
    monkeypatch.setattr(database, "WAIT", 0.01)
    with held(path):
        refused(shell.attn("card", "grade", CARD, "good"), "in use by another attn-study", "again")
    assert len(shell.log()) == 1


# Disks that are full


def world(shell: Shell) -> World:
    return World(environ=shell.environ({}), quiet=True)


def fill(study: Study) -> tuple[int, UserError]:
    """Grade a card until no row fits; return how many were saved, and what was said then."""
    entry = study.card(CARD)
    for number in range(1, 2000):
        try:
            grade_card(study, entry, Grade.HESITANT)
        except UserError as error:
            return number, error
    raise AssertionError("the disk is never full")


def test_a_full_disk_saves_nothing_and_says_so(shell: Shell) -> None:
    path = study(shell)
    with world(shell).open(write=True) as opened:
        conn = opened.log.conn
        conn.execute(f"PRAGMA max_page_count = {conn.execute('PRAGMA page_count').fetchone()[0]}")
        saved, full = fill(opened)
        assert len(opened.log.history(CARD)) == saved
    assert "the disk is full; nothing was saved" in str(full)
    assert full.where == str(path)


@POSIX
@pytest.mark.parametrize("words", [("card", "grade", CARD, "good"), ("undo",)])
def test_a_limit_on_files_is_not_taken_for_a_damaged_study(
    shell: Shell, words: tuple[str, ...]
) -> None:
    path = study(shell)
    rows = len(shell.log())
    limit = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))"
    said = shell.process(*words, before=limit)
    refused(said, str(path))
    assert "damaged" not in said.err
    assert len(shell.log()) == rows


def test_a_card_answered_elsewhere_at_the_same_instant_is_not_answered_twice(
    shell: Shell,
) -> None:
    study(shell)
    elsewhere: list[str] = ["card", "grade", CARD, "easy"]

    def meanwhile(statement: str) -> None:
        if statement == "BEGIN" and elsewhere:
            words = elsewhere.copy()
            elsewhere.clear()
            shell.done(*words)

    with world(shell).open(write=True) as opened:
        opened.log.conn.set_trace_callback(meanwhile)
        with pytest.raises(UserError) as stale:
            grade_card(opened, opened.card(CARD), Grade.WRONG)
    assert CARD in str(stale.value)
    assert [row["grade"] for row in shell.log()] == [4, 5]


# Streams that are closed


@POSIX
@pytest.mark.parametrize(
    "words", [("today",), ("card", "list"), ("card", "list", "--json"), ("--help",)]
)
def test_a_reader_that_leaves_early_is_no_error(shell: Shell, words: tuple[str, ...]) -> None:
    study(shell)
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "wb") as out:
        done = subprocess.run(
            [sys.executable, "-m", "attn_study", *words],
            stdout=out,
            stderr=subprocess.PIPE,
            env=shell.environ({"PYTHONPATH": str(SOURCES), "ATTN_STUDY_NOW": None}),
            timeout=60,
            check=False,
        )
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.skipif(not FULL.exists(), reason="no device that is always full")
@pytest.mark.parametrize("words", [("today",), ("card", "list", "--json"), ("--help",)])
def test_output_that_cannot_be_written_is_said(shell: Shell, words: tuple[str, ...]) -> None:
    study(shell)
    said = shell.process(*words, before=f"os.dup2(os.open({str(FULL)!r}, os.O_WRONLY), 1)")
    refused(said, "the output cannot be written: No space left")
    assert said.notices[-1].startswith("  "), "what to try"
    assert "study.db" not in said.err, "it is not the study that is full"


@POSIX
@pytest.mark.parametrize(
    ("before", "words"),
    [
        (NO_INPUT, ("review",)),
        (NO_INPUT, ("card", "edit", CARD)),
        (NO_OUTPUT, ("today",)),
        (NO_OUTPUT, ("today", "--json")),
        (NO_OUTPUT, ("today", "--count")),
        (NO_OUTPUT, ("card", "edit", CARD)),
        (NO_ERRORS, ("today",)),
        (NO_ERRORS, ("card", "show", "nosuch")),
    ],
)
def test_a_closed_stream_is_no_reason_to_fall_over(
    shell: Shell, before: str, words: tuple[str, ...]
) -> None:
    shell.begin()
    said = shell.process(*words, before=before)
    assert "Traceback" not in said.err + said.out
    assert said.code in ({2} if "edit" in words or "nosuch" in words else {0})


@POSIX
@pytest.mark.parametrize("before", [NO_OUTPUT, NO_ERRORS])
def test_a_first_start_with_a_closed_stream_begins_all_the_same(shell: Shell, before: str) -> None:
    said = shell.process("card", "grade", CARD, "good", before=before)
    assert (said.code, "Traceback" in said.err + said.out) == (0, False)
    assert (shell.home / "study.db").exists()


@POSIX
def test_ctrl_c_leaves_what_was_answered_and_no_traceback(shell: Shell) -> None:
    running = subprocess.Popen(
        [sys.executable, "-m", "attn_study", "review", "--plain"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=shell.environ({"PYTHONPATH": str(SOURCES), "PYTHONUTF8": "1"}),
    )
    assert running.stdin
    assert running.stdout
    running.stdin.write(b"\n3\n\n")
    running.stdin.flush()
    offers = 0
    while offers < 2:
        offers += b"1 again" in running.stdout.readline()
    running.send_signal(signal.SIGINT)
    _, err = running.communicate(timeout=60)
    assert running.returncode in (0, 130), "between two cards, or while a line is awaited"
    assert b"Traceback" not in err
    assert [row["kind"] for row in shell.log()] == ["review"]


# Text that is not to be trusted

HOSTILE = {
    "colour": "\x1b[31m",
    "title": "\x1b]0;x\x07",
    "C1": "\x9b31m",
    "override": "\u202eabc",
    "isolate": "\u2066abc",
    "invisible": "a\u200bb",
    "return": "abc\rdef",
    "bell": "\x07",
}
LINES = (
    "@",
    "--@",
    "card @",
    "card show @",
    "card show @ @",
    "card list is:@",
    "card list deck:@",
    "card list @",
    "card grade attention/scaling @",
    "card adopt @ attention/scaling",
    "card add @ F B",
    "card add mine @ B",
    "card add mine F B --tag @",
    "deck add @",
    "deck check @",
    "deck remove @",
    "review @",
    "review --tag @",
    "review --section @",
    "review --new @",
    "config @",
    "config @ 5",
    "config new @",
    "config new.@ 5",
    "today @",
    "today --@",
    "--color @ today",
)


@pytest.mark.parametrize("line", LINES)
def test_what_was_typed_comes_back_harmless(shell: Shell, line: str) -> None:
    for text in HOSTILE.values():
        said = shell.attn(*(word.replace("@", text) for word in line.split()))
        assert said.code in (0, 1, 2)
        assert not RAW.search(said.out + said.err), (text, said)


@POSIX
@pytest.mark.parametrize("line", LINES)
def test_bytes_that_are_no_text_are_refused_or_shown(shell: Shell, line: str) -> None:
    said = shell.attn(*(word.replace("@", os.fsdecode(b"\xff")) for word in line.split()))
    assert said.code in (0, 1, 2)
    assert not re.search("[\ud800-\udfff]", said.out + said.err)


@POSIX
def test_a_home_whose_name_is_no_text_works_or_is_refused(shell: Shell) -> None:
    path = os.fsdecode(os.fsencode(shell.folder) + b"/\xff")
    for words in (("card", "grade", CARD, "good"), ("today",), ("today", "--json"), ("config",)):
        said = shell.process(*words, ATTN_STUDY_HOME=path)
        assert said.code in (0, 2)
        assert "Traceback" not in said.err


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_what_a_deck_holds_is_shown_harmless_everywhere(shell: Shell, text: str) -> None:
    escaped = text.encode("unicode_escape").decode()
    for number, shown in enumerate((text, escaped)):
        shell.deck(
            f'deck: d{number}\ntitle: "T{shown}"\nsections:\n  - title: "S{shown}"\n    cards:\n'
            f'      - id: fine\n        front: "F{shown}"\n        back: "B{shown}"\n'
            f'        tags: ["t{shown}"]\n'
            f'      - id: "i{shown}"\n        front: F\n        bakc{shown}: B\n        back: B\n'
            f'      - id: open\n        front: "F{shown} [\n        back: B\n',
            f"{number}.yaml",
        )
        shell.deck(f'deck: "n{shown}"\ncards: []\n', f"name{number}.yaml")
    for words in (
        ("today",),
        ("deck", "list"),
        ("deck", "check"),
        ("deck", "add", str(shell.home / "decks" / "0.yaml")),
        ("card", "list"),
        ("card", "show", "d1/fine"),
        ("review", "d1"),
        ("review", "--tag", "nosuch"),
    ):
        said = shell.attn(*words)
        assert not RAW.search(said.out + said.err), (words, said)


@POSIX
def test_what_a_file_is_called_is_shown_harmless(shell: Shell) -> None:
    name = "\x1b[31m\u202e.yaml"
    shell.deck(SMALL, name)
    shell.file(name, "deck: broken\n")
    for words in (
        ("deck", "list"),
        ("deck", "check"),
        ("card", "show", "mine/one"),
        ("deck", "add", name),
        ("card", "edit", "mine/one"),
        ("deck", "remove", "mine"),
    ):
        said = shell.attn(*words)
        assert not RAW.search(said.out + said.err), words


def test_the_words_of_a_report_are_shown_harmless(shell: Shell) -> None:
    shell.deck(SMALL)
    shell.done("card", "grade", "mine/one", "good")
    with world(shell).open(write=True) as opened:
        words = {"words": "".join(HOSTILE.values())}
        opened.log.write([Draft("mine/one", "flag", data=words)], opened.moment())
    for command in (("card", "show", "mine/one"), ("log",), ("card", "list", "is:flagged")):
        said = shell.done(*command)
        assert not RAW.search(said.out + said.err)
