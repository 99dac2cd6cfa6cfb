"""Panels too wide for the screen: what does not fit is left out with a sign, or set below."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from attn_study.demos.panels import Block, Matrices, Panel, Table
from attn_study.render import numbers, panels
from attn_study.render.numbers import number
from attn_study.render.panels import draw
from attn_study.render.shades import of_weight
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


def test_what_stands_over_the_names_of_the_rows_stands_over_a_wide_table_too() -> None:
    table = replace(TABLE, title="", columns=("for W^V", "full", "factored"))
    assert lines(table, 80)[0].strip().startswith("for W^V")
    assert lines(table, 30)[:2] == [" for W^V", "   GPT-3"]


def test_shares_in_a_table_are_shaded_by_their_size_where_they_are_weights() -> None:
    table = Table(("head", "chicken", "road"), (("2.1", "0.99", "0.02"), ("it", "0.50", "·")))
    drawn = draw((replace(table, role="weights"),), 80)
    styles = {
        line.plain[span.start : span.end]: span.style for line in drawn for span in line.spans
    }
    assert [styles[cell] for cell in ("0.99", "0.50", "·")] == [
        of_weight(0.99),
        of_weight(0.5),
        "dim",
    ]
    assert not {"0.02", "2.1", "it"} & {*styles}
    assert not any(line.spans for line in draw((table,), 80)[1:])


def test_a_matrix_has_only_the_numbers_formatted_that_are_seen(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    size = 300
    values = tuple(
        tuple((row * size + at) / size**2 - 0.5 for at in range(size)) for row in range(size)
    )
    formatted: list[float | None] = []

    def counting(value: float | None, digits: int | None) -> str:
        formatted.append(value)
        return number(value, digits)

    for module in (panels, numbers):
        monkeypatch.setattr(module, "number", counting)
    names = tuple(map(str, range(size)))
    _, *rows = lines(Matrices(names, (Block("W", values),)), 80)
    seen = sum(row.count(".") for row in rows)
    assert size < seen <= size * 80 // 2
    assert len(formatted) <= seen + 10


@pytest.mark.parametrize(
    ("others", "last", "width"),
    [
        (0.5, 99_999.99, 8),
        (99_999.99, 100_000.0, 8),
        (0.5, 100_000.0, 7),
        (0.5, -9_999_999_999.0, 14),
        (0.5, 1e12, 9),
        (-9_999_999_999.5, -1e12, 15),
        (0.5, -1e101, 11),
        (0.5, -0.001, 4),
        (-7.5, 0.5, 5),
        (3.0, -1_000_000.0, 10),
    ],
)
def test_columns_are_as_wide_as_the_longest_number_in_sight_or_not(
    others: float, last: float, width: int
) -> None:
    values = ((others,) * 200, (*(others,) * 199, last))
    first = lines(Matrices(("a", "b"), (Block("W", values),)), 80)[1]
    text = first.split()[1]
    ends = [at.end() for at in re.finditer(re.escape(text), first)]
    assert ends[1] - ends[0] == width + 1
