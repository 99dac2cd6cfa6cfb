"""A computation with its working: named arrays on named axes, in order."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from attn_study.attention.arrays import Array, frozen
from attn_study.errors import UserError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import ArrayLike


@dataclass(frozen=True, slots=True, eq=False)
class Step:
    """One named array of a computation.

    `axes` names each axis of `values`, in order; `says` is one line on what the numbers mean;
    `labels` has, for some axes, one text an index (a repeated word is there repeatedly).
    `values` is float64 and read-only; -inf stands for "may not look", NaN and +inf are refused.
    """

    name: str
    axes: tuple[str, ...]
    values: Array
    says: str = ""
    labels: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        values = frozen(self.values)
        labels = {axis: tuple(texts) for axis, texts in self.labels.items()}
        object.__setattr__(self, "axes", tuple(self.axes))
        object.__setattr__(self, "values", values)
        object.__setattr__(self, "labels", MappingProxyType(labels))
        if len(self.axes) != values.ndim:
            raise _misfit(self, f"{len(self.axes)} axes are named, the array has {values.ndim}")
        if len(set(self.axes)) != len(self.axes):
            raise _misfit(self, "an axis is named twice")
        sizes = self.sizes
        for axis, texts in labels.items():
            if axis not in sizes:
                raise _misfit(self, f"{axis} has labels and is not an axis here")
            if len(texts) != sizes[axis]:
                raise _misfit(self, f"{axis} has {len(texts)} labels")
        if not np.all(values < np.inf):  # false for NaN as well
            raise UserError(f"step {self.name!r} holds a number that is not finite")

    @property
    def shape(self) -> tuple[int, ...]:
        """The size of each axis, in order."""
        return self.values.shape

    @property
    def sizes(self) -> dict[str, int]:
        """The size of each axis, by name."""
        return dict(zip(self.axes, self.values.shape, strict=True))


@dataclass(frozen=True, eq=False)
class Trace:
    """The steps of one computation, in order; every axis has one size and one set of labels.

    `trace["weights"]` is a step, `"weights" in trace` asks for one, iteration gives all.
    """

    steps: tuple[Step, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "steps", tuple(self.steps))
        _check(self.steps)

    def __getitem__(self, name: str) -> Step:
        try:
            return self._by_name[name]
        except KeyError:
            raise KeyError(f"no step {name!r} among {', '.join(self.names)}") from None

    def __contains__(self, name: object) -> bool:
        return name in self._by_name

    def __iter__(self) -> Iterator[Step]:
        return iter(self.steps)

    def __len__(self) -> int:
        return len(self.steps)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the steps, in order."""
        return tuple(self._by_name)

    @cached_property
    def sizes(self) -> Mapping[str, int]:
        """The size of every axis that any step has."""
        return MappingProxyType(
            {axis: size for step in self.steps for axis, size in step.sizes.items()}
        )

    @cached_property
    def _by_name(self) -> Mapping[str, Step]:
        return {step.name: step for step in self.steps}

    def labels(self, axis: str) -> tuple[str, ...]:
        """Return one text an index of the axis; empty if no step labels it."""
        return next((step.labels[axis] for step in self.steps if axis in step.labels), ())

    def add(
        self,
        name: str,
        axes: Sequence[str],
        values: ArrayLike,
        says: str = "",
        labels: Mapping[str, Sequence[str]] = MappingProxyType({}),
    ) -> Trace:
        """Return the trace with one more step.

        Raises `UserError`, with pattern, shape and reason, when the axes do not fit the array or
        an axis has another size or other labels than before, or when the name is taken.
        """
        texts = {axis: tuple(words) for axis, words in labels.items()}
        return Trace((*self.steps, Step(name, tuple(axes), np.asarray(values), says, texts)))


def _check(steps: tuple[Step, ...]) -> None:
    """Refuse the first step that contradicts one before it."""
    names: set[str] = set()
    sized: dict[str, tuple[int, str]] = {}
    labelled: dict[str, tuple[tuple[str, ...], str]] = {}
    for step in steps:
        if step.name in names:
            raise _misfit(step, "there is a step of that name already")
        names.add(step.name)
        for axis, size in step.sizes.items():
            known, where = sized.setdefault(axis, (size, step.name))
            if size != known:
                raise _misfit(step, f"{axis} is {known} in step {where!r}")
        for axis, texts in step.labels.items():
            others, where = labelled.setdefault(axis, (texts, step.name))
            if texts != others:
                raise _misfit(step, f"{axis} has other labels in step {where!r}")


def _misfit(step: Step, reason: str) -> UserError:
    return UserError(
        f"step {step.name!r}: ({' '.join(step.axes)}) does not fit "
        f"an array of shape {step.values.shape}: {reason}"
    )


def to_json(trace: Trace) -> list[dict[str, Any]]:
    """Return the steps as strict JSON values at full precision; -inf becomes null."""
    return [
        {
            "name": step.name,
            "axes": list(step.axes),
            "shape": list(step.shape),
            "labels": {axis: list(texts) for axis, texts in step.labels.items()},
            "says": step.says,
            "values": _nested(step.values),
        }
        for step in trace
    ]


def _nested(values: Array) -> Any:
    numbers = values.astype(object)
    numbers[values == -np.inf] = None
    return numbers.tolist()
