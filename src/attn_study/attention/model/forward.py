"""The model run forward over a batch of texts, all kept that gradients and pictures need."""

from __future__ import annotations

from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping
    from typing import Any

    from numpy.typing import NDArray

    from attn_study.attention.arrays import Mask
    from attn_study.attention.model.parameters import Floats, Parameters

    Numbers = NDArray[np.integer[Any]]

EPSILON = 1e-5  # under the root of RMSNorm, against a division by 0
ROOT = float(np.sqrt(2 / np.pi))  # of the tanh form of GELU (Hendrycks and Gimpel, 2016)
CUBE = 0.044715
ALL_SEEN: Mapping[int, Mask] = MappingProxyType({})
NONE_GIVEN: Mapping[int, Floats] = MappingProxyType({})


@dataclass(slots=True)
class Attended:
    """The attention of one layer; b texts, t tokens, h heads.

    `before` (b, t, d_model) is the stream that came, `normed` (b, t, d_model) what went in, and
    `inverse` (b, t, 1) 1 / the root mean square of `before`; `query`, `key`, `value`
    (b, h, t, d_k); `scaled_scores`, divided by √d_k and not masked, and `weights` (b, h, t, t);
    `concat` (b, t, h · d_k); `added` (b, t, d_model) goes into the residual stream.
    """

    before: Floats
    inverse: Floats
    normed: Floats
    query: Floats
    key: Floats
    value: Floats
    scaled_scores: Floats
    weights: Floats
    concat: Floats
    added: Floats


@dataclass(slots=True)
class Widened:
    """The MLP of one layer; b texts, t tokens.

    `before`, `normed`, `added` (b, t, d_model) and `inverse` (b, t, 1) are those of `Attended`;
    `hidden` before GELU and `active` after it, and `bent`, the tanh in it, (b, t, d_hidden).
    """

    before: Floats
    inverse: Floats
    normed: Floats
    hidden: Floats
    bent: Floats
    active: Floats
    added: Floats


@dataclass(slots=True)
class Run:
    """One run over `tokens` (b, t); a layer without an MLP has None for it.

    `x` (b, t, d_model) is the stream before the first layer and `residual` after the last one,
    `normed` that as it meets the output matrix, `inverse` (b, t, 1) 1 / its root mean square;
    `logits` (b, t, n_words). `altered` is true where a head was off or what an attention adds was
    given: then no gradient follows from what is kept.
    """

    tokens: Numbers
    x: Floats
    layers: list[tuple[Attended, Widened | None]]
    residual: Floats
    inverse: Floats
    normed: Floats
    logits: Floats
    altered: bool


def forward(
    parameters: Parameters,
    tokens: Numbers,
    *,
    unseen: Mapping[int, Mask] = ALL_SEEN,
    off: Collection[tuple[int, int]] = (),
    added: Mapping[int, Floats] = NONE_GIVEN,
) -> Run:
    """Return the run over `tokens` (b, t), numbers of words.

    `unseen` maps a layer, from 1, to (b, t): keys at which no other token may look there.
    `off` names heads, as (layer, head) from 1, whose output is set to 0. `added` maps a layer to
    (b, t, d_model): what its attention adds to the stream, in place of what it computes. With
    either the run is `altered`, and no gradient can be taken of it.
    """
    size = parameters.size
    allowed = np.tril(np.ones((tokens.shape[1],) * 2, dtype=bool))
    x = parameters["embedding"][tokens] + parameters["position"][: tokens.shape[1]]
    residual = x
    layers: list[tuple[Attended, Widened | None]] = []
    for layer in range(1, size.n_layers + 1):
        mask = allowed[None, None]
        if layer in unseen:
            mask = mask & (~unseen[layer][:, None, None, :] | np.eye(tokens.shape[1], dtype=bool))
        silent = [head - 1 for at, head in off if at == layer]
        attended = _attend(parameters, layer, residual, mask, silent)
        if layer in added:
            attended = replace(attended, added=added[layer])
        residual = residual + attended.added
        widened = _widen(parameters, layer, residual) if size.d_hidden else None
        if widened is not None:
            residual = residual + widened.added
        layers.append((attended, widened))
    normed, inverse = normalise(residual, parameters["gain_final"])
    logits = normed @ parameters["embedding"].T
    altered = bool(off) or bool(added)
    return Run(tokens, x, layers, residual, inverse, normed, logits, altered)


def normalise(x: Floats, gain: Floats) -> tuple[Floats, Floats]:
    """Return RMSNorm of x along its last axis, and 1 / √(mean of squares) (Zhang and Sennrich)."""
    mean = np.einsum("...d,...d->...", x, x)[..., None] / x.dtype.type(x.shape[-1])
    inverse = 1 / np.sqrt(mean + x.dtype.type(EPSILON))
    return x * inverse * gain, inverse


def _attend(
    parameters: Parameters, layer: int, x: Floats, mask: Mask, silent: list[int]
) -> Attended:
    size = parameters.size
    b, t, _ = x.shape
    normed, inverse = normalise(x, parameters[f"gain_attention_{layer}"])
    query, key, value = (
        apart(normed @ parameters[f"w_{part}_{layer}"], size.n_heads) for part in "qkv"
    )
    scaled_scores = query @ key.swapaxes(-1, -2) / x.dtype.type(np.sqrt(size.d_k))
    weights = _softmax(np.where(mask, scaled_scores, x.dtype.type(-np.inf)))
    head_output = weights @ value
    if silent:
        head_output[:, silent] = 0
    concat = head_output.swapaxes(1, 2).reshape(b, t, size.d_model)
    added = concat @ parameters[f"w_o_{layer}"]
    return Attended(x, inverse, normed, query, key, value, scaled_scores, weights, concat, added)


def apart(x: Floats, n_heads: int) -> Floats:
    """(b, t, heads · d_k) → (b, heads, t, d_k)."""
    b, t, width = x.shape
    return np.ascontiguousarray(x.reshape(b, t, n_heads, width // n_heads).swapaxes(1, 2))


def _softmax(scores: Floats) -> Floats:
    weights: Floats = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights /= weights.sum(axis=-1, keepdims=True)
    return weights


def _widen(parameters: Parameters, layer: int, x: Floats) -> Widened:
    normed, inverse = normalise(x, parameters[f"gain_mlp_{layer}"])
    hidden = normed @ parameters[f"w_up_{layer}"] + parameters[f"b_up_{layer}"]
    kind = x.dtype.type
    bent = np.tanh(kind(ROOT) * (hidden + kind(CUBE) * hidden * hidden * hidden))
    active = kind(0.5) * hidden * (1 + bent)
    added = active @ parameters[f"w_down_{layer}"] + parameters[f"b_down_{layer}"]
    return Widened(x, inverse, normed, hidden, bent, active, added)
