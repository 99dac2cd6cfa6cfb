"""One causal head with what its values carry: the effect of each, and the map they go through."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from attn_study.attention.method import compute, inputs
from attn_study.attention.mistakes import method_of
from attn_study.attention.pieces import lengths, rank, value_maps
from attn_study.attention.stages import causal_mask, normalise
from attn_study.demos.setup import with_projections

if TYPE_CHECKING:
    from attn_study.attention.arrays import Array
    from attn_study.attention.method import Inputs, Method
    from attn_study.attention.trace import Trace
    from attn_study.demos.setup import Start

PATTERN = ("heads", "queries", "keys")


def carried(begin: Start, zeroed: int | None = None, mistake: str = "") -> Trace:
    """Return one causal head, then the steps that say what each value does.

    `effect` |weight × value| and `effect_share`, its part of the row, both (heads, queries,
    keys); `value_map` (heads, d_model, d_out), the product of `w_v` and `w_o`, and its `rank`
    (heads). `zeroed` is a key, from 0, whose value is set to zero; raises UserError for a mistake
    that these sizes do not allow.
    """
    given = inputs(
        begin.x,
        None,
        begin.projections,
        mask=causal_mask(len(begin.labels)),
        residual=True,
        query_labels=begin.labels,
        key_labels=begin.labels,
    )
    method = method_of(mistake)
    if zeroed is not None:
        method = _without(method, zeroed, begin.labels[zeroed])
    return _explained(compute(given, method), begin)


def _without(method: Method, at: int, word: str) -> Method:
    """Return the method with the value of one key set to zero, and nothing else."""

    def roles(given: Inputs) -> tuple[Array, Array, Array]:
        query, key, value = method.roles(given)
        value = value.copy()
        value[:, at] = 0.0
        return query, key, value

    says = {**method.says, "value": f"x W^V, with the value of “{word}” set to zero"}
    return replace(method, roles=roles, says=says)


def _explained(trace: Trace, begin: Start) -> Trace:
    matrices = begin.projections
    effect = lengths(trace["terms"].values)
    maps = value_maps(matrices)
    ranks = [rank(one) for one in maps]
    return (
        with_projections(trace, matrices)
        .add("effect", PATTERN, effect, "the length of weight × value")
        .add("effect_share", PATTERN, normalise(effect), "effect ÷ the effects of the row")
        .add("value_map", ("heads", "d_model", "d_out"), maps, f"W^V W^O, of rank {ranks[0]}")
        .add("rank", ("heads",), ranks, "of the value map: at most d_v")
    )
