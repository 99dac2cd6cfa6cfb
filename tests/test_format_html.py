"""The HTML of Anki fields: what a deck gets of it, and that nothing of a text is lost in it."""

from __future__ import annotations

import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from attn_study.deck.formats.html import Plain, to_html, to_text
from memory_helpers import LAW

PIECES = [
    "<unk>", "&lt;", "&amp;", "&nbsp;", "&#9;", "[sound:x.mp3]", "[latex]", "[/latex]", "[$]",
    "[/$]", "[$$]", "[/$$]", "<br>", "<!--", "-->", r"\(a<b\)", r"\[", r"\]", "{{c1::", "}}",
    "<s>", "</s>", "<script>", r"\frac{1}{2}", "_", "*", "`", "é", "注意", "e&#769;",
]  # fmt: skip
TEXTS = st.lists(
    st.sampled_from([*PIECES, " ", "  ", "\n", "\t", "\r", "\f", "\xa0", "a"])
    | st.text(st.characters(exclude_categories=["Cs"]), max_size=4),
    max_size=12,
).map("".join)


@LAW
@given(TEXTS)
@example("a\n")
@example("\n")
@example(" a  b ")
@example("x[SOUND:y]")
def test_s05_a_text_comes_back_from_html_with_every_character(text: str) -> None:
    assert to_text(to_html(text)) == Plain(text)


@pytest.mark.parametrize("text", ["x_j*y*z", "__init__", "<unk>", "<s>", r"\(x\)", r"\(a < b\)"])
def test_s05_marks_of_other_languages_are_text(text: str) -> None:
    assert to_text(to_html(text)).text == text


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("a<br>b", "a\nb"),
        ("a<br/>b", "a\nb"),
        ("a<BR />b", "a\nb"),
        ("<div>a</div><div>b</div>", "a\nb"),
        ("a<div>b</div>c", "a\nb\nc"),
        ("<div>a</div><div><br></div><div>b</div>", "a\n\nb"),
        ("a<br>", "a"),
        ("<p>a</p>\n<p>b</p>", "a\n\nb"),
        ("a&nbsp;b", "a b"),
        ("a &nbsp; b", "a   b"),
        ("a\n   b", "a b"),
        ("&lt;unk&gt;", "<unk>"),
        ("&amp;lt;s&amp;gt;", "&lt;s&gt;"),
        ("a < b &c", "a < b &c"),
        ("a <b", "a <b"),
        ("<b>bo</b>ld <i>words</i>", "bold words"),
        ("a<!-- b -->c<script>d<b></script>e<style>f</style>g", "aceg"),
        ("10<sup>3</sup>, x<sub>i+1</sub>", "10^3, x_(i+1)"),
    ],
)
def test_s48_html_becomes_the_lines_that_a_browser_shows(html: str, text: str) -> None:
    assert to_text(html) == Plain(text)


def test_s48_code_keeps_its_indentation() -> None:
    assert to_text("a<pre>\nif x:\n    y = 1\n\n    z</pre>b").text == (
        "a\nif x:\n    y = 1\n\n    z\nb"
    )
    assert to_text("<code>x<br>  y</code>  z").text == "x\n  y z"


def test_s48_media_leave_a_placeholder_and_are_counted() -> None:
    assert to_text('see <img alt="a > b" src="heat map.png"> and [sound:x&amp;y.mp3]') == Plain(
        "see [picture heat map.png] and [sound x&y.mp3]", ("picture heat map.png", "sound x&y.mp3")
    )
    assert to_text('<img src="data:image/png;base64,AAAA">') == Plain("[picture]", ("picture",))


def test_lists_and_tables_stay_readable() -> None:
    html = "<ul><li>a<li>b<ol><li>c</li><li>d</li></ol></ul>e"
    assert to_text(html).text == "- a\n- b\n  1. c\n  2. d\ne"
    html = "<table>\n<tr><th>a</th><th><p>b</p></th></tr>\n<tr><td>c<td>d</table>e"
    assert to_text(html).text == "a | b\nc | d\ne"


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("[$]a &lt; b[/$]", r"\(a < b\)"),
        ("[$$]a<br>b[/$$]", "\\[a\nb\\]"),
        ("[latex]x^2[/latex]", r"\[x^2\]"),
        ("[LaTeX]$x$[/LaTeX]", r"\(x\)"),
        ("[latex] $$x$$ [/latex]", r"\[x\]"),
        ("[latex]so $x$ is[/latex]", "so $x$ is"),
        ("[latex]x", "[latex]x"),
        ("[$]x[/latex]", "[$]x[/latex]"),
        ("<anki-mathjax>a &lt; b</anki-mathjax>", r"\(a < b\)"),
        ('<anki-mathjax block="true">x</anki-mathjax>.', r"\[x\]."),
        (r"\(x_{1}\)", r"\(x_{1}\)"),
    ],
)
def test_mathematics_of_anki_gets_our_marks(html: str, text: str) -> None:
    assert to_text(html).text == text


@pytest.mark.parametrize(
    "piece",
    [
        '<a "',
        "<!--",
        "<a '\">",
        "&#",
        "&#9",
        "[sound:",
        "[latex]",
        "<sup>",
        "<ul><li>",
        "<script>",
        "<a",
        "</",
        "<!",
        "<",
        "<pre>\n",
        "<td>",
        "<img src=",
        "<a b='\"<c>",
        "<p>",
        "[$]a[/$]",
    ],
    ids=json.dumps,
)
def test_hostile_html_is_read_in_one_pass(piece: str) -> None:
    """A look back at every piece would be 10^10 steps here: minutes, not a moment."""
    assert isinstance(to_text(piece * (200_000 // len(piece)) + ">"), Plain)
