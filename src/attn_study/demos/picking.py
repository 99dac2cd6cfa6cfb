"""A working seen from its focus: which queries and heads there are, and what stands at one."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from attn_study.attention.trace import Trace
from attn_study.errors import UserError

if TYPE_CHECKING:
    from attn_study.attention.arrays import Array
    from attn_study.attention.trace import Step
    from attn_study.demos.working import Focus

# Axes whose positions ask, the first that a trace has; at moments one and the same word asks.
ASKING = ("queries", "tokens", "moments")
NAMED = 12  # tokens that an error names


def asks_axis(trace: Trace) -> str:
    """Return the axis whose positions ask; empty when nothing asks in this trace."""
    return next((axis for axis in ASKING if axis in trace.sizes), "")


def n_queries(trace: Trace) -> int:
    """Return how many positions ask; 0 when nothing does."""
    return trace.sizes.get(asks_axis(trace), 0)


def n_heads(trace: Trace) -> int:
    """Return how many heads there are; 1 without an axis of heads."""
    return trace.sizes.get("heads", 1)


def names(trace: Trace, axis: str) -> tuple[str, ...]:
    """Return a text for each position of an axis: its label, or its number from 1."""
    return trace.labels(axis) or tuple(str(at + 1) for at in range(trace.sizes.get(axis, 0)))


def name(trace: Trace, axis: str, at: int) -> str:
    """Return the text of one position, in quotes when it is a token."""
    labels = trace.labels(axis)
    return f"“{labels[at]}”" if labels else f"{axis} {at + 1}"


def within(trace: Trace, focus: Focus) -> Focus:
    """Return the focus with a query and a head that the trace has, both from 0.

    Negative positions count from the end; what is beyond the end is the last.
    """
    query, head = (
        max(0, min(at + size if at < 0 else at, size - 1))
        for at, size in ((focus.query, n_queries(trace)), (focus.head, n_heads(trace)))
    )
    last = trace.sizes.get("keys", 1) - 1
    key = None if focus.key is None else max(0, min(focus.key, last))
    return replace(focus, query=query, head=head, key=key)


def pick(step: Step, **places: int) -> Array:
    """Return the values at a position of each axis named; axes the step lacks do not matter.

    `pick(trace["scores"], heads=0, queries=2)` is a row, (keys).
    """
    index = tuple(
        min(places[axis], size - 1) if axis in places else slice(None)
        for axis, size in step.sizes.items()
    )
    return np.asarray(step.values[index])


def key_of_most(trace: Trace, query: int, head: int) -> int:
    """Return the key that the query weighs most, the first of equal ones; 0 without weights."""
    if "weights" not in trace:
        return 0
    return int(np.argmax(pick(trace["weights"], heads=head, queries=query, moments=query)))


def key_of(trace: Trace, focus: Focus) -> int:
    """Return the key in focus: the one chosen, else the one that the query weighs most."""
    return key_of_most(trace, focus.query, focus.head) if focus.key is None else focus.key


def of_layer(trace: Trace, step: str) -> tuple[Trace, str]:
    """Return the steps of the layer that a step belongs to, under the names that they have in
    a lesson of one layer, with the step's; the trace as it is for a step of no layer.

    `before` is the stream that the layer adds to, where the trace has it.
    """
    plain, _, number = step.rpartition("_")
    if not number.isdecimal():
        return trace, step
    steps = [
        replace(each, name=each.name.removesuffix(f"_{number}"))
        for each in trace
        if each.name.endswith(f"_{number}")
    ]
    before = f"residual_{int(number) - 1}" if int(number) > 1 else "x"
    if before in trace and int(number) > 0:
        steps.append(replace(trace[before], name="before"))
    return Trace(tuple(steps)), plain


def find_query(trace: Trace, wanted: str) -> int:
    """Return the position, from 0, of a query given by its number from 1 or by its token.

    A token that occurs several times means its last occurrence. Where moments ask it is one of
    them, given by its number or as `step 5`. Raises UserError that names what there is.
    """
    axis = asks_axis(trace)
    labels = names(trace, axis)
    if wanted.isascii() and wanted.isdecimal() and 1 <= int(wanted[:9]) <= len(labels):
        return int(wanted) - 1
    found = [at for at, label in enumerate(labels) if label == wanted]
    if found:
        return found[-1]
    if not labels:
        raise UserError(f"no query {wanted!r}: nothing asks in this demo")
    shown = ", ".join(f"{at} {label}" for at, label in enumerate(labels[:NAMED], start=1))
    more = f" … {len(labels)} {labels[-1]}" if len(labels) > NAMED else ""
    asks, by = ("moment", "name") if axis == "moments" else ("query", "token")
    raise UserError(f"there is no {asks} {wanted!r}", hint=f"by number or {by}: {shown}{more}")


def find_head(trace: Trace, wanted: int) -> int:
    """Return the position, from 0, of the head with this number, from 1; UserError if none."""
    there_are = n_heads(trace)
    if 1 <= wanted <= there_are:
        return wanted - 1
    hint = "there is one head: 1" if there_are == 1 else f"heads are counted from 1 to {there_are}"
    raise UserError(f"there is no head {wanted}", hint=hint)
