"""Files that are no decks, hostile files, and files in any encoding."""

from __future__ import annotations

import gc
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from attn_study.deck.reader import parse, read
from attn_study.deck.source import MAX_BYTES
from deck_text import GOOD, HERE, LAST, TOP, cards, deck, ids, only, places, with_card

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("text", ["", "\n\n", "# only a comment\n", "---\n", "\ufeff"])
def test_s46_an_empty_file_is_named_as_a_whole(text: str) -> None:
    found = deck(text)
    assert found.deck is None
    assert (only(found).line, only(found).what) == (0, "there is no deck in it")


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("- a\n- b\n", "this file is a list"),
        ("hello\n", "this file is a text"),
        ("deck: mine\n", "the deck has no cards"),
        ("deck: mine\ncards: text\n", "`cards` must be a list"),
        ("deck: mine\ncards: {a: b}\n", "`cards` must be a list"),
        (f"deck: mine\nsections: []\ncards:\n{GOOD}", "not both"),
        ("deck: mine\nsections: [a]\n", "a section has `title` and `cards`"),
        ("deck: mine\nsections:\n  - title: x\n", "this section has no `cards`"),
    ],
)
def test_s46_a_file_of_another_shape_is_a_mistake(text: str, what: str) -> None:
    assert what in only(deck(text)).what
    assert not only(deck(text)).warning


def test_s46_empty_cards_are_a_deck_of_no_cards() -> None:
    found = deck("deck: mine\ncards:\n")
    assert cards(found) == ()
    assert only(found).warning
    assert deck("deck: mine\ncards: []\n").complaints == ()


def test_s46_a_second_document_is_refused_and_the_first_is_read() -> None:
    found = deck(TOP + GOOD + "---\n" + TOP + LAST)
    assert ids(found) == ["good"]
    assert only(found).line == 6
    assert "second document" in only(found).what


@pytest.mark.parametrize("char", ["\x07", "\x1b", "\x7f", "\x85", "\u2028", "\ufeff", "\udce9"])
def test_s46_an_invisible_character_costs_the_card_it_stands_in(char: str) -> None:
    found = deck(TOP + GOOD + f"  - front: Q3\n    back: |\n      one\n      t{char}wo\n" + LAST)
    assert ids(found) == ["good", "last"]
    assert places(found) == [(9, 8)]


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le-bom", "utf-16-be-bom"]
)
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_marked_encodings_and_all_line_ends_are_read(encoding: str, end: str) -> None:
    text = (TOP + "  - id: x\n    front: é 注意\n    back: |\n      √\n      d\n").replace(
        "\n", end
    )
    bom = "\ufeff" if encoding.endswith("-bom") else ""
    found = parse((bom + text).encode(encoding.removesuffix("-bom")), HERE)
    assert found.complaints == ()
    assert (cards(found)[0].front, cards(found)[0].back) == ("é 注意", "√\nd")


def test_a_mistake_in_a_file_with_other_line_ends_has_its_line() -> None:
    text = (TOP + GOOD + "  - front: Q3\n    back: a: b\n" + LAST).replace("\n", "\r\n")
    found = deck(text)
    assert ids(found) == ["good", "last"]
    assert (only(found).line, only(found).source) == (7, "    back: a: b")


def test_bytes_that_are_not_utf8_are_named_by_line_and_the_other_cards_stay() -> None:
    data = (TOP + GOOD + "  - front: Qué\n    back: A – B\n" + LAST).encode("cp1252")
    found = parse(data, HERE)
    assert ids(found) == ["good", "last"]
    assert places(found) == [(6, 14), (7, 13)]
    assert found.complaints[0].what == "the byte 0xE9 is not UTF-8"


def test_a_file_is_read_from_disk(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_bytes((TOP + GOOD).encode())
    found = read(path)
    assert ids(found) == ["good"]
    assert found.deck is not None
    assert found.deck.path == path


def test_a_folder_or_a_missing_file_is_a_complaint(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "none.yaml"):
        found = read(path)
        assert found.deck is None
        assert (only(found).path, only(found).line) == (path, 0)


BOMB = "a: &a [x,x,x,x,x,x,x,x,x]\n" + "".join(
    f"{name}: &{name} [{','.join([f'*{before}'] * 9)}]\n"
    for before, name in zip("abcdefgh", "bcdefghi", strict=True)
)


@pytest.mark.parametrize(
    ("text", "what"),
    [
        (BOMB, "aliases that stand for too much"),
        ("[" * 3_000, "too deep"),
        ("[\n" * 3_000, "more than 20 deep"),
        ("{" * 30 + "}" * 30, "more than 20 deep"),
        ("- " * 3_000, "more than 20 deep"),
        ("".join(" " * n + "a:\n" for n in range(2_000)), "more than 20 deep"),
        ("deck: d\ncards:\n" + "- a\n" * 100_001, "a list of more than 100,000"),
        ("\n".join(f"k{n}: v" for n in range(1_001)), "more than 1,000 keys"),
        ("x" * (MAX_BYTES + 1), "larger than 20 MB"),
        ("deck: d\x00\n", "this is not a text file"),
    ],
)
def test_s45_a_file_beyond_the_limits_is_refused(text: str, what: str) -> None:
    found = deck(text)
    assert found.deck is None
    assert any(what in one.what for one in found.complaints)


def test_s45_aliases_cannot_multiply_cards_beyond_the_limit() -> None:
    many = "".join("  - {front: a, back: b}\n" for _ in range(400))
    text = f"sections:\n- &s\n  cards: &c\n{many}" + "- *s\n" * 400
    found = deck("deck: d\n" + text)
    assert any("100,000 cards" in one.what for one in found.complaints)


def test_s45_an_alias_inside_itself_is_a_mistake() -> None:
    found = deck(TOP + GOOD + "  - front: Q3\n    back: A3\n    tags: &a [*a]\n" + LAST)
    assert ids(found) == ["good", "last"]
    assert "inside what it names" in only(found).what


@pytest.mark.parametrize("tag", ["!!python/object/apply:os.system", "!!str", "!x"])
def test_s45_tags_build_nothing(tag: str) -> None:
    found = with_card(f"front: Q3\nback: {tag} ['ls']")
    assert ids(found) == ["good", "last"]


def test_simple_aliases_work() -> None:
    found = deck(
        TOP + "  - {front: Q, back: &b A, tags: &t [x]}\n  - {front: R, back: *b, tags: *t}\n"
    )
    assert found.complaints == ()
    assert [(card.back, card.tags) for card in cards(found)] == [("A", ("x",))] * 2


def test_the_collector_runs_again_after_a_reading() -> None:
    assert gc.isenabled()
    deck("[" * 3_000)
    assert gc.isenabled()


@given(st.text(max_size=200) | st.binary(max_size=200))
def test_no_text_is_answered_with_a_traceback(text: str | bytes) -> None:
    found = parse(text, HERE)
    assert found.deck is not None or found.complaints


SIGNS = """cards: front: back: after: ' " [ ] { } | > *a &a # : - @ text \\ --- ! <<"""
PIECES = st.sampled_from([*SIGNS.split(), " ", "\n", "\n  - ", "\n    ", "\t"])


@given(st.lists(PIECES, max_size=40).map("".join))
def test_no_heap_of_yaml_signs_is_answered_with_a_traceback(text: str) -> None:
    found = parse("deck: d\ncards:\n  - " + text, HERE)
    for one in found.complaints:
        assert str(one)
