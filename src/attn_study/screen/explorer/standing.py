"""Where a knob stands, set or left to the lesson, and what it may be, in words."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from attn_study.demos.knobs import limits
from attn_study.demos.setup import D_K, D_MODEL, D_V, HEADS, SEED

if TYPE_CHECKING:
    from attn_study.demos.demo import Knob
    from attn_study.demos.lesson import Lesson

SIZES = (D_MODEL, D_K, D_V, HEADS)  # knobs whose value is the length of an axis of that name
READ = {"text": ("tokens", "keys"), "target": ("queries",)}  # axes whose labels are these words
COUNTED = 2**53  # a higher bound stands for none


def value_of(lesson: Lesson, knob: Knob) -> str:
    """Return what a knob stands at, as it would be typed; empty where it is left to the lesson."""
    return _typed(lesson.knobs.get(knob.name))


def in_force(lesson: Lesson, knob: Knob) -> str:
    """Return what a knob stands at, or what the lesson took; empty where it took nothing."""
    stands = value_of(lesson, knob) or _typed(lesson.working.knobs.get(knob.name))
    if stands:
        return stands
    sizes = lesson.working.trace.sizes
    if knob in SIZES and knob.name in sizes:
        return str(sizes[knob.name])
    if knob == SEED and "random" in lesson.working.weights:
        return "0"
    labels = map(lesson.working.trace.labels, READ.get(knob.name, ()))
    return " ".join(next(filter(None, labels), ()))


def explained(knob: Knob) -> str:
    """Return what a knob is for and what it may be, which is not said twice."""
    bounds = bounds_of(knob)
    ends = knob.choices or tuple(f"{end:g}" for end in (knob.least, knob.most) if end is not None)
    named = [end for end in ends if re.search(rf"\b{re.escape(end)}\b", knob.says)]
    if not bounds or len(named) == len(ends) > 1:
        return knob.says
    says = knob.says.partition(":")[0] if knob.choices and len(named) > 1 else knob.says
    return f"{says} ({bounds})"


def bounds_of(knob: Knob) -> str:
    """Return what a knob may be; a number that nobody counts to is no bound."""
    is_open = knob.most is not None and knob.most > COUNTED
    return limits(replace(knob, most=None) if is_open else knob)


def _typed(value: object) -> str:
    return "" if value is None else f"{value:g}" if isinstance(value, float) else str(value)
