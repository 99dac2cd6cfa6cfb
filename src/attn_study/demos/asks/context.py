"""Questions about an open word: which sense wins, and how far its vector is moved."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from attn_study.demos.drawing import Dice, drawn
from attn_study.demos.panels import Ledger, Row, Table, Words
from attn_study.demos.parts import vector
from attn_study.demos.question import OUTPUT_TOLERANCE, Asked, told_apart
from attn_study.demos.setup import TOY_WEIGHTS
from attn_study.demos.trained_or_toy import TOY, WEIGHTS
from attn_study.demos.working import Focus, Working
from attn_study.demos.workings.context import reading, winners
from attn_study.demos.workings.senses import CASES, FEATURES, Case

if TYPE_CHECKING:
    from attn_study.attention.arrays import Array
    from attn_study.attention.trace import Trace

SHORT = tuple(name for name, case in CASES.items() if case.causal)  # one band of tokens
REPLACED = "what was read alone: it is added to x, it does not take the place of x"
UNMOVED = "what stood in x before: attention adds to it"


def _drawn(dice: Dice, names: tuple[str, ...]) -> tuple[str, str, Trace]:
    """Return a case, a word for its gap, and the reading with strengths drawn afresh."""
    name = names[dice.one(0, len(names) - 1)]
    case = CASES[name]
    word = case.cues[dice.one(0, 1)]
    return name, word, reading(case, word, lean=dice.one(1, 3), strength=dice.one(1, 3))


def _working(name: str, word: str, trace: Trace) -> Working:
    return Working(trace, TOY_WEIGHTS, "", {WEIGHTS: TOY, "case": name, "word": word})


def ask_winner(seed: int) -> Asked:
    """Ask which sense wins with one of the two words in the gap."""
    name, word, trace = _drawn(Dice("context.winner", seed), tuple(CASES))
    case = CASES[name]
    right, loser = winners(case, trace)
    most = trace["weights"].values.max()
    subject = case.subject[0].upper() + case.subject[1:]
    return Asked(
        prompt=f"{subject} leans to which: {case.senses[0]} or {case.senses[1]}?",
        given=(Words(f"“{' '.join(case.words(word))}”"),),
        answer=right,
        wrong={"what the other word in its place would give": loser},
        working=_working(name, word, trace),
        focus=Focus(),
        because=f"“{word}” has the weight {most:.2f}, and its value is that sense",
        step="cosine",
    )


def ask_carries(seed: int) -> Asked:
    """Ask through what the two sentences differ, when their weights are the same."""
    name, word, trace = _drawn(Dice("context.carries", seed), SHORT)
    case = CASES[name]
    _, here, there = trace.labels("stages")
    rows = tuple(
        Row(f"with {cue}", "weight", vector(trace[step].values[0, 0]), role="weights")
        for cue, step in ((here, "weights"), (there, "other_weights"))
    )
    columns = tuple("…" if token == word else token for token in trace.labels("keys"))
    return Asked(
        prompt=(
            f"In both sentences “{case.opens}” asks with the same query and gives the same "
            "weights, yet its output differs. By what: query, weights or values?"
        ),
        given=(Ledger(f"“{case.opens}” asks", columns, rows),),
        answer="values",
        wrong={
            "not what differs: the open word is the same in both": "query",
            "not what differs: they are equal above": "weights",
        },
        working=_working(name, word, trace),
        focus=Focus(),
        because="the same weight on another value adds something else",
        step="other_value",
    )


def ask_change(seed: int) -> Asked:
    """Ask how far one feature of the open word is moved, given its weights and the values."""

    def candidate(dice: Dice) -> Asked | None:
        name, word, trace = _drawn(dice, SHORT)
        asked = _change(CASES[name], trace, dice.one(0, 1), _working(name, word, trace))
        return asked if _clear(asked) else None

    def stored() -> Asked:
        trace = reading(CASES["bank"], "pond")
        return _change(CASES["bank"], trace, 0, _working("bank", "pond", trace))

    return drawn("context.change", seed, candidate, stored)


def _change(case: Case, trace: Trace, sense: int, working: Working) -> Asked:
    weights = trace["weights"].values[0, 0]
    values = trace["value"].values[0]
    parts = weights * values[:, sense]
    moved = float(trace["output"].values[0, sense + 1])
    title, tokens = f"“{case.opens}” asks", trace.labels("keys")
    weighed = Row("weight", "", vector(weights), role="weights")
    asked_for = vector(values[:, sense])
    return Asked(
        prompt=(
            f"A value holds sense 1, “{case.senses[0]}”, over sense 2, “{case.senses[1]}”. How "
            f"much is added to sense {sense + 1} of “{case.opens}”?"
        ),
        given=(Ledger(title, tokens, (weighed, _upright("value", values))),),
        answer=moved,
        tolerance=OUTPUT_TOLERANCE,
        wrong={
            "uniform": float(values[:, sense].mean()),
            "argmax": float(values[int(np.argmax(weights)), sense]),
            "x + what is added, not what is added": moved + 1.0,
        },
        working=working,
        focus=Focus(),
        because="Σ weight · value, in that place of the vector",
        step="output",
        solution=(
            Ledger(
                title,
                tokens,
                (
                    weighed,
                    Row("value", "", asked_for, role="value"),
                    Row("product", "", vector(parts), f"sum {parts.sum():.4f}"),
                ),
            ),
        ),
    )


def _upright(name: str, values: Array) -> Row:
    return Row(name, "", tuple(vector(value) for value in values), role="value")


def ask_residual(seed: int) -> Asked:
    """Ask what a feature of the open word is after its head has added to it."""

    def candidate(dice: Dice) -> Asked | None:
        name, word, trace = _drawn(dice, tuple(CASES))
        asked = _residual(CASES[name], trace, dice.one(0, 1), _working(name, word, trace))
        return asked if _clear(asked) else None

    def stored() -> Asked:
        trace = reading(CASES["bank"], "pond")
        return _residual(CASES["bank"], trace, 0, _working("bank", "pond", trace))

    return drawn("context.residual", seed, candidate, stored)


def _residual(case: Case, trace: Trace, sense: int, working: Working) -> Asked:
    at = sense + 1
    x, output, total = (trace[step].values[0] for step in ("x_queries", "output", "residual"))
    return Asked(
        prompt=(
            f"The head’s output joins x. What is {FEATURES[at]} of “{case.opens}” in the vector "
            "that goes on to the next layer?"
        ),
        given=(
            Table(
                (f"“{case.opens}”", *FEATURES),
                (("x", *vector(x)), ("output", *vector(output))),
            ),
        ),
        answer=float(total[at]),
        tolerance=OUTPUT_TOLERANCE,
        wrong={REPLACED: float(output[at]), UNMOVED: float(x[at])},
        working=working,
        focus=Focus(),
        because="x + output, place by place",
        step="residual",
    )


def _clear(asked: Asked) -> bool:
    return told_apart(float(asked.answer), {k: float(v) for k, v in asked.wrong.items()})
