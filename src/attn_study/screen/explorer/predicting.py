"""A number asked for before it is computed, inside the explorer."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from attn_study.demos.choosing import ask
from attn_study.demos.lesson import asking
from attn_study.demos.question import grade
from attn_study.screen.explorer.looking import SCROLLS, scrolled
from attn_study.screen.explorer.state import Question
from attn_study.screen.line import Line

if TYPE_CHECKING:
    from attn_study.demos.demo import Demo
    from attn_study.screen.explorer.state import State
    from attn_study.screen.keys import Press


def predict(state: State) -> State:
    """Return the state with a question asked; seeds in a row ask one after another.

    It is about what is in view.
    """
    return _asked(state, state.scene.lesson.asking)


def _asked(state: State, demo: Demo) -> State:
    if not demo.questions:
        return state.told("this lesson asks no questions")
    question = Question(ask(demo, state.seed), state.seed)
    return replace(state.opened("predict"), question=question, seed=state.seed + 1)


def first_predict(state: State) -> State:
    """Return the explorer with a question to be answered before anything is shown.

    So it is about what is given of the knobs: of the rest, nothing is in view.
    """
    asked = _asked(state, asking(state.scene.lesson.demo, state.scene.given))
    return replace(asked, first=asked.page == "predict")


def answer(state: State, press: Press) -> State:
    """Return the state after a key while a question is open or its answer stands there."""
    question = state.question
    if question is None:
        return state.opened("look")
    if question.graded:
        return _after(state, press.key)
    if press.key == "escape":
        return replace(state, page="left") if state.first else state.opened("look")
    if press.key in {"pageup", "pagedown"}:
        return scrolled(state, press.key)
    if press.key != "enter":
        return replace(state, line=state.line.press(press))
    typed = state.line.text
    if not typed.strip():
        return state
    graded = grade(question.asked, typed)
    if not graded.readable:
        return state.told("that cannot be read as an answer; once more")
    answered = replace(question, graded=graded, typed=typed)
    return replace(state, question=answered, line=Line(), first=False, scroll=0)


def _after(state: State, key: str) -> State:
    if key in {"space", "enter", "p"}:
        return predict(state)
    if key == "escape":
        return state.opened("look")
    if key in {"up", "down"}:
        return replace(state, scroll=max(0, state.scroll + (1 if key == "down" else -1)))
    return scrolled(state, key) if key in SCROLLS else state
