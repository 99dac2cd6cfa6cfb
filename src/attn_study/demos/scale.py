"""Why scores are divided by √d_k: how they spread, and what is left to learn from."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from attn_study.attention.spread import WIDTHS, spread
from attn_study.demos.asks.scale import QUESTIONS
from attn_study.demos.demo import Demo, Knob
from attn_study.demos.panels import Gap, Ledger, Row
from attn_study.demos.parts import open_row, vector, written
from attn_study.demos.setup import ONE_HEAD
from attn_study.demos.working import Focus, Working
from attn_study.demos.workings.scale import divided

if TYPE_CHECKING:
    from collections.abc import Sequence

    from attn_study.attention.spread import Spread
    from attn_study.attention.trace import Trace
    from attn_study.demos.panels import Panel

# How many queries are drawn: as many as a tenth of a second allows for all four widths.
MOST_GROUPS = 250  # of as many queries as keys
MOST_SLOPES = 1_500_000  # queries × keys²: how each weight moves with each score
MOST_NUMBERS = 750_000  # queries × d_k
WAYS = ("raw", "÷ √d_k")
MEASURES = {
    "entropy_share": "entropy of the weights ÷ ln keys, the mean over the queries",
    "largest": "the largest weight of a query, the mean over the queries",
    "saturated": "the share of queries with a weight over 0.99",
    "jacobian_median": "size of d weights ÷ d scores (Frobenius), the median over the queries",
}
SHOWN = {
    "entropy_share": ("entropy", "1: all equal"),
    "largest": ("largest w", "mean"),
    "saturated": ("w > 0.99", "of queries"),
    "jacobian_median": ("gradient", "median"),
}
TINY = 1e-6
SIX = 6  # decimals: at d_k = 512 almost nothing is left


def compute(*, d_k: int | None = None, keys: int = 8, seed: int = 0, mistake: str = "") -> Working:
    """Return the experiment at four widths, and one head of the worked example.

    `d_k` is one of the widths shown then, `keys` how many keys a query sees. The mistake is made
    in the worked example. Raises UserError for sizes and seeds that cannot be.
    """
    widths = _widths(d_k)
    found = [
        spread(width, n_keys=keys, n_queries=_n_queries(width, keys), seed=seed) for width in widths
    ]
    trace = _with_experiment(divided(ONE_HEAD, mistake), found)
    knobs = {"d_k": d_k, "keys": keys, "seed": seed}
    weights = f"q, k random, seed {seed} · {keys} keys"
    return Working(trace, weights, _notice(found[widths.index(d_k or widths[-1])]), knobs)


def _widths(d_k: int | None) -> tuple[int, ...]:
    if d_k is None or d_k in WIDTHS:
        return WIDTHS
    return tuple(sorted({4, 64, 512, d_k}))


def _n_queries(d_k: int, keys: int) -> int:
    return min(MOST_GROUPS * keys, MOST_SLOPES // max(1, keys) ** 2, MOST_NUMBERS // max(1, d_k))


def _with_experiment(trace: Trace, found: Sequence[Spread]) -> Trace:
    labels = {"widths": tuple(str(each.d_k) for each in found)}
    variances = [each.variance for each in found]
    trace = trace.add("variance", ("widths",), variances, "the variance of q · k", labels)
    deviations = [each.std for each in found]
    trace = trace.add("std", ("widths",), deviations, "its root: near √d_k", labels)
    both = [[each.raw for each in found], [each.scaled for each in found]]
    for name, says in MEASURES.items():
        values = [[getattr(each, name) for each in row] for row in both]
        trace = trace.add(name, ("ways", "widths"), values, says, {**labels, "ways": WAYS})
    return trace


def _notice(at: Spread) -> str:
    raw, scaled = at.raw.jacobian_median, at.scaled.jacobian_median
    if raw >= scaled / 2:
        return f"at d_k = {at.d_k} dividing hardly matters: gradients {raw:.3f} and {scaled:.3f}"
    if raw < TINY:
        return f"at d_k = {at.d_k} the raw gradient is under {TINY:f}: nothing is left of it"
    times = f"{scaled / raw:,.0f} times smaller"
    return f"at d_k = {at.d_k} the raw gradient is {times} than the scaled"


def panels(working: Working, focus: Focus) -> tuple[Panel, ...]:
    """Return the experiment, if the working has one, and the row of one head under each divisor."""
    trace = working.trace
    head = _one_row(trace, focus.query)
    if "variance" not in trace:
        return (head,)
    return (_experiment(trace, working.knobs.get("d_k")), Gap(), head)


def _experiment(trace: Trace, asked: object) -> Ledger:
    widths = trace.labels("widths")
    columns = tuple(f"{'▸ ' if width == str(asked) else ''}d_k={width}" for width in widths)
    rows = [
        Row("variance", "of q · k", vector(trace["variance"].values), digits=2),
        Row("std", "near √d_k", vector(trace["std"].values), digits=2),
    ]
    for step, (name, remark) in SHOWN.items():
        for way, values in zip(WAYS, trace[step].values, strict=True):
            is_first = way == WAYS[0]
            rows.append(
                Row(
                    name if is_first else "",
                    way,
                    vector(values),
                    remark if is_first else "",
                    digits=SIX if step == "jacobian_median" else 3,
                    bars=step == "entropy_share",
                )
            )
    return Ledger("random q and k", columns, tuple(rows))


def _one_row(trace: Trace, query: int) -> Ledger:
    words, masked = trace.labels("keys"), trace["masked_scores"].values[0, query]
    weights, slopes = trace["divided_weights"].values, trace["slope"].values
    scores = open_row(trace["scores"].values[0, query], masked)
    rows = [Row("score", "q · k", scores, "slope of the largest: w(1-w)")]
    for at, (name, mark) in _divisors(trace).items():
        most = int(np.argmax(weights[at, query]))
        slope = f"slope {written(float(slopes[at, query, most]))}"
        rows.append(Row(name, mark, open_row(weights[at, query], masked), slope, "weights"))
    return Ledger(f"“{words[query]}” asks", words, tuple(rows))


def _divisors(trace: Trace) -> dict[int, tuple[str, str]]:
    """Return what is divided by, and whether it is right, for each divisor that is shown."""
    d_k, d_model = trace.sizes["d_k"], trace.sizes["d_model"]
    shown = {0: (f"÷ √d_k = √{d_k}", "✓"), 1: ("÷ 1", "✗")}
    if d_k * d_k == d_model:  # then the two mistakes are one
        return shown | {2: (f"÷ d_k = √d_model = {d_k}", "✗")}
    return shown | {2: (f"÷ d_k = {d_k}", "✗"), 3: (f"÷ √d_model = √{d_model}", "✗")}


DEMO = Demo(
    name="scale",
    knobs=(
        Knob("d_k", None, "Width of queries and keys to look at.", kind=int, least=1, most=1024),
        Knob("keys", 8, "How many keys a query sees.", kind=int, least=2, most=64),
        Knob("seed", 0, "Other random queries and keys.", kind=int, least=0, most=2**63 - 1),
    ),
    compute=compute,
    panels=panels,
    questions=QUESTIONS,
    mistakes=("no-scale", "scale-d-k", "scale-d-model"),
    focus=Focus(query=1),
    steps=("variance", "std", *MEASURES, "scores", "scaled_scores", "weights", "slope"),
    examples=(
        "attn-study demo scale",
        "attn-study demo scale --d-k 64",
        "attn-study demo scale --keys 64",
        "attn-study demo scale --mistake no-scale --query chicken",
        "attn-study demo scale --predict --seed 2",
    ),
)
