"""Questions about attention without projections: a weight, the winner, the blend, a score of 0."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from attn_study.attention.arrays import frozen
from attn_study.attention.pieces import lengths
from attn_study.attention.stages import softmax
from attn_study.demos.asks.one_head import DRAWN, WORDS, fit
from attn_study.demos.drawing import Dice, drawn
from attn_study.demos.panels import Block, Ledger, Matrices, Row
from attn_study.demos.parts import matrix, open_row, product, vector, written
from attn_study.demos.question import OUTPUT_TOLERANCE, WEIGHT_TOLERANCE, Asked
from attn_study.demos.working import Focus, Working
from attn_study.demos.workings.simplified import EXAMPLE, attended

if TYPE_CHECKING:
    from collections.abc import Mapping

    from attn_study.attention.trace import Trace
    from attn_study.demos.panels import Panel
    from attn_study.demos.question import Question

OF_WEIGHT = ("no-mask", "mask-zero-before", "softmax-columns", "no-softmax")
OF_BLEND = ("argmax", "uniform")
ITSELF = "the word itself: but a longer vector has the larger dot product here"
LONGEST = "the longest vector, but it points another way"
UNCHANGED = "the word’s own number, as if nothing had been blended in"
ONE_SCORE = "what comes out when only that one score grows"
NOTHING = "what only -∞ gives: a score of 0 becomes e^0 = 1, and weighs"
WORKED = attended(EXAMPLE.labels, EXAMPLE.x)


def ask_weight(seed: int) -> Asked:
    """Ask for the weight of an earlier word, given the vectors alone."""
    return drawn(
        "simplified.weight",
        seed,
        lambda dice: fit(_weight(_fresh(dice), *_pair(dice), OF_WEIGHT)),
        lambda: _weight(WORKED, 1, 1, OF_WEIGHT[:1]),
    )


def _weight(trace: Trace, query: int, key: int, wrong: tuple[str, ...]) -> Asked:
    words = trace.labels("keys")
    x = trace["x"].values
    return _about_weight(
        trace,
        (query, key),
        "Without projections, not scaled, later words hidden.",
        (Matrices(words, (Block("X", matrix(x), "x", query),)),),
        {name: float(attended(words, x, name)["weights"].values[query, key]) for name in wrong},
    )


def ask_most(seed: int) -> Asked:
    """Ask which word gets the largest weight; for every other seed it is not the word itself."""
    return drawn(
        "simplified.most",
        seed,
        lambda dice: _most(_fresh(dice), dice.one(1, len(WORDS) - 2), loses=seed % 2 == 0),
        lambda: _winner(WORKED, 3, "chicken", {ITSELF: "was"}),
    )


def _most(trace: Trace, query: int, *, loses: bool) -> Asked | None:
    words, x = trace.labels("keys"), trace["x"].values
    scores = trace["scores"].values[query]
    seen, sizes = scores[: query + 1], lengths(x[: query + 1])
    best, longest = int(np.argmax(seen)), int(np.argmax(sizes))
    if (seen == seen[best]).sum() > 1 or (best != query) != loses:
        return None
    wrong = {ITSELF: words[query]} if loses else {}
    if (scores == scores.max()).sum() == 1 and scores.max() > seen[best]:
        wrong["no-mask"] = words[int(np.argmax(scores))]
    if not loses and longest != best:
        wrong[LONGEST] = words[longest]
    return _winner(trace, query, words[best], wrong) if wrong else None


def _winner(trace: Trace, query: int, best: str, wrong: Mapping[str, str]) -> Asked:
    words, x = trace.labels("keys"), trace["x"].values
    scores = ", ".join(
        f"{words[key]} {written(float(x[query] @ x[key]))}" for key in range(query + 1)
    )
    return Asked(
        prompt=f"Which word gets the largest weight from “{words[query]}”?  (later words hidden)",
        given=(Matrices(words, (Block("X", matrix(x), "x", query),)),),
        answer=best,
        wrong=wrong,
        working=Working(trace, DRAWN, ""),
        focus=Focus(query),
        because=f"the largest dot product wins: {scores}",
        step="weights",
    )


def ask_blend(seed: int) -> Asked:
    """Ask for one number of the output, given the weights and the vectors."""
    return drawn(
        "simplified.blend",
        seed,
        lambda dice: fit(_blend(_fresh(dice), dice.one(1, 2), dice.one(0, 2), OF_BLEND)),
        lambda: _blend(WORKED, 3, 1, OF_BLEND),
    )


def _blend(trace: Trace, query: int, at: int, wrong: tuple[str, ...]) -> Asked:
    words, x = trace.labels("keys"), trace["x"].values
    seen = slice(0, query + 1)
    weights = trace["weights"].values[query, seen]
    rows = (
        Row("weight", "", vector(weights), role="weights"),
        Row("x", "", tuple(vector(each) for each in x[seen]), role="x"),
    )
    answer = float(trace["output"].values[query, at])
    others = {name: float(attended(words, x, name)["output"].values[query, at]) for name in wrong}
    return Asked(
        prompt=f"What is the {('first', 'second', 'third')[at]} number of the output for "
        f"“{words[query]}”?",
        given=(Ledger(f"“{words[query]}” asks", words[seen], rows),),
        answer=answer,
        tolerance=OUTPUT_TOLERANCE,
        wrong={**others, UNCHANGED: float(x[query, at])},
        working=Working(trace, DRAWN, ""),
        focus=Focus(query),
        because=f"the sum over the words: {product(weights, x[seen, at], 4)}",
        step="output",
    )


def ask_constant(seed: int) -> Asked:
    """Ask what becomes of a weight when every score of its row grows by the same."""
    return drawn(
        "simplified.constant",
        seed,
        lambda dice: fit(_constant(_fresh(dice), *_pair(dice), dice.one(2, 9))),
        lambda: _constant(WORKED, 3, 1, 7),
    )


def _constant(trace: Trace, query: int, key: int, more: int) -> Asked:
    scores = trace["scores"].values[query, : query + 1]
    one = scores + more * np.eye(query + 1)[key]
    # the wrong readings take the new scores, so the numbers shown are those before
    wrong = {ONE_SCORE: float(softmax(one)[key])}
    total = float((scores + more).sum())
    if total:
        wrong["no-softmax"] = float((scores[key] + more) / total)
    setting = f"Every score of the row grows by {more}."
    return _about_weight(trace, (query, key), setting, (_scores(trace, query),), wrong)


def ask_zero(seed: int) -> Asked:
    """Ask for the weight of a word whose score is 0."""
    return drawn("simplified.zero", seed, _zero, lambda: _about_zero(WORKED, 3, 0))


def _zero(dice: Dice) -> Asked | None:
    trace, query, key = _fresh(dice), 2, dice.one(0, 1)
    scores = trace["scores"].values[query, : query + 1]
    if scores[key] != 0 or not scores.any():
        return None
    return fit(_about_zero(trace, query, key))


def _about_zero(trace: Trace, query: int, key: int) -> Asked:
    words, n_seen = trace.labels("keys"), query + 1
    setting = f"“{words[key]}” has a score of 0."
    wrong = {NOTHING: 0.0, "uniform": 1 / n_seen}
    return _about_weight(trace, (query, key), setting, (_scores(trace, query),), wrong)


def _about_weight(
    trace: Trace,
    pair: tuple[int, int],
    setting: str,
    given: tuple[Panel, ...],
    wrong: Mapping[str, float],
) -> Asked:
    query, key = pair
    words = trace.labels("keys")
    exp, total = trace["exp"].values[query, key], trace["row_sum"].values[query]
    weight = float(trace["weights"].values[query, key])
    return Asked(
        prompt=f"{setting} What weight does “{words[query]}” give to “{words[key]}”?",
        given=given,
        answer=weight,
        tolerance=WEIGHT_TOLERANCE,
        wrong=wrong,
        working=Working(trace, DRAWN, ""),
        focus=Focus(query),
        because=f"{exp:.4f} ÷ {total:.4f} = {weight:.4f}",
        step="weights",
        solution=(_worked(trace, query),),
    )


def _scores(trace: Trace, query: int) -> Ledger:
    words = trace.labels("keys")[: query + 1]
    scores = vector(trace["scores"].values[query, : query + 1])
    return Ledger(f"“{trace.labels('queries')[query]}” asks", words, (Row("score", "", scores),))


def _worked(trace: Trace, query: int) -> Ledger:
    masked = trace["masked_scores"].values[query]
    rows = (
        Row("score", "x · x", open_row(trace["scores"].values[query], masked)),
        Row("exp", "e^score", open_row(trace["exp"].values[query], masked),
            f"sum {trace['row_sum'].values[query]:.4f}"),
        Row("weight", "exp ÷ sum", open_row(trace["weights"].values[query], masked)),
    )  # fmt: skip
    return Ledger(f"“{trace.labels('queries')[query]}” asks", trace.labels("keys"), rows)


def _fresh(dice: Dice) -> Trace:
    return attended(WORDS, frozen(dice.whole(-1, 2, len(WORDS), 3)))


def _pair(dice: Dice) -> tuple[int, int]:
    """Return an inner word, whose row shows what the mask does, and a word before it."""
    query = dice.one(1, len(WORDS) - 2)
    return query, dice.one(0, query - 1)


QUESTIONS: Mapping[str, Question] = {
    "weight": ask_weight,
    "most": ask_most,
    "blend": ask_blend,
    "constant": ask_constant,
    "zero": ask_zero,
}
