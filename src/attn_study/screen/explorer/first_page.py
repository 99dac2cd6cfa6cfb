"""The first page of the explorer: tokens, the stage in view, the focused row, its formula."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from rich.text import Text

from attn_study.demos.formulas import formula
from attn_study.demos.picking import asks_axis, n_heads, names, of_layer, pick
from attn_study.demos.pictures import focused, grid, shape
from attn_study.demos.stepping import cell, heading
from attn_study.render.explorer.inputs import Input, inputs
from attn_study.render.explorer.pattern import pattern
from attn_study.render.explorer.strip import strip
from attn_study.render.explorer.table import Column, Sum, table
from attn_study.render.panels import draw
from attn_study.render.text import safe, wrap
from attn_study.screen.explorer.row import is_example, is_pattern, key_in, row_of, weights_of

if TYPE_CHECKING:
    from attn_study.attention.trace import Trace
    from attn_study.demos.panels import Panel
    from attn_study.screen.explorer.row import Row
    from attn_study.screen.explorer.state import State

ABREAST = 70  # columns from which pattern and row stand side by side
LOW = 14  # lines: in fewer there are no blank ones, and a stage is not named over its formula
APART = 3  # cells between them
ROW = 43  # cells that the row wants at least beside a pattern
AROUND = 5  # lines that a pattern or a row has besides its tokens, with the sum
TITLES = {"x": "X", "w_q": "W^Q", "w_k": "W^K", "w_v": "W^V", "w_o": "W^O"}


def first_page(state: State, columns: int, rows: int) -> list[Text]:
    """Return the first page in `columns`, laid out for `rows` lines."""
    trace = state.scene.working.trace
    row = row_of(trace, state.focus, state.layer, state.step, _right(state))
    if row is None:
        return [Text(), *draw(_panels(state), columns)]
    told, top = _told(state, columns, rows), _strips(state, columns)
    if columns < ABREAST:
        return _one_below_another(state, row, top, told, columns, rows)
    room = max(3, rows - len(top) - len(told) - AROUND)
    left = _left(state, columns, room)
    used = max((line.cell_len for line in left), default=0)
    right = _row(row, state, columns - used - APART, room)
    page = [*top, Text(), *_beside(left, right, used), Text(), *told]
    below = _inputs(state, columns, rows - len(page) - 1)
    return [*page, Text(), *below] if below else page


def _panels(state: State) -> tuple[Panel, ...]:
    """Return the lesson, or its stage in view, where nothing is weighed."""
    lesson = state.scene.lesson
    if state.step not in state.stages:
        return lesson.panels(state.focus)
    return lesson.stage(state.stages.index(state.step), state.focus)


def _one_below_another(
    state: State, row: Row, top: list[Text], told: list[Text], columns: int, rows: int
) -> list[Text]:
    """Return the page for a narrow window: what is in focus first, then what stands around it."""
    gap = [Text()] if rows > LOW else []
    numbers = _row(row, state, columns - 1, max(3, min(len(row.keys), rows - len(told) - 5)))
    numbers = numbers if gap else numbers[1:]  # the tokens above it say who asks
    left = _left(state, columns, len(row.keys))
    return [*top, *gap, *(Text(" ") + line for line in numbers), *gap, *told, Text(), *left]


def _inputs(state: State, columns: int, rows: int) -> list[Text]:
    """Return the inputs of the focused head, where there is room for them."""
    trace = state.scene.lesson.working.trace
    if any(max(trace[name].shape[-2:-1]) >= rows for name in state.scene.inputs):
        return []  # drawn for nothing, and large ones take long
    found = []
    for name in state.scene.inputs:
        axes = [axis for axis in trace[name].axes if axis != "heads"]
        tokens = names(trace, axes[0]) if name.startswith("x") else ()
        values = pick(trace[name], heads=state.focus.head).tolist()
        found.append(Input(name, TITLES.get(name, name), tokens, values))
    return [Text(" ") + line for line in inputs(found, columns - 1, rows, state.focus.query)]


def _strips(state: State, columns: int) -> list[Text]:
    """Return the tokens across the top: one line, or two where another sequence answers."""
    trace, focus = state.scene.working.trace, state.focus
    asks, answers = names(trace, asks_axis(trace)), names(trace, "keys")
    key = key_in(trace, focus, state.layer)
    if asks == answers:
        return [strip("tokens", asks, columns, query=focus.query, key=key)]
    return [
        strip("asks", asks, columns, query=focus.query, key=None),
        strip("answers", answers, columns, query=None, key=key),
    ]


def _left(state: State, columns: int, rows: int) -> list[Text]:
    """Return the stage in view as a picture; the weights where it is none of queries and keys."""
    trace, focus = state.scene.working.trace, state.focus
    room = columns - ROW - APART if columns >= ABREAST else columns - 1
    step = state.step
    if step in trace and not is_pattern(trace, step):
        drawn = draw(focused(trace, trace[step], focus), room)
        return drawn if len(drawn) <= rows + 3 else [*drawn[: rows + 2], Text("   …", "dim")]
    shown = step if step in trace else weights_of(trace, state.layer)
    place = {"heads": focus.head, "layers": state.layer}
    found = grid(trace, trace[shown], _titled(state, shown), focus, place)
    return pattern(found, room, rows, key_in(trace, focus, state.layer), turned=focus.columns)


def _titled(state: State, step: str) -> str:
    """Return what a pattern is called: its step, and its head and layer among several."""
    trace = state.scene.working.trace
    parts = [step.replace("_", " ")]
    if n_heads(trace) > 1 and "heads" in trace[step].axes:
        parts.append(f"head {state.focus.head + 1}")
    if "layers" in trace[step].axes:
        parts.append(f"layer {state.layer + 1}")
    return ", ".join(parts)


def _row(row: Row, state: State, columns: int, rows: int) -> list[Text]:
    numbers = [Column(row.step.partition("_scores")[0], row.stage)] if row.step else []
    mark = "✗ " if state.scene.wrong else ""
    numbers.append(Column(f"{mark}weight", row.weights, row.weight_sum, weighs=True))
    if row.right:
        numbers.append(Column("✓ weight", row.right, _sum(row.right), weighs=True))
    added = Sum(row.values, row.terms, row.total) if row.terms else None
    scene = state.scene
    example = is_example(scene.lesson.working.trace, scene.lesson.stages)
    title = f"{'an example: ' if example else ''}{row.asks} asks, these answer"
    return table(safe(title), row.keys, row.focus, numbers, added, columns, rows)


def _sum(weights: tuple[float | None, ...]) -> float:
    return sum(weight for weight in weights if weight is not None)


def _right(state: State) -> Trace | None:
    return state.scene.lesson.working.trace if state.scene.wrong else None


def _told(state: State, columns: int, rows: int) -> list[Text]:
    """Return which stage is in view, what it says, and the formula of the focused cell.

    In a low window only the formula, or what the stage says where it has none.
    """
    trace = state.scene.working.trace
    if state.step not in trace:
        return []
    step = trace[state.step]
    at = replace(state.focus, key=key_in(trace, state.focus, state.layer))
    made = formula(*of_layer(trace, state.step), at)
    made = f"{cell(trace, step, at)}   {made}".strip() if made else ""
    worked = [Text(f" {line}") for line in wrap(safe(made), columns - 2) if made]
    says = [Text(f" {line}", "dim") for line in wrap(safe(step.says), columns - 2) if step.says]
    if rows <= LOW:
        return worked or says
    named = heading(step) if columns >= ABREAST else f"{step.name} {shape(step.values)}"
    head = Text.assemble((f" {_count(state)}  ", "dim"), (named, "bold"))
    if len(says) == 1 and head.cell_len + says[0].cell_len + 2 <= columns:
        return [head.append("  ").append_text(says[0]), *worked]
    return [head, *says, *worked]


def _count(state: State) -> str:
    stages = state.stages
    return f"{stages.index(state.step) + 1} of {len(stages)}" if state.step in stages else ""


def _beside(left: list[Text], right: list[Text], width: int) -> list[Text]:
    """Return two pictures side by side, `width` cells for the left one."""
    lines = []
    for at in range(max(len(left), len(right))):
        line = Text()
        if at < len(left):
            line.append_text(left[at])
        if at < len(right):
            line.append(" " * (width + APART - line.cell_len)).append_text(right[at])
        lines.append(line)
    return lines
