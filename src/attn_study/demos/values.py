"""What attention carries along: a value is a change, and a weight is not yet an effect."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from attn_study.attention import toy
from attn_study.attention.arrays import frozen
from attn_study.attention.counts import Architecture
from attn_study.attention.pieces import lengths
from attn_study.attention.projections import Projections
from attn_study.demos.asks.values import QUESTIONS
from attn_study.demos.demo import Demo, Knob
from attn_study.demos.panels import Block, Gap, Ledger, Matrices, Panel, Row, Value, Words
from attn_study.demos.parts import matrix, vector
from attn_study.demos.picking import find_query
from attn_study.demos.setup import (
    D_MODEL,
    D_V,
    ONE_HEAD,
    SEED,
    SET,
    TEXT,
    TOY_WEIGHTS,
    Start,
    start,
)
from attn_study.demos.working import Focus, Working
from attn_study.demos.workings.values import carried
from attn_study.errors import UserError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from attn_study.attention.trace import Trace

D = 8  # d_model under random weights, as in every lesson
NARROW = 2  # d_v under random weights, so that down and up are fewer numbers than a full map
MOST_SHOWN = 8  # d_model; wider matrices are told by their shapes
ALIKE = 0.005  # shares that the screen shows as one

# The word that asks looks for what the other words are, and its own value is zero.
SEEKS = [[3, 0], [0, 0], [0, 0], [0, 0]]
MOLE = Start(
    ("American", "shrew", "mole"),
    frozen([[0, 0, 0, 0], [0, 1, 0, 0], [1, 1, 1, 1]]),
    Projections.from_matrices(
        w_q=SEEKS,
        w_k=[[-4, 0], [2, 0], [2, 0], [0, 0]],
        w_v=[[-1, -1], [1, 0], [0, 1], [0, 0]],
        w_o=[[0, 2, -1, -1], [0, -1, 2, -1]],
    ),
    TOY_WEIGHTS,
)
TOWER = Start(
    ("miniature", "Eiffel", "tower"),
    frozen([[0, 0, 0, 1], [0, 1, 0, 0], [1, 0, 1, 0]]),
    Projections.from_matrices(
        w_q=SEEKS,
        w_k=[[0, 0], [2, 0], [0, 0], [2, 0]],
        w_v=[[0, 0], [1, 0], [0, 0], [0, 1]],
        w_o=[[0, 2, 1, 0], [0, 0, -2, 1]],
    ),
    TOY_WEIGHTS,
)
CASES = {"": ONE_HEAD, "mole": MOLE, "tower": TOWER}
# What each of the four numbers of a vector stands for.
FEATURES = {
    "mole": ("is a mole", "animal", "skin", "amount"),
    "tower": ("is a tower", "Paris", "tall", "small"),
}


def compute(
    *, case: str = "", zero: str = "", set: str = "", mistake: str = "", **sizes: Any
) -> Working:
    """Return the working of one causal head; `zero` names a token whose value is set to zero.

    Raises UserError for sizes that cannot be, for a token that is not there, and when a case
    comes with sizes or words.
    """
    if case and any(value not in (None, "") for value in sizes.values()):
        raise UserError(f"the case {case!r} has its own words and weights", hint="leave one out")
    begin = _begin(CASES[case], sizes).edited(set)
    plain = carried(begin, mistake=mistake)
    at = _position(plain, zero) if zero else None
    trace = plain if at is None else carried(begin, at, mistake)
    notice = begin.remark or _notice(trace, at, FEATURES.get(case, ()))
    weights = f"{begin.weights} · d={begin.projections.d_model}"
    return Working(trace, weights, notice, {"case": case, "zero": zero, "set": set, **sizes})


def _begin(example: Start, sizes: dict[str, Any]) -> Start:
    if all(value in (None, "") for value in sizes.values()):
        return example
    found = toy.sizes(d_model=sizes.get("d_model") or D, d_v=sizes.get("d_v"))
    width = sizes.get("d_v") or min(NARROW, found.d_model)
    return start(example, **{**sizes, "d_v": width}, d_k=width)


def _position(trace: Trace, zero: str) -> int:
    try:
        return find_query(trace, zero)
    except UserError as error:
        raise UserError(f"there is no value {zero!r} to set to zero", hint=error.hint) from None


def _notice(trace: Trace, zeroed: int | None, features: tuple[str, ...]) -> str:
    """Return what the row of the last token shows."""
    words = trace.labels("keys")
    weights, shares = (trace[name].values[0, -1] for name in ("weights", "effect_share"))
    if zeroed is not None:
        kept = f"“{words[zeroed]}” keeps its weight, {weights[zeroed]:.2f}"
        return f"{kept}, and adds nothing: its value is 0"
    if features:
        change = trace["output"].values[-1]
        at = int(np.argmax(np.abs(change)))
        return f"“{words[-1]}” is not replaced: “{features[at]}” moves by {change[at]:+.2f}"
    at = int(np.argmax(weights - shares))
    if weights[at] - shares[at] < ALIKE:
        return "here each has as much of the effect as of the weight"
    unlike = f"{weights[at]:.2f} of the weight but {shares[at]:.2f} of the effect"
    return f"“{words[at]}” has {unlike}: its value is small"


def panels(working: Working, focus: Focus) -> tuple[Panel, ...]:
    """Return weight against effect, the change they make, and the map each value goes through."""
    trace = working.trace
    features = FEATURES.get(str(working.knobs.get("case", "")), ())
    words = trace.labels("keys")
    rows = (*_effects(trace, focus.query), *_change(trace, focus.query, features))
    asks = Ledger(f"“{words[focus.query]}” asks, these answer", words, rows)
    return (asks, Gap(), _map(trace, features), Words(_counted(trace)))


def _effects(trace: Trace, query: int) -> tuple[Row, ...]:
    hidden = np.isneginf(trace["masked_scores"].values[0, query])

    def seen(values: Iterable[Value]) -> tuple[Value, ...]:
        return tuple(None if out else one for one, out in zip(values, hidden, strict=True))

    weights, effects, share = (
        trace[step].values[0, query] for step in ("weights", "effect", "effect_share")
    )
    value = trace["value"].values[0]
    carried = Row("value v", "x W^V", seen(vector(one) for one in value), "", "value")
    if value.shape[1] > MOST_SHOWN:
        carried = Row("size |v|", f"v [1×{value.shape[1]}]", seen(vector(lengths(value))))
    total = f"sum {effects.sum():.4f}"
    return (
        Row("weight", "", seen(vector(weights)), "sum 1", "weights", bars=True),
        carried,
        Row("effect", "weight·|v|", seen(vector(effects)), total),
        Row("share", "effect ÷ sum", seen(vector(share)), "", "weights", bars=True),
    )


def _change(trace: Trace, query: int, features: tuple[str, ...]) -> tuple[Row, ...]:
    width = trace["x"].values.shape[1]
    remark = f"[1×{width}]" if width <= MOST_SHOWN else f"first {MOST_SHOWN} of {width}"

    def first(step: str) -> tuple[float, ...]:
        return vector(trace[step].values[query][:MOST_SHOWN])

    head = trace["head_output"].values[0, query]
    told = (Row("", "", features),) if features else ()
    return (
        Row("head", "Σ weight·v", vector(head[:MOST_SHOWN]), f"[1×{len(head)}]", "output"),
        *told,
        Row("x", "before", first("x"), remark),
        Row("change", "head · W^O", first("output"), "", "output"),
        Row("sum", "x + change", first("residual")),
    )


def _map(trace: Trace, features: tuple[str, ...]) -> Panel:
    down, up, whole = (trace[step].values[0] for step in ("w_v", "w_o", "value_map"))
    rank = round(float(trace["rank"].values[0]))
    d, d_v = down.shape
    if max(d, d_v) > MOST_SHOWN:
        return Words(f"down W^V [{d}×{d_v}] · up W^O [{d_v}×{d}] = [{d}×{d}], rank {rank}")
    blocks = (
        Block("down W^V", matrix(down), "value"),
        Block("up W^O", matrix(up), "output"),
        Block(f"W^V W^O, rank {rank}", matrix(whole)),
    )
    return Matrices(features or tuple(f"row {at + 1}" for at in range(d)), blocks)


def _counted(trace: Trace) -> str:
    """Return the numbers of a value map, full and factored, here and at d = 8, d_v = 2."""
    d, d_v = trace["w_v"].values.shape[1:]
    here, known = Architecture(d, 1, 1, d_v, d_v), Architecture(8, 1, 1, 2, 2)
    told = f"full {d}² = {here.full_value:,}, factored 2·{d}·{d_v} = {here.factored_value:,}"
    other = f"d=8, d_v=2: {known.full_value}, {known.factored_value}"
    return "   ".join((told, *((other,) if here != known else ()), "equal at d_v = d/2"))


DEMO = Demo(
    name="values",
    knobs=(
        Knob("case", "", "A prepared sentence.", choices=("mole", "tower")),
        Knob("zero", "", "The token whose value is set to zero."),
        TEXT,
        D_MODEL,
        D_V,
        SEED,
        SET,
    ),
    compute=compute,
    panels=panels,
    questions=QUESTIONS,
    mistakes=("values-are-keys", "no-mask", "softmax-columns", "no-softmax"),
    focus=Focus(query=-1),
    steps=(
        "weights",
        "value",
        "terms",
        "effect",
        "effect_share",
        "head_output",
        "output",
        "residual",
        "w_v",
        "w_o",
        "value_map",
    ),
    examples=(
        "attn-study demo values",
        "attn-study demo values --zero chicken",
        "attn-study demo values --case mole",
        "attn-study demo values --d-model 8 --d-v 2",
        "attn-study demo values --predict --seed 4",
    ),
)
