"""Questions about values: what one adds, what a weight of it is worth, what its map costs."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from attn_study.attention.arrays import frozen
from attn_study.attention.counts import Architecture
from attn_study.attention.projections import Projections
from attn_study.demos.asks.one_head import DRAWN, WORDS, a_head, asking
from attn_study.demos.drawing import drawn
from attn_study.demos.panels import Block, Ledger, Matrices, Row
from attn_study.demos.parts import matrix, vector, written
from attn_study.demos.picking import names
from attn_study.demos.question import OUTPUT_TOLERANCE, WEIGHT_TOLERANCE, Asked
from attn_study.demos.setup import ONE_HEAD, Start, start
from attn_study.demos.working import Focus, Working
from attn_study.demos.workings.values import carried

if TYPE_CHECKING:
    from collections.abc import Callable

    from attn_study.attention.trace import Trace
    from attn_study.demos.drawing import Dice
    from attn_study.demos.question import Question

LAST = len(WORDS) - 1
SINK = 0.85  # a weight of nearly everything


def _given(trace: Trace, query: int) -> Ledger:
    """Return the weights of one query with the values they weigh."""
    seen = slice(0, query + 1)
    words = trace.labels("keys")[seen]
    values = tuple(vector(value) for value in trace["value"].values[0, seen])
    return Ledger(
        f"“{trace.labels('queries')[query]}” asks",
        words,
        (
            Row("weight", "", vector(trace["weights"].values[0, query, seen]), role="weights"),
            Row("value", "", values, role="value"),
        ),
    )


def _of_a_cell(make: Callable[[Start, int, int], Asked]) -> Callable[[Dice], Asked]:
    """Return a draw of one head, with a query after the first and a key that it may see."""

    def candidate(dice: Dice) -> Asked:
        query = dice.one(1, LAST)
        return make(a_head(dice), query, dice.one(0, query))

    return candidate


def _length(begin: Start, query: int, key: int) -> Asked:
    trace = carried(begin)
    weight, value = float(trace["weights"].values[0, query, key]), trace["value"].values[0, key]
    size = float(np.sqrt(value @ value))
    return Asked(
        prompt=f"What is the length of what “{begin.labels[key]}” adds, weight × value?",
        given=(_given(trace, query),),
        answer=weight * size,
        tolerance=OUTPUT_TOLERANCE,
        wrong={
            "the weight alone": weight,
            "the size of the value, not weighted": size,
            "the sum of its numbers, not their length": weight * float(np.abs(value).sum()),
            "the square of the length": (weight * size) ** 2,
        },
        working=Working(trace, begin.weights, ""),
        focus=Focus(query),
        step="effect",
        because=f"{weight:.4f} · √({' + '.join(f'{written(abs(v))}²' for v in value)})",
    )


def _zeroed(begin: Start, query: int, key: int) -> Asked:
    before, trace = carried(begin), carried(begin, key)
    asks, word = begin.labels[query], begin.labels[key]
    weight = float(trace["weights"].values[0, query, key])
    return Asked(
        prompt=f"The value of “{word}” is set to zero. What weight does “{asks}” give it now?",
        given=(_given(before, query),),
        answer=weight,
        tolerance=WEIGHT_TOLERANCE,
        wrong={"its effect, not its weight": 0.0, "the weight of all the others": 1.0 - weight},
        working=Working(trace, begin.weights, ""),
        focus=Focus(query),
        step="weights",
        because="Weights come from queries and keys alone; a value of 0 only adds nothing.",
    )


def _equal(first: float, second: float, asks: tuple[tuple[float, ...], ...]) -> Asked:
    """Ask for an output when all four values are the same; `asks` is W^Q without its last row."""
    x = frozen(np.hstack([np.eye(4), np.ones((4, 1))]))
    w_k = [[1, 0], [0, 1], [1, 1], [0, 0], [0, 0]]
    w_v = np.vstack([np.zeros((4, 2)), [[first, second]]])
    w_o = [[1, 0, 0, 0, 0], [0, 1, 0, 0, 0]]
    w_q = np.vstack([asks, [[0, 0]]])
    begin = Start(WORDS, x, Projections.from_matrices(w_q, w_k, w_v, w_o), DRAWN)
    trace = carried(begin)
    largest = float(trace["weights"].values[0, LAST].max())
    return Asked(
        prompt=f"What is the first number of the head’s output for “{WORDS[LAST]}”?",
        given=(_given(trace, LAST),),
        answer=float(trace["head_output"].values[0, LAST, 0]),
        tolerance=OUTPUT_TOLERANCE,
        wrong={
            "one term of the sum, that of the largest weight": largest * first,
            "a value divided by the number of tokens": first / len(WORDS),
            "the values added without weights": first * len(WORDS),
        },
        working=Working(trace, begin.weights, ""),
        focus=Focus(LAST),
        step="head_output",
        because="The weights sum to 1: where all values are equal, every pattern gives the same.",
    )


def _draw_equal(dice: Dice) -> Asked:
    first, second = dice.one(2, 6), dice.one(-3, 3)
    return _equal(first, second, matrix(dice.whole(-2, 2, 4, 2)))


def _nothing(begin: Start, query: int, key: int) -> Asked:
    trace = carried(begin, key)
    weight = float(trace["weights"].values[0, query, key])
    word, shown = begin.labels[key], _given(trace, query)
    return Asked(
        prompt=(
            f"“{word}” has a weight of {weight:.2f}. Can it still add nothing? "
            "Type the value that does it, both numbers, or no."
        ),
        given=(replace(shown, rows=shown.rows[:1]),),
        answer="0, 0",
        wrong={
            "the weight taken for the effect": "no",
            "one number only: a value has d_v = 2 here": "0",
        },
        working=Working(trace, begin.weights, ""),
        focus=Focus(query),
        step="effect",
        because=f"{weight:.2f} · (0, 0) = (0, 0): it is looked at, and adds nothing.",
    )


def ask_nothing(seed: int) -> Asked:
    """Ask for the value with which a weight of nearly 1 adds nothing."""

    def candidate(dice: Dice) -> Asked | None:
        begin, query = a_head(dice), dice.one(1, LAST)
        weights = carried(begin)["weights"].values[0, query]
        key = int(np.argmax(weights))
        is_sink = SINK <= weights[key] < 0.995
        return _nothing(begin, query, key) if is_sink else None

    return drawn("values.nothing", seed, candidate, lambda: _nothing(ONE_HEAD, 1, 1))


def _added(begin: Start, query: int, at: int) -> Asked:
    trace = carried(begin)
    x, change = trace["x"].values[query], trace["output"].values[query]
    rows = (Row("x", "", vector(x), role="x"), Row("change", "head · W^O", vector(change)))
    return Asked(
        prompt=f"What is number {at + 1} of “{begin.labels[query]}” after attention?",
        given=(Ledger("", names(trace, "d_model"), rows),),
        answer=float(x[at] + change[at]),
        tolerance=OUTPUT_TOLERANCE,
        wrong={
            "the change alone, as if it replaced x": float(change[at]),
            "x alone, as if nothing were added": float(x[at]),
        },
        working=Working(trace, begin.weights, ""),
        focus=Focus(query),
        step="residual",
    )


def _draw_added(dice: Dice) -> Asked:
    begin = a_head(dice)
    return _added(begin, dice.one(1, LAST), dice.one(0, begin.projections.d_model - 1))


def _rank(down: tuple[tuple[float, ...], ...], up: tuple[tuple[float, ...], ...]) -> Asked:
    d, d_v = len(down), len(up)
    dull = [[0] * d_v] * d
    begin = Start(
        WORDS, frozen(np.eye(4, d)), Projections.from_matrices(dull, dull, down, up), DRAWN
    )
    trace = carried(begin)
    blocks = (Block("down W^V", down, "value"), Block("up W^O", up, "output"))
    return Asked(
        prompt=f"W^V W^O is [{d}×{d}]. What is its rank?",
        given=(Matrices(names(trace, "d_model"), blocks),),
        answer=float(trace["rank"].values[0]),
        wrong={
            "the width of the map, not its rank": float(d),
            "the widths of down and up added": float(2 * d_v),
            "the number of entries of W^V": float(d * d_v),
        },
        working=Working(trace, begin.weights, ""),
        focus=Focus(LAST),
        step="value_map",
        because=f"All goes through {d_v} numbers, so no more than {d_v} directions come out.",
    )


def ask_rank(seed: int) -> Asked:
    """Ask for the rank of a factored map, which is d_v where neither factor is poorer."""

    def candidate(dice: Dice) -> Asked | None:
        d, d_v = dice.one(5, 8), dice.one(2, 3)
        asked = _rank(matrix(dice.whole(-1, 1, d, d_v)), matrix(dice.whole(-1, 1, d_v, d)))
        return asked if asked.answer == d_v and d != 2 * d_v else None

    stored = ONE_HEAD.projections
    return drawn(
        "values.rank", seed, candidate, lambda: _rank(matrix(stored.w_v[0]), matrix(stored.w_o))
    )


def _sized(d: int, d_v: int) -> tuple[Architecture, Working]:
    begin = start(ONE_HEAD, d_model=d, d_k=d_v, d_v=d_v)
    return Architecture(d, 1, 1, d_v, d_v), Working(carried(begin), begin.weights, "")


def _saving(d: int, d_v: int) -> Asked:
    size, working = _sized(d, d_v)
    return Asked(
        prompt=(
            f"d = {d}, d_v = {d_v}. How many numbers does one head save with value-down and "
            "value-up in place of a full d × d map?"
        ),
        given=(),
        answer=float(size.saved_head),
        wrong={
            "the size of the pair, not what it saves": float(size.factored_value),
            "the size of the full map": float(size.full_value),
            "the saving if the way up cost nothing": float(size.full_value - size.value),
        },
        working=working,
        focus=Focus(-1),
        because=f"{d}² - 2 · {d} · {d_v} = {size.full_value:,} - {size.factored_value:,}",
    )


def _draw_saving(dice: Dice) -> Asked:
    d = 4 * dice.one(2, 16)
    return _saving(d, dice.one(1, d // 2 - 1))


def _break_even(d: int) -> Asked:
    _, working = _sized(d, d // 2)
    return Asked(
        prompt=f"d = {d}. At which d_v are value-down and value-up as many numbers as a full map?",
        given=(),
        answer=float(d // 2),
        wrong={
            "the width itself, where the pair is twice the full map": float(d),
            "where the pair is half the full map": d / 4,
        },
        working=working,
        focus=Focus(-1),
        because=f"d² = 2 · d · d_v at d_v = d/2: {d}² = 2 · {d} · {d // 2} = {d * d:,}",
    )


QUESTIONS: dict[str, Question] = {
    "length": asking("values.length", _of_a_cell(_length), lambda: _length(ONE_HEAD, 2, 1)),
    "zeroed": asking("values.zeroed", _of_a_cell(_zeroed), lambda: _zeroed(ONE_HEAD, 2, 1)),
    "equal": asking(
        "values.equal", _draw_equal, lambda: _equal(3, -1, ((1, 0), (0, 1), (1, 1), (2, 0)))
    ),
    "nothing": ask_nothing,
    "added": asking("values.added", _draw_added, lambda: _added(ONE_HEAD, 2, 3)),
    "rank": ask_rank,
    "saving": asking("values.saving", _draw_saving, lambda: _saving(8, 2)),
    "break-even": asking(
        "values.break-even", lambda dice: _break_even(2 * dice.one(3, 32)), lambda: _break_even(8)
    ),
}
