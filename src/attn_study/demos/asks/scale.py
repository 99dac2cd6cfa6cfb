"""Questions about the size of scores: their spread, a weight unscaled, temperature, slope."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from attn_study.attention.stages import softmax, temperature
from attn_study.demos.asks.one_head import WORDS, a_head, fit, weight_from_scores
from attn_study.demos.drawing import Dice, drawn
from attn_study.demos.panels import Ledger, Row
from attn_study.demos.parts import vector, written
from attn_study.demos.question import OUTPUT_TOLERANCE, WEIGHT_TOLERANCE, Asked
from attn_study.demos.setup import ONE_HEAD, Start, attended
from attn_study.demos.working import Focus, Working
from attn_study.demos.workings.scale import divided

if TYPE_CHECKING:
    from collections.abc import Mapping

    from attn_study.demos.question import Question

VARIANCE = "the variance: the standard deviation is its root"
OF_ONE = "the deviation of one component, not of the sum of all"
SCALED = "the weight with the division, which was to be left out"
AS_IT_IS = "the weight as it is, without the temperature"
MULTIPLIED = "what comes out when the scores are multiplied by the temperature"
WEIGHT = "the weight itself, not how fast it moves"
OTHERS = "what is left for the others, 1 - w"
TEMPERATURES = (0.25, 0.5, 2.0, 4.0)


def ask_std(seed: int) -> Asked:
    """Ask for the standard deviation of q · k at a d_k that is a square."""
    root = Dice("scale.std", seed).one(2, 32)
    d_k = root * root
    return Asked(
        prompt=(
            f"The components of q and k are independent, with mean 0 and variance 1, and "
            f"d_k = {d_k}. What is the standard deviation of q · k?"
        ),
        given=(),
        answer=float(root),
        tolerance=OUTPUT_TOLERANCE,
        wrong={VARIANCE: float(d_k), OF_ONE: 1.0},
        working=Working(divided(ONE_HEAD), ONE_HEAD.weights, ""),
        focus=Focus(1),
        because=f"a sum of {d_k} products of variance 1 has variance {d_k}: √{d_k} = {root}",
    )


def ask_unscaled(seed: int) -> Asked:
    """Ask for the weight that comes out when the division is forgotten."""

    def candidate(dice: Dice) -> Asked | None:
        begin, query = a_head(dice), dice.one(1, len(WORDS) - 2)
        return fit(_unscaled(begin, query, dice.one(0, query)))

    return drawn("scale.unscaled", seed, candidate, lambda: _unscaled(ONE_HEAD, 1, 1))


def _unscaled(begin: Start, query: int, key: int) -> Asked:
    right, wrong = attended(begin), attended(begin, "no-scale")
    asks, answers = begin.labels[query], begin.labels[key]
    scores = right["scores"].values[0, query, : query + 1]
    exps = np.exp(scores)
    total = float(scores.sum())
    others = {SCALED: float(right["weights"].values[0, query, key])}
    if total:
        others["no-softmax"] = float(scores[key]) / total
    return Asked(
        prompt=(
            f"d_k = {begin.projections.d_k}, and ÷ √d_k is forgotten. "
            f"What weight does “{asks}” give to “{answers}”?"
        ),
        given=(_row(begin, query, "q · k", vector(scores)),),
        answer=float(wrong["weights"].values[0, query, key]),
        tolerance=WEIGHT_TOLERANCE,
        wrong=others,
        working=Working(divided(begin), begin.weights, ""),
        focus=Focus(query),
        because=f"e^{written(float(scores[key]))} ÷ sum = {exps[key]:.4f} ÷ {exps.sum():.4f}",
        step="scores",
    )


def ask_temperature(seed: int) -> Asked:
    """Ask for a weight when the scores are divided by a temperature as well."""

    def candidate(dice: Dice) -> Asked | None:
        degrees = TEMPERATURES[dice.one(0, len(TEMPERATURES) - 1)]
        begin, query = a_head(dice), dice.one(1, len(WORDS) - 2)
        return fit(_warmed(begin, query, dice.one(0, query), degrees))

    return drawn("scale.temperature", seed, candidate, lambda: _warmed(ONE_HEAD, 2, 1, 0.25))


def _warmed(begin: Start, query: int, key: int, degrees: float) -> Asked:
    trace = divided(begin)
    asks, answers = begin.labels[query], begin.labels[key]
    scaled = trace["scaled_scores"].values[0, query, : query + 1]
    warm = temperature(scaled, degrees)
    exps = np.exp(warm)
    largest = np.isclose(scaled, scaled.max())
    return Asked(
        prompt=(
            f"A temperature of {degrees:g} divides these scores before softmax. "
            f"What weight does “{asks}” give to “{answers}”?"
        ),
        given=(_row(begin, query, "scaled", vector(scaled)),),
        answer=float(softmax(warm)[key]),
        tolerance=WEIGHT_TOLERANCE,
        wrong={
            AS_IT_IS: float(softmax(scaled)[key]),
            MULTIPLIED: float(softmax(scaled * degrees)[key]),
            "argmax": float(largest[key] / largest.sum()),
            "uniform": 1 / len(scaled),
        },
        working=Working(trace, begin.weights, ""),
        focus=Focus(query),
        because=f"e^{written(float(warm[key]))} ÷ sum = {exps[key]:.4f} ÷ {exps.sum():.4f}",
        step="scaled_scores",
    )


def ask_slope(seed: int) -> Asked:
    """Ask how fast a weight moves with its own score."""
    return drawn(
        "scale.slope", seed, lambda dice: fit(_slope(dice.one(550, 970))), lambda: _slope(900)
    )


def _slope(thousandths: int) -> Asked:
    weight = thousandths / 1000
    return Asked(
        prompt=(
            f"A key has the weight w = {weight:.3f}. How fast does w move with the key’s own "
            f"score: dw/ds?"
        ),
        given=(),
        answer=weight * (1 - weight),
        tolerance=WEIGHT_TOLERANCE,
        wrong={WEIGHT: weight, OTHERS: 1 - weight},
        working=Working(divided(ONE_HEAD), ONE_HEAD.weights, ""),
        focus=Focus(1),
        because=f"w (1 - w) = {weight:.3f} · {1 - weight:.3f}: near 1 little is left",
        step="slope",
    )


def _row(begin: Start, query: int, name: str, values: tuple[float, ...]) -> Ledger:
    seen = begin.labels[: query + 1]
    return Ledger(f"“{begin.labels[query]}” asks", seen, (Row(name, "", values),))


QUESTIONS: Mapping[str, Question] = {
    "std": ask_std,
    "weight": weight_from_scores("scale.weight", divided),
    "unscaled": ask_unscaled,
    "temperature": ask_temperature,
    "slope": ask_slope,
}
