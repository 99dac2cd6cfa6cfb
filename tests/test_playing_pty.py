"""The lesson `learn` on a real terminal and down a real pipe: it plays, and stops when told to."""

from __future__ import annotations

import signal
import subprocess
import sys
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

if sys.platform == "win32":
    pytest.skip("pseudo-terminals and signals are of Unix", allow_module_level=True)

from terminal import Window

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager

    Open = Callable[..., AbstractContextManager[Window]]

# pytest-xdist has a thread; the child of the fork only starts another program.
pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore:.*multi-threaded:DeprecationWarning"),
]

FINAL = "Tested for seeds 0 to 4"


@pytest.fixture
def learn(command: list[str], environ: dict[str, str]) -> Open:
    def opened(*words: str, columns: int = 80, rows: int = 24) -> AbstractContextManager[Window]:
        return closing(Window([*command, "demo", "learn", *words], environ, columns, rows))

    return opened


def test_it_plays_by_itself_to_the_end_and_the_lesson_is_there(learn: Open) -> None:
    with learn("--fps", "30") as window:
        window.see("space pause", "step 0: “cabinet” asks", "q quit")
        window.see("step 60: “cabinet” asks", FINAL, "←→ home end moment")
        assert len(window.lines) == 24
        window.press("\x1b[D")
        window.see("step 59: “cabinet” asks")
        window.press("q")
        assert window.end() == 0
        assert window.echoes
        window.see("step 59: “cabinet” asks")


def test_it_pauses_steps_goes_back_and_hurries(learn: Open) -> None:
    with learn("--fps", "0.5") as window:
        window.see("step 0: “cabinet” asks", "speed 0.5")
        window.press(" ")
        window.see("space go on")
        window.press(".")
        window.see("step 1: “cabinet” asks")
        window.press("\x1b[D")
        window.see("step 0: “cabinet” asks")
        window.press("+")
        window.see("speed 1")
        window.press("f")
        window.see("step 60: “cabinet” asks", FINAL)
        window.press("q")
        assert window.end() == 0


@pytest.mark.parametrize("case", ["agreement", "repeat"])
def test_ctrl_c_in_training_leaves_the_terminal_clean(learn: Open, case: str) -> None:
    with learn("--case", case, "--fps", "64") as window:
        window.see("space pause")
        window.send("\x03")
        assert window.end() == 0
        assert window.echoes
        assert b"\x1b[?1049l" in window.raw
        assert "Traceback" not in window.text


def test_a_window_that_changes_while_it_plays_is_drawn_anew(learn: Open) -> None:
    with learn("--fps", "4") as window:
        window.see("space pause")
        window.resize(40, 24)
        window.wait(lambda: all(len(line) <= 40 for line in window.lines), "narrow lines")
        window.see("↓", "space pause")
        window.press("q")
        assert window.end() == 0


def test_ctrl_c_while_a_pipe_is_fed_says_nothing(
    command: list[str], environ: dict[str, str]
) -> None:
    with subprocess.Popen(
        [*command, "demo", "learn", "--case", "repeat"],
        env=environ,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    ) as child:
        assert child.stdout
        assert child.stderr
        while "step  50" not in (line := child.stdout.readline()):
            assert line  # each line comes when it is known, long before the last
        child.send_signal(signal.SIGINT)
        assert "Tested for" not in child.stdout.read()
        assert child.stderr.read() == ""
    assert child.returncode == 130
