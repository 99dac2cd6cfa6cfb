"""The explorer on a real terminal: keys and mouse, and the terminal left as it was."""

from __future__ import annotations

import re
import shlex
import signal
import sys
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

import pytest

if sys.platform == "win32":
    pytest.skip("pseudo-terminals and signals are of Unix", allow_module_level=True)

from terminal import Window

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager
    from pathlib import Path

    Open = Callable[..., AbstractContextManager[Window]]

# pytest-xdist has a thread; the child of the fork only starts another program.
pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore:.*multi-threaded:DeprecationWarning"),
]

MOUSE_OFF = b"\x1b[?1000l"
SCREEN_BACK = b"\x1b[?1049l"
COLOUR = re.compile(rb"\x1b\[[0-9;]*(?:3[0-8]|4[0-8]|9[0-7])[;m]")
CARDS = """\
deck: mine
cards:
  - id: one
    front: Who asks?
    back: The query.
    demo: head
    with: {temperature: 0.5}
"""


@pytest.fixture
def attn(command: list[str], environ: dict[str, str]) -> Open:
    @contextmanager
    def opened(*words: str, columns: int = 80, rows: int = 24, **changes: str) -> Iterator[Window]:
        with closing(Window([*command, *words], environ | changes, columns, rows)) as window:
            yield window

    return opened


def click(window: Window, words: str) -> None:
    """Click on the first letter of words on the screen."""
    row = next(at for at, line in enumerate(window.lines) if words in line)
    column = window.lines[row].index(words)
    place = f"{column + 1};{row + 1}"
    window.send(f"\x1b[<0;{place}M\x1b[<0;{place}m")


def assert_left_clean(window: Window, code: int = 0) -> None:
    assert window.end() == code
    assert window.echoes
    assert window.raw.rindex(SCREEN_BACK) > window.raw.rindex(b"\x1b[?1049h")
    assert window.raw.rindex(MOUSE_OFF) > window.raw.rindex(b"\x1b[?1000h")


def test_it_is_played_with_by_keys_and_mouse_and_left_clean(attn: Open) -> None:
    with attn("demo", "head", "--explore") as window:
        window.see("▸it", "“it” asks, these answer", "q quit")
        window.send("\x1b[D")
        window.see("“chicken” asks", "0.9717")
        click(window, "The ▸chicken")
        window.see("▸The", "“The” asks")
        window.send("k")
        window.see("✗ no-mask", "✓ weight")
        click(window, "n number")
        window.see("x [3×4]", "next input")
        window.send("7")
        window.see("enter set")
        window.send("\r")
        window.see("edited", "x.1.1=7")
        window.send("u")
        window.see("took back: x.1.1=7")
        window.send("q")
        assert_left_clean(window)


def test_what_was_copied_is_given_to_the_terminal_and_printed_on_leaving(attn: Open) -> None:
    with attn("demo", "head", "--set", "x.3.1=2", "--query", "1", "--explore") as window:
        window.see("q quit")
        window.send("c")
        window.see("✓ copied")
        window.send("q")
        assert window.end() == 0
        assert b"\x1b]52;c;" in window.raw
        after = window.raw[window.raw.rindex(SCREEN_BACK) :]
        assert b"attn-study demo head --set x.3.1=2 --query The --explore\r\n" in after


@pytest.mark.parametrize("key", ["\x03", "\x04", "\x1b"])
def test_every_way_out_leaves_the_terminal_clean(attn: Open, key: str) -> None:
    with attn("demo", "multihead", "--explore") as window:
        window.see("q quit")
        window.send(key)
        assert_left_clean(window)


def test_being_ended_from_outside_leaves_the_terminal_clean(attn: Open) -> None:
    with attn("demo", "head", "--explore") as window:
        window.see("q quit")
        window.signal(signal.SIGTERM)
        assert_left_clean(window)


def test_a_window_that_changes_is_laid_out_anew(attn: Open) -> None:
    with attn("demo", "head", "--explore") as window:
        window.see("q quit")
        window.resize(40, 12)
        window.see("weight × v", "? help")
        window.resize(30, 8)
        window.see("too small")
        window.resize(100, 30)
        window.see("answers →", "these answer", "q quit")
        window.send("q")
        assert_left_clean(window)


@pytest.mark.parametrize(
    ("words", "changes"), [((), {"NO_COLOR": "1"}), (("--color", "never"), {})], ids=str
)
def test_without_colour_the_signs_carry_it(
    attn: Open, words: tuple[str, ...], changes: dict[str, str]
) -> None:
    with attn(*words, "demo", "head", "--explore", **changes) as window:
        window.see("▸it", "▾chicken", "0.6200", "q quit")
        assert not COLOUR.findall(window.raw)
        window.send("q")
        assert window.end() == 0


def test_colours_are_there_where_they_are_wanted(attn: Open) -> None:
    with attn("demo", "head", "--explore") as window:
        window.see("q quit")
        assert COLOUR.findall(window.raw)


@pytest.mark.parametrize(
    ("size", "says"),
    [
        ((39, 24), "the window is 39×24, too small for the explorer: 40×12 would do"),
        ((80, 11), "the window is 80×11, too small for the explorer: 40×12 would do"),
    ],
)
def test_a_window_too_small_is_one_clear_message(
    attn: Open, size: tuple[int, int], says: str
) -> None:
    columns, rows = size
    with attn("demo", "head", "--explore", columns=columns, rows=rows) as window:
        assert window.end() == 2
        assert says in " ".join(window.text.split())
        assert b"Traceback" not in window.raw


def test_x_in_a_review_explores_the_demo_of_the_card_and_comes_back(attn: Open, home: Path) -> None:
    (home / "decks").mkdir(parents=True, exist_ok=True)
    (home / "decks" / "mine.yaml").write_text(CARDS, encoding="utf-8")
    with attn("review", "mine") as window:
        window.see("Who asks?", "space answer")
        window.press("x")
        window.see("enter answer")  # a number is asked for first
        window.send("\x1b")
        window.see("Who asks?", "space answer")
        window.press(" ")
        window.see("The query.", "3 good")
        window.press("x")
        window.see("these answer", "q quit")
        window.send("c")
        window.see("--temperature 0.5", "✓ copied")
        window.send("q")
        window.see("The query.", "copied: attn-study demo head --temperature 0.5")
        window.press("3")
        window.lose("The query.")
        window.see("q quit")
        window.press("q")
        assert window.end() == 0
        assert window.echoes


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT])
def test_what_ends_the_program_ends_the_review_behind_the_explorer_too(
    attn: Open, home: Path, number: int
) -> None:
    with _explored_from_a_review(attn, home) as window:
        window.signal(number)
        assert window.end() == 0
        assert window.echoes


def test_an_interrupt_leads_back_to_the_card(attn: Open, home: Path) -> None:
    with _explored_from_a_review(attn, home) as window:
        window.signal(signal.SIGINT)
        window.see("The query.", "3 good")
        window.press("q")
        assert window.end() == 0


@contextmanager
def _explored_from_a_review(attn: Open, home: Path) -> Iterator[Window]:
    (home / "decks").mkdir(parents=True, exist_ok=True)
    (home / "decks" / "mine.yaml").write_text(CARDS, encoding="utf-8")
    with attn("review", "mine") as window:
        window.see("Who asks?", "space answer")
        window.press(" ")
        window.see("The query.", "3 good")
        window.press("x")
        window.see("these answer", "q quit")
        yield window


def test_what_was_ignored_stays_ignored(attn: Open) -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)  # as nohup does; a child inherits it
    try:
        with attn("demo", "head", "--explore") as window:
            window.see("q quit")
            window.signal(signal.SIGHUP)
            window.send("k")
            window.see("✗ no-mask")
            window.send("q")
            assert_left_clean(window)
    finally:
        signal.signal(signal.SIGHUP, before)


def test_a_burst_of_keys_is_taken_whole_and_drawn_in_a_few_frames(attn: Open) -> None:
    with attn("demo", "head", "--explore") as window:
        window.see("q quit")
        before = len(window.raw)
        window.send("\x1b[D\x1b[C" * 150 + "k")
        window.see("✗ no-mask")
        assert len(window.raw) - before < 100_000
        window.send("]" * 300 + "\x03")
        assert_left_clean(window)


def test_a_paste_is_text_and_no_keys(attn: Open) -> None:
    with attn("demo", "head", "--explore") as window:
        window.see("q quit")
        window.send("\x1b[200~\x1b[31mq \x1bq\x1b[C\x1b[201~k")
        window.see("✗ no-mask", "q quit")
        window.send("q")
        assert_left_clean(window)


def test_a_window_made_too_small_is_left_by_q_whatever_was_typed(attn: Open) -> None:
    with attn("demo", "head", "--explore") as window:
        window.see("q quit")
        window.send("p")
        window.see("enter answer")
        window.resize(30, 8)
        window.see("too small")
        window.send("q")
        assert_left_clean(window)


def test_ctrl_z_gives_the_shell_back_and_fg_draws_the_explorer_again(
    command: list[str], environ: dict[str, str]
) -> None:
    shell = ["bash", "--norc", "--noprofile", "-i"]
    with closing(Window(shell, environ | {"PS1": "ready> "})) as window:
        window.see("ready>")
        window.send(f"{shlex.join([*command, 'demo', 'head', '--explore'])}\n")
        window.see("these answer", "q quit")
        window.send("\x1a")
        window.see("Stopped", "ready>")
        window.send("clear\n")
        window.lose("these answer")
        window.send("fg\n")
        window.see("these answer", "0.6200", "q quit")
        window.send("q")
        window.see("ready>")
        window.send("exit\n")
        window.end()


@pytest.mark.parametrize(
    "sent", [b"\xff", b"\x1b[M \xf5\x30", b"\xc3\x28", b"\x1b[200~\x80\x1b[201~"], ids=repr
)
def test_bytes_that_are_no_text_end_nothing(attn: Open, sent: bytes) -> None:
    with attn("demo", "head", "--explore") as window:
        window.see("q quit")
        window.send("\x1b[D")
        window.see("“chicken” asks")
        window.send(sent + b"k")
        window.see("✗ no-mask", "“chicken” asks")
        window.send("q")
        assert_left_clean(window)
        assert b"Traceback" not in window.raw


def test_a_terminal_that_is_gone_ends_it_also_where_nobody_is_told(attn: Open) -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)  # as nohup does; a child inherits it
    try:
        with attn("demo", "head", "--explore") as window:
            window.see("q quit")
            assert window.hang_up() == 0
    finally:
        signal.signal(signal.SIGHUP, before)
