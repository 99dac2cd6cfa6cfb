"""A wrong computation beside the right one: where they part, and what comes of it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from attn_study.attention.mistakes import EXTREMES, MISTAKES, first_difference
from attn_study.demos.consequences import consequences
from attn_study.demos.differing import (
    RIGHT,
    WRONG,
    alike,
    no_row,
    row,
    row_differs,
    rows_after,
    unlike_weights,
)
from attn_study.demos.panels import Gap, Grids, Ledger, Row, Words
from attn_study.demos.parts import vector
from attn_study.demos.picking import asks_axis, n_queries, name, names, within
from attn_study.demos.pictures import grid, margin, shape
from attn_study.demos.stepping import is_readable, layer_of
from attn_study.demos.working import Focus

if TYPE_CHECKING:
    from attn_study.attention.arrays import Array
    from attn_study.attention.trace import Trace
    from attn_study.demos.panels import Panel, Value
    from attn_study.demos.working import Working

LAST = Focus(query=-1)


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

    Where vectors are too long to be read, what comes of it takes the place of the numbers. Where
    shapes disagree, both are said and no numbers are set side by side.
    """
    here, there, at = right.trace, wrong.trace, within(right.trace, focus)
    parts = first_difference(here, there)
    done = Words(f"{mistake}: {meaning(mistake)}")
    if parts is None:
        return (done, Words("Nothing differs here: these numbers do not show the mistake."))
    told = (_where(here, there, parts, layer_of(right)), _moved(right, wrong, at))
    top = (done, *(Words(said) for said in told if said))
    if not is_readable(here):
        return (*top, *consequences(right, wrong, parts, at))
    patterns, numbers = _patterns(here, there, at), _focused_row(here, there, parts, at)
    return (*top, Gap(), *patterns, Gap(), *numbers)


def telling(right: Working, wrong: Working, focus: Focus) -> Focus:
    """Return the focus itself if its row shows the mistake, else the first row that does."""
    at = within(right.trace, focus)
    order = [at.query, *range(n_queries(right.trace))]
    for query in order:
        if row_differs(right.trace, wrong.trace, query):
            return replace(at, query=query)
    return at


def _where(right: Trace, wrong: Trace, step: str, layer: str) -> str:
    """Return the first step that differs, and in which layer of the model it is."""
    first = f"The first step that differs is {step}"
    if layer:  # one line for both: all of it is in sight on a small screen
        first = f"Made in all heads of layer {layer}, from {step} on"
    if step not in right:
        return f"{first}: the right way has none."
    if step not in wrong:
        return f"{first}: the wrong way has none."
    here, there = right[step], wrong[step]
    if here.shape != there.shape:
        right_shape, wrong_shape = (_shaped(each.axes, each.values) for each in (here, there))
        said = f"{RIGHT} {right_shape}  {WRONG} {wrong_shape}"
        return f"{first}: {said}."
    if here.says == there.says:
        return f"{first}: {here.says}."
    return f"{first}: {RIGHT} {here.says}  {WRONG} {there.says}"


def _moved(right: Working, wrong: Working, focus: Focus) -> str:
    """Return why another row than the usual one asks: that one shows nothing of the mistake."""
    trace = right.trace
    usual = within(trace, right.look or LAST).query
    if not asks_axis(trace) or usual == focus.query or row_differs(trace, wrong.trace, usual):
        return ""
    asks, here = (name(trace, asks_axis(trace), query) for query in (usual, focus.query))
    return f"The row of {asks} is the same in both, so {here} asks here."


def _patterns(right: Trace, wrong: Trace, focus: Focus) -> list[Panel]:
    if "weights" not in right or "weights" not in wrong:
        return []
    unlike = unlike_weights(right, wrong)
    if unlike:
        return [Words(unlike)]
    here, there = right["weights"], wrong["weights"]
    sums = margin(here, columns=focus.columns)
    others = margin(there, columns=focus.columns)
    alone = sums != others  # each says its own: what stands under a pair is true of both
    titles = (f"{RIGHT} right", f"{WRONG} wrong")
    if alone:
        titles = (f"{titles[0]}: {sums}", f"{titles[1]}: {others}")
    both = tuple(
        replace(grid(trace, step, title, focus, {"heads": focus.head}), digits=2)
        for trace, step, title in zip((right, wrong), (here, there), titles, strict=True)
    )
    return [Grids(both, "" if alone else sums, focus.columns)]


def _focused_row(right: Trace, wrong: Trace, first: str, focus: Focus) -> list[Panel]:
    why = no_row(right, wrong, focus)
    if why:
        return [Words(why)]
    title = f"{name(right, asks_axis(right), focus.query)} asks"
    rows = [
        each
        for step, both in rows_after(right, wrong, first, focus).items()
        if not all(_repeats(trace, step, focus) for trace in (right, wrong))
        for each in _both(step, both)
    ]
    return [Ledger(title, names(right, "keys"), tuple(rows))]


def _both(step: str, both: tuple[Array, ...]) -> list[Row]:
    """Return a step's focused row, right and wrong."""
    said = (f"row sum {values.sum():.4f}" if step == "weights" else "" for values in both)
    return [
        Row(step if mark == RIGHT else "", mark, _open(values), remark)
        for mark, values, remark in zip((RIGHT, WRONG), both, said, strict=True)
    ]


def _repeats(trace: Trace, step: str, focus: Focus) -> bool:
    """Return whether a row is that of the step before it once more."""
    before = trace.names[max(0, trace.names.index(step) - 1)]
    return before != step and alike(row(trace, before, focus), row(trace, step, focus))


def _open(row: Array) -> tuple[Value, ...]:
    if np.isneginf(row).any():
        return tuple(None if np.isneginf(value) else float(value) for value in row)
    return vector(row)


def _shaped(axes: tuple[str, ...], values: Array) -> str:
    return f"{shape(values)} {' × '.join(axes)}"
