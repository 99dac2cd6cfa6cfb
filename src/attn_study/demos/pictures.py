"""One step of a trace as panels, whatever its axes: matrices and patterns with their labels."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from attn_study.attention.trace import Step
from attn_study.demos.panels import Block, Curve, Curves, Grid, Grids, Matrices, Table, Words
from attn_study.demos.parts import matrix, vector, written
from attn_study.demos.picking import asks_axis, name, names, pick, within

if TYPE_CHECKING:
    from collections.abc import Mapping

    from attn_study.attention.arrays import Array
    from attn_study.attention.trace import Trace
    from attn_study.demos.panels import Panel, Role
    from attn_study.demos.working import Focus

APART = {"heads", "layers"}  # never a row or a column: one picture each
ROLES: dict[str, Role] = {
    "x": "x",
    "query": "query",
    "key": "key",
    "value": "value",
    "weights": "weights",
    "head_output": "output",
    "output": "output",
    "residual": "output",
}
PATTERN = ("queries", "keys")
MOMENTS = "moments"
UNMASKED = {"scores", "scaled_scores", "tempered_scores"}
FEW = 6  # keys; with more a pattern has two decimals
WORDS = "words"
MANY = 24  # words; of more only the first by size are shown
FIRST = 12


def whole(trace: Trace, step: Step, focus: Focus) -> tuple[Panel, ...]:
    """Return every number of a step: one picture for each head, and so on."""
    _, apart = _axes(step)
    every = [dict(zip(apart, at, strict=True)) for at in _positions(step, apart)]
    return _together(trace, step, every, within(trace, focus))


def focused(trace: Trace, step: Step, focus: Focus) -> tuple[Panel, ...]:
    """Return one picture of a step: that of the focused head, and query where it must be one."""
    at = within(trace, focus)
    if MOMENTS in step.axes:
        return _at_moment(trace, step, at)
    _, apart = _axes(step)
    chosen = {"heads": at.head, asks_axis(trace): at.query}
    if step.sizes.get(WORDS, 0) > MANY:
        return (_largest(trace, step, chosen),)
    return _together(trace, step, [{axis: chosen.get(axis, 0) for axis in apart}], at)


def _at_moment(trace: Trace, step: Step, at: Focus) -> tuple[Panel, ...]:
    """Return what a step has at the moment in focus; of one number a moment, the way there too."""
    axes = tuple(axis for axis in step.axes if axis != MOMENTS)
    values = pick(step, **{MOMENTS: at.query})
    if axes:
        labels = {axis: step.labels[axis] for axis in axes if axis in step.labels}
        alone = Step(step.name, axes, values, step.says, labels)
        return _together(trace, alone, [{}], at)
    called, every = names(trace, MOMENTS), vector(step.values)
    title = f"{called[at.query]}: {written(float(values))}"
    digits = None if float(max(every)).is_integer() else 4
    curve = Curve(title, every[: at.query + 1], len(every), max(every), digits=digits)
    return (Curves((curve,), called[0], called[-1], height=8),)


def _largest(trace: Trace, step: Step, chosen: Mapping[str, int]) -> Table:
    """Return the words of the largest numbers of a row, which is too long to be read."""
    at = {axis: chosen.get(axis, 0) for axis in step.axes if axis != WORDS}
    row = pick(step, **at)
    every = names(trace, WORDS)
    order = np.argsort(-row, kind="stable")[:FIRST]
    where = ", ".join(
        (*([_title(trace, at)] if at else []), f"first {FIRST} of {len(row)} by size")
    )
    return Table(("", step.name), tuple((every[at], float(row[at])) for at in order), where)


def grid(trace: Trace, step: Step, title: str, focus: Focus, at: Mapping[str, int]) -> Grid:
    """Return a step at a place, queries by keys, as a pattern; what may not be seen is empty."""
    values = pick(step, **at)
    hidden = np.isneginf(values)
    if "masked_scores" in trace and step.name not in UNMASKED:
        masked = pick(trace["masked_scores"], **at)
        if masked.shape == values.shape:
            hidden = hidden | (np.isneginf(masked) & (values == 0))
    cells = tuple(
        tuple(None if out else float(value) for value, out in zip(row, gone, strict=True))
        for row, gone in zip(values, hidden, strict=True)
    )
    role: Role = "weights" if _weighs(step) else "scores"
    digits = 4 if values.shape[1] <= FEW else 2
    columns = names(trace, "keys")
    return Grid(title, names(trace, "queries"), columns, cells, role, focus.query, digits)


def margin(step: Step, *, columns: bool = False) -> str:
    """Return which margin of a pattern of weights sums to 1, if one does."""
    if not _weighs(step):
        return ""
    sums = {axis: step.values.sum(axis=step.axes.index(axis)) for axis in PATTERN}
    rows, across = ("column", "row") if columns else ("row", "column")
    for axis, said in (("keys", rows), ("queries", across)):
        near_one = np.isclose(sums[axis], 1.0)
        if (near_one | np.isclose(sums[axis], 0.0)).all() and near_one.any():
            return f"each {said} sums to 1"
    return "neither rows nor columns sum to 1"


def _weighs(step: Step) -> bool:
    return "weights" in step.name


def _axes(step: Step) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the axes of one picture, two at most, and those that have one picture each."""
    inner = [axis for axis in step.axes if axis not in APART][-2:]
    return tuple(inner), tuple(axis for axis in step.axes if axis not in inner)


def _positions(step: Step, axes: tuple[str, ...]) -> list[tuple[int, ...]]:
    return list(product(*(range(step.sizes[axis]) for axis in axes)))


def _together(
    trace: Trace, step: Step, places: list[dict[str, int]], focus: Focus
) -> tuple[Panel, ...]:
    inner, _ = _axes(step)
    if not inner:
        return (Words(f"{float(step.values.reshape(-1)[0]):.4f}"),)
    if inner == PATTERN and step.axes[-2:] == PATTERN:
        grids = tuple(grid(trace, step, _title(trace, at), focus, at) for at in places)
        return (Grids(grids, margin(step, columns=focus.columns), focus.columns),)
    blocks = tuple(_block(trace, step, at, inner, focus) for at in places)
    return (Matrices(_rows(trace, step, inner), blocks),)


def _block(
    trace: Trace, step: Step, at: dict[str, int], inner: tuple[str, ...], focus: Focus
) -> Block:
    values = pick(step, **at)
    asked = focus.query if inner[0] == asks_axis(trace) else None
    if len(inner) == 1 and inner[0].startswith("d_"):
        values, asked = values[np.newaxis], None
    elif len(inner) == 1:
        values = values[:, np.newaxis]
    return Block(_title(trace, at) or step.name, matrix(values), ROLES.get(step.name, ""), asked)


def _rows(trace: Trace, step: Step, inner: tuple[str, ...]) -> tuple[str, ...]:
    if len(inner) == 1 and inner[0].startswith("d_"):
        return ("",)
    return step.labels.get(inner[0]) or names(trace, inner[0])


def _title(trace: Trace, at: dict[str, int]) -> str:
    """Return which part of a step is shown: `head 2, “it”`; nothing where there is only one."""
    parts = []
    for axis, place in at.items():
        if trace.sizes.get(axis) == 1:
            continue
        parts.append(f"{axis[:-1]} {place + 1}" if axis in APART else name(trace, axis, place))
    return ", ".join(parts)


def shape(values: Array) -> str:
    """Return the shape of an array: `[1×3×3]`."""
    return f"[{'×'.join(map(str, values.shape))}]"
