"""Settings of each lesson that the tests go through: as it comes, its cases, own words."""

from __future__ import annotations

from typing import Any

import pytest

Setting = dict[str, Any]

CAT, RAIN = "the cat saw the dog", "rain stops old boats drift home slowly"


def called(setting: Setting) -> str:
    """What a setting is called in the name of a test."""
    return " ".join(f"{name}={value}" for name, value in setting.items()) or "as it comes"


SETTINGS: dict[str, tuple[Setting, ...]] = {
    "simplified": (
        {},
        {"temperature": 0.25},
        {"temperature": 0.01},
        {"text": CAT, "seed": 1},
        {"text": RAIN, "seed": 7, "d_model": 12},
    ),
    "qkv": (
        {},
        {"swap": "query-key"},
        {"swap": "key-value", "edit": "w_q 2,1 = 3.25"},
        {"text": CAT, "seed": 1, "d_model": 4},
        {"text": RAIN, "seed": 7, "d_k": 3, "d_v": 2},
    ),
    "scale": ({}, {"d_k": 4, "seed": 1}, {"d_k": 1024, "keys": 16, "seed": 2}),
    "mask": (
        {},
        {"variant": "mask-zero-after", "order": "2 1 3"},
        {"variant": "mask-renormalised", "token": "2"},
        {"text": CAT, "seed": 1, "d_v": 2},
        {"text": RAIN, "seed": 7, "d_v": 3},
    ),
    "head": (
        {},
        {"case": "creature"},
        {"text": CAT, "seed": 1},
        {"text": RAIN, "seed": 7, "d_k": 64},
    ),
    "values": (
        {},
        {"case": "mole"},
        {"case": "tower"},
        {"zero": "chicken"},
        {"text": CAT, "seed": 1, "d_v": 3},
        {"text": RAIN, "seed": 7, "d_model": 12, "d_v": 10},
    ),
    "multihead": (
        {},
        {"heads": 4, "d_model": 8},
        {"text": CAT, "seed": 1},
        {"text": RAIN, "seed": 7, "heads": 3, "d_k": 2, "d_v": 5},
    ),
    "cross": (
        {},
        {"swap": "yes"},
        {"mask": "causal"},
        {"text": CAT, "target": "die Katze", "seed": 1},
        {"text": RAIN, "target": "Regen und Boote", "seed": 7, "swap": "yes"},
    ),
    "params": (
        {},
        {"d_model": 768, "heads": 12, "layers": 24},
        {"d_model": 8, "heads": 4, "d_v": 2},
        {"tokens": 100_000},
    ),
    "context": (
        {},
        {"case": "chicken", "word": "wide"},
        {"case": "keys", "word": "key"},
        {"case": "bank"},
        {"case": "mole", "word": "biopsy"},
        {"case": "tower"},
        {"case": "creature", "word": "scaly"},
    ),
    "stack": (
        {},
        {"word": "key"},
        {"case": "chicken"},
        {"case": "bank", "word": "money"},
        {"layers": 1, "temperature": 2.0},
        {"layers": 0},
        {"off": "2.1"},
    ),
}
EVERY = [
    pytest.param(name, number, id=f"{name} {called(setting)}")
    for name, settings in SETTINGS.items()
    for number, setting in enumerate(settings)
]
