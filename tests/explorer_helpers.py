"""What the tests of the explorer share: a state after keys, and what stands on its screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attn_study.demos import load
from attn_study.render.explorer.targets import meant
from attn_study.screen.explorer.pressing import CLICK, pressed
from attn_study.screen.explorer.scene import Scene
from attn_study.screen.explorer.sight import sight
from attn_study.screen.explorer.state import State
from attn_study.screen.keys import Press

if TYPE_CHECKING:
    from rich.text import Text

TWELVE = "the cat saw the dog and then it sat down on it"
SIZES = ((40, 12), (60, 20), (80, 24), (120, 40))


def opened(name: str = "head", **knobs: object) -> State:
    """The explorer as it opens at these knobs."""
    scene = Scene.of(load(name), knobs)
    return State.of(scene, scene.lesson.look)


def after(state: State, *keys: str) -> State:
    """The state after keys, each named as `Press` names it."""
    for key in keys:
        state = pressed(state, Press(key))
    return state


def typed(state: State, text: str) -> State:
    """The state after the characters of a text."""
    return after(state, *("space" if letter == " " else letter for letter in text))


def clicked(state: State, means: str) -> State:
    """The state after a click on what means this."""
    return pressed(state, Press(CLICK, means))


def drawn(state: State, columns: int = 80, rows: int = 24) -> list[Text]:
    """The screen as lines."""
    return sight(state, columns, rows)[0]


def text(state: State, columns: int = 80, rows: int = 24) -> str:
    """The screen as one text."""
    return "\n".join(line.plain.rstrip() for line in drawn(state, columns, rows))


def meanings(state: State, columns: int = 80, rows: int = 24) -> set[str]:
    """All that a click anywhere on the screen may mean."""
    lines = drawn(state, columns, rows)
    return {meant(line, cell) for line in lines for cell in range(columns)} - {""}


def click_on(state: State, words: str, columns: int = 80, rows: int = 24) -> State:
    """The state after a click on the first place where these words stand."""
    for line in drawn(state, columns, rows):
        if words in line.plain:
            return clicked(state, meant(line, line.plain.index(words)))
    raise AssertionError(f"{words!r} is not on screen:\n{text(state, columns, rows)}")
