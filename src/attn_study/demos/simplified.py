"""Attention without projections: weights from dot products alone, and the blend they make."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from attn_study.attention.arrays import frozen
from attn_study.attention.examples import TOKENS, X
from attn_study.attention.stages import softmax
from attn_study.demos.asks import DRAWN, WORDS
from attn_study.demos.demo import Demo, Focus, Knob, Working
from attn_study.demos.drawing import Dice, drawn
from attn_study.demos.panels import Block, Gap, Grid, Grids, Ledger, Matrices, Row, Words
from attn_study.demos.parts import exponent, matrix, open_row, pattern, product, vector, written
from attn_study.demos.plainly import attended, plain
from attn_study.demos.question import OUTPUT_TOLERANCE, WEIGHT_TOLERANCE, Asked, told_apart
from attn_study.demos.setup import D_MODEL, SEED, TEXT, Start, start

if TYPE_CHECKING:
    from collections.abc import Callable

    from attn_study.attention.arrays import Array
    from attn_study.attention.trace import Trace
    from attn_study.demos.panels import Panel
    from attn_study.demos.question import Question

    _Maker = Callable[[Trace, int, int], Asked | None]

MISTAKES = (
    "no-mask",
    "mask-zero-before",
    "mask-zero-after",
    "softmax-columns",
    "no-softmax",
    "mask-wrong-side",
)
# The words of the worked example, and one whose vector is so short that another word wins.
SHORT = (0, 1, 0, 0)
EXAMPLE = Start(
    (*TOKENS, "was"), frozen([*X.tolist(), SHORT]), plain(4), "toy vectors, set by hand"
)
FIRST = 4  # numbers of a vector that are written out

LONGER = "the word itself, but the longer vector has the larger dot product here"
ONE_SCORE = "what comes out when that one score grows and the others do not"
NOTHING = "what only -∞ gives: a score of 0 becomes e^0 = 1"
ITSELF = "the word’s own number, as if nothing had been blended in"


def compute(
    *,
    text: str = "",
    d_model: int | None = None,
    seed: int | None = None,
    temperature: float = 1.0,
    mistake: str = "",
) -> Working:
    """Return the working over the example, or over own words with random vectors.

    Raises UserError for sizes, seeds and temperatures that cannot be.
    """
    begin = start(EXAMPLE, text=text, d_model=d_model, seed=seed)
    trace = attended(begin.labels, begin.x, mistake, temperature)
    knobs = {"text": text, "d_model": d_model, "seed": seed, "temperature": temperature}
    weights = f"{begin.weights} · d={begin.x.shape[1]}"
    return Working(trace, weights, begin.remark or _notice(trace), knobs)


def _notice(trace: Trace) -> str:
    weights, words = trace["weights"].values, trace.labels("queries")
    if len(words) == 1:
        return f"“{words[0]}” stands alone: all it can take is itself"
    # equal words tie, and no word is beaten by its own copy
    beaten = [at for at, row in enumerate(weights) if row[at] < row.max() - 1e-9]
    if not beaten:
        return "every word takes most from itself: its dot product with itself is the largest"
    last = beaten[-1]
    wins = words[int(np.argmax(weights[last]))]
    rest = "the others take most from themselves" if len(beaten) == 1 else "nor is it the only one"
    return f"“{words[last]}” takes most from “{wins}”, whose vector is longer; {rest}"


def panels(working: Working, focus: Focus) -> tuple[Panel, ...]:
    """Return the vectors beside the whole pattern, then the focused row in full."""
    trace, query = working.trace, focus.query
    words, x = trace.labels("queries"), trace["x"].values
    masked = trace["masked_scores"].values[query]
    weights = trace["weights"].values[query]
    most = int(np.argmax(weights))
    ledger = Ledger(
        f"“{words[query]}” asks, these answer",
        words,
        (*_scores(working, query), *_weights(trace, query), *_blend(trace, query, masked)),
    )
    spread = written(float(trace["effective"].values[query]), 2)
    return (
        Grids((_vectors(x, words, query), pattern(trace, 0, "weights: rows sum to 1", query)), ""),
        Gap(),
        Words(f"score of “{words[most]}”: x · x = {product(x[query], x[most])}"),
        ledger,
        Words(f"Softmax shares, it does not pick: this row is spread like {spread} equal weights."),
    )


def _vectors(x: Array, words: tuple[str, ...], query: int) -> Grid:
    d_model = x.shape[1]
    shown = x[:, :FIRST]
    digits = 0 if (shown == np.round(shown)).all() else 2
    title = f"X [{len(words)}×{d_model}]" + (f", first {FIRST}" if d_model > FIRST else "")
    columns = tuple(str(at + 1) for at in range(shown.shape[1]))
    return Grid(title, words, columns, matrix(shown), "x", query, digits)


def _scores(working: Working, query: int) -> tuple[Row, ...]:
    trace = working.trace
    masked = trace["masked_scores"].values[query]
    scores = Row("score", "x · x", open_row(trace["scores"].values[query], masked), role="scores")
    if "scaled_scores" not in trace:
        return (scores,)
    how = f"÷ {working.knobs['temperature']:g}"
    scaled = open_row(trace["scaled_scores"].values[query], masked)
    return (scores, Row("scaled", how, scaled, role="scores"))


def _weights(trace: Trace, query: int) -> tuple[Row, Row]:
    masked = trace["masked_scores"].values[query]
    weights = trace["weights"].values[query]
    exp = open_row(trace["exp"].values[query], masked)
    how = exponent(masked, "scaled" if "scaled_scores" in trace else "score")
    return (
        Row("exp", how, exp, f"sum {float(trace['row_sum'].values[query]):.4f}"),
        Row(
            "weight",
            "exp ÷ sum",
            open_row(weights, masked),
            f"sum {weights.sum():.4f}",
            "weights",
            bars=True,
        ),
    )


def _blend(trace: Trace, query: int, masked: Array) -> tuple[Row, Row]:
    d_model = trace["x"].values.shape[1]
    part = f"first {FIRST} of {d_model}" if d_model > FIRST else ""
    terms = trace["terms"].values[query, :, :FIRST]
    open_terms = tuple(
        None if out else vector(term) for term, out in zip(terms, np.isneginf(masked), strict=True)
    )
    output = vector(trace["output"].values[query, :FIRST])
    return (
        Row("times x", "weight × x", open_terms, part),
        Row("output", "sum of those", output, part or f"[1×{d_model}]", "output"),
    )


def _fresh(name: str, make: _Maker) -> Question:
    """Return a question over four words with small whole numbers, about an inner word."""

    def candidate(dice: Dice) -> Asked | None:
        trace = attended(WORDS, frozen(dice.whole(-1, 2, len(WORDS), 3)))
        query = dice.one(1, len(WORDS) - 2)  # the last row hides what the mask does
        asked = make(trace, query, dice.one(0, query - 1))
        if asked is None or isinstance(asked.answer, str):
            return asked
        others = {key: float(value) for key, value in asked.wrong.items()}
        return asked if told_apart(asked.answer, others) else None

    def ask(seed: int) -> Asked:
        # the stored example is always fit: one of 500 draws has been, for every seed tried
        stored = attended(EXAMPLE.labels, EXAMPLE.x)
        return drawn(name, seed, candidate, lambda: _stored(make, stored))

    return ask
