"""The quiz on a real terminal: each key after its frame, the result left on the screen."""

from __future__ import annotations

import re
import sys
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, Protocol

import pytest

if sys.platform == "win32":
    pytest.skip("pseudo-terminals and signals are of Unix", allow_module_level=True)

from quiz_deck import DECK
from terminal import Window

if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import AbstractContextManager
    from pathlib import Path

# pytest-xdist has a thread; the child of the fork only starts another program.
pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore:.*multi-threaded:DeprecationWarning"),
]


class Open(Protocol):
    """Opens a quiz of two cards with these words; the window is closed with the block."""

    def __call__(
        self, *words: str, columns: int = 80, rows: int = 24, **changes: str
    ) -> AbstractContextManager[Window]: ...


@pytest.fixture
def quiz(command: list[str], environ: dict[str, str], home: Path) -> Open:
    (home / "decks").mkdir(parents=True)
    (home / "decks" / "test.yaml").write_text(DECK, encoding="utf-8")

    @contextmanager
    def opened(*words: str, columns: int = 80, rows: int = 24, **changes: str) -> Iterator[Window]:
        with closing(
            Window(
                [*command, "quiz", "test", "--tag", "roles", *words],
                environ | changes,
                columns,
                rows,
            )
        ) as window:
            yield window

    return opened


def key_of(window: Window, option: str) -> str:
    """The digit before an option on the screen."""
    found = re.search(rf"(\d)  {option}", window.text)
    assert found, window.text
    return found[1]


def choose(window: Window, option: str) -> None:
    window.see("Who asks?", "1–3 choose", "space no idea", "q quit")
    assert "undo" not in window.text
    window.press(key_of(window, option))


def write(window: Window, text: str) -> None:
    window.see("What turns scores", "enter answer")
    window.type(text)
    window.press("\r")


def test_a_quiz_is_answered_key_by_key_and_leaves_its_result_and_no_log(
    quiz: Open, home: Path
) -> None:
    with quiz("--seed", "1") as window:
        window.see("1 of 2 · 0 right")
        first = "Who asks?" in window.text
        for number in (1, 2):
            window.see(f"{number} of 2")
            if first is (number == 1):
                choose(window, "the key")
                window.see("not quite", "It answers.", "d demo qkv", "q quit")
                assert "1 again" not in window.text
                window.press("d")
                window.see("three roles")
                window.press("q")
                window.see("not quite", "It answers.")
            else:
                write(window, "Softmax")
                window.see("right ──", "q quit")
            window.see("space result" if number == 2 else "space next")
            window.press(" ")
        assert window.end() == 0
        assert window.echoes
        window.see(
            "1 of 2 right",
            "Choosing  0 of 1",
            "Writing   1 of 1  ██████████",
            "✗ test/who   you: the key   right: the query   demo qkv",
            "attn-study card show test/who",
            "seed 1: `attn-study quiz test --tag roles --seed 1 -n 20` asks the same",
        )
    assert not (home / "study.db").exists()


def test_q_leaves_with_the_result_so_far(quiz: Open) -> None:
    with quiz("--section", "Choosing", "--seed", "1") as window:
        window.see("Who asks?", "1 of 1 · 0 right")
        window.press("q")
        assert window.end() == 0
        window.see("Nothing answered; 1 not asked.")
    with quiz("--seed", "1") as window:
        window.see("1 of 2")
        if "enter answer" in window.text:
            write(window, "tanh")
        else:
            choose(window, "the value")
        window.see("not quite")
        window.press("q")
        assert window.end() == 0
        window.see("0 of 1 answered right; 1 not asked.")


@pytest.mark.parametrize(("columns", "rows"), [(40, 8), (20, 12)])
def test_in_the_smallest_window_the_card_and_the_keys_are_in_sight_without_colour(
    quiz: Open, columns: int, rows: int
) -> None:
    with quiz("--section", "Choosing", columns=columns, rows=rows, NO_COLOR="1") as window:
        window.see("Who asks?", "q quit", "1 of 1")
        window.press(" ")
        window.see("nothing chosen", "q quit")
        window.press(" ")
        assert window.end() == 0
        assert not re.search(rb"\x1b\[(\d+;)*(3[0-7]|4[0-7]|38|48|9\d)[;m]", window.raw)


def test_a_terminal_that_cannot_draw_is_asked_line_by_line(quiz: Open) -> None:
    with quiz("--section", "Writing", TERM="dumb") as window:
        window.see("1 card, seed", "Type the answer.")
        window.send("softmax\n")
        window.see("Empty line: result.")
        window.send("\n")
        assert window.end() == 0
        assert b"1 of 1 right" in window.raw
        assert b"\x1b" not in window.raw
