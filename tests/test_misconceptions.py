"""What learners get wrong: each thing is asked about, is named, and shows in the example."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest

from attn_study.attention.mistakes import first_difference
from attn_study.attention.trace import to_json
from attn_study.demos import load
from attn_study.demos.compare import meaning
from attn_study.demos.question import grade
from attn_study.demos.working import Focus
from attn_study.errors import UserError
from attn_study.render.data import document
from attn_study.render.data import text as as_json
from closed_world import Document
from lesson_checks import asked, typed
from lesson_settings import EVERY, SETTINGS
from lessons import ALL, lesson, text
from misconceptions import MISCONCEPTIONS, TREATED, WORKED, Treated, Worked

EACH = [pytest.param(each, id=f"{m} {each.lesson} {each.question} {each.seed}")
        for m, treated in TREATED.items() for each in treated]  # fmt: skip


@pytest.mark.parametrize("misconception", MISCONCEPTIONS)
def test_every_misconception_is_treated(misconception: str) -> None:
    assert TREATED[misconception]


@pytest.mark.parametrize("treated", EACH)
def test_the_right_answer_is_right_and_the_misconception_has_a_name(treated: Treated) -> None:
    question = asked(treated.lesson, treated.question, treated.seed)
    if treated.answer is not None:
        assert question.answer == treated.answer
    assert grade(question, typed(question.answer)).right
    (mistake,) = (name for name in question.wrong if name.startswith(treated.mistake))
    assert re.search(treated.touches, f"{question.prompt} {meaning(mistake)}")
    graded = grade(question, typed(question.wrong[mistake]))
    assert (graded.right, graded.mistake) == (False, mistake)


@pytest.mark.parametrize(
    "worked",
    [
        pytest.param(each, id=f"{m} {each.lesson} {at}")
        for m, several in WORKED.items()
        for at, each in enumerate(several)
    ],
)
def test_the_worked_example_has_the_numbers_found_by_hand(worked: Worked) -> None:
    here = lesson(worked.lesson, **worked.setting)
    made = here.wrong(worked.mistake) if worked.mistake else here.working
    written = as_json(document(worked.lesson, made, to_json(made.trace), worked.mistake))
    found = worked.numbers(Document(json.loads(written)))
    assert np.round(np.array(found, dtype=float), 4).tolist() == np.array(worked.are).tolist()


# The mistakes a learner may be shown, one vocabulary for decks, questions and the command line.
VOCABULARY = {
    "no-scale", "scale-d-k", "scale-d-model", "no-mask", "mask-zero-before", "mask-zero-after",
    "softmax-columns", "swap-q-k", "no-softmax", "values-are-keys", "mask-wrong-side",
    "average-heads", "swap-sources",
}  # fmt: skip


def test_every_mistake_can_be_seen_in_some_lesson_and_no_lesson_makes_another() -> None:
    assert {mistake for name in ALL for mistake in load(name).mistakes} == VOCABULARY


@pytest.mark.parametrize(("name", "number"), EVERY)
def test_a_comparison_names_where_it_parts_or_says_that_nothing_does(
    name: str, number: int
) -> None:
    here = lesson(name, **SETTINGS[name][number])
    for mistake in here.demo.mistakes:
        try:
            wrong = here.wrong(mistake)
        except UserError:  # of widths that are not equal; as it comes, every lesson makes them all
            assert number
            continue
        first = first_difference(here.working.trace, wrong.trace)
        said = " ".join(text(here.compared(mistake, wrong, Focus(-1))).split())
        assert meaning(mistake) in said
        if first:
            layer = here.working.knobs.get("layer")
            in_layer = f"Made in all heads of layer {layer}, from {first} on: "
            assert (in_layer if layer else f"The first step that differs is {first}: ") in said
        else:
            assert "Nothing differs here" in said


@pytest.mark.parametrize("name", ALL)
def test_every_mistake_of_a_lesson_shows_in_it_as_it_comes(name: str) -> None:
    here = lesson(name)
    for mistake in here.demo.mistakes:
        assert first_difference(here.working.trace, here.wrong(mistake).trace), mistake
