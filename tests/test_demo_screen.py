"""The keys of a lesson, as a value first and then on a screen with scripted keys."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from attn_study.demos import load
from attn_study.demos.choosing import ask
from attn_study.demos.working import Focus
from attn_study.screen.keys import Press
from attn_study.screen.viewing import HELP, Limits, View
from lesson_sitting import Sitting
from lessons import ALL, lesson

MISTAKES = tuple(f"mistake {number}" for number in range(11))
LIMITS = Limits(queries=3, heads=2, stages=2, mistakes=MISTAKES, asks=True)
CHICKEN = Focus(query=1)
BARE = Limits(queries=0, heads=1, stages=0, mistakes=(), asks=False)
KEYS = ["left", "right", "h", "m", "p", "w", "space", "enter", "backspace", "b", "t", "?", "x",
        "escape", "q", "1", "0", "a", "up", "unknown"]  # fmt: skip


def pressed(*keys: str, limits: Limits = LIMITS, focus: Focus = CHICKEN) -> View:
    view = View(limits, focus)
    for key in keys:
        view = view.press(key)
    return view


@pytest.mark.parametrize(
    ("keys", "page"),
    [
        ("", "lesson"),
        ("m", "matrices"),
        ("m escape", "lesson"),
        ("?", "help"),
        ("? escape", "lesson"),
        ("p", "predict"),
        ("w", "mistakes"),
        ("w 1", "compare"),
        ("w 1 escape", "mistakes"),
        ("w 1 w", "mistakes"),
        ("w 1 escape escape", "lesson"),
        ("w x", "mistakes"),
        ("1", "lesson"),
        ("space", "step"),
        ("enter", "step"),
        ("space escape", "lesson"),
        ("space space space", "lesson"),
        ("space backspace", "lesson"),
        ("backspace", "lesson"),
        ("m space", "matrices"),
        ("escape", "left"),
        ("q", "left"),
        ("w 1 q", "left"),
        ("x", "lesson"),
    ],
)
def test_keys_lead_from_page_to_page(keys: str, page: str) -> None:
    assert pressed(*keys.split()).page == page


@pytest.mark.parametrize(
    ("keys", "focus"),
    [
        ("left", Focus(0, 0)),
        ("left left left", Focus(0, 0)),
        ("right right right", Focus(2, 0)),
        ("h", Focus(1, 1)),
        ("h h", Focus(1, 0)),
        ("t", Focus(1, 0, columns=True)),
        ("t t", Focus(1, 0)),
        ("m right h t", Focus(2, 1, columns=True)),
    ],
)
def test_keys_move_the_focus_on_every_page(keys: str, focus: Focus) -> None:
    assert pressed(*keys.split()).focus == focus


@pytest.mark.parametrize(
    ("keys", "stage"),
    [("space", 0), ("space space", 1), ("space space b", 0), ("space space backspace space", 1)],
)
def test_stages_go_forth_and_back(keys: str, stage: int) -> None:
    assert (pressed(*keys.split()).page, pressed(*keys.split()).stage) == ("step", stage)


@pytest.mark.parametrize(
    ("key", "mistake"), [("1", "mistake 0"), ("9", "mistake 8"), ("0", "mistake 9"),
                         ("a", "mistake 10")],
)  # fmt: skip
def test_a_key_chooses_each_mistake(key: str, mistake: str) -> None:
    assert pressed("w", key).mistake == mistake


@pytest.mark.parametrize("key", ["w", "p", "space", "h", "right", "left"])
def test_what_a_lesson_does_not_have_no_key_opens(key: str) -> None:
    view = pressed(key, limits=BARE, focus=Focus())
    assert replace(view, words="") == View(BARE, Focus())
    assert bool(view.words) == (key in "wph")
    assert not view.press("m").words
    offered = {name for name, _ in View(BARE, Focus()).offers()}
    assert not offered & {"←→", "h", "p", "w"}


@given(st.lists(st.sampled_from(KEYS), max_size=30), st.sampled_from([LIMITS, BARE]))
def test_no_row_of_keys_leaves_the_lesson_s_limits(keys: list[str], limits: Limits) -> None:
    view = pressed(*keys, limits=limits, focus=Focus())
    assert 0 <= view.focus.query <= max(0, limits.queries - 1)
    assert 0 <= view.focus.head < limits.heads
    assert view.page != "step" or 0 <= view.stage < limits.stages
    assert view.page != "compare" or view.mistake in limits.mistakes
    assert view.offers()[-1] == ("q", "quit")


def typed(text: str) -> list[str]:
    return [*text, "enter"]


@pytest.mark.parametrize("name", ALL)
def test_a_lesson_is_one_screen_with_the_keys_on_its_last_line(name: str) -> None:
    frame = Sitting(["q"]).show(name).frames[0]
    assert len(frame) == 24
    assert frame[-1].strip().endswith("q quit")
    assert not any(line.startswith("─") for line in frame)
    assert all(len(line) <= 80 for line in frame)


def test_a_key_that_the_lesson_has_no_use_for_says_so() -> None:
    sitting = Sitting(["w", "left"]).show("stack")
    assert "this lesson makes no mistakes" in sitting.seen(1)
    assert "no mistakes" not in sitting.seen(2)


@pytest.mark.parametrize(
    ("name", "weights", "keys", "offered"),
    [
        ("stack", "trained", [], False),  # it shows every head
        ("stack", "trained", ["m"], False),
        ("context", "trained", [], True),
        ("multihead", "toy", [], False),
        ("multihead", "trained", [], True),
    ],
)
def test_a_head_is_offered_where_another_one_looks_different(
    name: str, weights: str, keys: list[str], offered: bool
) -> None:
    sitting = Sitting([*keys, "h"]).show(name, weights=weights)
    before, after = sitting.frames[-2], sitting.frames[-1]
    assert ("h head" in before[-1]) == offered
    assert (before != after) == offered


def test_what_was_last_in_view_is_left_without_its_keys() -> None:
    sitting = Sitting(["left", "q"]).show("head")
    assert any("“chicken” asks" in line for line in sitting.left)
    assert not any("q quit" in line for line in sitting.left)
    assert [line.rstrip() for line in sitting.frames[1][: len(sitting.left)]] == sitting.left


@pytest.mark.parametrize("key", ["ctrl-c", "ctrl-d", "eof", "escape"])
def test_every_way_out_leads_out(key: str) -> None:
    sitting = Sitting([key]).show("head")
    assert any("“it” asks" in line for line in sitting.left)


def test_pages_show_what_their_keys_say() -> None:
    keys = ["w", "4", "escape", "escape", "m", "end", "escape", "space", "space", "escape", "?"]
    sitting = Sitting(keys).show("head")
    pages = ["“it” asks", "4 no-mask", "0.4458", "4 no-mask", "“it” asks", "w_q [1×4×2]",
             "residual [3×4]", "“it” asks", "1 of 19", "2 of 19", "“it” asks",
             HELP[0][1]]  # fmt: skip
    for frame, shows in enumerate(pages):
        assert shows in sitting.seen(frame), (frame, shows)


def test_a_mistake_opens_where_it_shows_and_leaves_the_focus_as_it_was() -> None:
    sitting = Sitting(["w", "4", "escape", "escape"]).show("head")
    assert "“The” asks" in sitting.seen(2)
    assert "“it” asks" in sitting.seen(4)


def test_a_mistake_that_cannot_be_made_here_says_why() -> None:
    names = load("head").mistakes
    key = "1234567890abc"[names.index("values-are-keys")]
    sitting = Sitting(["w", key]).show("head", d_k=2, d_v=3)
    assert "cannot stand in for values" in sitting.seen(2)


def test_on_a_small_window_everything_can_be_scrolled_to() -> None:
    downs = ["down"] * 200
    sitting = Sitting(downs, columns=24, rows=8).show("head")
    assert all(len(line) <= 24 for frame in sitting.frames for line in frame)
    everything = "\n".join(map("\n".join, sitting.frames))
    for part in ("0.6200", "2.8429", "row sum 1", "27.2891"):
        assert part in everything
    assert "↓" in sitting.seen(0)
    assert "↑" in sitting.seen()


def test_pastes_and_bursts_are_no_keys() -> None:
    keys = [Press("paste", "q"), Press("burst", "qq"), Press("resize"), None, "m"]
    sitting = Sitting(keys).show("head")
    assert "w_q [1×4×2]" in sitting.seen()


def test_a_prediction_is_graded_and_another_asked() -> None:
    right = ask(load("head"), 0).answer
    sitting = Sitting(["p", *typed(f"{right:.4f}"), "space"]).show("head")
    pages = [sitting.seen(frame) for frame in (1, -2, -1)]
    assert "seed 0" in pages[0]
    assert "> " in pages[0]
    assert " ✓ right" in pages[1]
    assert "seed 1" in pages[2]


def test_after_a_prediction_the_lesson_comes_back() -> None:
    sitting = Sitting(["p", *typed("0.5"), "escape"]).show("head")
    assert "not quite" in sitting.seen(-2)
    assert "“it” asks" in sitting.seen(-1)


def test_an_answer_nobody_can_read_is_asked_for_once_more() -> None:
    sitting = Sitting(["p", "enter", *typed("half"), *typed("0,5"), "q"]).show("head")
    assert any("cannot be read" in "\n".join(frame) for frame in sitting.frames)
    assert "you said 0,5" in sitting.seen()
    assert any("you said 0,5" in line for line in sitting.left)


def test_leaving_a_question_that_came_first_leaves_the_demo() -> None:
    sitting = Sitting(["escape", "m"]).show("head", predict=True)
    assert len(sitting.frames) == 1
    assert "All of it" not in "\n".join(sitting.left)
    assert any("What weight" in line for line in sitting.left)


def test_leaving_a_question_of_the_lesson_goes_back_to_it() -> None:
    sitting = Sitting(["p", "escape"]).show("head")
    assert "“it” asks" in sitting.seen()


@pytest.mark.parametrize("key", ["ctrl-c", "ctrl-d", "eof"])
def test_the_end_of_the_input_leaves_a_question(key: str) -> None:
    sitting = Sitting(["p", key, "m"]).show("head")
    assert "w_q [1×4×2]" not in sitting.seen()


def test_in_predict_mode_nothing_is_given_away_before_the_answer() -> None:
    sitting = Sitting(typed("0.5")).show("head", predict=True)
    before, after = sitting.seen(0), sitting.seen(-1)
    answer = f"{ask(load('head'), 0).answer:.4f}"
    assert answer not in before
    assert answer in after


def test_the_knobs_of_a_card_are_those_of_the_lesson() -> None:
    sitting = Sitting(["q"]).show("head", d_k="3")
    assert "÷ √3" in sitting.seen()
    assert lesson("head", d_k="3").knobs["d_k"] == 3
