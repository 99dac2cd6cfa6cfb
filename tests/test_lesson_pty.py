"""Every lesson on a real terminal: it fits one screen, asks and grades, and makes its mistakes."""

from __future__ import annotations

import sys
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

if sys.platform == "win32":
    pytest.skip("pseudo-terminals and signals are of Unix", allow_module_level=True)

from attn_study.demos import load
from attn_study.demos.compare import meaning
from attn_study.render.lesson import key_line
from attn_study.render.text import cells
from attn_study.screen.viewing import View
from lesson_checks import asked, screen, typed
from lessons import ALL, lesson
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

COLUMNS, ROWS = 80, 24
# A question of each lesson with short answers, and the beginning of a mistake that it names.
QUESTIONS = {
    "simplified": ("zero", "what only -∞ gives"),
    "qkv": ("transpose", "what a symmetric score would be"),
    "scale": ("slope", "the weight itself"),
    "mask": ("reveals", "the row that every fault leaves right"),
    "head": ("weight", "no-scale"),
    "values": ("zeroed", "its effect, not its weight"),
    "multihead": ("width", "the width of a token"),
    "cross": ("rows", "swap-sources"),
    "params": ("matrix", "d × d"),
    "context": ("comes", "what comes with"),
    "stack": ("needed", "where it looks"),
    "learn": ("looks", "the other noun"),
}


# One with a single head, one with many and one without; what all lessons show is drawn without a
# terminal in other tests, and on one in the slow group.
SOME = ("head", "stack", "params")


def some(*names: str) -> list[object]:
    """The lessons for a run of every day, and the others marked as slow."""
    return [name if name in SOME else pytest.param(name, marks=pytest.mark.slow) for name in names]


@pytest.fixture
def demo(command: list[str], environ: dict[str, str]) -> Open:
    def opened(*words: str) -> AbstractContextManager[Window]:
        return closing(Window([*command, "demo", *words], environ, COLUMNS, ROWS))

    return opened


def answer(window: Window, text: str) -> None:
    window.type(text)
    window.press("\r")


@pytest.mark.parametrize("name", some(*ALL))
def test_a_lesson_fits_one_screen_with_its_keys_last(demo: Open, name: str) -> None:
    shown, here = screen(name), lesson(name)
    keys = key_line(View.of(here, here.demo.focus).offers(), COLUMNS).plain
    assert max(map(cells, (*shown, keys))) <= COLUMNS
    with demo(name, *(["--fast"] if here.demo.play else [])) as window:
        window.see(shown[0], "q quit")
        *lines, last = window.lines
        assert (len(window.lines), last) == (ROWS, keys)
        assert "\n".join(lines).rstrip() == "\n".join(shown).rstrip()
        window.press("q")
        assert window.end() == 0


@pytest.mark.parametrize("name", some(*ALL))
def test_a_lesson_asks_first_and_names_a_mistake(demo: Open, name: str) -> None:
    question, begins = QUESTIONS[name]
    first, second = (asked(name, question, seed) for seed in (0, 1))
    (mistake,) = (wrong for wrong in first.wrong if wrong.startswith(begins))
    with demo(name, "--question", question, "--seed", "0") as window:
        window.see("predict, then compute", "seed 0", "enter answer")
        answer(window, typed(first.wrong[mistake]))
        window.see("✗ not quite", f"is {meaning(mistake)}"[:60], "right: ", "space another")
        window.press(" ")
        window.see("seed 1", "enter answer")
        answer(window, typed(second.answer))
        window.see("✓ right", "right: ")
        assert "not quite" not in window.text
        window.press("\x1b")
        window.see(screen(name)[0], "p predict", "q quit")
        window.press("p")
        window.see("seed 2", "enter answer")
        window.press("\x1b")
        window.see(screen(name)[0], "p predict", "q quit")
        window.press("q")
        assert window.end() == 0


@pytest.mark.parametrize("name", some(*(name for name in ALL if load(name).mistakes)))
def test_a_lesson_shows_each_list_of_mistakes_and_the_first(demo: Open, name: str) -> None:
    first, *others = load(name).mistakes
    in_a_layer = lesson(name).working.knobs.get("layer")
    place = "Made in all heads of layer" if in_a_layer else "The first step that differs is"
    with demo(name) as window:
        window.see("w mistakes")
        window.press("w")
        window.see(f"1 {first}", *others, "esc back")
        window.press("1")
        window.see(f"{first}: {meaning(first)}"[:70], place, "esc back")
        window.press("\x1b")
        window.see(f"1 {first}")
        window.press("\x1b")
        window.see(*screen(name)[:1], "w mistakes")
        window.press("q")
        assert window.end() == 0
