"""The trained model from text to the next word: layer by layer, and with heads switched off."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from attn_study.attention.stages import softmax
from attn_study.attention.trace import Trace
from attn_study.demos.trained.cases import CASES
from attn_study.demos.trained.reader import (
    heads,
    last_lens,
    likely,
    named,
    parameters,
    says,
    share,
    working,
)
from attn_study.demos.trained_or_toy import TRAINED, WEIGHTS
from attn_study.demos.working import Focus, Working
from attn_study.errors import UserError
from attn_study.language.vocabulary import WORDS

if TYPE_CHECKING:
    from attn_study.demos.trained.reader import Head
    from attn_study.language.sentence import Sentence


def compute(
    *,
    case: str = "keys",
    layers: int = 2,
    temperature: float = 1.0,
    off: str = "",
    **given: Any,
) -> Working:
    """Return the model's working on a sentence up to the word that is to come.

    The steps of the model up to `layers`; `next_word` (words), the share of every word after the
    last token at this temperature; `seen` (every_head), how much each head looks at the word that
    decides; `without` (every_head), the share of the right word with that head off too. With a
    head off also `next_word_all_on` (words). Raises UserError for words that do not fit, and for
    a head that is not there or in a layer that is left out.
    """
    chosen = CASES[case]
    slots = chosen.settle({slot: str(word) for slot, word in given.items() if word})
    sentence = chosen.build(slots)
    silent = _silent(off, layers)
    whole = working(sentence.beginning, silent)
    trace = Trace(tuple(step for step in whole if _depth(step.name) <= layers))
    shares = softmax(whole[f"lens_{layers}"].values[-1] / temperature)
    says_so = "the share of every word after the last token"
    trace = trace.add("next_word", ("words",), shares, says_so, {"words": WORDS})
    if silent:
        on = softmax(last_lens(sentence.beginning, layers) / temperature)
        trace = trace.add("next_word_all_on", ("words",), on, "the same, every head on")
    if layers:
        trace = _judged(trace, sentence, layers, temperature, silent)
    knobs: dict[str, Any] = {
        "case": case,
        WEIGHTS: TRAINED,
        "layers": layers,
        "temperature": temperature,
    }
    knobs |= {"off": off, **slots, "word": slots[chosen.decides]}
    notice = _without(trace, off) if off else _by_layer(trace, layers, temperature)
    return Working(trace, says(), notice, knobs, Focus(query=-1))


def _silent(off: str, layers: int) -> tuple[Head, ...]:
    """Return the head that is off, if one is."""
    if not off:
        return ()
    known = {named(head): head for head in heads()}
    if off not in known:
        raise UserError(f"the model has no head {off!r}", hint="one of: " + ", ".join(known))
    if known[off][0] > layers:
        hint = f"layers={known[off][0]}, or another head"
        raise UserError(f"head {off} is off already with layers={layers}", hint=hint)
    return (known[off],)


def _depth(name: str) -> float:
    """Return the layer that a step belongs to, 0 for what is before the first."""
    if name in {"logits", "next_word"}:
        return np.inf
    number = name.rpartition("_")[2]
    return int(number) if number.isdecimal() else 0


def _judged(
    trace: Trace,
    sentence: Sentence,
    layers: int,
    temperature: float,
    silent: tuple[Head, ...],
) -> Trace:
    """Add what each head looks at, and what is left of the right word without it."""
    every = [head for head in heads() if head[0] <= layers]
    at = sentence.asks + 1, sentence.target + 1
    seen = [trace[f"weights_{layer}"].values[head - 1, *at] for layer, head in every]
    left = [last_lens(sentence.beginning, layers, (*silent, head)) for head in every]
    shares = [share(softmax(logits / temperature), sentence.answer) for logits in left]
    says_so = "how much of each head is on the word that decides"
    names = {"every_head": tuple(map(named, every))}
    trace = trace.add("seen", ("every_head",), seen, says_so, names)
    says_so = "the share of the right word with one head more switched off"
    return trace.add("without", ("every_head",), shares, says_so, names)


def _by_layer(trace: Trace, layers: int, temperature: float) -> str:
    """Return the next word in words, and what it would be one layer earlier."""
    word, most = likely(trace["next_word"].values)
    if not layers:
        return (
            f"no layer has run: only “{trace.labels('tokens')[-1]}” is known, which says “{word}”"
        )
    earlier = f"after layer {layers - 1}" if layers > 1 else "with no layer"
    before, less = likely(softmax(trace[f"lens_{layers - 1}"].values[-1] / temperature))
    now = "next is" if layers == parameters().size.n_layers else f"after layer {layers} next is"
    if word == before:
        return f"{now} “{word}” {most:.2f}; {earlier} it is so already, {less:.2f}"
    return f"{now} “{word}” {most:.2f}; {earlier} it is “{before}” {less:.2f}"


def _without(trace: Trace, off: str) -> str:
    """Return the next word in words, and what it is with every head on."""
    word, most = likely(trace["next_word"].values)
    before, all_on = likely(trace["next_word_all_on"].values)
    if word == before:
        return f"head {off} is off: next is still “{word}” {most:.2f}; with it, {all_on:.2f}"
    return f"head {off} is off: next is “{word}” {most:.2f}, not “{before}” {all_on:.2f}"
