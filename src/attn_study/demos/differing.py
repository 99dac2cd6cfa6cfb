"""A right and a wrong trace side by side at a focus: what of it can be compared, and differs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from attn_study.attention.mistakes import SAME
from attn_study.demos.picking import asks_axis, name, pick
from attn_study.demos.pictures import shape

if TYPE_CHECKING:
    from attn_study.attention.arrays import Array
    from attn_study.attention.trace import Trace
    from attn_study.demos.working import Focus

RIGHT, WRONG = "✓", "✗"
LEFT_OUT = {"terms", "exp", "row_sum", "concat"}  # the rows before and after them say enough
TELLING = {"weights", "output", "head_output"}


def unlike_weights(right: Trace, wrong: Trace) -> str:
    """Return in words that the weights have other shapes; empty where they can be compared."""
    here, there = right["weights"], wrong["weights"]
    if here.shape == there.shape:
        return ""
    said = f"right {shape(here.values)}, wrong {shape(there.values)}"
    return f"The weights have other shapes: {said} ({' × '.join(here.axes)})."


def no_row(right: Trace, wrong: Trace, focus: Focus) -> str:
    """Return in words why the focused row shows nothing of a mistake; empty where it does."""
    asks = asks_axis(right)
    if not asks or right.sizes[asks] != wrong.sizes.get(asks):
        return "The output has other rows: it no longer lines up with what asked."
    if row_differs(right, wrong, focus.query):
        return ""
    title = f"{name(right, asks, focus.query)} asks"
    return f"{title}: its row is the same in both, so it cannot show this mistake."


def rows_after(
    right: Trace, wrong: Trace, first: str, focus: Focus
) -> dict[str, tuple[Array, ...]]:
    """Return the focused row, right and wrong, of each step from the first that differs on.

    Of those that both have, that asking has a part in, and that are not left out.
    """
    after = right.names[right.names.index(first) if first in right else 0 :]
    rows = {
        step: tuple(row(trace, step, focus) for trace in (right, wrong))
        for step in after
        if step in wrong and step not in LEFT_OUT and asks_axis(right) in right[step].axes
    }
    return {step: both for step, both in rows.items() if both[0].ndim == 1 and not alike(*both)}


def row(trace: Trace, step: str, focus: Focus) -> Array:
    """Return the focused row of a step, in the head in focus."""
    return pick(trace[step], heads=focus.head, tokens=focus.query, queries=focus.query)


def row_differs(right: Trace, wrong: Trace, query: int) -> bool:
    """Return whether any step gives this query other numbers, in any head."""
    return any(
        not alike(
            *(pick(trace[step.name], tokens=query, queries=query) for trace in (right, wrong))
        )
        for step in right
        if step.name in TELLING and step.name in wrong
    )


def alike(one: Array, other: Array) -> bool:
    """Return whether two arrays are the same but for what rounding may do."""
    return one.shape == other.shape and bool(np.allclose(one, other, rtol=SAME, atol=SAME))
