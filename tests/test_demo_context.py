"""The lesson `context` by hand: one word decides what another means, through what it adds."""

from __future__ import annotations

import numpy as np
import pytest

from attn_study.attention.mistakes import first_difference
from attn_study.demos import LESSONS
from attn_study.demos.by_hand.context import compute
from attn_study.demos.context import DEMO
from attn_study.demos.lesson import Lesson
from attn_study.demos.panels import Ledger, Panel, Row
from attn_study.demos.question import grade, told_apart
from attn_study.demos.workings.senses import CASES
from attn_study.errors import UserError
from attn_study.render.lesson import lesson_lines
from attn_study.render.panels import draw

DEFAULT = """\
 “The chicken didn’t cross the road because it was too tired | wide”

 “it” asks             The     chicken didn’t  cross   the     road    because
 score   q · k ÷ √2    0.0000  1.4142  0.0000  0.0000  0.0000  1.4142  0.0000
 weight  same in both  0.0302  0.1241  0.0302  0.0302  0.0302  0.1241  0.0302
 “it” asks             it      was     too     …
 score   q · k ÷ √2    0.0000  0.0000  0.0000  2.8284
 weight  same in both  0.0302  0.0302  0.0302  0.5104
 value   chicken 1 0  road 0 1  it 1 1  tired 2 0  wide 0 2  the others 0 0

   “it” [1×4]           asks  chicken  road    filler  cosine to either
   static x                1        1       1       0     0.5774 0.5774
   + read with “tired”     0   1.1752  0.1543       0
   = x + that              1   2.1752  1.1543       0     0.8184 0.4343
   + read with “wide”      0   0.1543  1.1752       0
   = x + that              1   1.1543  2.1752       0     0.4343 0.8184

 No mask here: in a causal model “it” has not seen the word after “too” yet."""

# The case, a word for its gap, the sense that wins with it.
WINS = [
    ("chicken", "tired", "chicken"),
    ("chicken", "wide", "road"),
    ("keys", "keys", "are"),
    ("keys", "key", "is"),
    ("bank", "pond", "shore"),
    ("bank", "money", "lender"),
    ("mole", "burrow", "animal"),
    ("mole", "biopsy", "skin"),
    ("tower", "miniature", "small"),
    ("tower", "towering", "tall"),
    ("creature", "fluffy", "furry"),
    ("creature", "scaly", "reptile"),
]


def by_hand(case: str = "chicken", **given: str) -> Lesson:
    """The lesson on weights set by hand."""
    return Lesson.of(DEMO, {"weights": "toy", "case": case, **given})


def shown(case: str, columns: int = 80, word: str = "") -> list[str]:
    """The whole screen of a case, without the keys."""
    lesson = by_hand(case, **({"word": word} if word else {}))
    working = lesson.working
    lines = lesson_lines(
        "context",
        LESSONS["context"],
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
    lesson = by_hand()
    drawn = draw(lesson.panels(DEMO.focus), 80)
    assert "\n".join(line.plain for line in drawn) == DEFAULT
    assert lesson.working.notice == "“it” leans to “chicken” with “tired”, to “road” with “wide”"


@pytest.mark.parametrize("case", CASES)
def test_every_case_fits_the_screen_with_its_keys(case: str) -> None:
    assert len(shown(case)) <= 23
    assert len(shown(case, 120)) <= 23


@pytest.mark.parametrize("columns", [40, 80, 120])
@pytest.mark.parametrize(("case", "word"), [(case, word) for case, word, _ in WINS])
def test_no_line_is_too_wide(case: str, word: str, columns: int) -> None:
    assert max(map(len, shown(case, columns, word))) <= columns


@pytest.mark.parametrize(("case", "word", "sense"), WINS)
def test_one_word_decides_which_sense_wins(case: str, word: str, sense: str) -> None:
    working = compute(case=case, word=word)
    cosine = working.trace["cosine"].values
    senses = working.trace.labels("senses")
    assert senses[int(np.argmax(cosine[1]))] == sense
    assert senses[int(np.argmax(cosine[2]))] != sense
    assert f"to “{sense}” with “{word}”" in working.notice
    assert cosine[0, 0] == cosine[0, 1]


def test_the_table_of_winners_names_every_word_of_every_case() -> None:
    every = {(name, cue) for name, case in CASES.items() for cue in case.cues}
    assert {(case, word) for case, word, _ in WINS} == every


@pytest.mark.parametrize("case", CASES)
def test_the_static_vector_is_the_same_in_both_sentences(case: str) -> None:
    first, second = (compute(case=case, word=word).trace for word in CASES[case].cues)
    assert first["x_queries"].values.tolist() == second["x_queries"].values.tolist()
    assert first["residual"].values.tolist() != second["residual"].values.tolist()
    assert first["other_residual"].values.tolist() == second["residual"].values.tolist()


@pytest.mark.parametrize("case", CASES)
def test_the_weights_are_the_same_in_both_sentences_as_the_screen_says(case: str) -> None:
    trace = compute(case=case).trace
    assert np.array_equal(trace["weights"].values, trace["other_weights"].values)
    assert not np.array_equal(trace["value"].values, trace["other_value"].values)


@pytest.mark.parametrize(("case", "word"), [(case, word) for case, word, _ in WINS])
def test_every_number_follows_from_those_above_it(case: str, word: str) -> None:
    trace = compute(case=case, word=word).trace
    x, query, key = (trace[step].values for step in ("x_queries", "query", "key"))
    scaled = (query[0] @ key[0].T) / np.sqrt(2)
    last = CASES[case].reader if CASES[case].causal else key.shape[1]
    exp = np.where(np.arange(key.shape[1]) <= last, np.exp(scaled), 0)
    weights = exp / exp.sum()
    for prefix in ("", "other_"):
        read = weights @ trace[f"{prefix}value"].values[0]
        assert np.allclose(trace[f"{prefix}weights"].values[0], weights)
        assert np.allclose(trace[f"{prefix}output"].values[0], [0, *read[0], 0])
        assert np.allclose(trace[f"{prefix}residual"].values[0], [1, *(1 + read[0]), 0])
    vectors = [x[0], trace["residual"].values[0], trace["other_residual"].values[0]]
    for vector, cosine in zip(vectors, trace["cosine"].values, strict=True):
        assert np.allclose(cosine, vector[1:3] / np.linalg.norm(vector))


@pytest.mark.parametrize("case", CASES)
def test_the_line_of_values_is_that_of_the_steps(case: str) -> None:
    chosen = CASES[case]
    line = next(line for line in shown(case) if line.startswith(" value "))
    trace = compute(case=case).trace
    for keys, step in (("keys", "value"), ("other_keys", "other_value")):
        for token, value in zip(trace.labels(keys), trace[step].values[0], strict=True):
            told = f"{token} {value[0]:.0f} {value[1]:.0f}"
            assert (told in line) is bool(value.any())
    assert all(cue in line for cue in chosen.cues)


def test_the_mask_hides_the_deciding_word_from_a_causal_reader() -> None:
    chicken = CASES["chicken"]
    assert chicken.words("wide").index("wide") > chicken.reader
    assert not chicken.causal
    others = [case for case in CASES.values() if case is not chicken]
    assert all(case.causal and case.words("?").index("?") < case.reader for case in others)


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("mistake", DEMO.mistakes)
def test_every_mistake_shows_in_every_case(case: str, mistake: str) -> None:
    lesson = by_hand(case)
    wrong = lesson.wrong(mistake)
    assert first_difference(lesson.working.trace, wrong.trace) is not None
    assert draw(lesson.compared(mistake, wrong, DEMO.focus), 80)


@pytest.mark.parametrize(
    ("given", "what", "hint"),
    [
        ({"case": "chickn"}, "case cannot be 'chickn'", "chicken"),
        ({"case": "bank", "word": "monye"}, "'monye' does not go into “She left", "money"),
        ({"word": "narrow"}, "'narrow' does not go into “The chicken", "tired"),
        ({"text": "my words"}, "no knob 'text'", "case"),
    ],
)
def test_a_bad_value_is_named_with_what_would_do(
    given: dict[str, str], what: str, hint: str
) -> None:
    with pytest.raises(UserError) as caught:
        Lesson.of(DEMO, {"weights": "toy", **given})
    assert what in caught.value.what
    assert hint in caught.value.hint


@pytest.mark.parametrize("name", DEMO.questions)
def test_right_answers_are_right_and_every_mistake_is_named(name: str) -> None:
    for seed in range(40):
        asked = DEMO.questions[name](seed)
        right = str(asked.answer)
        assert grade(asked, right).right
        for mistake, value in asked.wrong.items():
            assert grade(asked, str(value)).mistake == mistake
            assert not grade(asked, str(value)).right
        if isinstance(asked.answer, float):
            assert told_apart(asked.answer, {k: float(v) for k, v in asked.wrong.items()})


@pytest.mark.parametrize("name", DEMO.questions)
def test_a_seed_gives_one_question_and_others_give_others(name: str) -> None:
    ask = DEMO.questions[name]
    assert (ask(5).given, ask(5).prompt, ask(5).answer) == (
        ask(5).given,
        ask(5).prompt,
        ask(5).answer,
    )
    assert len({str((ask(seed).given, ask(seed).prompt)) for seed in range(20)}) > 5


@pytest.mark.parametrize("seed", range(12))
def test_the_winner_asked_for_is_that_of_the_table(seed: int) -> None:
    asked = DEMO.questions["winner"](seed)
    knobs = asked.working.knobs
    assert (knobs["case"], knobs["word"], asked.answer) in WINS


@pytest.mark.parametrize("seed", range(12))
def test_the_change_is_the_weighted_sum_of_what_is_given(seed: int) -> None:
    asked = DEMO.questions["change"](seed)
    weights, values = (row.values for row in rows(asked.given[0]))
    sums = np.array(weights) @ np.array(values)
    assert min(abs(sums - float(asked.answer))) < 1e-9
    product = rows(asked.solution[0])[-1].values
    assert abs(np.array(product).sum() - float(asked.answer)) < 1e-9


def test_what_was_read_is_added_and_takes_no_place() -> None:
    asked = DEMO.questions["residual"](0)
    replaced = next(name for name in asked.wrong if "does not take the place" in name)
    assert grade(asked, f"{asked.wrong[replaced]:.4f}").mistake == replaced
    assert abs(float(asked.answer) - float(asked.wrong[replaced]) - 1) < 1e-9
