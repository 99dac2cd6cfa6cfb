"""Attention without projections over any words, right or with one mistake made."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from attn_study.attention import stages
from attn_study.attention.arrays import frozen
from attn_study.attention.examples import TOKENS, X
from attn_study.attention.heads import SIMPLER
from attn_study.attention.method import compute, inputs
from attn_study.attention.mistakes import method_of
from attn_study.attention.projections import Projections
from attn_study.attention.trace import Step, Trace
from attn_study.demos.setup import Start

if TYPE_CHECKING:
    from attn_study.attention.arrays import Array

ONLY_IN_HEADS = {"query", "key", "value", "concat", "output"}
RENAMED = {"head_output": "output", "d_v": "d_model"}
# What a step is here, where it is not what it is in a head.
SAYS = {name: SIMPLER[name] for name in ("scores", "terms", "output")}
SAYS["scaled_scores"] = "scores ÷ temperature"


def plain(d_model: int) -> Projections:
    """Return projections that change nothing: query, key and value are all x."""
    same = np.eye(d_model)
    return Projections.from_matrices(same, same, same, same)


# The words of the worked example, and one whose vector is so short that another word wins.
SHORT = (0, 1, 0, 0)
EXAMPLE = Start(
    (*TOKENS, "was"), frozen([*X.tolist(), SHORT]), plain(4), "toy vectors, set by hand"
)


def attended(words: tuple[str, ...], x: Array, mistake: str = "", temperature: float = 1) -> Trace:
    """Return a_i = Σ_{j ≤ i} α_ij x_j for x (tokens, d_model), one word a token.

    The steps are those of `attention.heads.simplified`; `scaled_scores` comes in where the
    temperature is not 1, and `effective` (queries) at the end. Raises UserError for a mistake
    and a temperature that cannot be.
    """
    given = inputs(
        x,
        None,
        plain(x.shape[1]),
        mask=stages.causal_mask(len(words)),
        residual=False,
        query_labels=words,
        key_labels=(),
    )
    method = method_of(mistake)
    warm = replace(method, scale=lambda scores, _: stages.temperature(scores, temperature))
    left_out = ONLY_IN_HEADS | ({"scaled_scores"} if temperature == 1 else set())
    full = compute(given, warm)
    trace = Trace(tuple(_without_heads(step) for step in full if step.name not in left_out))
    return trace.add(
        "effective",
        ("queries",),
        stages.effective_tokens(trace["weights"].values),
        "e^entropy of a row of weights: how many equal ones are spread as far",
        {"queries": words},
    )


def _without_heads(step: Step) -> Step:
    name = RENAMED.get(step.name, step.name)
    axes = tuple(RENAMED.get(axis, axis) for axis in step.axes if axis != "heads")
    values = step.values[0] if "heads" in step.axes else step.values
    return Step(name, axes, values, SAYS.get(name, step.says), step.labels)
