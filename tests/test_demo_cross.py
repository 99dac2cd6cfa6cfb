"""The lesson on cross-attention: numbers, screen, questions, and who asks whom."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from attn_study.demos import load
from attn_study.demos.question import grade
from attn_study.demos.working import Focus
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
from lessons import lesson

QUESTIONS = tuple(load("cross").questions)
SCREEN = """\
 cross  one sequence asks, another answers       toy weights, set by hand · d=4
 notice German asks, English answers: weights [2×3], an output of 2 rows

 German asks: Y [2×4]           Q = Y W^Q [2×2]
   das   0 1 0 1                 1 0
 ▸ Huhn  1 0 1 0                 2 1
 English answers: X [3×4]              K = X W^K [3×2]    V = X W^V [3×2]
   The      1 0 0 1                     0 1                 2 -1
   chicken  0 2 0 1                     2 0                 3  3
   it       0 0 1 1                     1 1                 1  0

 asks ↓       weights [2×3], each row sums to 1
 answers →    The     chicken  it
   das        0.14 ▏  0.58 ▋   0.28 ▎
 ▸ Huhn       0.07    0.62 ▋   0.31 ▎

 “Huhn” asks              The          chicken      it
 score   q · k            1            4            3             2·2 + 1·0 = 4
 exp     e^(score ÷ √2)   2.0281      16.9188       8.3421          sum 27.2891
 weight  exp ÷ sum        0.0743       0.6200       0.3057           sum 1.0000
 head    Σ weight·v       2.3143       1.7856                             [1×2]
 swapped   The 0.06 0.94   chicken 0.80 0.20   it 0.20 0.80   3 rows, not 2
"""


def values(name: str, **knobs: object) -> Any:
    """A step of the only head, as it is printed."""
    found = lesson("cross", **knobs).working.trace[name].values[0]
    return (np.round(found, 4) + 0.0).tolist()


def test_the_first_screen() -> None:
    assert screen("cross") == SCREEN.splitlines()


@pytest.mark.parametrize("knobs", [{}, {"swap": "yes"}, {"mask": "causal"}], ids=str)
def test_the_first_screens_leave_room_for_the_keys(knobs: Any) -> None:
    assert len(screen("cross", **knobs)) <= 23


@pytest.mark.parametrize(
    ("name", "numbers"),
    [
        ("query", [[1, 0], [2, 1]]),
        ("scores", [[0, 2, 1], [1, 4, 3]]),
        ("weights", [[0.1400, 0.5760, 0.2840], [0.0743, 0.62, 0.3057]]),
        ("head_output", [[2.2920, 1.5879], [2.3143, 1.7856]]),
    ],
)
def test_two_words_ask_three(name: str, numbers: Any) -> None:
    assert values(name) == numbers


def test_the_output_has_the_rows_of_what_asks() -> None:
    trace = lesson("cross").working.trace
    assert trace["weights"].shape == (1, 2, 3)
    assert trace["output"].shape == trace["x_queries"].shape == (2, 4)
    assert np.allclose(trace["residual"].values, trace["x_queries"].values + trace["output"].values)


@pytest.mark.parametrize("swapped", [{"swap": "yes"}, "swap-sources"], ids=str)
def test_swapped_sources_give_the_output_other_rows(swapped: Any) -> None:
    mistake = swapped if isinstance(swapped, str) else ""
    here = lesson("cross", **({} if mistake else swapped))
    trace = here.wrong(mistake).trace if mistake else here.working.trace
    assert trace["weights"].shape == (1, 3, 2)
    assert trace["output"].shape == (3, 4)
    right = lesson("cross").working.trace
    assert np.allclose(trace["weights"].values, right["swapped_weights"].values)
    assert np.allclose(trace["swapped_weights"].values, right["weights"].values)


@pytest.mark.parametrize("seed", range(5))
def test_every_word_that_asks_shares_one_weight_among_the_answers(seed: int) -> None:
    knobs = {"text": "a b c d e f g", "target": "x y z", "seed": seed}
    trace = lesson("cross", **knobs).working.trace
    assert trace["weights"].shape == (1, 3, 7)
    assert np.allclose(trace["weights"].values.sum(axis=2), 1)
    assert np.allclose(trace["swapped_weights"].values.sum(axis=2), 1)


def test_a_causal_mask_takes_source_words_away_from_the_target() -> None:
    assert values("weights", mask="causal") == [[1, 0, 0], [0.1070, 0.8930, 0]]
    assert "2 of 3 hidden from “das”" in lesson("cross", mask="causal").working.notice
    lone = lesson("cross", mask="causal", text="Hi").working
    assert lone.notice.endswith("it hides nothing")


@pytest.mark.parametrize(
    ("knobs", "notice", "titles"),
    [
        (
            {},
            "German asks, English answers: weights [2×3], an output of 2 rows",
            ("German asks: Y [2×4]", "English answers: X [3×4]", "K = X W^K", "Q = Y W^Q"),
        ),
        (
            {"swap": "yes"},
            "English asks: an output of 3 rows, and German has 2: no match",
            ("English asks: X [3×4]", "German answers: Y [2×4]", "K = Y W^K", "Q = X W^Q"),
        ),
        (
            {"text": "un chat dort", "target": "zzz", "d_model": 4},
            "target asks, source answers: weights [1×3], an output of 1 row",
            ("target asks: Y [1×4]", "source answers: X [3×4]"),
        ),
        (
            {"text": "un chat dort", "target": "zzz", "d_model": 4, "swap": "yes"},
            "source asks: an output of 3 rows, and target has 1: no match",
            ("source asks: X [3×4]", "target answers: Y [1×4]"),
        ),
    ],
    ids=str,
)
def test_sources_are_named(knobs: Any, notice: str, titles: tuple[str, ...]) -> None:
    assert lesson("cross", **knobs).working.notice == notice
    drawn = "\n".join(screen("cross", **knobs))
    assert [title for title in titles if title not in drawn] == []


@pytest.mark.parametrize(
    ("target", "text", "said"),
    [
        ("x y", "a b", "as many rows by chance, of other words"),
        ("x", " ".join("abcdefghi"), "swapped: weights [9×1], 9 rows, not 1"),
        ("x y z", "a", "1 row, not 3"),
    ],
)
def test_the_other_way_round_is_told_by_its_rows(target: str, text: str, said: str) -> None:
    assert said in "\n".join(screen("cross", target=target, text=text))


def test_queries_may_stand_in_columns() -> None:
    drawn = "\n".join(screen("cross", focus=Focus(0, columns=True)))
    assert "each column sums to 1" in drawn
    assert "asks →" in drawn


def test_texts_that_are_cut_are_named() -> None:
    long = " ".join(f"w{n}" for n in range(33))
    notice = lesson("cross", target=long, text=long).working.notice
    assert notice == (
        "target: only the first 32 of 33 tokens are used; only the first 32 of 33 tokens are used"
    )


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("seed", range(8))
def test_a_question_is_fair_and_explained(question: str, seed: int) -> None:
    found = asked("cross", question, seed)
    assert_fair(found)
    assert_explained("cross", found)


@pytest.mark.parametrize("question", QUESTIONS)
def test_seeds_decide_the_numbers(question: str) -> None:
    first, again, other = (shown(asked("cross", question, seed)) for seed in (1, 1, 2))
    assert first == again
    assert first != other


@pytest.mark.parametrize("said", ["6x8", "6 × 8", "[6×8]"])
def test_a_shape_may_be_typed_in_any_way(said: str) -> None:
    assert grade(asked("cross", "shape", 1), said).right


@pytest.mark.parametrize("mistake", load("cross").mistakes)
def test_every_mistake_changes_the_numbers(mistake: str) -> None:
    here = lesson("cross")
    wrong, right = here.wrong(mistake).trace["output"], here.working.trace["output"]
    assert wrong.shape != right.shape or not np.allclose(wrong.values, right.values)


def test_the_steps_shown_one_by_one_are_all_there() -> None:
    assert lesson("cross").stages == load("cross").steps


@pytest.mark.parametrize("columns", COLUMNS)
@pytest.mark.parametrize("words", WORDS.values(), ids=WORDS)
@pytest.mark.parametrize("side", ["text", "target"])
def test_own_words_fit_every_screen(side: str, words: str, columns: int) -> None:
    assert_fits("cross", columns, **{side: words})


@pytest.mark.parametrize("columns", COLUMNS)
@pytest.mark.parametrize(
    "knobs",
    [{}, {"swap": "yes"}, {"mask": "causal"}, {"d_model": 90}, {"d_k": 1, "d_v": 40}],
    ids=str,
)
def test_every_setting_fits_every_screen(knobs: Any, columns: int) -> None:
    assert_fits("cross", columns, **knobs)


@pytest.mark.parametrize(
    ("knobs", "says"),
    [
        ({"swap": "maybe"}, "swap cannot be 'maybe'\n  one of no, yes"),
        ({"mask": "padding"}, "mask cannot be 'padding'\n  one of none, causal"),
        ({"d_k": 0}, "d_k cannot be '0'\n  1 or more"),
        ({"d_model": 600}, "d_model=600 is out of range\n  from 1 to 512"),
        ({"seed": -2}, "seed cannot be '-2'\n  0 or more"),
        ({"target": "\x01"}, "the text has no words"),
        ({"text": "\x01"}, "the text has no words"),
        ({"heads": 2}, "demo cross has no knob 'heads'"),
    ],
)
def test_a_knob_that_cannot_be_is_refused(knobs: Any, says: str) -> None:
    with pytest.raises(UserError) as caught:
        lesson("cross", **knobs)
    assert str(caught.value).startswith(says)
