"""The keyboard on a real pseudo-terminal: its modes, its waits, its signals."""

from __future__ import annotations

import os
import signal
import sys
from typing import TYPE_CHECKING

import pytest

from attn_study.screen.keys import EOF, PASTE_END, PASTE_START, Press

if sys.platform == "win32":
    pytest.skip("pseudo-terminals and termios are of Unix", allow_module_level=True)

import pty
import termios

from attn_study.screen.keyboard import Keyboard

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


@pytest.fixture
def ends() -> Iterator[tuple[int, int]]:
    """Where the learner types, and the terminal's end that the program reads."""
    learner, terminal = pty.openpty()
    yield learner, terminal
    for end in (learner, terminal):
        os.close(end)


def test_keys_arrive_at_once_unechoed_and_enter_as_a_key(ends: tuple[int, int]) -> None:
    learner, terminal = ends
    with Keyboard(terminal) as keyboard:
        for data, key in [
            (b"1", "1"),
            (b"\r", "enter"),
            (b"\x03", "ctrl-c"),
            (b"\x13", "ctrl-s"),
            (b"\x1a", "ctrl-z"),
            (b"\x04", "ctrl-d"),
            (b"\x16", "ctrl-v"),
            (b"\x1b[A", "up"),
        ]:
            os.write(learner, data)
            assert keyboard.read(timeout=10) == Press(key)
        os.set_blocking(learner, False)
        with pytest.raises(BlockingIOError):
            os.read(learner, 1)


class SlipError(Exception):
    pass


@pytest.mark.parametrize("error", [None, SlipError, KeyboardInterrupt, SystemExit])
def test_the_terminal_is_as_before_whatever_happened(
    ends: tuple[int, int], error: type[BaseException] | None
) -> None:
    _, terminal = ends
    before = termios.tcgetattr(terminal)
    handlers = [signal.getsignal(number) for number in signal.valid_signals()]
    try:
        with Keyboard(terminal):
            assert termios.tcgetattr(terminal) != before
            if error:
                raise error
    except (SlipError, KeyboardInterrupt, SystemExit):
        pass
    assert termios.tcgetattr(terminal) == before
    assert [signal.getsignal(number) for number in signal.valid_signals()] == handlers


def test_what_is_left_of_a_paste_is_no_command_for_the_shell(ends: tuple[int, int]) -> None:
    learner, terminal = ends
    with Keyboard(terminal):
        os.write(learner, b"rm notes\r")
    os.write(learner, b"ls\n")
    assert os.read(terminal, 100) == b"ls\n"


def test_a_lone_escape_is_a_key_and_a_short_wait_does_not_end_it(ends: tuple[int, int]) -> None:
    learner, terminal = ends
    with Keyboard(terminal) as keyboard:
        os.write(learner, b"\x1b")
        assert keyboard.read(timeout=0) is None
        assert keyboard.read(timeout=10) == Press("escape")
        os.write(learner, b"\x1b")
        assert keyboard.read(timeout=0) is None
        os.write(learner, b"[B")
        assert keyboard.read(timeout=10) == Press("down")


def test_without_a_key_a_timed_read_returns_nothing(ends: tuple[int, int]) -> None:
    with Keyboard(ends[1]) as keyboard:
        assert keyboard.read(timeout=0.01) is None


def test_keys_typed_ahead_are_dropped(ends: tuple[int, int]) -> None:
    learner, terminal = ends
    with Keyboard(terminal) as keyboard:
        os.write(learner, b"x\x1b[200~y\x1b[201~")
        assert keyboard.read(timeout=10) == Press("burst", "x")
        os.write(learner, b"3\r3\r\x1b[")
        keyboard.drop()
        os.write(learner, b"1")
        assert keyboard.read(timeout=10) == Press("1")


def test_a_paste_without_brackets_is_one_burst_to_its_last_piece() -> None:
    out, into = os.pipe()
    text = "x" * 4096 + "3"  # one byte more than a read takes
    os.write(into, text.encode())
    with Keyboard(out) as keyboard:
        assert keyboard.read(timeout=10) == Press("burst", text)
    os.close(out)
    os.close(into)


@pytest.mark.parametrize("key", ["ctrl-c", "ctrl-z"])
def test_leaving_is_heard_even_when_typed_ahead(ends: tuple[int, int], key: str) -> None:
    learner, terminal = ends
    with Keyboard(terminal) as keyboard:
        os.write(learner, b"\x03" if key == "ctrl-c" else b"\x1a")
        keyboard.drop()
        assert keyboard.read(timeout=10) == Press(key)


def test_the_rest_of_a_paste_that_was_dropped_answers_nothing(ends: tuple[int, int]) -> None:
    learner, terminal = ends
    with Keyboard(terminal) as keyboard:
        os.write(learner, PASTE_START + b"softmax\r3\r")
        keyboard.drop()
        os.write(learner, b"3\r" + PASTE_END)
        press = keyboard.read(timeout=10)
        assert press is not None
        assert press.key == "paste"
        os.write(learner, b"2")
        assert keyboard.read(timeout=10) == Press("2")


@pytest.mark.parametrize(
    ("number", "press"),
    [
        (signal.SIGWINCH, Press("resize")),
        (signal.SIGINT, Press("ctrl-c")),
        (signal.SIGTSTP, Press("ctrl-z")),
        (signal.SIGCONT, Press("resume")),
        (signal.SIGTERM, EOF),
        (signal.SIGHUP, EOF),
        (signal.SIGQUIT, EOF),
    ],
)
def test_a_signal_is_a_press(ends: tuple[int, int], number: signal.Signals, press: Press) -> None:
    with Keyboard(ends[1]) as keyboard:
        os.kill(os.getpid(), number)
        assert keyboard.read(timeout=10) == press


def test_a_signal_is_heard_though_no_handler_in_python_has_run(ends: tuple[int, int]) -> None:
    with Keyboard(ends[1]) as keyboard:
        ours = signal.signal(signal.SIGWINCH, lambda *_: None)  # as late as it can be
        try:
            os.kill(os.getpid(), signal.SIGWINCH)
            assert keyboard.read(timeout=10) == Press("resize")
        finally:
            signal.signal(signal.SIGWINCH, ours)


def test_a_signal_that_is_another_s_is_no_press(ends: tuple[int, int]) -> None:
    before = signal.signal(signal.SIGUSR1, lambda *_: None)
    try:
        with Keyboard(ends[1]) as keyboard:
            os.kill(os.getpid(), signal.SIGUSR1)
            os.kill(os.getpid(), signal.SIGWINCH)
            assert keyboard.read(timeout=10) == Press("resize")
            assert keyboard.read(timeout=0.0) is None
    finally:
        signal.signal(signal.SIGUSR1, before)


def test_who_was_woken_by_signals_before_is_so_again(ends: tuple[int, int]) -> None:
    out, into = os.pipe()
    os.set_blocking(into, False)
    before = signal.set_wakeup_fd(into)
    try:
        with Keyboard(ends[1]):
            pass
        assert signal.set_wakeup_fd(before) == into
    finally:
        signal.set_wakeup_fd(before)
        os.close(out)
        os.close(into)


def test_being_continued_makes_single_keys_again(ends: tuple[int, int]) -> None:
    _, terminal = ends
    cooked = termios.tcgetattr(terminal)
    with Keyboard(terminal) as keyboard:
        single = termios.tcgetattr(terminal)
        termios.tcsetattr(terminal, termios.TCSANOW, cooked)  # as a shell does
        os.kill(os.getpid(), signal.SIGCONT)
        assert keyboard.read(timeout=10) == Press("resume")
        assert termios.tcgetattr(terminal) == single


def test_an_ignored_hang_up_stays_ignored(ends: tuple[int, int]) -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with Keyboard(ends[1]) as keyboard:
            os.kill(os.getpid(), signal.SIGHUP)
            assert keyboard.read(timeout=0.01) is None
    finally:
        signal.signal(signal.SIGHUP, before)


def hung_up() -> int:
    learner, terminal = pty.openpty()
    os.close(learner)
    return terminal


def empty_pipe() -> int:
    out, into = os.pipe()
    os.close(into)
    return out


def unreadable() -> int:
    return os.open(os.devnull, os.O_WRONLY)


@pytest.mark.parametrize("source", [hung_up, empty_pipe, unreadable])
def test_the_end_of_input_is_said_for_ever(source: Callable[[], int]) -> None:
    fd = source()
    with Keyboard(fd) as keyboard:
        assert [keyboard.read(timeout=10), keyboard.read(timeout=1)] == [EOF, EOF]
        keyboard.drop()
        assert keyboard.read(timeout=10) == EOF
    os.close(fd)
