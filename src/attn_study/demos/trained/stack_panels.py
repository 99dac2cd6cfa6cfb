"""The screen of the trained `stack`: the next word after each layer, and without each head."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from attn_study.attention.stages import softmax
from attn_study.demos.panels import Gap, Ledger, Row, Table, Words
from attn_study.demos.parts import two, written
from attn_study.demos.trained.cases import CASES

if TYPE_CHECKING:
    from attn_study.attention.arrays import Array
    from attn_study.attention.trace import Trace
    from attn_study.demos.panels import Panel, Value
    from attn_study.demos.working import Focus, Working
    from attn_study.language.sentence import Sentence

LIKELY = 4  # words whose shares are drawn
NAMED = 3  # words that are named after each layer
LENS = "Logit lens: the next word, had the model ended after that layer."


def panels(working: Working, focus: Focus) -> tuple[Panel, ...]:
    """Return the sentence, the next word after each layer, its share, and what each head is for."""
    trace = working.trace
    knobs = working.knobs
    case = CASES[str(knobs["case"])]
    sentence = case.build({slot: str(knobs[slot]) for slot in case.slots})
    layers, degrees = int(str(knobs["layers"])), float(str(knobs["temperature"]))
    n_tokens, width = trace["x"].values.shape
    shape = f"[{n_tokens}×{width}]"
    return (
        Words(f"“{' '.join(sentence.beginning)} …”"),
        Words(
            f"{trace.labels('tokens')[0]} and {n_tokens - 1} words: every layer takes and gives "
            f"{shape}; only row {n_tokens} is read"
        ),
        Gap(),
        _by_layer(trace, focus.query, layers, degrees),
        Words(LENS),
        Gap(),
        _next(trace, degrees, sentence.answer),
        *_heads(trace, sentence),
    )


def _by_layer(trace: Trace, at: int, layers: int, degrees: float) -> Table:
    """Return the most likely next words after a token, had the model ended after each layer."""
    rows: list[tuple[Value, ...]] = []
    for layer in range(layers + 1):
        shares = softmax(trace[f"lens_{layer}"].values[at] / degrees)
        words = (f"{trace.labels('words')[n]} {two(shares[n])}" for n in _most(shares, NAMED))
        rows.append((f"layer {layer}" if layer else "no layer", *words))
    title = f"after “{trace.labels('tokens')[at]}”"
    return Table((title, "most likely next", "then", "then"), tuple(rows))


def _most(shares: Array, n: int) -> list[int]:
    return [int(at) for at in np.argsort(-shares, kind="stable")[:n]]


def _next(trace: Trace, degrees: float, right: str) -> Ledger:
    """Return the shares of the most likely next words.

    With a head off, those with every head on stand under them, and the right word among them.
    """
    shares = trace["next_word"].values
    most = _most(shares, LIKELY)
    at_right = trace.labels("words").index(right)
    if "next_word_all_on" in trace and at_right not in most:
        most[-1] = at_right
    how = "softmax" if degrees == 1 else f"softmax(logit ÷ {written(degrees, 2)})"
    values = tuple(float(shares[at]) for at in most)
    rows = [Row("share", how, values, role="weights", bars=True)]
    if "next_word_all_on" in trace:
        on = trace["next_word_all_on"].values
        rows.append(Row("", "every head on", tuple(float(on[at]) for at in most), role="weights"))
    return Ledger("next word", tuple(trace.labels("words")[at] for at in most), tuple(rows))


def _heads(trace: Trace, sentence: Sentence) -> tuple[Panel, ...]:
    """Return what each head looks at beside what is lost without it: the two need not agree."""
    if "without" not in trace:
        return ()
    asks, target = (sentence.words[at] for at in (sentence.asks, sentence.target))
    without = "with it off too" if "next_word_all_on" in trace else "without it"
    rows: tuple[tuple[Value, ...], ...] = (
        (f"“{asks}” looks at {target}", *map(two, trace["seen"].values)),
        (f"{sentence.answer} {without}", *map(two, trace["without"].values)),
    )
    return (
        Gap(),
        Table(("head", *trace.labels("every_head")), rows, role="weights"),
        Words("A head may look at a word and not be needed, or be needed and look elsewhere."),
    )
