"""How each stage of attention is carried out; a mistake is a method with a stage replaced."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from attn_study.attention import stages
from attn_study.attention.arrays import Array, Mask, finite
from attn_study.attention.trace import Step, Trace
from attn_study.errors import UserError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import ArrayLike

    from attn_study.attention.projections import Projections

Named: TypeAlias = tuple[str, tuple[str, ...], Array]
Labels: TypeAlias = Mapping[str, tuple[str, ...]]

PATTERN = ("heads", "queries", "keys")


@dataclass(frozen=True, slots=True, eq=False)
class Inputs:
    """What attention is computed from, checked.

    `x_queries` is (queries, d_model), `x_keys` (keys, d_model), `mask` (queries, keys) and True
    where looking is allowed; `residual`, if any, is added to the output where its shape fits;
    `labels` has one text a token under `queries` and `keys`, where there are texts. With
    `one_source` both sequences are the same.
    """

    x_queries: Array
    x_keys: Array
    projections: Projections
    mask: Mask
    residual: Array | None
    labels: Labels
    one_source: bool


def inputs(
    x_queries: ArrayLike,
    x_keys: ArrayLike | None,
    projections: Projections,
    *,
    mask: ArrayLike | None,
    residual: bool,
    query_labels: Sequence[str],
    key_labels: Sequence[str],
) -> Inputs:
    """Return the inputs as checked arrays; `UserError` shows both shapes that disagree."""
    one_source = x_keys is None or x_keys is x_queries
    asks = finite("x" if one_source else "x_queries", x_queries, 2)
    answers = asks if one_source or x_keys is None else finite("x_keys", x_keys, 2)
    for name, x in (("the tokens that ask", asks), ("the tokens that answer", answers)):
        if x.shape[1] != projections.d_model:
            raise UserError(
                f"{name} have {x.shape[1]} numbers each, "
                f"the projections take d_model={projections.d_model}"
            )
    texts = {"queries": query_labels, "keys": key_labels or (query_labels if one_source else ())}
    return Inputs(
        asks,
        answers,
        projections,
        _mask(mask, (len(asks), len(answers))),
        asks if residual else None,
        {axis: tuple(words) for axis, words in texts.items() if words},
        one_source,
    )


def _mask(mask: ArrayLike | None, shape: tuple[int, int]) -> Mask:
    if mask is None:
        return np.ones(shape, dtype=np.bool_)
    allowed = np.array(mask)
    if allowed.shape != shape or allowed.dtype != np.bool_:
        raise UserError(
            f"the mask is {allowed.dtype} of shape {allowed.shape}, "
            f"not bool of shape {shape} (queries, keys)",
            hint="True where looking is allowed",
        )
    return allowed


def take_roles(given: Inputs) -> tuple[Array, Array, Array]:
    """Return query, key and value, each (heads, tokens, width)."""
    matrices = given.projections
    return (
        stages.project(given.x_queries, matrices.w_q),
        stages.project(given.x_keys, matrices.w_k),
        stages.project(given.x_keys, matrices.w_v),
    )


def divide_by_root_d_k(scores: Array, projections: Projections) -> Array:
    """Return the scores divided by √d_k."""
    return stages.scale(scores, projections.d_k)


def keep(weights: Array, _masked_scores: Array, _mask: Mask) -> Array:
    """Return the weights as softmax left them."""
    return weights


@dataclass(frozen=True, slots=True, eq=False)
class Method:
    """Each choice of the computation; the defaults are the right ones.

    `over` is the axis softmax runs along, `keys` or `queries`; `temperature` divides the scaled
    scores, in a step of its own where it is not 1; `says` replaces the line of a step by name.
    """

    prepare: Callable[[Inputs], Inputs] = lambda given: given
    roles: Callable[[Inputs], tuple[Array, Array, Array]] = take_roles
    scale: Callable[[Array, Projections], Array] = divide_by_root_d_k
    hide: Callable[[Array, Mask], Array] = stages.apply_mask
    exponentiate: Callable[[Array, int], tuple[Array, bool]] = stages.exponentials
    temperature: float = 1.0
    over: str = "keys"
    finish: Callable[[Array, Array, Mask], Array] = keep
    says: Mapping[str, str] = field(default_factory=dict)


RIGHT = Method()

SAYS = {
    "x": "one vector a token",
    "x_queries": "one vector a token of the sequence that asks",
    "x_keys": "one vector a token of the sequence that answers",
    "query": "x W^Q: what a token asks for",
    "key": "x W^K: what a token offers to be found by",
    "value": "x W^V: what a token passes on",
    "scores": "query · key",
    "scaled_scores": "scores ÷ √d_k",
    "tempered_scores": "scaled scores ÷ temperature",
    "masked_scores": "-∞ where a query may not look",
    "exp": "e^score",
    "row_sum": "the sum of exp over the keys of one query",
    "weights": "exp ÷ row sum: each row sums to 1",
    "terms": "weight × value, one term a key",
    "head_output": "the sum of the terms over the keys",
    "concat": "the outputs of the heads side by side",
    "output": "concat W^O",
    "residual": "x + output",
}


def compute(given: Inputs, method: Method) -> Trace:
    """Return the whole computation, every step kept, as the method carries it out."""
    given = method.prepare(given)
    say = {**SAYS, **method.says}
    query, key, value = method.roles(given)
    raw = stages.scores(query, key)
    scaled = method.scale(raw, given.projections)
    steps = (
        *_sources(given),
        ("query", ("heads", "queries", "d_k"), query),
        ("key", ("heads", "keys", "d_k"), key),
        ("value", ("heads", "keys", "d_v"), value),
        ("scores", PATTERN, raw),
        ("scaled_scores", PATTERN, scaled),
    )
    trace = put(Trace(), steps, say, given.labels)
    if method.temperature != 1:
        scaled = stages.temperature(scaled, method.temperature)
        trace = put(trace, (("tempered_scores", PATTERN, scaled),), say, given.labels)
    masked = method.hide(scaled, given.mask)
    trace = add_weights(trace, PATTERN, masked, given.mask, given.labels, method)
    return put(trace, _ending(trace["weights"].values, value, given), say, given.labels)


def _sources(given: Inputs) -> Iterator[Named]:
    if given.one_source:
        yield "x", ("tokens", "d_model"), given.x_queries
    else:
        yield "x_queries", ("queries", "d_model"), given.x_queries
        yield "x_keys", ("keys", "d_model"), given.x_keys


def _ending(weights: Array, value: Array, given: Inputs) -> Iterator[Named]:
    terms = weights[..., np.newaxis] * value[:, np.newaxis]
    head_output = terms.sum(axis=2)
    concat = head_output.transpose(1, 0, 2).reshape(head_output.shape[1], -1)
    output = stages.project(concat, given.projections.w_o)
    yield "terms", (*PATTERN, "d_v"), terms
    yield "head_output", ("heads", "queries", "d_v"), head_output
    yield "concat", ("queries", "d_concat"), concat
    yield "output", ("queries", "d_model"), output
    if given.residual is not None and given.residual.shape == output.shape:
        yield "residual", ("queries", "d_model"), given.residual + output


def add_weights(
    trace: Trace,
    axes: tuple[str, ...],
    masked: Array,
    mask: Mask,
    labels: Labels,
    method: Method,
) -> Trace:
    """Return the trace with softmax in four steps: masked_scores, exp, row_sum, weights.

    `axes` are those of `masked` and end in queries, keys.
    """
    along = axes.index(method.over)
    exp, shifted = method.exponentiate(masked, along)
    weights = method.finish(stages.normalise(exp, along), masked, mask)
    say = {**SAYS, **method.says}
    if shifted:
        say["exp"] += (
            f", but e^(score - m) where m, the largest along the {method.over}, is beyond ±50"
        )
    alone = _nobody_answers(masked, labels)
    say["masked_scores"] += alone
    say["weights"] += alone
    steps = (
        ("masked_scores", axes, masked),
        ("exp", axes, exp),
        ("row_sum", axes[:along] + axes[along + 1 :], exp.sum(axis=along)),
        ("weights", axes, weights),
    )
    return put(trace, steps, say, labels)


def _nobody_answers(masked: Array, labels: Labels) -> str:
    """Name the queries that may look at no key, for the line of a step."""
    n_queries = masked.shape[-2]
    rows = np.all(stages.fully_masked(masked).reshape(-1, n_queries), axis=0)
    names = labels.get("queries") or [f"query {n}" for n in range(1, n_queries + 1)]
    alone = [name for name, hidden in zip(names, np.atleast_1d(rows), strict=True) if hidden]
    return f"; fully masked, so no weight at all: {', '.join(alone)}" if alone else ""


def put(trace: Trace, steps: Iterable[Named], say: Mapping[str, str], labels: Labels) -> Trace:
    """Return the trace with the steps, each with its line and with the labels of its axes."""
    new = (Step(name, axes, values, say[name], _on(axes, labels)) for name, axes, values in steps)
    return Trace((*trace.steps, *new))


def _on(axes: tuple[str, ...], labels: Labels) -> Labels:
    """The labels of these axes; in self-attention the tokens are those that ask."""
    known = {**labels, "tokens": labels["queries"]} if "queries" in labels else labels
    return {axis: known[axis] for axis in axes if axis in known}
