"""Questions about a stack of layers: what is read at its end, and what comes next."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from attn_study.demos.drawing import Dice, drawn
from attn_study.demos.panels import Ledger, Row, Words
from attn_study.demos.parts import vector, written
from attn_study.demos.question import WEIGHT_TOLERANCE, Asked, told_apart
from attn_study.demos.working import Focus
from attn_study.demos.workings.readings import CASES
from attn_study.demos.workings.stack import compute, next_word

if TYPE_CHECKING:
    from attn_study.attention.arrays import Array
    from attn_study.demos.working import Working

DEGREES = (0.5, 2.0, 4.0, 8.0)
LAST = Focus(query=-1)


def _chosen(dice: Dice) -> tuple[str, str]:
    """Return a case and one of its readings."""
    case = list(CASES)[dice.one(0, len(CASES) - 1)]
    return case, list(CASES[case].readings)[dice.one(0, 1)]


def _tokens(working: Working) -> Words:
    return Words("tokens  " + "  ".join(working.trace.labels("tokens")))


def ask_row(seed: int) -> Asked:
    """Ask which row of the last layer feeds the next word."""
    case, word = _chosen(Dice("stack.row", seed))
    working = compute(case=case, word=word)
    count = len(working.trace.labels("tokens"))
    return Asked(
        prompt=(
            f"The last layer gives [{count}×8]. From which of its rows is the next word read? "
            "(counted from 1, or all)"
        ),
        given=(_tokens(working),),
        answer=str(count),
        wrong={
            "the first row, which has seen only itself": "1",
            "too much: the other rows guess the words that came after them": "all",
        },
        working=working,
        focus=LAST,
        because="only the last row has seen the whole text, and its next word is the one to come",
        step="last",
    )


def ask_shape(seed: int) -> Asked:
    """Ask for the shape that leaves a block."""
    dice = Dice("stack.shape", seed)
    case, word = _chosen(dice)
    layers = dice.one(1, 2)
    working = compute(case=case, word=word)
    count = len(working.trace.labels("tokens"))
    return Asked(
        prompt=f"[{count}×8] enters the first layer. Which shape leaves layer {layers}? (as 3x4)",
        given=(_tokens(working),),
        answer=f"{count}x8",
        wrong={
            "turned round: a row is a token here": f"8x{count}",
            "one row only: that is what the unembedding takes, after the last layer": "1x8",
        },
        working=working,
        focus=LAST,
        because="every block takes and gives the same shape, so blocks can be stacked",
        step=f"residual_{layers}",
    )


def ask_next(seed: int) -> Asked:
    """Ask for the next word in one of two readings."""
    case, word = _chosen(Dice("stack.next", seed))
    working = compute(case=case, word=word)
    trace = working.trace
    right = next_word(trace)
    other = next(one for one in CASES[case].words[:2] if one != right)
    tokens = trace.labels("tokens")
    most = int(np.argmax(trace["weights_2"].values[-1]))
    return Asked(
        prompt=f"Type the word that comes next, one of {', '.join(trace.labels('words'))}.",
        given=(_tokens(working),),
        answer=right,
        wrong={"what the other reading would give": other},
        working=working,
        focus=LAST,
        because=f"in layer 2 the last token reads “{tokens[most]}” most",
        step="next_word",
    )


def ask_share(seed: int) -> Asked:
    """Ask for the share of a word, given the logits and a temperature."""

    def candidate(dice: Dice) -> Asked | None:
        case, word = _chosen(dice)
        degrees = DEGREES[dice.one(0, len(DEGREES) - 1)]
        asked = _share(compute(case=case, word=word, temperature=degrees), dice.one(0, 3))
        wrong = {name: float(value) for name, value in asked.wrong.items()}
        return asked if told_apart(float(asked.answer), wrong) else None

    return drawn("stack.share", seed, candidate, lambda: _share(compute(temperature=4.0), 0))


def _share(working: Working, at: int) -> Asked:
    trace = working.trace
    degrees = float(str(working.knobs["temperature"]))
    logits = trace["logits"].values
    words = trace.labels("words")
    exp = np.exp(logits / degrees)
    given = Row("logit", "", vector(logits))
    return Asked(
        prompt=f"Temperature {written(degrees, 1)}: what share does “{words[at]}” get?",
        given=(Ledger("next word", words, (given,)),),
        answer=float(trace["next_word"].values[at]),
        tolerance=WEIGHT_TOLERANCE,
        wrong={
            "the share at temperature 1": _softmax(logits)[at],
            "the share when the logits are multiplied by the temperature": (
                _softmax(logits * degrees)[at]
            ),
            "the logit ÷ the sum of the logits, without e^logit": float(logits[at] / logits.sum()),
        },
        working=working,
        focus=LAST,
        because="softmax(logit ÷ temperature)",
        step="next_word",
        solution=(
            Ledger(
                "next word",
                words,
                (
                    Row("logit ÷ T", "", vector(logits / degrees)),
                    Row("exp", "", vector(exp), f"sum {exp.sum():.4f}"),
                    Row("share", "", vector(trace["next_word"].values), role="weights"),
                ),
            ),
        ),
    )


def _softmax(logits: Array) -> list[float]:
    exp = np.exp(logits)
    return [float(value) for value in exp / exp.sum()]
