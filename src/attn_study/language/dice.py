"""Choices that hang on a seed alone: the same with every Python."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

Some = TypeVar("Some")


def pick(rng: Random, options: Sequence[Some]) -> Some:
    """Return one of the options, all equally likely."""
    return options[int(rng.random() * len(options))]


def several(rng: Random, options: Sequence[Some], n: int) -> list[Some]:
    """Return `n` different options in a random order."""
    left = list(options)
    return [left.pop(int(rng.random() * len(left))) for _ in range(n)]


def happens(rng: Random, share: float) -> bool:
    """Return True in that share of all calls."""
    return rng.random() < share
