"""A working stage by stage: what a step is, the formula of its focused cell, its numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attn_study.demos.formulas import formula
from attn_study.demos.panels import Gap, Words
from attn_study.demos.picking import asks_axis, key_of, n_heads, name, of_layer, within
from attn_study.demos.pictures import focused, shape, whole

if TYPE_CHECKING:
    from attn_study.attention.trace import Step, Trace
    from attn_study.demos.panels import Panel
    from attn_study.demos.working import Focus, Working


READABLE = 16  # numbers of a vector that can be read one by one
INPUTS = ("x", "normed", "query", "key", "value")


def reading_order(trace: Trace) -> tuple[str, ...]:
    """Return the names of the steps in the order in which they are shown one by one.

    That is the order of the computation; but where a token is a long vector, a beginner would
    leave before the first pattern, so the vectors come after it all and the matrices last.
    """
    return trace.names if is_readable(trace) else tuple(sorted(trace.names, key=_when))


def is_readable(trace: Trace) -> bool:
    """Return whether what tokens are and pass on is short enough to be read number by number."""
    return max(trace.sizes.get(axis, 0) for axis in ("d_model", "d_v")) <= READABLE


def _when(step: str) -> int:
    name, _, number = step.rpartition("_")
    plain = name if number.isdecimal() else step
    return 2 if plain.startswith("w_") else int(plain in INPUTS)


def stage(working: Working, step: str, focus: Focus, count: str = "") -> tuple[Panel, ...]:
    """Return one step, large: its name and shape, what it says, a formula, its numbers.

    `count` says which of the stages this is, such as `3 of 12`.
    """
    whole_step = working.trace[step]
    head = Words(f"{count}   {heading(whole_step)}".strip())
    panels: list[Panel] = [head, Words(whole_step.says), Gap()]
    trace, plain = of_layer(working.trace, step)
    shown = trace[plain]
    made = formula(trace, plain, focus)
    if made:
        layer = step.removeprefix(plain).strip("_") or layer_of(working)
        about = cell(trace, shown, focus, layer)
        panels += [Words(f"{about}   {made}".strip()), Gap()]
    return (*panels, *focused(trace, shown, focus))


def every_step(working: Working, focus: Focus) -> tuple[Panel, ...]:
    """Return all steps in full, one under another."""
    panels: list[Panel] = []
    for step in working.trace:
        panels += [Words(f"{heading(step)}   {step.says}".rstrip())]
        panels += [*whole(working.trace, step, focus), Gap()]
    return tuple(panels[:-1])


def heading(step: Step) -> str:
    """Return a step's name, its shape and its axes: `weights [1×3×3] heads × queries × keys`."""
    return f"{step.name} {shape(step.values)} {' × '.join(step.axes)}".rstrip()


def cell(trace: Trace, step: Step, focus: Focus, layer: str = "") -> str:
    """Return which cell a formula is about: `“it” → “chicken”, head 2:`.

    In a `layer` among others the head is named with it, `head 1.2`.
    """
    at = within(trace, focus)
    asks = asks_axis(trace)
    parts = []
    if asks in step.axes or step.name in {"x", "concat", "output", "residual"}:
        parts.append(name(trace, asks, at.query))
    if "keys" in step.axes:
        parts.append(name(trace, "keys", key_of(trace, at)))
    said = " → ".join(parts)
    head = which_head(trace, at, layer) if "heads" in step.axes else ""
    both = ", ".join(part for part in (said, head) if part)
    return f"{both}:" if both else ""


def layer_of(working: Working) -> str:
    """Return the number of the layer that a lesson shows, as it is written; empty for none."""
    return str(working.knobs.get("layer") or "")


def which_head(trace: Trace, focus: Focus, layer: str = "") -> str:
    """Return the head in focus, in a `layer` among others with it: `head 1.2`; empty for one."""
    if n_heads(trace) == 1:
        return ""
    return f"head {layer}.{focus.head + 1}" if layer else f"head {focus.head + 1}"
