"""Live computations, one file a lesson; a demo is loaded by its name when it is met."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, cast

from attn_study.errors import UserError, near

if TYPE_CHECKING:
    from attn_study.demos.demo import Demo

# What each lesson shows, in the order of the lessons. Kept here, so that a list costs no numpy.
LESSONS = {
    "simplified": "weights from dot products alone",
    "qkv": "three roles: query, key and value",
    "scale": "why scores are divided by √d_k",
    "mask": "who may look at whom",
    "head": "one attention head, end to end",
    "values": "a weight is not yet an effect",
    "multihead": "several heads, the same words",
    "cross": "one sequence asks, another answers",
    "params": "counting what is learned, in GPT-3 and GPT-2",
    "context": "what the context adds to a word",
    "stack": "from text to the next word",
    "learn": "a head learns to look at the right word",
}


def exists(name: str) -> bool:
    """Return whether there is a demo of that name."""
    return name in LESSONS


def load(name: str) -> Demo:
    """Return the demo called `name`; raises UserError with near names when there is none."""
    if name not in LESSONS:
        raise UserError(f"no demo is called {name!r}", hint=near(name, LESSONS))
    return cast("Demo", import_module(f"{__name__}.{name}").DEMO)
