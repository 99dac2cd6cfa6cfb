"""A working stage by stage: what a step is, the formula of its focused cell, its numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attn_study.demos.formulas import formula
from attn_study.demos.panels import Gap, Words
from attn_study.demos.picking import asks_axis, key_of, n_heads, name, within
from attn_study.demos.pictures import focused, shape, whole

if TYPE_CHECKING:
    from attn_study.attention.trace import Step, Trace
    from attn_study.demos.panels import Panel
    from attn_study.demos.working import Focus, Working


def stage(working: Working, step: str, focus: Focus, count: str = "") -> tuple[Panel, ...]:
    """Return one step, large: its name and shape, what it says, a formula, its numbers.

    `count` says which of the stages this is, such as `3 of 12`.
    """
    trace = working.trace
    shown = trace[step]
    panels: list[Panel] = [Words(f"{count}   {heading(shown)}".strip()), Words(shown.says), Gap()]
    made = formula(trace, step, focus)
    if made:
        panels += [Words(f"{cell(trace, shown, focus)}   {made}".strip()), Gap()]
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


def cell(trace: Trace, step: Step, focus: Focus) -> str:
    """Return which cell a formula is about: `“it” → “chicken”, head 2:`."""
    at = within(trace, focus)
    asks = asks_axis(trace)
    parts = []
    if asks in step.axes or step.name in {"x", "concat", "output", "residual"}:
        parts.append(name(trace, asks, at.query))
    if "keys" in step.axes:
        parts.append(name(trace, "keys", key_of(trace, at)))
    said = " → ".join(parts)
    head = f"head {at.head + 1}" if "heads" in step.axes and n_heads(trace) > 1 else ""
    both = ", ".join(part for part in (said, head) if part)
    return f"{both}:" if both else ""
