"""One layer's attention of the trained model as any lesson has it: a start for its projections."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from attn_study.attention.model.forward import forward
from attn_study.attention.model.reading import layer_input, projections
from attn_study.attention.stages import softmax
from attn_study.attention.trace import Trace
from attn_study.demos.demo import Knob
from attn_study.demos.setup import Start
from attn_study.demos.trained.cases import CASES, SLOTS
from attn_study.demos.trained.reader import known_for, parameters, says, working
from attn_study.demos.working import Focus
from attn_study.language.vocabulary import WORDS, numbers

if TYPE_CHECKING:
    from collections.abc import Mapping

    from attn_study.language.sentence import Sentence

LAYER = Knob("layer", None, "Which layer of the trained model.", kind=int, least=1, most=2)


OF_MODEL = (
    Knob("case", None, "A sentence of the trained model.", choices=tuple(CASES)),
    *SLOTS,
    LAYER,
)


def heads_of(
    case: str | None,
    layer: int | None,
    slots: Mapping[str, str | None],
    *,
    temperature: float = 1.0,
    set: str = "",
    **_: Any,
) -> tuple[Start, dict[str, Any], Focus]:
    """Return the heads of one layer on a prepared sentence, the knobs used, and where to look.

    Without a layer, that of the head known for such sentences. Raises UserError for a word that
    does not fit, and for a number to set that is not there.
    """
    name = case or "chicken"
    words = CASES[name].settle({slot: word for slot, word in slots.items() if word})
    sentence = CASES[name].build(words)
    known = known_for(sentence)
    shown = layer or known[0]
    begin = replace(start_of(sentence, shown), temperature=temperature).edited(set)
    knobs: dict[str, Any] = {"weights": "trained", "case": name, **words}
    knobs |= {"word": words[CASES[name].decides]}
    knobs |= {"layer": shown, "temperature": temperature, "set": set}
    head = known[1] - 1 if shown == known[0] else 0
    return begin, knobs, Focus(query=sentence.asks + 1, head=head)


def start_of(sentence: Sentence, layer: int) -> Start:
    """Return what the attention of a layer begins with, on the words before the next one.

    `x` (tokens, d_model) is the stream before the layer after RMSNorm.
    """
    trace = working(sentence.beginning)
    return Start(
        trace.labels("tokens"),
        layer_input(trace, layer),
        projections(parameters(), layer),
        says(layer),
    )


def in_the_stream(trace: Trace) -> Trace:
    """Return the attention of such a start without the sum of x and output.

    This model adds the output to the stream as it was before RMSNorm, which made x of it.
    """
    kept = (step for step in trace if step.name != "residual")
    says = "the stream before this layer after RMSNorm, one vector a token"
    return Trace(tuple(replace(step, says=says) if step.name == "x" else step for step in kept))


def with_next_word(trace: Trace, layer: int) -> Trace:
    """Return the attention of a layer with what the model says next when it adds this output.

    `next_word` (words): the share of every word after the last token, the rest of the model as
    it is. It is the model's own where nothing was computed in another way.
    """
    tokens = np.array([numbers(trace.labels("tokens")[1:])])
    added = {layer: trace["output"].values[np.newaxis]}
    run = forward(parameters().as_type(np.float64), tokens, added=added)
    says = "the share of every word as the next one, when this layer's attention adds this output"
    return trace.add("next_word", ("words",), softmax(run.logits[0, -1]), says, {"words": WORDS})
