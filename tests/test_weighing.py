"""Questions are about the weights in view: those of the trained model, or those set by hand."""

from __future__ import annotations

import io
import re
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from rich.console import Console

from attn_study.computed import work_out
from attn_study.deck.card import Card
from attn_study.demos import afterwards, load
from attn_study.demos.afterwards import chosen, opened
from attn_study.demos.choosing import ask
from attn_study.demos.lesson import Lesson, asking
from attn_study.demos.panels import Words
from attn_study.demos.weighing import of_case
from attn_study.errors import UserError
from attn_study.posed import Posed
from attn_study.screen.explorer.helping import keys_of
from attn_study.screen.explorer.opening import from_card
from attn_study.screen.explorer.predicting import predict
from attn_study.screen.explorer.scene import Scene
from attn_study.screen.explorer.state import State
from attn_study.screen.plain import PlainScreen
from attn_study.screen.settled import demo_at, lesson_at
from attn_study.screen.terminal import Terminal
from attn_study.screen.viewing import View
from cli_helpers import Shell
from explorer_helpers import after
from explorer_helpers import opened as explored
from learner import Study, face_of
from lesson_checks import shown
from lesson_sitting import Sitting
from lessons import ALL, lesson
from memory_helpers import log_in_memory
from scripted import ScriptedKeyboard
from sitting_helpers import sit

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from attn_study.demos.demo import Demo
    from attn_study.demos.question import Asked

ABOUT_MODEL = {"context": {"looks", "comes"}, "stack": {"needed"}, "multihead": {"looks"}}
ABOUT_TOY = {
    "context": {"winner", "change", "residual", "carries"},
    "stack": {"row", "next", "share", "shape"},
    "multihead": {"output", "share", "head", "count", "width", "rows"},
}
BOTH = [("trained", ABOUT_MODEL), ("toy", ABOUT_TOY)]
WEIGHED = tuple(ABOUT_MODEL)
SEEDS = range(12)


def asked_of(name: str, weights: str) -> set[str]:
    return set(lesson(name, weights=weights).asking.questions)


def prompt(name: str, question: str, seed: int, case: object = "") -> str:
    return of_case(load(name), case).questions[question](seed).prompt


def prompts(name: str, questions: set[str], seed: int, case: object = "") -> set[str]:
    """What may be asked with a seed; wherever a line is broken, it is the same."""
    return {prompt(name, question, seed, case) for question in questions}


def in_view(name: str, weights: str) -> object:
    """The case that a lesson shows by itself."""
    return lesson(name, weights=weights).working.knobs["case"]


def has(said: str, question: str) -> bool:
    return re.sub(r"\s+", " ", question) in re.sub(r"\s+", " ", said)


@pytest.mark.parametrize("name", WEIGHED)
@pytest.mark.parametrize(("weights", "names"), BOTH)
def test_a_lesson_asks_about_its_weights(
    name: str, weights: str, names: dict[str, set[str]]
) -> None:
    assert asked_of(name, weights) == names[name]


@pytest.mark.parametrize("name", [name for name in ALL if name not in (*WEIGHED, "learn")])
def test_a_lesson_without_a_choice_of_weights_asks_all_its_questions(name: str) -> None:
    assert lesson(name).asking.questions == load(name).questions


@pytest.mark.parametrize("name", WEIGHED)
@pytest.mark.parametrize(("weights", "names"), BOTH)
def test_p_in_the_explorer_asks_about_the_weights_in_view(
    name: str, weights: str, names: dict[str, set[str]]
) -> None:
    state = explored(name, weights=weights)
    for seed in SEEDS:
        state = predict(state)
        assert state.question is not None
        found = prompts(name, names[name], seed, in_view(name, weights))
        assert state.question.asked.prompt in found


def test_p_in_the_explorer_asks_about_the_course_in_view() -> None:
    state = predict(explored("learn", case="depth"))
    assert state.question is not None
    assert state.question.asked.prompt == ask(lesson("learn", case="depth").asking, 0).prompt


def test_weights_changed_in_the_explorer_change_what_is_asked() -> None:
    state = after(explored("stack"), "e", "enter", "escape", "p")
    assert state.scene.lesson.knobs["weights"] == "toy"
    assert state.question is not None
    assert state.question.asked.prompt in prompts("stack", ABOUT_TOY["stack"], 0)


@pytest.mark.parametrize("name", WEIGHED)
@pytest.mark.parametrize(("weights", "names"), BOTH)
def test_p_in_a_lesson_asks_about_the_weights_in_view(
    name: str, weights: str, names: dict[str, set[str]]
) -> None:
    sitting = Sitting(["p", "escape", "p"]).show(name, weights=weights)
    for frame, seed in ((1, 0), (-1, 1)):
        found = prompts(name, names[name], seed, in_view(name, weights))
        assert any(has(sitting.seen(frame), each) for each in found)


def is_about(asked: Asked, case: str) -> bool:
    """Whether the words that a learner is given are a sentence of this case."""
    text = asked.given[0]
    assert isinstance(text, Words)
    words = text.text.strip("“ …”").split()
    fits = {"keys": words[0] == "the" and words[2] == "to", "names": words.count("potter") > 0}
    return fits[case]


@pytest.mark.parametrize(("name", "case"), [("context", "keys"), ("multihead", "keys")])
def test_p_asks_about_other_words_in_the_sentence_in_view(name: str, case: str) -> None:
    state = explored(name, weights="trained", case=case)
    said = set()
    for _ in range(6):
        state = predict(state)
        assert state.question is not None
        assert is_about(state.question.asked, case)
        said.add(str(state.question.asked.given))
    assert len(said) > 3


def test_p_asks_which_head_is_needed_for_the_sentence_in_view() -> None:
    stack = lesson("stack", case="names").asking
    assert all(is_about(ask(stack, seed), "names") for seed in SEEDS)


def test_a_case_that_gives_no_fair_question_leaves_the_sentence_to_the_seed() -> None:
    """In “the keys to the …” no head is needed that another does not make up for."""
    stack = lesson("stack", case="keys").asking
    for seed in (0, 1):
        assert shown(ask(stack, seed)) == shown(load("stack").questions["needed"](seed))


def test_a_case_changed_in_the_explorer_changes_what_is_asked() -> None:
    scene = Scene.of(load("context"), {"case": "keys"})
    keys = after(State.of(scene, scene.lesson.look), "p", "escape", "e", "down", "enter")
    other = keys.scene.lesson.knobs["case"]
    assert other != "keys"
    question = after(keys, "escape", "p").question
    assert question is not None
    assert question.asked.working.knobs["case"] == other


@pytest.mark.parametrize(("weights", "asks"), [("toy", True), ("trained", False)])
def test_weights_with_nothing_to_ask_about_offer_no_question(weights: str, asks: bool) -> None:
    shown = lesson("stack", weights=weights)
    rows = {"row": shown.demo.questions["row"]}
    poor = replace(shown, demo=replace(shown.demo, questions=rows))
    assert View.of(poor, poor.look).limits.asks == asks
    state = State.of(Scene(poor, {"weights": weights}), poor.look)
    assert ("p" in {shown for shown, *_ in keys_of(state, 80)}) == asks
    assert (after(state, "p").page == "predict") == asks


# On the command line


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    return Shell(tmp_path)


@pytest.mark.parametrize("name", WEIGHED)
def test_predict_asks_about_the_weights_that_the_lesson_shows_by_itself(
    shell: Shell, name: str
) -> None:
    names = ABOUT_TOY if name == "multihead" else ABOUT_MODEL
    for seed in (0, 1, 2):
        said = shell.done("demo", name, "--predict", "--seed", str(seed), given="")
        assert any(has(said.out, each) for each in prompts(name, names[name], seed))


@pytest.mark.parametrize("name", WEIGHED)
@pytest.mark.parametrize(("weights", "names"), BOTH)
def test_predict_goes_with_weights(
    shell: Shell, name: str, weights: str, names: dict[str, set[str]]
) -> None:
    for seed in (0, 1, 2):
        line = ("demo", name, "--predict", "--weights", weights, "--seed", str(seed))
        said = shell.done(*line, given="")
        assert any(has(said.out, each) for each in prompts(name, names[name], seed))


@pytest.mark.parametrize(
    ("name", "question"),
    [("context", "winner"), ("context", "looks"), ("stack", "row"), ("multihead", "looks")],
)
def test_a_question_by_name_settles_the_weights(shell: Shell, name: str, question: str) -> None:
    said = shell.done("demo", name, "--question", question, "--seed", "1", given="")
    assert has(said.out, prompt(name, question, 1))


@pytest.mark.parametrize("line", ["context --case keys", "multihead --weights trained --case keys"])
def test_predict_goes_with_a_case(shell: Shell, line: str) -> None:
    for seed in SEEDS:
        said = shell.done("demo", *line.split(), "--predict", "--seed", str(seed), given="")
        assert re.search(r"“the \w+ to the \w+ …”", said.out)


def test_a_question_by_name_goes_with_a_case(shell: Shell) -> None:
    line = "demo context --question looks --case keys --seed 1"
    said = shell.done(*line.split(), given="")
    assert has(said.out, prompt("context", "looks", 1, "keys"))


@pytest.mark.parametrize(
    ("line", "what", "hint"),
    [
        ("context --predict --case keys --noun key", "--noun does not go", "its own numbers"),
        ("context --predict --case kees", "case cannot be 'kees'", "keys"),
        ("context --weights toy --case bank --predict", "--case does not go", "--weights trained"),
        ("multihead --case keys --predict", "--case does not go", "--weights trained"),
        ("context --question winner --case keys", "--case does not go", "leave --case out"),
        ("learn --case depth --predict", "--case does not go", "its own numbers"),
        ("context --question winner --weights trained", "weights set by hand", "--weights toy"),
        ("context --question looks --weights toy", "the trained model", "--weights trained"),
        ("multihead --question rows --weights trained", "weights set by hand", "--weights toy"),
        ("stack --question needed --weights toy", "the trained model", "--weights trained"),
        ("stack --question needed --weights x", "weights cannot be 'x'", "trained, toy"),
        ("stack --question neded", "no question 'neded'", "needed"),
        ("stack --question rwo", "no question 'rwo'", "row"),
    ],
)
def test_a_question_about_other_weights_is_refused(
    shell: Shell, line: str, what: str, hint: str
) -> None:
    said = shell.refused("demo", *line.split())
    assert what in said
    assert hint in said


def test_after_a_question_by_hand_the_lesson_is_shown_by_hand() -> None:
    sitting = Sitting(["1", "enter", "escape"]).show("stack", predict=True, weights="toy")
    assert "toy weights, set by hand" in sitting.seen()


# The demo beside a card


def test_before_the_answer_a_card_asks_about_the_case_that_it_names() -> None:
    demo, given = demo_at(face_of(card("context", case="keys")))
    assert all(is_about(ask(asking(demo, given), seed), "keys") for seed in SEEDS)
    demo, given = demo_at(face_of(card("context")))
    assert not all(is_about(ask(asking(demo, given), seed), "keys") for seed in SEEDS)


def card(demo: str, **knobs: str) -> Card:
    """A card whose lesson is named with settings."""
    return Card("mine/c", "basic", "Asked?", "Answered.", demo=demo, knobs=tuple(knobs.items()))


@pytest.mark.parametrize(
    ("name", "given", "question", "weights"),
    [
        ("context", {}, "context.winner", "toy"),
        ("context", {}, "context.looks", "trained"),
        ("stack", {}, "stack.row", "toy"),
        ("multihead", {}, "multihead.looks", "trained"),
        ("multihead", {}, "multihead.rows", "toy"),
        ("context", {}, "", "trained"),
        ("context", {"weights": "toy"}, "context.looks", "toy"),
        ("stack", {}, "context.winner", "trained"),
        ("multihead", {"heads": 4, "d_model": 8}, "multihead.looks", "toy"),
    ],
)
def test_a_card_opens_the_weights_that_it_asks_about(
    name: str, given: dict[str, object], question: str, weights: str
) -> None:
    """Unless it names others, or something that these have no use for."""
    demo = load(name)
    found = opened(demo, chosen(demo, given, question).given, None).lesson
    assert found.knobs["weights"] == weights


@pytest.mark.parametrize("name", WEIGHED)
def test_every_question_leads_a_card_to_a_lesson_that_asks_it(name: str) -> None:
    demo = load(name)
    for question in demo.questions:
        given = chosen(demo, {}, f"{name}.{question}").given
        asked = work_out(f"{name}.{question}", 3).asked
        shown = opened(demo, given, asked).lesson
        assert question in shown.asking.questions


@pytest.mark.parametrize(
    ("question", "seed", "sentence"),
    [
        ("stack.next", 0, "The money at the bank look +s"),
        ("stack.next", 1, "The road was often slow since it was too"),
        ("stack.next", 3, "The key to the cab +inet +s"),
        ("stack.next", 4, "The chick +en was slow since it was too"),
        ("context.winner", 4, "The chicken didn’t cross the road because it was too tired"),
        ("context.winner", 15, "She left the pond for the bank"),
        ("context.winner", 31, "a fluffy blue creature"),
        ("context.winner", 40, "the burrow of the mole"),
    ],
)
def test_a_question_by_hand_that_knobs_lead_to_opens_its_own_sentence(
    question: str, seed: int, sentence: str
) -> None:
    """What these seeds draw beside the words, as one in nine of `context`, is the lesson's."""
    name = question.partition(".")[0]
    asked = work_out(question, seed).asked
    trace = opened(load(name), {}, asked).lesson.working.trace
    tokens = trace.labels("tokens") if name == "stack" else trace.labels("keys")
    assert " ".join(tokens) == sentence
    assert all((asked.working.trace[step.name].values == step.values).all() for step in trace)


def test_what_a_question_draws_that_no_knob_gives_opens_the_lesson_of_the_card() -> None:
    """The word leans by 3 in the question, by 2 in the lesson."""
    asked = work_out("context.winner", 5).asked
    assert asked.working.trace["x_keys"].values.max() == 3
    trace = opened(load("context"), {"weights": "toy", "case": "bank"}, asked).lesson.working.trace
    assert trace["x_keys"].values.max() == 2
    assert " ".join(trace.labels("keys")) == "She left the pond for the bank"


CARDS = [
    (Card("mine/c", "computed", "Asked.", "", question="context.winner"), "context", "toy"),
    (Card("mine/c", "computed", "Asked.", "", question="context.comes"), "context", "trained"),
    (card("stack", weights="toy"), "stack", "toy"),
    (card("stack"), "stack", "trained"),
    (card("multihead", weights="trained"), "multihead", "trained"),
]


def asks_about(said: str, card: Card, name: str, weights: str) -> bool:
    """Whether the first question beside a card is one about these weights."""
    names = dict(BOTH)[weights][name]
    return any(has(said, each) for each in prompts(name, names, face_of(card).demo_seed))


def test_each_card_has_a_first_question_of_its_own_and_another_after_each_step() -> None:
    one, other = (face_of(Card(f"mine/{name}", "basic", "F", "B")) for name in "ab")
    later = replace(one, state=replace(one.state, rows=one.state.rows + 1))
    assert len({one.demo_seed, other.demo_seed, later.demo_seed}) == 3
    assert later.demo_seed == one.demo_seed + 1


@pytest.mark.parametrize(("card", "name", "weights"), CARDS)
def test_before_the_answer_d_asks_about_the_weights_of_the_card(
    card: Card, name: str, weights: str
) -> None:
    with log_in_memory() as log:
        study = Study(log)
        study.shelve(card)
        keys, _ = sit(study, *(["escape"] if card.question else []), "d", "escape")
    assert any("predict, then compute" in frame for frame in keys.seen)
    frame = next(each for each in keys.seen if "predict, then compute" in each)
    assert asks_about(frame, card, name, weights)


@pytest.mark.parametrize(("card", "name", "weights"), CARDS)
def test_line_by_line_the_demo_asks_about_the_weights_of_the_card(
    card: Card, name: str, weights: str
) -> None:
    shown: list[str] = []
    screen = PlainScreen(io.StringIO(), lambda lines: shown.extend(line.plain for line in lines))
    screen.demo(face_of(card), predict=True)
    assert asks_about("\n".join(shown), card, name, weights)


@pytest.mark.parametrize(("card", "name", "weights"), CARDS)
def test_the_explorer_opens_at_the_weights_of_the_card_and_asks_about_them(
    card: Card, name: str, weights: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    states: list[State] = []

    def explore(state: State, *_: object, **__: object) -> tuple[State, int]:
        states.append(state)
        return state, 0

    monkeypatch.setattr("attn_study.screen.explorer.app.explore", explore)
    monkeypatch.setattr("attn_study.screen.explorer.opening._are_terminals", lambda _: True)
    console = Console(file=io.StringIO(), force_terminal=True, width=80, height=24)
    with Terminal(console, ScriptedKeyboard([])) as terminal:
        for predicts in (True, False):
            assert from_card(face_of(card), terminal, ascii=False, predict=predicts) == ""
    first, second = states
    assert first.question is not None
    assert asks_about(first.question.asked.prompt, card, name, weights)
    assert second.scene.lesson.knobs["weights"] == weights


def test_after_the_answer_d_shows_the_weights_that_were_asked_about() -> None:
    by_hand = Card("mine/c", "computed", "Asked.", "", question="context.winner")
    with log_in_memory() as log:
        study = Study(log)
        study.shelve(by_hand)
        keys, _ = sit(study, "x", "enter", "d", "q")
    assert any("toy weights, set by hand" in frame for frame in keys.seen)


def test_line_by_line_the_demo_shows_the_weights_that_were_asked_about() -> None:
    by_hand = Card("mine/c", "computed", "Asked.", "", question="context.winner")
    shown: list[str] = []
    screen = PlainScreen(io.StringIO(), lambda lines: shown.extend(line.plain for line in lines))
    screen.demo(face_of(by_hand), predict=False)
    assert "toy weights, set by hand" in "\n".join(shown)


@pytest.mark.parametrize(
    ("name", "given", "question"),
    [
        ("context", {}, "context.winner"),
        ("multihead", {}, "multihead.looks"),
        ("multihead", {}, "multihead.rows"),
        ("context", {"weights": "toy"}, "context.winner"),
    ],
)
def test_to_open_a_lesson_it_is_computed_once(
    name: str, given: dict[str, str], question: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where it is asked first whether it takes the weights of the question."""
    computed = []

    class Counted(Lesson):
        @classmethod
        def of(cls, demo: Demo, given: Mapping[str, object]) -> Lesson:
            computed.append(given)
            return Lesson.of(demo, given)

    monkeypatch.setattr(afterwards, "Lesson", Counted)
    card = Card("mine/c", "basic", "?", "!", question=question, knobs=(*given.items(),))
    face = Posed(card=card, demo=name)
    at = lesson_at(face)
    assert len(computed) == 1
    again = opened(*demo_at(face), None)
    assert again.given == at.given
    assert again.lesson.working.knobs == at.lesson.working.knobs


@pytest.fixture
def without_model(monkeypatch: pytest.MonkeyPatch) -> None:
    def parameters() -> object:
        raise UserError("no trained model", where="trained.npz", hint="install the program again")

    for reads in ("layer", "reader"):
        monkeypatch.setattr(f"attn_study.demos.trained.{reads}.parameters", parameters)


@pytest.mark.usefixtures("without_model")
@pytest.mark.parametrize("kind", ["basic", "computed"])
def test_without_the_trained_model_a_card_about_it_says_so(kind: str) -> None:
    """Weights set by hand, which the lesson has by default, are not shown in its place."""
    made = Card("mine/c", kind, "?", "!", demo="multihead", question="multihead.looks")
    face = replace(face_of(card("multihead")), card=made)
    shown: list[str] = []
    screen = PlainScreen(io.StringIO(), lambda lines: shown.extend(line.plain for line in lines))
    for predicts in (True, False):
        shown.clear()
        screen.demo(face, predict=predicts)
        said = "\n".join(shown)
        assert "no trained model" in said
        assert "toy weights" not in said
        assert "predict, then compute" not in said


@pytest.mark.usefixtures("without_model")
def test_without_the_trained_model_d_in_a_review_says_so() -> None:
    about = Card("mine/c", "basic", "?", "!", demo="multihead", question="multihead.looks")
    with log_in_memory() as log:
        study = Study(log)
        study.shelve(about)
        keys, _ = sit(study, "space", "d", "q")
    assert any("no trained model" in frame for frame in keys.seen)
    assert not any("toy weights" in frame for frame in keys.seen)


def test_settings_that_no_weights_take_are_refused_as_they_were_given() -> None:
    demo = load("context")
    with pytest.raises(UserError, match="no knob 'nosuch'"):
        opened(demo, chosen(demo, {"nosuch": 1}, "context.winner").given, None)
