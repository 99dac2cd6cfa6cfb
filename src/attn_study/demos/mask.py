"""Who may look at whom: the mask on and off, done late, and what it keeps from leaking."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import numpy as np

from attn_study.attention.pieces import lengths
from attn_study.demos.asks.mask import QUESTIONS
from attn_study.demos.demo import Demo, Knob
from attn_study.demos.panels import Gap, Grid, Grids, Ledger, Row, Table, Words
from attn_study.demos.parts import open_row, vector, written
from attn_study.demos.picking import find_query
from attn_study.demos.setup import (
    D_K,
    D_MODEL,
    D_V,
    ONE_HEAD,
    OWN,
    SEED,
    SET,
    TEXT,
    attended,
    start,
)
from attn_study.demos.working import Focus, Working
from attn_study.demos.workings.mask import OFF, VARIANTS, masked_in_five_ways
from attn_study.errors import UserError

if TYPE_CHECKING:
    from attn_study.attention.arrays import Array
    from attn_study.attention.trace import Trace
    from attn_study.demos.panels import Panel, Value

FAULTS = tuple(VARIANTS)[1:]
TITLES = {
    OFF: "mask off",
    "mask-zero-before": "0 before",
    "mask-zero-after": "0 after",
    "mask-renormalised": "÷ row sum",
}
SHORT = 2  # numbers of an output that are shown; of a longer one its length
FEW = 4  # numbers of x, or words of an order, that are written out
SEEN = 0.005  # a fault of less does not show in two decimals
SAME = 1e-9


def compute(
    *,
    variant: str = OFF,
    token: str = "",
    order: str = "",
    mistake: str = "",
    **sizes: Any,
) -> Working:
    """Return one head under every way to mask, with one word changed, and in another order.

    `variant` is shown beside the right way, `token` (a number from 1, or the word) is changed.
    Raises UserError for sizes, a word and an order that cannot be.
    """
    begin = start(ONE_HEAD, **sizes)
    trace = masked_in_five_ways(
        begin,
        mistake,
        variant=variant,
        token=find_query(attended(begin), token) if token else -1,
        order=_order(order, len(begin.labels)),
    )
    knobs = {"variant": variant, "token": token, "order": order, **sizes}
    weights = f"{begin.weights} · d={begin.projections.d_model}"
    return Working(trace, weights, begin.remark or _notice(trace), knobs)


def _order(text: str, n_tokens: int) -> tuple[int, ...]:
    """Read an order of words numbered from 1; return it numbered from 0."""
    if not text:
        return ()
    parts = [part for part in re.split(r"[\s,]+", text) if part]
    wanted = sorted(str(at + 1) for at in range(n_tokens))
    if sorted(parts) != wanted:
        example = " ".join(str(at) for at in (n_tokens, *range(1, n_tokens)))
        raise UserError(
            f"{text!r} is not an order of {n_tokens} words",
            hint=f"each number from 1 to {n_tokens}, once: {example}",
        )
    return tuple(int(part) - 1 for part in parts)


def _notice(trace: Trace) -> str:
    words, weights = trace.labels("queries"), trace["variant_weights"].values
    if len(words) == 1:
        return f"“{words[0]}” stands alone: there is nothing to hide from it"
    says, changed = trace.labels("shown")[1], _edited(trace)
    if says != VARIANTS[OFF] and changed:
        leak = np.abs(trace["edit_moves"].values[1, :changed]).max()
        if leak < SAME:
            return f"“{says}” leaks nothing: no row before “{words[changed]}” moves with it"
        return f"“{says}” leaks: rows before “{words[changed]}” move when it changes"
    telling = (np.abs(weights[1:] - weights[0]) >= SEEN).any(axis=(0, 2))
    if not telling.any():
        return "no fault shows in these weights: what is hidden scores too low"
    row = "last row" if words[-1] in words[:-1] else f"row “{words[-1]}”"
    return f"the {row} is right under every fault; only earlier rows show one"


def _edited(trace: Trace) -> int:
    """Return the position of the word that was changed."""
    change = np.abs(trace["edited_x"].values - trace["x"].values)
    return int(np.argmax(change.max(axis=1)))


def panels(working: Working, focus: Focus) -> tuple[Panel, ...]:
    """Return two patterns, the focused row under every way to mask, and what moves."""
    trace = working.trace
    shown = trace.labels("shown")
    at = [trace.labels("variants").index(each) for each in shown]
    titles = ("mask on", TITLES.get(_name(shown[1]), "mask on"))
    grids = tuple(_pattern(trace, *each, focus.query) for each in zip(at, titles, strict=True))
    n_tokens = len(trace.labels("queries"))
    return (
        Grids(grids, ""),
        Gap(),
        _five_ways(trace, focus.query),
        Gap(),
        Words(_changed(trace)),
        _moves(trace, titles, focus.query),
        Words(_at_once(trace, n_tokens)),
    )


def _name(says: str) -> str:
    return next(name for name, each in VARIANTS.items() if each == says)


def _pattern(trace: Trace, at: int, title: str, query: int) -> Grid:
    words, weights = trace.labels("queries"), trace["variant_weights"].values[at]
    rows = (_cells(trace, at, row) for row in range(len(weights)))
    return Grid(title, words, words, tuple(rows), "weights", query)


def _cells(trace: Trace, at: int, query: int) -> tuple[float | None, ...]:
    """Return a row of weights; what was hidden with -∞ is empty, any other zero is a number."""
    weights = trace["variant_weights"].values[at, query]
    if at:
        return vector(weights)
    later = np.arange(len(weights)) > query
    return open_row(weights, np.where(later, -np.inf, 0.0))


def _five_ways(trace: Trace, query: int) -> Ledger:
    words, weights = trace.labels("queries"), trace["variant_weights"].values
    outputs = trace["variant_output"].values
    shows_output = outputs.shape[-1] <= SHORT
    rows = []
    for at, says in enumerate(trace.labels("variants")):
        row = weights[at, query]
        mark = "✓" if np.abs(row - weights[0, query]).max() < SAME else "✗"
        output = vector(outputs[at, query]) if shows_output else ()
        values = (*_cells(trace, at, query), float(row.sum()), *output)
        rows.append(Row(f"{mark} {says}", "", values, role="weights"))
    heads = ("head", "output")[-outputs.shape[-1] :] if shows_output else ()
    return Ledger(f"“{words[query]}” asks", (*words, "row sum", *heads), tuple(rows))


def _changed(trace: Trace) -> str:
    """Say which word was changed, and which order the words were put into."""
    words, x, edited = trace.labels("queries"), trace["x"].values, trace["edited_x"].values
    at = _edited(trace)
    before, after = (
        " ".join(written(float(value), 2) for value in each[at, : FEW if x.shape[1] <= FEW else 1])
        for each in (x, edited)
    )
    order = [words[int(number) - 1] for number in trace["order"].values]
    dots = " …" if len(order) > FEW else ""
    what = "output" if trace["edit_moves"].values.shape[-1] <= SHORT else "output (its length)"
    return (
        f"Change of the {what}: x of “{words[at]}” {before} → {after}; "
        f"order “{' '.join(order[:FEW])}{dots}”"
    )


def _moves(trace: Trace, titles: tuple[str, str], query: int) -> Table:
    words = trace.labels("queries")
    columns = [values for step in ("edit_moves", "order_moves") for values in trace[step].values]
    rows: list[tuple[Value, ...]] = [
        (word, *(_move(values[at]) for values in columns)) for at, word in enumerate(words)
    ]
    heads = ("", *(f"{what}, {title}" for what in ("edit", "order") for title in titles))
    return Table(heads, tuple(rows), focus=query)


def _move(change: Array) -> Value:
    still = np.where(np.abs(change) < SAME, 0.0, change)
    return vector(still) if len(still) <= SHORT else float(lengths(still))


def _at_once(trace: Trace, n_tokens: int) -> str:
    one_by_one, at_once = trace["one_at_a_time"].values, trace["variant_output"].values[0]
    apart = float(np.abs(one_by_one - at_once).max())
    if n_tokens == 1:
        return "One row, one next-word guess."
    return (
        f"One product gives {n_tokens} rows and {n_tokens} next-word guesses; "
        f"row by row they differ by {written(apart)}."
    )


DEMO = Demo(
    name="mask",
    knobs=(
        TEXT,
        D_MODEL,
        D_K,
        D_V,
        SEED,
        SET,
        OWN,
        Knob("variant", OFF, "The way to mask beside the right one.", choices=FAULTS),
        Knob("token", "", "The word that is changed; the last by default."),
        Knob("order", "", "Another order: `3 1 2`; by default the last first."),
    ),
    compute=compute,
    panels=panels,
    questions=QUESTIONS,
    mistakes=(
        "no-mask",
        "mask-zero-before",
        "mask-zero-after",
        "mask-wrong-side",
        "softmax-columns",
    ),
    focus=Focus(query=1),
    steps=(
        "scores",
        "scaled_scores",
        "masked_scores",
        "exp",
        "row_sum",
        "weights",
        "head_output",
        "one_at_a_time",
    ),
    examples=(
        "attn-study demo mask",
        "attn-study demo mask --variant mask-zero-after",
        "attn-study demo mask --token chicken",
        "attn-study demo mask --query The --mistake mask-zero-after",
        "attn-study demo mask --predict --seed 5",
    ),
)
