"""Cross-attention: one sequence asks, another answers, and the pattern is oblong."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from attn_study.attention import examples
from attn_study.attention.tokens import Tokens, tokens
from attn_study.attention.toy import vectors
from attn_study.demos.asks.cross import QUESTIONS
from attn_study.demos.demo import Demo, Knob
from attn_study.demos.edits import edited
from attn_study.demos.panels import (
    Block,
    Gap,
    Grid,
    Grids,
    Ledger,
    Matrices,
    Panel,
    Pattern,
    Row,
    Words,
)
from attn_study.demos.parts import matrix, pattern, stages, vector
from attn_study.demos.setup import (
    D_K,
    D_MODEL,
    D_V,
    ONE_HEAD,
    SEED,
    SET,
    TEXT,
    by_name,
    changed,
    from_names,
    start,
)
from attn_study.demos.working import Focus, Working
from attn_study.demos.workings.cross import Pair, Side, crossed

if TYPE_CHECKING:
    from attn_study.attention.trace import Trace

EXAMPLE = Side(examples.TARGET_TOKENS, examples.Y)
TARGET, SOURCE = "target", "source"
MOST_ROWS = 8  # of the swapped pattern; more are told by their shape


def compute(
    *,
    text: str = "",
    target: str = "",
    swap: str = "no",
    mask: str = "none",
    set: str = "",
    mistake: str = "",
    **sizes: Any,
) -> Working:
    """Return the working of one head between two sequences.

    `target` asks and `text` answers; `swap` turns that round, `mask` adds a causal mask that has
    no place here, `set` sets single numbers of what then asks and answers. Raises UserError for
    sizes that cannot be, for a text without words and for numbers that are not there.
    """
    begin = _pair(text, target, sizes)
    if swap == "yes":
        begin = begin.turned
    begin = _edited(begin, set)
    trace = crossed(begin, causal=mask == "causal", mistake=mistake)
    notice = begin.remark or _notice(trace, swap, mask)
    knobs = {"text": text, "target": target, "swap": swap, "mask": mask, "set": set, **sizes}
    return Working(trace, f"{begin.weights} · d={begin.projections.d_model}", notice, knobs)


def _pair(text: str, target: str, sizes: dict[str, Any]) -> Pair:
    """Return target and source: the worked example, or own words under random weights."""
    if target and sizes.get("seed") is None:
        sizes = {**sizes, "seed": 0}
    begin = start(ONE_HEAD, text=text, **sizes)
    source, matrices = Side(begin.labels, begin.x), begin.projections
    if begin.is_example:
        return Pair(EXAMPLE, source, matrices, begin.weights)
    found = tokens(target) if target else Tokens(EXAMPLE.words)
    asks = Side(found.words, vectors(found.words, matrices.d_model, sizes.get("seed") or 0))
    remarks = (f"target: {found.says}" if found.says else "", begin.remark)
    return Pair(asks, source, matrices, begin.weights, "; ".join(filter(None, remarks)))


def _edited(pair: Pair, text: str) -> Pair:
    if not text:
        return pair
    inputs = {"x_queries": pair.asks.x, "x_keys": pair.answers.x, **by_name(pair.projections)}
    found = edited(inputs, text)
    return replace(
        pair,
        asks=replace(pair.asks, x=found["x_queries"]),
        answers=replace(pair.answers, x=found["x_keys"]),
        projections=from_names(pair.projections, found),
        weights=changed(pair.weights),
    )


def _called(words: tuple[tuple[str, ...], tuple[str, ...]], swap: str) -> tuple[str, str]:
    """Return what the sequence that asks and the one that answers are called."""
    known = {EXAMPLE.words: "German", ONE_HEAD.labels: "English"}
    if set(words) == set(known):
        return known[words[0]], known[words[1]]
    return (SOURCE, TARGET) if swap == "yes" else (TARGET, SOURCE)


def _notice(trace: Trace, swap: str, mask: str) -> str:
    words = trace.labels("queries"), trace.labels("keys")
    asks, answers = _called(words, swap)
    n, m = map(len, words)
    if swap == "yes":
        return f"{asks} asks: an output of {_rows(n)}, and {answers} has {m}: no match"
    if mask == "causal":
        hidden = int(np.isneginf(trace["masked_scores"].values[0, 0]).sum())
        if not hidden:
            return f"a causal mask has no place here; with one {answers} token it hides nothing"
        return (
            f"wrong mask: {hidden} of {m} hidden from “{words[0][0]}”, though all are there to read"
        )
    return f"{asks} asks, {answers} answers: weights [{n}×{m}], an output of {_rows(n)}"


def _rows(n: int) -> str:
    return "1 row" if n == 1 else f"{n} rows"


def panels(working: Working, focus: Focus) -> tuple[Panel, ...]:
    """Return both sequences with their roles, the oblong pattern, one row, the sources swapped."""
    trace, swap = working.trace, str(working.knobs.get("swap", "no"))
    words = trace.labels("queries"), trace.labels("keys")
    called = _called(words, swap)
    asks, answers = ("X", "Y") if swap == "yes" else ("Y", "X")
    queries = (
        Block(f"{called[0]} asks: {asks}", matrix(trace["x_queries"].values), "x", focus.query),
        Block(f"Q = {asks} W^Q", matrix(trace["query"].values[0]), "query"),
    )
    keys = (
        Block(f"{called[1]} answers: {answers}", matrix(trace["x_keys"].values), "x"),
        Block(f"K = {answers} W^K", matrix(trace["key"].values[0]), "key"),
        Block(f"V = {answers} W^V", matrix(trace["value"].values[0]), "value"),
    )
    shape = f"weights [{len(words[0])}×{len(words[1])}]"
    sums = "each column sums to 1" if focus.columns else "each row sums to 1"
    weights = pattern(trace, 0, f"{shape}, {sums}", focus.query)
    return (
        Matrices(words[0], queries),
        Matrices(words[1], keys),
        Gap(),
        Grids((weights,), "", focus.columns),
        Gap(),
        _row(trace, focus.query),
        _swapped(trace),
    )


def _row(trace: Trace, query: int) -> Ledger:
    words, keys = trace.labels("queries"), trace.labels("keys")
    d_k, d_v = trace["key"].values.shape[-1], trace["value"].values.shape[-1]
    score, _, mask, exp, weight = stages(trace, Focus(query), d_k)
    hidden = bool(np.isneginf(trace["masked_scores"].values[0, query]).any())
    head = vector(trace["head_output"].values[0, query])
    rows = (
        score,
        *((mask,) if hidden else ()),
        replace(exp, how=f"e^(score ÷ √{d_k})"),
        replace(weight, bars=False),
        Row("head", "Σ weight·v", head, f"[1×{d_v}]", "output"),
    )
    return Ledger(f"“{words[query]}” asks", keys, rows)


def _swapped(trace: Trace) -> Panel:
    """Return the pattern of the other way round, whose rows are not those of what asks here."""
    keys, queries = trace.labels("keys"), trace.labels("queries")
    values = matrix(trace["swapped_weights"].values[0])
    shape = f"[{len(keys)}×{len(queries)}]"
    told = f"{_rows(len(keys))}, not {len(queries)}"
    if len(keys) == len(queries):
        told = "as many rows by chance, of other words"
    if len(keys) > MOST_ROWS:
        return Words(f"swapped: weights {shape}, {told}")
    return Pattern("swapped", Grid(f"swapped {shape}", keys, queries, values), told)


DEMO = Demo(
    name="cross",
    knobs=(
        replace(TEXT, says="Your own words for the sequence that answers."),
        Knob("target", "", "Your own words for the sequence that asks."),
        Knob("swap", "no", "Whether the sources are swapped.", choices=("no", "yes")),
        Knob("mask", "none", "A mask that has no place here.", choices=("none", "causal")),
        D_MODEL,
        D_K,
        D_V,
        SEED,
        replace(SET, says="Single numbers: x_queries.1.2=3 w_k.1.2.1=-1."),
    ),
    compute=compute,
    panels=panels,
    questions=QUESTIONS,
    mistakes=(
        "swap-sources",
        "no-scale",
        "scale-d-k",
        "softmax-columns",
        "swap-q-k",
        "no-softmax",
        "values-are-keys",
    ),
    focus=Focus(query=-1),
    steps=(
        "x_queries",
        "x_keys",
        "query",
        "key",
        "value",
        "scores",
        "weights",
        "head_output",
        "output",
        "swapped_weights",
    ),
    examples=(
        "attn-study demo cross",
        "attn-study demo cross --swap yes",
        "attn-study demo cross --mask causal --query das",
        "attn-study demo cross --mistake swap-sources",
        'attn-study demo cross --text "the cat sleeps" --target "die Katze"',
    ),
)
