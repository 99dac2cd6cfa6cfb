r"""The holes of a cloze text: where they begin and end, and what is shown in their place."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from attn_study.deck.holes import Hole, doubt, fault, parts
from memory_helpers import LAW

FRACTION = r"\(\frac{QK^\top}{\sqrt{d_k}}\)"


def holes(text: str) -> list[tuple[int, str, str]]:
    found = [part for part in parts(text) if isinstance(part, Hole)]
    return [(hole.number, hole.text, hole.hint) for hole in found]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{{c1::a}} b {{c2::c}}", [(1, "a", ""), (2, "c", "")]),
        ("{{c1::a::hint}}", [(1, "a", "hint")]),
        ("{{c12::a}}", [(12, "a", "")]),
        (f"{{{{c1::{FRACTION}}}}}", [(1, FRACTION, "")]),
        (f"{{{{c1::{FRACTION}::a formula}}}}", [(1, FRACTION, "a formula")]),
        (r"{{c1::\[a}}b\]}}", [(1, r"\[a}}b\]", "")]),
        ("{{c1::`}}`}}", [(1, "`}}`", "")]),
        ("{{c1::``a ` }} b``}}", [(1, "``a ` }} b``", "")]),
        ("{{c1::`std::cout`::stream}}", [(1, "`std::cout`", "stream")]),
        ("{{c1::{a} {{b}}}}", [(1, "{a} {{b}}", "")]),
        ("{{c1::{x}}}", [(1, "{x}", "")]),
        ("{{c1::a { b}} c", [(1, "a { b", "")]),
        ("{{c1::a } b}}", [(1, "a } b", "")]),
        (r"\(\frac{ {{c1::\frac{a}{b}}} }{c}\)", [(1, r"\frac{a}{b}", "")]),
        (r"\({{c1::\{x\}}}\)", [(1, r"\{x\}", "")]),
        ("{{c0::a}} {{c::b}} {{x1::c}} {c1::d}", []),
        ("{{c1::a\nb}}", [(1, "a\nb", "")]),
    ],
)
def test_a_hole_ends_at_the_braces_that_close_it(
    text: str, expected: list[tuple[int, str, str]]
) -> None:
    assert holes(text) == expected


def test_in_place_of_a_hole_stands_its_hint_or_three_dots() -> None:
    assert [Hole(1, "a").empty, Hole(1, "a", "b").empty] == ["[…]", "[b]"]


def test_a_hole_in_mathematics_stays_mathematics() -> None:
    *_, hole, end = parts(r"\(a\) and \(x_{{c1::i}}\)")
    assert hole == Hole(1, "i", "", in_math=True)
    assert (hole.empty, hole.alone, end) == (r"\text{[…]}", r"\(i\)", r"\)")


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("no hole", "there is no hole in this text"),
        ("{{c1::a", "a hole is never closed"),
        (r"{{c1::\(a}}\)", "a hole is never closed"),
        ("{{c1::a}} {{c2::b", "a hole is never closed"),
        ("{{c1:: }}", "a hole has nothing in it"),
        ("{{c1::::hint}}", "a hole has nothing in it"),
        ("{{c1::a {{c2::b}}}}", "a hole stands inside another"),
        ("{{c1::a}}", ""),
    ],
)
def test_what_is_wrong_with_a_cloze_text_is_said(text: str, what: str) -> None:
    assert fault(text) == what


PIECES = st.sampled_from(
    ["{{c1::", "{{c2::", "}}", "}", "{", "::", r"\(", r"\)", r"\[", r"\]", "`", "a", " ", "\\", "é"]
)


@LAW
@given(st.lists(PIECES, max_size=30).map("".join))
def test_no_character_of_a_text_is_lost(text: str) -> None:
    at = 0
    for part in parts(text):
        if isinstance(part, str):
            written = [part]
        else:
            head = f"{{{{c{part.number}::{part.text}"
            written = [f"{head}::{part.hint}}}}}", f"{head}}}}}"]
        at += len(next(one for one in written if text.startswith(one, at)))
    assert at == len(text)


def test_a_long_text_that_never_closes_anything_is_read_once() -> None:
    for piece in ("{{c1::", r"{{c1::\(", "{{c1::`", "{{c1::{", "`{{c1::a}}"):
        assert len(parts(piece * 20_000)) <= 40_001


@pytest.mark.parametrize(
    ("text", "odd"),
    [
        ("{c1::a}} {{c2::b}}", "{c1::"),
        ("{{c1:a}} {{c2::b}}", "{{c1:"),
        ("{{c::a}} {{c1::b}}", "{{c::"),
        ("{{c0::a}} {{c1::b}}", "{{c0::"),
        ("{{c1000::a}} {{c1::b}}", "{{c1000::"),
        ("{{C1::a}} {{c1::b}}", "{{C1::"),
        ("{{c1::a}} {b} {{c}}", ""),
        (r"\(\frac{c1}{c2}\) {{c1::a}}", ""),
    ],
)
def test_what_looks_like_a_hole_and_is_none_is_found(text: str, odd: str) -> None:
    assert doubt(text) == odd
