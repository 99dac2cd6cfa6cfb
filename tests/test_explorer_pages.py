"""The explorer on a screen: it fits every window, can be clicked, and shows numbers that follow."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

import pytest
from rich.text import Text

from attn_study.attention.trace import to_json
from attn_study.render.data import document
from attn_study.render.explorer.targets import meant, target
from attn_study.render.output import fitted
from attn_study.render.text import cells
from closed_world import Document, World
from closed_world_table import DERIVED, PHRASES, SHAPE
from explorer_helpers import (
    SIZES,
    TWELVE,
    after,
    click_on,
    clicked,
    drawn,
    meanings,
    opened,
    text,
    typed,
)
from lesson_checks import WORDS
from lessons import ALL

if TYPE_CHECKING:
    from attn_study.screen.explorer.state import State

PAGES = {
    "look": (),
    "a value": ("space", "space"),
    "turned": ("t",),
    "a mistake": ("w", "1"),
    "matrices": ("m",),
    "lesson": ("v",),
    "mistakes": ("w",),
    "knobs": ("e",),
    "knob": ("e", "enter"),
    "matrix": ("n",),
    "number": ("n", "4"),
    "copy": ("c",),
    "predict": ("p",),
    "answered": ("p", "1", "enter"),
    "help": ("?",),
}


def assert_fits(state: State, columns: int, rows: int) -> None:
    lines = drawn(state, columns, rows)
    assert len(lines) <= rows
    assert not [line.plain for line in lines if cells(line.plain) > columns]


@cache
def pages(name: str) -> dict[str, State]:
    """A lesson on each of its pages, for all windows: states are never changed."""
    first = opened(name)
    return {page: after(first, *keys) for page, keys in PAGES.items()}


@pytest.mark.parametrize(("columns", "rows"), SIZES)
@pytest.mark.parametrize("name", ALL)
def test_every_page_of_every_lesson_fits_every_window(name: str, columns: int, rows: int) -> None:
    for state in pages(name).values():
        if state.page != "left":
            assert_fits(state, columns, rows)


@pytest.mark.parametrize(("columns", "rows"), SIZES)
@pytest.mark.parametrize("words", [*WORDS.values(), TWELVE])
def test_own_words_fit_every_window(words: str, columns: int, rows: int) -> None:
    for name in ("head", "multihead", "simplified"):
        first = opened(name, text=words)
        for keys in ((), ("space",), ("t", "left", "left"), ("n",), ("e",)):
            assert_fits(after(first, *keys), columns, rows)


@pytest.mark.parametrize(("columns", "rows"), [(39, 24), (80, 11), (5, 2), (1, 1)])
def test_a_window_too_small_says_so_and_nothing_else(columns: int, rows: int) -> None:
    said = " ".join(text(opened(), columns, rows).split())
    assert said.startswith("the window is"[:columns])
    assert "weight" not in said
    assert_fits(opened(), columns, rows)


def test_the_first_page_has_tokens_row_sum_and_formula() -> None:
    said = text(opened())
    for words in (
        "tokens     The ▾chicken ▸it",
        "“it” asks, these answer",
        "▾chicken   0.6200  ( 3  3)  ( 1.8600  1.8600)",
        "sum       1.0000           ( 2.3143  1.7856)",
        "“it” → “chicken”:   weight = 16.9188 ÷ 27.2891 = 0.6200",
        "▸it        0.07  0.62  0.31",
    ):
        assert words in said


def test_the_formula_is_that_of_the_key_chosen() -> None:
    assert "“it” → “The”:   weight = 2.0281 ÷ 27.2891 = 0.0743" in text(after(opened(), "up"))


def test_a_mistake_stands_beside_the_right_way() -> None:
    said = text(after(opened(), "k"))
    assert "✗ no-mask: what comes out without the mask" in said
    assert re.search(r"✗ weight +✓ weight", said)
    assert re.search(r"▾The +0\.4458 +1\.0000", said)


def test_in_a_low_window_the_focused_row_and_its_formula_are_in_sight() -> None:
    said = " ".join(text(opened(), 40, 12).split())
    assert "▾chicken 0.6200" in said
    assert "16.9188 ÷ 27.2891 = 0.6200" in said
    assert "q quit" in said


def test_what_is_out_of_sight_is_scrolled_to() -> None:
    assert "weights it computes" not in text(opened("params"), 80, 16)
    assert "weights it computes" in text(after(opened("params"), "end"), 80, 16)


@pytest.mark.parametrize("name", ALL)
def test_every_lesson_has_its_tokens_across_the_top(name: str) -> None:
    state = opened(name)
    labels = state.scene.working.trace.labels("queries")
    if labels:
        assert f"▸{labels[state.focus.query]}" in text(state)


def test_other_weights_are_offered_only_where_they_can_be_drawn() -> None:
    assert "r seed" in text(opened("multihead", weights="toy"))
    assert "r seed" not in text(opened("multihead", weights="trained"))


def test_a_lesson_about_no_tokens_opens_at_its_own_numbers() -> None:
    said = text(opened("scale"))
    assert "1 of 10  variance" in said
    assert "an example: “chicken” asks" in said


# Clicks


def test_every_token_cell_number_and_key_can_be_clicked() -> None:
    found = meanings(opened())
    assert {f"query {n}" for n in range(3)} <= found
    assert {f"key {n}" for n in range(3)} <= found
    assert {f"pair {n} {m}" for n in range(3) for m in range(3)} <= found
    assert {f"input x {n} {m}" for n in range(3) for m in range(4)} <= found
    assert {f"input w_o {n} {m}" for n in range(2) for m in range(4)} <= found
    assert {"space", "k", "s", "w", "e", "n", "r", "p", "c", "?", "q"} <= found


@pytest.mark.parametrize("name", ALL)
def test_no_click_breaks_anything(name: str) -> None:
    for page in ("look", "a value", "mistakes", "knobs", "matrix", "copy"):
        state = pages(name)[page]
        found = sorted(meanings(state)) if state.page != "left" else []
        for means in {each.partition(" ")[0]: each for each in found}.values():  # one of each sort
            there = clicked(state, means)
            if there.page != "left":
                assert_fits(there, 80, 24)


def test_words_on_screen_do_what_they_say_when_clicked() -> None:
    assert click_on(opened(), "The ▾chicken").focus.query == 0
    for state, words in ((opened(), "0.07  0.62"), (after(opened(), "t"), "0.07")):
        cell = click_on(state, words).focus
        assert (cell.query, cell.key) == (2, 0)
    assert click_on(opened(), "0.3057").focus.key == 2
    assert click_on(opened(), "w breakage").page == "mistakes"
    assert click_on(after(opened(), "w"), "no-mask").scene.mistake == "no-mask"
    assert click_on(after(opened(), "e"), "text").page == "knob"
    assert click_on(after(opened(), "?"), "esc back").page == "look"


def test_a_click_means_what_stands_under_it_whatever_is_wide_before_it() -> None:
    line = Text().append("注意", target("query 0")).append(" ").append("x", target("query 1"))
    assert [meant(line, cell) for cell in range(7)] == ["query 0"] * 4 + ["", "query 1", ""]


# Pages


def test_a_number_being_typed_stands_in_its_cell() -> None:
    assert re.search(r"▸ The +-7\.5 +0 +0 +1", text(after(opened(), "n", *"-7.5")))


def test_what_comes_of_an_edit_is_in_sight_while_editing() -> None:
    said = text(after(opened(), "n", "down", "down", "2", "enter"))
    assert re.search(r"▸ it +2 +0 +1 +1", said)
    assert "“it” → “it”:" in said


def test_the_list_of_knobs_shows_where_each_stands() -> None:
    said = text(after(opened(text="a b", temperature="0.5"), "e"))
    assert re.search(r"text +a b ", said)
    assert re.search(r"temperature +0\.5", said)
    assert re.search(r"seed +0 ", said)
    assert re.search(r"set +– ", said)


def test_a_question_hides_the_lesson_until_it_is_answered() -> None:
    state = after(opened(), "p")
    said = text(state)
    assert "What weight does" in said
    assert "notice" not in said
    answered = text(after(typed(state, "0.5"), "enter"))
    assert "right: " in answered


# In few characters, without colour


@pytest.mark.parametrize("name", ALL)
def test_in_ascii_every_line_is_ascii(name: str) -> None:
    lines = [fitted(line, "ascii", ascii=True) for line in drawn(opened(name))]
    assert all(line.plain.isascii() for line in lines)


def test_without_colour_marks_numbers_and_shades_carry_it() -> None:
    said = text(opened(text=TWELVE, d_model=64))
    assert "▸it" in said
    assert "▾" in said
    assert re.search(r"[░▒▓█]{2}", said)


# The closed world

COUNTED = {
    r"^ \d+ of \d+ ": None,  # which stage this is
    rf"\w\^?\w* {SHAPE}": None,  # the shape of an input
}


def world(state: State) -> World:
    """All that the numbers on the first page may be."""
    name, working = state.scene.demo.name, state.scene.working
    right = state.scene.lesson.working
    reports = [
        Document(document(name, each, to_json(each.trace)))
        for each in {id(w): w for w in (working, right)}.values()
    ]
    for report in reports:
        for step in report.steps.values():
            step["values"] = _with_nan(step["values"])
    values = [value for report in reports for value in report.values()]
    phrases = {**COUNTED, **PHRASES.get(name, {}), **PHRASES[""]}
    return World.of(values, reports, DERIVED[""] | DERIVED.get(name, {}), phrases)


def _with_nan(values: object) -> object:
    if isinstance(values, list):
        return [_with_nan(value) for value in values]
    return float("nan") if values is None else values


@pytest.mark.parametrize("keys", [(), ("up",), ("k",), ("[",), ("n", "9", "enter", "escape")])
@pytest.mark.parametrize("name", ["head", "multihead", "qkv", "mask", "values", "cross"])
def test_every_number_of_the_first_page_follows(name: str, keys: tuple[str, ...]) -> None:
    state = after(opened(name), *keys)
    for step in state.stages:
        shown = after(state, *["space"] * state.stages.index(step))
        known = world(shown)
        top = 3  # the header has its own test, and the last lines are keys
        for line in text(shown, 100, 40).split("\n")[top:-3]:
            strange, _ = known.explain(line)
            assert not strange


def test_a_number_off_by_one_in_its_last_place_would_be_noticed() -> None:
    assert world(opened()).explain(" sum       1.0000           ( 2.3143  1.7857)")[0]
