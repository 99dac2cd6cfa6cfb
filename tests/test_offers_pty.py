"""A card without an id whose front was mended: asked about once, and only in a terminal."""

from __future__ import annotations

import sys
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

if sys.platform == "win32":
    pytest.skip("pseudo-terminals are of Unix", allow_module_level=True)

from cli_helpers import Shell
from terminal import Window

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

# pytest-xdist has a thread; the child of the fork only starts another program.
pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore:.*multi-threaded:DeprecationWarning"),
]

TYPO = "deck: mine\ncards:\n  - {front: Why divide by the rot of d_k?, back: Variance.}\n"
MENDED = TYPO.replace("rot", "root")
QUESTION = "which is gone. Keep its history? (y/n)"


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    """A learner who knows a card that has another front since."""
    shell = Shell(tmp_path)
    shell.file("home/settings.toml", 'hidden = ["attention", "attention-video"]\n')
    shell.deck(TYPO)
    shell.done("card", "grade", only(shell), "good")
    shell.now = "2026-03-03T12:00:00+00:00"
    shell.deck(MENDED)
    return shell


def only(shell: Shell) -> str:
    (card,) = shell.ids("deck:mine")
    return card


@pytest.fixture
def window(shell: Shell, command: list[str], environ: dict[str, str]) -> Iterator[Window]:
    """The sitting as it starts in a terminal."""
    words = [*command, "review"]
    with closing(Window(words, environ | {"ATTN_STUDY_NOW": shell.now}, 160)) as opened:
        yield opened


def state(shell: Shell) -> object:
    return shell.card(only(shell))["state"]


def test_a_yes_gives_the_card_its_history_before_the_first_question(
    shell: Shell, window: Window
) -> None:
    window.see(QUESTION)
    window.send("y\r")
    window.see("root of d_k", "space answer")
    window.press("q")
    assert window.end() == 0
    assert state(shell) == "due"
    assert [row["kind"] for row in shell.log()] == ["review", "adopt"]


def test_a_no_is_not_asked_again(
    shell: Shell, window: Window, command: list[str], environ: dict[str, str]
) -> None:
    window.see(QUESTION)
    window.send("n\r")
    window.see("root of d_k", "space answer")
    window.press("q")
    assert window.end() == 0
    with closing(
        Window([*command, "review"], environ | {"ATTN_STUDY_NOW": shell.now}, 160)
    ) as again:
        again.see("root of d_k", "space answer")
        assert QUESTION not in again.text
        again.press("q")
        again.end()
    assert state(shell) == "new"


def test_an_offer_that_another_command_met_first_is_still_asked(
    shell: Shell, command: list[str], environ: dict[str, str]
) -> None:
    assert "reads nearly like" in shell.done("today").err
    with closing(
        Window([*command, "review"], environ | {"ATTN_STUDY_NOW": shell.now}, 160)
    ) as window:
        window.see(QUESTION)
        window.send("y\r")
        window.see("root of d_k", "space answer")
        window.press("q")
        window.end()
    assert state(shell) == "due"


def test_a_card_that_is_edited_in_a_sitting_is_asked_about_there_and_comes_again(
    shell: Shell, command: list[str], environ: dict[str, str]
) -> None:
    shell.deck(TYPO)
    editor = shell.file("editor.sh", '#!/bin/sh\nsed -i s/rot/root/ "$1"\n')
    editor.chmod(0o755)
    more = {"ATTN_STUDY_NOW": shell.now, "EDITOR": str(editor)}
    with closing(Window([*command, "review"], environ | more, 160)) as window:
        window.see("rot of d_k", "space answer")
        window.press("e")
        window.see(QUESTION)
        window.send("y\r")
        window.see("root of d_k", "changed", "space answer")
        window.press(" ")
        window.see("Variance")
        window.press("q")
        assert window.end() == 0
    assert state(shell) == "due"
    assert [row["kind"] for row in shell.log()] == ["review", "adopt"]


@pytest.mark.parametrize("words", [("review", "--plain"), ("review",), ("card", "list")])
def test_without_a_terminal_nothing_is_asked_and_the_offer_is_a_line(
    shell: Shell, words: tuple[str, ...]
) -> None:
    said = shell.done(*words)
    assert [line for line in said.notices if "`attn-study card adopt mine/~" in line]
    assert "(y/n)" not in said.err
    assert state(shell) == "new"
    assert [row["kind"] for row in shell.log()] == ["review"]
