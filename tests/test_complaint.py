"""How a complaint reads."""

from __future__ import annotations

from attn_study.deck.complaint import Complaint
from deck_text import HERE, only, with_card


def test_a_complaint_shows_the_line_and_points_at_the_column() -> None:
    assert str(only(with_card("front: Q3\nback: [d × d_k]"))) == (
        "my.yaml:7:11: this reads as a list, not as text\n"
        "     7 |     back: [d × d_k]\n"
        "       |           ^ put single quotes round it: '[d × d_k]'"
    )


def test_a_complaint_about_a_long_line_shows_the_part_around_the_mistake() -> None:
    shown = str(Complaint(HERE, 1, 501, "odd", "x" * 500 + "!" + "y" * 500)).split("\n")
    assert max(map(len, shown)) < 120
    assert shown[1][shown[2].index("^")] == "!"


def test_the_caret_stands_under_its_character_behind_wide_ones_and_tabs() -> None:
    _, line, caret = str(Complaint(HERE, 1, 5, "odd", "\t注e\u0301!")).split("\n")
    assert (line[9:], caret[9:]) == ("\t注e\u0301!", "\t   ^")
