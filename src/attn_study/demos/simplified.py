"""Attention without projections: weights from dot products alone, and the blend they make."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from attn_study.demos.asks.simplified import QUESTIONS
from attn_study.demos.demo import Demo
from attn_study.demos.panels import Gap, Grid, Grids, Ledger, Row, Words
from attn_study.demos.parts import exponent, matrix, open_row, pattern, product, vector, written
from attn_study.demos.setup import D_MODEL, SEED, SET, TEMPERATURE, TEXT, start
from attn_study.demos.working import Focus, Working
from attn_study.demos.workings.simplified import EXAMPLE, attended

if TYPE_CHECKING:
    from attn_study.attention.arrays import Array
    from attn_study.attention.trace import Trace
    from attn_study.demos.panels import Panel

MISTAKES = (
    "no-mask",
    "mask-zero-before",
    "mask-zero-after",
    "softmax-columns",
    "no-softmax",
    "mask-wrong-side",
)
FIRST = 4  # numbers of a vector that are written out


def compute(
    *,
    text: str = "",
    d_model: int | None = None,
    seed: int | None = None,
    temperature: float = 1.0,
    set: str = "",
    mistake: str = "",
) -> Working:
    """Return the working over the example, or over own words with random vectors.

    Raises UserError for sizes, seeds and temperatures that cannot be.
    """
    begin = start(EXAMPLE, text=text, d_model=d_model, seed=seed).edited(set, ("x",))
    trace = attended(begin.labels, begin.x, mistake, temperature)
    knobs = {
        "text": text,
        "d_model": d_model,
        "seed": seed,
        "temperature": temperature,
        "set": set,
    }
    weights = f"{begin.weights} · d={begin.x.shape[1]}"
    return Working(trace, weights, begin.remark or _notice(trace), knobs)


def _notice(trace: Trace) -> str:
    weights, words = trace["weights"].values, trace.labels("queries")
    if len(words) == 1:
        return f"“{words[0]}” stands alone: all it can take is itself"
    # equal words tie, and no word is beaten by its own copy
    beaten = [at for at, row in enumerate(weights) if row[at] < row.max() - 1e-9]
    if not beaten:
        return "no word takes more from another than from itself"
    last = beaten[-1]
    wins = words[int(np.argmax(weights[last]))]
    return f"“{words[last]}”, a short vector, takes most from “{wins}”, not from itself"


def panels(working: Working, focus: Focus) -> tuple[Panel, ...]:
    """Return the vectors beside the whole pattern, then the focused row in full."""
    trace, query = working.trace, focus.query
    words, x = trace.labels("queries"), trace["x"].values
    most = int(np.argmax(trace["weights"].values[query]))
    rows = (*_scores(working, query), *_weights(trace, query), *_blend(trace, query))
    spread = written(float(trace["effective"].values[query]), 2)
    return (
        Grids((_vectors(x, words, query), pattern(trace, 0, "weights: rows sum to 1", query)), ""),
        Gap(),
        Words(f"score of “{words[most]}”: x · x = {product(x[query], x[most])}"),
        Ledger(f"“{words[query]}” asks, these answer", words, rows),
        Words(f"Softmax shares, it does not pick: this row is spread like {spread} equal weights."),
    )


def _vectors(x: Array, words: tuple[str, ...], query: int) -> Grid:
    shown = x[:, :FIRST]
    digits = 0 if (shown == np.round(shown)).all() else 2
    title = f"X [{x.shape[0]}×{x.shape[1]}]" + (f", first {FIRST}" if x.shape[1] > FIRST else "")
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
    remark = f"sum {weights.sum():.4f}"
    return (
        Row("exp", how, exp, f"sum {float(trace['row_sum'].values[query]):.4f}"),
        Row("weight", "exp ÷ sum", open_row(weights, masked), remark, "weights", bars=True),
    )


def _blend(trace: Trace, query: int) -> tuple[Row, Row]:
    hidden = np.isneginf(trace["masked_scores"].values[query])
    d_model = trace["x"].values.shape[1]
    shape = f"first {FIRST} of {d_model}" if d_model > FIRST else f"[1×{d_model}]"
    terms = trace["terms"].values[query, :, :FIRST]
    shown = tuple(None if out else vector(term) for term, out in zip(terms, hidden, strict=True))
    output = vector(trace["output"].values[query, :FIRST])
    return (
        Row("times x", "weight × x", shown),
        Row("output", "sum of those", output, shape, "output"),
    )


DEMO = Demo(
    name="simplified",
    knobs=(
        TEXT,
        D_MODEL,
        SEED,
        TEMPERATURE,
        replace(SET, says="Single numbers, such as x.3.1=2 x.1.4=0."),
    ),
    compute=compute,
    panels=panels,
    questions=QUESTIONS,
    mistakes=MISTAKES,
    focus=Focus(query=-1),
    examples=(
        "attn-study demo simplified",
        "attn-study demo simplified --query it",
        "attn-study demo simplified --temperature 0.25",
        "attn-study demo simplified --predict --seed 3",
        'attn-study demo simplified --text "the cat saw the dog" --seed 1',
    ),
)
