"""Setting things: a knob chosen from a list and typed, a number of an input under a cursor."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from attn_study.demos.edits import Edit, parse, write
from attn_study.demos.picking import pick
from attn_study.demos.question import parse_number
from attn_study.screen.explorer.scene import NUMBERS
from attn_study.screen.explorer.standing import bounds_of, in_force, value_of
from attn_study.screen.line import Line

if TYPE_CHECKING:
    from attn_study.attention.arrays import Array
    from attn_study.demos.demo import Knob
    from attn_study.screen.explorer.state import Page, State
    from attn_study.screen.keys import Press

MOVES = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}
STARTS = "0123456789-+.,−"  # a number begins with one of these
TEXT_ONLY = {"matrix"}  # a knob that a file fills


def knobs_of(state: State) -> tuple[Knob, ...]:
    """Return the knobs that can be set now, in the order of their list."""
    return tuple(knob for knob in state.scene.knobs if knob.name not in TEXT_ONLY)


def choose_knob(state: State, key: str) -> State:
    """Return the state after a key on the list of knobs."""
    knobs = knobs_of(state)
    if key in {"up", "down"}:
        return replace(state, chosen=(state.chosen + MOVES[key][0]) % max(1, len(knobs)))
    knob = knobs[min(state.chosen, len(knobs) - 1)]
    if key == "u":
        return _on_line(state.undone(), knob)
    if key in {"left", "right"} and (knob.choices or knob.kind is int):
        return _turned(state, knob, MOVES[key][1])
    if key in {"enter", "space"}:
        return _turned(state, knob, 1) if knob.choices else _typing(state, knob)
    return state


def type_knob(state: State, press: Press) -> State:
    """Return the state after a key while the value of a knob is typed."""
    if press.key == "escape":
        return replace(state, page="knobs", line=Line())
    if press.key != "enter":
        return replace(state, line=state.line.press(press))
    knob = knobs_of(state)[state.chosen]
    return _set(state, knob, state.line.text.strip())


def _typing(state: State, knob: Knob) -> State:
    text = value_of(state.scene.lesson, knob)
    return replace(state, page="knob", line=Line(text, len(text))).told(bounds_of(knob))


def _set(state: State, knob: Knob, text: str) -> State:
    """Return the state with a knob set and the list open again; where it cannot be, still typed."""
    done = f"{knob.name} {text}" if text else f"{knob.name} is left to the lesson"
    after = state.changed(lambda scene: scene.set_to(knob.name, text), done)
    if after.scene is state.scene:
        return after
    return replace(after, page="knobs", line=Line())


def _on_line(state: State, knob: Knob) -> State:
    """Return the state on the line of a knob, the list may be another; where it is gone, near."""
    names = [each.name for each in knobs_of(state)]
    near = min(state.chosen, max(0, len(names) - 1))
    return replace(state, chosen=names.index(knob.name) if knob.name in names else near)


def _turned(state: State, knob: Knob, by: int) -> State:
    """Return the state with the next of the choices of a knob, or the next whole number."""
    now = state.scene.lesson.knobs.get(knob.name)
    if knob.choices:
        first = () if knob.default in knob.choices else ("",)
        every = (*first, *knob.choices)
        at = every.index(now) if now in every else 0
        return _set(state, knob, every[(at + by) % len(every)])
    least = 0 if knob.least is None else int(knob.least)
    stands = in_force(state.scene.lesson, knob)
    return _set(state, knob, str(max(least, int(stands) + by) if stands else least))


def cells_of(state: State) -> Array:
    """Return the input on the matrix page, (rows, columns), that of the focused head."""
    return pick(state.scene.lesson.working.trace[state.matrix], heads=state.focus.head)


def move_in_matrix(state: State, press: Press) -> State:
    """Return the state after a key on the matrix page."""
    key = press.key
    if key in MOVES:
        shape = cells_of(state).shape
        row, column = (
            max(0, min(at + by, size - 1))
            for at, by, size in zip(state.cell, MOVES[key], shape, strict=True)
        )
        return replace(state, cell=(row, column))
    if key in {"tab", "n"}:
        return _next_input(state)
    if key == "h":
        return _next_head(state)
    if key == "u":
        return state.undone()
    if key == "enter" or (key[:1] in STARTS and press.character):
        line = Line().press(press) if press.character else Line()
        return replace(state, page="number", line=line)
    return state


def type_number(state: State, press: Press) -> State:
    """Return the state after a key while a number is typed; enter sets it, arrows move on."""
    if press.key == "escape":
        return replace(state, page="matrix", line=Line())
    if press.key not in {"enter", "up", "down", "tab"}:
        return replace(state, line=state.line.press(press))
    number = parse_number(state.line.text)
    if number is None:
        return state.told(f"{state.line.text.strip() or 'nothing'} is no number")
    edit = Edit(state.matrix, _place(state), number)
    after = state.changed(
        lambda scene: scene.set_to(NUMBERS, write((*parse(_numbers(state)), edit))), str(edit)
    )
    if after.scene is state.scene:
        return after
    after = replace(after, page="matrix", line=Line())
    return after if press.key == "enter" else move_in_matrix(after, press)


def at_cell(state: State, row: int, column: int) -> State:
    """Return the state with the cursor at a cell; at the cell it stands at, it is typed into."""
    shape = cells_of(state).shape
    if not (0 <= row < shape[0] and 0 <= column < shape[1]):
        return state
    page: Page = "number" if state.cell == (row, column) else "matrix"
    return replace(state, cell=(row, column), page=page, line=Line())


def _numbers(state: State) -> str:
    return str(state.scene.lesson.knobs.get(NUMBERS) or "")


def _place(state: State) -> tuple[int, ...]:
    """Return where the cursor is, from 1 on every axis of the input."""
    step = state.scene.lesson.working.trace[state.matrix]
    head = (state.focus.head + 1,) if "heads" in step.axes else ()
    return (*head, *(at + 1 for at in state.cell))


def _next_input(state: State) -> State:
    inputs = state.scene.inputs
    matrix = inputs[(inputs.index(state.matrix) + 1) % len(inputs)]
    return replace(state, matrix=matrix, cell=(0, 0))


def _next_head(state: State) -> State:
    head = (state.focus.head + 1) % state.scene.lesson.n_heads
    return replace(state, focus=replace(state.focus, head=head, key=None))
