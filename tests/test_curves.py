"""Two sorts of panel of the lesson that plays: lines that grow, and words shaded by weight."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from attn_study.demos.panels import Curve, Curves, Panel, Shaded
from attn_study.demos.working import Focus
from attn_study.render.output import fitted
from attn_study.render.panels import draw
from attn_study.render.text import cells
from lessons import kept, lines

WIDTHS = st.integers(24, 130)
SHARES = st.floats(0, 1, allow_nan=False)


def curve(*values: float, length: int = 0, top: float = 1) -> Curves:
    """One curve alone."""
    return Curves((Curve("title", values, length or len(values), top),), "0", "9", 4)


def columns_of(panel: Panel) -> list[str]:
    """A curve turned: what stands in each of its columns, from below, without the scale."""
    rows = [line[3:] for line in lines((panel,), 28)[1:-1]]
    width = max(map(len, rows))
    return ["".join(row.ljust(width)[at] for row in reversed(rows)) for at in range(width)]


def test_a_column_is_as_high_as_its_value() -> None:
    found = columns_of(curve(0, 0.25, 0.5, 0.625, 1))
    heights = [found[round(at * (len(found) - 1) / 4)] for at in range(5)]
    assert heights == ["▁   ", "█   ", "██  ", "██▄ ", "████"]


def test_what_is_to_come_is_dots_until_it_has_come() -> None:
    half, whole = (columns_of(curve(*[1.0] * n, length=11)) for n in (5, 11))
    assert set(whole) == {"████"}
    assert set(half) == {"████", "·   "}
    assert half == sorted(half, reverse=True)
    assert half.count("████") == pytest.approx(len(half) * 4.5 / 10, abs=1)


def test_the_scale_and_the_ends_are_named() -> None:
    drawn = lines((Curves((Curve("loss 3.75", (2.5, 3.75), 2, 3.75, digits=2),), "0", "9", 4),), 40)
    assert drawn[0] == " loss 3.75"
    assert drawn[1].startswith(" 3.75 ")
    assert drawn[4].startswith("    0 ")
    assert drawn[5].split() == ["0", "9"]


@given(st.lists(SHARES, min_size=1, max_size=9), WIDTHS, st.integers(1, 3), st.integers(2, 5))
def test_curves_fit_every_width(values: list[float], columns: int, count: int, height: int) -> None:
    one = Curve("a title that is long", tuple(values), 9, 1.0)
    drawn = lines((Curves((one,) * count, "0", "180 steps", height),), columns)
    assert all(cells(line) <= columns for line in drawn)
    assert len(drawn) % (height + 2) == 0


def test_three_curves_stand_side_by_side_where_there_is_room() -> None:
    three = Curves((Curve("title", (0.5,), 3, 1.0),) * 3, "0", "9", 4)
    assert [len(lines((three,), columns)) for columns in (40, 60, 80)] == [18, 12, 6]


def test_a_rising_line_rises_in_ascii_too() -> None:
    drawn = draw((curve(*(at / 8 for at in range(9))),), 28)
    plain = [fitted(line, "ascii", ascii=True).plain for line in drawn]
    assert all(line.isascii() for line in plain)
    filled = [sum(char in "#+=" for char in line[3:]) for line in plain[1:-1]]
    assert filled == sorted(filled)
    assert filled[0] < filled[-1]


def test_a_course_is_drawn_up_to_the_moment_in_focus() -> None:
    lesson = kept("learn")
    for at in (0, 20, 60):
        (curves,) = (p for p in lesson.panels(Focus(at)) if isinstance(p, Curves))
        assert [len(one.values) for one in curves.curves] == [at + 1] * 3
        assert {one.length for one in curves.curves} == {61}


def test_bar_and_number_stand_under_their_word() -> None:
    drawn = lines((Shaded("who asks", ("a", "chicken", "it"), (0.0, 1.0, 0.5)),), 40)
    assert drawn == [
        " who asks",
        " a     chicken  it",
        "       ███████  ▄▄",
        " 0.00  1.00     0.50",
    ]


def test_words_stand_closer_where_that_saves_a_row() -> None:
    words = Shaded("title", ("abcd",) * 6, (0.1,) * 6)
    assert [lines((words,), columns)[1] for columns in (36, 32)] == [
        " abcd  abcd  abcd  abcd  abcd  abcd",
        " abcd abcd abcd abcd abcd abcd",
    ]


@given(st.lists(st.text(min_size=1, max_size=12), min_size=1, max_size=12), WIDTHS)
def test_shaded_words_fit_every_width(words: list[str], columns: int) -> None:
    panel = Shaded("title", tuple(words), (0.5,) * len(words))
    assert all(cells(line) <= columns for line in lines((panel,), columns))
