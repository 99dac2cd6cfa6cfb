"""Single numbers of the inputs set by hand: the knob `set` of the lessons that start from them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attn_study.attention.examples import TWO_HEADS, X, Y
from attn_study.demos.edits import Edit, edited, parse, write
from attn_study.errors import UserError
from lessons import lesson

SETTABLE = ("simplified", "qkv", "mask", "head", "values", "multihead", "cross")
NAMES = st.sampled_from(["x", "x_keys", "w_q", "w_o"])
PLACES = st.lists(st.integers(1, 9999), min_size=1, max_size=3).map(tuple)
EDITS = st.builds(Edit, NAMES, PLACES, st.floats(-1e9, 1e9).map(lambda value: value + 0.0))


@given(st.lists(EDITS, unique_by=lambda edit: edit.called))
def test_what_is_written_is_read_again(edits: list[Edit]) -> None:
    assert parse(write(edits)) == tuple(edits)


def test_of_two_edits_of_one_number_the_later_stays() -> None:
    assert write(parse("x.1.1=2 x.1.2=5 x.1.1=-3.5")) == "x.1.1=-3.5 x.1.2=5"


@pytest.mark.parametrize("text", ["x.1.1=2 x.1.2=3", "x.1.1 = 2; x.1.2=3", " x.1.1=2;x.1.2 =3 "])
def test_blanks_and_semicolons_set_edits_apart(text: str) -> None:
    assert [str(edit) for edit in parse(text)] == ["x.1.1=2", "x.1.2=3"]


def test_only_the_numbers_named_change_and_the_example_stays() -> None:
    trace = lesson("multihead", set="x.3.1=2 w_q.2.1.2=-1").working.trace
    x, w_q = X.copy(), TWO_HEADS.w_q.copy()
    x[2, 0], w_q[1, 0, 1] = 2, -1
    assert trace["x"].values.tolist() == x.tolist()
    assert trace["w_q"].values.tolist() == w_q.tolist()
    assert trace["w_k"].values.tolist() == TWO_HEADS.w_k.tolist()
    assert (X[2, 0], TWO_HEADS.w_q[1, 0, 1]) == (0, 0)
    assert np.allclose(trace["query"].values, x @ w_q)


def test_a_single_head_need_not_be_numbered() -> None:
    short, long = (lesson(set=text).working.trace for text in ("w_o.2.4=7", "w_o.1.2.4=7"))
    assert short["w_o"].values.tolist() == long["w_o"].values.tolist()
    assert short["w_o"].values[0, 1, 3] == 7


def test_in_cross_attention_what_asks_is_set_apart_from_what_answers() -> None:
    trace = lesson("cross", set="x_queries.2.1=9").working.trace
    assert trace["x_queries"].values.tolist() == [Y[0].tolist(), [9, *Y[1, 1:]]]
    assert trace["x_keys"].values.tolist() == X.tolist()
    turned = lesson("cross", swap="yes", set="x_queries.3.1=9").working.trace
    assert turned["x_queries"].values[2, 0] == 9


@pytest.mark.parametrize("name", SETTABLE)
def test_weights_that_were_changed_are_said_to_be(name: str) -> None:
    number = "x_keys.1.1=2" if name == "cross" else "x.1.1=2"
    assert ", edited · " in lesson(name, set=number).working.weights
    assert "edited" not in lesson(name).working.weights


def test_own_words_and_cases_can_be_changed_too() -> None:
    own = lesson(text="a b", seed=3, set="x.2.1=5").working
    assert (own.trace["x"].values[1, 0], own.weights) == (5, "random, seed 3, edited · d=8")
    assert lesson(case="creature", set="x.4.4=1").working.trace["x"].values[3, 3] == 1


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("x.9.1=2", "set: x has no number 9.1\n  from x.1.1 to x.3.4"),
        ("x.0.1=2", "set: x has no number 0.1"),
        ("x.1=2", "set: x has no number 1\n"),
        ("w_q.2.1.1=2", "set: w_q has no number 2.1.1\n  from w_q.1.1.1 to w_q.1.4.2"),
        ("weights.1.1=2", "set: there is no input 'weights'\n"),
        ("x_keys.1.1=2", "set: there is no input 'x_keys'\n"),
        ("x=2", "set: 'x=2' names no number\n  such as x.3.1=2"),
        ("x.1.1", "set: 'x.1.1' names no number"),
        ("x.1.1=a", "set: 'a' in 'x.1.1=a' is not a number"),
        ("x.1.1=nan", "x holds a number that is not finite"),
        ("w_q.1.1=1e300", "w_q holds a number that is not finite, or too large"),
    ],
)
def test_what_is_no_number_of_the_inputs_is_refused(text: str, says: str) -> None:
    with pytest.raises(UserError) as caught:
        lesson(set=text)
    assert str(caught.value).startswith(says)


def test_without_projections_only_the_vectors_can_be_set() -> None:
    with pytest.raises(UserError, match="there is no input 'w_q'"):
        lesson("simplified", set="w_q.1.1=3")


def test_the_arrays_given_are_left_as_they_are() -> None:
    given_array = np.zeros((2, 2))
    assert edited({"x": given_array}, "x.1.2=3")["x"].tolist() == [[0, 3], [0, 0]]
    assert not given_array.any()


# The temperature of a head


@pytest.mark.parametrize("name", ["head", "multihead"])
@pytest.mark.parametrize("temperature", [0.25, 3.0])
def test_a_temperature_divides_the_scaled_scores_before_the_mask(
    name: str, temperature: float
) -> None:
    trace = lesson(name, temperature=temperature).working.trace
    scaled, tempered = trace["scaled_scores"].values, trace["tempered_scores"].values
    assert np.allclose(tempered * temperature, scaled)
    exp = np.exp(scaled / temperature) * np.tri(3)
    assert np.allclose(trace["weights"].values, exp / exp.sum(axis=-1, keepdims=True))


def test_at_temperature_1_there_is_no_such_step() -> None:
    assert "tempered_scores" not in lesson(temperature=1.0).working.trace


def test_a_mistake_is_made_at_the_same_temperature() -> None:
    wrong = lesson(temperature=0.5).wrong("no-scale").trace
    assert wrong["tempered_scores"].values.tolist() == (wrong["scores"].values / 0.5).tolist()
