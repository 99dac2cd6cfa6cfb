"""One head under five ways to mask, and what moves when a word or the order is changed."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from attn_study.attention.arrays import frozen
from attn_study.attention.pieces import reorder
from attn_study.demos.setup import attended

if TYPE_CHECKING:
    from collections.abc import Sequence

    from attn_study.attention.arrays import Array
    from attn_study.attention.trace import Trace
    from attn_study.demos.setup import Start

# What `attended` calls each way, and what it does; the first is the right one.
VARIANTS = {
    "": "-∞ before softmax",
    "mask-zero-before": "0 before softmax",
    "mask-zero-after": "0 after softmax",
    "mask-renormalised": "0 after, ÷ row sum",
    "no-mask": "no mask",
}
OFF = "no-mask"
SAYS = {
    "variant_weights": "the weights under each way to mask",
    "variant_output": "what the head gives under each",
    "edited_x": "x with one word changed",
    "edit_moves": "by how much that changes the output",
    "order": "the words in another order, numbered as they stood",
    "order_moves": "by how much that changes each word’s output",
    "one_at_a_time": "the head’s output, word after word, each from what has been read",
}
EDIT = 1.0  # added to the first number of the edited word


def masked_in_five_ways(
    begin: Start,
    mistake: str = "",
    *,
    variant: str = OFF,
    token: int = -1,
    order: Sequence[int] = (),
) -> Trace:
    """Return causal attention of one head, right or with one mistake made, and what moves it.

    `variant_weights` (variants, queries, keys) and `variant_output` (variants, queries, d_v) have
    all five ways. `edited_x` (tokens, d_model) is x with one word changed, that at `token`;
    `order` (queries) numbers the words from 1 as they are shuffled, the last first if nothing is
    said. `edit_moves` and `order_moves` (shown, queries, d_v) are by how much the head's output
    of each word changes then, under the right mask and under `variant`. `one_at_a_time`
    (queries, d_v) is the output of each word when nothing after it has been read yet.
    """
    n_tokens = len(begin.labels)
    shuffled = tuple(order) or (n_tokens - 1, *range(n_tokens - 1))
    edited = np.array(begin.x)
    edited[token, 0] += EDIT
    trace = _under_every(attended(begin, mistake), begin)
    labels = {"queries": begin.labels, "shown": (VARIANTS[""], VARIANTS[variant])}
    pair, axes = ("", variant), ("shown", "queries", "d_v")
    edits = [_output(begin, name, frozen(edited)) - _output(begin, name) for name in pair]
    orders = [_shuffled(begin, name, shuffled) - _output(begin, name) for name in pair]
    numbered = np.array(shuffled) + 1.0
    for name, step_axes, values in (
        ("edited_x", ("tokens", "d_model"), edited),
        ("edit_moves", axes, edits),
        ("order", ("queries",), numbered),
        ("order_moves", axes, orders),
        ("one_at_a_time", ("queries", "d_v"), [_prefix(begin, at) for at in range(n_tokens)]),
    ):
        known = {axis: labels[axis] for axis in step_axes if axis in labels}
        trace = trace.add(name, step_axes, values, SAYS[name], known)
    return trace


def _under_every(trace: Trace, begin: Start) -> Trace:
    every = [attended(begin, name) for name in VARIANTS]
    labels = {"variants": tuple(VARIANTS.values()), "queries": begin.labels}
    weights = [each["weights"].values[0] for each in every]
    outputs = [each["head_output"].values[0] for each in every]
    keys = {"keys": begin.labels}
    rows = ("variants", "queries")
    return trace.add(
        "variant_weights", (*rows, "keys"), weights, SAYS["variant_weights"], labels | keys
    ).add("variant_output", (*rows, "d_v"), outputs, SAYS["variant_output"], labels)


def _output(begin: Start, variant: str, x: Array | None = None) -> Array:
    there = begin if x is None else replace(begin, x=x)
    return frozen(attended(there, variant)["head_output"].values[0])


def _shuffled(begin: Start, variant: str, order: Sequence[int]) -> Array:
    """Return the output of each word where it stands in the other order, in the old order."""
    output = _output(begin, variant, reorder(begin.x, order))
    return output[np.argsort(order)]


def _prefix(begin: Start, at: int) -> Array:
    """Return the output of one word, from what has been read when it is the last."""
    read = slice(at + 1)
    known = replace(begin, labels=begin.labels[read], x=begin.x[read])
    return frozen(attended(known)["head_output"].values[0, -1])
