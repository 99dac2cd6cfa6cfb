"""How panels are drawn: nothing wider than the screen, no number lost, the mask never a 0.00."""

from __future__ import annotations

import math
import re
from dataclasses import replace

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from attn_study.demos.panels import (
    Block,
    Gap,
    Grid,
    Grids,
    Ledger,
    Matrices,
    Panel,
    Pattern,
    Row,
    Table,
    Words,
)
from attn_study.demos.working import Focus
from attn_study.render.lesson import Sheet, header, key_line, lesson_lines, named_lines, sheet
from attn_study.render.numbers import bar, number, window
from attn_study.render.output import fitted
from attn_study.render.panels import draw
from lessons import ALL, lesson, lines, text
from sizes import ends

# The first words a learner might try, and what breaks tables.
TOKENS = ("The", "chicken", "it", "注意", "👩‍💻", "é", "[MASK]", "internationalization", "a\u202eb")

numbers = st.one_of(
    st.sampled_from((0.0, 1.0, -1.0, 0.5, -0.07)),
    st.floats(-1e3, 1e3, allow_nan=False),
    st.floats(-1e12, 1e12, allow_nan=False),
)
weights = st.floats(0, 1, allow_nan=False)
tokens = st.one_of(
    st.sampled_from(TOKENS), st.text(st.characters(exclude_characters="\r\n"), max_size=6)
)


@st.composite
def grids(draw_from: st.DrawFn) -> Grids:
    asks = tuple(draw_from(st.lists(tokens, min_size=1, max_size=14)))
    answers = tuple(draw_from(st.lists(tokens, min_size=1, max_size=14)))
    role = draw_from(st.sampled_from(("weights", "scores")))
    cell = st.one_of(st.none(), weights if role == "weights" else numbers)
    row = st.tuples(*[cell] * len(answers))
    values = st.tuples(*[row] * len(asks))
    focus = draw_from(st.one_of(st.none(), st.integers(0, len(asks) - 1)))
    digits = draw_from(st.sampled_from((2, 4)))
    pictures = [
        Grid(title, asks, answers, draw_from(values), role, focus, digits)  # type: ignore[arg-type]
        for title in draw_from(st.sampled_from((("",), ("head 1", "head 2"), ("✗ wrong: 1",))))
    ]
    return Grids(tuple(pictures), transposed=draw_from(st.booleans()))


@st.composite
def ledgers(draw_from: st.DrawFn) -> Ledger:
    columns = tuple(draw_from(st.lists(tokens, max_size=9)))
    cell = st.one_of(st.none(), numbers, st.just("yes"), st.tuples(numbers, numbers))
    rows = st.builds(
        Row,
        name=st.sampled_from(("", "score", "masked_scores")),
        how=st.sampled_from(("", "exp ÷ sum", "✓")),
        values=st.lists(cell, max_size=9).map(tuple),
        remark=st.sampled_from(("", "sum 1.0000", "2·2 + 1·0 + 3·(-1) = 1 and so on")),
        bars=st.booleans(),
    )
    title = draw_from(st.sampled_from(("", "“it” asks, these answer")))
    return Ledger(title, columns, tuple(draw_from(st.lists(rows, min_size=1, max_size=5))))


@st.composite
def matrices(draw_from: st.DrawFn) -> Matrices:
    names = tuple(draw_from(st.lists(tokens, min_size=1, max_size=5)))
    blocks = []
    for title in draw_from(st.lists(st.sampled_from(("X", "Q = X W^Q", "")), max_size=4)):
        width = draw_from(st.integers(1, 20))
        row = st.tuples(*[numbers] * width)
        blocks.append(Block(title, draw_from(st.tuples(*[row] * len(names))), focus=0))
    return Matrices(names, tuple(blocks))


@example(Ledger("", (), (Row("", values=(0.0, 999999999.5)),)), 20)
@settings(deadline=None)
@given(st.one_of(grids(), ledgers(), matrices()), st.integers(20, 100))
def test_nothing_is_wider_than_the_screen(panel: Panel, columns: int) -> None:
    assert all(line.cell_len <= columns for line in draw((panel,), columns))


@settings(deadline=None)
@given(st.one_of(grids(), ledgers(), matrices()), st.integers(1, 20))
def test_the_smallest_windows_break_nothing(panel: Panel, columns: int) -> None:
    assert all("\n" not in line.plain for line in draw((panel,), columns))


@settings(deadline=None)
@given(st.one_of(grids(), ledgers(), matrices()))
def test_ascii_screens_get_ascii(panel: Panel) -> None:
    for line in draw((panel, Words("√d_k · α — “it” ✓ ✗ ▸")), 80):
        assert fitted(line, "utf-8", ascii=True).plain.isascii()


@settings(deadline=None)
@given(grids(), st.integers(20, 100))
def test_a_row_of_a_grid_is_one_line_and_never_wraps(panel: Grids, columns: int) -> None:
    alone = replace(panel, grids=(replace(panel.grids[0], title=""),), margin="")
    grid = alone.grids[0]
    rows = len(grid.columns if alone.transposed else grid.rows)
    drawn = lines((alone,), columns)
    assert len(drawn) - rows - 2 == sum(" of " in line for line in drawn[rows + 2 :])


WORKED = Grid(
    "head 1",
    ("The", "chicken", "it"),
    ("The", "chicken", "it"),
    ((1.0, None, None), (0.0283, 0.9717, None), (0.0743, 0.62, 0.3057)),
    focus=2,
)
SCORES = Grid(
    "", WORKED.rows, WORKED.columns, ((2, 0, 2), (-1, 4, 1), (1, 4, 3)), "scores", 1
)  # fmt: skip


@pytest.mark.parametrize(
    ("panel", "columns", "drawn"),
    [
        (
            Grids((WORKED,)),
            80,
            """\
 asks ↓       head 1
 answers →    The     chicken  it
   The        1.00 █   ·        ·
   chicken    0.03    0.97 █    ·
 ▸ it         0.07    0.62 ▋   0.31 ▎
              each row sums to 1""",
        ),
        (
            Grids((WORKED,), "each column sums to 1", transposed=True),
            80,
            """\
 answers ↓    head 1
 asks →       The     chicken  ▾it
   The        1.00 █  0.03     0.07
   chicken     ·      0.97 █   0.62 ▋
   it          ·       ·       0.31 ▎
              each column sums to 1""",
        ),
        (
            Grids((SCORES,), ""),
            80,
            """\
 asks ↓
 answers →    The  chicken  it
   The         2   0        2
 ▸ chicken    -1   4        1
   it          1   4        3""",
        ),
        (
            Grids((WORKED, WORKED)),
            40,
            """\
 asks ↓     head 1
 answers →  The   chicken  it
   The      1.00   ·        ·
   chicken  0.03  0.97      ·
 ▸ it       0.07  0.62     0.31
            each row sums to 1
 asks ↓     head 1
 answers →  The   chicken  it
   The      1.00   ·        ·
   chicken  0.03  0.97      ·
 ▸ it       0.07  0.62     0.31
            each row sums to 1""",
        ),
        (
            Grids((WORKED,), ""),
            20,
            """\
 asks ↓     head 1
 answers →  it
   The       ·
   chicken   ·
 ▸ it       0.31
 tokens 3–3 of 3""",
        ),
        (
            Ledger(
                "“it” asks, these answer",
                ("The", "chicken", "it"),
                (
                    Row("score", "q · k", (1.0, 4.0, 3.0), "2·2 + 1·0 = 4"),
                    Row("exp", "", (2.0281, 16.9188, None), "sum 27.2891"),
                    Row("mask", "may it look?", ("yes", "yes", "·")),
                    Row("weight", "exp ÷ sum", (0.0743, 0.62, 0.0), bars=True),
                    Row("times v", "", ((0.1486, -0.0743), (1.86, 1.86), (0.3057, 0.0))),
                    Row("output", "", (2.3143, 1.7856, -0.5287, 2.8429), "[1×4]"),
                ),
            ),
            80,
            """\
 “it” asks, these answer    The        chicken    it
 score    q · k             1          4          3               2·2 + 1·0 = 4
 exp                        2.0281    16.9188     ·                 sum 27.2891
 mask     may it look?      yes        yes        ·
 weight   exp ÷ sum         0.0743     0.6200     0.0000
                            ▊          ██████▎
 times v                  ( 0.1486   ( 1.8600   ( 0.3057
                           -0.0743)    1.8600)    0.0000)
 output                     2.3143     1.7856    -0.5287     2.8429       [1×4]""",
        ),
        (
            Ledger("", ("The", "it"), (Row("score", "q · k", (1.0, -4.5), "the largest: 1"),)),
            20,
            """\
    The     it
 score  q · k
    1.0000 -4.5000
   the largest: 1""",
        ),
        (
            Matrices(
                ("The", "it"),
                (
                    Block("X", ((1.0, 0.0), (0.0, 2.0)), "x", 1),
                    Block("Q = X W^Q", ((0.5, 2.0), (2.0, -1.0)), "query"),
                ),
            ),
            80,
            """\
 X [2×2]          Q = X W^Q [2×2]
   The  1 0         0.50  2.00
 ▸ it   0 2         2.00 -1.00""",
        ),
        (Pattern("all rows", WORKED, "row sum 1"), 80,
         " all rows   The 1.00 · ·   chicken 0.03 0.97 ·   it 0.07 0.62 0.31   row sum 1"),
        (
            Table(("", "row sum", ""), (("late", 0.8957, "✗"), ("right", 1.0, "✓")), focus=1),
            80,
            """\
          row sum
   late    0.8957  ✗
 ▸ right        1  ✓""",
        ),
        (Words("One two three four five."), 12, " One two\n three four\n five."),
    ],
)  # fmt: skip
def test_panels_look_like_this(panel: Panel, columns: int, drawn: str) -> None:
    assert text((panel,), columns) == drawn


def test_a_masked_cell_is_not_a_small_one() -> None:
    rows = (("a", "b"), ("a", "b"), ((1.0, None), (0.999, 0.001)))
    shown = lines((Grids((Grid("", *rows),), ""),))
    assert "0.00" in shown[-1]
    assert "·" not in shown[-1]
    assert "·" in shown[-2]
    assert "0.00" not in shown[-2]
    assert [fitted(line, "ascii").plain for line in draw((Gap(),), 80)] == [""]


def test_turning_the_layout_turns_the_mask() -> None:
    paper, video = (lines((Grids((WORKED,), "", transposed=turn),)) for turn in (False, True))
    assert [line.count("·") for line in paper[2:]] == [2, 1, 0]
    assert [line.count("·") for line in video[2:]] == [0, 1, 2]
    assert paper[0].startswith(" asks ↓")
    assert video[1].startswith(" asks →")


@pytest.mark.parametrize("word", ["it", "chicken", "understanding"])
def test_eleven_tokens_fit_eighty_columns_and_more_are_windowed(word: str) -> None:
    def shown(n: int, focus: int) -> str:
        row = tuple([1 / n] * n)
        return text((Grids((Grid("", (word,) * n, (word,) * n, (row,) * n, focus=focus),)),))

    assert "of 11" not in shown(11, 10)
    wide = shown(32, 31)
    assert re.search(r"tokens \d+–32 of 32", wide)
    assert max(map(len, wide.splitlines())) <= 80
    assert re.search(r"tokens 1–\d+ of 32", shown(32, 0))
    assert len(wide.splitlines()) == 32 + 3


@pytest.mark.parametrize(
    ("size", "room", "focus", "seen"),
    [
        (3, 5, None, range(3)),
        (9, 4, None, range(5, 9)),
        (9, 4, 8, range(5, 9)),
        (9, 4, 5, range(2, 6)),
        (9, 4, 0, range(4)),
    ],
)
def test_a_window_ends_at_the_focus(size: int, room: int, focus: int | None, seen: range) -> None:
    assert window(size, room, focus) == seen


@pytest.mark.parametrize(
    ("value", "digits", "written"),
    [
        (0.5, 2, "0.50"),
        (-0.001, 2, "0.00"),
        (-0.5, 4, "-0.5000"),
        (None, 4, "·"),
        (3.0, None, "3"),
        (57_982_058_496.0, None, "57,982,058,496"),
        (12_288.0, None, "12288"),
        (517_414.7, 4, "517,415"),
        (1.25e13, 4, "1.250e+13"),
    ],
)
def test_numbers_are_written_one_way(value: float | None, digits: int | None, written: str) -> None:
    assert number(value, digits) == written


@given(st.floats(0, 1), st.integers(1, 20))
def test_a_bar_is_as_long_as_its_weight(share: float, width: int) -> None:
    drawn = bar(share, width)
    assert len(drawn) <= width
    assert (drawn == "") == (share == 0)
    assert abs(drawn.count("█") - math.floor(share * width)) <= 1


@pytest.mark.parametrize(
    ("columns", "drawn"),
    [
        (
            80,
            [
                " mask   who may look at whom                     toy weights, set by hand · d=4",
                " notice the row “it” is right under every fault",
            ],
        ),
        (
            30,
            [
                " mask   who may look at whom",
                " toy weights, set by hand ·",
                " d=4",
                " notice the row “it” is right",
                "        under every fault",
            ],
        ),
    ],
)
def test_a_header_says_what_the_weights_are(columns: int, drawn: list[str]) -> None:
    weights, notice = "toy weights, set by hand · d=4", "the row “it” is right under every fault"
    shown = header("mask", "who may look at whom", weights, notice, columns)
    assert [line.plain for line in shown] == drawn


@pytest.mark.parametrize("columns", [1, 20, 79, 80, 200])
def test_keys_take_one_line_and_the_way_out_stays(columns: int) -> None:
    keys = [(key, f"does {key}") for key in "abcdefghijk"] + [("?", "help"), ("q", "quit")]
    line = key_line(keys, columns)
    assert line.plain.endswith("q quit")
    assert line.cell_len <= max(columns, len(" q quit"))
    assert ("? help" in line.plain) == (columns >= 20)


@pytest.mark.parametrize(
    ("body", "rows", "rule"), [(20, 24, False), (21, 24, False), (22, 24, True)]
)
def test_a_rule_is_drawn_only_when_something_is_out_of_sight(
    body: int, rows: int, rule: bool
) -> None:
    plain = draw([Gap()] * 2, 80)
    shown = sheet(plain, draw([Words("x")] * body, 80), draw([Words("q quit")], 80), rows)
    fitted_to = [line.plain for line in shown.fit(80, rows)]
    assert len(fitted_to) == rows
    assert fitted_to[-1] == " q quit"
    assert any(line.startswith("─") for line in fitted_to) == rule
    assert (shown.last_offset(rows) > 0) == rule


def test_on_a_low_screen_the_header_scrolls_too() -> None:
    two, body = draw([Words("head")] * 2, 80), draw([Words("x")] * 30, 80)
    assert len(sheet(two, body, (), 8).header) == 2
    assert sheet(two, body, (), 7).header == ()
    assert isinstance(sheet(two, body, (), 7), Sheet)


@pytest.mark.parametrize("columns", [20, 40, 80])
def test_names_with_meanings_fit(columns: int) -> None:
    drawn = named_lines([("mask-zero-before", "what comes out when a score is 0")] * 2, columns)
    assert all(line.cell_len <= columns for line in drawn)
    said = " ".join(line.plain for line in drawn)
    assert said.split().count("what") == 2


@pytest.mark.parametrize("name", ALL)
def test_every_lesson_is_one_screen_with_its_keys(name: str) -> None:
    shown = lesson(name)
    focus = shown.focus(shown.demo.focus)
    working = shown.working
    drawn = lesson_lines(
        name, shown.title, working.weights, working.notice, shown.panels(focus), 80
    )
    assert len(drawn) <= 23
    assert all(line.cell_len <= 80 for line in drawn)


@pytest.mark.parametrize("name", ALL)
def test_every_lesson_fits_every_window_at_every_focus(name: str) -> None:
    shown = lesson(name)
    for query in ends(range(max(1, shown.n_queries))):
        for columns in (20, 33, 80):
            focus = Focus(query, query % shown.n_heads, columns == 33)
            for panels in (shown.panels(focus), shown.every_stage(focus), shown.matrices(focus)):
                drawn = draw(panels, columns)
                assert all(line.cell_len <= columns for line in drawn)
                assert all(fitted(line, "utf-8", ascii=True).plain.isascii() for line in drawn)
