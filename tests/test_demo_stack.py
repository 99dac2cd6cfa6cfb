"""The lesson `stack` by hand: parts of words, layers, a next word read from the last vector."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from attn_study.demos import LESSONS
from attn_study.demos.lesson import Lesson
from attn_study.demos.panels import Ledger, Panel, Row
from attn_study.demos.question import grade, told_apart
from attn_study.demos.stack import DEMO
from attn_study.demos.workings.layers import LAYERS
from attn_study.demos.workings.readings import CASES
from attn_study.demos.workings.stack import compute, next_word
from attn_study.errors import UserError
from attn_study.render.lesson import lesson_lines
from attn_study.render.panels import draw

if TYPE_CHECKING:
    from collections.abc import Mapping

DEFAULT = """\
 text      The keys to the cabinet …
 7 tokens  The key +s to the cab +inet   (+ continues a word)

 “+inet” [1×8]    stem   part   early  A      B      one    →A     →B
 token vector     0      1      0      0      0      1      0      0
 + position       0      0      0      0      0      0      0      0
 + attention 1    0.87   0.00   0.00   0.00   0.00   0.00   0.00   0.00
 + MLP 1          0      0      0      0      0      0      0      0
 + attention 2    0.00   0.00   0.00   0.00   0.00   0.00   4.27   0.65
 + MLP 2          0.00   0.00   0.00   0.00   0.00   0.00   1.81   0.00
 = after layer 2  0.87   1.00   0.00   0.00   0.00   1.00   6.07   0.65

 “+inet” reads  The      key      +s       to       the      cab      +inet
 in layer 1     0.0257   0.4356   0.0257   0.0257   0.0257   0.4356   0.0257
 in layer 2     0.0161   0.1989   0.7694   0.0039   0.0039   0.0039   0.0039
 next word                are          is           of           and
 logit  →A  →B  one  one  6.0720       0.6521       1.0000       1.0000
 share  softmax           0.9833       0.0044       0.0062       0.0062
                          █████████▉   ▏            ▏            ▏
 each block: [7×8] in, [7×8] out, so they stack; only row 7 is read"""

# The case, its reading, the text, the word that comes next.
NEXT = [
    ("keys", "keys", "The keys to the cabinet", "are"),
    ("keys", "key", "The key to the cabinets", "is"),
    ("chicken", "chicken", "The chicken was slow since it was too", "tired"),
    ("chicken", "road", "The road was often slow since it was too", "narrow"),
    ("bank", "pond", "The pond at the bank looks", "shallow"),
    ("bank", "money", "The money at the bank looks", "safe"),
]
READINGS = [(case, word) for case, word, _, _ in NEXT]


def by_hand(given: Mapping[str, object]) -> Lesson:
    """The lesson on weights set by hand."""
    return Lesson.of(DEMO, {"weights": "toy", **given})


def shown(columns: int, given: Mapping[str, object]) -> list[str]:
    """The whole screen, without the keys."""
    lesson = by_hand(given)
    working = lesson.working
    lines = lesson_lines(
        "stack",
        LESSONS["stack"],
        working.weights,
        working.notice,
        lesson.panels(DEMO.focus),
        columns,
    )
    return [line.plain for line in lines]


def rows(panel: Panel) -> tuple[Row, ...]:
    """The rows of a ledger."""
    assert isinstance(panel, Ledger)
    return panel.rows


def test_the_default_screen() -> None:
    lesson = by_hand({})
    drawn = draw(lesson.panels(DEMO.focus), 80)
    assert "\n".join(line.plain for line in drawn) == DEFAULT
    assert lesson.working.notice == "the last vector alone gives the next word: “are”, 0.98"


@pytest.mark.parametrize(("case", "word"), READINGS)
def test_every_reading_fits_the_screen_with_its_keys(case: str, word: str) -> None:
    for off in ("", "1.1", "2.1"):
        given = {"case": case, "word": word} | ({"off": off} if off else {})
        assert len(shown(80, given)) <= 23
        assert len(shown(120, given)) <= 23


@pytest.mark.parametrize("columns", [40, 80, 120])
@pytest.mark.parametrize(("case", "word"), READINGS)
def test_no_line_is_too_wide(case: str, word: str, columns: int) -> None:
    assert (
        max(map(len, shown(columns, {"case": case, "word": word, "temperature": 0.05}))) <= columns
    )


@pytest.mark.parametrize(("case", "word", "text", "expected"), NEXT)
def test_another_subject_gives_another_next_word(
    case: str, word: str, text: str, expected: str
) -> None:
    working = compute(case=case, word=word)
    assert next_word(working.trace) == expected
    assert f"“{expected}”" in working.notice
    assert f" text      {text} …" in shown(80, {"case": case, "word": word})


def test_the_table_names_every_reading() -> None:
    assert set(READINGS) == {(name, word) for name, case in CASES.items() for word in case.readings}


def test_a_token_has_one_vector_wherever_it_stands() -> None:
    found: dict[str, set[tuple[int, ...]]] = {}
    for case in CASES.values():
        for pieces in case.readings.values():
            for token, vector in pieces:
                found.setdefault(token, set()).add(vector)
    assert [token for token, vectors in found.items() if len(vectors) > 1] == []


@pytest.mark.parametrize(("case", "word"), READINGS)
def test_the_residual_adds_up_from_the_token_to_the_last_layer(case: str, word: str) -> None:
    trace = compute(case=case, word=word).trace
    x = trace["token_vectors"].values + trace["positions"].values
    assert np.array_equal(trace["x"].values, x)
    for number, layer in enumerate(LAYERS, start=1):
        head = layer.head
        scores = (x @ head.w_q[0]) @ (x @ head.w_k[0]).T / np.sqrt(2)
        exp = np.tril(np.exp(scores))
        weights = exp / exp.sum(axis=1, keepdims=True)
        attention = weights @ (x @ head.w_v[0]) @ head.w_o
        mlp = np.maximum((x + attention) @ layer.w_in, 0) @ layer.w_out
        assert np.allclose(trace[f"weights_{number}"].values, weights)
        assert np.allclose(trace[f"attention_{number}"].values, attention)
        assert np.allclose(trace[f"mlp_{number}"].values, mlp)
        x = x + attention + mlp
        assert np.allclose(trace[f"residual_{number}"].values, x)
    assert np.allclose(trace["last"].values, x[-1])
    assert np.allclose(trace["logits"].values, [x[-1, 6], x[-1, 7], x[-1, 5], x[-1, 5]])


@pytest.mark.parametrize(("case", "word"), READINGS)
@pytest.mark.parametrize("degrees", [0.05, 0.5, 1.0, 4.0, 100.0])
def test_the_temperature_divides_the_logits(case: str, word: str, degrees: float) -> None:
    trace = compute(case=case, word=word, temperature=degrees).trace
    logits = trace["logits"].values
    exp = np.exp((logits - logits.max()) / degrees)
    assert np.allclose(trace["next_word"].values, exp / exp.sum())
    assert np.array_equal(logits, compute(case=case, word=word).trace["logits"].values)


def test_a_hot_row_is_nearly_flat_and_a_cold_one_picks() -> None:
    hot, cold = (compute(temperature=t).trace["next_word"].values for t in (100.0, 0.05))
    assert hot.max() < 0.27
    assert cold.max() > 0.9999
    assert any("softmax(logit ÷ 100)" in line for line in shown(80, {"temperature": 100}))


@pytest.mark.parametrize("layers", [0, 1, 2])
def test_as_many_layers_run_as_are_asked_for(layers: int) -> None:
    trace = compute(layers=layers).trace
    assert [f"residual_{number}" in trace for number in (1, 2)] == [layers > 0, layers > 1]
    last = trace[f"residual_{layers}" if layers else "x"].values[-1]
    assert np.array_equal(trace["last"].values, last)
    assert any(f"= after layer {layers} " in line for line in shown(80, {"layers": layers}))


def test_without_its_layers_the_last_token_knows_nothing_of_the_subject() -> None:
    for layers in (0, 1):
        first, second = (compute(word=word, layers=layers) for word in ("keys", "key"))
        shares = [one.trace["next_word"].values for one in (first, second)]
        assert np.allclose(shares[0], shares[1])
        assert "“of” or “and”" in first.notice


@pytest.mark.parametrize(
    ("given", "notice"),
    [
        ({"off": "2.1"}, "head 2.1 is off: next is “of” or “and”, 0.37, not “are”, 0.98"),
        ({"off": "1.1"}, "head 1.1 is off: next is “is”, 0.58, not “are”, 0.98"),
        (
            {"case": "bank", "off": "1.1"},
            "head 1.1 is off: next is still “shallow”, 1.00; with it, 1.00",
        ),
    ],
)
def test_a_head_switched_off_changes_the_next_word_or_not_and_the_notice_says_so(
    given: dict[str, str], notice: str
) -> None:
    working = by_hand(given).working
    assert working.notice == notice
    silent = working.trace[f"attention_{given['off'][0]}"]
    assert not silent.values.any()
    assert silent.says == "switched off: adds nothing"


def test_every_block_takes_and_gives_one_shape() -> None:
    trace = compute().trace
    shapes = {trace[name].shape for name in ("x", "residual_1", "residual_2")}
    assert shapes == {(7, 8)}


@pytest.mark.parametrize(
    ("given", "what", "hint"),
    [
        ({"case": "key"}, "case cannot be 'key'", "keys"),
        ({"word": "kees"}, "the case 'keys' has no reading 'kees'", "keys"),
        ({"case": "bank", "word": "keys"}, "'bank' has no reading 'keys'", "pond"),
        ({"layers": 3}, "layers cannot be '3'", "from 0 to 2"),
        ({"layers": "two"}, "layers cannot be 'two'", "whole number"),
        ({"temperature": 0}, "temperature cannot be '0'", "from 0.05 to 100"),
        ({"temperature": "nan"}, "temperature cannot be 'nan'", "from 0.05 to 100"),
        ({"off": "3.1"}, "there is no head '3.1'", "1.1, 2.1"),
        ({"off": "2.1", "layers": 1}, "head 2.1 is off already with layers=1", "layers=2"),
    ],
)
def test_a_bad_value_is_named_with_what_would_do(
    given: dict[str, object], what: str, hint: str
) -> None:
    with pytest.raises(UserError) as caught:
        by_hand(given)
    assert what in caught.value.what
    assert hint in caught.value.hint


@pytest.mark.parametrize("name", DEMO.questions)
def test_right_answers_are_right_and_every_mistake_is_named(name: str) -> None:
    for seed in range(40):
        asked = DEMO.questions[name](seed)
        assert grade(asked, str(asked.answer)).right
        for mistake, value in asked.wrong.items():
            assert grade(asked, str(value)).mistake == mistake
            assert not grade(asked, str(value)).right
        if isinstance(asked.answer, float):
            assert told_apart(asked.answer, {k: float(v) for k, v in asked.wrong.items()})


@pytest.mark.parametrize(("name", "least"), [("row", 5), ("next", 5), ("share", 10), ("shape", 5)])
def test_a_seed_gives_one_question_and_others_give_others(name: str, least: int) -> None:
    ask = DEMO.questions[name]
    said = [str((ask(seed).given, ask(seed).prompt)) for seed in range(30)]
    assert said == [str((ask(seed).given, ask(seed).prompt)) for seed in range(30)]
    assert len(set(said)) >= least


@pytest.mark.parametrize("seed", range(12))
def test_the_next_word_asked_for_is_that_of_the_table(seed: int) -> None:
    asked = DEMO.questions["next"](seed)
    knobs = asked.working.knobs
    expected = {(case, word): after for case, word, _, after in NEXT}
    assert asked.answer == expected[str(knobs["case"]), str(knobs["word"])]


@pytest.mark.parametrize("seed", range(12))
def test_the_share_follows_from_the_logits_given(seed: int) -> None:
    asked = DEMO.questions["share"](seed)
    logits = np.array(rows(asked.given[0])[0].values)
    degrees = float(asked.prompt.split()[1].rstrip(":"))
    exp = np.exp(logits / degrees)
    assert np.abs(exp / exp.sum() - float(asked.answer)).min() < 1e-9


def test_only_the_last_row_is_read() -> None:
    asked = DEMO.questions["row"](0)
    last = asked.working.trace["residual_2"].values[int(str(asked.answer)) - 1]
    assert np.array_equal(asked.working.trace["last"].values, last)
    assert grade(asked, "all").mistake.startswith("too much")
