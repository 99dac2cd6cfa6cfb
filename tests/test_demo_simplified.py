"""The lesson on attention without projections: numbers, screen, questions, what wins and why."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attn_study.attention.arrays import frozen
from attn_study.attention.heads import simplified
from attn_study.attention.stages import softmax
from attn_study.attention.trace import to_json
from attn_study.demos import load
from attn_study.demos.question import grade
from attn_study.demos.working import Focus
from attn_study.demos.workings.simplified import EXAMPLE, attended
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

QUESTIONS = tuple(load("simplified").questions)
SCREEN = """\
 simplified  weights from dot products alone     toy vectors, set by hand · d=4
 notice      “was”, a short vector, takes most from “chicken”, not from itself

 asks ↓       X [4×4]           weights: rows sum to 1
 answers →    1  2  3  4        The     chicken  it      was
   The        1  0  0  1        1.00 █   ·        ·       ·
   chicken    0  2  0  1        0.02    0.98 █    ·       ·
   it         0  0  1  1        0.21 ▎  0.21 ▎   0.58 ▋   ·
 ▸ was        0  1  0  0        0.08    0.61 ▋   0.08    0.22 ▎

 score of “chicken”: x · x = 0·0 + 1·2 + 0·0 + 0·1 = 2
 “was” asks, these answer   The       chicken   it        was
 score    x · x             0         2         0         1
 exp      e^score           1.0000    7.3891    1.0000    2.7183    sum 12.1073
 weight   exp ÷ sum         0.0826    0.6103    0.0826    0.2245     sum 1.0000
                            ▊         █████▌    ▊         ██
 times x  weight × x       (0.0826   (0.0000   (0.0000   (0.0000
                            0.0000    1.2206    0.0000    0.2245
                            0.0000    0.0000    0.0826    0.0000
                            0.0826)   0.6103)   0.0826)   0.0000)
 output   sum of those      0.0826    1.4451    0.0826    0.7755          [1×4]
 Softmax shares, it does not pick: this row is spread like 2.85 equal weights.
"""


def printed(name: str, **knobs: object) -> object:
    """A step as it is shown: four decimals."""
    values = lesson("simplified", **knobs).working.trace[name].values
    return (np.round(values, 4) + 0.0).tolist()


def test_the_first_screen() -> None:
    assert screen("simplified") == SCREEN.splitlines()


def test_the_first_screen_leaves_room_for_the_keys() -> None:
    assert len(screen("simplified")) <= 22


def test_the_worked_numbers_of_the_first_three_words() -> None:
    scores = np.array(lesson("simplified").working.trace["scores"].values)[:3, :3]
    assert scores[np.tril_indices(3)].tolist() == [2, 1, 5, 1, 1, 2]
    weights = np.array(printed("weights"))[:3, :3].tolist()
    assert weights == [[1, 0, 0], [0.0180, 0.9820, 0], [0.2119, 0.2119, 0.5761]]
    assert np.array(printed("output"))[2].tolist() == [0.2119, 0.4239, 0.5761, 1]


@pytest.mark.parametrize(("degrees", "row"), [
    (1, [0.0826, 0.6103, 0.0826, 0.2245]),
    (0.25, [0.0003, 0.9814, 0.0003, 0.0180]),
    (100, [0.2481, 0.2531, 0.2481, 0.2506]),
    (1e-6, [0, 1, 0, 0]),
])  # fmt: skip
def test_a_temperature_sharpens_or_flattens_a_row(degrees: float, row: list[float]) -> None:
    assert np.array(printed("weights", temperature=degrees))[3].tolist() == row


@pytest.mark.parametrize(("degrees", "equal"), [(1, 2.8540), (1e6, 4), (1e-6, 1)])
def test_a_row_is_spread_like_so_many_equal_weights(degrees: float, equal: float) -> None:
    assert np.array(printed("effective", temperature=degrees))[3] == equal


def test_the_trace_is_that_of_simplified_attention() -> None:
    here = attended(EXAMPLE.labels, EXAMPLE.x)
    there = simplified(EXAMPLE.x, EXAMPLE.labels)
    assert to_json(here)[:-1] == to_json(there)
    assert here.names == (*there.names, "effective")


vectors = st.lists(st.lists(st.integers(-2, 2), min_size=3, max_size=3), min_size=1, max_size=5)


@given(vectors)
def test_a_word_that_wins_over_the_asking_word_has_a_longer_vector(x: list[list[int]]) -> None:
    words = tuple(f"w{at}" for at in range(len(x)))
    weights = attended(words, frozen(x))["weights"].values
    for query, row in enumerate(weights):
        best = int(np.argmax(row))
        if row[best] > row[query] + 1e-9:
            assert np.linalg.norm(x[best]) > np.linalg.norm(x[query])


@pytest.mark.parametrize(("knobs", "says"), [
    ({}, "“was”, a short vector, takes most from “chicken”, not from itself"),
    ({"text": "Hi"}, "“Hi” stands alone: all it can take is itself"),
    ({"text": "a a a"}, "no word takes more from another than from itself"),
    ({"text": WORDS["many"]}, "only the first 32 of 40 tokens are used"),
])  # fmt: skip
def test_the_notice_says_what_is_on_the_screen(knobs: dict[str, object], says: str) -> None:
    assert lesson("simplified", **knobs).working.notice == says


def test_a_score_beyond_fifty_is_shown_with_the_largest_taken_off() -> None:
    found = lesson("simplified", temperature=0.01)
    seen = text(found.panels(Focus(3)))
    assert "e^(scaled - 200)" in seen
    row = found.working.trace["masked_scores"].values[3]
    assert found.working.trace["exp"].values[3] == pytest.approx(np.exp(row - 200))


@pytest.mark.parametrize("mistake", load("simplified").mistakes)
def test_every_mistake_changes_a_weight(mistake: str) -> None:
    here = lesson("simplified")
    wrong = here.wrong(mistake)
    assert not np.allclose(
        here.working.trace["weights"].values, wrong.trace["weights"].values, atol=0.005
    )
    assert mistake in text(here.compared(mistake, wrong, Focus(1)))


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("seed", range(6))
def test_a_question_is_fair_and_explained(question: str, seed: int) -> None:
    found = asked("simplified", question, seed)
    assert_fair(found)
    assert_explained("simplified", found)


@pytest.mark.parametrize("question", QUESTIONS)
def test_seeds_decide_the_numbers(question: str) -> None:
    first, again, other = (shown(asked("simplified", question, seed)) for seed in (1, 1, 2))
    assert first == again
    assert first != other


@pytest.mark.parametrize("seed", range(6))
def test_the_word_itself_wins_for_every_other_seed(seed: int) -> None:
    found = asked("simplified", "most", seed)
    asks = found.working.trace.labels("queries")[found.focus.query]
    assert (found.answer == asks) == (seed % 2 == 1)


@pytest.mark.parametrize("seed", range(6))
def test_a_constant_on_every_score_changes_no_weight(seed: int) -> None:
    found = asked("simplified", "constant", seed)
    trace, query = found.working.trace, found.focus.query
    scores = trace["scores"].values[query, : query + 1]
    assert np.isclose(softmax(scores), float(found.answer)).any()
    assert softmax(scores + 5) == pytest.approx(softmax(scores), abs=1e-12)


@pytest.mark.parametrize("seed", range(6))
def test_a_score_of_zero_has_a_weight(seed: int) -> None:
    found = asked("simplified", "zero", seed)
    assert isinstance(found.answer, float)
    assert found.answer > 0.02
    assert "-∞" in grade(found, "0").mistake


@pytest.mark.parametrize("columns", COLUMNS)
@pytest.mark.parametrize("words", WORDS.values(), ids=WORDS)
def test_own_words_fit_every_screen(words: str, columns: int) -> None:
    assert_fits("simplified", columns, text=words)


@pytest.mark.parametrize("columns", COLUMNS)
@pytest.mark.parametrize(
    "knobs", [{}, {"d_model": 512}, {"d_model": 1}, {"temperature": 1e-6}, {"seed": 3}], ids=str
)
def test_every_setting_fits_every_screen(knobs: dict[str, object], columns: int) -> None:
    assert_fits("simplified", columns, **knobs)


@pytest.mark.parametrize(
    ("knobs", "says"),
    [
        ({"temperature": 0}, "temperature cannot be '0'\n  from 1e-06 to 1,000,000"),
        ({"temperature": "warm"}, "temperature cannot be 'warm'\n  a number"),
        ({"d_model": 513}, "d_model=513 is out of range\n  from 1 to 512"),
        ({"d_model": 0}, "d_model cannot be '0'\n  1 or more"),
        ({"seed": -1}, "seed cannot be '-1'\n  0 or more"),
        ({"text": "\x01\x02"}, "the text has no words"),
    ],
)
def test_a_knob_that_cannot_be_is_refused(knobs: dict[str, object], says: str) -> None:
    with pytest.raises(UserError) as caught:
        lesson("simplified", **knobs)
    assert str(caught.value).startswith(says)
