"""The engine against a live PyTorch; the stored answers are compared in the default run."""

from __future__ import annotations

import json
import runpy
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from attn_study.attention import toy
from attn_study.attention.heads import attend, causal_mask

pytest.importorskip("torch", reason="torch is not installed: pip install torch==2.13.0")

pytestmark = pytest.mark.torch

GOLDEN = Path(__file__).with_name("golden")
MAKER: dict[str, Any] = runpy.run_path(str(GOLDEN / "make_attention_torch.py"))


def test_pytorch_still_gives_the_stored_answers() -> None:
    stored = json.loads((GOLDEN / "attention_torch.json").read_text("utf-8"))
    live = MAKER["golden"]()
    assert stored.keys() == live.keys()
    for name, case in stored.items():
        assert case["given"] == live[name]["given"]
        for step, values in case["torch"].items():
            assert np.allclose(values, live[name]["torch"][step], 0, 1e-12)


@pytest.mark.parametrize("seed", range(20))
def test_random_weights_give_what_pytorch_gives(seed: Any) -> None:
    heads = 1 + seed % 4
    x = toy.vectors(toy.tokens("the dog bites the man").words, 12, seed)
    projections = toy.projections(heads, 12, 12 // heads, 12 // heads, seed)
    case = (x, x, projections, causal_mask(5))
    trace = attend(*case[:3], mask=case[3])
    for step, values in MAKER["answer"](*case).items():
        assert np.allclose(trace[step].values, values, 0, 1e-12)
