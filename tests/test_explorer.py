"""The explorer's state: what each key does to it, and that undo takes every change back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from attn_study.attention.trace import to_json
from attn_study.demos import load
from attn_study.screen.explorer.predicting import first_predict
from attn_study.screen.explorer.pressing import pressed
from attn_study.screen.explorer.row import key_in
from attn_study.screen.keys import Press
from explorer_helpers import after, clicked, opened, typed
from lessons import ALL

if TYPE_CHECKING:
    from attn_study.screen.explorer.state import State

KEYS = (
    "left", "right", "up", "down", "space", "enter", "backspace", "escape", "tab", "pageup",
    "pagedown", "home", "end", *"hlkstrwenmvupc?[]b0123456789-.x,",
)  # fmt: skip


def weights(state: State) -> list[list[list[float]]]:
    found: list[list[list[float]]] = state.scene.working.trace["weights"].values.tolist()
    return found


# Where one looks


def test_it_opens_at_the_query_of_the_lesson_with_the_weights_in_view() -> None:
    state = opened()
    assert (state.page, state.step, state.focus.query) == ("look", "weights", 2)


def test_arrows_choose_the_query_and_the_key_within_what_there_is() -> None:
    state = after(opened(), "left", "left", "left", "left")
    assert state.focus.query == 0
    state = after(state, "down", "down", "down", "down")
    assert state.focus.key == 2
    assert after(state, "up").focus.key == 1


def test_another_query_looks_at_the_key_that_it_weighs_most() -> None:
    state = after(opened(), "up", "left")
    assert state.focus.key is None
    assert key_in(state.scene.working.trace, state.focus) == 1


def test_h_goes_round_the_heads() -> None:
    state = opened("multihead")
    assert [after(state, *"h" * n).focus.head for n in range(3)] == [0, 1, 0]
    assert "one head" in after(opened(), "h").words


def test_space_and_backspace_go_round_the_stages() -> None:
    state = opened()
    there_are = len(state.stages)
    seen = [after(state, *["space"] * n).step for n in range(there_are + 1)]
    assert seen[1] == "terms"
    assert set(seen) == set(state.stages)
    assert seen[-1] == seen[0]
    assert after(state, "space", "backspace").step == state.step


def test_t_turns_the_layout() -> None:
    assert after(opened(), "t").focus.columns
    assert not after(opened(), "t", "t").focus.columns


def test_l_goes_through_the_layers_of_a_model() -> None:
    state = after(opened("stack"), "l")
    assert (state.layer, state.step) == (1, "weights_2")
    assert after(state, "l").layer == 0
    assert after(opened("context", layer=1), "l").scene.lesson.knobs["layer"] == 2


# What is changed


def test_k_and_s_leave_out_the_mask_and_the_scale_and_bring_them_back() -> None:
    right = opened()
    for key, mistake in (("k", "no-mask"), ("s", "no-scale")):
        wrong = after(right, key)
        assert wrong.scene.mistake == mistake
        assert weights(wrong) == right.scene.lesson.wrong(mistake).trace["weights"].values.tolist()
        again = after(wrong, key)
        assert (again.scene.mistake, weights(again)) == ("", weights(right))
        assert again.focus == right.focus


def test_a_lesson_that_cannot_do_without_says_so() -> None:
    state = after(opened("qkv"), "s")
    assert (state.scene.mistake, state.words) == (
        "",
        "this lesson cannot do without the division by √d_k",
    )


def test_brackets_halve_and_double_the_temperature() -> None:
    state = after(opened(), "[", "[")
    assert state.scene.lesson.knobs["temperature"] == 0.25
    assert after(state, *"]]]").scene.lesson.knobs["temperature"] == 2
    assert "no temperature" in after(opened("qkv"), "]").words


def test_the_temperature_stays_within_its_bounds() -> None:
    assert after(opened(), *"[" * 40).scene.lesson.knobs["temperature"] == 1e-6


def test_r_draws_other_weights_each_time() -> None:
    seeds = [after(opened(), *"r" * n).scene.lesson.knobs["seed"] for n in (1, 2, 3)]
    assert seeds == [0, 1, 2]
    assert after(opened(text="a b"), "r").scene.lesson.knobs["seed"] == 1


@pytest.mark.parametrize("mistake", load("head").mistakes)
def test_w_opens_a_list_from_which_any_mistake_is_made(mistake: str) -> None:
    key = "1234567890abcdefg"[load("head").mistakes.index(mistake)]
    state = after(opened(), "w", key)
    assert (state.page, state.scene.mistake) == ("look", mistake)
    assert after(state, "escape").scene.mistake == ""


def test_a_mistake_is_shown_at_a_row_that_shows_it() -> None:
    assert after(opened(), "k").focus.query != opened().focus.query


# The knobs


def test_words_are_typed_and_all_of_it_follows() -> None:
    state = after(opened(), "e", "down", "enter")
    state = after(typed(state, "a bee sees"), "enter", "escape")
    assert state.scene.lesson.working.trace.labels("queries") == ("a", "bee", "sees")
    assert state.page == "look"


def test_letters_that_are_keys_elsewhere_are_letters_in_a_line() -> None:
    state = after(opened(), "e", "down", "enter")
    assert typed(state, "quick x?").line.text == "quick x?"


def test_what_a_knob_cannot_be_is_said_and_typed_on() -> None:
    state = typed(after(opened(), "e", "down", "down", "down", "enter"), "0")
    refused = after(state, "enter")
    assert refused.page == "knob"
    assert refused.words.startswith("d_k cannot be '0'")
    assert refused.scene is state.scene
    assert after(refused, "escape", "escape").page == "look"


def test_an_empty_line_leaves_a_knob_to_the_lesson() -> None:
    state = opened(text="a b", seed=3)
    state = after(state, "e", "down", "enter", "backspace", "backspace", "backspace", "enter")
    assert state.scene.lesson.knobs["text"] == ""


def test_choices_go_round_with_enter_and_arrows() -> None:
    state = after(opened("cross"), "e", "down", "down")
    assert after(state, "enter").scene.lesson.knobs["swap"] == "yes"
    assert after(state, "right", "right").scene.lesson.knobs["swap"] == "no"
    assert after(opened(), "e", "right").scene.lesson.knobs["case"] == "creature"
    assert after(opened(), "e", "right", "right").scene.lesson.knobs["case"] == ""


# The numbers of the inputs


def test_a_number_is_set_under_the_cursor() -> None:
    state = after(opened(), "n", "down", "down", *"-2.5", "enter")
    assert state.page == "matrix"
    assert state.scene.given["set"] == "x.3.1=-2.5"
    assert state.scene.working.trace["x"].values[2].tolist() == [-2.5, 0, 1, 1]


def test_arrows_set_a_number_and_move_on() -> None:
    state = after(opened(), "n", "4", "down", "5", "enter")
    assert state.scene.given["set"] == "x.1.1=4 x.2.1=5"


def test_a_number_set_twice_is_kept_once() -> None:
    state = after(opened(), "n", "4", "enter", "7", "enter")
    assert state.scene.given["set"] == "x.1.1=7"


def test_n_goes_round_the_inputs_and_h_their_heads() -> None:
    state = after(opened("multihead"), "n", "n", "h")
    assert (state.matrix, state.focus.head) == ("w_q", 1)
    state = after(state, "9", "enter")
    assert state.scene.given["set"] == "w_q.2.1.1=9"
    assert after(opened(), *"nnnnnn").matrix == "x"


def test_the_cursor_stays_inside() -> None:
    state = after(opened(), "n", *["right"] * 9, *["down"] * 9)
    assert state.cell == (2, 3)
    assert after(state, *["left"] * 9, *["up"] * 9).cell == (0, 0)


@pytest.mark.parametrize(("keys", "says"), [("-", "- is no number"), ("1e", "1e is no number")])
def test_what_is_no_number_is_said_and_typed_on(keys: str, says: str) -> None:
    state = after(opened(), "n", *keys, "enter")
    assert (state.page, state.words) == ("number", says)
    assert after(state, "escape").page == "matrix"


def test_a_number_beyond_what_can_be_computed_is_refused() -> None:
    state = after(opened(), "n", *"9e99", "enter")
    assert "too large to compute with" in state.words
    assert "set" not in state.scene.given


def test_a_lesson_without_such_inputs_says_so() -> None:
    assert "cannot be set one by one" in after(opened("params"), "n").words


# Undo


def test_undo_takes_back_one_change_after_another() -> None:
    first = opened()
    state = after(first, "n", "4", "enter", "escape", "]", "k", "r")
    knobs = [after(state, *"u" * n).scene for n in range(5)]
    assert [scene.given for scene in knobs] == [
        {"set": "x.1.1=4", "temperature": "2", "seed": "0"},
        {"set": "x.1.1=4", "temperature": "2"},
        {"set": "x.1.1=4", "temperature": "2"},
        {"set": "x.1.1=4"},
        {},
    ]
    assert [scene.mistake for scene in knobs] == ["no-mask", "no-mask", "", "", ""]
    assert after(state, *"uuuuu").words == "nothing to take back"
    assert after(state, *"uuuu").focus == first.focus


@settings(deadline=None, max_examples=60)
@given(st.sampled_from(ALL), st.lists(st.sampled_from(KEYS), max_size=25))
def test_whatever_is_pressed_undo_leads_back_to_the_first_numbers(
    name: str, keys: list[str]
) -> None:
    first = opened(name)
    state = after(first, *keys)
    state = after(state, "escape", "escape", "escape") if state.page != "left" else state
    for _ in range(len(state.past)):
        state = state.undone()
    assert state.scene.given == first.scene.given
    assert to_json(state.scene.working.trace) == to_json(first.scene.working.trace)


@settings(deadline=None, max_examples=60)
@given(st.sampled_from(ALL), st.lists(st.sampled_from(KEYS), max_size=25))
def test_what_is_on_screen_is_always_that_of_the_knobs(name: str, keys: list[str]) -> None:
    state = after(opened(name), *keys)
    knobs = dict(state.scene.given.items())
    fresh = opened(name, **knobs).scene.lesson
    made = fresh.wrong(state.scene.mistake) if state.scene.mistake else fresh.working
    shown = state.scene.working.trace
    assert shown.names == made.trace.names
    assert all(np.array_equal(step.values, made.trace[step.name].values) for step in shown)


# Questions


def test_p_asks_and_enter_grades() -> None:
    state = after(opened(), "p")
    question = state.question
    assert question is not None
    assert (state.page, question.graded) == ("predict", None)
    state = after(typed(state, f"{question.asked.answer:.4f}"), "enter")
    assert state.question is not None
    assert state.question.graded is not None
    assert state.question.graded.right
    assert after(state, "escape").page == "look"


def test_a_wrong_answer_is_named() -> None:
    state = after(opened(), "p")
    assert state.question is not None
    name, value = next(iter(state.question.asked.wrong.items()))
    state = after(typed(state, f"{value:.4f}"), "enter")
    assert state.question is not None
    assert state.question.graded is not None
    assert state.question.graded.mistake == name


def test_space_asks_another_and_an_unreadable_answer_is_asked_for_again() -> None:
    state = after(typed(after(opened(), "p"), "what"), "enter")
    assert state.question is not None
    assert state.question.graded is None
    state = after(state, *["backspace"] * 4, "1", "enter", "space")
    assert state.question is not None
    assert (state.question.seed, state.question.graded) == (1, None)


def test_leaving_a_question_leads_back_to_the_page() -> None:
    assert after(opened(), "p", "escape").page == "look"


def test_a_question_that_comes_first_gives_nothing_away_until_it_is_answered() -> None:
    state = first_predict(opened())
    assert state.page == "predict"
    assert after(state, "escape").page == "left"
    answered = after(state, "1", "enter")
    assert after(answered, "escape").page == "look"
    assert after(answered, "space", "escape").page == "look"


def test_a_change_that_changes_nothing_is_not_taken_back() -> None:
    state = after(opened(temperature="1e-6"), "[")
    assert (state.past, state.words) == ((), "temperature 1e-06: as it was")
    state = after(opened(), "e", "down", "enter", "enter")
    assert (state.past, state.page) == ((), "knobs")
    assert len(after(opened(), "n", "7", "enter", "7", "enter").past) == 1


def test_the_next_seed_follows_the_one_in_use() -> None:
    first = opened("learn")
    seed = first.scene.lesson.working.knobs["seed"]
    assert isinstance(seed, int)
    assert after(first, "r").scene.lesson.knobs["seed"] == seed + 1


def test_a_refusal_names_no_option_that_nobody_typed() -> None:
    words = after(opened("multihead", seed=1), "e", "enter").words
    assert "seed means nothing with trained weights; " in words
    assert "--" not in words
    assert "--" not in after(typed(after(opened("multihead"), "e", "enter"), "9"), "enter").words


@pytest.mark.parametrize("page", ["m", "v"])
def test_a_page_without_the_mistake_says_so(page: str) -> None:
    assert "the right way" in after(opened(), "k", page).words
    assert after(opened(), page).words == ""


# Leaving, clicking, pasting


def test_escape_does_not_throw_changes_away() -> None:
    state = after(opened(), "]", "escape")
    assert (state.page, state.words) == ("look", "q leaves; u takes back the last change")
    assert after(state, "u", "escape").page == "left"


def test_a_click_on_another_line_ends_the_typing_into_this_one() -> None:
    lines = [knob.name for knob in load("head").knobs]
    seed, d_model = lines.index("seed"), lines.index("d_model")
    state = typed(clicked(after(opened(), "e"), f"line {seed}"), "7")
    state = clicked(state, f"line {d_model}")
    assert (state.page, state.chosen, state.scene.given) == ("knob", d_model, {})
    assert "7" not in state.line.text
    assert after(clicked(state, f"line {seed}"), "escape").scene.given == {}


@pytest.mark.parametrize("key", ["q", "ctrl-c", "ctrl-d", "eof", "escape"])
def test_it_is_left_by_any_of_the_keys_that_leave(key: str) -> None:
    assert after(opened(), key).page == "left"


@pytest.mark.parametrize("keys", [("p",), ("e", "enter"), ("n", "1")])
def test_ctrl_c_leaves_from_a_line_too(keys: tuple[str, ...]) -> None:
    assert after(opened(), *keys, "ctrl-c").page == "left"


@pytest.mark.parametrize("page", ["m", "v", "w", "e", "n", "c", "?", "p"])
def test_escape_leads_back_from_every_page(page: str) -> None:
    assert after(opened(), page).page != "look"
    assert after(opened(), page, "escape").page == "look"


def test_a_click_chooses_a_query_a_key_or_both() -> None:
    assert clicked(opened(), "query 0").focus.query == 0
    assert clicked(opened(), "key 2").focus.key == 2
    both = clicked(opened(), "pair 1 0").focus
    assert (both.query, both.key) == (1, 0)


def test_a_click_on_a_number_of_an_input_lets_it_be_typed() -> None:
    state = after(clicked(opened(), "input w_v 2 1"), "8", "enter")
    assert state.scene.given["set"] == "w_v.1.3.2=8"


def test_a_second_click_on_a_cell_types_into_it() -> None:
    state = clicked(after(opened(), "n"), "cell 1 1")
    assert (state.page, state.cell) == ("matrix", (1, 1))
    assert clicked(state, "cell 1 1").page == "number"
    assert clicked(state, "cell 9 9").cell == (1, 1)


def test_a_paste_goes_into_a_line_and_nowhere_else() -> None:
    state = pressed(after(opened(), "e", "down", "enter"), Press("paste", "two\nwords"))
    assert state.line.text == "two words"
    assert pressed(opened(), Press("paste", "q")).page == "look"
