"""The review line by line: what is piped in, what comes out."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from cli_helpers import HIDDEN, Shell

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import Logged, PutDeck, Run

OFFER = (
    "1 again 1 d and again today; 2 hard 1 d and again today; 3 good 1 d; 4 easy 1 d faster later"
)


@pytest.fixture
def shell(home: Path, environ: dict[str, str]) -> Shell:
    """A shell with the home and the clock of the installed command."""
    shell = Shell(home.parent)
    shell.now = environ["ATTN_STUDY_NOW"]
    return shell


def test_an_empty_line_shows_the_answer_and_the_next_line_grades(
    run: Run, put_deck: PutDeck, logged: Logged
) -> None:
    put_deck(2)
    ran = run("review", given="\n3\n\n1\n\n3\n")
    assert ran.code == 0
    assert ran.lines == [
        "",
        "mine  (2 new)",
        "Question 1?",
        "Empty line: answer.",
        "Reply 1",
        OFFER,
        "",
        "mine  (1 new)",
        "Question 2?",
        "Empty line: answer.",
        "Reply 2",
        OFFER,
        "",
        "mine  (1 again)",
        "Question 2?",
        "Empty line: answer.",
        "Reply 2",
        "1 not yet once more; 3 got it done for today",
        "Nothing is left for now. :undo takes the last answer back; an empty line ends.",
        "Done: 2 new, 1 asked again until right, 0 s.",
        "Missed: mine/c2.",
        "Tomorrow: 2 due.",
    ]
    assert logged() == [
        ("mine/c1", "review", 4),
        ("mine/c2", "review", 1),
        ("mine/c2", "drill", 4),
    ]


def test_a_grade_is_named_by_number_or_word(
    shell: Shell, put_deck: PutDeck, logged: Logged
) -> None:
    put_deck(9)
    said = ["1", "2", "3", "4", "again", "hard", "good", "easy", "  GOOD \t"]
    assert shell.attn("review", given="".join(f"\n{line}\n" for line in said)).code == 0
    assert [grade for _, _, grade in logged()] == [1, 3, 4, 5, 1, 3, 4, 5, 4]


def test_the_drill_takes_its_own_words_and_no_other_grades(
    shell: Shell, put_deck: PutDeck, logged: Logged
) -> None:
    put_deck(1)
    ran = shell.attn("review", given="\n1\n\n2\n4\nnot yet\n\ngot it\n")
    assert ran.lines.count("a grade, please: 1 not yet, 3 got it") == 2
    assert logged() == [
        ("mine/c1", "review", 1),
        ("mine/c1", "drill", 1),
        ("mine/c1", "drill", 4),
    ]


def test_what_is_no_grade_grades_nothing_and_is_asked_again(
    shell: Shell, put_deck: PutDeck, logged: Logged
) -> None:
    put_deck(1)
    said = ["", "   ", "5", "0", "33", "q4", "yes", "３", ":nothing", "3 4"]
    ran = shell.attn("review", given="\n" + "".join(f"{line}\n" for line in said) + "4\n")
    asked = ran.lines.count("a grade, please: 1 again, 2 hard, 3 good, 4 easy")
    assert asked == len(said)
    assert logged() == [("mine/c1", "review", 5)]


def test_a_grade_before_the_answer_is_refused(
    shell: Shell, put_deck: PutDeck, logged: Logged
) -> None:
    put_deck(1)
    ran = shell.attn("review", given="3\ngood\nwhat\n")
    assert ran.code == 0
    assert ran.lines.count("The answer first: an empty line shows it, then the grade.") == 3
    assert "Reply 1" not in ran.out
    assert logged() == []


def test_on_a_typed_card_the_first_line_is_the_answer(
    shell: Shell, put_deck: PutDeck, logged: Logged
) -> None:
    says = {
        "word 1": ["right", "word 1"],
        "word 9": ["not quite: word 9", "right: word 2"],
        "3": ["not quite: 3", "right: word 3"],
        "": ["not quite: nothing typed", "right: word 4"],
        ": word": ["not quite: : word", "right: word 5"],
        ":-)": ["not quite: :-)", "right: word 6"],
    }
    put_deck(6, typed=range(1, 7))
    ran = shell.attn("review", given="".join(f"{line}\n3\n" for line in says))
    asked = [place for place, line in enumerate(ran.lines) if line == "Type the answer."]
    assert [ran.lines[place + 1 : place + 3] for place in asked] == list(says.values())
    assert [grade for _, _, grade in logged()] == [4] * 6


@pytest.mark.parametrize("typed", [(), (1,)], ids=["basic", "typed"])
def test_help_explains_and_is_no_answer(
    shell: Shell, put_deck: PutDeck, logged: Logged, typed: tuple[int, ...]
) -> None:
    put_deck(1, typed)
    ran = shell.attn("review", given=":help\n")
    assert all(command in ran.out for command in (":undo", ":flag WORDS", ":help", ":quit"))
    assert "no command :help" not in ran.out
    assert OFFER not in ran.out
    assert logged() == []


def test_an_unknown_command_is_named(shell: Shell, put_deck: PutDeck) -> None:
    put_deck(1)
    assert "no command :grade; :help lists them" in shell.attn("review", given=":grade\n").lines


def test_undo_takes_back_the_last_step_wherever_it_is_said(
    shell: Shell, put_deck: PutDeck, logged: Logged
) -> None:
    put_deck(2)
    given = "\n3\n" + ":undo\n" + "\n4\n" + "\n:undo\n" + "\n3\n" + "\n3\n" + ":undo\n" + "\n1\n"
    ran = shell.attn("review", given=given)
    assert [line for line in ran.lines if line.startswith("took back")] == [
        "took back: mine/c1 good",
        "took back: mine/c1 easy",
        "took back: mine/c2 good",
    ]
    assert [row for row in logged() if row[1] != "undo"] == [
        ("mine/c1", "review", 4),
        ("mine/c1", "review", 5),
        ("mine/c1", "review", 4),
        ("mine/c2", "review", 4),
        ("mine/c2", "review", 1),
    ]
    assert "Done: 2 new, 0 s." in ran.lines


def test_quit_ends_at_the_question_and_at_the_answer(
    shell: Shell, put_deck: PutDeck, logged: Logged
) -> None:
    put_deck(2)
    ran = shell.attn("review", given="\n3\n:quit\n\n3\n")
    assert ran.lines[-2:] == ["Done: 1 new, 0 s.", "Left for today: 1 new."]
    assert shell.attn("review", given="\n:quit\n3\n").lines[-2] == "Nothing answered."
    assert logged() == [("mine/c1", "review", 4)]


def test_flag_bury_suspend_and_history_work_on_either_side(
    shell: Shell, put_deck: PutDeck, logged: Logged
) -> None:
    put_deck(3)
    ran = shell.attn("review", given=":flag too long\n\n:history\n:bury\n\n:suspend\n:flag\n")
    assert "noted; `attn-study card list is:flagged` lists such cards" in ran.lines
    assert any(line.startswith("mine/c1 rests until tomorrow") for line in ran.lines)
    assert any(line.startswith("mine/c2 is suspended") for line in ran.lines)
    assert "2026-03-02  flag" in ran.out
    assert logged() == [
        ("mine/c1", "flag", None),
        ("mine/c1", "bury", None),
        ("mine/c2", "suspend", None),
    ]


def test_no_line_speaks_of_keys_that_only_a_drawn_screen_has(
    shell: Shell, put_deck: PutDeck
) -> None:
    put_deck(3)
    ran = shell.attn("review", given=":bury\n:suspend\n")
    assert "takes it back" in ran.out
    assert "; u takes" not in ran.out


def test_edit_without_a_terminal_says_where_the_card_is(shell: Shell, put_deck: PutDeck) -> None:
    path = put_deck(1)
    ran = shell.attn("review", given=":edit\n")
    assert ran.code == 0
    assert f"{path}:4: no terminal to edit in" in ran.out


@pytest.mark.parametrize(
    ("given", "saved"),
    [("", 0), ("\n", 0), ("\n3", 1), ("\n3\n\n", 1), ("\n3\n\n4\n", 2)],
    ids=["at the question", "at the answer", "without a line end", "later", "when all is done"],
)
def test_the_end_of_the_input_ends_the_sitting_in_order(
    shell: Shell, put_deck: PutDeck, logged: Logged, given: str, saved: int
) -> None:
    put_deck(2)
    ran = shell.attn("review", "--plain", given=given)
    assert ran.code == 0
    assert "Traceback" not in ran.err
    assert len(logged()) == saved
    assert any(line.startswith("Done" if saved else "Nothing answered") for line in ran.lines)


def test_lines_from_windows_are_lines(shell: Shell, put_deck: PutDeck, logged: Logged) -> None:
    put_deck(2, typed=(2,))
    ran = shell.attn("review", given="\r\n3\r\nword 2\r\ngood\r\n")
    assert "right" in ran.lines
    assert logged() == [("mine/c1", "review", 4), ("mine/c2", "review", 4)]


@pytest.mark.parametrize("errors", ["strict", "surrogateescape"])
def test_bytes_that_are_no_text_are_no_reason_to_fall(
    run: Run, put_deck: PutDeck, logged: Logged, errors: str
) -> None:
    put_deck(1)
    given = b"\xff\n:flag \xff\xfe\n\n3\n"
    ran = run("review", given=given, PYTHONIOENCODING=f"utf-8:{errors}")
    assert (ran.code, ran.err.count("Traceback")) == (0, 0)
    assert logged()[-1] == ("mine/c1", "review", 4)


@pytest.mark.skipif(sys.platform == "win32", reason="a shell that can close a stream")
def test_a_closed_standard_input_counts_as_its_end(
    command: list[str], environ: dict[str, str], put_deck: PutDeck
) -> None:
    put_deck(1)
    line = 'exec "$@" <&-'
    done = subprocess.run(
        ["sh", "-c", line, "sh", *command, "review", "--plain"],
        capture_output=True,
        text=True,
        encoding="utf-8",
        env=environ,
        check=False,
        timeout=60,
    )
    assert "Traceback" not in done.stderr
    assert done.returncode == 0
    assert "Nothing answered." in done.stdout


def test_a_reader_that_leaves_early_is_no_error(
    command: list[str], environ: dict[str, str], put_deck: PutDeck, logged: Logged
) -> None:
    put_deck(30)
    review = subprocess.Popen(
        [*command, "review", "--new", "30"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environ,
    )
    assert review.stdin
    assert review.stdout
    review.stdout.readline()
    review.stdout.close()
    review.stdin.write(b"\n3\n" * 30)
    review.stdin.close()
    assert review.stderr
    said = review.stderr.read().decode()
    review.stderr.close()
    assert review.wait(timeout=60) in (0, 1)
    assert "Traceback" not in said
    assert "Exception" not in said
    assert all(row[1:] == ("review", 4) for row in logged())


HARD = "W_q [d × d_k] → \\(\\sqrt{d_k}\\) café 注意 [/INST] [bold]x[/bold]"


def put_hard_card(home: Path) -> None:
    (home / "decks").mkdir(parents=True)
    (home / "settings.toml").write_text(HIDDEN, encoding="utf-8")
    text = (
        f"deck: mine\ncards:\n  - id: hard\n    front: |\n      {HARD}\n    back: {'long ' * 60}\n"
    )
    (home / "decks" / "mine.yaml").write_text(text, encoding="utf-8")


@pytest.mark.parametrize(
    ("encoding", "shown"),
    [
        ("utf-8", "W_q [d × d_k] → √dₖ café 注意 [/INST] [bold]x[/bold]"),
        ("ascii", "W_q [d x d_k] -> sqrt(d_k) caf? ???? [/INST] [bold]x[/bold]"),
        ("cp1252", "W_q [d × d_k] -> sqrt(d_k) café ???? [/INST] [bold]x[/bold]"),
    ],
)
def test_every_encoding_shows_all_of_the_card(
    run: Run, home: Path, encoding: str, shown: str
) -> None:
    put_hard_card(home)
    ran = run("review", given="\n3\n", PYTHONIOENCODING=encoding, PYTHONUTF8="0")
    assert ran.code == 0, ran.err
    assert ran.lines[2] == shown


def test_a_pipe_gets_whole_lines_and_no_escape_sequences(shell: Shell, home: Path) -> None:
    put_hard_card(home)
    ran = shell.attn("review", given="\n:history\n3\n", COLUMNS="20")
    assert ("long " * 60).strip() in ran.lines
    assert "\x1b" not in ran.out
    assert "\x1b" not in ran.err
    assert "…" not in ran.out


def test_nothing_due_is_said_without_asking(shell: Shell, put_deck: PutDeck) -> None:
    put_deck(1)
    shell.attn("review", given="\n3\n")
    ran = shell.attn("review", given="\n3\n")
    assert ran.lines == ["Done for today. Tomorrow: 1 due."]
    assert ran.code == 0


def test_the_frozen_clock_is_said_and_the_real_home_is_not_written(
    run: Run, command: list[str], environ: dict[str, str]
) -> None:
    assert "ATTN_STUDY_NOW" in run("review").err
    bare = {name: value for name, value in environ.items() if name != "ATTN_STUDY_HOME"}
    away = dict(bare, HOME=os.devnull, APPDATA=os.devnull, LOCALAPPDATA=os.devnull)
    done = subprocess.run(
        [*command, "review"], input=b"", capture_output=True, env=away, check=False, timeout=60
    )
    assert done.returncode == 2
    assert b"ATTN_STUDY_HOME" in done.stderr
