"""`attn-study demo NAME --json`: strict, of one form, the same everywhere, and right."""

from __future__ import annotations

import json
import math
import shlex
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from attention_reference import three_loops, times
from attn_study.attention import toy
from attn_study.attention.examples import HEAD_1
from attn_study.attention.projections import Projections
from attn_study.demos import load
from attn_study.demos.values import CASES
from attn_study.demos.workings.layers import LAYERS
from cli_helpers import SOURCES, Shell
from closed_world import Document
from lesson_settings import EVERY, SETTINGS, Setting, is_by_hand
from lessons import ALL

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

FIELDS = ["schema", "demo", "weights", "knobs", "notice", "steps"]
OF_A_STEP = ["name", "axes", "shape", "labels", "says", "values"]
# The axes and steps of attention, then those that a lesson has of its own.
AXES = {"tokens", "queries", "keys", "heads", "d_model", "d_k", "d_v", "d_concat"}
STEPS = {
    "x", "query", "key", "value", "scores", "scaled_scores", "tempered_scores", "masked_scores",
    "exp", "row_sum", "weights", "terms", "head_output", "concat", "output", "residual",
}  # fmt: skip
PROJECTIONS = {"w_q", "w_k", "w_v", "w_o"}
OWN_AXES = {
    "qkv": {"d_asking", "d_answering"},
    "scale": {"divisors", "widths", "ways"},
    "mask": {"variants", "shown"},
    "values": {"d_out"},
    "params": {"models", "sizes", "lengths"},
    "multihead": {"words"},
    "context": {
        "words",
        "other_keys",
        "other_nouns",
        "stages",
        "senses",
        "readings",
        "places",
        "answers",
    },
    "stack": {"words", "d_head", "hidden", "every_head"},
    "learn": {"moments", "sizes", "answers", "first_keys"},
}
OWN_STEPS = {
    "simplified": {"effective"},
    "qkv": {*PROJECTIONS, "w_qk", "sum_of_keys", "sum_of_x"},
    "scale": {*PROJECTIONS, "divided_weights", "slope", "variance", "std", "entropy_share",
              "largest", "saturated", "jacobian_median"},
    "mask": {*PROJECTIONS, "variant_weights", "variant_output", "edited_x", "edit_moves", "order",
             "order_moves", "one_at_a_time"},
    "head": PROJECTIONS,
    "values": {*PROJECTIONS, "effect", "effect_share", "value_map", "rank"},
    "multihead": {*PROJECTIONS, "head_shares", "average_weights", "next_word"},
    "cross": {*PROJECTIONS, "x_queries", "x_keys", "swapped_weights"},
    "params": {"sizes", "query_matrix", "value_down", "one_head", "one_kind", "attention_layer",
               "attention_model", "full_value", "factored_value", "value_ratio", "saved_model",
               "attention_if_full", "total", "share", "learned", "computed"},
    "context": {*PROJECTIONS, "x_queries", "x_keys", "other_value", "other_weights", "other_output",
                "other_residual", "cosine", "looked", "before", "lens", "came", "instead",
                "next_word"},
    "stack": {"token_vectors", "positions", "last", "unembedding", "logits", "next_word",
              "next_word_all_on", "seen", "without", "lens_0",
              *(f"{step}_{layer}" for layer in (1, 2)
                for step in ("w_q", "w_k", "w_v", "w_o", "w_in", "w_out", "weights", "attention",
                           "mlp", "residual", "normed", "query", "key", "value", "scores",
                           "scaled_scores", "masked_scores", "exp", "row_sum", "terms",
                           "head_output", "concat", "output", "lens"))},
    "learn": {"model", "steps", "loss", "right", "accuracy", "on_target", "first_weights",
              "first_on_target", "next_word"},
}  # fmt: skip
CAUSAL = ("simplified", "qkv", "scale", "mask", "head", "values", "multihead")
# In `context` a word that asks looks for either sense, in others and not in itself.
SENSES = Projections.from_matrices(
    w_q=[[2, 2], [0, 0], [0, 0], [0, 0]],
    w_k=[[-1, -1], [1, 0], [0, 1], [0, 0]],
    w_v=[[0, 0], [1, 0], [0, 1], [0, 0]],
    w_o=[[0, 1, 0, 0], [0, 0, 1, 0]],
)


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    return Shell(tmp_path)


def words(name: str, setting: Setting) -> list[str]:
    """What is typed for a lesson at this setting."""
    knobs = [f"--{knob.replace('_', '-')}={value}" for knob, value in setting.items()]
    return ["demo", name, *knobs, "--json"]


def strictly(text: str) -> dict[str, Any]:
    """One JSON object, in which no key stands twice and every number is finite."""

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        assert len({key for key, _ in pairs}) == len(pairs)
        return dict(pairs)

    def finite(text: str) -> float:
        number = float(text)
        assert math.isfinite(number)
        return number

    def refused(constant: str) -> None:
        pytest.fail(f"{constant} is no JSON")

    found = json.loads(text, object_pairs_hook=once, parse_float=finite, parse_constant=refused)
    assert isinstance(found, dict)
    return found


def report(shell: Shell, name: str, setting: Setting, *more: str) -> dict[str, Any]:
    return strictly(shell.done(*words(name, setting), *more).out)


def nesting(values: Any) -> list[int]:
    """The shape of nested lists, all as long as their neighbours."""
    inner = [nesting(value) for value in values if isinstance(value, list)]
    assert len(inner) in (0, len(values))
    assert all(shape == inner[0] for shape in inner)
    return [len(values), *(inner[0] if inner else [])]


def leaves(values: Any) -> Iterator[Any]:
    for value in values if isinstance(values, list) else []:
        yield from leaves(value) if isinstance(value, list) else [value]


def assert_form(found: dict[str, Any], name: str) -> None:
    assert [field for field in found if field != "mistake"] == FIELDS
    assert (found["schema"], found["demo"]) == ("attn-study/demo/1", name)
    assert isinstance(found["weights"], str)
    assert isinstance(found["notice"], str)
    assert found["weights"].strip()
    assert found["notice"].strip()
    assert set(found["knobs"]) == {knob.name for knob in load(name).knobs}
    assert all(isinstance(value, int | float | str | None) for value in found["knobs"].values())
    steps = found["steps"]
    assert steps
    assert len({step["name"] for step in steps}) == len(steps)
    sizes: dict[str, int] = {}
    for step in steps:
        assert_step(step, name)
        for axis, size in zip(step["axes"], step["shape"], strict=True):
            assert sizes.setdefault(axis, size) == size


def assert_step(step: dict[str, Any], name: str) -> None:
    assert list(step) == OF_A_STEP
    assert step["name"] in STEPS | OWN_STEPS[name]
    assert set(step["axes"]) <= AXES | OWN_AXES.get(name, set())
    assert len(set(step["axes"])) == len(step["axes"])
    assert nesting(step["values"]) == step["shape"]
    assert len(step["axes"]) == len(step["shape"]) > 0
    size = dict(zip(step["axes"], step["shape"], strict=True))
    assert {axis: len(texts) for axis, texts in step["labels"].items()} == {
        axis: size[axis] for axis in step["labels"]
    }
    assert all(isinstance(text, str) for texts in step["labels"].values() for text in texts)
    assert isinstance(step["says"], str)
    assert step["says"].strip()
    kinds = {type(value) for value in leaves(step["values"])}
    masked = step["name"].startswith("masked_scores")
    assert kinds <= ({float, type(None)} if masked else {float})


@pytest.mark.parametrize(("name", "number"), EVERY)
def test_every_lesson_has_one_form(shell: Shell, name: str, number: int) -> None:
    found = report(shell, name, SETTINGS[name][number])
    assert_form(found, name)
    assert "mistake" not in found
    for knob, value in SETTINGS[name][number].items():
        assert found["knobs"][knob] == value


MADE = [(name, mistake) for name in ALL for mistake in load(name).mistakes]


@pytest.mark.parametrize(("name", "mistake"), MADE)
def test_a_wrong_computation_has_the_same_form(shell: Shell, name: str, mistake: str) -> None:
    found = report(shell, name, {}, "--mistake", mistake)
    assert_form(found, name)
    assert found["mistake"] == mistake


@pytest.mark.parametrize("name", ["a NaN", "an Infinity", "a key twice", "a number out of range"])
def test_what_is_not_strict_is_not_taken(name: str) -> None:
    wrong = {
        "a NaN": '{"a": NaN}',
        "an Infinity": '{"a": -Infinity}',
        "a key twice": '{"a": 1, "a": 2}',
        "a number out of range": '{"a": 1e999}',
    }
    with pytest.raises((AssertionError, pytest.fail.Exception)):
        strictly(wrong[name])


@pytest.mark.parametrize("name", CAUSAL)
def test_a_masked_score_is_null_and_nothing_else_is(shell: Shell, name: str) -> None:
    masked = Document(report(shell, name, {}))["masked_scores"]
    hidden = ~np.tri(masked.shape[-1], dtype=bool)
    assert (np.isnan(masked) == hidden).all()


ALL_AT_ONCE = """
import sys, shlex
from attn_study.cli.main import main
for line in sys.stdin.read().splitlines():
    sys.argv[1:] = shlex.split(line)
    try:
        main()
    except SystemExit as ended:
        assert not ended.code, line
"""


@pytest.mark.slow
def test_in_other_processes_every_digit_is_the_same(shell: Shell) -> None:
    every = [words(name, setting) for name, settings in SETTINGS.items() for setting in settings]
    here = "".join(shell.done(*typed).out for typed in every)
    for seed in ("1", "20260302"):
        changes: dict[str, str | None] = {
            "PYTHONHASHSEED": seed,
            "PYTHONPATH": str(SOURCES),
            "PYTHONUTF8": "1",
        }
        there = subprocess.run(
            [sys.executable, "-c", ALL_AT_ONCE],
            input="\n".join(map(shlex.join, every)),
            stdout=subprocess.PIPE,
            env=shell.environ(changes),
            encoding="utf-8",
            check=True,
        )
        assert there.stdout == here


def projections(name: str, setting: Setting, found: Document) -> Projections:
    """The projections of a lesson, from what it writes or from where they are set by hand."""
    size = found.sizes
    if set(found.steps) >= PROJECTIONS:
        w_o = found["w_o"].reshape(-1, size["d_model"])
        colder = 1 / (found.knob("temperature") or 1)
        return Projections(found["w_q"] * colder, found["w_k"], found["w_v"], w_o)
    if name == "simplified":
        same = np.eye(size["d_model"])
        asking = same * math.sqrt(size["d_model"]) / found.knob("temperature")
        return Projections.from_matrices(asking, same, same, same)
    if "text" in setting:
        return toy.projections(1, size["d_model"], size["d_k"], size["d_v"], setting["seed"])
    by_hand = {"cross": HEAD_1, "context": SENSES, "values": HEAD_1}[name]
    return CASES[setting["case"]].projections if name == "values" and setting else by_hand


def sources(name: str, found: Document) -> tuple[Any, Any, Any]:
    """What asks, what answers, and who may look at whom."""
    if "x" in found:
        return found["x"], found["x"], np.tri(len(found["x"]), dtype=bool)
    asks, answers = found["x_queries"], found["x_keys"]
    knobs = found.report["knobs"]
    if knobs.get("mask") == "causal":
        return asks, answers, np.tri(len(asks), len(answers), dtype=bool)
    mask = np.ones((len(asks), len(answers)), dtype=bool)
    if name == "context" and knobs["case"] != "chicken":
        mask[:, found.labels("keys").index(found.labels("queries")[0]) + 1 :] = False
    return asks, answers, mask


OF_ATTENTION = [
    each
    for each in EVERY
    if each.values[0] in (*CAUSAL, "cross", "context") and "zero" not in str(each.id)
]


@pytest.mark.parametrize(("name", "number"), OF_ATTENTION)
def test_attention_is_that_of_three_plain_loops(shell: Shell, name: str, number: int) -> None:
    setting = SETTINGS[name][number]
    found = Document(report(shell, name, setting))
    asks, answers, mask = sources(name, found)
    expected = three_loops(asks, answers, projections(name, setting, found), mask)
    steps = ("weights", "head_output", "output")
    for step, values in zip(steps, expected, strict=True):
        if step in found:
            shape = found[step].shape  # without heads where there are none
            np.testing.assert_allclose(found[step], values.reshape(shape), rtol=0, atol=1e-12)


BY_HAND = [at for at, each in enumerate(SETTINGS["stack"]) if is_by_hand("stack", each)]


@pytest.mark.parametrize("number", BY_HAND)
def test_each_layer_of_the_stack_is_three_plain_loops_and_an_mlp(shell: Shell, number: int) -> None:
    setting = SETTINGS["stack"][number]
    found = Document(report(shell, "stack", setting))
    x = found["token_vectors"] + found["positions"]
    for at, layer in enumerate(LAYERS[: setting.get("layers", len(LAYERS))], start=1):
        weights, _, added = three_loops(x, x, layer.head, np.tri(len(x), dtype=bool))
        added *= setting.get("off") != f"{at}.1"
        np.testing.assert_allclose(found[f"weights_{at}"], weights[0], rtol=0, atol=1e-12)
        np.testing.assert_allclose(found[f"attention_{at}"], added, rtol=0, atol=1e-12)
        hidden = [[max(0.0, each) for each in times(row, layer.w_in)] for row in x + added]
        x = x + added + np.array([times(row, layer.w_out) for row in hidden])
        np.testing.assert_allclose(found[f"residual_{at}"], x, rtol=0, atol=1e-12)
    np.testing.assert_allclose(found["last"], x[-1], rtol=0, atol=1e-12)
    powers = [math.exp(logit / found.knob("temperature")) for logit in found["logits"]]
    shares = [power / sum(powers) for power in powers]
    np.testing.assert_allclose(found["next_word"], shares, rtol=0, atol=1e-12)
