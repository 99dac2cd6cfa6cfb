"""Ask PyTorch for the numbers of attention_torch.json: seldom run, needs torch.

    pip install torch==2.13.0
    python tests/golden/make_attention_torch.py

Inputs are the worked example and toy weights. The answers are those of
`scaled_dot_product_attention` and, where heads · d_v = d_model, of `MultiheadAttention`.
"""

from __future__ import annotations

import json
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from attn_study.attention import examples, toy
from attn_study.attention.heads import Projections, causal_mask, padding_mask

torch: Any = import_module("torch")

GOLDEN = Path(__file__).with_name("attention_torch.json")


def cases() -> dict[str, tuple[Any, Any, Projections, Any]]:
    """Return x_queries, x_keys, projections and mask of every case."""
    target, source = toy.vectors(list("abcd"), 6, 3), toy.vectors(list("efghi"), 6, 3)
    three_heads, oblong = toy.projections(3, 6, 2, 2, 5), toy.projections(2, 6, 4, 3, 7)
    holes = np.array([[True, False, True, True, False]] * 2 + [[False, True, True, True, True]] * 2)
    hidden = np.vstack([padding_mask([True, True, False, True, True], 3), [[False] * 5]])
    return {
        "worked, one head": (examples.X, examples.X, examples.HEAD_1, causal_mask(3)),
        "worked, two heads": (examples.X, examples.X, examples.TWO_HEADS, causal_mask(3)),
        "worked, cross": (examples.Y, examples.X, examples.HEAD_1, np.ones((2, 3), dtype=bool)),
        "toy, causal": (source, source, three_heads, causal_mask(5)),
        "toy, cross with holes": (target, source, three_heads, holes),
        "toy, d_k and d_v differ": (target, source, oblong, holes),
        "toy, a row fully masked": (target, source, oblong, hidden),
    }


def answer(x_queries: Any, x_keys: Any, projections: Projections, mask: Any) -> dict[str, Any]:
    """Return what PyTorch computes, as lists at full precision."""
    asks, answers = (torch.tensor(np.array(x)) for x in (x_queries, x_keys))
    w_q, w_k, w_v, w_o = (
        torch.tensor(np.array(getattr(projections, name))) for name in ("w_q", "w_k", "w_v", "w_o")
    )
    allowed = torch.tensor(np.array(mask))
    found = torch.nn.functional.scaled_dot_product_attention(
        asks @ w_q, answers @ w_k, answers @ w_v, attn_mask=allowed
    )
    result = {"head_output": found.tolist()}
    fits = projections.n_heads * projections.d_v == projections.d_model
    if fits and projections.d_k == projections.d_v:
        result |= _multihead(asks, answers, (w_q, w_k, w_v, w_o), allowed)
    return result


def _multihead(asks: Any, answers: Any, matrices: Any, allowed: Any) -> dict[str, Any]:
    """MultiheadAttention multiplies from the left and is told who may *not* look."""
    n_heads, d_model, _ = matrices[0].shape
    layer = torch.nn.MultiheadAttention(d_model, n_heads, bias=False, dtype=torch.float64)
    flat = [w.permute(1, 0, 2).reshape(d_model, d_model).T for w in matrices[:3]]
    with torch.no_grad():
        layer.in_proj_weight.copy_(torch.cat(flat))
        layer.out_proj.weight.copy_(matrices[3].T)
        output, weights = layer(
            asks, answers, answers, attn_mask=~allowed, average_attn_weights=False
        )
    return {"weights": weights.tolist(), "output": output.tolist()}


def _stored(x_queries: Any, x_keys: Any, projections: Projections, mask: Any) -> dict[str, Any]:
    arrays = {"x_queries": x_queries, "x_keys": x_keys, "mask": mask}
    arrays |= {name: getattr(projections, name) for name in ("w_q", "w_k", "w_v", "w_o")}
    return {name: np.asarray(array).tolist() for name, array in arrays.items()}


def golden() -> dict[str, Any]:
    """Return what the file holds: inputs and answers by the name of the case."""
    return {
        name: {"given": _stored(*case), "torch": answer(*case)} for name, case in cases().items()
    }


if __name__ == "__main__":
    lines = [f"{json.dumps(name)}: {json.dumps(case)}" for name, case in golden().items()]
    text = "{\n" + ",\n".join(lines) + "\n}\n"
    GOLDEN.write_text(text, encoding="utf-8", newline="\n")
