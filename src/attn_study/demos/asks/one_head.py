"""Questions that several lessons ask about one attention head with freshly drawn numbers."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from attn_study.attention.arrays import frozen
from attn_study.attention.projections import Projections
from attn_study.demos.drawing import drawn
from attn_study.demos.panels import Ledger, Row, Words
from attn_study.demos.parts import open_row, vector, written
from attn_study.demos.question import (
    OUTPUT_TOLERANCE,
    WEIGHT_TOLERANCE,
    Asked,
    Question,
    told_apart,
)
from attn_study.demos.setup import ONE_HEAD, Start, attended
from attn_study.demos.working import Focus, Working

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from attn_study.attention.trace import Trace
    from attn_study.demos.drawing import Dice
    from attn_study.demos.panels import Panel

    _Shown = Callable[[Start], Trace]
    _Wrong = Mapping[str, float]
    _Maker = Callable[[Start, int, int, _Wrong], Asked]

WORDS = ("the", "chicken", "crossed", "it")
DRAWN = "drawn for this question"
ASKS = "asks ↓  answers →"
LEAST_SUM = 1  # of the exponentials: four decimals of smaller ones are too few to go on with
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


def fit(asked: Asked) -> Asked | None:
    """Return the question if its numbers tell every mistake apart, else None."""
    others = {name: float(value) for name, value in asked.wrong.items()}
    return asked if told_apart(float(asked.answer), others) else None


def asking(name: str, candidate: Callable[[Dice], Asked], stored: Callable[[], Asked]) -> Question:
    """Return a question for a number, drawn until its mistakes are told apart."""
    return lambda seed: drawn(name, seed, lambda dice: fit(candidate(dice)), stored)


def weight_from_scores(name: str, shown: _Shown = attended) -> Question:
    """Return the question for a weight, given every score before scaling.

    `shown` makes the trace that the lesson's panels show afterwards.
    """
    return _asking(name, "weights", OF_SCORES, _weight_from_scores, shown)


def weight_from_row(name: str, shown: _Shown = attended) -> Question:
    """Return the question for a weight, given one row of scaled scores; `shown` as above."""
    return _asking(name, "weights", OF_ROW, _weight_from_row, shown)


def output_from_weights(name: str, shown: _Shown = attended) -> Question:
    """Return the question for one number of the head's output; `shown` as above."""
    wrong = ("values-are-keys", "mask-zero-after")
    return _asking(name, "head_output", wrong, _output_from_weights, shown)


def _asking(
    name: str, step: str, mistakes: tuple[str, ...], make: _Maker, shown: _Shown
) -> Question:
    """Return the question for a number of a step, which every mistake makes another."""

    def candidate(dice: Dice) -> Asked | None:
        begin = a_head(dice)
        query = dice.one(1, len(WORDS) - 2)  # the last row hides what the mask does
        key = dice.one(0, query)
        right = attended(begin)
        if right["row_sum"].values[0, query] < LEAST_SUM:
            return None
        wrong: dict[str, float] = {}
        for mistake in mistakes:  # each costs a computation: none is made in vain
            wrong[mistake] = _number(attended(begin, mistake), step, query, key)
            if not told_apart(_number(right, step, query, key), wrong):
                return None
        return _showing(make(begin, query, key, wrong), shown(begin))

    def stored() -> Asked:
        wrong = {mistakes[0]: _number(attended(ONE_HEAD, mistakes[0]), step, 1, 1)}
        return _showing(make(ONE_HEAD, 1, 1, wrong), shown(ONE_HEAD))

    return lambda seed: drawn(name, seed, candidate, stored)


def _number(trace: Trace, step: str, query: int, key: int) -> float:
    """Return the number asked for: of a vector, the first for a key that is even, else the next."""
    row = trace[step].values[0, query]
    return float(row[key if step == "weights" else key % 2])


def _showing(asked: Asked, trace: Trace) -> Asked:
    return replace(asked, working=replace(asked.working, trace=trace))


def _weight_from_scores(begin: Start, query: int, key: int, wrong: _Wrong) -> Asked:
    """The solution starts from the scores: the row of the query, divided."""
    trace = attended(begin)
    scores = trace["scores"].values[0]
    rows = zip(begin.labels, scores, strict=True)
    scaled = trace["scaled_scores"].values[0, query]
    return _about_weight(
        begin,
        query,
        key,
        wrong,
        given=(
            Words("One causal head, d_k = 2. The scores q · k, not divided, not masked:"),
            Ledger(ASKS, begin.labels, tuple(Row(word, "", vector(row)) for word, row in rows)),
        ),
        first=Row("÷ √2", "", vector(scaled)),
    )


def _weight_from_row(begin: Start, query: int, key: int, wrong: _Wrong) -> Asked:
    """The solution starts from the mask: the scores are divided already."""
    scaled = attended(begin)["scaled_scores"].values[0, query]
    asks = begin.labels[query]
    seen = tuple("yes" if at <= query else "·" for at in range(len(begin.labels)))
    return _about_weight(
        begin,
        query,
        key,
        wrong,
        given=(
            Words(f"One causal head, d_k = 2. “{asks}” asks; its scores after ÷ √2:"),
            Ledger(ASKS, begin.labels, (Row(asks, "", vector(scaled)),)),
        ),
        first=Row("mask", "", seen),
    )


def _about_weight(
    begin: Start, query: int, key: int, wrong: _Wrong, given: tuple[Panel, ...], first: Row
) -> Asked:
    right = attended(begin)
    asks, answers = begin.labels[query], begin.labels[key]
    masked, exp, weights = (
        right[step].values[0, query] for step in ("masked_scores", "exp", "weights")
    )
    quotient = f"{exp[key]:.4f} ÷ {exp.sum():.4f}"
    way = (
        first,
        Row("exp", "", open_row(exp, masked), f"sum {exp.sum():.4f}"),
        Row("weight", "", open_row(weights, masked), quotient, "weights"),
    )
    return Asked(
        prompt=f"What weight does “{asks}” give to “{answers}”?",
        given=given,
        answer=float(weights[key]),
        tolerance=WEIGHT_TOLERANCE,
        wrong=wrong,
        working=Working(right, begin.weights, ""),
        focus=Focus(query),
        because=f"e^{written(float(masked[key]))} = {exp[key]:.4f}",
        step="weights",
        solution=(Ledger(f"“{asks}”", begin.labels, way),),
    )


def _output_from_weights(begin: Start, query: int, key: int, wrong: _Wrong) -> Asked:
    """`key` only says which of the two numbers is asked for."""
    right = attended(begin)
    at = key % 2
    asks = begin.labels[query]
    seen = slice(0, query + 1)
    weights = right["weights"].values[0, query, seen]
    values = right["value"].values[0, seen]
    terms = weights * values[:, at]
    rows = (
        Row(f"{asks} weighs", "", vector(weights), role="weights"),
        Row("value", "", tuple(vector(v) for v in values), role="value"),
        Row("key", "", tuple(vector(k) for k in right["key"].values[0, seen]), role="key"),
    )
    ordinal = ("first", "second")[at]
    return Asked(
        prompt=f"What is the {ordinal} number of the head’s output for “{asks}”?",
        given=(Ledger("answers →", begin.labels[seen], rows),),
        answer=_number(right, "head_output", query, key),
        tolerance=OUTPUT_TOLERANCE,
        wrong=wrong,
        working=Working(right, begin.weights, ""),
        focus=Focus(query),
        because="Σ weight · value",
        step="head_output",
        solution=(
            Ledger(
                f"“{asks}”",
                begin.labels[seen],
                (
                    Row("value", ordinal, vector(values[:, at]), role="value"),
                    Row("times", "weight", vector(terms), f"sum {written(float(terms.sum()))}"),
                ),
            ),
        ),
    )
