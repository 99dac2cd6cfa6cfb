"""What every key and every click means, page by page: a state and a press make a state."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from attn_study.screen.canvas import ENDS
from attn_study.screen.explorer.copying import card, command_line
from attn_study.screen.explorer.editing import (
    at_cell,
    choose_knob,
    move_in_matrix,
    type_knob,
    type_number,
)
from attn_study.screen.explorer.looking import (
    SCROLLS,
    at_key,
    at_query,
    choose_mistake,
    look,
    scrolled,
    turn_back,
)
from attn_study.screen.explorer.predicting import answer, predict
from attn_study.screen.keys import Press
from attn_study.screen.line import Line

if TYPE_CHECKING:
    from attn_study.screen.explorer.state import State

CLICK = "click"  # the key of a press whose text says what was clicked on
TYPED = {"knob", "number"}  # pages on which a letter is a letter


def pressed(state: State, press: Press) -> State:
    """Return the state after a press; what was said before is gone."""
    state = replace(state, words="")
    if press.key in ENDS:
        return replace(state, page="left")
    if press.key == CLICK:
        return _clicked(state, press.text)
    if press.key == "burst":  # several keys in one read: each is meant where a line is typed
        return _typed(state, press) if is_typing(state) else state
    return _typed(state, press) if is_typing(state) else _on_page(state, press)


def is_typing(state: State) -> bool:
    """Return whether letters go into a line."""
    question = state.question
    asks = state.page == "predict" and question is not None and question.graded is None
    return state.page in TYPED or asks


def _typed(state: State, press: Press) -> State:
    if state.page == "predict":
        return answer(state, press)
    return type_knob(state, press) if state.page == "knob" else type_number(state, press)


def _on_page(state: State, press: Press) -> State:
    key = press.key
    if key == "q":
        return replace(state, page="left")
    if state.page == "predict":
        return answer(state, press)
    if key == "escape":
        return turn_back(state)
    if key == "c":
        return _copied(state)
    if state.page == "matrix":
        return move_in_matrix(state, press)
    if state.page == "knobs":
        return choose_knob(state, key)
    if state.page == "mistakes":
        return choose_mistake(state, key)
    if state.page == "look":
        return predict(state) if key == "p" else look(state, key)
    return _reading(state, key)


def _reading(state: State, key: str) -> State:
    """Return the state after a key on a page that is only read: lines, and the way back."""
    if key in {"up", "down"}:
        return replace(state, scroll=max(0, state.scroll + (1 if key == "down" else -1)))
    if key in SCROLLS:
        return scrolled(state, key)
    if state.page in {"lesson", "matrices"} and key in {"left", "right", "h", "t", "l"}:
        return look(state, key)
    back = {"matrices": "m", "lesson": "v", "help": "?"}.get(state.page, "")
    return turn_back(state) if key == back else state


def _copied(state: State) -> State:
    """Return the state with its command line copied; on the page that shows it, with its card.

    Where there is no card the command line stays; the page says why.
    """
    line = command_line(state.scene, state.focus)
    if state.page == "copy" and state.copied == line:
        found = card(state.scene, state.focus, state.layer)
        return (
            replace(state, copied=found) if found else state.told("there is no card of this state")
        )
    return replace(state.opened("copy"), copied=line)


def _into(state: State, matrix: str, row: str, column: str) -> State:
    """Return the state with a number of an input to be typed."""
    at = (int(row), int(column))
    return replace(state.opened("number"), matrix=matrix, cell=at)


def _clicked(state: State, text: str) -> State:
    """Return the state after a click on what means `text`: a place, or a key."""
    what, _, where = text.partition(" ")
    if what == "input":
        return _into(state, *where.split())
    numbers = [int(part) for part in where.split()]
    if what == "query":
        return at_query(state, numbers[0])
    if what == "key":
        return at_key(state, numbers[0])
    if what == "pair":
        return at_key(at_query(state, numbers[0]), numbers[1])
    if what == "cell":
        return at_cell(state, numbers[0], numbers[1])
    if what == "line":
        if state.page == "knob":  # what was typed belongs to another line
            state = replace(state, page="knobs", line=Line())
        return pressed(replace(state, chosen=numbers[0]), Press("enter"))
    return pressed(state, Press(what)) if what else state
