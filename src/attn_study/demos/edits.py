"""Single numbers of the inputs, set by hand in a text such as `x.3.1=2 w_q.1.2.1=-1`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from attn_study.attention.arrays import finite
from attn_study.errors import UserError, near

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from attn_study.attention.arrays import Array
    from attn_study.attention.trace import Trace

# The steps of a trace that a lesson starts from: what is set is named as it is shown.
INPUTS = ("x", "x_queries", "x_keys", "w_q", "w_k", "w_v", "w_o")
ENTRY = re.compile(r"([a-z_]+)((?:\.\d{1,4})+)=(\S+)")
SUCH = "x.3.1=2 or w_q.1.2.1=-1"


@dataclass(frozen=True, slots=True)
class Edit:
    """One number of one input; `place` counts from 1 on every axis of the array."""

    name: str
    place: tuple[int, ...]
    value: float

    def __str__(self) -> str:
        return f"{self.called}={self.value!r}".removesuffix(".0")

    @property
    def called(self) -> str:
        """The number that is set, such as `x.3.1`."""
        return ".".join((self.name, *map(str, self.place)))


def parse(text: str) -> tuple[Edit, ...]:
    """Read edits, apart by blanks or semicolons; UserError for what names no number."""
    found = []
    for entry in re.sub(r"\s*=\s*", "=", text).replace(";", " ").split():
        match = ENTRY.fullmatch(entry)
        if not match:
            raise UserError(f"set: {entry!r} names no number", hint=f"such as {SUCH}")
        place = tuple(int(part) for part in match[2][1:].split("."))
        found.append(Edit(match[1], place, _number(match[3], entry)))
    return tuple(found)


def write(edits: Iterable[Edit]) -> str:
    """Return the text of edits; of two of one number, the later one stays."""
    kept = {edit.called: edit for edit in edits}
    return " ".join(map(str, kept.values()))


def inputs_of(trace: Trace) -> dict[str, Array]:
    """Return the inputs that a trace shows, by the names that they are set by."""
    return {name: trace[name].values for name in INPUTS if name in trace}


def edited(arrays: Mapping[str, Array], text: str) -> dict[str, Array]:
    """Return the arrays with the numbers of a text set; the axis of a single head may be left out.

    Raises UserError for an array and a place that there is not, and for what is no number that
    can be computed with.
    """
    found = {name: np.array(values) for name, values in arrays.items()}
    for edit in parse(text):
        if edit.name not in found:
            hint = near(edit.name, found) or f"one of {', '.join(found)}"
            raise UserError(f"set: there is no input {edit.name!r}", hint=hint)
        values = found[edit.name]
        values[_index(edit, values)] = edit.value
    return {name: finite(name, values, values.ndim) for name, values in found.items()}


def _index(edit: Edit, values: Array) -> tuple[int, ...]:
    heads = (1,) if len(edit.place) + 1 == values.ndim and values.shape[0] == 1 else ()
    place = (*heads, *edit.place)
    fits = len(place) == values.ndim and all(
        1 <= at <= size for at, size in zip(place, values.shape, strict=True)
    )
    if not fits:
        last = ".".join(map(str, values.shape))
        raise UserError(
            f"set: {edit.name} has no number {edit.called.removeprefix(f'{edit.name}.')}",
            hint=f"from {edit.name}{'.1' * values.ndim} to {edit.name}.{last}",
        )
    return tuple(at - 1 for at in place)


def _number(text: str, entry: str) -> float:
    try:
        return float(text) + 0.0
    except ValueError:
        raise UserError(
            f"set: {text!r} in {entry!r} is not a number", hint=f"such as {SUCH}"
        ) from None
