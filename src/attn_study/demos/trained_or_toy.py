"""The two sorts of weights a lesson may run on: those of the trained model, or set by hand."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from attn_study.demos.demo import Knob
from attn_study.errors import UserError

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from attn_study.demos.demo import Demo
    from attn_study.demos.working import Working

TRAINED, TOY = "trained", "toy"
WEIGHTS, CASE = "weights", "case"  # names of knobs


def weights(default: str) -> Knob:
    """Return the knob that chooses between the trained model and weights set by hand."""
    return Knob(WEIGHTS, default, "The trained model, or set by hand.", choices=(TRAINED, TOY))


def complete(working: Working, demo: Demo) -> Working:
    """Return the working with all knobs of its lesson, None for those that it has no use for."""
    return replace(working, knobs={knob.name: working.knobs.get(knob.name) for knob in demo.knobs})


def refuse(given: Mapping[str, object], known: Collection[str], which: str) -> None:
    """Refuse what was set, and what these weights have no use for."""
    for name, value in given.items():
        if value not in (None, "") and name not in known:
            other = TOY if which == TRAINED else TRAINED
            option = f"--{name.replace('_', '-')}"
            raise UserError(
                f"{option} means nothing with {which} weights", hint=f"--weights {other}"
            )


def case_of(case: str, cases: Collection[str], which: str) -> str:
    """Return the case; UserError when these weights have no such sentence."""
    if case not in cases:
        hint = "one of: " + ", ".join(cases)
        raise UserError(f"there is no case {case!r} with {which} weights", hint=hint)
    return case
