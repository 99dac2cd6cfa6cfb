"""A trace keeps arrays on named axes, refuses what contradicts, and leaves as strict JSON."""

from __future__ import annotations

import json
from dataclasses import FrozenInstanceError
from math import inf, nan
from typing import Any

import numpy as np
import pytest

from attn_study.attention.trace import Step, Trace, to_json
from attn_study.errors import UserError

WORDS = ("the", "cat", "the")


def started() -> Trace:
    """A trace with two queries, three keys and labels on the keys."""
    return (
        Trace()
        .add("query", ("queries", "d_k"), [[1, 2], [3, 4]], "what is asked")
        .add("scores", ("queries", "keys"), [[1, 2, 3], [4, 5, 6]], "", {"keys": WORDS})
    )


def test_steps_come_out_in_the_order_they_were_added() -> None:
    assert [step.name for step in started()] == ["query", "scores"]
    assert started().names == ("query", "scores")
    assert len(started()) == 2


def test_a_step_is_found_by_its_name() -> None:
    trace = started()
    assert trace["query"].values.tolist() == [[1, 2], [3, 4]]
    assert trace["query"].says == "what is asked"
    assert "query" in trace
    assert "weights" not in trace


def test_a_step_that_is_not_there_is_a_key_error_that_lists_the_others() -> None:
    with pytest.raises(KeyError, match="query, scores"):
        started()["weights"]


def test_every_axis_has_one_size_for_the_whole_trace() -> None:
    assert started().sizes == {"queries": 2, "d_k": 2, "keys": 3}


def test_labels_of_an_axis_keep_repeated_words_apart() -> None:
    assert started().labels("keys") == ("the", "cat", "the")
    assert started().labels("queries") == ()


def test_adding_leaves_the_trace_as_it_was() -> None:
    trace = started()
    trace.add("exp", ("keys",), [1, 2, 3])
    assert trace.names == ("query", "scores")


@pytest.mark.parametrize(
    ("name", "axes", "shape", "labels", "reason"),
    [
        ("key", ("keys",), (3, 2), {}, "1 axes are named, the array has 2"),
        ("key", ("keys", "d_k"), (4, 2), {}, "keys is 3 in step 'scores'"),
        ("key", ("keys", "d_k"), (3, 5), {}, "d_k is 2 in step 'query'"),
        ("key", ("keys", "keys"), (3, 3), {}, "an axis is named twice"),
        ("key", ("keys",), (3,), {"keys": ("a", "b")}, "keys has 2 labels"),
        ("key", ("keys",), (3,), {"queries": ("a", "b")}, "queries has labels and is not an axis"),
        ("key", ("keys",), (3,), {"keys": ("a", "b", "c")}, "keys has other labels in step 'scor"),
        ("query", ("keys",), (3,), {}, "there is a step of that name already"),
    ],
)
def test_a_step_that_does_not_fit_is_refused_with_pattern_shape_and_reason(
    name: Any, axes: Any, shape: Any, labels: Any, reason: Any
) -> None:
    with pytest.raises(UserError) as caught:
        started().add(name, axes, np.zeros(shape), "", labels)
    assert f"step {name!r}: ({' '.join(axes)}) does not fit" in str(caught.value)
    assert f"of shape {shape}: {reason}" in str(caught.value)


@pytest.mark.parametrize("number", [nan, inf])
def test_nan_and_infinity_cannot_enter_a_trace(number: Any) -> None:
    with pytest.raises(UserError, match="not finite"):
        Trace().add("scores", ("keys",), [0.0, number])


def test_steps_given_to_a_trace_at_once_are_checked_like_added_ones() -> None:
    two, three = Step("a", ("keys",), np.zeros(2)), Step("b", ("keys",), np.zeros(3))
    with pytest.raises(UserError, match="keys is 2 in step 'a'"):
        Trace((two, three))


def test_values_are_read_only_float64_and_a_copy() -> None:
    mine = np.array([1, 2, 3], dtype=np.int32)
    step = Trace().add("x", ("tokens",), mine)["x"]
    mine[0] = 9
    assert step.values.dtype == np.float64
    assert step.values[0] == 1
    with pytest.raises(ValueError, match="read-only"):
        step.values[0] = 5


def test_steps_labels_and_traces_cannot_be_changed() -> None:
    trace = started()
    with pytest.raises(FrozenInstanceError):
        trace.steps = ()  # type: ignore[misc]
    with pytest.raises(FrozenInstanceError):
        trace["query"].says = ""  # type: ignore[misc]
    with pytest.raises(TypeError):
        trace["scores"].labels["keys"] = ()  # type: ignore[index]


def test_json_holds_every_step_at_full_precision() -> None:
    trace = Trace().add("x", ("tokens",), [0.1, 1 / 3, 1e-300], "numbers", {"tokens": WORDS})
    assert to_json(trace) == [
        {
            "name": "x",
            "axes": ["tokens"],
            "shape": [3],
            "labels": {"tokens": ["the", "cat", "the"]},
            "says": "numbers",
            "values": [0.1, 1 / 3, 1e-300],
        }
    ]


def test_json_says_null_for_a_masked_score_and_is_strict() -> None:
    trace = Trace().add("masked_scores", ("queries", "keys"), [[1.5, -inf], [-inf, -inf]])
    text = json.dumps(to_json(trace), allow_nan=False)
    assert json.loads(text)[0]["values"] == [[1.5, None], [None, None]]


def test_no_number_is_a_negative_zero() -> None:
    step = Trace().add("terms", ("keys",), [-0.0])["terms"]
    assert str(step.values[0]) == "0.0"
