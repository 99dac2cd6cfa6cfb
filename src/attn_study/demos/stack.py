"""From text to the next word: vectors, layers, and the last vector."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from attn_study.demos.asks.stack import ask_next, ask_row, ask_shape, ask_share
from attn_study.demos.asks.trained import ask_needed
from attn_study.demos.by_hand import stack as by_hand
from attn_study.demos.demo import Demo, Knob
from attn_study.demos.trained import stack as trained
from attn_study.demos.trained import stack_panels
from attn_study.demos.trained.cases import CASES, SLOTS
from attn_study.demos.trained_or_toy import (
    TOY,
    TRAINED,
    WEIGHTS,
    case_of,
    complete,
    refuse,
    weights,
)
from attn_study.demos.working import Focus
from attn_study.demos.workings import stack as workings
from attn_study.demos.workings.readings import CASES as TOY_CASES

if TYPE_CHECKING:
    from attn_study.demos.panels import Panel
    from attn_study.demos.working import Working


def compute(
    *,
    weights: str = TRAINED,
    case: str = "keys",
    word: str = "",
    layers: int = 2,
    temperature: float = 1.0,
    off: str = "",
    mistake: str = "",
    **given: Any,
) -> Working:
    """Return the working of a text through the layers.

    Raises UserError for words that do not fit it, and for a head that is not there.
    """
    run: dict[str, Any] = {"layers": layers, "temperature": temperature, "off": off}
    if weights == TRAINED:
        made = trained.compute(case=case, word=word, **run, **given)
    else:
        refuse(given, (), TOY)
        made = workings.compute(case=case_of(case, TOY_CASES, TOY), word=word, **run)
    return complete(made, DEMO)


def panels(working: Working, focus: Focus) -> tuple[Panel, ...]:
    """Return the text, the layers, the next word, and which head it takes."""
    if working.knobs.get(WEIGHTS) == TRAINED:
        return stack_panels.panels(working, focus)
    return by_hand.panels(working, focus)


DEMO = Demo(
    name="stack",
    knobs=(
        weights(TRAINED),
        Knob("case", "keys", "A prepared text.", choices=tuple(CASES)),
        *SLOTS,
        Knob("layers", 2, "How many layers run.", kind=int, least=0, most=2),
        Knob("temperature", 1.0, "Divides the logits.", kind=float, least=0.05, most=100),
        Knob("off", "", "Switch a head off, by LAYER.HEAD."),
    ),
    compute=compute,
    panels=panels,
    questions={
        "needed": ask_needed,
        "row": ask_row,
        "next": ask_next,
        "share": ask_share,
        "shape": ask_shape,
    },
    focus=Focus(query=-1),
    toy_cases=tuple(TOY_CASES),
    examples=(
        "attn-study demo stack",
        "attn-study demo stack --case chicken --adjective wide",
        "attn-study demo stack --case names --off 2.3",
        "attn-study demo stack --layers 1 --temperature 2",
        "attn-study demo stack --weights toy",
        "attn-study demo stack --predict --question needed",
    ),
)
