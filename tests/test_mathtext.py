"""Formulas come out as a person would draw them in a terminal, and nothing of them is lost."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from attn_study.render.cells import cells
from attn_study.render.mathtext import inline, lacks_capital, layout


def _golden() -> list[tuple[str, str, str]]:
    """Formula, in a sentence, on its own: the pages of the file beside this one."""
    text = Path(__file__).with_name("golden_formulas.txt").read_text(encoding="utf-8")
    pages = [page.split("\n") for page in text.strip("\n").split("\n\n")]
    return [
        (page[0].removeprefix("TeX     "), page[1].removeprefix("inline  "), _rows(page[2:]))
        for page in pages
    ]


def _rows(rows: list[str]) -> str:
    return "\n".join(row[8:] for row in rows)


# formulas of the first deck that are not above
OF_THE_DECK = [
    ("k", "k"),
    ("k+1", "k + 1"),
    ("i", "i"),
    ("x_i", "xᵢ"),
    (r"j \le i", "j ≤ i"),
    ("q_i = x_iW^Q", "qᵢ = xᵢW^Q"),
    ("k_i = x_iW^K", "kᵢ = xᵢWᴷ"),
    ("v_i = x_iW^V", "vᵢ = xᵢWⱽ"),
    (r"\sqrt{d_k}", "√dₖ"),
    ("a_i", "aᵢ"),
    (r"\alpha_{ij} = \text{softmax}(\text{score}(x_i, x_j))", "αᵢⱼ = softmax(score(xᵢ, xⱼ))"),
    (r"a_i = \text{head}_i W^O", "aᵢ = headᵢ Wᴼ"),
    ("W^O", "Wᴼ"),
    ("W^Q, W^K", "W^Q, W^K"),
    ("W^V", "Wⱽ"),
    (r"[d \times d_v]", "[d × dᵥ]"),
    (r"[1 \times d_v]", "[1 × dᵥ]"),
    (r"[d_v \times d]", "[dᵥ × d]"),
    (r"[1 \times d]", "[1 × d]"),
    ("d", "d"),
    ("W^{Q_c}, W^{K_c}, W^{V_c}", "W^(Q_c), W^(K_c), W^(V_c)"),
    ("A", "A"),
    (r"[1 \times Ad_v]", "[1 × Adᵥ]"),
    (r"[Ad_v \times d]", "[Adᵥ × d]"),
    ("d_v = d/A", "dᵥ = d/A"),
]

ASCII = [
    (r"a_i = \sum_{j \le i}\alpha_{ij}x_j", "a_i = sum_{j<=i} alpha_ij x_j"),
    (r"\mathrm{softmax}\left(\frac{QK^\top}{\sqrt{d_k}}\right)V", "softmax(QK^T/sqrt(d_k))V"),
    (r"\mathbb{R}^{n \times d}", "R^{n x d}"),
    (r"\hat{y} = 2\pi \sqrt[3]{x + 1}", "hat(y) = 2 pi root(3, x + 1)"),
    (r"W^{Q_c} x'", "W^{Q_c}x'"),
    (r"\lVert x \rVert \ne \lfloor x \rfloor", "||x|| != |_x_|"),
]

AS_TYPED = [
    "",
    "{",
    "}",
    "}{",
    "x^",
    "_",
    r"\frac",
    r"\frac{a}",
    r"\sqrt",
    r"\text{",
    r"\foo{a}{b}",
    r"\left(x",
    r"x\right)",
    r"\begin{matrix}a",
    r"\begin{nothing}a\end{nothing}",
    "\\",
]

HOSTILE = [
    "{" * 10_000,
    "{" * 4_000 + "}" * 4_000,
    r"\frac{" * 200 + "x" + "}{y}" * 200,
    r"\sqrt{" * 400 + "}" * 400,
    r"\left(" * 300 + r"\right)" * 300,
    r"\begin{matrix}" * 200,
    r"\begin{matrix}" + "&" * 1500 + r"\\" * 1500 + r"\end{matrix}",
    "x" + "^a" * 2_000,
    "x^{" * 500 + "}" * 500,
    "'" * 5_000,
]

FRAGMENTS = (
    r"\frac \sqrt \sum \left( \right) \left[ \right. { } ^ _ & \\ \begin{bmatrix} \end{bmatrix}"
    r" \begin{cases} \end{cases} \text \hat \overline \mathbb \operatorname \underbrace \overset"
    r" \alpha \infty \cdot \le \quad \! \foo [ ] ( ) | , . : ' - + = x y 12 R 注 é"
)
LATEX = st.text(max_size=40) | st.lists(st.sampled_from(FRAGMENTS.split(" ")), max_size=30).map(
    " ".join
)

LETTERS = st.text("abcdefxyzABCQR0123456789", min_size=1, max_size=3)


def _both(a: st.SearchStrategy[str]) -> st.SearchStrategy[tuple[str, str]]:
    return st.tuples(a, a)


KNOWN_SAFE = st.recursive(
    LETTERS,
    lambda inner: (
        _both(inner).map(lambda two: rf"\frac{{{two[0]}}}{{{two[1]}}}")
        | inner.map(lambda one: rf"\sqrt{{{one}}}")
        | inner.map(lambda one: rf"\left({one}\right)")
        | inner.map(lambda one: rf"\text{{{one}}}" if one.isalnum() else one)
        | _both(inner).map(lambda two: rf"{{{two[0]}}}_{{{two[1]}}}")
        | _both(inner).map(lambda two: rf"\sum_{{{two[0]}}}^{{{two[1]}}} + z")
        | _both(inner).map(lambda two: rf"\begin{{bmatrix}}{two[0]} & {two[1]}\\ 0\end{{bmatrix}}")
    ),
    max_leaves=8,
)


def _drawn(tex: str, *, ascii: bool = False) -> str:
    return "\n".join(row.rstrip() for row in layout(tex, ascii=ascii).rows)


@pytest.mark.parametrize(("tex", "in_line", "drawing"), _golden())
def test_a_formula_reads_well_in_a_sentence_and_on_its_own(
    tex: str, in_line: str, drawing: str
) -> None:
    assert inline(tex) == in_line
    assert _drawn(tex) == drawing


@pytest.mark.parametrize(("tex", "in_line"), OF_THE_DECK)
def test_every_formula_of_the_first_deck_reads_well(tex: str, in_line: str) -> None:
    assert inline(tex) == in_line


@pytest.mark.parametrize(("tex", "in_line"), ASCII)
def test_ascii_spells_what_has_no_letter(tex: str, in_line: str) -> None:
    assert inline(tex, ascii=True) == in_line


def test_ascii_still_uses_two_dimensions() -> None:
    tex = r"\left(\frac{q_i \cdot k_j}{\sqrt{d_k}}\right)"
    assert _drawn(tex, ascii=True).split("\n") == [
        "/  q_i . k_j  \\",
        "| ----------- |",
        "\\  sqrt(d_k)  /",
    ]


@pytest.mark.parametrize("tex", AS_TYPED)
def test_what_is_no_formula_stays_as_typed(tex: str) -> None:
    assert inline(tex).replace(" ", "") == tex
    assert _drawn(tex).replace(" ", "") == tex


@pytest.mark.parametrize("tex", HOSTILE, ids=lambda tex: tex[:16])
def test_hostile_nesting_is_set_and_keeps_its_letters(tex: str) -> None:
    drawn = "".join(layout(tex).rows)
    assert drawn.strip()
    assert inline(tex).strip()
    for letter in set("xy") & set(tex):
        assert letter in drawn


def test_a_control_character_in_a_formula_becomes_visible() -> None:
    assert inline("a\x1b[2J") == "a␛[2J"
    assert layout("a\u202eb").rows == ("a‹U+202E›b",)


def test_a_capital_is_small_only_if_all_its_neighbours_can_be() -> None:
    assert inline("W^K") == "Wᴷ"
    assert inline("W^K", capitals=False) == "W^K"
    assert inline("W^Q, W^K") == "W^Q, W^K"
    assert inline("QK^T W^Q") == "QKᵀW^Q"
    assert [lacks_capital(tex) for tex in ("W^Q", "W^{Q_c}", "W^K", "QK")] == [
        True,
        True,
        False,
        False,
    ]


def test_the_baseline_is_the_row_the_formula_stands_on() -> None:
    assert layout("x").baseline == 0
    assert layout(r"a = \frac{b}{c}").baseline == 1
    assert layout("W^Q").baseline == 1
    assert layout("x_b").baseline == 0


@given(LATEX, st.booleans())
def test_nothing_raises_and_all_rows_are_equally_wide(tex: str, ascii: bool) -> None:
    drawn = layout(tex, ascii=ascii)
    assert {cells(row) for row in drawn.rows} == {drawn.width}
    assert 0 <= drawn.baseline < drawn.height
    assert "\n" not in inline(tex, ascii=ascii)


@given(LATEX.filter(str.isascii))
def test_ascii_in_gives_ascii_out(tex: str) -> None:
    assert inline(tex, ascii=True).isascii()
    assert "".join(layout(tex, ascii=True).rows).isascii()


@given(KNOWN_SAFE)
def test_every_letter_and_digit_survives(tex: str) -> None:
    bare = re.sub(r"\\(?:begin|end)\{bmatrix\}|\\[a-z]+", "", tex)
    typed = Counter(filter(str.isalnum, bare))
    for ascii in (False, True):
        for shown in (inline(tex, ascii=ascii), "".join(layout(tex, ascii=ascii).rows)):
            assert typed <= Counter(unicodedata.normalize("NFKD", shown))
