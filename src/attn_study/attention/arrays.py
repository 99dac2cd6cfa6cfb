"""The arrays of this room: float64, read-only, and finite where they come in."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

from attn_study.errors import UserError

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

Array: TypeAlias = NDArray[np.float64]
Mask: TypeAlias = NDArray[np.bool_]

LARGEST = 1e9  # products of five such numbers still fit a float64 many times over


def frozen(values: ArrayLike) -> Array:
    """Return a read-only float64 copy; a negative zero becomes zero."""
    array = np.array(values, dtype=np.float64) + 0.0
    array.setflags(write=False)
    return array


def finite(name: str, values: ArrayLike, n_axes: int) -> Array:
    """Return a read-only float64 copy of numbers that came from outside.

    Refuses, by `name`: what is not numbers, another number of axes, an axis of size 0, NaN,
    infinity, and anything beyond a thousand million either way.
    """
    array = _numbers(name, values)
    if array.ndim != n_axes or 0 in array.shape:
        raise UserError(
            f"{name} has shape {array.shape}",
            hint=f"give {n_axes} axes, each with at least one number",
        )
    if not np.all(np.abs(array) <= LARGEST):  # false for NaN as well
        raise UserError(
            f"{name} holds a number that is not finite, or too large to compute with",
            hint=f"give numbers from {-LARGEST:.0e} to {LARGEST:.0e}",
        )
    return array


def _numbers(name: str, values: ArrayLike) -> Array:
    try:
        array = np.asarray(values)
    except ValueError as error:
        raise UserError(f"the rows of {name} differ in length") from error
    if array.dtype.kind not in "biuf":
        raise UserError(f"{name} holds something that is not a number")
    with np.errstate(over="ignore"):  # a long double may be larger than any float64
        return frozen(array)
