"""Foreign text reaches the screen whole, harmless, and in lines that fit."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from attn_study.render.text import (
    cells,
    clusters,
    cut,
    encodable,
    pad,
    paragraphs,
    safe,
    shortened,
    to_ascii,
    wrap,
)

AS_TYPED = [
    "W_q has shape [d × d_k]",
    "use [/] or [bold] as text, then x[i, j]",
    "[/INST] [mask] [MASK] [batch, seq, d]",
    "x_j*y*z **bold** __init__ # title",
    "<unk> <s> </s> & &amp; :smile: \\x \\",
    "a  b   c",
    "注意 👩‍💻 🇳🇱 e\u0301 ❤️ 👍🏽 1️⃣",
    "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
    "שלום العربية",
    "می\u200cخواهم क्\u200dष",
    "\u00a0no-break",
]

VISIBLE = [
    ("a\x1b[31mb", "a␛[31mb"),
    ("a\x00b\x07c\x7fd", "a␀b␇c␡d"),
    ("a\r\nb\rc\nd", "a\nb\nc\nd"),
    ("a\tb", "a   b"),
    ("a\x85b\x9bc", "a‹U+0085›b‹U+009B›c"),
    ("\u202eevil\u202c", "‹U+202E›evil‹U+202C›"),
    ("\u2066a\u2069", "‹U+2066›a‹U+2069›"),
    ("pass\u200bword\u2060\ufeff", "pass‹U+200B›word‹U+2060›‹U+FEFF›"),
    ("a\u200db\u200cc", "a‹U+200D›b‹U+200C›c"),
    ("a\u2028b\u2029", "a‹U+2028›b‹U+2029›"),
    ("a\ud800b", "a‹U+D800›b"),
    ("a\U000e0041b", "a‹U+E0041›b"),
    ("a\ufdd0b", "a‹U+FDD0›b"),
    ("a" + "\u0301" * 12 + "b", "a" + "\u0301" * 8 + "‹4 more marks›b"),
    ("a" + "\u0301" * 8, "a" + "\u0301" * 8),
]

WIDTHS = [
    ("abc", 3),
    ("注意", 4),
    ("👩‍💻", 2),
    ("🇳🇱", 2),
    ("e\u0301", 1),
    ("❤️", 2),
    ("👍🏽", 2),
    ("αᵢⱼ", 3),
    ("", 0),
]

CUTS = [
    ("注意", 3, "注"),
    ("a👩‍💻b", 2, "a"),
    ("a👩‍💻b", 3, "a👩‍💻"),
    ("🇳🇱🇩🇪", 3, "🇳🇱"),
    ("e\u0301e\u0301", 1, "e\u0301"),
    ("abc", 0, ""),
    ("abc", 9, "abc"),
]

WRAPS = [
    ("the cat sat", 7, ["the cat", "sat"]),
    ("", 5, [""]),
    ("a\n\nb", 5, ["a", "", "b"]),
    ("a  b", 4, ["a  b"]),
    ("a    b", 4, ["a", "b"]),
    ("  the cat sat", 9, ["  the cat", "  sat"]),
    ("- the cat sat", 9, ["- the cat", "  sat"]),
    ("12. the cat sat", 11, ["12. the cat", "    sat"]),
    ("abcdefgh ij", 3, ["abc", "def", "gh", "ij"]),
    ("a abcdef", 4, ["a ab", "cdef"]),
    ("注意注意", 5, ["注意", "注意"]),
    ("注a", 1, ["注", "a"]),
    (" 注", 2, ["注"]),
    ("  deep", 1, ["d", "e", "e", "p"]),
    ("🇳🇱🇩🇪", 2, ["🇳🇱", "🇩🇪"]),
    ("a b ", 3, ["a b"]),
]

PARAGRAPHS = [
    (r"for \(j \le i\).", 40, ["for j ≤ i."]),
    (r"xx \(a = b\) yy", 6, ["xx", "a = b", "yy"]),
    (r"xx \(a = b\) yy", 4, ["xx a", "= b", "yy"]),
    (r"By \(q_i = x_iW^Q\), \(k_i = x_iW^K\)", 40, ["By qᵢ = xᵢW^Q, kᵢ = xᵢW^K"]),
    (r"so \[\frac{a}{b}\] holds", 40, ["so", "  a", "  ─", "  b", "holds"]),
    ("so\n\\[ a = b \\]\nholds", 40, ["so", "  a = b", "holds"]),
    ("so\n\n\\[ a = b \\],\n\nit", 40, ["so", "", "  a = b,", "", "it"]),
    ("\\[ a \\]\n\\[ b \\]\n", 40, ["  a", "  b"]),
    (r"\[ a = \frac{b}{c} \]", 5, ["    b", "a = ─", "    c"]),
    (r"\[ a = \frac{b}{c} \]", 4, ["a =", "b/c"]),
    (r"an open \( stays, \(x_i\) does not", 60, [r"an open \( stays, xᵢ does not"]),
    (r"an open \[ stays, \(x_i\) does not", 60, [r"an open \[ stays, xᵢ does not"]),
    ("open \\( here\n\nclosed \\)", 60, [r"open \( here", "", r"closed \)"]),
    (r"an empty \(\) and \( \)", 60, [r"an empty \(\) and \( \)"]),
    (r"\\(x\\)", 60, [r"\\(x\\)"]),
    (r"code `\(x_i\)` and ``a ` \(b\)``", 60, [r"code `\(x_i\)` and ``a ` \(b\)``"]),
    ("a lone ` and \\(x_i\\)\n\nanother `", 60, ["a lone ` and xᵢ", "", "another `"]),
    (r"a lone ` and \(x_i\)", 60, ["a lone ` and xᵢ"]),
    ("```\n  \\(x_i\\)\n\n`\n```\n\\(x_i\\)", 60, ["```", r"  \(x_i\)", "", "`", "```", "xᵢ"]),
    ("``` open\n\\(x_i\\)", 60, ["``` open", "xᵢ"]),
    ("x[1] [d × d_k] <s> *a*", 60, ["x[1] [d × d_k] <s> *a*"]),
    ("\\(a\x1b\\) \x1b", 60, ["a␛ ␛"]),
    ("a\n", 60, ["a"]),
    ("", 60, [""]),
]

SPELLED = [
    ("√d_k · é · 注意", "sqrt(d_k) . ? . ????"),
    ("αᵢⱼxⱼ ≤ 2π", "alpha_ij x_j <= 2 pi"),
    ("x² 10⁻⁵", "x^2 10^-5"),
    ("── ✓ ✗ ▸ █▌ │ “a” — …", '-- ok x > ## | "a" -- ...'),
    ("a → b ❤️", "a -> b ??"),
    ("␛‹U+202E›", "^[<U+202E>"),
    ("e\u0301", "?"),
    ("[d × dₖ]\n注\nℝ", "[d x d_k]\n??\nR"),
]

ENCODED = [
    ("√d_k · é · 注意", "cp1252", "sqrt(d_k) · é · ????"),
    ("√d_k · é · 注意", "utf-8", "√d_k · é · 注意"),
    ("── “a” x² x³⁰ ✓", "cp1252", "-- “a” x² x^30 ok"),
    ("── α √2 ✓", "cp437", "── α √2 ok"),
    ("e\u0301", "latin-1", "é"),
    ("a\ud800", "utf-8", "a?"),
    ("é α", "no such encoding", "? alpha"),
]

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=60) | st.text(
    "ab  \n`\\()[]_^注é\u0301👩\u200d💻🇳🇱❤\ufe0f-.", max_size=60
)


@pytest.mark.parametrize("text", AS_TYPED)
def test_what_can_be_seen_stays_exactly_as_typed(text: str) -> None:
    assert safe(text) == text
    assert paragraphs(text, 200) == [text]


@pytest.mark.parametrize(("text", "shown"), VISIBLE)
def test_what_hides_or_commands_becomes_visible(text: str, shown: str) -> None:
    assert safe(text) == shown


@pytest.mark.parametrize(("text", "width"), WIDTHS)
def test_width_is_counted_in_cells_as_tables_count_it(text: str, width: int) -> None:
    assert cells(text) == width == cell_len(text)


@pytest.mark.parametrize(("text", "width", "beginning"), CUTS)
def test_a_cut_never_splits_what_the_eye_sees_as_one(text: str, width: int, beginning: str) -> None:
    assert cut(text, width) == beginning


def test_padding_fills_up_to_a_width_and_takes_nothing_away() -> None:
    assert pad("注", 4) == "注  "
    assert pad("注意", 3) == "注意"


@pytest.mark.parametrize(("text", "width", "lines"), WRAPS)
def test_words_move_to_the_next_line_whole(text: str, width: int, lines: list[str]) -> None:
    assert wrap(text, width) == lines


@pytest.mark.parametrize(("text", "width", "lines"), PARAGRAPHS)
def test_card_text_becomes_lines_with_its_mathematics_set(
    text: str, width: int, lines: list[str]
) -> None:
    assert paragraphs(text, width) == lines


@pytest.mark.parametrize(("text", "spelled"), SPELLED)
def test_ascii_spells_decorations_and_shows_what_it_lacks(text: str, spelled: str) -> None:
    assert to_ascii(text) == spelled


@pytest.mark.parametrize(("text", "encoding", "shown"), ENCODED)
def test_only_what_an_encoding_lacks_is_replaced(text: str, encoding: str, shown: str) -> None:
    assert encodable(text, encoding) == shown


def test_ascii_paragraphs_fit_after_spelling() -> None:
    text = r"“Weights” \(\alpha_{ij}\) of √dₖ: \[ \frac{é}{\alpha} \]"
    assert paragraphs(text, 30, ascii=True) == [
        '"Weights" alpha_ij of',
        "sqrt(d_k):",
        "     ?",
        "  -------",
        "   alpha",
    ]


@given(TEXT)
def test_safe_text_is_safe_already(text: str) -> None:
    once = safe(text)
    assert safe(once) == once
    assert all(unicodedata.category(char) != "Cc" for char in once if char != "\n")


@given(TEXT, st.integers(0, 20))
def test_a_cut_fits_and_clusters_lose_nothing(text: str, width: int) -> None:
    assert "".join(clusters(text)) == text
    assert cells(cut(text, width)) <= width
    assert text.startswith(cut(text, width))


@given(TEXT, st.integers(-1, 20))
def test_wrapped_lines_fit_and_hold_every_character(text: str, width: int) -> None:
    lines = wrap(safe(text), width)
    assert "".join(lines).replace(" ", "") == safe(text).replace(" ", "").replace("\n", "")
    for line in lines:
        assert cells(line) <= max(1, width) or len(clusters(line)) == 1


@given(TEXT, st.integers(1, 40), st.booleans())
def test_paragraphs_fit_and_hold_no_control_character(text: str, width: int, ascii: bool) -> None:
    lines = paragraphs(text, width, ascii=ascii)
    assert lines
    for line in lines:
        assert cells(line) <= width or len(clusters(line)) == 1
        assert line.isascii() or not ascii
        assert all(unicodedata.category(char) != "Cc" for char in line)


@given(TEXT)
def test_ascii_and_code_pages_can_always_be_written(text: str) -> None:
    assert to_ascii(text).isascii()
    encodable(text, "cp1252").encode("cp1252")


@pytest.mark.parametrize(
    ("text", "width", "shown"),
    [
        ("attention", 9, "attention"),
        ("attention", 8, "attenti…"),
        ("注意力", 5, "注意…"),
        ("注意力", 4, "注…"),
        ("attention", 1, "…"),
        ("attention", 0, ""),
        ("", 0, ""),
    ],
)
def test_what_is_shortened_says_so(text: str, width: int, shown: str) -> None:
    assert shortened(text, width) == shown
