"""Counting what a transformer learns: exact integers, GPT-3 and GPT-2 to the last digit."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from attn_study.attention import toy
from attn_study.attention.counts import (
    GPT_2_SMALL,
    GPT_3,
    GPT_3_NOMINAL,
    Architecture,
    percent,
)
from attn_study.errors import UserError


@pytest.mark.parametrize(
    ("name", "gpt_3", "gpt_2"),
    [
        ("query", 1_572_864, 49_152),
        ("value", 1_572_864, 49_152),
        ("head", 6_291_456, 196_608),
        ("query_layer", 150_994_944, 589_824),
        ("value_layer", 150_994_944, 589_824),
        ("attention_layer", 603_979_776, 2_359_296),
        ("query_model", 14_495_514_624, 7_077_888),
        ("value_model", 14_495_514_624, 7_077_888),
        ("attention", 57_982_058_496, 28_311_552),
        ("attention_biases", 4_718_592, 28_348_416 - 28_311_552),
        ("attention_layer_biases", 49_152, 2_362_368 - 2_359_296),
        ("mlp", 115_964_116_992, 2 * 28_311_552),
        ("embedding", 617_558_016, 38_597_376),
        ("total", 174_604_259_328, 124_439_808),
        ("total_of_matrices", 175_181_291_520, 162_129_408),
        ("full_value", 150_994_944, 589_824),
        ("factored_value", 3_145_728, 98_304),
        ("value_ratio", 48, 6),
        ("saved_head", 147_849_216, 491_520),
        ("saved_layer", 14_193_524_736, 5_898_240),
        ("saved_model", 1_362_578_374_656, 70_778_880),
        ("attention_if_full", 1_420_560_433_152, 99_090_432),
        ("attention_layer_if_wide", 57_982_058_496, 28_311_552),
    ],
)
def test_the_numbers_of_gpt_3_and_gpt_2_small(name: Any, gpt_3: Any, gpt_2: Any) -> None:
    assert getattr(GPT_3, name) == gpt_3
    assert getattr(GPT_2_SMALL, name) == gpt_2


@pytest.mark.parametrize(
    ("part", "whole", "share"),
    [
        (GPT_3.attention, GPT_3_NOMINAL, 33.13),
        (GPT_3.attention, GPT_3.total, 33.21),
        (GPT_3.attention, GPT_3.total_of_matrices, 33.10),
        (GPT_2_SMALL.attention, GPT_2_SMALL.total, 22.75),
        (GPT_2_SMALL.attention + GPT_2_SMALL.attention_biases, GPT_2_SMALL.total, 22.78),
    ],
)
def test_the_share_of_attention(part: Any, whole: Any, share: Any) -> None:
    assert round(percent(part, whole), 2) == share


@pytest.mark.parametrize(
    ("d_model", "heads", "count"),
    [(4, 1, 64), (4, 2, 64), (4, 4, 64), *((512, heads, 1_048_576) for heads in (1, 8, 64))],
)
def test_more_heads_are_not_more_numbers(d_model: Any, heads: Any, count: Any) -> None:
    width = d_model // heads
    architecture = Architecture(d_model, heads, 1, width, width)
    assert architecture.attention_layer == count
    assert architecture.attention_layer_biases == 4 * d_model
    assert architecture.mlp_layer == 2 * count


@pytest.mark.parametrize(("heads", "d_model", "d_k", "d_v"), [(2, 8, 4, 4), (3, 6, 4, 5)])
def test_a_head_is_counted_as_it_is_built(heads: Any, d_model: Any, d_k: Any, d_v: Any) -> None:
    built = toy.projections(heads, d_model, d_k, d_v, seed=0)
    counted = Architecture(d_model, heads, 1, d_k, d_v)
    assert built.w_q[0].size == counted.query
    assert built.w_v.size == built.w_o.size == counted.value_layer
    assert built.w_q.size + built.w_k.size + built.w_v.size + built.w_o.size == (
        counted.attention_layer
    )


@pytest.mark.parametrize(
    ("d_model", "d_v", "full", "factored", "ratio"),
    [(4, 2, 16, 16, 1), (8, 2, 64, 32, 2), (8, 6, 64, 96, Fraction(2, 3))],
)
def test_factoring_the_value_map_pays_below_half_the_width(
    d_model: Any, d_v: Any, full: Any, factored: Any, ratio: Any
) -> None:
    architecture = Architecture(d_model, 1, 1, 2, d_v)
    assert architecture.full_value == full
    assert architecture.factored_value == factored
    assert architecture.value_ratio == ratio
    assert architecture.saved_head == full - factored


@pytest.mark.parametrize("name", ["d_model", "heads", "layers", "d_k", "d_v"])
@pytest.mark.parametrize("size", [0, -1])
def test_a_size_below_one_is_refused(name: Any, size: Any) -> None:
    with pytest.raises(UserError, match=f"{name}={size} is out of range"):
        Architecture(**({"d_model": 4, "heads": 1, "layers": 1, "d_k": 4, "d_v": 4} | {name: size}))
