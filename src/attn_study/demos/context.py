"""One word, two meanings: the same static vector, moved by what stands around it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from attn_study.attention.arrays import frozen
from attn_study.attention.projections import Projections
from attn_study.demos.demo import Demo, Focus, Knob, Working
from attn_study.demos.drawing import Dice
from attn_study.demos.panels import Gap, Ledger, Panel, Row, Table, Value, Words
from attn_study.demos.parts import vector, written
from attn_study.demos.question import OUTPUT_TOLERANCE, Asked
from attn_study.demos.senses import CASES, Case
from attn_study.demos.setup import BY_HAND, Start, attended
from attn_study.errors import UserError, near

if TYPE_CHECKING:
    from attn_study.attention.arrays import Array
    from attn_study.attention.trace import Trace

# Features of a vector: asks what it means, leans to the one sense, to the other, is filler.
NOTHING = (0, 0, 0, 1)
OPEN = (1, 1, 1, 0)
LEANS = ((0, 2, 0, 0), (0, 0, 2, 0))
HINTS = ((0, 1, 0, 0), (0, 0, 1, 0))
SENSES = frozen([[0, 1, 0, 0], [0, 0, 1, 0]])

# A word that asks looks for either sense, and finds it in others, not in itself.
READING = Projections.from_matrices(
    w_q=[[2, 2], [0, 0], [0, 0], [0, 0]],
    w_k=[[-1, -1], [1, 0], [0, 1], [0, 0]],
    w_v=[[0, 0], [1, 0], [0, 1], [0, 0]],
    w_o=[[0, 1, 0, 0], [0, 0, 1, 0]],
)


def compute(*, case: str = "chicken", word: str = "", mistake: str = "", **_: Any) -> Working:
    """Return the working with `word` in the gap, the other word's beside it.

    Raises UserError for a word that the case does not know.
    """
    chosen = CASES[case]
    word = word or chosen.cues[0]
    if word not in chosen.cues:
        hint = near(word, chosen.cues) or "one of: " + ", ".join(chosen.cues)
        raise UserError(f"the case {case!r} has no word {word!r} for its gap", hint=hint)
    other = next(cue for cue in chosen.cues if cue != word)
    trace = attended(_start(chosen, word), mistake, causal=chosen.causal)
    turned = attended(_start(chosen, other), mistake, causal=chosen.causal)
    at = chosen.reader
    static = trace["x"].values[at]
    moved = trace["residual"].values[at], turned["residual"].values[at]
    trace = (
        trace.add("static", ("d_model",), static, f"“{chosen.opens}”, the same in both sentences")
        .add(
            "other_weights",
            ("heads", "queries", "keys"),
            turned["weights"].values,
            f"the weights with “{other}” in the gap",
        )
        .add(
            "other_residual",
            ("queries", "d_model"),
            turned["residual"].values,
            f"x + output with “{other}” in the gap",
        )
        .add(
            "cosine",
            ("stages", "senses"),
            _cosines((static, *moved)),
            "cosine to each sense: static, with the one word, with the other",
            {"stages": ("static", word, other), "senses": chosen.senses},
        )
    )
    notice = _notice(chosen, trace, (word, other))
    return Working(trace, f"{BY_HAND} · d=4", notice, {"case": case, "word": word})


def _start(case: Case, cue: str) -> Start:
    words = case.words(cue)
    x = frozen([_vector(case, word) for word in words])
    return Start(words, x, READING, BY_HAND)


def _vector(case: Case, word: str) -> tuple[int, ...]:
    if word == case.opens:
        return OPEN
    if word in case.cues:
        return LEANS[case.cues.index(word)]
    return HINTS[case.hints.index(word)] if word in case.hints else NOTHING


def _cosines(vectors: tuple[Array, ...]) -> Array:
    rows = np.stack(vectors)
    return frozen(rows @ SENSES.T / np.linalg.norm(rows, axis=1, keepdims=True))


def _winner(cosines: Array, senses: tuple[str, str]) -> str:
    return senses[int(np.argmax(cosines))]


def _notice(case: Case, trace: Trace, words: tuple[str, str]) -> str:
    after = trace["cosine"].values[1:]
    told = (
        f"with “{word}” it leans to “{_winner(row, case.senses)}”"
        for word, row in zip(words, after, strict=True)
    )
    return f"one word changed: {', '.join(told)}"


def panels(working: Working, focus: Focus) -> tuple[Panel, ...]:
    """Return what the open word reads in both sentences, and how far that moves it."""
    trace = working.trace
    case = CASES[str(working.knobs["case"])]
    _, word, other = trace.labels("stages")
    at = case.reader
    tokens = tuple("…" if token == word else token for token in trace.labels("keys"))
    reading = Ledger(
        f"“{case.opens}” reads",
        tokens,
        (
            Row(f"… {word}", "weight", _seen(trace, "weights", at), "", "weights", digits=2),
            Row(f"… {other}", "weight", _seen(trace, "other_weights", at), "", "weights", digits=2),
        ),
    )
    static, moved, turned = trace["cosine"].values
    rows: tuple[tuple[Value, ...], ...] = (
        ("static", vector(trace["static"].values), *vector(static)),
        (f"… {word}", vector(trace["residual"].values[at]), *vector(moved)),
        (f"… {other}", vector(trace["other_residual"].values[at]), *vector(turned)),
    )
    first, second = case.senses
    table = Table(
        (f"“{case.opens}”", "asks, sense 1, sense 2, filler", f"cos “{first}”", f"cos “{second}”"),
        rows,
        f"x, and x + what was read (sense 1: {first}, sense 2: {second})",
    )
    changes = (_change(trace, "residual", at, word), _change(trace, "other_residual", at, other))
    told = (Words("what was added to the static vector"), *map(Words, changes))
    return (reading, Gap(), table, Gap(), *told, Gap(), Words(case.about))


def _seen(trace: Trace, step: str, at: int) -> tuple[float | None, ...]:
    hidden = np.isneginf(trace["masked_scores"].values[0, at])
    return tuple(
        None if gone else float(weight)
        for weight, gone in zip(trace[step].values[0, at], hidden, strict=True)
    )


def _change(trace: Trace, step: str, at: int, word: str) -> str:
    change = trace[step].values[at] - trace["static"].values
    return f"  with “{word}”: sense 1 {_signed(change[1])}, sense 2 {_signed(change[2])}"


def _signed(value: float) -> str:
    return f"+{written(value)}" if value >= 0 else written(value)


def ask_winner(seed: int) -> Asked:
    """Ask which sense wins with one of the two words in the gap."""
    dice = Dice("context.winner", seed)
    name = list(CASES)[dice.one(0, len(CASES) - 1)]
    case = CASES[name]
    word = case.cues[dice.one(0, 1)]
    working = compute(case=name, word=word)
    winner = _winner(working.trace["cosine"].values[1], case.senses)
    loser = next(sense for sense in case.senses if sense != winner)
    sentence = " ".join(case.words(word))
    return Asked(
        prompt=f"Which sense does “{case.opens}” lean to: {' or '.join(case.senses)}?",
        given=(Words(f"“{sentence}”"),),
        answer=winner,
        wrong={"the sense that the other word would give": loser},
        working=working,
        focus=Focus(case.reader),
        step="cosine",
    )


def ask_change(seed: int) -> Asked:
    """Ask how far one feature of the open word is moved, given its weights and the values."""
    dice = Dice("context.change", seed)
    name = ("keys", "bank", "mole", "tower", "creature")[dice.one(0, 4)]
    case = CASES[name]
    word = case.cues[dice.one(0, 1)]
    working = compute(case=name, word=word)
    trace, at, feature = working.trace, case.reader, case.cues.index(word)
    values = trace["value"].values[0]
    given = Ledger(
        f"“{case.opens}” reads",
        trace.labels("keys"),
        (
            Row("weight", "", _seen(trace, "weights", at), role="weights"),
            Row("value", "", tuple(vector(value) for value in values), role="value"),
        ),
    )
    moved = float(trace["output"].values[at, feature + 1])
    return Asked(
        prompt=f"What is added to sense {feature + 1} of “{case.opens}”?",
        given=(given,),
        answer=moved,
        tolerance=OUTPUT_TOLERANCE,
        wrong={"x + the change, not the change alone": moved + 1.0},
        working=working,
        focus=Focus(at),
        because="Σ weight · value, in that place of the vector",
        step="output",
    )


DEMO = Demo(
    name="context",
    knobs=(
        Knob("case", "chicken", "A prepared sentence.", choices=tuple(CASES)),
        Knob("word", "", "The word in the gap; by default the first of the two."),
    ),
    compute=compute,
    panels=panels,
    questions={"winner": ask_winner, "change": ask_change},
    mistakes=("no-scale", "scale-d-k", "no-softmax", "values-are-keys"),
    focus=Focus(query=-1),
    examples=(
        "attn-study demo context",
        "attn-study demo context --case chicken --word wide",
        "attn-study demo context --case bank",
        "attn-study demo context --case keys --word key",
        "attn-study demo context --predict --seed 3",
    ),
)
