"""One attention head, end to end: who asks, who answers, and what is carried back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from attn_study.attention.arrays import frozen
from attn_study.attention.projections import Projections
from attn_study.demos.asks.one_head import output_from_weights, weight_from_row, weight_from_scores
from attn_study.demos.demo import Demo, Knob
from attn_study.demos.panels import Gap, Grids, Ledger, Panel, Pattern, Row
from attn_study.demos.parts import pattern, roles, shares, stages, vector
from attn_study.demos.question import Asked
from attn_study.demos.setup import (
    D_K,
    D_MODEL,
    D_V,
    ONE_HEAD,
    OWN,
    SEED,
    SET,
    TEMPERATURE,
    TEXT,
    TOY_WEIGHTS,
    Start,
    attended,
    start,
)
from attn_study.demos.working import Focus, Working
from attn_study.errors import UserError

if TYPE_CHECKING:
    from attn_study.attention.arrays import Array

MISTAKES = (
    "no-scale",
    "scale-d-k",
    "scale-d-model",
    "no-mask",
    "mask-zero-before",
    "mask-zero-after",
    "softmax-columns",
    "swap-q-k",
    "no-softmax",
    "values-are-keys",
    "mask-wrong-side",
)

# Four features: is a noun, is an adjective, fluffy, blue. A noun asks for adjectives.
CREATURE = Start(
    ("a", "fluffy", "blue", "creature"),
    frozen([[0, 0, 0, 0], [0, 1, 2, 0], [0, 1, 0, 2], [1, 0, 0, 0]]),
    Projections.from_matrices(
        w_q=[[4, 0], [0, 0], [0, 0], [0, 0]],
        w_k=[[0, 0], [1, 0], [0, 0], [0, 0]],
        w_v=[[0, 0], [0, 0], [1, 0], [0, 1]],
        w_o=[[0, 0, 1, 0], [0, 0, 0, 1]],
    ),
    TOY_WEIGHTS,
)
CASES = {"": ONE_HEAD, "creature": CREATURE}
ASKS_FOR_ADJECTIVES = (
    "“creature” asks “any adjectives before me?”; fluffy and blue answer, and move it"
)


def compute(
    *,
    case: str = "",
    temperature: float = 1.0,
    set: str = "",
    mistake: str = "",
    **sizes: Any,
) -> Working:
    """Return the working of one causal head; `case` names a prepared sentence.

    Raises UserError for sizes that cannot be, and when a case comes with sizes or words.
    """
    if case and any(value not in (None, "") for value in sizes.values()):
        raise UserError(f"the case {case!r} has its own words and weights", hint="leave one out")
    begin = start(CASES[case], set=set, temperature=temperature, **sizes)
    trace = attended(begin, mistake)
    notice = _notice(trace["weights"].values[0, -1], begin.labels)
    notice = begin.remark or (ASKS_FOR_ADJECTIVES if case else notice)
    weights = f"{begin.weights} · d={begin.projections.d_model}"
    knobs = {"case": case, "temperature": temperature, "set": set, **sizes}
    return Working(trace, weights, notice, knobs)


def _notice(weights: Array, words: tuple[str, ...]) -> str:
    largest = int(np.argmax(weights))
    share = "most" if weights[largest] >= 0.5 else "more than from any other word"
    return f"“{words[-1]}” takes {share} of what it learns from “{words[largest]}”"


def panels(working: Working, focus: Focus) -> tuple[Panel, ...]:
    """Return the roles of every token, the focused row in full, and the whole pattern."""
    trace = working.trace
    head, query = focus.head, focus.query
    words = trace.labels("queries")
    d_k = trace["query"].values.shape[-1]
    d_v = trace["value"].values.shape[-1]
    width = trace["x"].values.shape[-1]
    calculation = Ledger(
        f"“{words[query]}” asks, these answer",
        trace.labels("keys"),
        (
            *stages(trace, focus, d_k),
            shares(trace, focus),
            Row(
                "head",
                "sum of those",
                vector(trace["head_output"].values[head, query]),
                f"[1×{d_v}]",
            ),
            Row("output", "head · W^O", vector(trace["output"].values[query]), f"[1×{width}]"),
            Row("x + out", "residual", vector(trace["residual"].values[query]), f"[1×{width}]"),
        ),
    )
    whole = Pattern("all rows", pattern(trace, head, "", query), "row sum 1")
    return (roles(trace, focus), Gap(), calculation, Gap(), whole)


def ask_cell(seed: int) -> Asked:
    """Ask which cell says how much one word reads from another, in one of the two layouts."""
    turned = seed % 2 == 1
    query, key = (2, 1) if seed % 4 < 2 else (1, 0)
    working = compute()
    words = working.trace.labels("queries")
    layout = "queries in columns, as the video draws it" if turned else "queries in rows, as papers"
    row, column = (key, query) if turned else (query, key)
    return Asked(
        prompt=(
            f"The pattern with {layout}: which cell says how much “{words[query]}” reads from "
            f"“{words[key]}”? (row, column, counted from 1)"
        ),
        given=(Grids((pattern(working.trace, 0),), "", transposed=turned),),
        answer=f"{row + 1}, {column + 1}",
        wrong={"rows and columns mixed up": f"{column + 1}, {row + 1}"},
        working=working,
        focus=Focus(query, columns=turned),
        step="weights",
    )


DEMO = Demo(
    name="head",
    knobs=(
        Knob("case", "", "A prepared sentence.", choices=("creature",)),
        TEXT,
        D_MODEL,
        D_K,
        D_V,
        SEED,
        TEMPERATURE,
        SET,
        OWN,
    ),
    compute=compute,
    panels=panels,
    questions={
        "weight": weight_from_scores("head.weight"),
        "weight-from-row": weight_from_row("head.weight-from-row"),
        "output": output_from_weights("head.output"),
        "cell": ask_cell,
    },
    mistakes=MISTAKES,
    focus=Focus(query=-1),
    examples=(
        "attn-study demo head",
        "attn-study demo head --case creature",
        "attn-study demo head --query chicken --mistake no-mask",
        "attn-study demo head --predict --seed 7",
        'attn-study demo head --text "the cat saw the dog" --seed 1',
    ),
)
