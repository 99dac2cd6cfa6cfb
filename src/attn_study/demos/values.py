"""What attention carries along: a value is a change, and a weight is not yet an effect."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from attn_study.attention.arrays import frozen
from attn_study.attention.counts import Architecture
from attn_study.attention.projections import Projections
from attn_study.demos.carrying import carried
from attn_study.demos.demo import Demo, Focus, Knob, Working
from attn_study.demos.panels import Block, Gap, Ledger, Matrices, Panel, Row, Value, Words
from attn_study.demos.parts import matrix, vector
from attn_study.demos.picking import find_query, names
from attn_study.demos.setup import BY_HAND, D_MODEL, D_V, ONE_HEAD, SEED, TEXT, Start, start
from attn_study.demos.value_asks import QUESTIONS
from attn_study.errors import UserError

if TYPE_CHECKING:
    from attn_study.attention.arrays import Array
    from attn_study.attention.trace import Trace

NARROW = 2  # d_v under random weights, so that down and up are fewer numbers than a full map
MOST_SHOWN = 8  # d_model; wider matrices are told by their shapes
ALIKE = 0.005  # shares that the screen shows as one

# The word that asks looks for what the other words are, and its own value is zero.
_SEEKS = [[3, 0], [0, 0], [0, 0], [0, 0]]
MOLE = Start(
    ("American", "shrew", "mole"),
    frozen([[0, 0, 0, 0], [0, 2, 0, 0], [1, 1, 1, 1]]),
    Projections.from_matrices(
        w_q=_SEEKS,
        w_k=[[-2, 0], [1, 0], [1, 0], [0, 0]],
        w_v=[[-1, -1], [1, 0], [0, 1], [0, 0]],
        w_o=[[0, 1, -0.5, -0.5], [0, -0.5, 1, -0.5]],
    ),
    BY_HAND,
)
TOWER = Start(
    ("miniature", "Eiffel", "tower"),
    frozen([[0, 0, 0, 2], [0, 2, 0, 0], [1, 0, 1, 0]]),
    Projections.from_matrices(
        w_q=_SEEKS,
        w_k=[[0, 0], [1, 0], [0, 0], [1, 0]],
        w_v=[[0, 0], [1, 0], [0, 0], [0, 1]],
        w_o=[[0, 1, 0.5, 0], [0, 0, -1, 1]],
    ),
    BY_HAND,
)
CASES = {"": ONE_HEAD, "mole": MOLE, "tower": TOWER}
# What each of the four numbers of a vector stands for.
FEATURES = {
    "mole": ("is a mole", "animal", "skin", "amount"),
    "tower": ("is a tower", "Paris", "tall", "small"),
}


def compute(*, case: str = "", zero: str = "", mistake: str = "", **sizes: Any) -> Working:
    """Return the working of one causal head; `zero` names a token whose value is set to zero.

    Raises UserError for sizes that cannot be, for a token that is not there, and when a case
    comes with sizes or words.
    """
    if case and any(value not in (None, "") for value in sizes.values()):
        raise UserError(f"the case {case!r} has its own words and weights", hint="leave one out")
    begin = _begin(CASES[case], sizes)
    plain = carried(begin, mistake=mistake)
    at = _position(plain, zero) if zero else None
    trace = plain if at is None else carried(begin, at, mistake)
    notice = begin.remark or _notice(trace, at, FEATURES.get(case, ()))
    weights = f"{begin.weights} · d={begin.projections.d_model}"
    return Working(trace, weights, notice, {"case": case, "zero": zero, **sizes})


def _begin(example: Start, sizes: dict[str, Any]) -> Start:
    if all(value in (None, "") for value in sizes.values()):
        return example
    width = sizes.get("d_v") or min(NARROW, sizes.get("d_model") or NARROW)
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
        return f"“{words[zeroed]}” keeps its weight {weights[zeroed]:.2f}; with a value of 0 it adds 0"
    if features:
        change = trace["output"].values[-1]
        at = int(np.argmax(np.abs(change)))
        return f"what is read moves “{words[-1]}” {change[at]:+.2f} in “{features[at]}”: values are changes"
    at = int(np.argmax(weights - shares))
    if weights[at] - shares[at] < ALIKE:
        return "here each has as much of the effect as of the weight"
    return (
        f"“{words[at]}” has {weights[at]:.2f} of the weight, "
        f"but {shares[at]:.2f} of the effect: its value is small"
    )


def panels(working: Working, focus: Focus) -> tuple[Panel, ...]:
    """Return weight against effect, the change they make, and the map each value goes through."""
    trace = working.trace
    features = FEATURES.get(str(working.knobs.get("case", "")), ())
    words = trace.labels("keys")
    rows = (*_effects(trace, focus.query), *_change(trace, focus.query, features))
    asks = Ledger(f"“{words[focus.query]}” asks, these answer", words, rows)
    return (asks, Gap(), *_map(trace, features), Words(_counted(trace)))


def _effects(trace: Trace, query: int) -> tuple[Row, ...]:
    hidden = np.isneginf(trace["masked_scores"].values[0, query])
    values: list[Value] = [vector(value) for value in trace["value"].values[0]]

    def seen(step: str) -> tuple[Value, ...]:
        row = vector(trace[step].values[0, query])
        return tuple(None if out else one for one, out in zip(row, hidden, strict=True))

    shown = tuple(None if out else one for one, out in zip(values, hidden, strict=True))
    effects = trace["effect"].values[0, query].sum()
    return (
        Row("weight", "who is read", seen("weights"), "sum 1", "weights", bars=True),
        Row("value v", "x W^V", shown, "", "value"),
        Row("effect", "weight·|v|", seen("effect"), f"sum {effects:.4f}"),
        Row("share", "effect ÷ sum", seen("effect_share"), "", "weights", bars=True),
    )


def _change(trace: Trace, query: int, features: tuple[str, ...]) -> tuple[Row, ...]:
    head = trace["head_output"].values[0, query]
    told = (Row("", "", features),) if features else ()
    return (
        Row("head", "Σ weight·v", vector(head), f"[1×{len(head)}]", "output"),
        *told,
        Row("x", "before", vector(trace["x"].values[query])),
        Row("change", "head · W^O", vector(trace["output"].values[query]), "", "output"),
        Row("x + it", "not replaced", vector(trace["residual"].values[query])),
    )


def _map(trace: Trace, features: tuple[str, ...]) -> tuple[Panel, ...]:
    down, up, whole = (trace[step].values[0] for step in ("w_v", "w_o", "value_map"))
    rank = round(float(trace["rank"].values[0]))
    d, d_v = down.shape
    if d > MOST_SHOWN:
        text = f"value-down W^V [{d}×{d_v}] · value-up W^O [{d_v}×{d}] = [{d}×{d}] of rank {rank}"
        return (Words(text),)
    blocks = (
        Block("down W^V", _matrix(down), "value"),
        Block("up W^O", _matrix(up), "output"),
        Block(f"W^V W^O, rank {rank},", _matrix(whole)),
    )
    return (Matrices(features or names(trace, "d_model"), blocks),)


def _matrix(values: Array) -> tuple[tuple[float, ...], ...]:
    return matrix(values)


def _counted(trace: Trace) -> str:
    d, d_v = trace["w_v"].values.shape[1:]
    here = Architecture(d, 1, 1, d_v, d_v)
    known = Architecture(8, 1, 1, 2, 2)
    parts = [f"full {d}² = {here.full_value:,}, factored 2·{d}·{d_v} = {here.factored_value:,}"]
    if here != known:
        parts.append(f"d=8, d_v=2: {known.full_value}, {known.factored_value}")
    return "   ".join((*parts, "equal at d_v = d/2"))


DEMO = Demo(
    name="values",
    knobs=(
        Knob("case", "", "A prepared sentence.", choices=("mole", "tower")),
        Knob("zero", "", "A token, by number or word, whose value is set to zero."),
        TEXT,
        D_MODEL,
        D_V,
        SEED,
    ),
    compute=compute,
    panels=panels,
    questions=QUESTIONS,
    mistakes=("values-are-keys", "no-mask", "softmax-columns", "no-softmax"),
    focus=Focus(query=-1),
    examples=(
        "attn-study demo values",
        "attn-study demo values --zero chicken",
        "attn-study demo values --case mole",
        "attn-study demo values --d-model 8 --d-v 2",
        "attn-study demo values --predict --seed 4",
    ),
)
