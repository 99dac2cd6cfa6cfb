"""Which questions and which knobs of a lesson go with which weights: the model's, or by hand."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from attn_study.demos.trained_or_toy import CASE, TOY, TRAINED, WEIGHTS
from attn_study.errors import UserError

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    from attn_study.demos.demo import Demo, Knob
    from attn_study.demos.question import Asked, Question
    from attn_study.demos.working import Working

SAYS = {TRAINED: "the trained model", TOY: "weights set by hand"}


@dataclass(frozen=True, slots=True)
class OfModel:
    """A question about the trained model; any other is about weights set by hand.

    `ask` makes it from a seed and a case, "" for any; `case` is the one whose sentences it is
    about.
    """

    ask: Callable[[int, str], Asked]
    case: str = ""

    def __call__(self, seed: int) -> Asked:
        """Return the question with the numbers of this seed."""
        return self.ask(seed, self.case)

    def check(self) -> None:
        """Raise UserError, which says what to do, where the trained model cannot be read."""
        from attn_study.demos.trained.reader import parameters  # here: it brings the model along

        parameters()


def about(demo: Demo, knobs: Mapping[str, object]) -> Demo:
    """Return the demo with the questions about the weights among its `knobs`, settled or given.

    Where none are given they are the default. A lesson without such a choice keeps all questions.
    """
    shown = knobs.get(WEIGHTS) or _default(demo)
    if not shown:
        return demo
    kept = {name: ask for name, ask in demo.questions.items() if _weights_of(ask) == shown}
    return replace(demo, questions=kept)


def of_case(demo: Demo, case: object) -> Demo:
    """Return the demo with its questions about the trained model on sentences of a case.

    On those of any case where none is named. Questions on weights set by hand stay as they are.
    """
    named = {
        name: replace(ask, case=str(case or "")) if isinstance(ask, OfModel) else ask
        for name, ask in demo.questions.items()
    }
    return replace(demo, questions=named)


def refuse_case(given: Mapping[str, object], settled: Mapping[str, object]) -> None:
    """Refuse a case beside a question on weights set by hand, which draws its own."""
    if given.get(CASE) and settled.get(WEIGHTS) == TOY:
        raise UserError(
            "--case does not go with --predict on weights set by hand",
            hint="leave --case out, or ask the trained model: --weights trained",
        )


def check(demo: Demo, question: str) -> None:
    """Raise UserError where a question is about the trained model and that cannot be read."""
    asked = demo.questions.get(question)
    if isinstance(asked, OfModel):
        asked.check()


def with_weights(demo: Demo, given: Mapping[str, object], question: str) -> dict[str, object]:
    """Return what is given, with the weights that a question is about.

    They are added where none are given and the lesson has others by default.
    """
    own = _own(demo, question)
    if given.get(WEIGHTS) or own in ("", _default(demo)):
        return dict(given)
    return {**given, WEIGHTS: own}


def refuse_other(demo: Demo, given: Mapping[str, object], question: str) -> None:
    """Refuse a question that is about other weights than those given."""
    own = _own(demo, question)
    if own and given.get(WEIGHTS) not in (None, "", own):
        raise UserError(
            f"the question {question!r} is about {SAYS[own]}",
            hint=f"--weights {own}, or leave --weights out",
        )


def useful(demo: Demo, working: Working) -> tuple[Knob, ...]:
    """Return the knobs that a lesson has a use for at the weights of its working.

    Of the cases, those that these weights have are left to choose from.
    """
    if not _default(demo):
        return demo.knobs
    from attn_study.demos.trained.layer import (
        MODEL_KNOBS,
    )  # here: it brings the trained model along

    used = working.knobs
    is_trained = used[WEIGHTS] == TRAINED
    return tuple(
        knob if is_trained or knob.name != CASE else _of_cases(knob, demo.toy_cases)
        for knob in demo.knobs
        # By hand, what is not set may be left to the lesson; of the model's own it has no use.
        if used.get(knob.name) is not None or not (is_trained or knob in MODEL_KNOBS)
    )


def _of_cases(knob: Knob, cases: Collection[str]) -> Knob:
    """Return a knob that chooses among some cases alone, among all where none are named."""
    return (
        replace(knob, choices=tuple(one for one in knob.choices if one in cases)) if cases else knob
    )


def _default(demo: Demo) -> str:
    """Return the weights that the lesson has by default, "" where there is nothing to choose."""
    return next((str(knob.default) for knob in demo.knobs if knob.name == WEIGHTS), "")


def _own(demo: Demo, question: str) -> str:
    """Return the weights that a question is about, "" where there is nothing to choose."""
    known = _default(demo) and question in demo.questions
    return _weights_of(demo.questions[question]) if known else ""


def _weights_of(question: Question) -> str:
    return TRAINED if isinstance(question, OfModel) else TOY
