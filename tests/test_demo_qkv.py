"""The lesson on the three roles: numbers, screen, questions, both conventions, roles swapped."""

from __future__ import annotations

import numpy as np
import pytest

from attn_study.attention.arrays import Array, frozen
from attn_study.attention.examples import HEAD_1, X
from attn_study.demos import load
from attn_study.demos.question import grade
from attn_study.errors import UserError
from lesson_checks import (
    COLUMNS,
    WORDS,
    asked,
    assert_explained,
    assert_fair,
    assert_fits,
    screen,
    shown,
)
from lessons import lesson, text

QUESTIONS = tuple(load("qkv").questions)
SCREEN = """\
 qkv    three roles: query, key and value        toy weights, set by hand · d=4
 notice “it” asks “chicken”: 4; the other way round: 1. Two roles

 W^Q [4×2]             W^K [4×2]    W^V [4×2]
   x₁ = 0   0  1        0 1           1  0
   x₂ = 0   1 -1        1 0           1  2
   x₃ = 1   2  0        1 1           0  1
   x₄ = 1   0  1        0 0           1 -1

   “it”   from   numbers  what it does  summed with its weights
   x             0 0 1 1  the token     0.0743 1.2400 0.3057 1.0000
   query  x W^Q      2 1  asks
   key    x W^K      1 1  is found by                 1.5457 0.3800
   value  x W^V      1 0  passes on                   2.3143 1.7856  ✓

 asks ↓       S = Q K^T               S^T: columns ask
 answers →    The  chicken  it        The  chicken  it
   The         2   0        2         2    -1       1
   chicken    -1   4        1         0     4       4
 ▸ it          1   4        3         2     1       3
   rows, papers    q = x W^Q  1×4 · 4×2 = 1×2  GPT-3 W^Q: 12,288×128
   columns, video  q = W^Q x  2×4 · 4×1 = 2×1  GPT-3 W^Q: 128×12,288
"""
RANDOM = {"text": "the cat saw the dog"}


def step(name: str, **knobs: object) -> Array:
    """A step of the only head, as it is shown: four decimals."""
    values = lesson("qkv", **knobs).working.trace[name].values
    return frozen(np.round(values[0], 4))


def test_the_first_screen() -> None:
    assert screen("qkv") == SCREEN.splitlines()


def test_the_first_screen_leaves_room_for_the_keys() -> None:
    assert len(screen("qkv")) <= 22


@pytest.mark.parametrize(
    ("name", "row"),
    [
        ("query", [2, 1]),
        ("key", [1, 1]),
        ("value", [1, 0]),
        ("scores", [1, 4, 3]),
        ("weights", [0.0743, 0.62, 0.3057]),
        ("head_output", [2.3143, 1.7856]),
        ("sum_of_keys", [1.5457, 0.38]),
        ("sum_of_x", [0.0743, 1.24, 0.3057, 1]),
    ],
)
def test_the_worked_numbers_of_it(name: str, row: list[float]) -> None:
    assert step(name)[2].tolist() == row


def test_a_score_is_not_symmetric() -> None:
    scores = step("scores")
    assert (scores[2, 1], scores[1, 2]) == (4, 1)


@pytest.mark.parametrize("knobs", [{}, RANDOM, {"set": "w_k.1.1=-2"}], ids=str)
def test_a_score_is_one_form_between_the_two_tokens(knobs: dict[str, object]) -> None:
    trace = lesson("qkv", **knobs).working.trace
    x, between = trace["x"].values, trace["w_qk"].values[0]
    assert np.allclose(x @ between @ x.T, trace["scores"].values[0])


@pytest.mark.parametrize("name", ["w_q", "w_k", "w_v"])
def test_both_conventions_give_the_same_numbers(name: str) -> None:
    trace = lesson("qkv", **RANDOM, d_k=3, d_v=5).working.trace
    rows, x = trace[name].values[0], trace["x"].values
    columns = rows.T
    made = trace[{"w_q": "query", "w_k": "key", "w_v": "value"}[name]].values[0]
    assert np.allclose(columns @ x.T, made.T)
    assert rows.shape == columns.shape[::-1]


def test_the_shapes_of_both_conventions_are_those_of_the_numbers() -> None:
    seen = text(lesson("qkv", **RANDOM, d_k=3).panels(load("qkv").focus))
    assert "1×8 · 8×3 = 1×3" in seen
    assert "3×8 · 8×1 = 3×1" in seen


@pytest.mark.parametrize("knobs", [{}, RANDOM], ids=str)
def test_swapping_query_and_key_turns_the_scores_over(knobs: dict[str, object]) -> None:
    before = lesson("qkv", **knobs).working.trace["scores"].values[0]
    after = lesson("qkv", **knobs, swap="query-key").working
    assert np.allclose(after.trace["scores"].values[0], before.T)
    assert "S is turned over" in after.notice


@pytest.mark.parametrize(
    ("swap", "one", "other", "names"),
    [
        ("query-key", "query", "key", "W^Q and W^K"),
        ("key-value", "key", "value", "W^K and W^V"),
        ("query-value", "query", "value", "W^Q and W^V"),
    ],
)
def test_a_swap_gives_each_the_vectors_of_the_other(
    swap: str, one: str, other: str, names: str
) -> None:
    assert step(one, swap=swap).tolist() == step(other).tolist()
    assert step(other, swap=swap).tolist() == step(one).tolist()
    assert lesson("qkv", swap=swap).working.notice.startswith(names)


def test_an_edited_entry_changes_what_it_makes_and_nothing_else() -> None:
    numbers = "w_q.3.1=-1.5 w_v.1.2=4"
    assert step("w_q", set=numbers)[2, 0] == -1.5
    assert step("w_v", set=numbers)[0, 1] == 4
    assert step("query", set=numbers)[2].tolist() == [-1.5, 1]
    assert step("key", set=numbers).tolist() == step("key").tolist()
    assert HEAD_1.w_q[0, 2, 0] == 2
    assert lesson("qkv", set=numbers).working.weights == "toy weights, set by hand, edited · d=4"


@pytest.mark.parametrize(
    ("knobs", "says"),
    [
        ({}, "“it” asks “chicken”: 4; the other way round: 1. Two roles"),
        ({"text": "Hi"}, "“Hi” goes in once, and comes out in three roles: query, key, value"),
        ({"text": "a a"}, "“a” goes in once, and comes out in three roles: query, key, value"),
        ({"text": WORDS["many"]}, "only the first 32 of 40 tokens are used"),
    ],
)
def test_the_notice_says_what_is_on_the_screen(knobs: dict[str, object], says: str) -> None:
    assert lesson("qkv", **knobs).working.notice == says


@pytest.mark.parametrize("mistake", load("qkv").mistakes)
def test_every_mistake_changes_the_output(mistake: str) -> None:
    here = lesson("qkv")
    wrong = here.wrong(mistake).trace["head_output"].values
    assert not np.allclose(here.working.trace["head_output"].values, wrong, atol=0.01)


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("seed", range(6))
def test_a_question_is_fair_and_explained(question: str, seed: int) -> None:
    found = asked("qkv", question, seed)
    assert_fair(found)
    assert_explained("qkv", found)


@pytest.mark.parametrize("question", QUESTIONS)
def test_seeds_decide_the_numbers(question: str) -> None:
    first, again, other = (shown(asked("qkv", question, seed)) for seed in (1, 1, 2))
    assert first == again
    assert first != other


@pytest.mark.parametrize("seed", range(6))
def test_one_score_does_not_tell_the_other(seed: int) -> None:
    found = asked("qkv", "told", seed)
    assert grade(found, "Cannot be told.").right
    score = found.prompt.partition(" is ")[2].partition(".")[0]
    assert grade(found, score).mistake.startswith("what a symmetric score would be")


def shape_of(prompt: str) -> str:
    """The shape asked for, worked out from the words of the question."""
    d_model, width = (
        int(prompt.partition(f"{name} = ")[2].split()[0].strip(",").replace(",", ""))
        for name in ("d_model", "d_v" if "W^V" in prompt else "d_k")
    )
    return f"{d_model}x{width}" if "a row?" in prompt else f"{width}x{d_model}"


@pytest.mark.parametrize("seed", range(12))
def test_the_shape_of_a_projection_is_asked_in_both_conventions(seed: int) -> None:
    found = asked("qkv", "shape", seed)
    assert found.answer == shape_of(found.prompt)
    rows, columns = str(found.answer).split("x")
    assert grade(found, f"[{int(rows):,} × {int(columns):,}]").right


def test_the_largest_model_is_asked_about_in_both_conventions() -> None:
    answers = {str(asked("qkv", "shape", seed).answer) for seed in range(40)}
    assert {"12288x128", "128x12288"} <= answers


@pytest.mark.parametrize("columns", COLUMNS)
@pytest.mark.parametrize("words", WORDS.values(), ids=WORDS)
def test_own_words_fit_every_screen(words: str, columns: int) -> None:
    assert_fits("qkv", columns, text=words)


@pytest.mark.parametrize("columns", COLUMNS)
@pytest.mark.parametrize(
    "knobs",
    [{}, {"swap": "key-value"}, {"d_model": 16, "d_k": 1, "d_v": 40}, {"set": "w_q.1.1=1e9"}],
    ids=str,
)
def test_every_setting_fits_every_screen(knobs: dict[str, object], columns: int) -> None:
    assert_fits("qkv", columns, **knobs)


@pytest.mark.parametrize(
    ("knobs", "says"),
    [
        ({"swap": "key"}, "swap cannot be 'key'\n  one of query-key, key-value, query-value"),
        (
            {"swap": "key-value", "d_k": 2, "d_v": 3},
            "key-value cannot change places: d_k=2 and d_v=3 differ\n  d_v=2, or swap=query-key",
        ),
        ({"d_k": 513}, "d_k=513 is out of range\n  from 1 to 512"),
        ({"text": "\t"}, "text cannot be"),
    ],
)
def test_a_knob_that_cannot_be_is_refused(knobs: dict[str, object], says: str) -> None:
    with pytest.raises(UserError) as caught:
        lesson("qkv", **knobs)
    assert str(caught.value).startswith(says)


def test_the_example_is_that_of_the_chapter() -> None:
    trace = lesson("qkv").working.trace
    assert np.array_equal(trace["x"].values, X)
    assert np.array_equal(trace["w_k"].values, HEAD_1.w_k)
