"""Questions to the trained model: each answer is what the model does, by another route."""

from __future__ import annotations

import pytest

from attn_study.demos import load
from attn_study.demos.panels import Table, Words
from attn_study.demos.question import Asked, grade
from attn_study.demos.trained.cases import CASES
from attn_study.demos.trained.reader import known_for
from lesson_checks import asked, assert_explained, assert_fair, shown
from trained_reference import most_likely, run, sentences, shares

SEEDS = range(40)
CHICKEN = CASES["chicken"].settle({})  # asked about where no drawn sentence will do
ASKED = [
    ("context", "looks"),
    ("multihead", "looks"),
    ("context", "comes"),
    ("stack", "needed"),
]


def words_of(question: Asked) -> tuple[str, ...]:
    """The words that a learner is given."""
    given = question.given[0]
    assert isinstance(given, Words)
    return tuple(given.text.strip("“ …”").split())


def case_of(question: Asked) -> tuple[str, dict[str, str]]:
    knobs = question.working.knobs
    case = str(knobs["case"])
    return case, {slot: str(knobs[slot]) for slot in CASES[case].slots}


@pytest.mark.parametrize(("lesson", "name"), ASKED)
def test_a_question_is_fair_and_explained(lesson: str, name: str) -> None:
    for seed in SEEDS:
        question = asked(lesson, name, seed)
        assert_fair(question)
        assert_explained(lesson, question)
        assert question.because


@pytest.mark.parametrize(("lesson", "name"), ASKED)
def test_a_seed_gives_one_question_and_others_give_others(lesson: str, name: str) -> None:
    assert shown(asked(lesson, name, 5)) == shown(asked(lesson, name, 5))
    assert len({shown(asked(lesson, name, seed)) for seed in SEEDS}) > 8


def test_a_question_names_each_case_once_in_a_while() -> None:
    seen = {case_of(asked("context", "comes", seed))[0] for seed in SEEDS}
    assert seen == {*CASES}


@pytest.mark.parametrize("lesson", ["context", "multihead"])
def test_the_word_looked_at_is_the_one_of_the_largest_weight(lesson: str) -> None:
    for seed in SEEDS:
        question = asked(lesson, "looks", seed)
        case, slots = case_of(question)
        sentence = sentences(case, **slots)[0]
        assert words_of(question) == sentence.beginning
        layer, head = known_for(sentence)
        assert f"Head {head} of layer {layer} " in question.prompt
        assert f"from “{sentence.words[sentence.asks]}”" in question.prompt
        row = run(sentence.beginning)[1][layer - 1, head - 1, sentence.asks + 1]
        assert question.answer == ("<start>", *sentence.beginning)[int(row.argmax())]
        assert row.max() >= 0.6
        assert question.answer in words_of(question)
        (other,) = question.wrong.values()
        assert other in words_of(question)


@pytest.mark.parametrize("known", [(1, 1), (1, 2), (2, 2), (2, 4)])
def test_a_head_that_looks_elsewhere_is_asked_about_where_it_looks(
    known: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not about where it should look, and never about the start token, which no learner sees."""
    monkeypatch.setattr("attn_study.demos.asks.trained.known_for", lambda _: known)
    layer, head = known
    for seed in range(10):
        question = asked("context", "looks", seed)
        words = words_of(question)
        case, slots = case_of(question)
        asks = sentences(case, **slots)[0].asks
        row = run(words)[1][layer - 1, head - 1, asks + 1]
        assert question.answer == ("<start>", *words)[int(row.argmax())]
        assert question.answer in words or case_of(question) == ("chicken", CHICKEN)


def test_a_model_that_is_not_sure_is_not_asked_about(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("attn_study.demos.asks.trained.SURE", 0.999)
    for seed in range(20):
        assert most_likely(words_of(asked("context", "comes", seed)))[1] >= 0.999


def test_the_word_that_comes_is_the_most_likely_one() -> None:
    for seed in SEEDS:
        question = asked("context", "comes", seed)
        word, share = most_likely(words_of(question))
        assert question.answer == word
        assert share >= 0.9
        (wrong,) = question.wrong.values()
        case, slots = case_of(question)
        there = CASES[case].build(CASES[case].other(slots))
        assert wrong == there.answer


def options_of(question: Asked) -> list[str]:
    choice = question.given[1]
    assert isinstance(choice, Words)
    return choice.text.partition(": ")[2].split(", ")


def test_the_word_that_comes_is_one_of_those_named() -> None:
    """Verbs and sizes cannot be guessed from the sentence alone."""
    for seed in SEEDS:
        question = asked("context", "comes", seed)
        assert sorted(options_of(question)) == sorted([question.answer, *question.wrong.values()])


def test_the_place_of_the_right_word_says_nothing() -> None:
    questions = [asked("context", "comes", seed) for seed in SEEDS]
    first = sum(options_of(question)[0] == question.answer for question in questions)
    assert len(SEEDS) / 4 < first < len(SEEDS) * 3 / 4
    alphabetical = sum(options_of(each) == sorted(options_of(each)) for each in questions)
    assert len(SEEDS) / 4 < alphabetical < len(SEEDS) * 3 / 4


def test_which_head_is_needed_cannot_be_read_off_what_is_given() -> None:
    """How much is left without each is shown with the answer."""
    for seed in SEEDS:
        question = asked("stack", "needed", seed)
        table, way = question.given[1], question.solution[0]
        assert isinstance(table, Table)
        assert isinstance(way, Table)
        assert len(table.columns) == 2
        assert [row[:2] for row in way.rows] == list(table.rows)


def test_the_way_to_the_word_looked_at_is_its_row() -> None:
    for seed in SEEDS:
        question = asked("context", "looks", seed)
        (way,) = question.solution
        assert isinstance(way, Table)
        row = [float(str(weight)) for weight in way.rows[0][1:]]
        weights = dict(zip(way.columns[1:], row, strict=True))
        assert weights[str(question.answer)] == max(row)


def test_the_head_that_is_needed_is_the_one_without_which_the_word_is_lost() -> None:
    for seed in SEEDS:
        question = asked("stack", "needed", seed)
        case, slots = case_of(question)
        sentence = sentences(case, **slots)[0]
        assert f"“{sentence.answer}”" in question.prompt
        assert most_likely(sentence.beginning)[0] == sentence.answer
        (spared,) = question.wrong.values()
        _, weights = run(sentence.beginning)
        table = question.solution[0]
        assert isinstance(table, Table)
        for head, seen, left in table.rows:
            layer, number = map(int, str(head).split("."))
            row = weights[layer - 1, number - 1, sentence.asks + 1]
            share = shares(sentence.beginning, off=(layer, number))[sentence.answer]
            assert seen == f"{row[sentence.target + 1]:.2f}"
            assert left == f"{share:.2f}"
            if head == question.answer:
                assert share <= 0.3
            else:
                assert head == spared
                assert share >= 0.9


def test_looking_is_told_from_being_needed() -> None:
    named = []
    for seed in SEEDS:
        question = asked("stack", "needed", seed)
        (mistake, spared), *_ = question.wrong.items()
        table = question.solution[0]
        assert isinstance(table, Table)
        seen = {str(head): float(str(looks)) for head, looks, _ in table.rows}
        looks_only = mistake == "where it looks, not what is lost without it"
        assert looks_only == (seen[str(spared)] > seen[str(question.answer)])
        assert grade(question, str(spared)).mistake == mistake
        named.append(looks_only)
    # else where a head looks would give the answer
    assert len(SEEDS) / 4 < named.count(True) < len(SEEDS) * 3 / 4


@pytest.mark.parametrize(("lesson", "name"), ASKED)
def test_a_question_is_asked_where_none_can_be_drawn(
    lesson: str, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("attn_study.demos.drawing.MOST_DRAWS", 0)
    stored = load(lesson).questions[name](0)
    assert grade(stored, str(stored.answer)).right
    assert case_of(stored)[1] == CASES[case_of(stored)[0]].settle({})
