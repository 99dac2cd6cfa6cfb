"""What comes of a mistake where vectors are too long to read: looks, lengths, the next word."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from attn_study.attention.pieces import lengths
from attn_study.demos.differing import RIGHT, WRONG, alike, no_row, row, rows_after, unlike_weights
from attn_study.demos.panels import Gap, Shaded, Table, Words
from attn_study.demos.parts import two, vector
from attn_study.demos.picking import asks_axis, name, names
from attn_study.demos.stepping import layer_of, which_head

if TYPE_CHECKING:
    from attn_study.attention.arrays import Array
    from attn_study.attention.trace import Trace
    from attn_study.demos.panels import Panel
    from attn_study.demos.working import Focus, Working

COSINE = "cosine (1 = same direction)"
REST = "the rest as in demo stack"  # of the model: it runs on unchanged, and no step has it
ROOMY = 12  # keys of which two rows of words leave room for empty lines on a small screen


def consequences(right: Working, wrong: Working, first: str, focus: Focus) -> tuple[Panel, ...]:
    """Return where the focused query looks, right and wrong, and what that makes of its vectors.

    `first` is the first step that differs; `focus` has a query and a head of the right trace.
    Where the trace says what word comes next, that stands before the vectors: so it is in sight
    on a small screen.
    """
    here, there = right.trace, wrong.trace
    looks, why = _looks(here, there, focus, layer_of(right)), no_row(here, there, focus)
    told: list[Panel] = [Words(said) for said in (why, _next_word(here, there)) if said]
    vectors = [] if why else _lengths(here, there, first, focus)
    is_tight = len(looks) > 1 and here.sizes.get("keys", 0) > ROOMY
    gap = () if is_tight else (Gap(),)
    return (*gap, *looks, *gap, *told, *vectors)


def _looks(right: Trace, wrong: Trace, focus: Focus, layer: str) -> list[Panel]:
    """Return the words with the focused row of weights: one row where both ways have the same."""
    if "weights" not in right or "weights" not in wrong:
        return []
    unlike = unlike_weights(right, wrong)
    if unlike:
        return [Words(unlike)]
    who = [f"{name(right, asks_axis(right), focus.query)} looks", which_head(right, focus, layer)]
    looks = ", ".join(part for part in who if part)
    here, there = _seen(right, focus), _seen(wrong, focus)
    if here[0] == there[0] and alike(here[1], there[1]):
        return [_shaded(f"{RIGHT} {WRONG} {looks}: the same weights in both", *here)]
    return [
        _shaded(f"{RIGHT} right: {looks}", *here),
        _shaded(f"{WRONG} wrong: {looks}", *there),
    ]


def _seen(trace: Trace, focus: Focus) -> tuple[tuple[str, ...], Array]:
    """Return the keys that the focused query may see, and what they weigh for it."""
    weights = row(trace, "weights", focus)
    hidden = np.zeros_like(weights, dtype=bool)
    if "masked_scores" in trace:
        hidden = np.isneginf(row(trace, "masked_scores", focus)) & (weights == 0)
    keys = names(trace, "keys")
    return tuple(keys[at] for at in np.flatnonzero(~hidden)), weights[~hidden]


def _shaded(title: str, keys: tuple[str, ...], weights: Array) -> Shaded:
    total = float(weights.sum())
    said = "" if np.isclose(total, 1) else f"; row sum {total:.4f}"
    return Shaded(f"{title}{said}", keys, vector(weights))


def _lengths(right: Trace, wrong: Trace, first: str, focus: Focus) -> list[Panel]:
    """Return the length of each vector that differs, right and wrong, and their cosine."""
    pairs = {
        step: both
        for step, both in rows_after(right, wrong, first, focus).items()
        if right[step].axes[-1].startswith("d_")
    }
    rows = tuple(
        (step, *(two(float(lengths(each))) for each in both), two(_cosine(*both)))
        for step, both in pairs.items()
    )
    if not rows:
        return []
    return [Table(("length of", RIGHT, WRONG, COSINE), rows)]


def _cosine(one: Array, other: Array) -> float | None:
    """Return the cosine between two vectors; None where one has no direction."""
    both = float(lengths(one) * lengths(other))
    return float(one @ other) / both if both else None


def _next_word(right: Trace, wrong: Trace) -> str:
    """Return the word that comes next, right and wrong, with what is left of the right one.

    Where it is the same word, that is said.
    """
    if "next_word" not in right or "next_word" not in wrong:
        return ""
    here, there = (trace["next_word"].values for trace in (right, wrong))
    words = names(right, "words")
    most, other = int(here.argmax()), int(there.argmax())
    if most == other:
        shares = f"{RIGHT} {two(here[most])}   {WRONG} {two(there[most])}"
        return f"next word, {REST}: it stays “{words[most]}”   {shares}"
    said = f"{RIGHT} {words[most]} {two(here[most])}   {WRONG} {words[other]} {two(there[other])}"
    return f"next word, {REST}: {said} ({words[most]} {two(there[most])})"
