"""The promise: the trained model reads a sentence in a few times what its products alone cost.

A forward pass over the chicken and the road, 15 tokens, and the whole trace of it, against the
matrix products of the same shapes and nothing else, in one process on one thread: processor time.

    python benchmarks/model.py
"""

from __future__ import annotations

import os
import sys
import time
from functools import partial
from typing import TYPE_CHECKING

os.environ.update(dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1"))

import numpy as np
from measure import Promise, Sample, compared, concluded

from attn_study.attention.model.forward import forward
from attn_study.attention.model.reading import read
from attn_study.attention.model.stored import trained
from attn_study.language.vocabulary import WORDS, numbers

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

SENTENCE = "the chicken did not cross the road because it was too tired so the"
TEXT = SENTENCE.split()
TIMES = 100  # in a row, so that a sample is many ticks of the clock
FORWARD_UNDER, TRACE_UNDER = 8.0, 40.0


def spent(work: Callable[[], object]) -> Sample:
    """Return the seconds of processor time that the work takes, done once."""
    before = time.process_time()
    for _ in range(TIMES):
        work()
    return (time.process_time() - before) / TIMES


def products(tokens: int) -> Callable[[], None]:
    """Return the bare matrix products of one forward pass."""
    size = trained().parameters.size
    wide, hidden = np.ones((tokens, size.d_model)), np.ones((tokens, size.d_hidden))
    square, up = np.ones((size.d_model, size.d_model)), np.ones((size.d_model, size.d_hidden))
    part = np.ones((size.n_heads, tokens, size.d_k))
    weights = np.ones((size.n_heads, tokens, tokens))
    out = np.ones((size.d_model, size.n_words))

    def multiply() -> None:
        for _ in range(size.n_layers):
            for _ in "qkvo":
                wide @ square
            part @ part.swapaxes(-1, -2)
            weights @ part
            wide @ up
            hidden @ up.T
        wide @ out

    return multiply


def measured() -> Iterator[Promise]:
    """Measure the forward pass and the trace, each in turn with the products."""
    parameters, tokens, labels = trained().parameters, numbers(TEXT), ("<start>", *TEXT)
    bare = partial(spent, products(len(tokens)))
    one = partial(forward, parameters, np.array([tokens]))
    whole = partial(read, parameters, tokens, labels, words=WORDS)
    for name, work, under in (
        ("a forward pass", one, FORWARD_UNDER),
        ("a forward pass with its trace", whole, TRACE_UNDER),
    ):
        yield Promise(name, compared(partial(spent, work), bare), under)


def main() -> int:
    print(f"processor time for {len(TEXT) + 1} tokens / the matrix products alone")
    return concluded(measured())


if __name__ == "__main__":
    sys.exit(main())
