"""The gradients of the next-word loss, derived by hand, layer by layer from the end."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from attn_study.attention.model.forward import CUBE, ROOT, Attended, Run, Widened, apart
from attn_study.attention.model.parameters import Parameters

if TYPE_CHECKING:
    from attn_study.attention.model.forward import Numbers
    from attn_study.attention.model.parameters import Floats


def loss_and_gradients(
    parameters: Parameters, run: Run, following: Numbers, counted: Floats
) -> tuple[float, Parameters]:
    """Return the mean cross-entropy in nats, and its gradient by every parameter.

    `following` (b, t) is the word after each token; `counted` (b, t) is how much each position
    weighs in the mean, 0 where nothing follows. Raises ValueError for a run that was altered.
    """
    if run.altered:
        raise ValueError(
            "no gradient follows from a run with heads off or with outputs given to it"
        )
    gradients = Parameters.zeros(parameters.size, run.residual.dtype)
    loss, by_logits = _cross_entropy(run.logits, following, counted)
    by_normed = by_logits @ parameters["embedding"]
    gradients["embedding"][...] = _outer(by_logits, run.normed)
    by_residual = _unnormalise(
        by_normed, run.residual, run.inverse, parameters, gradients, "gain_final"
    )
    for layer in range(len(run.layers), 0, -1):
        attended, widened = run.layers[layer - 1]
        if widened is not None:
            by_residual = by_residual + _widened(parameters, gradients, layer, widened, by_residual)
        by_residual = by_residual + _attended(parameters, gradients, layer, attended, by_residual)
    gradients["position"][: by_residual.shape[1]] = by_residual.sum(axis=0)
    np.add.at(gradients["embedding"], run.tokens, by_residual)
    return loss, gradients


def _cross_entropy(logits: Floats, following: Numbers, counted: Floats) -> tuple[float, Floats]:
    """Return the mean loss, and its gradient by the logits: softmax - 1 at the word that came."""
    shares = logits - logits.max(axis=-1, keepdims=True)
    right = np.take_along_axis(shares, following[..., None], axis=-1)[..., 0]
    np.exp(shares, out=shares)
    total = shares.sum(axis=-1)
    weighs = counted / counted.sum()
    loss = float(((np.log(total) - right) * weighs).sum())
    shares *= (weighs / total)[..., None]
    b, t = np.ogrid[: following.shape[0], : following.shape[1]]
    shares[b, t, following] -= weighs
    return loss, shares


def _outer(gradient: Floats, x: Floats) -> Floats:
    """Return the sum over all tokens of gradient ⊗ x: (b, t, m), (b, t, n) → (m, n)."""
    return gradient.reshape(-1, gradient.shape[-1]).T @ x.reshape(-1, x.shape[-1])


def _unnormalise(
    gradient: Floats,
    x: Floats,
    inverse: Floats,
    parameters: Parameters,
    gradients: Parameters,
    gain: str,
) -> Floats:
    """Return the gradient by what RMSNorm was given; that of its gain is kept.

    With r = 1 / rms(x) and g the gradient times the gain: r g - r³ x (g · x) / d_model.
    """
    gradients[gain][...] = np.einsum("btd,btd->d", gradient, x * inverse)
    scaled = gradient * parameters[gain]
    along = np.einsum("btd,btd->bt", scaled, x)[..., None] / x.dtype.type(x.shape[-1])
    by_x: Floats = inverse * (scaled - x * (inverse * inverse * along))
    return by_x


def _widened(
    parameters: Parameters, gradients: Parameters, layer: int, kept: Widened, gradient: Floats
) -> Floats:
    gradients[f"w_down_{layer}"][...] = _outer(kept.active, gradient)
    gradients[f"b_down_{layer}"][...] = gradient.sum(axis=(0, 1))
    by_active = gradient @ parameters[f"w_down_{layer}"].T
    hidden, bent, kind = kept.hidden, kept.bent, gradient.dtype.type
    slope = kind(ROOT) * (1 + kind(3 * CUBE) * hidden * hidden)
    by_hidden = by_active * kind(0.5) * (1 + bent + hidden * (1 - bent * bent) * slope)
    gradients[f"w_up_{layer}"][...] = _outer(kept.normed, by_hidden)
    gradients[f"b_up_{layer}"][...] = by_hidden.sum(axis=(0, 1))
    by_normed = by_hidden @ parameters[f"w_up_{layer}"].T
    gain = f"gain_mlp_{layer}"
    return _unnormalise(by_normed, kept.before, kept.inverse, parameters, gradients, gain)


def _attended(
    parameters: Parameters, gradients: Parameters, layer: int, kept: Attended, gradient: Floats
) -> Floats:
    gradients[f"w_o_{layer}"][...] = _outer(kept.concat, gradient)
    by_head_output = apart(gradient @ parameters[f"w_o_{layer}"].T, parameters.size.n_heads)
    by_weights = by_head_output @ kept.value.swapaxes(-1, -2)
    by_value = kept.weights.swapaxes(-1, -2) @ by_head_output
    mean = (by_weights * kept.weights).sum(axis=-1, keepdims=True)
    by_scores = kept.weights * (by_weights - mean)
    by_scores /= gradient.dtype.type(np.sqrt(parameters.size.d_k))
    by_parts = {
        "q": by_scores @ kept.key,
        "k": by_scores.swapaxes(-1, -2) @ kept.query,
        "v": by_value,
    }
    by_normed = np.zeros_like(kept.normed)
    for part, by_part in by_parts.items():
        flat = _together(by_part)
        gradients[f"w_{part}_{layer}"][...] = _outer(kept.normed, flat)
        by_normed += flat @ parameters[f"w_{part}_{layer}"].T
    gain = f"gain_attention_{layer}"
    return _unnormalise(by_normed, kept.before, kept.inverse, parameters, gradients, gain)


def _together(x: Floats) -> Floats:
    """(b, heads, t, d_k) → (b, t, heads · d_k)."""
    b, heads, t, d_k = x.shape
    return x.swapaxes(1, 2).reshape(b, t, heads * d_k)
