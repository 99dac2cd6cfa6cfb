"""Three roles for one input: what a token asks, what it is found by, what it passes on."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from attn_study.demos.asks.qkv import QUESTIONS
from attn_study.demos.demo import Demo, Knob
from attn_study.demos.panels import Block, Gap, Grid, Grids, Matrices, Table
from attn_study.demos.parts import down_the_side, few, grid, matrix, written
from attn_study.demos.setup import D_K, D_MODEL, D_V, ONE_HEAD, OWN, SEED, SET, TEXT, Start, start
from attn_study.demos.working import Focus, Working
from attn_study.demos.workings.qkv import three_roles
from attn_study.errors import UserError

if TYPE_CHECKING:
    from attn_study.attention.trace import Trace
    from attn_study.demos.panels import Panel, Role, Value

MATRIX: dict[Role, str] = {"query": "w_q", "key": "w_k", "value": "w_v"}
LETTER = {"w_q": "W^Q", "w_k": "W^K", "w_v": "W^V"}
SWAPS = {"query-key": ("w_q", "w_k"), "key-value": ("w_k", "w_v"), "query-value": ("w_q", "w_v")}


def compute(*, swap: str = "", set: str = "", mistake: str = "", **sizes: Any) -> Working:
    """Return the working of one head; two matrices are swapped first, then numbers are set.

    Raises UserError for sizes that cannot be, an entry that is not there or no number, and a
    swap of matrices of different widths.
    """
    begin = _swapped(start(ONE_HEAD, **sizes), swap).edited(set)
    trace = three_roles(begin, mistake)
    weights = f"{begin.weights} · d={begin.projections.d_model}"
    notice = begin.remark or _notice(trace, swap)
    return Working(trace, weights, notice, {"swap": swap, "set": set, **sizes})


def _swapped(begin: Start, swap: str) -> Start:
    if not swap:
        return begin
    one, other = SWAPS[swap]
    matrices = {name: getattr(begin.projections, name) for name in (one, other)}
    if matrices[one].shape != matrices[other].shape:
        widths = begin.projections.d_k, begin.projections.d_v
        raise UserError(
            f"{swap} cannot change places: d_k={widths[0]} and d_v={widths[1]} differ",
            hint=f"d_v={widths[0]}, or swap=query-key",
        )
    turned = {one: matrices[other], other: matrices[one]}
    return replace(begin, projections=replace(begin.projections, **turned))


def _notice(trace: Trace, swap: str) -> str:
    if swap == "query-key":
        return "W^Q and W^K changed places: every score crossed the diagonal, S is turned over"
    if swap:
        names = " and ".join(LETTER[name] for name in SWAPS[swap])
        return f"{names} changed places: the same tokens, in other roles"
    scores, words = trace["scores"].values[0], trace.labels("queries")
    apart = np.abs(scores - scores.T)
    one, other = (int(at) for at in np.unravel_index(np.argmax(apart), apart.shape))
    if apart[one, other] < 0.5e-4:
        return f"“{words[-1]}” goes in once, and comes out in three roles: query, key, value"
    if scores[one, other] < scores[other, one]:
        one, other = other, one
    there, back = written(float(scores[one, other])), written(float(scores[other, one]))
    return f"“{words[one]}” asks “{words[other]}”: {there}; the other way round: {back}. Two roles"


def panels(working: Working, focus: Focus) -> tuple[Panel, ...]:
    """Return x with the matrices, the token in its roles, the scores both ways, the shapes."""
    trace, query = working.trace, focus.query
    x = trace["x"].values[query]
    matrices = (
        Block(LETTER[name], matrix(trace[name].values[0]), role) for role, name in MATRIX.items()
    )
    return (
        Matrices(down_the_side(x), tuple(matrices)),
        Gap(),
        _roles(trace, query),
        Gap(),
        _both_ways(trace, query),
        _shapes(trace),
    )


def _roles(trace: Trace, query: int) -> Table:
    word = trace.labels("queries")[query]
    own = {role: few(trace[role].values[0, query]) for role in MATRIX}
    summed = {
        "x": few(trace["sum_of_x"].values[0, query]),
        "key": few(trace["sum_of_keys"].values[0, query]),
        "value": few(trace["head_output"].values[0, query]),
    }
    rows: tuple[tuple[Value, ...], ...] = (
        ("x", "", few(trace["x"].values[query]), "the token", summed["x"], ""),
        ("query", "x W^Q", own["query"], "asks", "", ""),
        ("key", "x W^K", own["key"], "is found by", summed["key"], ""),
        ("value", "x W^V", own["value"], "passes on", summed["value"], "✓"),
    )
    heads = (f"“{word}”", "from", "numbers", "what it does", "summed with its weights", "")
    return Table(heads, rows)


def _both_ways(trace: Trace, query: int) -> Grids:
    scores = grid(trace, "scores", 0, "S = Q K^T", query)
    turned = Grid(
        "S^T: columns ask",
        scores.columns,
        scores.rows,
        tuple(zip(*scores.values, strict=True)),
        "scores",
    )
    return Grids(tuple(_rounded(each) for each in (scores, turned)), "")


def _rounded(each: Grid) -> Grid:
    whole = all(value == round(value) for row in each.values for value in row if value is not None)
    return replace(each, digits=0 if whole else 2)


def _shapes(trace: Trace) -> Table:
    d_model, d_k = trace.sizes["d_model"], trace.sizes["d_k"]
    return Table(
        ("", "", "", ""),
        (
            ("rows, papers", "q = x W^Q", f"1×{d_model} · {d_model}×{d_k} = 1×{d_k}",
             "GPT-3 W^Q: 12,288×128"),
            ("columns, video", "q = W^Q x", f"{d_k}×{d_model} · {d_model}×1 = {d_k}×1",
             "GPT-3 W^Q: 128×12,288"),
        ),
    )  # fmt: skip


DEMO = Demo(
    name="qkv",
    knobs=(
        TEXT,
        D_MODEL,
        D_K,
        D_V,
        SEED,
        OWN,
        Knob("swap", "", "Two roles that change places.", choices=tuple(SWAPS)),
        SET,
    ),
    compute=compute,
    panels=panels,
    questions=QUESTIONS,
    mistakes=("swap-q-k", "values-are-keys"),
    focus=Focus(query=-1),
    steps=("x", "w_q", "query", "w_k", "key", "w_v", "value", "scores", "weights", "head_output"),
    examples=(
        "attn-study demo qkv",
        "attn-study demo qkv --swap query-key",
        "attn-study demo qkv --set w_q.2.1=3",
        "attn-study demo qkv --predict --seed 4",
        'attn-study demo qkv --text "the cat saw the dog" --d-k 2 --d-v 3',
    ),
)
