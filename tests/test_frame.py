"""A card on the screen: goldens as plain text, and what holds at every size of the window."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.text import Text

from attn_study.deck.card import Card, Figure
from attn_study.render.face import answer, question
from attn_study.render.frame import Frame, rule
from attn_study.render.help import review_help
from attn_study.render.text import cells
from learner import face_of

SCALING = Card(
    "attention/scaling",
    "basic",
    r"Why is the query–key dot product divided by \(\sqrt{d_k}\)?",
    r"A sum of \(d_k\) products spreads out like \(\sqrt{d_k}\). Large scores push the softmax to "
    r"a single 1: \[q \cdot k / \sqrt{d_k}\]",
    section="7.1 Attention",
    note="By the root, not by the whole.",
)
LOOKS = Card(
    "attention/looks",
    "basic",
    "Where does “it” look?",
    "At the chicken.",
    figure=Figure(("The", "chicken", "注意", "it"), (0.0, 0.62, 0.31, 0.07), "it"),
)
TYPED = Card("attention/typed", "typed", "Which?", "Because.", answer="x_i x_j")
BRACKETS = "W_q [d × d_k] [/] [bold]x[/bold] [i, j]"
WIDE = Card("attention/wide", "basic", f"{BRACKETS} 注意 👩‍💻 🇳🇱 e\u0301", "word " * 90 + "x" * 200)
CARDS = (SCALING, LOOKS, TYPED, WIDE)


KNOWN = face_of(SCALING, ease=250, repetitions=2, interval=6, due="2026-03-02")


def drawn(frame: Frame, columns: int, rows: int = 24) -> str:
    """What the window shows."""
    return "\n".join(line.plain.rstrip() for line in frame.fit(columns, rows))


def test_the_answer_at_eighty_columns() -> None:
    assert drawn(answer(KNOWN, 80), 80) == (
        """\
 attention › 7.1 Attention › scaling                                      1 due
────────────────────────────────────────────────────────────────────────────────

   Why is the query–key dot product divided by √dₖ?

 ── answer ─────────────────────────────────────────────────────────────────────

   A sum of dₖ products spreads out like √dₖ. Large scores push the softmax
   to a single 1:
     q · k/√dₖ

   │ By the root, not by the whole.






────────────────────────────────────────────────────────────────────────────────
   1 again          2 hard           3 good           4 easy
   1 d              15 d             15 d             16 d
   and again today  and again today                   faster later

 u undo   e edit   ? more   q quit"""
    )


def test_the_answer_at_forty_columns_puts_the_grades_under_one_another() -> None:
    assert drawn(answer(KNOWN, 40), 40) == (
        """\
 attention › 7.1 Attention › scaling
 1 due
────────────────────────────────────────

 Why is the query–key dot product
 divided by √dₖ?

 ── answer ─────────────────────────────

 A sum of dₖ products spreads out like
 √dₖ. Large scores push the softmax to
 a single 1:
   q · k/√dₖ

 │ By the root, not by the whole.


────────────────────────────────────────
   1 again  1 d     and again today
   2 hard   15 d    and again today
   3 good   15 d
   4 easy   16 d    faster later

 u undo   e edit   ? more   q quit"""
    )


def test_the_answer_at_a_hundred_and_twenty_columns_keeps_its_lines_short() -> None:
    assert drawn(answer(KNOWN, 120), 120, 20) == (
        f"""\
 attention › 7.1 Attention › scaling{" " * 78}1 due
{"─" * 120}

   Why is the query–key dot product divided by √dₖ?

 ── answer {"─" * 109}

   A sum of dₖ products spreads out like √dₖ. Large scores push the softmax to a single 1:
     q · k/√dₖ

   │ By the root, not by the whole.



{"─" * 120}
   1 again          2 hard           3 good           4 easy
   1 d              15 d             15 d             16 d
   and again today  and again today                   faster later

 u undo   e edit   ? more   q quit"""
    )


def test_the_question_at_twenty_columns() -> None:
    assert drawn(question(KNOWN, 20, "said"), 20, 18) == (
        """\
 attention › 7.1
 Attention
 1 due
────────────────────

 Why is the
 query–key dot
 product divided by
 √dₖ?




────────────────────
 said
 space answer
 u undo   e edit
 ? more   q quit"""
    )


def test_a_wrong_typed_answer_is_set_beside_the_right_one_with_a_grade_suggested() -> None:
    face = face_of(TYPED, "x_i xx_j", ease=250, repetitions=2, interval=6, due="2026-03-02")
    assert drawn(answer(face, 80), 80, 18) == (
        """\
 attention › typed                                                        1 due
────────────────────────────────────────────────────────────────────────────────

   Which?

 ── not quite ──────────────────────────────────────────────────────────────────

   you    x_i xx_j
              ^
   right  x_i x_j

   Because.
────────────────────────────────────────────────────────────────────────────────
 ▸ 1 again          2 hard           3 good           4 easy
   1 d              15 d             15 d             16 d
   and again today  and again today                   faster later

 u undo   e edit   ? more   q quit"""
    )


def test_a_figure_has_word_bar_and_weight_under_one_another() -> None:
    lines = drawn(answer(face_of(LOOKS), 80), 80, 30).splitlines()
    start = lines.index("   At the chicken.") + 2
    assert lines[start : start + 4] == [
        "   The   chicken  注意  it",
        "         ███████  ▄▄▄▄  ▁▁",
        "   0.00  0.62     0.31  0.07",
        "   “it” asks; the bars are its weights (illustrative)",
    ]


def test_brackets_are_shown_as_they_were_typed() -> None:
    shown = answer(face_of(WIDE), 120)
    assert any(BRACKETS in line.plain for line in shown.body)


def frames(columns: int) -> list[Frame]:
    """Every sort of frame of a review at this width."""
    faces = [face_of(card) for card in CARDS]
    faces += [KNOWN, replace(KNOWN, beginner=True), face_of(TYPED, "x" * 150)]
    faces += [face_of(TYPED, words) for words in ("x_i x_j", "xi", "", "注意 " * 30)]
    words = "not saved: " + "a-long-word" * 12
    return [
        *(question(face, columns) for face in faces),
        *(question(face, columns, words, typing=True) for face in faces),
        *(answer(face, columns) for face in faces),
        *(answer(face, columns, words) for face in faces),
        Frame((), tuple(review_help(columns)), (Text(" any key back"),)),
    ]


@pytest.mark.parametrize("columns", [20, 36, 49, 50, 69, 70, 80, 120])
def test_no_line_is_wider_than_the_window(columns: int) -> None:
    for frame in frames(columns):
        lines = (*frame.header, *frame.body, *frame.footer)
        shown = [line.plain.rstrip() for line in lines]
        assert [line for line in shown if cells(line) > columns] == []


@pytest.mark.parametrize(("columns", "rows"), [(80, 24), (40, 24), (20, 24), (40, 9), (20, 5)])
def test_the_keys_and_some_of_the_card_are_always_in_sight(columns: int, rows: int) -> None:
    for frame in frames(columns):
        shown = frame.fit(columns, rows)
        assert len(shown) <= rows
        assert shown[-1] == frame.footer[-1]
        assert any(line.plain.startswith("─") for line in shown)


@pytest.mark.parametrize(("columns", "rows"), [(80, 8), (40, 8), (40, 12), (20, 12), (30, 14)])
@pytest.mark.parametrize("words", ["", "not saved: " + "a-long-word " * 12])
def test_a_low_window_begins_with_the_answer_over_the_keys_that_grade_it(
    columns: int, rows: int, words: str
) -> None:
    faces = [KNOWN, replace(KNOWN, beginner=True), replace(KNOWN, demo="causal-mask")]
    faces += [face_of(WIDE), face_of(TYPED, "xi"), face_of(TYPED, "注意 " * 30)]
    for face in faces:
        frame = answer(face, columns, words, rows=rows)
        shown = [line.plain for line in frame.fit(columns, rows, frame.first_offset(rows))]
        assert len(shown) <= rows
        assert max(map(cells, (line.rstrip() for line in shown))) <= columns
        heading = next(at for at, line in enumerate(shown) if line.startswith(" ── "))
        said = [line for line in shown[heading + 1 :] if line.strip()]
        assert not said[0].startswith("─"), shown
        seen = "\n".join(shown[-rows:])
        for choice in face.choices:
            assert f"{choice.key} {choice.name}" in seen
        assert "q quit" in shown[-1]
        assert "not saved" in seen or not words


@pytest.mark.parametrize(("columns", "rows"), [(80, 24), (40, 24), (40, 9), (20, 12)])
def test_what_a_low_window_shows_of_a_card_scrolls_through_all_its_words(
    columns: int, rows: int
) -> None:
    for card in CARDS:
        full, low = answer(face_of(card), columns), answer(face_of(card), columns, rows=rows)
        seen = {
            line.plain
            for offset in range(low.last_offset(rows) + 1)
            for line in low.fit(columns, rows, offset)
        }
        assert {line.plain for line in full.body if line.plain.strip()} <= seen


@pytest.mark.parametrize(("columns", "rows"), [(80, 24), (80, 18), (40, 24), (20, 24)])
def test_a_window_with_room_is_drawn_as_ever(columns: int, rows: int) -> None:
    assert answer(KNOWN, columns, rows=rows) == answer(KNOWN, columns)
    assert question(KNOWN, columns, rows=rows) == question(KNOWN, columns)


@pytest.mark.parametrize(("columns", "rows"), [(80, 24), (40, 24), (40, 9), (20, 12)])
def test_scrolling_shows_every_line_of_the_card(columns: int, rows: int) -> None:
    for frame in frames(columns):
        seen = {
            line.plain
            for offset in range(frame.last_offset(rows) + 1)
            for line in frame.fit(columns, rows, offset)
        }
        assert {line.plain for line in frame.body} <= seen


def test_the_rule_says_how_much_is_out_of_sight() -> None:
    body = tuple(Text(str(number)) for number in range(30))
    frame = Frame((Text("head"),), body, (Text("keys"),))
    shown = frame.fit(20, 10, offset=5)
    assert [line.plain for line in shown] == [
        "head",
        *map(str, range(5, 12)),
        "── ↑ 5  ↓ 18 more ──",
        "keys",
    ]
    assert frame.last_offset(10) == 23
    assert "↓" not in frame.fit(20, 10, offset=23)[-2].plain


def test_blank_lines_of_the_footer_make_way_for_the_card() -> None:
    footer = (Text("grades"), Text(), Text("keys"))
    for lines, expected in ((3, ["grades", "", "keys"]), (4, ["grades", "keys"])):
        frame = Frame((), tuple(Text("line") for _ in range(lines)), footer)
        shown = [line.plain for line in frame.fit(10, 7)]
        assert shown == ["line"] * lines + ["─" * 10] + expected


lines_of_text = st.lists(st.text("ab─注", max_size=12).map(Text), max_size=12).map(tuple)


@settings(deadline=None)
@given(lines_of_text, lines_of_text, lines_of_text, st.integers(1, 30), st.integers(0, 15))
def test_any_frame_fits_its_window_from_any_offset(
    header: tuple[Text, ...],
    body: tuple[Text, ...],
    footer: tuple[Text, ...],
    rows: int,
    offset: int,
) -> None:
    frame = Frame(header, body, footer)
    shown = frame.fit(20, rows, min(offset, frame.last_offset(rows)))
    assert len(shown) <= rows
    assert 0 <= frame.last_offset(rows) <= len(body)
    if len(header) + len(body) + len(footer) < rows:
        assert frame.last_offset(rows) == 0


@pytest.mark.parametrize("columns", [1, 2, 3, 7, 12])
def test_a_window_of_next_to_no_width_breaks_nothing(columns: int) -> None:
    for frame in frames(columns):
        for rows in (1, 2, 5):
            assert len(frame.fit(columns, rows)) <= rows
    assert rule(columns, "words").plain.startswith("── words")


def test_ascii_faces_are_ascii_where_the_card_speaks() -> None:
    face = replace(KNOWN, ascii=True)
    lines = [line.plain for line in answer(face, 80).body]
    assert "   Why is the query-key dot product divided by sqrt(d_k)?" in lines
    assert any("q . k" in line for line in lines)
