"""How well recall was foretold: the three measures with which FSRS is compared elsewhere.

Log loss and RMSE(bins) are better when smaller, AUC when larger. The bins and their bases are
those that the authors of FSRS publish with their benchmark of schedulers.
"""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

SUREST = 1e-7  # a forecast of 0 or 1 that fails would cost endlessly much
# How each count is put into bins whose width grows by this factor
ELAPSED_BASE, REVIEWS_BASE, LAPSES_BASE = 3.62, 1.89, 1.73


@dataclass(frozen=True, slots=True)
class Foretold:
    """One review: the recall foretold, from 0 to 1, whether it passed, and what came before it.

    `elapsed` are the days since the review before; `reviews` counts the card's reviews, this one
    included; `lapses` those before it that failed, the first one left aside.
    """

    recall: float
    passed: bool
    elapsed: int
    reviews: int
    lapses: int


@dataclass(frozen=True, slots=True)
class Score:
    """How well recall was foretold. `auc` is None where all reviews passed, or none did."""

    log_loss: float
    rmse: float
    auc: float | None


def scored(foretold: Sequence[Foretold]) -> Score:
    """Return the measures over these reviews, of which there must be one."""
    return Score(_log_loss(foretold), _rmse(foretold), _auc(foretold))


def _log_loss(foretold: Sequence[Foretold]) -> float:
    """Return the mean of -log of the probability given to what happened."""
    lost = 0.0
    for one in foretold:
        recall = min(max(one.recall, SUREST), 1 - SUREST)
        lost -= math.log(recall if one.passed else 1 - recall)
    return lost / len(foretold)


def _rmse(foretold: Sequence[Foretold]) -> float:
    """Return how far forecast and share passed lie apart in reviews of one kind.

    The root of the mean square, each bin weighted with its reviews.
    """
    bins: dict[tuple[int, int, int], list[float]] = defaultdict(lambda: [0.0, 0.0])
    for one in foretold:
        found = bins[_bin(one)]
        found[0] += one.recall - one.passed
        found[1] += 1
    squares = sum(apart * apart / count for apart, count in bins.values())
    return math.sqrt(squares / len(foretold))


def _bin(one: Foretold) -> tuple[int, int, int]:
    return (
        _step(one.elapsed, ELAPSED_BASE),
        _step(one.reviews, REVIEWS_BASE),
        _step(one.lapses, LAPSES_BASE),
    )


def _step(count: int, base: float) -> int:
    """Return the power of `base` below a count, -1 for a count of 0."""
    return math.floor(math.log(count, base)) if count > 0 else -1


def _auc(foretold: Sequence[Foretold]) -> float | None:
    """Return how likely a passed review was given a higher recall than a failed one.

    Counted from ranks, a tie as a half.
    """
    passed = sum(one.passed for one in foretold)
    failed = len(foretold) - passed
    if not passed or not failed:
        return None
    pairs = below = 0.0  # `below` counts the failed reviews with a lower recall
    for _, alike in groupby(sorted(foretold, key=_recall), key=_recall):
        group = list(alike)
        won = sum(one.passed for one in group)
        lost = len(group) - won
        pairs += won * (below + lost / 2)
        below += lost
    return pairs / (passed * failed)


def _recall(one: Foretold) -> float:
    return one.recall
