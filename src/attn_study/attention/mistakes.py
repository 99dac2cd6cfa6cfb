"""The wrong computations people make, each as one replaced stage of the right one."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from attn_study.attention import stages
from attn_study.attention.method import RIGHT, Inputs, Method, take_roles
from attn_study.errors import UserError, near

if TYPE_CHECKING:
    from attn_study.attention.arrays import Array, Mask
    from attn_study.attention.trace import Trace

SAME = 1e-9  # what rounding alone may do to a number


@dataclass(frozen=True, slots=True, eq=False)
class Mistake:
    """One wrong computation: `says` finishes the sentence "this number is …"."""

    says: str
    method: Method


def _no_mask(given: Inputs) -> Inputs:
    return replace(given, mask=np.ones_like(given.mask))


def _mask_wrong_side(given: Inputs) -> Inputs:
    n_queries, n_keys = given.mask.shape
    if n_queries != n_keys:
        raise UserError(
            f"a mask of {n_queries} queries and {n_keys} keys has no other side",
            hint="mask-wrong-side needs as many queries as keys",
        )
    return replace(given, mask=given.mask.T)


def _swap_sources(given: Inputs) -> Inputs:
    if given.one_source:
        return given
    labels = {"queries": given.labels.get("keys"), "keys": given.labels.get("queries")}
    return replace(
        given,
        x_queries=given.x_keys,
        x_keys=given.x_queries,
        mask=given.mask.T,
        labels={axis: texts for axis, texts in labels.items() if texts},
    )


def _swap_q_k(given: Inputs) -> tuple[Array, Array, Array]:
    matrices = given.projections
    swapped = replace(matrices, w_q=matrices.w_k, w_k=matrices.w_q)
    return take_roles(replace(given, projections=swapped))


def _values_are_keys(given: Inputs) -> tuple[Array, Array, Array]:
    matrices = given.projections
    if matrices.d_k != matrices.d_v:
        raise UserError(
            f"keys of width d_k={matrices.d_k} cannot stand in for values of d_v={matrices.d_v}",
            hint="values-are-keys needs d_k and d_v to be equal",
        )
    query, key, _ = take_roles(given)
    return query, key, key


def _zero_where_masked(scores: Array, mask: Mask) -> Array:
    return np.where(mask, scores, 0.0)


def _leave_open(scores: Array, _mask: Mask) -> Array:
    return scores


def _zero_late(weights: Array, _masked_scores: Array, mask: Mask) -> Array:
    return weights * mask


def _renormalise(weights: Array, masked_scores: Array, mask: Mask) -> Array:
    return stages.normalise(_zero_late(weights, masked_scores, mask))


def _average(weights: Array, _masked_scores: Array, _mask: Mask) -> Array:
    return np.broadcast_to(weights.mean(axis=0), weights.shape)


def _uniform(weights: Array, _masked_scores: Array, mask: Mask) -> Array:
    return stages.normalise(np.broadcast_to(mask, weights.shape))


def _largest_only(_weights: Array, masked_scores: Array, mask: Mask) -> Array:
    """Ties share, as they do in the limit of a temperature towards 0."""
    largest = masked_scores.max(axis=-1, keepdims=True)
    return stages.normalise((masked_scores == largest) & mask)


def _raw(masked_scores: Array, _axis: int) -> tuple[Array, bool]:
    return np.where(np.isneginf(masked_scores), 0.0, masked_scores), False


MISTAKES = {
    "no-scale": Mistake(
        "what comes out without dividing the scores by √d_k",
        Method(
            scale=lambda scores, _: scores,
            says={"scaled_scores": "the scores as they were: not divided by √d_k"},
        ),
    ),
    "scale-d-k": Mistake(
        "what comes out when the scores are divided by d_k, not by its square root",
        Method(
            scale=lambda scores, matrices: scores / matrices.d_k,
            says={"scaled_scores": "scores ÷ d_k, the root forgotten"},
        ),
    ),
    "scale-d-model": Mistake(
        "what comes out when the scores are divided by √d_model, not by √d_k",
        Method(
            scale=lambda scores, matrices: stages.scale(scores, matrices.d_model),
            says={"scaled_scores": "scores ÷ √d_model, the wrong width"},
        ),
    ),
    "no-mask": Mistake(
        "what comes out without the mask: a later token was still in the sum",
        Method(prepare=_no_mask, says={"masked_scores": "every query looks everywhere"}),
    ),
    "mask-zero-before": Mistake(
        "what comes out when a hidden score is 0, not -∞: e^0 = 1 was still in the sum",
        Method(hide=_zero_where_masked, says={"masked_scores": "0 where a query may not look"}),
    ),
    "mask-zero-after": Mistake(
        "what comes out when the weights are masked after softmax: the row no longer sums to 1",
        Method(
            hide=_leave_open,
            finish=_zero_late,
            says={
                "masked_scores": "not masked yet",
                "weights": "exp ÷ row sum, then 0 where a query may not look",
            },
        ),
    ),
    "softmax-columns": Mistake(
        "what comes out when softmax runs down the columns, over the queries",
        Method(
            over="queries",
            says={
                "row_sum": "the sum of exp over the queries of one key",
                "weights": "exp ÷ column sum: each column sums to 1, the rows do not",
            },
        ),
    ),
    "swap-q-k": Mistake(
        "what comes out when W^Q and W^K are swapped: the wrong token asks",
        Method(
            roles=_swap_q_k,
            says={"query": "x W^K, the wrong matrix", "key": "x W^Q, the wrong matrix"},
        ),
    ),
    "no-softmax": Mistake(
        "what comes out when the scores are divided by their sum, without e^score",
        Method(
            exponentiate=_raw,
            says={
                "exp": "the score itself, not e^score",
                "row_sum": "the sum of the scores of one query",
                "weights": "score ÷ sum of scores, which may be negative (0 if that sum is 0)",
            },
        ),
    ),
    "values-are-keys": Mistake(
        "what comes out when the keys are summed instead of the values",
        Method(roles=_values_are_keys, says={"value": "the keys again, not x W^V"}),
    ),
    "mask-wrong-side": Mistake(
        "what comes out when the mask hides the past and shows the future",
        Method(prepare=_mask_wrong_side, says={"masked_scores": "-∞ on the wrong side"}),
    ),
    "average-heads": Mistake(
        "what comes out when the heads share one averaged pattern",
        Method(finish=_average, says={"weights": "the mean over the heads, the same for each"}),
    ),
    "swap-sources": Mistake(
        "what comes out when the two sequences are swapped: one row for each that should answer",
        Method(
            prepare=_swap_sources,
            says={
                "x_queries": "the sequence that should answer",
                "x_keys": "the sequence that should ask",
            },
        ),
    ),
}

# Not mistakes to be named: the late mask that is right again, and the two extremes.
EXTREMES = {
    "mask-renormalised": Mistake(
        "the right number: a late mask is mended by dividing by the row sum",
        Method(
            hide=_leave_open,
            finish=_renormalise,
            says={
                "masked_scores": "not masked yet",
                "weights": "0 where a query may not look, then divided by what is left",
            },
        ),
    ),
    "uniform": Mistake(
        "what comes out when all that may be looked at weighs the same",
        Method(finish=_uniform, says={"weights": "1 ÷ the number of keys allowed"}),
    ),
    "argmax": Mistake(
        "what comes out when only the largest score counts",
        Method(finish=_largest_only, says={"weights": "1 for the largest score, ties share"}),
    ),
}


def method_of(mistake: str) -> Method:
    """Return the method that makes one of `MISTAKES` or `EXTREMES`; "" is the right method.

    With it `row_sum` has the axes (heads, keys) when softmax runs down the columns. Raises
    UserError when the name is unknown; `attend` does when the mistake cannot be made of its
    inputs: another side of an oblong mask, keys as values of another width.
    """
    known = MISTAKES | EXTREMES
    if mistake and mistake not in known:
        raise UserError(f"no mistake is called {mistake!r}", hint=near(mistake, known))
    return known[mistake].method if mistake else RIGHT


def first_difference(right: Trace, wrong: Trace) -> str | None:
    """Return the name of the first step in which the wrong trace leaves the right one.

    A step differs when it is missing, has other axes or sizes, or another number; None when the
    mistake changes nothing on these inputs.
    """
    for step in right:
        if step.name not in wrong:
            return step.name
        other = wrong[step.name]
        if step.axes != other.axes or step.shape != other.shape:
            return step.name
        if not np.allclose(step.values, other.values, rtol=SAME, atol=SAME):
            return step.name
    return next((name for name in wrong.names if name not in right), None)
