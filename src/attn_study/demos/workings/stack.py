"""The stack at one setting of its knobs: a reading of a case through the layers."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from attn_study.demos.setup import TOY_WEIGHTS
from attn_study.demos.trained_or_toy import TOY, WEIGHTS
from attn_study.demos.working import Working
from attn_study.demos.workings.layers import run
from attn_study.demos.workings.readings import CASES
from attn_study.errors import UserError, near

if TYPE_CHECKING:
    from attn_study.attention.trace import Trace

HEADS = {"1.1": 1, "2.1": 2}  # what `off` may name, and the layer it is in


def compute(
    *,
    case: str = "keys",
    word: str = "",
    layers: int = 2,
    temperature: float = 1.0,
    off: str = "",
    **_: Any,
) -> Working:
    """Return the working of the stack on one reading of a case.

    Raises UserError for a word the case does not know, and for a head in a layer that is left
    out.
    """
    chosen = CASES[case]
    word = word or next(iter(chosen.readings))
    if word not in chosen.readings:
        known = list(chosen.readings)
        hint = near(word, known) or "one of: " + ", ".join(known)
        raise UserError(f"the case {case!r} has no reading {word!r}", hint=hint)
    if off and off not in HEADS:
        raise UserError(f"there is no head {off!r} here", hint="one of: " + ", ".join(HEADS))
    silent = HEADS[off] if off else 0
    if silent > layers:
        hint = f"layers={silent}, or another head"
        raise UserError(f"head {off} is off already with layers={layers}", hint=hint)
    tokens, vectors = zip(*chosen.readings[word], strict=True)
    knobs: dict[str, Any] = {"layers": layers, "temperature": temperature}
    trace = run(tokens, vectors, chosen.words, **knobs, off=silent)
    notice = f"the last vector alone gives the next word: {likely(trace)}"
    if silent:
        all_on = run(tokens, vectors, chosen.words, **knobs)
        notice = _without(off, trace, all_on)
        trace = _beside(trace, all_on)
    knobs |= {WEIGHTS: TOY, "case": case, "word": word, "off": off}
    return Working(trace, f"{TOY_WEIGHTS} · d=8", notice, knobs)


def _beside(trace: Trace, all_on: Trace) -> Trace:
    """Add what the next word is with every head on: `next_word_all_on` (words)."""
    shares = all_on["next_word"].values
    words = {"words": all_on.labels("words")}
    return trace.add("next_word_all_on", ("words",), shares, "the same, every head on", words)


def next_word(trace: Trace) -> str:
    """Return the word with the largest share, the first of equal ones."""
    return trace.labels("words")[int(np.argmax(trace["next_word"].values))]


def likely(trace: Trace) -> str:
    """Return the most likely word with its share: `“are”, 0.98`; equal ones together."""
    shares = trace["next_word"].values
    most = float(shares.max())
    words = (
        f"“{word}”"
        for word, share in zip(trace.labels("words"), shares, strict=True)
        if math.isclose(share, most)
    )
    return f"{' or '.join(words)}, {most:.2f}"


def _without(off: str, trace: Trace, all_on: Trace) -> str:
    if next_word(trace) == next_word(all_on):
        before = all_on["next_word"].values.max()
        return f"head {off} is off: next is still {likely(trace)}; with it, {before:.2f}"
    return f"head {off} is off: next is {likely(trace)}, not {likely(all_on)}"
