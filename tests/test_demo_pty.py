"""A lesson on a real terminal: each key after its frame, the screen read back."""

from __future__ import annotations

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

# pytest-xdist has a thread; the child of the fork only starts another program.
pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore:.*multi-threaded:DeprecationWarning"),
]

KEYS = " ←→ query   m matrices   p predict   w mistakes   space step   ? help   q quit"


class Open(Protocol):
    """Opens `attn-study demo` with these words; the window is closed with the block."""

    def __call__(
        self, *words: str, columns: int = 80, rows: int = 24, **changes: str
    ) -> AbstractContextManager[Window]: ...


@pytest.fixture
def demo(command: list[str], environ: dict[str, str]) -> Open:
    @contextmanager
    def opened(*words: str, columns: int = 80, rows: int = 24, **changes: str) -> Iterator[Window]:
        with closing(
            Window([*command, "demo", *words], environ | changes, columns, rows)
        ) as window:
            yield window

    return opened


def test_a_lesson_is_walked_through_and_its_last_view_stays(demo: Open) -> None:
    with demo("head") as window:
        window.see("“it” asks", "0.6200", "q quit")
        assert window.lines[-1] == KEYS
        window.press("\x1b[D")
        window.see("“chicken” asks", "0.9717")
        window.press(" ")
        window.see("1 of 19", "x [3×4]")
        window.press(" ")
        window.see("2 of 19", "w_q [1×4×2]")
        window.press("\x1b")
        window.see("“chicken” asks")
        window.press("q")
        assert window.end() == 0
        assert window.echoes
        window.see("“chicken” asks", "all rows")
        assert "q quit" not in window.text


def test_a_prediction_is_typed_and_a_mistake_named(demo: Open) -> None:
    with demo("head", "--question", "weight", "--seed", "0") as window:
        window.see("predict, then compute", "seed 0", "What weight", "enter answer")
        window.type("0.5")
        window.press("\r")
        window.see("not quite", "right: ", "space another")
        window.press(" ")
        window.see("seed 1", "enter answer")
        window.press("\x1b")
        assert window.end() == 0
        window.see("What weight", "seed 1")


@pytest.mark.parametrize(
    ("words", "shows"),
    [
        (("head", "--step"), ("1 of 19", "x [3×4]", "space next")),
        (("head", "--mistake", "no-mask"), ("✓ right", "✗ wrong", "“The” asks", "esc back")),
        (("head", "--query", "chicken"), ("“chicken” asks", "space step")),
    ],
)
def test_options_choose_the_first_page(
    demo: Open, words: tuple[str, ...], shows: tuple[str, ...]
) -> None:
    with demo(*words) as window:
        window.see(*shows)
        window.press("q")
        assert window.end() == 0


def test_a_window_that_changes_is_drawn_anew(demo: Open) -> None:
    with demo("head") as window:
        window.see("“it” asks", "q quit")
        window.resize(30, 10)
        window.see("↓", "q quit")
        assert window.lines[-1].endswith("q quit")
        window.resize(80, 24)
        window.wait(lambda: window.lines[-1] == KEYS, "the whole lesson")
        window.press("\x03")
        assert window.end() == 0


def test_without_colour_the_signs_carry_it(demo: Open) -> None:
    with demo("head", NO_COLOR="1") as window:
        window.see("▸ it", "██████▎", "· ·")
        assert b"[38;" not in window.raw
        assert b"[48;" not in window.raw
        window.press("q")
        assert window.end() == 0


@pytest.mark.parametrize(("words", "term"), [("head", "dumb"), ("head --plain", "xterm")])
def test_where_nothing_can_be_drawn_lines_are_printed(demo: Open, words: str, term: str) -> None:
    with demo(*words.split(), TERM=term) as window:
        assert window.end() == 0
        assert "all rows" in window.text
        assert "q quit" not in window.text
        assert b"\x1b[?1049h" not in window.raw
