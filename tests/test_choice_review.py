"""Choice and cloze cards in a review: what is offered, how it is chosen, what is shown after."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

import pytest
from rich.console import Console

from attn_study.deck.card import Card, Option
from attn_study.render.face import answer, question
from attn_study.screen.plain import PlainScreen
from attn_study.screen.reviewing import ReviewScreen
from attn_study.screen.terminal import Terminal
from learner import UNDO, Learner, Study
from memory_helpers import log_in_memory
from scripted import ScriptedKeyboard

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.text import Text

    from attn_study.sitting import Act, Face

OPTIONS = (
    Option("the target"),
    Option("the source", "It answers: keys and values come from it."),
    Option("both", "One sequence asks, the other answers."),
    Option(r"neither \(W^Q\)"),
)
CHOICE = Card("mine/who", "choice", "Who asks?", "Always.", answer="the target", options=OPTIONS)


@pytest.fixture
def study() -> Iterator[Study]:
    with log_in_memory() as log:
        study = Study(log)
        study.shelve(CHOICE)
        yield study


def face(study: Study) -> Face:
    return study.learn().questions[0]


def place(face: Face, text: str) -> str:
    """The number under which an answer is offered."""
    return str([option.text for option in face.options].index(text) + 1)


def answered(study: Study, text: str) -> Face:
    """The face after one answer was chosen."""

    class Chooser(Learner):
        def question(self, face: Face) -> Act:
            act = super().question(face)
            return type(act)("reveal", text=text) if act.wish == "reveal" else act

    learner = Chooser("3")
    study.sit(learner)
    return learner.answers[0]


def plain(lines: list[Text]) -> list[str]:
    return [line.plain.rstrip() for line in lines]


def test_the_same_options_in_the_same_order_while_the_card_waits(study: Study) -> None:
    first, again = face(study), face(study)
    assert first.options == again.options
    assert set(first.options) == set(OPTIONS)


def test_the_order_changes_with_each_answer_and_comes_back_with_undo(study: Study) -> None:
    orders = [question.options for question in study.learn("1", "1", "1", "1", "1").questions]
    assert len(set(orders)) > 1
    back = study.learn(UNDO)
    assert back.questions[-1].options == orders[-2]


def test_options_stand_numbered_under_the_question(study: Study) -> None:
    shown = face(study)
    lines = plain(list(question(shown, 80).body))
    for option in ("the target", "the source", "both"):
        assert f"     {place(shown, option)}  {option}" in lines
    assert any("1–4 choose" in line.plain for line in question(shown, 80).footer)


def test_a_wrong_choice_is_marked_with_the_reason_and_the_right_one(study: Study) -> None:
    shown = answered(study, "the source")
    lines = plain(list(answer(shown, 80).body))
    assert f"   ✗ {place(shown, 'the source')}  the source" in lines
    assert f"   ✓ {place(shown, 'the target')}  the target" in lines
    assert any("not quite" in line for line in lines)
    assert "   It answers: keys and values come from it." in lines
    assert "   Always." in lines
    grades = plain(list(answer(shown, 80).footer))
    assert any(line.startswith(" ▸ 1 again") for line in grades)


@pytest.mark.parametrize(("chosen", "verdict"), [("both", "not quite"), ("", "nothing chosen")])
def test_the_heading_over_the_answer_names_the_right_number(
    study: Study, chosen: str, verdict: str
) -> None:
    """In a low window the options are out of sight."""
    shown = answered(study, chosen)
    frame = answer(shown, 80)
    said = f"{verdict}: {place(shown, 'the target')} is right"
    assert f" ── {said} " in frame.body[frame.anchor].plain
    narrow = answer(shown, 20)
    assert f" ── {verdict} " in narrow.body[narrow.anchor].plain
    below = plain(list(narrow.body))[narrow.anchor :]
    assert f" {place(shown, 'the target')} is right" in below


def test_the_number_of_a_formula_stands_at_its_middle_and_formulas_stand_apart(
    study: Study,
) -> None:
    shown = put(study, r"\[\frac{a}{b}\]", r"\[\frac{c}{d}\]")
    first, second = ("ab" if "{a}" in option.text else "cd" for option in shown.options)
    assert plain(list(question(shown, 80).body))[3:] == [
        f"          {first[0]}",
        "     1    ─",
        f"          {first[1]}",
        "",
        f"          {second[0]}",
        "     2    ─",
        f"          {second[1]}",
    ]


def test_a_right_choice_suggests_good_and_never_easy(study: Study) -> None:
    shown = answered(study, "the target")
    assert any("right" in line.plain for line in answer(shown, 80).body)
    assert any("▸ 3 good" in line.plain for line in answer(shown, 80).footer)


def test_space_shows_the_answer_without_a_choice(study: Study) -> None:
    lines = plain(list(answer(answered(study, ""), 80).body))
    assert any("nothing chosen" in line for line in lines)
    assert not any("✗" in line for line in lines)


def keyed(study: Study, *keys: str) -> str:
    """Hold a sitting by keys; return all that was drawn."""
    output = io.StringIO()
    keyboard = ScriptedKeyboard(list(keys))
    console = Console(file=output, force_terminal=True, width=80, height=24, color_system=None)
    with Terminal(console, keyboard) as terminal:
        study.sit(ReviewScreen(terminal, "utf-8"))
    return output.getvalue()


def test_the_number_of_an_answer_chooses_it(study: Study) -> None:
    shown = face(study)
    drawn = keyed(study, place(shown, "the target"), "3", "q")
    assert f"✓ {place(shown, 'the target')}  the target" in drawn
    assert study.grades() == [("who", "review", 4)]


def screened(face: Face, *keys: str) -> Act:
    """What the screen of a review takes the keys for."""
    console = Console(file=io.StringIO(), force_terminal=True, width=80, height=24)
    with Terminal(console, ScriptedKeyboard(list(keys))) as terminal:
        return ReviewScreen(terminal, "utf-8").question(face)


def put(study: Study, *texts: str) -> Face:
    """The face of a card that offers these answers."""
    options = tuple(map(Option, texts))
    study.shelve(
        Card("mine/put", "choice", "?", texts[0], answer=texts[0], options=options, demo="qkv")
    )
    return face(study)


def test_a_key_is_the_number_of_an_answer_whatever_the_answers_say(study: Study) -> None:
    shown = put(study, *"12345")
    texts = [option.text for option in shown.options]
    assert texts != sorted(texts)
    acts = [screened(shown, key) for key in "12345"]
    assert [(act.wish, act.text) for act in acts] == [("reveal", text) for text in texts]


@pytest.mark.parametrize(
    ("key", "wish"),
    [
        ("q", "quit"),
        ("u", "undo"),
        ("e", "edit"),
        ("d", "demo"),
        ("?", "help"),
        ("space", "reveal"),
        ("enter", "reveal"),
    ],
)
def test_a_key_keeps_its_meaning_where_an_answer_is_called_like_it(
    study: Study, key: str, wish: str
) -> None:
    act = screened(put(study, "q", "u", "e", "d", "?", "space", "enter"), key)
    assert (act.wish, act.text) == (wish, "")


def test_a_number_without_an_answer_chooses_nothing(study: Study) -> None:
    drawn = keyed(study, "5", "9", "q")
    assert "there is no such answer: 1 to 4" in drawn
    assert study.grades() == []


def lines_of(study: Study, given: str) -> list[str]:
    shown: list[str] = []
    screen = PlainScreen(io.StringIO(given), lambda lines: shown.extend(plain(list(lines))))
    study.sit(screen)
    return shown


def test_without_a_terminal_the_answer_is_a_number_or_its_text(study: Study) -> None:
    number = place(face(study), "the source")
    for said in (number, "the source"):
        lines = lines_of(study, f"{said}\n")
        assert "A number from 1 to 4; an empty line: no idea." in lines
        assert "not quite: the source" in lines
        assert "It answers: keys and values come from it." in lines
        assert "right: the target" in lines


def test_without_a_terminal_the_right_answer_is_said_once(study: Study) -> None:
    put(study, "the first", "the second")
    wrong = lines_of(study, "the second\n")
    assert [line for line in wrong if "the first" in line][1:] == ["right: the first"]
    right = lines_of(study, "the first\n")
    assert right[right.index("right") + 1] == "the first"


def test_without_a_terminal_a_number_that_is_not_offered_is_asked_again(study: Study) -> None:
    lines = lines_of(study, "7\nthe targte\n\n3\n")
    assert lines.count("there is no such answer: 1 to 4, or an empty line") == 2
    assert "not quite: nothing chosen" in lines
    assert study.grades() == [("who", "review", 4)]


def told(face: Face, *lines: str) -> tuple[Act, list[str]]:
    """What lines are taken for without a terminal, and what is said."""
    shown: list[str] = []
    source = io.StringIO("".join(f"{line}\n" for line in lines))
    screen = PlainScreen(source, lambda rows: shown.extend(plain(list(rows))))
    return screen.question(face), shown


def test_a_line_is_a_number_before_it_is_a_text(study: Study) -> None:
    shown = put(study, *"2341", "30")
    acts = [told(shown, str(number))[0] for number in range(1, 6)]
    assert [act.text for act in acts] == [option.text for option in shown.options]
    assert told(shown, "30")[0].text == "30"


def test_a_line_that_begins_with_a_colon_is_a_command_also_where_an_answer_says_it(
    study: Study,
) -> None:
    shown = put(study, ":undo", ":nonsense", ":quit")
    assert told(shown, ":undo")[0].wish == "undo"
    act, said = told(shown, ":nonsense", ":quit")
    assert (act.wish, act.text) == ("quit", "")
    assert "no command :nonsense; :help lists them" in said


def test_a_card_waits_for_the_first_card_of_a_note_that_it_names(study: Study) -> None:
    holes = Card("mine/n:c1", "cloze", "a […]", "b"), Card("mine/n:c2", "cloze", "[…] b", "a")
    study.shelve(Card("mine/x", "basic", "Q", "A", after=("mine/n",)), *holes)
    assert study.learn("3", "3").asked == ["n:c1", "x"]


def test_s22_one_hole_of_a_note_a_day_and_the_failed_one_comes_back_the_same_day(
    study: Study,
) -> None:
    holes = [Card(f"mine/n:c{number}", "cloze", "a […]", "b") for number in (1, 2, 3)]
    study.shelve(*holes)
    first = study.learn("1", "3")
    assert first.asked == ["n:c1", "n:c1"]
    assert [len(face.plan.new) for face in first.questions] == [1, 0]
    study.clock("2026-03-03T12:00:00+00:00")()
    second = study.learn("3", "3")
    assert second.asked == ["n:c1"], "due, so no other hole of its note is asked that day"
    study.clock("2026-03-04T12:00:00+00:00")()
    assert study.learn("3", "3").asked == ["n:c1"]
    study.clock("2026-03-05T12:00:00+00:00")()
    assert study.learn("3", "3").asked == ["n:c2"], "nothing else of its note is due"
