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
ASKED = [("context", "looks"), ("context", "comes"), ("stack", "needed")]


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


def test_the_word_looked_at_is_the_one_of_the_largest_weight() -> None:
    for seed in SEEDS:
        question = asked("context", "looks", seed)
        case, slots = case_of(question)
        sentence = sentences(case, **slots)[0]
        assert words_of(question) == sentence.beginning
        layer, head = known_for(sentence)
        assert f"Head {layer}.{head} " in question.prompt
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


def test_a_word_that_stands_nowhere_is_one_of_those_named() -> None:
    """Verbs and sizes cannot be guessed from the sentence alone."""
    for seed in SEEDS:
        question = asked("context", "comes", seed)
        if question.answer in {*words_of(question), "is", "are"}:
            continue
        choice = question.given[1]
        assert isinstance(choice, Words)
        named = choice.text.partition(": ")[2].split(", ")
        assert {question.answer, *question.wrong.values()} == {*named}


def test_the_head_that_is_needed_is_the_one_without_which_the_word_is_lost() -> None:
    for seed in SEEDS:
        question = asked("stack", "needed", seed)
        case, slots = case_of(question)
        sentence = sentences(case, **slots)[0]
        assert f"“{sentence.answer}”" in question.prompt
        assert most_likely(sentence.beginning)[0] == sentence.answer
        (spared,) = question.wrong.values()
        _, weights = run(sentence.beginning)
        table = question.given[1]
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
                assert row[sentence.target + 1] >= 0.6


def test_looking_is_told_from_being_needed() -> None:
    question = asked("stack", "needed", 0)
    (mistake, spared), *_ = question.wrong.items()
    assert (
        grade(question, str(spared)).mistake
        == mistake
        == ("where it looks, not what is lost without it")
    )


@pytest.mark.parametrize(("lesson", "name"), ASKED)
def test_a_question_is_asked_where_none_can_be_drawn(
    lesson: str, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("attn_study.demos.drawing.MOST_DRAWS", 0)
    stored = load(lesson).questions[name](0)
    assert grade(stored, str(stored.answer)).right
    assert case_of(stored)[1] == CASES[case_of(stored)[0]].settle({})
