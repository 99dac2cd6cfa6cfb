"""The terminal on a real pseudo-terminal: given away, taken back, left as it was found."""

from __future__ import annotations

import os
import select
import shutil
import signal
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Any, cast

import pyte
import pytest
from rich.console import Console
from rich.text import Text

from attn_study.screen.keys import EOF, Press
from attn_study.screen.terminal import Terminal

if sys.platform == "win32":
    pytest.skip("pseudo-terminals and termios are of Unix", allow_module_level=True)

import pty
import termios

import pexpect

from attn_study.screen.keyboard import Keyboard

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = pytest.mark.slow


class Window:
    """A pseudo-terminal of 40x6 with its program in this process."""

    def __init__(self) -> None:
        self.hand, self.fd = pty.openpty()
        termios.tcsetwinsize(self.fd, (6, 40))
        self.file = os.fdopen(os.dup(self.fd), "w", encoding="utf-8")

    def modes(self) -> list[Any]:
        return termios.tcgetattr(self.fd)

    def terminal(self) -> Terminal:
        return Terminal(Console(file=self.file, force_terminal=True), Keyboard(self.fd))

    def output(self) -> str:
        data = b""
        while select.select([self.hand], [], [], 0)[0]:
            data += os.read(self.hand, 65536)
        return data.decode()

    def hang_up(self) -> None:
        if self.hand >= 0:
            os.close(self.hand)
        self.hand = -1

    def close(self) -> None:
        self.hang_up()
        with suppress(OSError):
            self.file.close()
        os.close(self.fd)


@pytest.fixture
def window() -> Iterator[Window]:
    window = Window()
    yield window
    window.close()


def test_the_frame_follows_the_terminal_not_the_size_at_the_start(window: Window) -> None:
    with window.terminal() as terminal:
        assert terminal.size == (40, 6)
        termios.tcsetwinsize(window.fd, (3, 10))
        assert terminal.size == (10, 3)
        terminal.draw([Text("x" * 40)] * 6)
        screen = pyte.Screen(10, 3)
        pyte.Stream(screen).feed(window.output())
        assert screen.display == ["x" * 10] * 3


@pytest.mark.parametrize("how", ["quietly", "with an error", "by SIGTERM"])
def test_after_the_end_the_terminal_is_as_before(window: Window, how: str) -> None:
    before = window.modes()
    with suppress(ZeroDivisionError), window.terminal() as terminal:
        terminal.draw([Text("one")])
        assert window.modes() != before
        if how == "with an error":
            raise ZeroDivisionError
        if how == "by SIGTERM":
            os.kill(os.getpid(), signal.SIGTERM)
            assert terminal.read(timeout=10) == EOF
    assert window.modes() == before
    output = window.output()
    for mode in ("1049", "2004"):
        assert output.rfind(f"\x1b[?{mode}l") > output.rfind(f"\x1b[?{mode}h") >= 0
    for mode in ("25", "7"):
        assert output.rfind(f"\x1b[?{mode}h") > output.rfind(f"\x1b[?{mode}l") >= 0


def test_an_editor_gets_the_terminal_and_gives_it_back(window: Window) -> None:
    before = window.modes()
    with window.terminal() as terminal:
        single = window.modes()
        with terminal.paused():
            assert window.modes() == before
            assert window.output().endswith("\x1b[?1049l")
        assert window.modes() == single
        os.write(window.hand, b"1")
        assert terminal.read(timeout=10) == Press("1")


def test_a_terminal_that_hangs_up_ends_the_reading_without_an_error(window: Window) -> None:
    with window.terminal() as terminal:
        window.hang_up()
        terminal.draw([Text("one")])
        assert terminal.read(timeout=10) == EOF


PROGRAM = """
import sys
from rich.console import Console
from rich.text import Text
from attn_study.screen.keyboard import Keyboard
from attn_study.screen.terminal import Terminal

with Terminal(Console(), Keyboard()) as terminal:
    press = None
    while press is None or press.key not in ("q", "eof"):
        terminal.draw([Text(f"last {press and press.key}")])
        press = terminal.read(timeout=10)
heavy = {"asyncio", "numpy", "rich.live", "rich.markdown", "textual"} & set(sys.modules)
print("loaded", sorted(heavy))
"""


@pytest.mark.skipif(not shutil.which("bash"), reason="needs a shell with job control")
@pytest.mark.filterwarnings("ignore:.*multi-threaded:DeprecationWarning")  # pytest-xdist
def test_ctrl_z_gives_the_shell_back_and_fg_draws_again(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    environ = dict(os.environ, TERM="xterm-256color", PS1="ready> ", LC_ALL="C.UTF-8")
    with pexpect.spawn(
        "bash",
        ["--norc", "--noprofile", "-i"],
        env=cast("Any", environ),
        encoding="utf-8",
        timeout=20,
    ) as shell:
        shell.expect("ready> ")
        shell.sendline(f"{sys.executable} {program}")
        shell.expect("last None")
        shell.send("\x1a")
        shell.expect("Stopped")
        shell.expect("ready> ")
        shell.sendline("stty -a")
        shell.expect(r"[^-]icanon")
        shell.expect("ready> ")
        shell.sendline("fg")
        shell.expect("last resume")
        shell.send("x")
        shell.expect("last x")
        shell.send("q")
        shell.expect(r"loaded \[\]")
        shell.sendline("exit")
        shell.expect(pexpect.EOF)
