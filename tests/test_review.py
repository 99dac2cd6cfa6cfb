"""The loop of a review with a scripted learner: what is asked, what is written, what is said."""

from __future__ import annotations

from contextlib import contextmanager
from datetime import date
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from attn_study.memory.catalogue import Catalogue
from attn_study.memory.fold import CardState
from attn_study.memory.sm2 import Memory
from attn_study.sitting import Act
from learner import (
    BURY,
    EDIT,
    GRADES,
    HELP,
    HISTORY,
    QUIT,
    REPORT,
    REVEAL,
    SUSPEND,
    UNDO,
    Learner,
    Study,
    basic,
    flag,
    refusing,
    typed,
)
from memory_helpers import imported, log_in_memory, log_on_disk, noon, replay, review, states

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from attn_study.deck.card import Card
    from learner import Step

TODAY, TOMORROW = date(2026, 3, 2), date(2026, 3, 3)


@pytest.fixture
def study(tmp_path: Path) -> Iterator[Study]:
    with log_on_disk(tmp_path) as log:
        study = Study(log)
        study.shelve(*(basic(f"c{number}") for number in range(1, 13)))
        yield study


@contextmanager
def small(*names: str) -> Iterator[Study]:
    """A study of a few cards that no file keeps."""
    with log_in_memory() as log:
        study = Study(log)
        study.shelve(*map(basic, names))
        yield study


def memory(study: Study, name: str) -> Memory:
    return study.log.state(f"mine/{name}").memory


def test_a_day_asks_due_cards_then_ten_new_ones_then_the_drill_round_after_round(
    study: Study,
) -> None:
    study.log.write([review("mine/c12", 4)], noon(-1))
    first = ["3", "1", "2", "4", "3", "3", "3", "1", "3", "3", "3"]
    rounds = ["1", "3", "1", "1", "3", "3"]
    learner = study.learn(*first, *rounds)
    new = [f"c{number}" for number in range(1, 11)]
    assert learner.asked == ["c12", *new, "c1", "c2", "c7", "c1", "c7", "c1"]
    assert [face.drill for face in learner.questions] == [False] * 11 + [True] * 6
    done = learner.finishes[0]
    assert (len(done.studied), sum(answer.new for answer in done.studied)) == (11, 10)
    assert done.missed == ("mine/c1", "mine/c7")
    assert len(done.answers) == 17
    assert [kind for _, kind, _ in study.grades()] == ["review"] * 12 + ["drill"] * 6


def test_drilled_cards_keep_the_day_that_their_first_answer_gave(study: Study) -> None:
    study.log.write([review("mine/c1", 4)], noon(-7))
    study.log.write([review("mine/c1", 4)], noon(-6))
    study.new = 0
    study.learn("2", "1", "3")
    assert memory(study, "c1") == Memory(236, 3, 15, 0, date(2026, 3, 17))


def test_a_card_missed_today_is_drilled_after_a_restart_and_not_tomorrow(study: Study) -> None:
    study.new = 1
    study.learn("1", QUIT)
    again = study.learn(QUIT)
    assert (again.asked, again.questions[0].drill) == (["c1"], True)
    study.now = noon(1).at
    later = study.learn("3", QUIT)
    assert [(face.card.name, face.drill) for face in later.questions] == [
        ("c1", False),
        ("c2", False),
    ]


def test_a_restart_gives_no_more_new_cards(study: Study) -> None:
    study.new = 3
    study.learn("3", "3", QUIT)
    assert study.learn("3", "3").asked == ["c3"]
    assert study.learn("3").asked == []


@settings(max_examples=20, deadline=None)
@given(st.lists(st.sampled_from("1234"), max_size=7))
def test_answering_and_undoing_as_often_is_nothing(keys: list[str]) -> None:
    with small("c1", "c2", "c3") as study:
        study.learn(*keys)
        answers = len(study.grades())
        learner = Learner(*[UNDO] * answers)
        assert study.sit(learner).answers == ()
        assert len(learner.told) == answers
        assert all(words.startswith("took back: ") for words in learner.told)
        assert {state.memory for state in states(study.log.conn).values()} <= {Memory()}
        again = study.learn("3", "3", "3")
        assert again.asked == ["c1", "c2", "c3"]


def test_undo_asks_the_card_again_and_takes_its_answer_out_of_the_summary(study: Study) -> None:
    study.new = 2
    learner = Learner("3", "1", UNDO, "4", UNDO, UNDO, "3", "3", UNDO, "1", "3", UNDO, "3")
    done = study.sit(learner)
    assert learner.asked == ["c1", *["c2"] * 4, "c1", *["c2"] * 4]
    assert [(answer.card, answer.grade, answer.drill) for answer in done.answers] == [
        ("mine/c1", 4, False),
        ("mine/c2", 1, False),
        ("mine/c2", 4, True),
    ]


def test_undo_reaches_behind_a_restart_and_other_days(study: Study) -> None:
    study.learn("3", QUIT)
    study.now = noon(1).at
    learner = study.learn(UNDO, UNDO, QUIT)
    assert learner.told == ["took back: mine/c1 good", "nothing to take back"]
    assert learner.asked == ["c1", "c1", "c1"]
    assert memory(study, "c1") == Memory()


def test_the_summary_names_what_was_taken_back_from_before_the_sitting(study: Study) -> None:
    study.learn("3", BURY, QUIT)
    learner = Learner(BURY, "4", UNDO, UNDO, UNDO, UNDO, QUIT)
    assert study.sit(learner).earlier == ("mine/c2", "mine/c1")
    assert study.sit(Learner("3", UNDO, QUIT)).earlier == ()


def test_what_was_taken_back_is_asked_before_all_else(study: Study) -> None:
    study.learn("3", "3", QUIT)
    study.now = noon(1).at
    learner = study.learn(UNDO, "4", QUIT)
    assert learner.told == ["took back: mine/c2 good"]
    assert learner.asked[1:] == ["c2", "c1"]


def test_undo_brings_back_what_was_put_to_rest(study: Study) -> None:
    learner = study.learn(BURY, REVEAL, SUSPEND, UNDO, UNDO, QUIT)
    assert learner.asked == ["c1", "c2", "c3", "c2", "c1"]
    assert [words.partition(";")[0] for words in learner.told] == [
        "mine/c1 rests until tomorrow",
        "mine/c2 is suspended",
        "took back: mine/c2 suspend",
        "took back: mine/c1 bury",
    ]


def test_buried_cards_return_tomorrow_and_suspended_ones_do_not(study: Study) -> None:
    study.new = 2
    study.learn(BURY, SUSPEND, QUIT)
    study.now = noon(1).at
    assert study.learn("3", "3", "3").asked == ["c1", "c3"]


def test_undoing_an_answer_shows_its_sibling_no_more_and_no_less(tmp_path: Path) -> None:
    with log_on_disk(tmp_path) as log:
        study = Study(log)
        study.shelve(basic("note:c1"), basic("note:c2"), basic("other"))
        assert study.learn("3", "3").asked == ["note:c1", "other"]
        assert study.learn(UNDO, UNDO, SUSPEND, QUIT).asked == ["other", "note:c1", "note:c2"]


def test_an_answer_given_elsewhere_meanwhile_is_not_given_twice(
    study: Study, tmp_path: Path
) -> None:
    with log_on_disk(tmp_path, device="there") as there:
        study.new = 2
        learner = study.learn(
            REVEAL, lambda: there.write([review("mine/c1", 1)], noon()), "3", "3", "3"
        )
    assert learner.told == ["mine/c1 was answered elsewhere meanwhile; nothing was added"]
    assert learner.asked == ["c1", "c2", "c1"]
    assert study.grades() == [("c1", "review", 1), ("c2", "review", 4), ("c1", "drill", 4)]
    assert [answer.card for answer in learner.finishes[0].studied] == ["mine/c2"]


@pytest.mark.parametrize("act", [flag("wrong"), BURY, SUSPEND], ids=lambda act: act.wish)
def test_no_other_act_hides_that_the_card_was_answered_elsewhere(
    study: Study, tmp_path: Path, act: Act
) -> None:
    with log_on_disk(tmp_path, device="there") as there:
        study.learn(lambda: there.write([review("mine/c1", 4)], noon()), act, "3", QUIT)
    given = [row for row in study.grades() if row[0] == "c1"]
    assert given == [("c1", "review", 4)]


def test_the_answer_counts_for_the_day_on_which_its_question_appeared(study: Study) -> None:
    study.now = noon().at.replace(hour=3, minute=50)
    study.new = 1
    learner = study.learn(study.clock("2026-03-02T04:10:00+00:00"), "1", "3", "3", QUIT)
    days = study.log.conn.execute("SELECT day FROM log ORDER BY id").fetchall()
    assert days[0] == ("2026-03-01",)
    assert [day for (day,) in days[1:]] == ["2026-03-02"] * (len(days) - 1)
    asked = [(face.card.name, face.now.day) for face in learner.questions if not face.drill]
    assert len(set(asked)) == len(asked)
    assert asked[:2] == [("c1", date(2026, 3, 1)), ("c1", date(2026, 3, 2))]


def test_a_drill_that_the_day_leaves_behind_is_over(study: Study) -> None:
    study.now = noon().at.replace(hour=3, minute=50)
    study.new = 1
    learner = study.learn("1", study.clock("2026-03-02T04:10:00+00:00"), "3", "3")
    assert [(face.card.name, face.drill) for face in learner.questions] == [
        ("c1", False),
        ("c1", True),
        ("c1", False),
        ("c2", False),
    ]


def test_a_wall_clock_that_goes_back_asks_no_card_again(study: Study) -> None:
    study.new = 2
    study.now = noon().at.replace(hour=4, minute=30)
    learner = study.learn(
        "3", study.clock("2026-03-02T03:30:00+00:00"), study.wait(5), "3", "3", QUIT
    )
    assert learner.asked == ["c1", "c2"]
    seconds = study.log.conn.execute("SELECT seconds FROM log ORDER BY id").fetchall()
    assert seconds == [(0.0,), (5.0,)]


def test_the_time_to_answer_ends_when_the_answer_is_shown_and_is_at_most_a_minute(
    study: Study,
) -> None:
    wait = study.wait
    learner = Learner(wait(7.25), REVEAL, wait(100), "3", wait(3600), "3", "3", QUIT)
    done = study.sit(learner)
    seconds = study.log.conn.execute("SELECT seconds FROM log ORDER BY id").fetchall()
    assert seconds == [(7.25,), (60.0,), (0.0,)]
    assert [answer.seconds for answer in done.answers] == [7.25, 60.0, 0.0]
    assert done.seconds == pytest.approx(3707.25)


@pytest.mark.parametrize("aside", [HISTORY, HELP, REPORT], ids=lambda act: act.wish)
def test_time_spent_beside_the_card_is_no_time_to_answer(study: Study, aside: Act) -> None:
    wait = study.wait
    study.learn(wait(2), aside, wait(30), wait(3), REVEAL, aside, wait(30), "3", QUIT)
    assert study.log.conn.execute("SELECT kind, seconds FROM log").fetchall() == [("review", 5.0)]


def test_the_history_shows_what_was_taken_back_too(study: Study) -> None:
    learner = study.learn("1", UNDO, HISTORY, lambda: None, "3", QUIT)
    assert [(row.event.kind, row.undone) for row in learner.histories[0]] == [("review", True)]


@pytest.mark.parametrize(("minutes", "asked"), [(0.5, 1), (1, 2), (1.1, 3), (60, 10)])
def test_a_sitting_ends_after_the_card_at_hand_when_its_time_is_up(
    study: Study, minutes: float, asked: int
) -> None:
    study.minutes = minutes
    learner = Learner(*(step for _ in range(10) for step in (study.wait(30), "3")))
    done = study.sit(learner)
    assert len(learner.asked) == len(study.grades()) == asked
    assert done.out_of_time == (asked < 10)


states_before: st.SearchStrategy[dict[str, object] | None] = st.one_of(
    st.none(),
    st.builds(
        dict,
        ease=st.integers(130, 400),
        repetitions=st.integers(0, 12),
        interval=st.integers(1, 40_000),
        lapses=st.integers(0, 9),
        due=st.dates(date(2025, 1, 1), TODAY).map(str),
    ),
)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(states_before, st.sampled_from("1234"), st.sampled_from("13"))
def test_the_keys_promise_what_is_then_stored(
    before: dict[str, object] | None, key: str, drilled: str
) -> None:
    with small("c1") as study:
        if before is not None:
            study.log.write([imported("mine/c1", **before)], noon(-3))
        learner = study.learn(key, drilled)
        face = learner.answers[0]
        offered = {choice.grade: choice for choice in face.choices}
        assert list(offered) == list(GRADES.values())
        choice, after = offered[GRADES[key]], memory(study, "c1")
        assert choice.interval == after.interval
        assert after.due is not None
        assert (after.due - TODAY).days == after.interval
        comes_again = len(learner.questions) > 1
        assert (choice.consequence == "and again today") == comes_again
        grows = after.ease > face.state.memory.ease
        assert (choice.consequence == "faster later") == grows
        if comes_again:
            drill = learner.answers[1]
            assert [one.interval for one in drill.choices] == [None, None]
            assert memory(study, "c1") == after
        assert states(study.log.conn) == replay(study.log.recent(-1))


def test_the_sentence_for_beginners_comes_with_the_first_card_alone(study: Study) -> None:
    learner = study.learn("3", UNDO, "3", "3", QUIT)
    assert [face.beginner for face in learner.answers] == [True, False, False]
    assert not study.learn(REVEAL, QUIT).answers[0].beginner


@pytest.mark.parametrize("revealed", [False, True], ids=["at the question", "at the answer"])
def test_a_reported_card_stays_and_is_graded(study: Study, revealed: bool) -> None:
    script = [REVEAL, flag("typo")] if revealed else [flag("typo")]
    learner = study.learn(*script, "3", QUIT)
    assert learner.asked[:3] == (["c1", "c2"] if revealed else ["c1", "c1", "c2"])
    assert study.grades() == [("c1", "flag", None), ("c1", "review", 4)]
    state = study.log.state("mine/c1")
    assert (state.flag, state.memory.interval) == ("typo", 1)


def test_a_typed_answer_is_judged_and_offered_with_its_grades(tmp_path: Path) -> None:
    with log_on_disk(tmp_path) as log:
        study = Study(log)
        study.shelve(typed("c1"))
        learner = study.learn(Act("reveal", text="word c1"), HISTORY, lambda: None, "3")
        for face in learner.answers:
            assert face.given == "word c1"
            assert face.verdict is not None
            assert face.verdict.right


def test_an_edited_card_is_asked_anew_as_it_is_now(study: Study) -> None:
    def edit(card: Card) -> str:
        study.shelve(basic("c0"), basic("c1", note="mended"))
        return "changed"

    study.edit = edit
    learner = study.learn(REVEAL, EDIT, "3", QUIT)
    assert learner.asked == ["c1", "c1", "c0"]
    assert [face.card.note for face in learner.answers] == ["", "mended"]
    assert learner.told == ["changed"]


def test_a_card_that_editing_removed_is_not_asked_and_keeps_its_history(study: Study) -> None:
    study.learn("1", QUIT)
    study.new = 2

    def edit(card: Card) -> str:
        study.shelve(basic("c2"), basic("c3"))
        return f"{card.id} is no longer in its deck; its history stays"

    study.edit = edit
    learner = study.learn("3", EDIT, QUIT)
    assert learner.asked == ["c2", "c1"]
    assert study.log.state("mine/c1").answer_grade == 1


def test_an_edit_that_cannot_be_is_said_and_the_card_asked_again(study: Study) -> None:
    study.edit = refusing
    learner = study.learn(EDIT, "3", QUIT)
    assert learner.told == ["no editor was found\n  set EDITOR"]
    assert learner.asked == ["c1", "c1", "c2"]


@pytest.mark.parametrize("agrees", [True, False])
def test_a_deck_of_the_program_is_edited_only_with_consent(study: Study, agrees: bool) -> None:
    edited: list[str] = []

    def edit(card: Card) -> str:
        edited.append(card.id)
        return "changed"

    study.may_edit = lambda card: f"Copy {card.deck}?"
    study.edit = edit
    learner = Learner(EDIT, "3", QUIT, agrees=agrees)
    study.sit(learner)
    assert learner.confirmed == ["Copy mine?"]
    assert edited == (["mine/c1"] if agrees else [])
    assert study.grades() == [("c1", "review", 4)]


def test_an_edit_that_is_not_possible_any_more_ends_no_sitting(study: Study) -> None:
    study.may_edit = refusing
    learner = study.learn(EDIT, "3", QUIT)
    assert learner.told == ["no editor was found\n  set EDITOR"]
    assert study.grades() == [("c1", "review", 4)]


def test_an_answer_that_another_program_keeps_out_is_not_saved_and_can_be_given_again(
    study: Study, tmp_path: Path
) -> None:
    study.log.conn.execute("PRAGMA busy_timeout = 1")
    with log_on_disk(tmp_path) as other:
        learner = study.learn(
            "3",
            *(REVEAL, lambda: other.conn.execute("BEGIN IMMEDIATE"), "3", UNDO),
            *(REVEAL, lambda: other.conn.execute("ROLLBACK"), "3", QUIT),
        )
    assert learner.asked == ["c1", "c2", "c2", "c3"]
    assert [face.card.name for face in learner.answers] == ["c1", "c2", "c2", "c2"]
    for words, beginning in zip(learner.told, ("not saved: ", "not taken back: "), strict=True):
        assert words.startswith(beginning)
        assert "in use by another attn-study" in words
    assert study.grades() == [("c1", "review", 4), ("c2", "review", 4)]


LONG = "c" * 9000  # its row cannot fit between others: it needs pages of its own


def test_a_full_disk_saves_nothing_and_says_so_until_there_is_room(tmp_path: Path) -> None:
    with log_on_disk(tmp_path) as log:
        study = Study(log)
        study.shelve(basic(LONG))
        pages = log.conn.execute("PRAGMA main.page_count").fetchone()[0]
        fill = f"PRAGMA main.max_page_count = {pages}"
        empty = f"PRAGMA main.max_page_count = {pages * 100}"
        learner = study.learn(
            *(REVEAL, lambda: log.conn.execute(fill), "3"),
            *(lambda: log.conn.execute(empty), "3"),
        )
        assert len(learner.told) == 1
        assert learner.told[0].startswith("not saved: ")
        assert "the disk is full" in learner.told[0]
        assert len(learner.answers) == 2
        assert study.grades() == [(LONG, "review", 4)]
        assert states(log.conn) == replay(log.recent(-1))
        assert [answer.card for answer in learner.finishes[0].answers] == [f"mine/{LONG}"]


def test_after_each_answer_the_states_are_what_the_log_says(study: Study) -> None:
    def check() -> None:
        assert states(study.log.conn) == replay(study.log.recent(-1))

    study.new = 3
    steps: list[Step] = ["1", BURY, "3", SUSPEND, UNDO, "2", "3", UNDO, flag("x"), "1", "3", "3"]
    study.learn(*(step for each in steps for step in (each, check)))
    assert study.log.state("mine/c1") != CardState("mine/c1")


def test_a_catalogue_that_another_program_holds_costs_no_answer(
    study: Study, tmp_path: Path
) -> None:
    with log_on_disk(tmp_path) as other:
        study.log.conn.execute("PRAGMA busy_timeout = 1")
        other.conn.execute("BEGIN")
        other.conn.execute("DELETE FROM cache.mark")
        learner = study.learn("3", "3", QUIT)
        other.conn.execute("ROLLBACK")
    assert learner.asked == ["c1", "c2", "c3"]
    assert learner.told == []
    assert Catalogue(study.log.conn).entry("mine/c1") is not None
