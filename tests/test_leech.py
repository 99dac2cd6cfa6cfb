"""Leeches: when a card is marked as one, what is said then, and what undo takes back."""

from __future__ import annotations

from dataclasses import replace
from io import StringIO
from typing import TYPE_CHECKING

import pytest

from attn_study.memory.leech import is_marked, new_mark, reason
from attn_study.render.face import answer, question
from attn_study.screen.plain import PlainScreen
from cli_helpers import SMALL, Shell
from learner import UNDO, Study, basic, face_of
from memory_helpers import day, imported, log_in_memory, review, write

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from attn_study.render.frame import Frame

CARD = "mine/x"


@pytest.fixture
def study() -> Iterator[Study]:
    with log_in_memory() as log:
        found = Study(log)
        found.shelve(basic("x"), basic("y"))
        yield found


def forgotten(study: Study, times: int) -> None:
    """Let the card be known, with this many lapses, and due today."""
    learned = imported(CARD, ease=250, interval=6, repetitions=3, lapses=times, due=str(day(0)))
    write(study.log, -1, learned)


def marks(study: Study) -> list[str]:
    """Fail the card once in a review; return what was said of it as a leech."""
    return [words for words in study.learn("1").told if "leech" in words]


@pytest.mark.parametrize("lapses", range(30))
def test_s40_a_card_is_marked_at_8_lapses_and_after_every_4(lapses: int) -> None:
    assert is_marked(lapses) == (lapses in {8, 12, 16, 20, 24, 28})


def test_s40_a_card_that_is_new_has_no_lapse_however_often_it_is_failed(study: Study) -> None:
    for number in range(10):
        write(study.log, number, review(CARD, 1))
    assert study.log.state(CARD).memory.lapses == 0
    assert not study.log.state(CARD).is_leech


def test_s40_eight_failures_of_a_learned_card_make_a_leech_in_the_log() -> None:
    with log_in_memory() as log:
        for number in range(0, 18, 2):
            write(log, number, review(CARD, 4))
            lapses = log.state(CARD).memory.lapses
            write(log, number + 1, review(CARD, 1))
            assert log.state(CARD).memory.lapses == lapses + 1
            marked = new_mark(lapses, lapses + 1)
            assert marked == (number == 14), "the eighth of the nine, and no other"


@pytest.mark.parametrize(("before", "said"), [(6, 0), (7, 1), (8, 0), (10, 0), (11, 1), (12, 0)])
def test_s40_the_answer_that_marks_a_card_says_so_and_why(
    study: Study, before: int, said: int
) -> None:
    forgotten(study, before)
    words = marks(study)
    assert len(words) == said
    for each in words:
        assert f"{CARD} is a leech: forgotten {before + 1} times." in each
        assert f"`attn-study card edit {CARD}`" in each
        assert f"`attn-study card suspend {CARD}`" in each


def test_s40_a_leech_is_never_put_away_by_itself(study: Study) -> None:
    forgotten(study, 7)
    marks(study)
    state = study.log.state(CARD)
    assert (state.is_leech, state.suspended) == (True, False)
    assert study.grades() == [("x", "set", None), ("x", "review", 1)]


def test_s40_undo_takes_the_mark_back_and_it_comes_again(study: Study) -> None:
    forgotten(study, 7)
    marks(study)
    study.learn(UNDO)
    assert not study.log.state(CARD).is_leech
    assert len(marks(study)) == 1


def test_s40_suspending_a_leech_and_taking_it_back_keep_interval_and_due(tmp_path: Path) -> None:
    shell = Shell(tmp_path)
    deck = shell.only_mine()
    shell.done("card", "grade", "mine/one", "good")
    before = shell.card("mine/one")
    shell.done("card", "suspend", "mine/one")
    away = shell.card("mine/one")
    shell.done("card", "resume", "mine/one")
    after = shell.card("mine/one")
    for name in ("interval", "due", "ease", "lapses"):
        assert before[name] == away[name] == after[name]
    assert (before["state"], away["state"], after["state"]) == ("waiting", "suspended", "waiting")
    assert deck.read_text(encoding="utf-8") == SMALL


def test_a_drill_answer_marks_nothing(study: Study) -> None:
    forgotten(study, 7)
    said = study.learn("1", "1", "1").told  # x, y (new), then x again in the drill
    assert len([words for words in said if "leech" in words]) == 1


def test_a_grade_from_the_command_line_says_it_too(tmp_path: Path) -> None:
    shell = Shell(tmp_path)
    shell.only_mine()
    said = []
    for number in range(1, 17):
        shell.now = f"2026-03-{number:02}T12:00:00+00:00"
        said.append(shell.done("card", "grade", "mine/one", "good" if number % 2 else "again").out)
    assert ["leech" in words for words in said] == [False] * 15 + [True]
    assert "mine/one is a leech: forgotten 8 times." in said[-1]


def text(frame: Frame) -> str:
    return "\n".join(line.plain for line in (*frame.header, *frame.body, *frame.footer))


@pytest.mark.parametrize("columns", [40, 80])
def test_s40_the_answer_of_a_leech_says_quietly_why_it_is_one(columns: int) -> None:
    face = face_of(basic("x"), interval=6, repetitions=2, due=str(day(0)), lapses=9)
    said = [line for line in answer(face, columns).footer if "leech" in line.plain]
    assert [line.plain[:25] for line in said] == [" leech: forgotten 9 times"]
    assert {str(line.style) for line in said} == {"dim"}
    memory = replace(face.state.memory, lapses=7)
    healthy = replace(face, state=replace(face.state, memory=memory))
    assert "leech" not in text(answer(healthy, columns))


@pytest.mark.parametrize("columns", [40, 80])
def test_s40_neither_a_question_nor_the_drill_speaks_of_a_leech(columns: int) -> None:
    face = face_of(basic("x"), interval=6, repetitions=2, due=str(day(0)), lapses=9)
    assert "leech" not in text(question(face, columns))
    assert "leech" not in text(answer(replace(face, drill=True), columns))


def test_the_answer_names_the_keys_that_help_a_leech() -> None:
    face = face_of(basic("x"), interval=6, repetitions=2, due=str(day(0)), lapses=8)
    assert "e rewrites or splits it, s puts it away" in text(answer(face, 80))


def test_words_that_were_said_stand_beside_the_reason() -> None:
    face = face_of(basic("x"), interval=6, repetitions=2, due=str(day(0)), lapses=8)
    said = text(answer(face, 80, "noted"))
    assert "leech: forgotten 8 times" in said
    assert "noted" in said


def test_a_plain_review_says_why_a_card_is_a_leech(tmp_path: Path) -> None:
    shell = Shell(tmp_path)
    shell.only_mine()
    for number in range(1, 17):
        shell.now = f"2026-03-{number:02}T12:00:00+00:00"
        shell.done("card", "grade", "mine/one", "good" if number % 2 else "again")
    shell.now = "2026-03-17T12:00:00+00:00"
    out = shell.done("review", "--plain", given="\n").lines
    why = "leech: forgotten 8 times. :edit rewrites or splits it, :suspend puts it away"
    assert why in out
    assert out.index("First answer.") < out.index(why)


def test_s40_a_plain_drill_does_not_repeat_it(study: Study) -> None:
    forgotten(study, 7)
    said: list[str] = []
    lines = ["", "1", "", "3", "", "1", "", "3"]  # x marked, y learned, x again in the drill
    source = StringIO("\n".join(lines) + "\n")
    study.sit(PlainScreen(source, lambda found: said.extend(line.plain for line in found)))
    assert sum(f"{CARD} is a leech" in line for line in said) == 1
    assert not [line for line in said if line.startswith("leech:")]


def test_a_card_that_is_none_has_no_reason() -> None:
    assert (reason(0), reason(7)) == ("", "")
    assert reason(8) == "leech: forgotten 8 times"
