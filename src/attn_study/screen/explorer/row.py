"""One query of a working: what each key weighs for it, and what the weights carry back."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from attn_study.demos.parts import vector
from attn_study.demos.picking import asks_axis, name, names, pick

if TYPE_CHECKING:
    from collections.abc import Sequence

    from attn_study.attention.trace import Trace
    from attn_study.demos.working import Focus

PATTERN = ("queries", "keys")
APART = {"heads", "layers"}  # one pattern each
Number = float | None  # None: it may not be looked at


@dataclass(frozen=True, slots=True)
class Row:
    """The focused row: for each key its name, its weight, its value and weight × value.

    `step` names the stage in view where that has a number for each key, in `stage`. `right` has
    the weights of the right way where a mistake is made, and is empty where they cannot be set
    beside. `total` is what the terms add up to; `values`, `terms` and `total` are empty where the
    lesson sums nothing.
    """

    asks: str
    keys: tuple[str, ...]
    focus: int
    weights: tuple[Number, ...]
    step: str = ""
    stage: tuple[Number, ...] = ()
    right: tuple[Number, ...] = ()
    values: tuple[tuple[float, ...], ...] = ()
    terms: tuple[tuple[float, ...], ...] = ()
    total: tuple[float, ...] = ()

    @property
    def weight_sum(self) -> float:
        """What the weights add up to."""
        return sum(weight for weight in self.weights if weight is not None)


def layers(trace: Trace) -> tuple[str, ...]:
    """Return the steps with a weight for each query and key, one a layer, or one for all."""
    if is_pattern(trace, "weights"):
        return ("weights",)
    known = (step for step in trace.names if step.startswith("weights_"))
    return tuple(step for step in known if is_pattern(trace, step))


def n_layers(trace: Trace) -> int:
    """Return how many layers have weights; 0 where there are none."""
    steps = layers(trace)
    return trace.sizes.get("layers", len(steps)) if steps else 0


def weights_of(trace: Trace, layer: int) -> str:
    """Return the step with the weights of a layer, from 0; empty where there are none."""
    steps = layers(trace)
    return steps[min(layer, len(steps) - 1)] if steps else ""


def is_example(trace: Trace, stages: Sequence[str]) -> bool:
    """Return whether a lesson begins with something that no token has a part in.

    What asks and answers in it is an example then.
    """
    tokens = {"queries", "keys", "tokens", "heads", "moments"}
    return bool(layers(trace) and stages) and not tokens & {*trace[stages[0]].axes}


def first_step(trace: Trace, stages: Sequence[str]) -> str:
    """Return the stage that is in view first, empty where nothing asks."""
    weights = weights_of(trace, 0)
    known = weights in stages and not is_example(trace, stages)
    return weights if known or not weights else stages[0]


def key_in(trace: Trace, focus: Focus, layer: int = 0) -> int:
    """Return the key in focus: the one chosen, else the one that the query weighs most."""
    weights = weights_of(trace, layer)
    if focus.key is not None or not weights:
        return focus.key or 0
    row = _at(trace, weights, focus, layer)
    return row.index(max(row))


def is_pattern(trace: Trace, step: str) -> bool:
    """Return whether a step has one number for each query and key."""
    if step not in trace:
        return False
    return tuple(axis for axis in trace[step].axes if axis not in APART) == PATTERN


def row_of(
    trace: Trace, focus: Focus, layer: int = 0, step: str = "", right: Trace | None = None
) -> Row | None:
    """Return the focused row of a working; None for one without weights.

    `step` is the stage in view; `right` is the right way where this one is wrong.
    """
    weights = weights_of(trace, layer)
    if not is_pattern(trace, weights):
        return None
    hidden = hidden_of(trace, weights, focus, layer)
    beside = step if is_pattern(trace, step) and step != weights else ""
    values, terms = _carried(trace, weights, focus, layer)
    return Row(
        asks=name(trace, asks_axis(trace), focus.query),
        keys=names(trace, "keys"),
        focus=key_in(trace, focus, layer),
        weights=_open(trace, weights, focus, layer, hidden),
        step=beside,
        stage=_open(trace, beside, focus, layer, ()) if beside else (),
        right=_right(right, trace, weights, focus, layer),
        values=values,
        terms=terms,
        total=tuple(map(sum, zip(*terms, strict=True))),
    )


def hidden_of(trace: Trace, weights: str, focus: Focus, layer: int) -> tuple[bool, ...]:
    """Return for each key whether the query may not look at it; none where that is not known."""
    step = weights.replace("weights", "masked_scores")
    if step not in trace:
        return ()
    return tuple(math.isinf(value) for value in _at(trace, step, focus, layer))


def _at(trace: Trace, step: str, focus: Focus, layer: int) -> tuple[float, ...]:
    return vector(pick(trace[step], layers=layer, heads=focus.head, queries=focus.query))


def _open(
    trace: Trace, step: str, focus: Focus, layer: int, hidden: tuple[bool, ...]
) -> tuple[Number, ...]:
    """Return a row of numbers with None for what is hidden and has no number of its own."""
    found = _at(trace, step, focus, layer)
    out = hidden or (False,) * len(found)
    return tuple(
        None if math.isinf(value) or (gone and value == 0) else value
        for value, gone in zip(found, out, strict=True)
    )


def _right(
    right: Trace | None, wrong: Trace, step: str, focus: Focus, layer: int
) -> tuple[Number, ...]:
    if right is None or step not in right or right[step].shape != wrong[step].shape:
        return ()
    return _open(right, step, focus, layer, hidden_of(right, step, focus, layer))


def _carried(
    trace: Trace, weights: str, focus: Focus, layer: int
) -> tuple[tuple[tuple[float, ...], ...], tuple[tuple[float, ...], ...]]:
    """Return the value of each key and weight × value, empty where nothing is summed."""
    suffix = weights.removeprefix("weights")
    value = f"value{suffix}" if f"value{suffix}" in trace else "x"
    if value not in trace or (value == "x" and "terms" not in trace):
        return (), ()
    values = tuple(map(vector, pick(trace[value], layers=layer, heads=focus.head)))
    row = _at(trace, weights, focus, layer)
    terms = tuple(
        tuple(weight * part for part in each) for weight, each in zip(row, values, strict=True)
    )
    return values, terms
