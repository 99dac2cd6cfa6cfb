"""The small transformer word by word in plain loops, from the formulas: what the model must equal.

Vectors are NumPy's, of the type of the parameters; nothing of the program is used.
"""

from __future__ import annotations

from math import erf, exp, pi, sqrt, tanh
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


def norm(x: Any, gain: Any) -> Any:
    """RMSNorm: x over its root mean square, times the gain."""
    mean = sum(float(number) ** 2 for number in x) / len(x)
    return (x / sqrt(mean + 1e-5) * gain).astype(x.dtype)


def gelu(x: float) -> float:
    """The tanh form of x times the share of a normal distribution below x."""
    return 0.5 * x * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x**3)))


def exact_gelu(x: float) -> float:
    """The form that the tanh one stands for."""
    return 0.5 * x * (1 + erf(x / sqrt(2)))


def logits_and_weights(
    given: Mapping[str, Any], tokens: Sequence[int], n_layers: int, n_heads: int
) -> tuple[Any, Any]:
    """Return logits (tokens, words) and weights (layers, heads, queries, keys)."""
    n = len(tokens)
    stream = [given["embedding"][token] + given["position"][at] for at, token in enumerate(tokens)]
    width = len(stream[0]) // n_heads
    weights = np.zeros((n_layers, n_heads, n, n))
    for layer in range(1, n_layers + 1):
        seen = [norm(x, given[f"gain_attention_{layer}"]) for x in stream]
        w_q, w_k, w_v, w_o = (given[f"w_{part}_{layer}"] for part in "qkvo")
        for query in range(n):
            found = []
            for head in range(n_heads):
                own = slice(head * width, (head + 1) * width)
                asks = seen[query] @ w_q[:, own]
                keys = [seen[key] @ w_k[:, own] for key in range(query + 1)]
                powers = [exp(float(asks @ key) / sqrt(width)) for key in keys]
                shares = [power / sum(powers) for power in powers]
                weights[layer - 1, head, query, : query + 1] = shares
                values = [seen[key] @ w_v[:, own] for key in range(query + 1)]
                found.append(sum(s * value for s, value in zip(shares, values, strict=True)))
            stream[query] = stream[query] + np.concatenate(found) @ w_o
        if f"w_up_{layer}" in given:
            stream = [x + _mlp(given, layer, x) for x in stream]
    ends = [norm(x, given["gain_final"]) for x in stream]
    return np.array([given["embedding"] @ end for end in ends]), weights


def _mlp(given: Mapping[str, Any], layer: int, x: Any) -> Any:
    seen = norm(x, given[f"gain_mlp_{layer}"])
    hidden = seen @ given[f"w_up_{layer}"] + given[f"b_up_{layer}"]
    bent = np.array([gelu(float(number)) for number in hidden], x.dtype)
    return bent @ given[f"w_down_{layer}"] + given[f"b_down_{layer}"]
