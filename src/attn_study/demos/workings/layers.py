"""A stack of two layers with weights set by hand: enough to make a verb agree with its subject."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from attn_study.attention.arrays import Array, frozen
from attn_study.attention.heads import attend, causal_mask
from attn_study.attention.projections import Projections
from attn_study.attention.stages import softmax
from attn_study.attention.trace import Trace

if TYPE_CHECKING:
    from collections.abc import Sequence

FEATURES = ("stem", "part", "early", "A", "B", "one", "→A", "→B")
WIDTH = len(FEATURES)
EARLY_POSITIONS = 3


def _feature(**values: int) -> tuple[int, ...]:
    """Return a vector with these features, and `one`, which every token has."""
    names = dict(
        zip(
            ("stem", "part", "early", "a", "b", "one", "next_a", "next_b"),
            range(WIDTH),
            strict=True,
        )
    )
    found = [0] * WIDTH
    for name, value in ({"one": 1} | values).items():
        found[names[name]] = value
    return tuple(found)


STEM = _feature(stem=1)
PART = _feature(part=1)
FILLER = _feature()
MEANS_A = _feature(stem=1, a=2)
MEANS_B = _feature(stem=1, b=2)
STEM_B = _feature(stem=1, b=1)
PART_A = _feature(part=1, a=2)
EARLY = frozen([0, 0, 2, 0, 0, 0, 0, 0])


@dataclass(frozen=True, slots=True)
class Layer:
    """One layer: a head, and an MLP of a few hidden units, x + relu(x W_in) W_out."""

    head: Projections
    w_in: Array
    w_out: Array


def _matrix(rows: int, columns: int, **cells: float) -> Array:
    """Return a matrix of zeros but for cells such as r0c1=2."""
    found = np.zeros((rows, columns))
    for place, value in cells.items():
        row, column = place[1:].split("c")
        found[int(row), int(column)] = value
    return frozen(found)


# Layer 1: a part of a word reads its stem, other tokens look away from stems; the MLP strengthens
# what an early token means, if it is a stem or has read one.
# Layer 2: every token reads the early token that means most, and writes down what comes next.
LAYERS = (
    Layer(
        Projections.from_matrices(
            w_q=_matrix(WIDTH, 2, r1c0=8, r5c0=-4),
            w_k=_matrix(WIDTH, 2, r0c0=1),
            w_v=_matrix(WIDTH, 2, r0c0=1),
            w_o=_matrix(2, WIDTH, r0c0=1),
        ),
        w_in=_matrix(WIDTH, 2, r0c0=5, r2c0=1, r3c0=2, r5c0=-7, r0c1=5, r2c1=1, r4c1=2, r5c1=-7),
        w_out=_matrix(2, WIDTH, r0c3=1, r1c4=1),
    ),
    Layer(
        Projections.from_matrices(
            w_q=_matrix(WIDTH, 2, r5c0=1),
            w_k=_matrix(WIDTH, 2, r2c0=1, r3c0=1, r4c0=1),
            w_v=_matrix(WIDTH, 2, r3c0=1, r4c1=1),
            w_o=_matrix(2, WIDTH, r0c6=1, r1c7=1),
        ),
        w_in=_matrix(WIDTH, 2, r6c0=1, r7c0=-1, r6c1=-1, r7c1=1),
        w_out=_matrix(2, WIDTH, r0c6=0.5, r1c7=0.5),
    ),
)


def run(
    tokens: Sequence[str],
    vectors: Sequence[Sequence[int]],
    words: Sequence[str],
    *,
    layers: int,
    temperature: float,
    off: int = 0,
) -> Trace:
    """Return the working of the stack, from vectors to the next word.

    Steps: `token_vectors`, `positions`, `x` (tokens, d_model); for each layer n its matrices
    `w_q_n`, `w_k_n`, `w_v_n` (d_model, d_head), `w_o_n` (d_head, d_model), `w_in_n` (d_model,
    hidden), `w_out_n` (hidden, d_model), then `weights_n` (queries, keys), `attention_n`, `mlp_n`,
    `residual_n` (queries, d_model); `last` (d_model), `unembedding` (d_model, words), `logits` and
    `next_word` (words). `off` names a layer whose head is silent, from 1.
    """
    names = tuple(tokens)
    given = frozen(vectors)
    positions = frozen([EARLY if at < EARLY_POSITIONS else 0 * EARLY for at in range(len(names))])
    x = frozen(given + positions)
    trace = (
        Trace()
        .add("token_vectors", ("tokens", "d_model"), given, "one vector a token", {"tokens": names})
        .add("positions", ("tokens", "d_model"), positions, "what the place in the text adds")
        .add("x", ("tokens", "d_model"), x, "token vector + position: the first residual")
    )
    for number, layer in enumerate(LAYERS[:layers], start=1):
        trace, x = _through(trace, x, layer, number, silent=number == off)
    return _read_out(trace, x[-1], words, temperature)


def _through(
    trace: Trace, x: Array, layer: Layer, number: int, *, silent: bool
) -> tuple[Trace, Array]:
    """Add one layer's steps; return the residual that leaves it."""
    names = trace.labels("tokens")
    step = attend(x, None, layer.head, mask=causal_mask(len(x)))
    weights = step["weights"].values[0]
    added = step["output"].values * (0.0 if silent else 1.0)
    middle = x + added
    mlp = np.maximum(middle @ layer.w_in, 0.0) @ layer.w_out
    labels = {"queries": names, "keys": names}
    says = "switched off: adds nothing" if silent else "what the head adds to each token"
    rows = ("queries", "d_model")
    trace = (
        _with_matrices(trace, layer, number)
        .add(f"weights_{number}", ("queries", "keys"), weights, "each row sums to 1", labels)
        .add(f"attention_{number}", rows, added, says)
        .add(f"mlp_{number}", rows, mlp, "what the MLP adds: relu((x + attention) W_in) W_out")
        .add(f"residual_{number}", rows, middle + mlp, "x + attention + MLP: the next layer's x")
    )
    return trace, frozen(middle + mlp)


def _with_matrices(trace: Trace, layer: Layer, number: int) -> Trace:
    """Add what one layer multiplies by, so that its steps can be checked."""
    head = layer.head
    down, up = ("d_model", "d_head"), ("d_head", "d_model")
    for name, axes, matrix, says in (
        ("w_q", down, head.w_q[0], "W^Q: from a token to what it asks for"),
        ("w_k", down, head.w_k[0], "W^K: from a token to what it is found by"),
        ("w_v", down, head.w_v[0], "W^V: from a token to what it passes on"),
        ("w_o", up, head.w_o, "W^O: back to the width"),
        ("w_in", ("d_model", "hidden"), layer.w_in, "into the MLP's hidden units"),
        ("w_out", ("hidden", "d_model"), layer.w_out, "and back to the width"),
    ):
        trace = trace.add(f"{name}_{number}", axes, matrix, says)
    return trace


def _read_out(trace: Trace, last: Array, words: Sequence[str], temperature: float) -> Trace:
    """Add the unembedding of the last vector, and the softmax over the words."""
    reads = np.zeros((WIDTH, len(words)))
    reads[6, 0] = reads[7, 1] = 1.0
    reads[5, 2:] = 1.0
    logits = last @ reads
    labels = {"words": tuple(words)}
    return (
        trace.add("last", ("d_model",), last, "the last token’s vector: all that is read")
        .add("unembedding", ("d_model", "words"), reads, "one column a word", labels)
        .add("logits", ("words",), logits, "last vector · one column a word", labels)
        .add(
            "next_word", ("words",), softmax(logits / temperature), "softmax(logits ÷ temperature)"
        )
    )
