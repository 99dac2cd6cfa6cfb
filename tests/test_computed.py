"""Computed cards in a review: whose numbers are drawn, how an answer is judged, what is shown."""

from __future__ import annotations

import io
from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING

import pytest
from rich.console import Console

from attn_study.attention.mistakes import MISTAKES
from attn_study.computed import judge, seed, work_out
from attn_study.deck.card import Card
from attn_study.demos.question import Asked
from attn_study.demos.working import Focus, Working
from attn_study.errors import UserError
from attn_study.memory.sm2 import Grade
from attn_study.render.face import answer, question
from attn_study.screen.plain import PlainScreen
from attn_study.screen.reviewing import ReviewScreen
from attn_study.screen.terminal import Terminal
from attn_study.sitting import Act
from learner import BURY, HISTORY, QUIT, REVEAL, UNDO, Learner, Study, basic, face_of
from memory_helpers import log_in_memory
from scripted import ScriptedKeyboard
from sizes import FULL

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.text import Text

    from attn_study.computed import Worked
    from attn_study.sitting import Face

DEMO = Act("demo")
EXPLORE = Act("explore")


def by_hand(question: str = "head.weight-from-row", name: str = "w", demo: str = "") -> Card:
    return Card(
        f"mine/{name}", "computed", f"By hand: {question}", "", question=question, demo=demo
    )


def asked(face: Face) -> Asked:
    assert face.worked is not None
    return face.worked.asked


def numbers(face: Face) -> tuple[object, ...]:
    """What a question shows, and its answer."""
    one = asked(face)
    return one.prompt, one.given, one.answer


def types(text: str) -> Act:
    return Act("reveal", text=text)


@pytest.fixture
def study() -> Iterator[Study]:
    with log_in_memory() as log:
        study = Study(log)
        study.shelve(by_hand())
        yield study


def plain(lines: list[Text] | tuple[Text, ...]) -> str:
    return "\n".join(line.plain.rstrip() for line in lines)


# The seed


def test_a_seed_is_the_same_for_the_same_card_day_and_answers() -> None:
    day = date(2026, 3, 2)
    assert seed("attention/w", day, 0) == seed("attention/w", day, 0)
    assert 0 <= seed("attention/w", day, 0) < 2**63
    others = [
        seed("attention/w", day, 1),
        seed("attention/w", date(2026, 3, 3), 0),
        seed("attention/v", day, 0),
    ]
    assert len({seed("attention/w", day, 0), *others}) == 4


def test_a_seed_does_not_depend_on_the_machine() -> None:
    assert seed("attention/w", date(2026, 3, 2), 0) == 2319930647351677266


def test_a_card_has_the_same_numbers_in_a_sitting_begun_again(study: Study) -> None:
    first, second = (study.learn(QUIT).questions[0] for _ in range(2))
    assert numbers(first) == numbers(second)


def test_an_answer_brings_fresh_numbers_on_the_same_day(study: Study) -> None:
    faces = study.learn("1", "1", "3").questions
    assert [face.drill for face in faces] == [False, True, True]
    assert len({str(numbers(face)) for face in faces}) == 3


def test_the_next_day_brings_fresh_numbers(study: Study) -> None:
    first = study.learn("3").questions[0]
    study.clock("2026-03-03T12:00:00+00:00")()
    second = study.learn(QUIT).questions[0]
    assert numbers(first) != numbers(second)


def test_undo_brings_the_former_numbers_back(study: Study) -> None:
    faces = study.learn("1", UNDO, QUIT).questions
    assert numbers(faces[0]) != numbers(faces[1])
    assert numbers(faces[0]) == numbers(faces[2])


def test_the_numbers_stay_while_the_card_is_on_screen(study: Study) -> None:
    learner = study.learn(DEMO, HISTORY, lambda: None, Act("flag", text="odd"), REVEAL, DEMO, "3")
    faces = [*learner.questions, *learner.answers]
    assert len(faces) == 6
    assert len({str(numbers(face)) for face in faces}) == 1


def test_the_numbers_stay_when_the_card_was_edited(study: Study) -> None:
    faces = study.learn(Act("edit"), QUIT).questions
    assert numbers(faces[0]) == numbers(faces[1])


# What an answer is worth


@pytest.mark.parametrize(
    ("typed", "right"),
    [("{:.4f}", True), ("{:.2f}", True), (" {:.3f} ", True), ("0", False), ("", False)],
)
def test_a_right_answer_suggests_good_and_a_wrong_one_again(
    study: Study, typed: str, right: bool
) -> None:
    number = asked(study.learn(QUIT).questions[0]).answer
    face = study.learn(types(typed.format(number)), QUIT).answers[0]
    assert face.verdict is not None
    assert (face.verdict.right, face.verdict.grade) == (right, 4 if right else 1)
    marked = next(line.plain for line in answer(face, 80).footer if "▸" in line.plain)
    assert ("▸ 3 good" in marked) is right
    assert ("▸ 1 again" in marked) is not right


def test_the_suggestion_binds_nobody(study: Study) -> None:
    study.learn(types("nonsense"), "4")
    assert study.grades() == [("w", "review", 5)]


@pytest.mark.parametrize("name", ["head.weight", "head.weight-from-row", "head.output"])
def test_every_wrong_answer_with_a_name_is_named(name: str) -> None:
    worked = work_out(name, 3)
    assert worked.asked.wrong
    for mistake, value in worked.asked.wrong.items():
        typed = f"{value:.4f}"
        after, verdict = judge(worked, typed)
        assert not verdict.right
        assert after.mistake.startswith(f"{typed} ")
        assert after.mistake.endswith(MISTAKES[mistake].says.removeprefix("what comes out "))


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("0.123456", "you said 0.123456"),
        ("about half", "about half cannot be read as a number"),
        ("", ""),
        ("  ", ""),
    ],
)
def test_any_other_wrong_answer_is_said_again(typed: str, said: str) -> None:
    after, verdict = judge(work_out("head.weight", 3), typed)
    assert (verdict.right, after.mistake) == (False, said)


def test_a_right_answer_shows_no_mistake() -> None:
    worked = work_out("head.cell", 0)
    after, verdict = judge(worked, "3,2")
    assert (verdict.right, verdict.expected, after.mistake) == (True, "3, 2", "")


@pytest.mark.parametrize(
    ("number", "shown"), [(1048576.0, "1,048,576"), (8.0, "8"), (0.97, "0.9700"), (-0.5, "-0.5000")]
)
def test_the_right_answer_is_written_as_a_count_or_with_its_decimals(
    worked: Worked, number: float, shown: str
) -> None:
    changed = replace(worked, asked=replace(worked.asked, answer=number))
    assert judge(changed, "7")[1].expected == shown


@pytest.fixture
def worked() -> Worked:
    return work_out("head.weight", 0)


@pytest.mark.parametrize(
    ("name", "what", "hint"),
    [
        ("head.wieght", "the demo head asks no question 'wieght'", "weight"),
        ("haed.weight", "no demo is called 'haed'", "head"),
        ("head", "the demo head asks no question ''", "cell"),
    ],
)
def test_a_question_that_there_is_not_is_named_with_near_ones(
    name: str, what: str, hint: str
) -> None:
    with pytest.raises(UserError) as caught:
        work_out(name, 0)
    assert caught.value.what == what
    assert hint in caught.value.hint


@pytest.mark.parametrize(
    ("question", "what"),
    [("head.wieght", "asks no question 'wieght'"), ("haed.weight", "no demo is called 'haed'")],
)
def test_a_card_whose_lesson_is_unknown_says_so_and_stops_nothing(
    study: Study, question: str, what: str
) -> None:
    study.shelve(by_hand(question, "broken"), basic("c2"))
    learner = study.learn(REVEAL, Act("grade", Grade.PERFECT), BURY, "3", QUIT)
    assert learner.asked == ["broken", "broken", "broken", "c2"]
    face = learner.questions[0]
    assert face.fault is not None
    assert what in face.fault.what
    assert face.card == by_hand(question, "broken")
    assert study.grades() == [("broken", "bury", None), ("c2", "review", 4)]


# The demo beside the card


class Watcher(Learner):
    """Spends ten seconds in every demo."""

    study: Study

    def demo(self, face: Face, *, predict: bool) -> None:
        super().demo(face, predict=predict)
        self.study.stopwatch += 10

    def explore(self, face: Face, *, predict: bool) -> None:
        super().explore(face, predict=predict)
        self.study.stopwatch += 10


@pytest.mark.parametrize(
    ("card", "opened"),
    [(by_hand(), "head"), (by_hand(demo="mask"), "mask"), (by_hand(demo="nosuch"), "")],
)
def test_the_demo_is_the_one_named_or_that_of_the_question(card: Card, opened: str) -> None:
    with log_in_memory() as log:
        study = Study(log)
        study.shelve(card)
        assert study.learn(QUIT).questions[0].demo == opened


def test_before_the_answer_the_explorer_asks_first_and_its_time_is_no_time_to_answer(
    study: Study,
) -> None:
    learner = Watcher(study.wait(3), EXPLORE, study.wait(4), REVEAL, EXPLORE, "3")
    learner.study = study
    study.sit(learner)
    assert learner.explored == [("head", True), ("head", False)]
    assert study.log.conn.execute("SELECT seconds FROM log").fetchall() == [(7.0,)]


def test_before_the_answer_a_demo_predicts_and_its_time_is_no_time_to_answer(
    study: Study,
) -> None:
    learner = Watcher(study.wait(3), DEMO, study.wait(4), REVEAL, DEMO, "3")
    learner.study = study
    study.sit(learner)
    assert learner.demos == [("head", True), ("head", False)]
    assert study.log.conn.execute("SELECT seconds FROM log").fetchall() == [(7.0,)]


# On the screen

QUESTION = """\
 By hand › w                                                              1 new
────────────────────────────────────────────────────────────────────────────────
   One causal head, d_k = 2. “crossed” asks; its scores after ÷ √2:
   asks ↓  answers →   the          chicken      crossed      it
   crossed            -1.4142       1.4142       0.0000       0.7071

   What weight does “crossed” give to “crossed”?   (4 decimals, ±0.005)"""

WRONG = """\
 ── not quite ──────────────────────────────────────────────────────────────────
   0.1354 comes out without the mask: a later token was still in the sum

    “crossed”  the        chicken    crossed    it
    mask       yes        yes        yes        ·
    exp        0.2431     4.1133     1.0000     ·                 sum 5.3564
    weight     0.0454     0.7679     0.1867     ·            1.0000 ÷ 5.3564

   right: 0.1867        e^0 = 1.0000

────────────────────────────────────────────────────────────────────────────────
 ▸ 1 again          2 hard           3 good           4 easy
   1 d              1 d              1 d              1 d
   and again today  and again today                   faster later

 d demo head   u undo   e edit   ? more   q quit"""


def faced(name: str, number: int, given: str | None = None) -> Face:
    """The face of a computed card with the numbers of a seed, answered or not."""
    card = by_hand(name)
    face = replace(
        face_of(basic("w")),
        card=replace(card, id="By hand/w"),
        worked=work_out(name, number),
        demo="head",
        beginner=False,
    )
    if given is None or face.worked is None:
        return face
    worked, verdict = judge(face.worked, given)
    return replace(face, given=given, worked=worked, verdict=verdict)


def test_the_question_shows_its_numbers_and_how_exact_the_answer_must_be() -> None:
    shown = plain(question(faced("head.weight-from-row", 0), 80, typing=True).fit(80, 24))
    assert shown.startswith(QUESTION.replace("By hand › w", "By hand    ") + "\n\n")


def test_a_wrong_answer_shows_the_mistake_the_way_and_the_right_number() -> None:
    shown = plain(answer(faced("head.weight-from-row", 0, "0.1354"), 80).fit(80, 24))
    assert shown == QUESTION + "\n\n" + WRONG


@pytest.mark.parametrize("name", ["head.weight", "head.weight-from-row", "head.output"])
def test_question_way_and_grades_fit_one_screen_whatever_the_mistake(name: str) -> None:
    for number in range(5 if FULL else 2):
        for value in work_out(name, number).asked.wrong.values():
            frame = answer(faced(name, number, f"{value:.4f}"), 80)
            assert frame.last_offset(24) == 0
            shown = plain(frame.fit(80, 24))
            assert "right: " in shown
            assert "1 again" in shown


def test_a_right_answer_needs_no_way() -> None:
    body = plain(answer(faced("head.weight-from-row", 0, "0.187"), 80).body)
    assert "── right ─" in body
    assert "right: 0.1867" in body
    assert "mask" not in body


def test_nothing_typed_is_called_so() -> None:
    assert "── nothing typed ─" in plain(answer(faced("head.weight", 0, " "), 80).body)


@pytest.mark.parametrize("columns", [1, 20, 40, 60, 80, 120])
@pytest.mark.parametrize("name", ["head.weight", "head.weight-from-row", "head.output"])
def test_no_line_is_wider_than_the_window(name: str, columns: int) -> None:
    frames = [question(faced(name, 1), columns), answer(faced(name, 1, "0.5"), columns)]
    lines = [line for frame in frames for line in frame.fit(columns, 24)]
    if columns >= 20:
        assert max(len(line.plain.rstrip()) for line in lines) <= columns


@pytest.mark.parametrize("number", range(8))
def test_the_way_leads_to_the_answer(number: int) -> None:
    one = work_out("head.weight-from-row", number).asked
    way = plain(answer(faced("head.weight-from-row", number, "7"), 80).body)
    assert f"right: {one.answer:.4f}" in way
    before, _, after = way.rpartition(" ÷ ")
    quotient = float(before.split()[-1]) / float(after.split()[0])
    assert abs(quotient - float(one.answer)) < 1e-4


def test_the_note_and_back_of_a_card_follow_the_right_answer() -> None:
    face = faced("head.weight-from-row", 0, "0.5")
    face = replace(face, card=replace(face.card, back="Softmax.", note="By row."))
    body = plain(answer(face, 80).body)
    assert body.index("right: ") < body.index("Softmax.") < body.index("│ By row.")


def test_on_a_terminal_the_answer_is_typed_and_the_demo_leaves_the_numbers_alone(
    study: Study,
) -> None:
    output = io.StringIO()
    console = Console(file=output, force_terminal=True, width=80, height=24, color_system=None)
    given = asked(study.learn(QUIT).questions[0])
    keys = ["escape", "d", "escape", *f"{given.answer:.4f}", "enter", "3", "q"]
    with Terminal(console, ScriptedKeyboard(keys)) as terminal:
        done = study.sit(ReviewScreen(terminal, "utf-8"))
    frames = output.getvalue().split("\x1b[?2026h")
    assert sum(given.prompt in frame for frame in frames) > 3
    assert any("predict, then compute" in frame for frame in frames)
    assert "── right ─" in "".join(frames)
    assert [answer.grade for answer in done.answers] == [4]


def test_line_by_line_the_first_line_is_the_answer_and_the_next_the_grade(study: Study) -> None:
    given = asked(study.learn(QUIT).questions[0])
    mistake = f"{given.wrong['no-mask']:.4f}"
    shown: list[str] = []
    screen = PlainScreen(
        io.StringIO(f"{mistake}\n1\n"), lambda lines: shown.extend(line.plain for line in lines)
    )
    study.sit(screen)
    start = shown.index("not quite")
    assert any(given.prompt in line for line in shown[:start])
    assert shown[start + 1].startswith(f"{mistake} comes out without the mask")
    assert any(line.startswith(f"right: {given.answer:.4f}") for line in shown[start:])
    assert study.grades() == [("w", "review", 1)]


def test_a_question_without_a_way_shows_the_right_answer_alone() -> None:
    working = Working(work_out("head.cell", 0).asked.working.trace, "", "")
    one = Asked("How many?", (), 3.0, working, Focus())
    face = faced("head.cell", 0)
    worked, verdict = judge(replace(work_out("head.cell", 0), asked=one), "4")
    body = plain(answer(replace(face, worked=worked, verdict=verdict, given="4"), 80).body)
    assert body.endswith("you said 4\n   right: 3")
