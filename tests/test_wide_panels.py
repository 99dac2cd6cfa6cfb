"""Panels too wide for the screen: what does not fit is left out with a sign, or set below."""

from __future__ import annotations

import pytest

from attn_study.demos.panels import Block, Matrices, Panel, Table
from attn_study.render.panels import draw
from attn_study.render.text import cells

WIDE = Matrices(("a", "注意"), (Block("a long name of a matrix", (tuple(range(30)),) * 2),))
TABLE = Table(("", "full", "factored"), (("GPT-3", "150,994,944", "3,145,728"),), "one value map")


def lines(panel: Panel, columns: int) -> list[str]:
    return [line.plain for line in draw((panel,), columns)]


@pytest.mark.parametrize("columns", [20, 40, 79, 80, 120])
@pytest.mark.parametrize("panel", [WIDE, TABLE], ids=["matrix", "table"])
def test_no_line_is_wider_than_the_screen(panel: Panel, columns: int) -> None:
    assert max(map(cells, lines(panel, columns))) <= columns


def test_a_wide_matrix_shows_its_first_columns_and_a_sign_that_there_are_more() -> None:
    title, *rows = lines(WIDE, 40)
    assert title == " a long name of a matrix [2×30]"
    assert rows == [
        "   a      0  1  2  3  4  5  6  7  8  9 …",
        "   注意   0  1  2  3  4  5  6  7  8  9 …",
    ]
    assert "…" not in "".join(lines(WIDE, 120))


def test_a_wide_table_has_each_row_as_a_heading_with_its_cells_below() -> None:
    assert lines(TABLE, 80) == [
        " one value map",
        "          full         factored",
        "   GPT-3  150,994,944  3,145,728",
    ]
    assert lines(TABLE, 30) == [
        " one value map",
        "   GPT-3",
        "     full  150,994,944",
        "     factored  3,145,728",
    ]
