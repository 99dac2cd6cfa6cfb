"""A wrong computation beside the right one: where they part, and what comes of it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from attn_study.attention.mistakes import EXTREMES, MISTAKES, SAME, first_difference
from attn_study.demos.panels import Gap, Grids, Ledger, Row, Words
from attn_study.demos.parts import vector
from attn_study.demos.picking import asks_axis, n_queries, name, names, pick, within
from attn_study.demos.pictures import grid, margin, shape

if TYPE_CHECKING:
    from attn_study.attention.arrays import Array
    from attn_study.attention.trace import Trace
    from attn_study.demos.panels import Panel, Value
    from attn_study.demos.working import Focus, Working

RIGHT, WRONG = "✓", "✗"
LEFT_OUT = {"terms", "exp", "row_sum", "concat"}  # the rows before and after them say enough


def meaning(mistake: str) -> str:
    """Return what a mistake is, in words that finish “this is …”; its name if it has none."""
    known = MISTAKES | EXTREMES
    if mistake in known:
        return known[mistake].says
    return mistake if " " in mistake else mistake.replace("-", " ")


def brief(mistake: str) -> str:
    """Return what a mistake is, for a list of them: `without dividing the scores by √d_k`."""
    return meaning(mistake).removeprefix("what comes out ")


def place(mistake: str, trace: Trace) -> str:
    """Return the first step that a mistake makes in its own way; empty when none is known."""
    known = MISTAKES | EXTREMES
    changed = known[mistake].method.says if mistake in known else {}
    return next((step for step in trace.names if step in changed), "")


def compare(right: Working, wrong: Working, mistake: str, focus: Focus) -> tuple[Panel, ...]:
    """Return what was done wrong, the first step that differs, both patterns, the focused row.

    Where shapes disagree, both are said and no numbers are set side by side.
    """
    parts = first_difference(right.trace, wrong.trace)
    panels: list[Panel] = [Words(f"{mistake}: {meaning(mistake)}")]
    if parts is None:
        return (*panels, Words("Nothing differs here: these numbers do not show the mistake."))
    panels += [Words(_where(right.trace, wrong.trace, parts)), Gap()]
    panels += _patterns(right.trace, wrong.trace, within(right.trace, focus))
    panels += [Gap(), *_focused_row(right.trace, wrong.trace, parts, within(right.trace, focus))]
    return tuple(panels)


def telling(right: Working, wrong: Working, focus: Focus) -> Focus:
    """Return the focus itself if its row shows the mistake, else the first row that does."""
    at = within(right.trace, focus)
    order = [at.query, *range(n_queries(right.trace))]
    for query in order:
        if _row_differs(right.trace, wrong.trace, query):
            return replace(at, query=query)
    return at


def _where(right: Trace, wrong: Trace, step: str) -> str:
    if step not in right:
        return f"The first step that differs is {step}: the right way has none."
    if step not in wrong:
        return f"The first step that differs is {step}: the wrong way has none."
    here, there = right[step], wrong[step]
    if here.shape != there.shape:
        said = f"{_shaped(here.axes, here.values)} here, {_shaped(there.axes, there.values)} there"
        return f"The first step that differs is {step}: {said}."
    if here.says == there.says:
        return f"The first step that differs is {step}: {here.says}."
    return f"The first step that differs is {step}: {RIGHT} {here.says}  {WRONG} {there.says}"


def _patterns(right: Trace, wrong: Trace, focus: Focus) -> list[Panel]:
    if "weights" not in right or "weights" not in wrong:
        return []
    here, there = right["weights"], wrong["weights"]
    if here.shape != there.shape:
        said = f"right {shape(here.values)}, wrong {shape(there.values)}"
        return [Words(f"The weights have other shapes: {said} ({' × '.join(here.axes)}).")]
    sums = margin(here, columns=focus.columns)
    others = margin(there, columns=focus.columns)
    titles = (f"{RIGHT} right", f"{WRONG} wrong" + (f": {others}" if others != sums else ""))
    both = tuple(
        replace(grid(trace, step, title, focus, {"heads": focus.head}), digits=2)
        for trace, step, title in zip((right, wrong), (here, there), titles, strict=True)
    )
    return [Grids(both, sums, focus.columns)]


def _focused_row(right: Trace, wrong: Trace, first: str, focus: Focus) -> list[Panel]:
    asks = asks_axis(right)
    if not asks or right.sizes[asks] != wrong.sizes.get(asks):
        return [Words("The output has other rows: it no longer lines up with what asked.")]
    title = f"{name(right, asks, focus.query)} asks"
    if not _row_differs(right, wrong, focus.query):
        return [Words(f"{title}: its row is the same in both, so it cannot show this mistake.")]
    after = right.names[right.names.index(first) if first in right else 0 :]
    rows = [
        row
        for step in after
        if step in wrong and step not in LEFT_OUT and asks in right[step].axes
        for row in _both(right, wrong, step, focus)
    ]
    return [Ledger(title, names(right, "keys"), tuple(rows))]


def _both(right: Trace, wrong: Trace, step: str, focus: Focus) -> list[Row]:
    """Return a step's focused row, right and wrong; nothing where there is nothing new in it."""
    here, there = (_row(trace, step, focus) for trace in (right, wrong))
    if here.ndim != 1 or _alike(here, there):
        return []
    if all(_repeats(trace, step, focus) for trace in (right, wrong)):
        return []
    said = (f"row sum {row.sum():.4f}" if step == "weights" else "" for row in (here, there))
    return [
        Row(step if mark == RIGHT else "", mark, _open(row), remark)
        for mark, row, remark in zip((RIGHT, WRONG), (here, there), said, strict=True)
    ]


def _repeats(trace: Trace, step: str, focus: Focus) -> bool:
    """Return whether a row is that of the step before it once more."""
    before = trace.names[max(0, trace.names.index(step) - 1)]
    return before != step and _alike(_row(trace, before, focus), _row(trace, step, focus))


def _row(trace: Trace, step: str, focus: Focus) -> Array:
    return pick(trace[step], heads=focus.head, tokens=focus.query, queries=focus.query)


def _row_differs(right: Trace, wrong: Trace, query: int) -> bool:
    """Return whether any step gives this query other numbers, in any head."""
    return any(
        not _alike(
            *(pick(trace[step.name], tokens=query, queries=query) for trace in (right, wrong))
        )
        for step in right
        if step.name in {"weights", "output", "head_output"} and step.name in wrong
    )


def _alike(one: Array, other: Array) -> bool:
    return one.shape == other.shape and bool(np.allclose(one, other, rtol=SAME, atol=SAME))


def _open(row: Array) -> tuple[Value, ...]:
    if np.isneginf(row).any():
        return tuple(None if np.isneginf(value) else float(value) for value in row)
    return vector(row)


def _shaped(axes: tuple[str, ...], values: Array) -> str:
    return f"{shape(values)} {' × '.join(axes)}"
