"""Several heads read the same words: side by side, through W^O, and at no higher price."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from attn_study.attention.counts import Architecture
from attn_study.demos.asks.multihead import QUESTIONS
from attn_study.demos.demo import Demo
from attn_study.demos.panels import Gap, Grids, Ledger, Panel, Row, Value, Words
from attn_study.demos.parts import pattern, vector
from attn_study.demos.picking import n_heads
from attn_study.demos.setup import (
    D_K,
    D_MODEL,
    D_V,
    HEADS,
    OWN,
    SEED,
    SET,
    TEMPERATURE,
    TEXT,
    TWO_HEADS,
    start,
)
from attn_study.demos.trained import multihead as trained
from attn_study.demos.trained import multihead_panels
from attn_study.demos.trained.layer import MODEL_KNOBS
from attn_study.demos.trained_or_toy import TOY, TRAINED, WEIGHTS, complete, refuse, weights
from attn_study.demos.working import Focus, Working
from attn_study.demos.workings.multihead import two_ways

if TYPE_CHECKING:
    from attn_study.attention.arrays import Array
    from attn_study.attention.trace import Trace

TOGETHER = 6  # numbers of all heads that stand in one line
PAIR = 2  # heads shown at a time
MOST_SHOWN = 8  # numbers of an output
ALIKE = 0.5e-4  # what the screen shows as one number
COUNTED = 4  # numbers of heads whose price is shown
RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def compute(
    *,
    weights: str = TOY,
    case: str | None = None,
    noun: str | None = None,
    place: str | None = None,
    adjective: str | None = None,
    word: str = "",
    layer: int | None = None,
    mistake: str = "",
    **sizes: Any,
) -> Working:
    """Return the working of several causal heads: set by hand, random, or of the trained model.

    The last has `next_word` too (words): the share of every word when the layer adds this output.
    Raises UserError for sizes that cannot be, and for a word that does not fit the sentence.
    """
    model: dict[str, Any] = {"case": case, "layer": layer, "noun": noun, "place": place}
    model |= {"adjective": adjective, "word": word}
    if weights == TRAINED:
        return complete(trained.compute(**model, mistake=mistake, **sizes), DEMO)
    refuse(model, (), TOY)
    begin = start(TWO_HEADS, **sizes)
    trace = two_ways(begin, mistake)
    notice = begin.remark or _notice(trace)
    header = f"{begin.weights} · A={begin.projections.n_heads}"
    return complete(Working(trace, header, notice, {WEIGHTS: TOY, **sizes}), DEMO)


def _notice(trace: Trace) -> str:
    """Return where the heads look for the last token."""
    words, weights = trace.labels("keys"), trace["weights"].values[:, -1]
    most = [int(at) for at in np.argmax(weights, axis=-1)]
    asks, first = words[-1], words[most[0]]
    if len(most) == 1:
        return f"one head has one pattern: “{asks}” looks most at {first}"
    if len(set(most)) == 1:
        return f"for “{asks}”, all heads look most at {first}, each with its own values"
    if len(most) == PAIR:
        other = words[most[1]]
        return f"for “{asks}”, head 1 looks at {first} and head 2 at {other}; both are kept"
    return f"for “{asks}”, {len(most)} heads look at {len(set(most))} tokens; all are kept"


def panels(working: Working, focus: Focus) -> tuple[Panel, ...]:
    """Return two patterns, the focused row of each, the output in two ways, and the price."""
    if working.knobs.get(WEIGHTS) == TRAINED:
        return multihead_panels.panels(working, focus)
    trace = working.trace
    shown = _shown(trace, focus.head)
    grids = tuple(pattern(trace, head, f"head {head + 1}", focus.query) for head in shown)
    margin = "each column sums to 1" if focus.columns else "each row sums to 1"
    if len(shown) < n_heads(trace):
        margin += f"; heads {shown[0] + 1} and {shown[-1] + 1} of {n_heads(trace)}"
    return (
        Grids(grids, margin, focus.columns),
        Gap(),
        _heads(trace, focus.query, shown),
        Gap(),
        _output(trace, focus.query, shown),
        Gap(),
        Words(_average(trace, focus.query)),
        Words(_price(trace)),
    )


def _shown(trace: Trace, head: int) -> range:
    """Return the heads that are shown: the focused one and its neighbour."""
    there_are = n_heads(trace)
    begin = max(0, min(head, there_are - PAIR))
    return range(begin, min(there_are, begin + PAIR))


def _heads(trace: Trace, query: int, shown: range) -> Ledger:
    """Return the focused row of each head with what it reads: in one line where there is room."""
    words = trace.labels("keys")
    weights = {head: _weights(trace, head, query) for head in shown}
    outputs = {head: vector(trace["head_output"].values[head, query]) for head in shown}
    d_v = len(outputs[shown[0]])
    asks = f"“{words[query]}”"
    every = _joined(n_heads(trace))
    concat = trace["concat"].values[query]
    cut = f"first {MOST_SHOWN}" if len(concat) > MOST_SHOWN else ""
    side_by_side = Row(every, f"[1×{len(concat)}]", _few(concat), cut)
    if n_heads(trace) * max(len(words), d_v) <= TOGETHER:
        before: tuple[Value, ...] = ("",) * max(0, len(words) - d_v)
        read = tuple(part for head in shown for part in (*before, *outputs[head]))
        looked = tuple(weight for head in shown for weight in weights[head])
        beside = Row(every, side_by_side.how, (*before, *side_by_side.values))
        rows = (
            Row(asks, "weights", looked, "", "weights"),
            Row("head", "= Σ weight·v", read),
            beside,
        )
        return Ledger("", (), rows)
    looked_at = (
        Row(f"head {head + 1}", "weights", row, "", "weights") for head, row in weights.items()
    )
    found = (
        Row(f"head {head + 1}", "= Σ weight·v", row[:MOST_SHOWN], f"[1×{d_v}]")
        for head, row in outputs.items()
    )
    return Ledger(f"{asks} asks", words, (*looked_at, *found, side_by_side))


def _weights(trace: Trace, head: int, query: int) -> tuple[Value, ...]:
    hidden = np.isneginf(trace["masked_scores"].values[head, query])
    row = vector(trace["weights"].values[head, query])
    return tuple(None if out else one for one, out in zip(row, hidden, strict=True))


def _output(trace: Trace, query: int, shown: range) -> Ledger:
    """Return the output as side by side times W^O, and as the sum of what each head adds."""
    shares = trace["head_shares"].values[:, query]
    heads, d_v, width = trace["w_o"].values.shape
    rest = [head for head in range(heads) if head not in shown]
    remark = f"first {MOST_SHOWN} of {width}" if width > MOST_SHOWN else ""
    rows = [
        Row(
            "a",
            f"= ({_joined(heads)}) W^O [{heads * d_v}×{width}]",
            _few(trace["output"].values[query]),
            remark,
            "output",
        )
    ]
    for head in shown:
        how = f"{_raised(head)} · W^O rows {head * d_v + 1}–{(head + 1) * d_v}"
        rows.append(Row("+" if head > shown[0] else "", how, _few(shares[head])))
    if rest:
        how = f"the other {len(rest)}, each its own rows"
        rows.append(Row("+", how, _few(shares[rest].sum(axis=0))))
    rows.append(Row("=", "the same", _few(shares.sum(axis=0))))
    return Ledger("", (), tuple(rows))


def _few(values: Array) -> tuple[float, ...]:
    return vector(values[:MOST_SHOWN])


def _raised(head: int) -> str:
    return f"head{str(head + 1).translate(RAISED)}"


def _joined(heads: int) -> str:
    if heads > PAIR:
        return f"{_raised(0)} ⊕ … ⊕ {_raised(heads - 1)}"
    return " ⊕ ".join(_raised(head) for head in range(heads))


def _average(trace: Trace, query: int) -> str:
    weights = trace["weights"].values[:, query]
    mean = trace["average_weights"].values[query]
    if len(weights) == 1:
        return "one head: there is nothing to average"
    seen = ~np.isneginf(trace["masked_scores"].values[:, query]).all(axis=0)
    shown = " ".join(f"{weight:.4f}" for weight in mean[seen])
    same = int((np.abs(weights - mean).max(axis=-1) < ALIKE).sum())
    owned = f"here the pattern of {same} of {len(weights)} heads"
    return f"not used: the average {shown}, {owned if same else 'a pattern that no head has'}"


def _price(trace: Trace) -> str:
    """Return how many numbers there are to learn, for several numbers of heads."""
    heads, d_v, d = trace["w_o"].values.shape
    d_k = trace["query"].values.shape[-1]
    fitting = [a for a in range(1, d + 1) if d % a == 0]
    chosen = sorted({*fitting[:COUNTED], *([heads] if d % heads == 0 else [])})
    counts = (f"A={a}: {Architecture(d, a, 1, d // a, d // a).attention_layer:,}" for a in chosen)
    told = "   ".join(("numbers to learn", *counts, "always 4 d², since d_v = d/A"))
    if d_k * heads == d_v * heads == d:
        return told
    here = Architecture(d, heads, 1, d_k, d_v).attention_layer
    return f"{told}; here A={heads}, d_k={d_k}, d_v={d_v}: {here:,}"


DEMO = Demo(
    name="multihead",
    knobs=(
        weights(TOY),
        *MODEL_KNOBS,
        *(TEXT, HEADS, D_MODEL, D_K, D_V, SEED, TEMPERATURE, SET, OWN),
    ),
    compute=compute,
    panels=panels,
    questions=QUESTIONS,
    mistakes=(
        "average-heads",
        "no-scale",
        "no-mask",
        "softmax-columns",
        "swap-q-k",
        "values-are-keys",
    ),
    focus=Focus(query=-1),
    steps=(
        "weights",
        "head_output",
        "concat",
        "w_o",
        "output",
        "head_shares",
        "average_weights",
        "next_word",
    ),
    examples=(
        "attn-study demo multihead",
        "attn-study demo multihead --query chicken",
        "attn-study demo multihead --mistake average-heads",
        "attn-study demo multihead --weights trained --noun dog --place river",
        "attn-study demo multihead --heads 4 --d-model 8",
        "attn-study demo multihead --predict --seed 2",
    ),
)
