"""Fresh numbers for a question: drawn until the right answer and every mistake differ."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from attn_study.attention.dice import stream
from attn_study.demos.question import MOST_DRAWS, Asked

if TYPE_CHECKING:
    from collections.abc import Callable

    from attn_study.attention.arrays import Array


class Dice:
    """Whole numbers from a seed, the same on every machine."""

    def __init__(self, name: str, seed: int) -> None:
        self._bits = stream("question", name, seed)

    def whole(self, least: int, most: int, *shape: int) -> Array:
        """Return whole numbers from `least` to `most`, both included, of that shape."""
        span = np.uint64(most - least + 1)
        upper = self._bits.random_raw(shape) >> np.uint64(32)
        return ((upper * span) >> np.uint64(32)).astype(np.float64) + least

    def one(self, least: int, most: int) -> int:
        """Return one whole number from `least` to `most`."""
        return int(self.whole(least, most, 1)[0])


def drawn(
    name: str,
    seed: int,
    candidate: Callable[[Dice], Asked | None],
    stored: Callable[[], Asked],
    most: int | None = None,
) -> Asked:
    """Return the first candidate that is fit to be asked, or the stored one.

    A candidate is None when its numbers do not tell the mistakes apart; after `most` of those,
    `MOST_DRAWS` where it is not given, the stored example is asked.
    """
    dice = Dice(name, seed)
    for _ in range(MOST_DRAWS if most is None else most):
        asked = candidate(dice)
        if asked is not None:
            return asked
    return stored()
