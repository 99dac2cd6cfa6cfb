"""The lesson on one head: its screen, its numbers, its questions, and the two layouts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from attn_study.demos import load
from attn_study.demos.asks import one_head
from attn_study.demos.question import grade
from attn_study.demos.setup import attended
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

if TYPE_CHECKING:
    from attn_study.attention.trace import Trace
    from attn_study.demos.setup import Start

QUESTIONS = tuple(load("head").questions)
SCREEN = """\
 head   one attention head, end to end           toy weights, set by hand · d=4
 notice “it” takes most of what it learns from “chicken”

 X [3×4]               Q = X W^Q [3×2]    K = X W^K [3×2]    V = X W^V [3×2]
   The      1 0 0 1      0  2              0 1                 2 -1
   chicken  0 2 0 1      2 -1              2 0                 3  3
 ▸ it       0 0 1 1      2  1              1 1                 1  0

 “it” asks, these answer    The        chicken    it
 score    q · k             1          4          3               2·2 + 1·0 = 4
 scaled   ÷ √2              0.7071     2.8284     2.1213
 mask     may it look?      yes        yes        yes
 exp      e^scaled          2.0281    16.9188     8.3421            sum 27.2891
 weight   exp ÷ sum         0.0743     0.6200     0.3057             sum 1.0000
                            ▊          ██████▎    ███
 times v  weight × v      ( 0.1486   ( 1.8600   ( 0.3057
                           -0.0743)    1.8600)    0.0000)
 head     sum of those      2.3143     1.7856                             [1×2]
 output   head · W^O        2.3143     1.7856    -0.5287     2.8429       [1×4]
 x + out  residual          2.3143     1.7856     0.4713     3.8429       [1×4]

 all rows   The 1.00 · ·   chicken 0.03 0.97 ·   it 0.07 0.62 0.31   row sum 1
"""
CREATURE = """\
 head   one attention head, end to end           toy weights, set by hand · d=4
 notice “creature” asks “any adjectives before me?”; fluffy and blue answer,
        and move it

 X [4×4]                Q = X W^Q [4×2]    K = X W^K [4×2]    V = X W^V [4×2]
   a         0 0 0 0     0 0                0 0                0 0
   fluffy    0 1 2 0     0 0                1 0                2 0
   blue      0 1 0 2     0 0                1 0                0 2
 ▸ creature  1 0 0 0     4 0                0 0                0 0

 “creature” asks, these answer    a         fluffy    blue      creature
 score    q · k                   0         4         4         0
   4·1 + 0·0 = 4
 scaled   ÷ √2                    0.0000    2.8284    2.8284    0.0000
 mask     may it look?            yes       yes       yes       yes
 exp      e^scaled                1.0000   16.9188   16.9188    1.0000
   sum 35.8377
 weight   exp ÷ sum               0.0279    0.4721    0.4721    0.0279
   sum 1.0000
                                  ▎         ████▎     ████▎     ▎
 times v  weight × v            ( 0.0000  ( 0.9442  ( 0.0000  ( 0.0000
                                  0.0000)   0.0000)   0.9442)   0.0000)
 head     sum of those            0.9442    0.9442                        [1×2]
 output   head · W^O              0.0000    0.0000    0.9442    0.9442    [1×4]
 x + out  residual                1.0000    0.0000    0.9442    0.9442    [1×4]

 asks ↓
 answers →    a       fluffy  blue    creature
   a          1.00 █   ·       ·       ·
   fluffy     0.50 ▌  0.50 ▌   ·       ·
   blue       0.33 ▍  0.33 ▍  0.33 ▍   ·
 ▸ creature   0.03    0.47 ▌  0.47 ▌  0.03
              row sum 1
"""


def row(name: str, query: int = -1, **knobs: object) -> Any:
    """What a step has for one query of the only head, as it is printed."""
    step = lesson("head", **knobs).working.trace[name]
    values = step.values[0, query] if step.axes[0] == "heads" else step.values[query]
    return (np.round(values, 4) + 0.0).tolist()


def test_the_first_screen() -> None:
    assert screen("head") == SCREEN.splitlines()


def test_a_noun_asks_for_adjectives_and_both_answer_alike() -> None:
    assert screen("head", case="creature") == CREATURE.splitlines()
    weights = row("weights", case="creature")
    assert weights[1] == weights[2] > 10 * weights[0]


def test_the_numbers_of_the_worked_example() -> None:
    assert row("weights", 1) == [0.0283, 0.9717, 0.0]
    assert row("weights") == [0.0743, 0.62, 0.3057]
    assert row("head_output") == [2.3143, 1.7856]
    assert row("output") == [2.3143, 1.7856, -0.5287, 2.8429]
    assert row("residual") == [2.3143, 1.7856, 0.4713, 3.8429]
    assert row("row_sum") == 27.2891


@pytest.mark.parametrize("name", QUESTIONS)
@pytest.mark.parametrize("seed", range(6))
def test_a_question_is_fair_and_can_be_explained(name: str, seed: int) -> None:
    here = asked("head", name, seed)
    assert_fair(here)
    assert_explained("head", here)


@pytest.mark.parametrize("name", QUESTIONS)
def test_a_seed_gives_the_same_numbers_and_another_seed_others(name: str) -> None:
    assert shown(asked("head", name, 5)) == shown(asked("head", name, 5))
    assert len({shown(asked("head", name, seed)) for seed in range(4)}) > 1


def test_the_same_weight_stands_in_another_cell_of_the_other_layout() -> None:
    """Papers put the queries in rows, the video in columns."""
    paper, video = asked("head", "cell", 0), asked("head", "cell", 1)
    assert (paper.answer, video.answer) == ("3, 2", "2, 3")
    assert grade(paper, "[3,2]").right
    assert grade(video, "3, 2").mistake == "rows and columns mixed up"


@pytest.mark.parametrize("text", WORDS.values(), ids=WORDS)
@pytest.mark.parametrize("columns", COLUMNS)
def test_any_words_fit_any_screen(text: str, columns: int) -> None:
    assert_fits("head", columns, text=text)


def test_a_word_has_the_same_vector_wherever_it_stands() -> None:
    x = lesson("head", text="the cat saw the cat", seed=3).working.trace["x"].values
    assert np.array_equal(x[0], x[3])
    assert np.array_equal(x[1], x[4])


@pytest.mark.parametrize(
    ("knobs", "says"),
    [
        ({"d_k": 0}, "d_k"),
        ({"d_model": 1_000_000}, "d_model=1000000"),
        ({"seed": -1}, "seed"),
        ({"case": "dragon"}, "case"),
        ({"case": "creature", "text": "a b"}, "creature"),
        ({"text": " "}, "text"),
    ],
)
def test_what_cannot_be_is_refused_by_name(knobs: dict[str, object], says: str) -> None:
    with pytest.raises(UserError) as refused:
        lesson("head", **knobs)
    assert says in str(refused.value)


def test_one_word_alone_gives_itself_all_its_weight() -> None:
    assert row("weights", 0, text="Hi") == [1.0]
    assert "“Hi” asks" in "\n".join(screen("head", text="Hi", focus=Focus(0)))


def test_numbers_are_given_up_before_mistakes_are_made_in_vain(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Those with too small a sum at once, others at the first mistake that cannot be told."""
    made: dict[int, list[str]] = {}
    begun: list[Start] = []

    def counted(begin: Start, mistake: str = "") -> Trace:
        begun.append(begin)
        made.setdefault(id(begin), []).append(mistake)
        return attended(begin, mistake)

    monkeypatch.setattr(one_head, "attended", counted)
    asked_for = one_head.weight_from_scores("head.weight")(4)
    *given_up, last = ([name for name in each if name] for each in made.values())
    assert tuple(last) == one_head.OF_SCORES == tuple(asked_for.wrong)
    assert min(map(len, given_up)) == 0
    assert any(0 < len(names) < len(last) for names in given_up)


def softmax(scores: Any) -> Any:
    powers = np.exp(scores - scores.max())
    return powers / powers.sum()


@pytest.mark.parametrize("seed", range(12))
def test_what_a_mistake_leads_to_is_of_the_cell_that_is_asked_for(seed: int) -> None:
    found = asked("head", "weight", seed)
    trace, query = found.working.trace, found.focus.query
    key = trace.labels("keys").index(found.prompt.rpartition("to “")[2].removesuffix("”?"))
    seen, scores = query + 1, trace["scores"].values[0, query]
    assert found.answer == pytest.approx(softmax(scores[:seen] / np.sqrt(2))[key])
    assert found.wrong["no-scale"] == pytest.approx(softmax(scores[:seen])[key])
    assert found.wrong["no-mask"] == pytest.approx(softmax(scores / np.sqrt(2))[key])


@pytest.mark.parametrize("seed", range(12))
def test_what_keys_as_values_lead_to_is_of_the_number_that_is_asked_for(seed: int) -> None:
    found = asked("head", "output", seed)
    trace, query = found.working.trace, found.focus.query
    at = 0 if "first" in found.prompt else 1
    weights = trace["weights"].values[0, query]
    assert found.answer == pytest.approx(weights @ trace["value"].values[0, :, at])
    assert found.wrong["values-are-keys"] == pytest.approx(weights @ trace["key"].values[0, :, at])
