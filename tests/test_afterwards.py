"""The demo of a computed card: once the card is answered it opens at what was asked."""

from __future__ import annotations

import io
from dataclasses import replace

import numpy as np
import pytest

from attn_study.computed import work_out
from attn_study.deck.card import Card
from attn_study.demos import load
from attn_study.demos.afterwards import Opened, opened
from attn_study.posed import Posed, demo_of, revealed
from attn_study.screen.lines import Lines
from lesson_checks import asked

ASKED_OF_THE_MODEL = [
    ("context", "looks"),
    ("multihead", "looks"),
    ("context", "comes"),
    ("stack", "needed"),
]
SEED = 3  # of sentences that are not those of a lesson without knobs


def card(question: str, number: int = SEED) -> Posed:
    """A computed card as it is put."""
    made = Card("mine/c", "computed", "By hand", "", question=question)
    return Posed(card=made, demo=demo_of(made), worked=work_out(question, number))


def open_after(lesson: str, name: str) -> Opened:
    return opened(load(lesson), {}, asked(lesson, name, SEED))


@pytest.mark.parametrize(("lesson", "name"), ASKED_OF_THE_MODEL)
def test_a_question_to_the_model_opens_its_own_sentence_and_row(lesson: str, name: str) -> None:
    question, at = asked(lesson, name, SEED), open_after(lesson, name)
    own, shown = question.working.trace, at.lesson.working.trace
    assert shown.labels("tokens") == own.labels("tokens")
    assert at.focus == at.lesson.focus(question.focus)
    for step in own:
        np.testing.assert_array_equal(shown[step.name].values, step.values)


@pytest.mark.parametrize(("lesson", "name"), ASKED_OF_THE_MODEL)
def test_what_is_given_of_its_knobs_leaves_every_word_free_to_be_changed(
    lesson: str, name: str
) -> None:
    """`word` is another name of one slot: with both given neither could be set."""
    at = open_after(lesson, name)
    assert "word" not in at.given or not {"noun", "adjective"} & {*at.given}
    again = opened(load(lesson), at.given, None)
    assert again.lesson.working.knobs == at.lesson.working.knobs


def test_numbers_that_no_knob_gives_open_the_lesson_of_the_card() -> None:
    at = opened(load("head"), {}, asked("head", "weight", SEED))
    assert at.lesson.working.knobs == opened(load("head"), {}, None).lesson.working.knobs


def test_before_the_answer_nothing_is_told() -> None:
    face = card("context.looks")
    assert face.told is None
    assert revealed(face, "").told is not None


def test_a_card_with_another_demo_than_its_question_opens_that() -> None:
    face = revealed(card("context.looks"), "")
    assert replace(face, demo="mask").told is None


def test_line_by_line_the_demo_shows_the_sentence_that_was_asked() -> None:
    face = revealed(card("context.looks"), "")
    shown: list[str] = []
    lines = Lines(io.StringIO(), lambda texts: shown.extend(text.plain for text in texts))
    lines._show_demo(face)
    words = asked("context", "looks", SEED).working.trace.labels("tokens")[1:3]
    assert " ".join(words) in "\n".join(shown)
