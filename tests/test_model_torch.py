"""The model and its gradients against a live PyTorch, whose own derivatives are automatic."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np
import pytest

from attn_study.attention.model.backward import loss_and_gradients
from attn_study.attention.model.forward import forward
from attn_study.attention.model.parameters import Parameters, Size

pytest.importorskip("torch", reason="torch is not installed: pip install torch==2.13.0")

pytestmark = pytest.mark.torch

torch: Any = import_module("torch")
F: Any = import_module("torch.nn.functional")
SIZES = {
    "as it ships": Size(n_words=60, n_positions=12),
    "without an MLP": Size(n_words=20, n_positions=12, d_model=24, n_heads=3, d_hidden=0),
}


def logits_of(given: dict[str, Any], size: Size, tokens: Any, hidden: Any) -> Any:
    """The model in the functions of PyTorch; `hidden` are keys of layer 1."""
    b, t = tokens.shape
    causal = torch.ones(t, t, dtype=torch.bool).tril()
    own = torch.eye(t, dtype=torch.bool)
    stream = given["embedding"][tokens] + given["position"][:t]
    for layer in range(1, size.n_layers + 1):
        seen = F.rms_norm(stream, (size.d_model,), given[f"gain_attention_{layer}"], 1e-5)
        query, key, value = (
            (seen @ given[f"w_{part}_{layer}"]).view(b, t, size.n_heads, -1).transpose(1, 2)
            for part in "qkv"
        )
        allowed = causal & (own | ~hidden[:, None, None]) if layer == 1 else causal
        read = F.scaled_dot_product_attention(query, key, value, attn_mask=allowed)
        stream = stream + read.transpose(1, 2).reshape(b, t, -1) @ given[f"w_o_{layer}"]
        if size.d_hidden:
            seen = F.rms_norm(stream, (size.d_model,), given[f"gain_mlp_{layer}"], 1e-5)
            wide = seen @ given[f"w_up_{layer}"] + given[f"b_up_{layer}"]
            bent = F.gelu(wide, approximate="tanh")
            stream = stream + bent @ given[f"w_down_{layer}"] + given[f"b_down_{layer}"]
    ends = F.rms_norm(stream, (size.d_model,), given["gain_final"], 1e-5)
    return ends @ given["embedding"].T


@pytest.mark.parametrize("name", SIZES)
def test_logits_loss_and_every_gradient_are_those_of_pytorch(name: str) -> None:
    size, rng = SIZES[name], np.random.default_rng(4)
    parameters = Parameters.random(size, 4, np.float64)
    parameters.flat[...] += 0.1 * rng.standard_normal(len(parameters.flat))
    tokens, following = rng.integers(0, size.n_words, (2, 5, 11))
    counted = rng.integers(0, 3, (5, 11)).astype(np.float64)
    hidden = rng.random((5, 11)) < 0.3

    run = forward(parameters, tokens, unseen={1: hidden})
    loss, gradients = loss_and_gradients(parameters, run, following, counted)

    given = {each: torch.tensor(array, requires_grad=True) for each, array in parameters.items()}
    logits = logits_of(given, size, torch.tensor(tokens), torch.tensor(hidden))
    each = F.cross_entropy(
        logits.flatten(0, 1), torch.tensor(following).flatten(), reduction="none"
    )
    weighs = torch.tensor(counted).flatten()
    expected = (each * weighs).sum() / weighs.sum()
    expected.backward()

    assert np.allclose(run.logits, logits.detach().numpy(), 0, 1e-10)
    assert loss == pytest.approx(float(expected.detach()), abs=1e-12)
    for parameter, gradient in gradients.items():
        assert np.allclose(gradient, given[parameter].grad.numpy(), 1e-9, 1e-12), parameter
