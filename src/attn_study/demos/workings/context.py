"""An open word in two sentences: what it reads there, and which way that moves its vector."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from attn_study.attention.arrays import frozen
from attn_study.attention.heads import attend, causal_mask
from attn_study.attention.mistakes import method_of
from attn_study.attention.projections import Projections
from attn_study.demos.setup import with_projections
from attn_study.errors import UserError, near

if TYPE_CHECKING:
    from attn_study.attention.arrays import Array
    from attn_study.attention.trace import Trace
    from attn_study.demos.workings.senses import Case

SENSES = frozen([[0, 1, 0, 0], [0, 0, 1, 0]])
STRENGTH = 2  # how strongly an open word asks


def reading(
    case: Case, word: str, *, lean: int = 2, strength: int = STRENGTH, mistake: str = ""
) -> Trace:
    """Return what the open word reads with `word` in the gap, and then with the other word.

    One query, the open word, (1, d_model); the steps of `attend`, then `other_value`,
    `other_weights`, `other_output` and `other_residual`, the same with the other word, and
    `cosine` (stages, senses) of the static vector and of both residuals. Raises UserError for a
    word that does not belong into the gap.
    """
    if word not in case.cues:
        hint = near(word, case.cues) or "one of: " + ", ".join(case.cues)
        raise UserError(f"{word!r} does not go into “{case.text}”", hint=hint)
    other = case.cues[1 - case.cues.index(word)]
    trace, turned = (_attended(case, cue, lean, strength, mistake) for cue in (word, other))
    trace = with_projections(trace, _head(strength))
    says = f"the same with “{other}” in the gap"
    apart = {"keys": "other_keys"}
    for step in ("value", "weights", "output", "residual"):
        made = turned[step]
        axes = tuple(apart.get(axis, axis) for axis in made.axes)
        labels = {"other_keys": case.words(other)} if "other_keys" in axes else {}
        trace = trace.add(f"other_{step}", axes, made.values, says, labels)
    moved = [trace[step].values[0] for step in ("x_queries", "residual", "other_residual")]
    return trace.add(
        "cosine",
        ("stages", "senses"),
        _cosines(moved),
        "of the static vector, and of x + output in either sentence, to each sense",
        {"stages": ("static", word, other), "senses": case.senses},
    )


def _attended(case: Case, cue: str, lean: int, strength: int, mistake: str) -> Trace:
    words = case.words(cue)
    at = slice(case.reader, case.reader + 1)
    x = frozen([case.vector(word, lean) for word in words])
    mask = causal_mask(len(words))[at] if case.causal else None
    return attend(
        x[at],
        x,
        _head(strength),
        mask=mask,
        query_labels=words[at],
        key_labels=words,
        method=method_of(mistake),
    )


def _head(strength: int) -> Projections:
    """Return a head in which a word that asks looks for either sense, in others, not in itself."""
    return Projections.from_matrices(
        w_q=[[strength, strength], [0, 0], [0, 0], [0, 0]],
        w_k=[[-1, -1], [1, 0], [0, 1], [0, 0]],
        w_v=[[0, 0], [1, 0], [0, 1], [0, 0]],
        w_o=[[0, 1, 0, 0], [0, 0, 1, 0]],
    )


def _cosines(vectors: list[Array]) -> Array:
    rows = np.stack(vectors)
    return frozen(rows @ SENSES.T / np.linalg.norm(rows, axis=1, keepdims=True))


def winners(case: Case, trace: Trace) -> tuple[str, str]:
    """Return the sense that wins with the word in the gap, and with the other word."""
    found = np.argmax(trace["cosine"].values[1:], axis=1)
    return case.senses[int(found[0])], case.senses[int(found[1])]
