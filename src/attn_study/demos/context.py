"""One word decides what another means: what it reads, and which way that moves it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from attn_study.demos.asks.context import ask_carries, ask_change, ask_residual, ask_winner
from attn_study.demos.asks.trained import ask_comes, ask_looks
from attn_study.demos.by_hand import context as by_hand
from attn_study.demos.demo import Demo, Knob
from attn_study.demos.trained import context as trained
from attn_study.demos.trained import context_panels
from attn_study.demos.trained.cases import CASES, SLOTS
from attn_study.demos.trained.layer import LAYER
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
from attn_study.demos.workings.senses import CASES as TOY_CASES

if TYPE_CHECKING:
    from attn_study.demos.panels import Panel
    from attn_study.demos.working import Working


def compute(
    *,
    weights: str = TRAINED,
    case: str = "chicken",
    word: str = "",
    mistake: str = "",
    **given: Any,
) -> Working:
    """Return the working of a sentence in two readings; UserError for words that do not fit it."""
    if weights == TRAINED:
        made = trained.compute(case=case, word=word, mistake=mistake, **given)
    else:
        refuse(given, (), TOY)
        made = by_hand.compute(case=case_of(case, TOY_CASES, TOY), word=word, mistake=mistake)
    return complete(made, DEMO)


def panels(working: Working, focus: Focus) -> tuple[Panel, ...]:
    """Return the sentence, what is read in it, and what that makes of the word or the next one."""
    if working.knobs.get(WEIGHTS) == TRAINED:
        return context_panels.panels(working, focus)
    return by_hand.panels(working, focus)


DEMO = Demo(
    name="context",
    knobs=(
        weights(TRAINED),
        Knob("case", "chicken", "A sentence: bank, mole, keys, …", choices=tuple(CASES)),
        *SLOTS,
        LAYER,
    ),
    compute=compute,
    panels=panels,
    questions={
        "looks": ask_looks,
        "comes": ask_comes,
        "winner": ask_winner,
        "change": ask_change,
        "residual": ask_residual,
        "carries": ask_carries,
    },
    mistakes=("no-scale", "scale-d-k", "no-softmax", "values-are-keys"),
    focus=Focus(query=-1),
    toy_cases=tuple(TOY_CASES),
    examples=(
        "attn-study demo context",
        "attn-study demo context --adjective wide --noun dog --place river",
        "attn-study demo context --case bank --word money",
        "attn-study demo context --case keys --noun key --place cabinets",
        "attn-study demo context --weights toy --case mole",
        "attn-study demo context --predict --question looks",
    ),
)
