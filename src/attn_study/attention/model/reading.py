"""One sentence read by the model, every layer's working kept as a trace on named axes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from attn_study.attention.method import SAYS
from attn_study.attention.model.forward import forward, normalise
from attn_study.attention.projections import Projections
from attn_study.attention.stages import apply_mask, causal_mask, exponentials, softmax
from attn_study.attention.trace import Step, Trace
from attn_study.errors import UserError

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence
    from typing import TypeAlias

    from attn_study.attention.arrays import Array
    from attn_study.attention.model.forward import Attended, Run, Widened
    from attn_study.attention.model.parameters import Floats, Parameters

    Named: TypeAlias = tuple[str, tuple[str, ...], Floats]

PATTERN = ("heads", "queries", "keys")
STREAM = ("queries", "d_model")
SAID = {
    "x": "the embedding of each word + that of its position",
    "w_q": "W^Q of each head, learned",
    "w_k": "W^K of each head, learned",
    "w_v": "W^V of each head, learned",
    "w_o": "W^O, the rows of each head, learned",
    "normed": "the stream before the layer, RMSNorm",
    "output": "concat W^O: what attention adds to the stream",
    "mlp": "what the MLP adds to the stream",
    "residual": "the stream after the layer: before it + output + mlp",
    "lens": "a logit for every word, had the model ended here",
    "logits": "a logit for every word that may come next",
    "next_word": "the share of every word after the last token",
}


def read(
    parameters: Parameters,
    tokens: Sequence[int],
    labels: Sequence[str],
    *,
    words: Sequence[str] = (),
    off: Collection[tuple[int, int]] = (),
) -> Trace:
    """Return the model's working on one sentence, computed in float64.

    `tokens` are numbers of words, the start token's first, and `labels` a text for each; `words`
    is a text for every word of the vocabulary. `off` names heads, as (layer, head) from 1, whose
    output is set to 0.

    Steps: `x` (tokens, d_model) and `lens_0` (queries, words); for each layer n, from 1,
    `w_q_n`, `w_k_n`, `w_v_n` (heads, d_model, d_k or d_v), `w_o_n` (heads, d_v, d_model);
    `normed_n` (tokens, d_model); `query_n`, `key_n` (heads, queries or keys, d_k); `value_n`
    (heads, keys, d_v); `scores_n`, `scaled_scores_n`, `masked_scores_n`, `exp_n`, `weights_n`
    (heads, queries, keys); `row_sum_n` (heads, queries); `terms_n` (heads, queries, keys, d_v);
    `head_output_n` (heads, queries, d_v), 0 of a head that is off; `concat_n` (queries,
    heads · d_v); `output_n`, `mlp_n` (if there is an MLP), `residual_n` (queries, d_model);
    `lens_n` (queries, words); at the end `logits` (queries, words) and `next_word` (words).

    Raises UserError for no tokens, more than there are positions, or a head that is not there.
    """
    _check(parameters, len(tokens), off)
    exact = parameters.as_type(np.float64)
    run = forward(exact, np.array([tokens]), off=off)
    known = dict.fromkeys(("tokens", "queries", "keys"), tuple(labels)) | {"words": tuple(words)}
    return Trace(
        tuple(
            Step(name, axes, np.asarray(values, np.float64), _says(name), _on(axes, known))
            for name, axes, values in _steps(exact, run)
        )
    )


def layer_input(trace: Trace, layer: int) -> Array:
    """Return what the attention of a layer, from 1, is computed from: (tokens, d_model).

    With `projections` of that layer and a causal mask, `attend` computes from it what the trace
    has of this layer up to `output_n`, heads that are off excepted.
    """
    return trace[f"normed_{layer}"].values


def projections(parameters: Parameters, layer: int) -> Projections:
    """Return the matrices of the attention of a layer, from 1."""
    w_q, w_k, w_v, w_o = (parameters[f"w_{part}_{layer}"] for part in "qkvo")
    return Projections.from_matrices(w_q, w_k, w_v, w_o, heads=parameters.size.n_heads)


def _check(parameters: Parameters, n_tokens: int, off: Collection[tuple[int, int]]) -> None:
    size = parameters.size
    if not 1 <= n_tokens <= size.n_positions:
        raise UserError(
            f"the model reads 1 to {size.n_positions} tokens at a time, not {n_tokens}",
            hint="the start token is one of them",
        )
    for layer, head in off:
        if not (1 <= layer <= size.n_layers and 1 <= head <= size.n_heads):
            raise UserError(
                f"the model has no head {layer}.{head}",
                hint=f"layers 1 to {size.n_layers}, heads 1 to {size.n_heads}, such as 1.2",
            )


def _on(axes: tuple[str, ...], known: Mapping[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    return {axis: known[axis] for axis in axes if known.get(axis)}


def _says(name: str) -> str:
    """Return the line on a step; that of a layer is the same for all layers."""
    bare = name if name in SAID else name.rpartition("_")[0]
    return SAID.get(bare) or SAYS[bare]


def _steps(parameters: Parameters, run: Run) -> Iterator[Named]:
    yield "x", ("tokens", "d_model"), run.x[0]
    yield "lens_0", ("queries", "words"), _lens(parameters, run.x[0])
    for layer, (attended, widened) in enumerate(run.layers, start=1):
        for name, axes, values in (
            *_matrices(projections(parameters, layer)),
            *_layer(attended, widened),
        ):
            yield f"{name}_{layer}", axes, values
        end = attended if widened is None else widened
        residual = end.before[0] + end.added[0]
        yield f"residual_{layer}", STREAM, residual
        yield f"lens_{layer}", ("queries", "words"), _lens(parameters, residual)
    yield "logits", ("queries", "words"), run.logits[0]
    yield "next_word", ("words",), softmax(run.logits[0, -1])


def _matrices(learned: Projections) -> Iterator[Named]:
    yield "w_q", ("heads", "d_model", "d_k"), learned.w_q
    yield "w_k", ("heads", "d_model", "d_k"), learned.w_k
    yield "w_v", ("heads", "d_model", "d_v"), learned.w_v
    yield "w_o", ("heads", "d_v", "d_model"), learned.w_o_blocks


def _layer(attended: Attended, widened: Widened | None) -> Iterator[Named]:
    query, key, value = attended.query[0], attended.key[0], attended.value[0]
    scaled = attended.scaled_scores[0]
    heads, n_tokens, d_v = value.shape
    yield "normed", ("tokens", "d_model"), attended.normed[0]
    yield "query", ("heads", "queries", "d_k"), query
    yield "key", ("heads", "keys", "d_k"), key
    yield "value", ("heads", "keys", "d_v"), value
    yield "scores", PATTERN, query @ key.swapaxes(-1, -2)
    yield "scaled_scores", PATTERN, scaled
    masked = apply_mask(scaled, causal_mask(n_tokens))
    exp, _ = exponentials(masked)
    yield "masked_scores", PATTERN, masked
    yield "exp", PATTERN, exp
    yield "row_sum", PATTERN[:2], exp.sum(axis=-1)
    yield "weights", PATTERN, attended.weights[0]
    concat = attended.concat[0].reshape(n_tokens, heads, d_v)
    yield "terms", (*PATTERN, "d_v"), attended.weights[0][..., np.newaxis] * value[:, np.newaxis]
    yield "head_output", ("heads", "queries", "d_v"), concat.swapaxes(0, 1)
    yield "concat", ("queries", "d_concat"), attended.concat[0]
    yield "output", STREAM, attended.added[0]
    if widened is not None:
        yield "mlp", STREAM, widened.added[0]


def _lens(parameters: Parameters, residual: Floats) -> Floats:
    """(queries, d_model) → (queries, words), through the last norm and the embedding."""
    normed, _ = normalise(residual, parameters["gain_final"])
    return normed @ parameters["embedding"].T
