"""What came of a course in the lesson `learn`: whether its claim is reached, told in words."""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING

from attn_study.demos.workings.learn import course_of
from attn_study.demos.workings.tasks import N_KEPT

if TYPE_CHECKING:
    from attn_study.demos.working import Working
    from attn_study.demos.workings.courses import Claim

NOTHING = "Not learned within these steps."


def told(working: Working, at: int) -> str:
    """Return what goes on at a moment, and after the last step what the numbers show of it.

    How a model does it is told where a weight says so; where the claim names none, of the seeds
    that were tested.
    """
    about = course_of(working).about.get(_layers(working))
    if about is None:
        return ""
    claim = _claim(working, at)
    ending = ""
    if claim and not _is_right(working, claim):
        ending = NOTHING
    elif claim and not _is_looked_at(working, claim):
        ending = about.less
    elif claim and (claim.on_target or working.knobs["seed"] in claim.seeds):
        ending = about.reached
    trace = working.trace
    numbers = {"on_target": trace["on_target"].values[at]}
    if "first_on_target" in trace:
        numbers["earlier"] = trace["first_on_target"].values[at]
    return f"{about.task} {ending}".strip().format(**numbers)


def claimed(working: Working, at: int) -> str:
    """Return after the last step what holds for the seeds tested, and how another compares."""
    claim = _claim(working, at)
    if claim is None:
        return ""
    least, most = ceil(claim.least * N_KEPT), int(claim.most * N_KEPT)
    right = f"at least {least}" if most == N_KEPT else f"{least} to {most}"
    seeds, seed = claim.seeds, working.knobs["seed"]
    span = f"{seeds[0]} to {seeds[-1]}" if len(seeds) > 1 else f"{seeds[0]}"
    if seed in seeds:
        weight = f", weight at least {claim.on_target:.1f}" if claim.on_target else ""
        plural = "s" if len(seeds) > 1 else ""
        return f"Tested for seed{plural} {span}: {right} of {N_KEPT} right{weight}."
    here = f"{_last(working, 'right'):.0f} right"
    here += f", weight {_last(working, 'on_target'):.2f}" if claim.on_target else ""
    end = "as theirs"
    if not _is_right(working, claim):
        end = f"not their {least} or more" if most == N_KEPT else f"not their {right}"
    elif not _is_looked_at(working, claim):
        end = f"not their {claim.on_target:.1f}"
    are = "are" if len(seeds) > 1 else "is"
    return f"Seed {seed} is not tested ({span} {are}). Here {here}, {end}."


def _claim(working: Working, at: int) -> Claim | None:
    """Return what is claimed of the last step, at that step."""
    course = course_of(working)
    is_done = working.trace["steps"].values[at] == course.steps
    return course.claims.get(_layers(working)) if is_done else None


def _layers(working: Working) -> int:
    return int(str(working.knobs["layers"]))


def _is_right(working: Working, claim: Claim) -> bool:
    return claim.least <= _last(working, "right") / N_KEPT <= claim.most


def _is_looked_at(working: Working, claim: Claim) -> bool:
    return _last(working, "on_target") >= claim.on_target


def _last(working: Working, step: str) -> float:
    return float(working.trace[step].values[-1])
