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
        {"swap": "key-value", "set": "w_q.2.1=3.25"},
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
        {"temperature": 0.25, "set": "x.3.1=2 w_q.1.2.1=-1"},
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
        {"temperature": 4.0, "set": "w_k.2.1.1=3"},
        {"text": CAT, "seed": 1},
        {"text": RAIN, "seed": 7, "heads": 3, "d_k": 2, "d_v": 5},
        {"weights": "trained", "case": "chicken"},
        {"weights": "trained", "case": "keys", "layer": 2, "temperature": 2.0},
        {"weights": "trained", "case": "bank", "word": "money"},
        {"weights": "trained", "case": "mole", "set": "x.3.1=2"},
        {"weights": "trained", "case": "tower", "layer": 1},
        {"weights": "trained", "case": "creature", "word": "spiky"},
        {"weights": "trained", "case": "trophy"},
        {"weights": "trained", "case": "names", "word": "john"},
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
        {"adjective": "wide", "noun": "dog", "place": "river"},
        {"case": "keys", "noun": "guard", "place": "houses"},
        {"case": "trophy", "word": "small"},
        {"case": "names", "layer": 1},
        {"case": "bank"},
        {"case": "mole", "word": "carbon"},
        {"case": "tower", "noun": "ostankino"},
        {"case": "creature", "layer": 2},
        {"weights": "toy"},
        {"weights": "toy", "case": "chicken", "word": "wide"},
        {"weights": "toy", "case": "keys", "word": "key"},
        {"weights": "toy", "case": "bank"},
        {"weights": "toy", "case": "mole", "word": "biopsy"},
        {"weights": "toy", "case": "tower"},
        {"weights": "toy", "case": "creature", "word": "scaly"},
    ),
    "stack": (
        {},
        {"case": "chicken", "off": "2.1"},
        {"case": "creature", "layers": 1, "temperature": 2.0},
        {"case": "tower", "layers": 0},
        {"case": "trophy", "adjective": "narrow"},
        {"case": "names", "off": "2.3", "word": "john"},
        {"case": "mole", "temperature": 0.5},
        {"case": "bank", "layers": 1, "off": "1.1"},
        {"weights": "toy"},
        {"weights": "toy", "word": "key"},
        {"weights": "toy", "case": "chicken"},
        {"weights": "toy", "case": "bank", "word": "money"},
        {"weights": "toy", "layers": 1, "temperature": 2.0},
        {"weights": "toy", "layers": 0},
        {"weights": "toy", "off": "2.1"},
    ),
    "learn": (
        {},
        {"case": "coref", "seed": 1},
        {"case": "depth"},
        {"case": "depth", "layers": 2, "sentence": 7, "seed": 3},
        {"case": "repeat"},
    ),
}
TRAINED = {"context", "stack"}  # lessons whose weights are trained as they come


def is_by_hand(name: str, setting: Setting) -> bool:
    """Whether the weights of a lesson at a setting are not the trained ones."""
    return str(setting.get("weights", "trained" if name in TRAINED else "toy")) != "trained"


def by_hand(name: str) -> int:
    """The first setting of a lesson whose weights are set by hand."""
    every = enumerate(SETTINGS[name])
    return next(at for at, each in every if is_by_hand(name, each))


EVERY = [
    pytest.param(name, number, id=f"{name} {called(setting)}")
    for name, settings in SETTINGS.items()
    for number, setting in enumerate(settings)
]
