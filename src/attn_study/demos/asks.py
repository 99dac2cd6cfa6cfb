"""Questions that several lessons ask about one attention head with freshly drawn numbers."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from attn_study.attention.arrays import frozen
from attn_study.attention.projections import Projections
from attn_study.demos.demo import Focus, Working
from attn_study.demos.drawing import drawn
from attn_study.demos.panels import Grids, Ledger, Row
from attn_study.demos.parts import grid, vector
from attn_study.demos.question import (
    OUTPUT_TOLERANCE,
    WEIGHT_TOLERANCE,
    Asked,
    Question,
    told_apart,
)
from attn_study.demos.setup import ONE_HEAD, Start, attended

if TYPE_CHECKING:
    from collections.abc import Callable

    from attn_study.demos.drawing import Dice
    from attn_study.demos.panels import Panel

    _Maker = Callable[[Start, int, int, tuple[str, ...]], Asked]

WORDS = ("the", "chicken", "crossed", "it")
DRAWN = "drawn for this question"
# What can go wrong between the scores and the weights. Masking the weights late is not told from
# not masking at all by a cell that may be seen: that has a question of its own, on the row sum.
OF_SCORES = (
    "no-scale",
    "scale-d-k",
    "scale-d-model",
    "no-mask",
    "mask-zero-before",
    "softmax-columns",
    "mask-wrong-side",
)
# What can go wrong between the scaled scores of one row and its weights.
OF_ROW = ("no-mask", "mask-zero-before", "no-softmax")


def a_head(dice: Dice) -> Start:
    """Return four words under small whole numbers, with d_k = 2 and d_model from 6 to 8.

    Then √d_k, d_k and √d_model are all different, and so are the mistakes that mix them up.
    """
    d_model = dice.one(6, 8)
    shapes = ((d_model, 2), (d_model, 2), (d_model, 2), (2, d_model))
    w_q, w_k, w_v, w_o = (dice.whole(-1, 1, *shape) for shape in shapes)
    x = frozen(dice.whole(0, 2, len(WORDS), d_model))
    return Start(WORDS, x, Projections.from_matrices(w_q, w_k, w_v, w_o), DRAWN)


def weight_from_scores(name: str) -> Question:
    """Return the question for a weight, given every score before scaling."""
    return _asking(name, OF_SCORES, _weight_from_scores)


def weight_from_row(name: str) -> Question:
    """Return the question for a weight, given one row of scaled scores."""
    return _asking(name, OF_ROW, _weight_from_row)


def output_from_weights(name: str) -> Question:
    """Return the question for one number of the head's output, given weights and values."""
    return _asking(name, ("values-are-keys", "mask-zero-after"), _output_from_weights)


def _asking(name: str, wrong: tuple[str, ...], make: _Maker) -> Question:
    def candidate(dice: Dice) -> Asked | None:
        begin = a_head(dice)
        query = dice.one(1, len(WORDS) - 2)  # the last row hides what the mask does
        asked = make(begin, query, dice.one(0, query), wrong)
        others = {key: float(value) for key, value in asked.wrong.items()}
        return asked if told_apart(float(asked.answer), others) else None

    def ask(seed: int) -> Asked:
        return drawn(name, seed, candidate, lambda: make(ONE_HEAD, 1, 1, wrong[:1]))

    return ask


def _weight_from_scores(begin: Start, query: int, key: int, wrong: tuple[str, ...]) -> Asked:
    scores = grid(attended(begin), "scores", 0, "q · k", query)
    return _about_weight(
        begin,
        query,
        key,
        wrong,
        given=(Grids((replace(scores, digits=0),), "before ÷ √d_k, before the mask"),),
        setting="One causal head, d_k = 2.",
    )


def _weight_from_row(begin: Start, query: int, key: int, wrong: tuple[str, ...]) -> Asked:
    scaled = attended(begin)["scaled_scores"].values[0, query]
    asks = begin.labels[query]
    return _about_weight(
        begin,
        query,
        key,
        wrong,
        given=(Ledger("answers →", begin.labels, (Row(f"{asks} asks", "", vector(scaled)),)),),
        setting="One causal head; the scores are divided by √d_k already.",
    )


def _about_weight(
    begin: Start,
    query: int,
    key: int,
    wrong: tuple[str, ...],
    given: tuple[Panel, ...],
    setting: str,
) -> Asked:
    right = attended(begin)
    asks, answers = begin.labels[query], begin.labels[key]
    return Asked(
        prompt=f"{setting} What weight does “{asks}” give to “{answers}”?",
        given=given,
        answer=float(right["weights"].values[0, query, key]),
        tolerance=WEIGHT_TOLERANCE,
        wrong={
            name: float(attended(begin, name)["weights"].values[0, query, key]) for name in wrong
        },
        working=Working(right, begin.weights, ""),
        focus=Focus(query),
        step="weights",
    )


def _output_from_weights(begin: Start, query: int, key: int, wrong: tuple[str, ...]) -> Asked:
    """`key` only says which of the two numbers is asked for."""
    right = attended(begin)
    at = key % 2
    asks = begin.labels[query]
    seen = slice(0, query + 1)
    weights = right["weights"].values[0, query, seen]
    rows = (
        Row(f"{asks} weighs", "", vector(weights), role="weights"),
        Row("value", "", tuple(vector(v) for v in right["value"].values[0, seen]), role="value"),
        Row("key", "", tuple(vector(k) for k in right["key"].values[0, seen]), role="key"),
    )
    ordinal = ("first", "second")[at]
    return Asked(
        prompt=f"What is the {ordinal} number of the head’s output for “{asks}”?",
        given=(Ledger("answers →", begin.labels[seen], rows),),
        answer=float(right["head_output"].values[0, query, at]),
        tolerance=OUTPUT_TOLERANCE,
        wrong={
            name: float(attended(begin, name)["head_output"].values[0, query, at]) for name in wrong
        },
        working=Working(right, begin.weights, ""),
        focus=Focus(query),
        step="head_output",
    )
