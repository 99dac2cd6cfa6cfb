"""A computed card that cannot be asked: it says why, and nothing grades it or moves its dates."""

from __future__ import annotations

import re
import shutil
from typing import TYPE_CHECKING

import pytest

from attn_study.attention.model import stored
from attn_study.deck.card import Card
from attn_study.demos.trained import reader
from attn_study.errors import UserError
from attn_study.posed import Posed
from attn_study.quiz import deal
from attn_study.render.unasked import reason
from cli_helpers import Shell
from learner import Study, basic
from memory_helpers import log_in_memory
from sitting_helpers import sit

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

DECK = """\
deck: mine
cards:
  - {id: looks, question: context.looks, front: Where a head looks.}
  - {id: c2, front: Question 2?, back: Reply 2}
"""
QUIZ = """\
deck: mine
cards:
  - {id: looks, question: context.looks, front: Where a head looks.}
  - {id: needed, question: stack.needed, front: Which head is needed.}
  - {id: row, question: stack.row, front: Which row is read.}
  - {id: word, front: Which function?, answer: softmax, back: softmax}
"""
GRADES = ("space", "enter", "1", "2", "3", "4", "0", "x", "a")
COMMON = ("", "1", "3", "good", "again", ":reveal", "4")


@pytest.fixture(params=["missing", "damaged"])
def no_model(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[str]:
    """A program whose trained weights cannot be read."""
    away = tmp_path / "trained.npz"
    if request.param == "damaged":
        away.write_bytes(stored.TRAINED.read_bytes()[:-1])
        shutil.copy(stored.checksum_of(stored.TRAINED), stored.checksum_of(away))
    monkeypatch.setattr(stored, "TRAINED", away)
    memories = (stored.trained, reader.parameters, reader.working)
    for memory in memories:
        memory.cache_clear()
    yield str(request.param)
    for memory in memories:
        memory.cache_clear()


@pytest.fixture
def study() -> Iterator[Study]:
    with log_in_memory() as log:
        study = Study(log)
        study.shelve(computed("context.looks", "looks"), basic("c2"))
        yield study


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    shell = Shell(tmp_path)
    shell.only_mine(DECK)
    return shell


def computed(question: str, name: str) -> Card:
    return Card(f"mine/{name}", "computed", "Asked.", "", question=question)


def flat(text: str) -> str:
    return re.sub(r"\s+", " ", text)


# On the terminal


def test_the_card_says_what_is_wrong_and_what_to_try(study: Study, no_model: str) -> None:
    keys, _ = sit(study, "space")
    said = flat(keys.seen[0])
    assert "mine/looks: " in said
    assert "no trained model" in said
    assert ("damaged" in said) == (no_model == "damaged")
    assert "install the program again" in said
    assert "Nothing is graded" in said
    assert "b not today" in said
    assert "q quit" in said
    assert "space answer" not in said


@pytest.mark.parametrize("columns", [20, 40, 80, 120])
def test_the_card_fits_every_window(study: Study, no_model: str, columns: int) -> None:
    keys, _ = sit(study, "q", columns=columns, rows=24)
    assert all(len(line) <= columns for line in keys.seen[0].split("\n"))


@pytest.mark.usefixtures("no_model")
@pytest.mark.parametrize("key", GRADES)
def test_no_key_grades_it(study: Study, key: str) -> None:
    before = study.log.state("mine/looks")
    keys, summary = sit(study, key, key, key, "q")
    assert study.grades() == []
    assert summary.answers == ()
    assert study.log.state("mine/looks") == before
    if key != "x":  # which opens what the demo has to say of it
        assert "nothing grades it" in flat(keys.seen[1])


@pytest.mark.usefixtures("no_model")
def test_not_today_leads_on_and_leaves_its_dates_alone(study: Study) -> None:
    before = study.log.state("mine/looks")
    sit(study, "b", "space", "3", "q")
    assert study.grades() == [("looks", "bury", None), ("c2", "review", 4)]
    after = study.log.state("mine/looks")
    assert after.memory == before.memory
    study.now = study.now.replace(day=study.now.day + 1)
    assert "mine/looks" in study.desk.plan(study.desk.moment()).new


@pytest.mark.usefixtures("no_model")
def test_not_today_is_taken_back(study: Study) -> None:
    keys, _ = sit(study, "b", "u", "q")
    assert study.grades()[0] == ("looks", "bury", None)
    assert "no trained model" in flat(keys.seen[-1])


@pytest.mark.parametrize("question", ["head.wieght", "haed.weight", "head"])
def test_a_question_that_there_is_not_grades_nothing_either(question: str) -> None:
    with log_in_memory() as log:
        study = Study(log)
        study.shelve(computed(question, "lost"))
        keys, _ = sit(study, "space", "3", "enter", "4", "b")
        assert study.grades() == [("lost", "bury", None)]
        assert "mine/lost: " in flat(keys.seen[0])
        assert "e edit" in flat(keys.seen[0])


@pytest.mark.usefixtures("no_model")
def test_its_deck_is_opened_at_the_card_as_it_is_written(study: Study) -> None:
    opened: list[Card] = []

    def edit(card: Card) -> str:
        opened.append(card)
        return "nothing changed"

    study.edit = edit
    sit(study, "e", "q")
    assert opened == [computed("context.looks", "looks")]


@pytest.mark.usefixtures("no_model")
def test_a_key_that_does_nothing_is_answered_with_those_that_lead_on(study: Study) -> None:
    keys, _ = sit(study, "space", "q")
    ways = "nothing grades it: b rests it until tomorrow; e opens its deck; q leaves."
    assert ways in flat(keys.seen[1])


@pytest.mark.parametrize(
    ("fault", "told"),
    [
        (UserError("damaged", where="t.npz", hint="install it"), ["t.npz: damaged", "install it"]),
        (UserError("no such question"), ["no such question"]),
        (UserError("a red \x1b[31m word"), ["a red ␛[31m word"]),
    ],
)
def test_the_place_and_what_to_try_are_told_where_they_are_known(
    fault: UserError, told: list[str]
) -> None:
    face = Posed(card=computed("context.looks", "looks"), fault=fault)
    assert reason(face) == [f"mine/looks: {told[0]}", *told[1:]]


def test_a_card_that_can_be_asked_is_graded(study: Study) -> None:
    sit(study, *"here", "enter", "1", "q")
    assert study.grades() == [("looks", "review", 1)]


# Line by line


@pytest.mark.usefixtures("no_model")
def test_line_by_line_nothing_grades_it(shell: Shell) -> None:
    ran = shell.done("review", given="".join(f"{line}\n" for line in COMMON))
    assert shell.log() == []
    assert "mine/looks: " in ran.out
    assert "install the program again" in ran.out
    assert ran.lines.count(":bury rests it until tomorrow; :edit opens its deck; :quit leaves.") > 6


@pytest.mark.usefixtures("no_model")
def test_line_by_line_it_is_buried_and_the_next_card_asked(shell: Shell) -> None:
    shell.done("review", given=":bury\n\n3\n:quit\n")
    rows = [(row["card"], row["kind"]) for row in shell.log()]
    assert rows == [("mine/looks", "bury"), ("mine/c2", "review")]


# In a quiz


@pytest.mark.usefixtures("no_model")
def test_a_quiz_leaves_such_cards_out_and_says_why(shell: Shell) -> None:
    shell.only_mine(QUIZ)
    ran = shell.done("quiz", "--seed", "1", "--json", given="5\n\nsoftmax\n\n5\n\n")
    assert {answer["card"] for answer in ran.json["answers"]} == {"mine/row", "mine/word"}
    assert ran.json["cards"] == 2
    assert "cards about the trained model are left out: " in ran.err
    assert ran.err.count("install the program again") == 1


@pytest.mark.usefixtures("no_model")
@pytest.mark.parametrize("seed", range(6))
def test_other_cards_take_their_places_in_a_short_quiz(shell: Shell, seed: int) -> None:
    shell.only_mine(QUIZ)
    ran = shell.done("quiz", "--seed", str(seed), "-n", "2", "--json", given="5\n\n5\n\n")
    assert {answer["card"] for answer in ran.json["answers"]} == {"mine/row", "mine/word"}


@pytest.mark.usefixtures("no_model")
def test_a_model_that_is_not_needed_is_not_spoken_of() -> None:
    word = Card("mine/word", "typed", "Which?", "softmax", answer="softmax")
    dealt = deal([word, computed("context.looks", "looks")], 1)
    assert (dealt.cards, dealt.left_out) == ((word,), ())


def test_a_quiz_of_nothing_else_says_why_it_cannot_be(shell: Shell, no_model: str) -> None:
    ran = shell.attn("quiz")
    assert ran.code == 2
    assert "no card here can be asked in a quiz without the trained model: " in ran.err
    assert ("damaged" in ran.err) == (no_model == "damaged")
    assert ran.err.count("install the program again") == 1
    assert "cards of the kinds" not in ran.err
    assert "are left out" not in ran.err


@pytest.mark.usefixtures("no_model")
def test_a_question_that_there_is_not_is_told_beside_the_missing_model(shell: Shell) -> None:
    shell.only_mine(DECK.replace("cards:", "cards:\n  - {id: lost, question: head.wieght}"))
    ran = shell.attn("quiz")
    assert ran.code == 2
    assert "mine/lost is left out: " in ran.err
    assert "without the trained model: " in ran.err


def test_a_quiz_with_the_model_asks_them_all(shell: Shell) -> None:
    shell.only_mine(QUIZ)
    ran = shell.done("quiz", "--seed", "1", "--json", given="")
    assert ran.json["cards"] == 4
    assert "left out" not in ran.err
