"""The review on a real terminal: each key after its frame, the screen read back."""

from __future__ import annotations

import shlex
import shutil
import signal
import sys
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, Protocol

import pytest

if sys.platform == "win32":
    pytest.skip("pseudo-terminals and signals are of Unix", allow_module_level=True)

from terminal import Window

if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import AbstractContextManager
    from pathlib import Path

    from conftest import Logged, PutDeck

# pytest-xdist has a thread; the child of the fork only starts another program.
pytestmark = pytest.mark.filterwarnings("ignore:.*multi-threaded:DeprecationWarning")

NEXT_DAY = "2026-03-03T09:00:00+00:00"
OFFER = "4 easy"
PASTE = "\x1b[200~softmax\n3\n3\n\x1b[201~"
BURST = "several keys came at once and were not taken"


class Open(Protocol):
    """Opens `attn-study review` with these words; the window is closed with the block."""

    def __call__(
        self, *words: str, columns: int = 80, rows: int = 24, **changes: str
    ) -> AbstractContextManager[Window]: ...


@pytest.fixture
def review(command: list[str], environ: dict[str, str]) -> Open:
    @contextmanager
    def opened(*words: str, columns: int = 80, rows: int = 24, **changes: str) -> Iterator[Window]:
        with closing(
            Window([*command, "review", *words], environ | changes, columns, rows)
        ) as window:
            yield window

    return opened


def grade(window: Window, number: int, key: str) -> None:
    """Answer card number `number` of the deck with `key`."""
    window.see(f"Question {number}?", "space answer")
    window.press(" ")
    window.see(f"Reply {number}")
    window.press(key)
    window.lose(f"Question {number}?")


def test_a_first_day_asks_ten_new_cards_then_drills_what_was_missed(
    review: Open, put_deck: PutDeck, logged: Logged
) -> None:
    put_deck(12, typed=(3, 7))
    keys = {1: "1", 2: "2", 3: "3", 4: "4", 5: "3", 6: "3", 7: "1", 8: "3", 9: "3", 10: "4"}
    with review() as window:
        for number, key in keys.items():
            window.see(f"Question {number}?", f"{11 - number} new")
            if number in (3, 7):
                window.see("enter answer")
                window.type("word 3")
                window.press("\r")
                window.see("▸ 3 good" if number == 3 else "▸ 1 again")
            else:
                window.press(" ")
                window.see(f"Reply {number}", OFFER)
            window.press(key)
        for number in (1, 2):
            window.see(f"Question {number}?", "3 again")
            window.press(" ")
            window.see("1 not yet", "3 got it")
            assert "2 hard" not in window.text
            window.press("1" if number == 1 else "3")
        window.see("Question 7?", "2 again")
        window.type("word 7")
        window.press("\r")
        window.see("right", "▸ 3 got it")
        window.press("3")
        window.see("Question 1?", "1 again")
        window.press(" ")
        window.see("3 got it")
        window.press("3")
        window.see("Done: 10 new, 3 asked again until right", "q quit")
        window.press("q")
        assert window.end() == 0
        assert window.echoes
        window.see(
            "Done: 10 new, 3 asked again until right",
            "Missed: mine/c1, mine/c7.",
            "Tomorrow: 10 due, 2 new.",
        )
    given = logged()
    assert [row for row in given if row[1] == "review"] == [
        (f"mine/c{number}", "review", {"1": 1, "2": 3, "3": 4, "4": 5}[key])
        for number, key in keys.items()
    ]
    assert [row for row in given if row[1] == "drill"] == [
        ("mine/c1", "drill", 1),
        ("mine/c2", "drill", 4),
        ("mine/c7", "drill", 4),
        ("mine/c1", "drill", 4),
    ]


def test_the_next_day_brings_what_is_due_and_then_what_is_new(
    review: Open, put_deck: PutDeck
) -> None:
    put_deck(3)
    with review() as window:
        grade(window, 1, "3")
        window.see("Question 2?")
        window.press("q")
        assert window.end() == 0
        window.see("Done: 1 new", "Left for today: 2 new.")
    with review(ATTN_STUDY_NOW=NEXT_DAY) as window:
        window.see("Question 1?", "1 due · 2 new")
        window.press(" ")
        window.see("6 d")
        window.press("3")
        window.see("Question 2?", "2 new")


@pytest.mark.slow
def test_undo_after_the_last_card_asks_it_again(
    review: Open, put_deck: PutDeck, logged: Logged
) -> None:
    put_deck(1)
    with review() as window:
        grade(window, 1, "3")
        window.see("Done: 1 new", "u undo")
        window.press("u")
        window.see("took back: mine/c1 good", "Question 1?", "1 new")
        grade(window, 1, "4")
        window.see("Done: 1 new", "u undo")
        window.press("q")
        assert window.end() == 0
    assert logged() == [
        ("mine/c1", "review", 4),
        ("mine/c1", "undo", None),
        ("mine/c1", "review", 5),
    ]


def test_undo_reaches_behind_a_restart(review: Open, put_deck: PutDeck) -> None:
    put_deck(2)
    with review() as window:
        grade(window, 1, "3")
        window.see("Question 2?")
        window.press("q")
        assert window.end() == 0
    with review() as window:
        window.see("Question 2?", "1 new")
        window.press("u")
        window.see("took back: mine/c1 good", "Question 1?", "2 new")
        window.press("u")
        window.see("nothing to take back")


@pytest.mark.slow
@pytest.mark.parametrize("columns", [50, 30])
def test_a_card_follows_the_window_when_it_is_resized(
    review: Open, put_deck: PutDeck, columns: int
) -> None:
    put_deck(1)
    with review() as window:
        window.see("Question 1?")
        window.press(" ")
        window.see("Reply 1", "4 easy")
        window.resize(columns, 24)
        window.see("Reply 1", "4 easy")
        window.wait(lambda: "─" * columns in window.lines, "a rule as wide as the window")
        window.press("3")
        window.see("Done: 1 new")


@pytest.mark.slow
def test_no_color_leaves_no_colour_in_what_is_written(review: Open, put_deck: PutDeck) -> None:
    put_deck(1)
    assert coloured(written(review()))
    assert not coloured(written(review(NO_COLOR="1")))


def written(opened: AbstractContextManager[Window]) -> bytes:
    """All bytes of a sitting that shows one answer."""
    with opened as window:
        window.see("Question 1?")
        window.press(" ")
        window.see("Reply 1", OFFER)
        window.press("q")
        assert window.end() == 0
        return window.raw


def coloured(raw: bytes) -> bool:
    """Whether any style in `raw` sets a colour."""
    styles = [part.split(b"m")[0] for part in raw.split(b"\x1b[")[1:] if b"m" in part]
    codes = {
        code for style in styles if style.replace(b";", b"").isdigit() for code in style.split(b";")
    }
    return any(30 <= int(code) <= 49 or int(code) >= 90 for code in codes)


@pytest.mark.slow
@pytest.mark.parametrize("side", ["question", "answer"])
def test_what_comes_in_one_go_neither_shows_nor_grades(
    review: Open, put_deck: PutDeck, logged: Logged, side: str
) -> None:
    put_deck(2)
    with review() as window:
        window.see("Question 1?", "space answer")
        if side == "answer":
            window.press(" ")
            window.see("Reply 1", OFFER)
        for keys in (PASTE, "softmax\n3\n3\n", " 3", "33", "  "):
            window.press(keys)
            window.see(BURST, "Question 1?")
            assert (OFFER in window.text) == (side == "answer"), keys
            window.press("x")
            window.lose(BURST)
        window.press("q")
        assert window.end() == 0
    assert logged() == []


@pytest.mark.slow
def test_a_paste_into_a_typed_answer_does_not_send_it(
    review: Open, put_deck: PutDeck, logged: Logged
) -> None:
    put_deck(1, typed=(1,))
    with review() as window:
        window.see("Question 1?", "enter answer")
        window.press(PASTE)
        window.see(" > softmax 3 3")
        assert "enter answer" in window.text
        window.press("\x15")
        window.lose("softmax")
        window.press("softmax\n3\n3\n")
        window.see(" > softmax 3 3")
        assert "enter answer" in window.text
    assert logged() == []


@pytest.mark.slow
def test_what_was_typed_before_the_first_frame_answers_nothing(
    review: Open, put_deck: PutDeck, logged: Logged
) -> None:
    put_deck(2)
    with review() as window:
        window.send(" ")
        window.send("3")
        window.see("Question 1?", "space answer")
        window.press("?")
        window.see("The grades")
        window.press("q")
        window.see("Question 1?", "space answer")
        window.press("q")
        assert window.end() == 0
    assert logged() == []


@pytest.mark.slow
def test_a_grade_before_the_answer_is_refused_with_a_word(
    review: Open, put_deck: PutDeck, logged: Logged
) -> None:
    put_deck(1)
    with review() as window:
        window.see("Question 1?")
        window.press("3")
        window.see("the answer first: space shows it, then the grade", "Question 1?")
        window.press("x")
        window.lose("the answer first")
        window.press("q")
        assert window.end() == 0
    assert logged() == []


def test_space_and_enter_never_grade(review: Open, put_deck: PutDeck, logged: Logged) -> None:
    put_deck(1)
    with review() as window:
        window.see("Question 1?")
        window.press("\r")
        for key in (" ", "\r"):
            window.see("Reply 1")
            window.press(key)
            window.see("only these grade: 1 again 2 hard 3 good 4 easy")
            window.press("x")
            window.lose("only these grade")
        window.press("q")
        assert window.end() == 0
    assert logged() == []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("key", "side"),
    [("q", "answer"), ("\x03", "question"), ("\x03", "answer"), ("\x04", "question")],
    ids=["q at the answer", "Ctrl-C at the question", "Ctrl-C at the answer", "Ctrl-D"],
)
def test_leaving_keeps_what_was_answered_and_leaves_the_card_alone(
    review: Open, put_deck: PutDeck, logged: Logged, key: str, side: str
) -> None:
    put_deck(2)
    with review() as window:
        grade(window, 1, "3")
        window.see("Question 2?")
        if side == "answer":
            window.press(" ")
            window.see("Reply 2")
        window.press(key)
        assert window.end() == 0
        assert window.echoes
        window.see("Done: 1 new", "Left for today: 1 new.")
        assert "Traceback" not in window.text
    assert logged() == [("mine/c1", "review", 4)]


@pytest.mark.slow
@pytest.mark.parametrize("key", ["\x03", "\x04"], ids=["Ctrl-C", "Ctrl-D"])
def test_leaving_works_while_an_answer_is_typed(
    review: Open, put_deck: PutDeck, logged: Logged, key: str
) -> None:
    put_deck(1, typed=(1,))
    with review() as window:
        window.see("Question 1?", "enter answer")
        window.type("wo")
        window.press(key)
        assert window.end() == 0
        window.see("Nothing answered.", "Left for today: 1 new.")
    assert logged() == []


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT])
def test_a_signal_to_end_ends_in_order(
    review: Open, put_deck: PutDeck, logged: Logged, number: signal.Signals
) -> None:
    put_deck(2)
    with review() as window:
        grade(window, 1, "3")
        window.see("Question 2?")
        window.signal(number)
        assert window.end() == 0
        assert window.echoes
        window.see("Done: 1 new")
    assert logged() == [("mine/c1", "review", 4)]


def test_a_window_that_is_closed_loses_nothing(
    review: Open, put_deck: PutDeck, logged: Logged
) -> None:
    put_deck(2)
    with review() as window:
        grade(window, 1, "3")
        window.see("Question 2?")
        window.hang_up()
    assert logged() == [("mine/c1", "review", 4)]


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("bash"), reason="needs a shell with job control")
def test_ctrl_z_gives_the_shell_back_and_fg_shows_the_card_again(
    command: list[str], environ: dict[str, str], put_deck: PutDeck, logged: Logged
) -> None:
    put_deck(1)
    shell = ["bash", "--norc", "--noprofile", "-i"]
    with closing(Window(shell, environ | {"PS1": "ready> "})) as window:
        window.see("ready>")
        window.send(f"{shlex.join([*command, 'review'])}\n")
        window.see("Question 1?", "space answer")
        window.press(" ")
        window.see("Reply 1", OFFER)
        window.press("\x1a")
        window.see("Stopped", "ready>")
        window.send("fg\n")
        window.see("Question 1?", "Reply 1", OFFER)
        window.press("q")
        window.see("Nothing answered.", "ready>")
        window.send("exit\n")
        window.end()
    assert logged() == []


@pytest.mark.slow
def test_the_keys_under_more_do_what_they_say_and_come_back(
    review: Open, put_deck: PutDeck, logged: Logged
) -> None:
    put_deck(4)
    with review() as window:
        window.see("Question 1?")
        window.press("?")
        window.see("The grades", "any key back")
        window.press("x")
        window.see("Question 1?", "space answer")
        window.press("f")
        window.see("What is wrong with this card?")
        window.type("too long")
        window.press("\r")
        window.see("noted;", "Question 1?")
        window.press("i")
        window.see("mine/c1", "new, never answered", "flag", "any key back")
        window.press("x")
        window.see("Question 1?", "space answer")
        window.press("b")
        window.see("mine/c1 rests until tomorrow", "Question 2?")
        window.press("s")
        window.see("mine/c2 is suspended", "Question 3?")
        window.press("u")
        window.see("took back: mine/c2 suspend", "Question 2?")
        window.press("q")
        assert window.end() == 0
    assert logged() == [
        ("mine/c1", "flag", None),
        ("mine/c1", "bury", None),
        ("mine/c2", "suspend", None),
        ("mine/c2", "undo", None),
    ]


@pytest.mark.slow
def test_escape_leaves_a_report_unmade(review: Open, put_deck: PutDeck, logged: Logged) -> None:
    put_deck(1)
    with review() as window:
        window.see("Question 1?")
        window.press("f")
        window.see("What is wrong with this card?")
        window.type("no")
        window.press("\x1b")
        window.see("Question 1?", "space answer")
        window.press("q")
        assert window.end() == 0
    assert logged() == []


@pytest.mark.slow
def test_a_typed_card_has_the_other_keys_behind_escape(
    review: Open, put_deck: PutDeck, logged: Logged
) -> None:
    put_deck(2, typed=(1,))
    with review() as window:
        window.see("Question 1?", "enter answer")
        window.type("q3")
        window.press("\x1b")
        window.see("Question 1?", "space answer")
        window.press(" ")
        window.see("enter answer")
        window.press("\x1b")
        window.see("space answer")
        window.press("b")
        window.see("Question 2?")
    assert logged() == [("mine/c1", "bury", None)]


def editor(folder: Path, old: str, new: str) -> str:
    """An editor that changes one text in the file it is given."""
    script = folder / "editor.py"
    script.write_text(
        "import pathlib, sys\n"
        "path = pathlib.Path(sys.argv[-1])\n"
        "text = path.read_text(encoding='utf-8')\n"
        f"assert {old!r} in text\n"
        f"path.write_text(text.replace({old!r}, {new!r}), encoding='utf-8')\n",
        encoding="utf-8",
    )
    return shlex.join([sys.executable, str(script)])


def test_e_edits_the_card_and_asks_it_as_it_is_now(
    review: Open, put_deck: PutDeck, tmp_path: Path
) -> None:
    path = put_deck(2)
    with review(EDITOR=editor(tmp_path, "Question 1?", "Riddle 1?")) as window:
        window.see("Question 1?")
        window.press(" ")
        window.see("Reply 1")
        window.press("e")
        window.see("changed", "Riddle 1?", "space answer")
        window.press(" ")
        window.see("Riddle 1?", "Reply 1", OFFER)
        window.press("3")
        window.see("Question 2?")
    assert "Riddle 1?" in path.read_text(encoding="utf-8")


@pytest.mark.slow
def test_e_on_a_deck_of_the_program_asks_before_it_edits_a_copy(
    review: Open, home: Path, tmp_path: Path
) -> None:
    copy = home / "decks" / "attention.yaml"
    with review(EDITOR=editor(tmp_path, "static embedding?", "fixed embedding?")) as window:
        window.see("space answer")
        shown = window.text
        assert "static embedding?" in shown
        window.press("e")
        window.see("Make a copy of your own to edit?", "y yes", "n no")
        window.press("n")
        window.see("static embedding?", "space answer")
        assert not copy.exists()
        window.press("e")
        window.see("y yes")
        window.press("y")
        window.see("changed", "fixed embedding?", "space answer")
    assert "fixed embedding?" in copy.read_text(encoding="utf-8")


@pytest.mark.slow
def test_an_editor_that_cannot_be_started_leaves_the_card_where_it_was(
    review: Open, put_deck: PutDeck
) -> None:
    put_deck(1)
    with review(EDITOR="no-such-editor") as window:
        window.see("Question 1?")
        window.press("e")
        window.see("no-such-editor", "cannot be started", "Question 1?", "space answer")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("columns", "rows", "changes", "words"),
    [
        (80, 24, {"TERM": "dumb"}, ()),
        (80, 24, {}, ("--plain",)),
        (15, 24, {}, ()),
        (80, 4, {}, ()),
    ],
    ids=["TERM=dumb", "--plain", "too narrow", "too low"],
)
def test_a_terminal_that_cannot_draw_is_asked_line_by_line(
    review: Open,
    put_deck: PutDeck,
    columns: int,
    rows: int,
    changes: dict[str, str],
    words: tuple[str, ...],
) -> None:
    put_deck(2)
    with review(*words, columns=columns, rows=rows, **changes) as window:
        window.wait(lambda: b"Empty line:" in window.raw, "the question")
        window.send("\n")
        window.wait(lambda: b"Reply 1" in window.raw, "the answer")
        window.send("3\n")
        window.wait(lambda: b"Question 2?" in window.raw, "the next question")
        window.send("\x04")
        assert window.end() == 0
        assert b"Done: 1 new" in window.raw
        assert b"\x1b" not in window.raw


@pytest.mark.slow
def test_ctrl_c_line_by_line_ends_with_the_summary(
    review: Open, put_deck: PutDeck, logged: Logged
) -> None:
    put_deck(2)
    with review("--plain") as window:
        window.see("Empty line: answer.")
        window.send("\n")
        window.see("4 easy")
        window.send("3\n")
        window.see("Question 2?")
        window.send("\x03")
        window.end()
        assert "Done: 1 new" in window.text
        assert "Traceback" not in window.text
    assert logged() == [("mine/c1", "review", 4)]


def test_the_frame_is_drawn_at_eighty_by_twenty_four_as_promised(
    review: Open, put_deck: PutDeck
) -> None:
    put_deck(1)
    with review() as window:
        window.see("Question 1?")
        window.press(" ")
        window.see("q quit", "Reply 1")
        rule = "─" * 80
        assert window.lines == [
            " mine › c1" + " " * 64 + "1 new",
            rule,
            "",
            "   Question 1?",
            "",
            " ── answer " + "─" * 69,
            "",
            "   Reply 1",
            *[""] * 8,
            rule,
            "   1 again          2 hard           3 good           4 easy",
            "   1 d              1 d              1 d              1 d",
            "   and again today  and again today                   faster later",
            "",
            " The first step is one day whatever you answer. Your grade decides whether the",
            " card returns today and how fast it grows later. ? explains; u takes it back.",
            " u undo   e edit   ? more   q quit",
        ]


@pytest.mark.slow
@pytest.mark.parametrize(("columns", "rows"), [(40, 8), (20, 12)])
@pytest.mark.parametrize("front", ["Question 1?", "Question 1? " + "and so on " * 40])
def test_in_the_smallest_window_the_answer_and_the_grades_are_in_sight(
    review: Open, put_deck: PutDeck, logged: Logged, columns: int, rows: int, front: str
) -> None:
    path = put_deck(2, typed=(2,))
    path.write_text(path.read_text(encoding="utf-8").replace("Question 1?", front), "utf-8")
    with review(columns=columns, rows=rows) as window:
        window.see("Question 1?", "space answer", "q quit")
        window.press(" ")
        window.see("answer ──", "Reply 1", "1 again", "2 hard", "3 good", "4 easy", "q quit")
        window.press(" ")
        window.see("only these grade", "Reply 1", "1 again", "4 easy", "q quit")
        window.press("3")
        window.see("Question 2?", " >", "enter answer")
        window.type("word 2")
        window.press("\r")
        window.see("right ──", "you    word 2", "▸3 good", "4 easy")
        window.press("3")
        window.see("Done: 2 new")
    assert logged() == [("mine/c1", "review", 4), ("mine/c2", "review", 4)]


@pytest.mark.slow
def test_a_report_is_typed_under_its_card_in_the_smallest_window(
    review: Open, put_deck: PutDeck, logged: Logged
) -> None:
    put_deck(1)
    with review(columns=40, rows=8) as window:
        window.see("Question 1?")
        window.press("f")
        window.see("Question 1?", "What is wrong", " >")
        window.type("too long")
        window.press("\r")
        window.see("noted", "Question 1?", "space answer")
    assert logged() == [("mine/c1", "flag", None)]


@pytest.mark.slow
@pytest.mark.parametrize(("columns", "rows"), [(40, 7), (39, 8), (20, 11), (20, 5)])
def test_a_window_too_small_says_so_and_no_key_answers_until_there_is_room(
    review: Open, put_deck: PutDeck, logged: Logged, columns: int, rows: int
) -> None:
    put_deck(1)
    with review(columns=columns, rows=rows) as window:
        window.see("too", "small", "40×8", "20×12", "Ctrl-C")
        assert "Question 1?" not in window.text
        window.press(" ")
        window.press("3")
        window.resize(40, 12)
        window.see("Question 1?", "space answer")
        window.press(" ")
        window.see("Reply 1")
        window.resize(columns, rows)
        window.see("too", "small")
        window.press("3")
        window.resize(40, 12)
        window.see("Reply 1", "4 easy")
        window.resize(columns, rows)
        window.see("too", "small")
        window.press("\x03")
        assert window.end() == 0
    assert logged() == []
