"""A head learns to look at the right word: a small model trained now, watched at one sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attn_study.demos.asks.learn import QUESTIONS, about
from attn_study.demos.demo import Demo, Knob, Play
from attn_study.demos.panels import Curve, Curves, Gap, Ledger, Row, Shaded, Words
from attn_study.demos.parts import vector
from attn_study.demos.working import Focus
from attn_study.demos.workings.courses import COURSES
from attn_study.demos.workings.learn import compute, course_of, frames, line, notice
from attn_study.demos.workings.outcome import claimed, told
from attn_study.demos.workings.tasks import N_KEPT

ROOMY = 13  # tokens of a sentence that fits one row of a terminal

if TYPE_CHECKING:
    from attn_study.attention.trace import Trace
    from attn_study.demos.panels import Panel
    from attn_study.demos.working import Working

OFTEN = 5  # moments to one line, where lines are printed


def panels(working: Working, focus: Focus) -> tuple[Panel, ...]:
    """Return where the head looks at one moment, what comes next, and the course up to there."""
    trace, at = working.trace, focus.query
    is_tight = "first_weights" in trace or len(trace.labels("keys")) > ROOMY
    looks = _two_looks(working, at) if "first_weights" in trace else (_look(trace, at, is_tight),)
    following = () if is_tight else (_following(trace, at), Gap())
    height = 4 if len(looks) == 1 else 3 if len(trace.labels("keys")) <= ROOMY else 2
    return (
        *looks,
        Gap(),
        *following,
        _curves(working, at, height),
        Gap(),
        *(Words(said) for said in (told(working, at), claimed(working, at)) if said),
    )


def _look(trace: Trace, at: int, is_tight: bool) -> Shaded:
    """Return the words of the sentence with the weights that the last one gives them."""
    words, step = trace.labels("keys"), trace.labels("moments")[at]
    rest = _told(trace, at) if is_tight else "this sentence is not in the training"
    weights = vector(trace["weights"].values[at])
    return Shaded(f"{step}: “{words[-1]}” asks; {rest}", words, weights)


def _two_looks(working: Working, at: int) -> tuple[Shaded, ...]:
    """Return the words with their weights in each of two layers."""
    trace, course = working.trace, course_of(working)
    words, step = trace.labels("keys"), trace.labels("moments")[at]
    seen = trace.labels("first_keys")
    heads = [f", head {head + 1}" if course.heads > 1 else "" for head in course.watch]
    return (
        Shaded(
            f"{step}, layer 1{heads[0]}: “{seen[-1]}” asks",
            seen,
            vector(trace["first_weights"].values[at]),
        ),
        Shaded(
            f"layer 2{heads[-1]}: “{words[-1]}” asks; {_told(trace, at)}",
            words,
            vector(trace["weights"].values[at]),
        ),
    )


def _following(trace: Trace, at: int) -> Ledger:
    """Return the share of the right next word, beside that of the wrong one."""
    words = tuple(f"“{word}”" for word in trace.labels("answers"))
    shares = vector(trace["next_word"].values[at])
    return Ledger("next word", words, (Row("share", "", shares, role="weights", bars=True),))


def _told(trace: Trace, at: int) -> str:
    """Return the same in a few words."""
    pairs = zip(trace.labels("answers"), trace["next_word"].values[at], strict=True)
    return "next " + ", ".join(f"“{word}” {share:.2f}" for word, share in pairs)


def _curves(working: Working, at: int, height: int) -> Curves:
    course, trace = course_of(working), working.trace
    loss, right, on_target = (trace[name].values for name in ("loss", "right", "on_target"))
    length = 1 + course.steps // course.every
    so_far = slice(0, at + 1)
    return Curves(
        (
            Curve(
                f"loss {loss[at]:.2f}", vector(loss[so_far]), length, float(loss.max()), digits=2
            ),
            Curve(f"right {right[at]:.0f} of {N_KEPT}", vector(right[so_far]), length, N_KEPT),
            Curve(
                f"on {course.decides} {on_target[at]:.2f}",
                vector(on_target[so_far]),
                length,
                1,
                "weights",
            ),
        ),
        "0",
        f"{course.steps} steps",
        height,
    )


DEMO = Demo(
    name="learn",
    knobs=(
        Knob("case", "agreement", "agreement, coref, depth or repeat.", choices=tuple(COURSES)),
        Knob("layers", None, "How many layers, 1 or 2.", kind=int, least=1, most=2),
        Knob("seed", None, "Another model to begin with.", kind=int, least=0, most=2**63 - 1),
        Knob("sentence", 0, "Which unseen sentence; 0: textbook.", kind=int, least=0, most=N_KEPT),
    ),
    compute=compute,
    panels=panels,
    questions=QUESTIONS,
    focus=Focus(query=-1),
    examples=(
        "attn-study demo learn",
        "attn-study demo learn --case coref --fps 4",
        "attn-study demo learn --case depth",
        "attn-study demo learn --case depth --layers 2",
        "attn-study demo learn --case repeat",
        "attn-study demo learn --predict --seed 2",
    ),
    play=Play(frames, line, OFTEN, notice, about),
)
