"""One layer's attention of the trained model as any lesson has it: a start for its projections."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from attn_study.attention.model.forward import forward
from attn_study.attention.model.reading import layer_input, projections
from attn_study.attention.stages import softmax
from attn_study.attention.trace import Trace
from attn_study.demos.demo import Knob
from attn_study.demos.differing import alike
from attn_study.demos.setup import Start
from attn_study.demos.trained.cases import CASES, SLOTS
from attn_study.demos.trained.reader import parameters, says, working
from attn_study.language.vocabulary import WORDS, numbers

if TYPE_CHECKING:
    from attn_study.attention.arrays import Array
    from attn_study.language.sentence import Sentence

LAYER = Knob("layer", None, "Which layer of the trained model.", kind=int, least=1, most=2)
MODEL_KNOBS = (
    Knob("case", None, "A sentence of the trained model.", choices=tuple(CASES)),
    *SLOTS,
    LAYER,
)
NEXT_WORD = (
    "the share of every word as the next one, when this layer's attention adds this output. The "
    "rest of the model runs on unchanged and is not shown here: see demo stack"
)


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
    words, output = trace.labels("tokens")[1:], trace["output"].values
    own = working(words)
    if alike(output, own[f"output_{layer}"].values):
        shares = own["next_word"].values
    else:
        shares = _next_word(words, layer, output)
    return trace.add("next_word", ("words",), shares, NEXT_WORD, {"words": WORDS})


def _next_word(words: tuple[str, ...], layer: int, output: Array) -> Array:
    """Return the share of every word after a text when a layer's attention adds this output."""
    run = forward(parameters(), np.array([numbers(words)]), added={layer: output[np.newaxis]})
    return softmax(run.logits[0, -1])
