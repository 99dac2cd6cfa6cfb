"""A line being typed: what each press makes of it, and what of it is visible."""

from __future__ import annotations

from itertools import accumulate
from unicodedata import category

import pytest
from hypothesis import given
from hypothesis import strategies as st

from attn_study.render.cells import cells, clusters
from attn_study.screen.keys import Press
from attn_study.screen.line import LIMIT, Line

COUPLE = "👩\u200d💻"


def typed(*presses: str | Press) -> Line:
    line = Line()
    for press in presses:
        line = line.press(Press(press) if isinstance(press, str) else press)
    return line


def drawn(line: Line) -> str:
    return f"{line.before}|{line.after}"


@pytest.mark.parametrize(
    ("presses", "result"),
    [
        (["a", "b"], "ab|"),
        (["a", "space", "√"], "a √|"),
        (["a", "b", "left", "c"], "ac|b"),
        (["a", "b", "backspace"], "a|"),
        (["a", COUPLE, "backspace"], "a|"),
        (["e\u0301", "left", "delete"], "|"),
        (["a", COUPLE, "left", "left", "right"], f"a|{COUPLE}"),
        (["backspace", "delete", "left", "right"], "|"),
        (["a", "b", "home", "x", "end", "y"], "xab" + "y|"),
        (["a", "b", "ctrl-a", "delete"], "|b"),
        (["a", "left", "ctrl-e"], "a|"),
        (["a", "b", "left", "ctrl-u"], "|b"),
        (["a", "b", "left", "ctrl-k"], "a|"),
        (["a", "space", "b", "c", "space", "ctrl-w"], "a |"),
        (["e", "\u0301", "left"], "|e\u0301"),
        (["🇱", "left", "🇳"], "🇳🇱|"),
    ],
)
def test_a_press_edits_whole_characters(presses: list[str], result: str) -> None:
    assert drawn(typed(*presses)) == result


@pytest.mark.parametrize(
    ("press", "result"),
    [
        (Press("paste", "two\nlines\r\n"), "two lines |"),
        (Press("burst", "3\n3\n"), "3 3 |"),
        (Press("burst", "cat\x7f\x7f\x7fdog"), "dog|"),
        (Press("paste", "cat\x7f"), "cat|"),
        (Press("paste", "\x1b[31m\x07red\x9b\u202e\u200b"), "[31mred|"),
        (Press("paste", "a\tb\u2028c"), "a b c|"),
        (Press("paste", COUPLE), f"{COUPLE}|"),
    ],
)
def test_what_is_pasted_is_one_line_of_visible_text(press: Press, result: str) -> None:
    assert drawn(typed(press)) == result


@pytest.mark.parametrize("key", ["enter", "escape", "up", "ctrl-c", "unknown", "resize", "eof"])
def test_a_key_that_does_not_edit_changes_nothing(key: str) -> None:
    line = Line("ab", 1)
    assert line.press(Press(key)) is line


def test_a_line_is_full_at_its_limit_and_no_character_is_cut_there() -> None:
    line = typed(Press("paste", "x" * (LIMIT - 1)), Press("paste", COUPLE), "y", "z")
    assert line.text == "x" * (LIMIT - 1) + "y"


@pytest.mark.parametrize(
    ("line", "width", "visible"),
    [
        (Line("softmax", 7), 20, ("softmax", 7)),
        (Line("softmax", 7), 8, ("softmax", 7)),
        (Line("softmax", 7), 7, ("oftmax", 6)),
        (Line("softmax", 0), 4, ("soft", 0)),
        (Line("0123456789", 5), 6, ("234567", 3)),
        (Line("注意注意", 4), 6, ("注意", 4)),
        (Line("注意", 0), 1, ("", 0)),
        (Line("ab", 2), 1, ("", 0)),
        (Line("ab", 2), 0, ("", 0)),
    ],
)
def test_a_long_line_is_scrolled_to_its_cursor(
    line: Line, width: int, visible: tuple[str, int]
) -> None:
    assert line.view(width) == visible


EDITS = ["left", "right", "home", "end", "backspace", "delete", "ctrl-u", "ctrl-k", "ctrl-w"]
presses = st.one_of(
    st.sampled_from([*EDITS, "space"]).map(Press),
    st.sampled_from(["a", "注", COUPLE, "\u0301", "🇳", "🇱", "\u200d"]).map(Press),
    st.builds(Press, st.sampled_from(["paste", "burst"]), st.text(max_size=8)),
)


@given(st.lists(presses, max_size=20))
def test_the_cursor_never_stands_inside_a_character(presses: list[Press]) -> None:
    line = typed(*presses)
    assert line.cursor in {0, *accumulate(map(len, clusters(line.text)))}
    assert not any(category(character) in {"Cc", "Cs"} for character in line.text)


@given(st.lists(presses, max_size=20), st.integers(1, 30))
def test_the_cursor_is_always_in_view(presses: list[Press], width: int) -> None:
    line = typed(*presses)
    visible, column = line.view(width)
    assert visible in line.text
    assert sum(map(cells, clusters(visible))) <= width
    assert 0 <= column < width
