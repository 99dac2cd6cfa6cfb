"""Grading a predicted number: what counts as right, which mistake a wrong one shows."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from attn_study.attention.trace import Trace
from attn_study.demos.choosing import ask
from attn_study.demos.demo import Demo
from attn_study.demos.panels import Words
from attn_study.demos.question import Asked, Graded, grade, parse_number, told_apart
from attn_study.demos.working import Focus, Working
from attn_study.errors import UserError

NOTHING = Working(Trace(), "none", "")
WEIGHT = Asked(
    "What weight?",
    (),
    0.9717,
    NOTHING,
    Focus(),
    tolerance=0.005,
    wrong={"no-scale": 0.9933, "no-mask": 0.8703, "scale-d-k": 0.9241},
)
COUNT = Asked("How many?", (), 1_048_576, NOTHING, Focus(), wrong={"one head": 4_096})
SHAPE = Asked("Which shape?", (), "2×3", NOTHING, Focus(), wrong={"swap-sources": "3 x 2"})


@pytest.mark.parametrize(
    ("typed", "number"),
    [
        ("0.62", 0.62),
        (" .62 ", 0.62),
        ("0,62", 0.62),
        ("62 %", 0.62),
        ("62%", 0.62),
        ("3/4", 0.75),
        ("-2", -2.0),
        ("−2", -2.0),
        ("+2", 2.0),
        ("1e-3", 0.001),
        ("1,048,576", 1_048_576.0),
        ("1 048 576", 1_048_576.0),
        ("1_048_576", 1_048_576.0),
        ("12,288", 12_288.0),
        ("-12,288.5", -12_288.5),
        ("", None),
        ("about a half", None),
        ("1/0", None),
        ("nan", None),
        ("inf", None),
        ("-inf", None),
        ("1e999", None),
        ("1/2/3", None),
        ("%", None),
    ],
)
def test_a_number_is_read_in_every_way_people_write_it(typed: str, number: float | None) -> None:
    assert parse_number(typed) == number


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_number_written_by_python_is_read_back(value: float) -> None:
    assert parse_number(repr(value)) == value


@given(st.text())
def test_whatever_is_typed_is_a_finite_number_or_none(typed: str) -> None:
    found = parse_number(typed)
    assert found is None or math.isfinite(found)


@pytest.mark.parametrize(
    ("asked", "typed", "graded"),
    [
        (WEIGHT, "0.9717", Graded(True, "")),
        (WEIGHT, "97.2 %", Graded(True, "")),
        (WEIGHT, "0.9767", Graded(True, "")),
        (WEIGHT, "0.9668", Graded(True, "")),
        (WEIGHT, "0.9768", Graded(False, "")),
        (WEIGHT, "0.9933", Graded(False, "no-scale")),
        (WEIGHT, "0.87", Graded(False, "no-mask")),
        (WEIGHT, "0.924", Graded(False, "scale-d-k")),
        (WEIGHT, "0.5", Graded(False, "")),
        (WEIGHT, "-0.9717", Graded(False, "")),
        (WEIGHT, "most of it", Graded(False, "", readable=False)),
        (WEIGHT, "", Graded(False, "", readable=False)),
        (COUNT, "1,048,576", Graded(True, "")),
        (COUNT, "1048577", Graded(False, "")),
        (COUNT, "4096", Graded(False, "one head")),
        (SHAPE, "2 x 3", Graded(True, "")),
        (SHAPE, "2 × 3", Graded(True, "")),
        (SHAPE, "[3×2]", Graded(False, "swap-sources")),
        (SHAPE, "3×3", Graded(False, "")),
        (SHAPE, " ?! ", Graded(False, "", readable=False)),
    ],
)
def test_an_answer_is_right_wrong_or_shows_a_mistake(
    asked: Asked, typed: str, graded: Graded
) -> None:
    assert grade(asked, typed) == graded


def test_the_nearest_of_two_mistakes_is_named() -> None:
    asked = Asked("?", (), 1.0, NOTHING, Focus(), 0.1, wrong={"far": 2.05, "near": 2.15})
    assert grade(asked, "2.12").mistake == "near"


@pytest.mark.parametrize(
    ("right", "wrong", "apart"),
    [
        (0.9717, {"no-scale": 0.9933, "no-mask": 0.8703}, True),
        (0.9717, {"no-scale": 0.9900}, False),
        (0.5, {"a": 0.70, "b": 0.71}, False),
        (0.5, {"a": 0.52}, True),
        (0.5, {}, True),
    ],
)
def test_a_question_tells_apart_all_of_its_numbers(
    right: float, wrong: dict[str, float], apart: bool
) -> None:
    assert told_apart(right, wrong) == apart


def asked_with(name: str) -> Asked:
    return Asked(name, (Words(name),), 1.0, NOTHING, Focus())


DEMO = Demo(
    name="small",
    knobs=(),
    compute=lambda: NOTHING,
    panels=lambda _working, _focus: (),
    questions={
        "first": lambda seed: asked_with(f"first {seed}"),
        "second": lambda seed: asked_with(f"second {seed}"),
    },
)


@pytest.mark.parametrize(
    ("seed", "name", "prompt"),
    [
        (0, "", "first 0"),
        (1, "", "second 1"),
        (2, "", "first 2"),
        (7, "first", "first 7"),
        (2**70, "", f"first {2**70}"),
    ],
)
def test_the_seed_or_the_name_chooses_the_question(seed: int, name: str, prompt: str) -> None:
    assert ask(DEMO, seed, name).prompt == prompt


@pytest.mark.parametrize(
    ("seed", "name", "says"), [(-1, "", "seed -1"), (0, "frist", "did you mean first?")]
)
def test_a_question_that_is_not_there_is_refused(seed: int, name: str, says: str) -> None:
    with pytest.raises(UserError) as refused:
        ask(DEMO, seed, name)
    assert says in str(refused.value)
