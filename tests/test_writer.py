"""Changes to a learner's deck file: one card more, and nothing else."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from attn_study.deck.nodes import PARSER, PURE, Map, Text, grow
from attn_study.deck.note import ID, automatic_id
from attn_study.deck.quoting import scalar
from attn_study.deck.reader import parse
from attn_study.deck.slug import Names, make_id
from attn_study.deck.source import FOUL
from attn_study.deck.writer import amend, append, new
from attn_study.errors import UserError

if TYPE_CHECKING:
    from types import FrameType

HERE = Path("mine.yaml")
CARD = {"id": "x", "front": "Q", "back": "A"}
ODD = [
    "'",
    '"',
    "\\",
    "#",
    ": ",
    " ",
    "\n",
    "\t",
    "- ",
    "[",
    "{",
    "|",
    "@",
    "é",
    "注",
    "null",
    "---",
]
printable = st.text(
    st.characters(exclude_categories=("Cs", "Cc")).filter(lambda char: not FOUL.match(char))
) | st.lists(st.sampled_from(ODD)).map("".join)


def texts(source: str) -> list[tuple[str, str]]:
    found = parse(source, HERE)
    assert found.deck is not None
    return [(card.front, card.back) for card in found.deck.cards]


@given(printable)
@example("")
@example("- minus")
@example("a: b")
@example("C #3")
@example(r"\frac{a}{b}")
@example("it's")
@example(" both ends ")
@example("two\nlines")
@example("ends\n\n")
@example("\n  begins late")
@example("a\n   \n b ")
@example("NO")
@example("a\tb")
@example("\n")
def test_any_text_reads_back_as_it_was(text: str) -> None:
    for parser in (PARSER, PURE):
        root = grow(f"cards:\n  - front: {scalar(text, 4)}\n    back: A\n", parser).root
        assert isinstance(root, Map)
        node = root.pairs[0][1].items[0].pairs[0][1]  # type: ignore[union-attr]
        assert isinstance(node, Text)
        assert node.said == text


@given(printable)
def test_no_text_is_put_in_double_quotes(text: str) -> None:
    assert not scalar(text, 2).startswith('"')


@pytest.mark.parametrize(
    "word", ["no", "Null", "true", "12", "1e3", "- a", "[a]", "a: b", "a #b", "a:"]
)
def test_what_another_reader_would_not_take_for_text_is_quoted(word: str) -> None:
    assert scalar(word, 0) == f"'{word}'"


@pytest.mark.parametrize("word", ["softmax", "Shape of Q Kᵀ?", "a:b", "a#b", "it's [d × d_k]"])
def test_plain_words_stay_plain(word: str) -> None:
    assert scalar(word, 0) == word


@pytest.mark.parametrize("char", ["\x00", "\x1b", "\x85", "\u2028", "\udce9"])
def test_an_invisible_character_is_refused(char: str) -> None:
    with pytest.raises(UserError, match="invisible"):
        scalar(f"a{char}b", 0)


def test_windows_line_ends_in_a_text_become_plain_ones() -> None:
    assert scalar("a\r\nb\rc", 0) == "|\n  a\n  b\n  c"


def test_a_new_deck_has_a_name_a_title_and_no_cards() -> None:
    found = parse(new("mine", "Mine: and yours"), HERE)
    assert found.complaints == ()
    assert found.deck is not None
    assert (found.deck.name, found.deck.title, found.deck.cards) == ("mine", "Mine: and yours", ())


@given(st.lists(st.tuples(printable, printable), min_size=1, max_size=4))
def test_cards_put_into_a_deck_one_by_one_are_all_in_it(cards: list[tuple[str, str]]) -> None:
    source = new("mine", "Mine")
    for number, (front, back) in enumerate(cards):
        earlier = source
        source = append(source, {"id": f"c{number}", "front": front, "back": back})
        if number:
            assert source.startswith(earlier)
    filled = [pair for pair in cards if pair[0].strip() and pair[1].strip()]
    assert texts(source) == filled


DECKS = {
    "plain": "deck: mine\ncards:\n  - front: 'Q'  # one\n    back: A\n",
    "no line end": "deck: mine\ncards:\n  - front: Q\n    back: A",
    "flush dashes": "deck: mine\ncards:\n- front: Q\n  back: A\n",
    "wide dashes": "deck: mine\ncards:\n    -   front: Q\n        back: A\n",
    "block last": "deck: mine\ncards:\n  - front: Q\n    back: |\n      A\n",
    "block without line end": "deck: mine\ncards:\n  - front: Q\n    back: |\n      A",
    "kept block": "deck: mine\ncards:\n  - front: Q\n    back: |+\n      A\n\n",
    "sections": (
        "deck: mine\nsections:\n  - title: One\n    cards:\n      - {front: Q, back: A}\n"
        "  - title: Two\n    cards:\n      - front: Q2\n        back: A2\n"
    ),
    "empty section": "deck: mine\nsections:\n  - title: One\n    cards:\n",
    "flow card": "deck: mine\ncards:\n  - {front: Q, back: A}\n",
    "comments below": "deck: mine\ncards:\n  - front: Q\n    back: A\n\n# the end\n",
    "keys below": "deck: mine\ncards:\n  - front: Q\n    back: A\ntitle: T\n",
    "spaced": "deck: mine\ncards:\n  - front: Q\n    back: A\n\n  - front: Q2\n    back: A2\n",
    "windows": "deck: mine\r\ncards:\r\n  - front: Q\r\n    back: |\r\n      A\r\n",
    "old mac": "deck: mine\rcards:\r  - front: Q\r    back: A\r",
    "mark": "\ufeffdeck: mine\ncards:\n  - front: Q\n    back: A\n",
    "nothing yet": "deck: mine\ncards: # none\n",
    "brackets": "deck: mine\ncards: [ ] # none\n",
    "tags last": "deck: mine\ncards:\n  - front: Q\n    back: A\n    tags:\n      - a\n      - b\n",
    "second document": "deck: mine\ncards:\n  - front: Q\n    back: A\n...\n",
}


@pytest.mark.parametrize("name", DECKS)
def test_a_card_is_put_at_the_end_and_the_rest_stays_as_it_was(name: str) -> None:
    source = DECKS[name]
    result = append(source, {"id": "x", "front": "new: one", "back": "two\n\nlines"})
    assert texts(result) == [*texts(source), ("new: one", "two\n\nlines")]
    kept = source.replace(" [ ]", "").splitlines()
    left = iter(result.splitlines())
    assert all(line in left for line in kept)
    ends = {"windows": "\r\n", "old mac": "\r"}.get(name, "\n")
    assert result.replace(ends, "").count("\n") + result.replace(ends, "").count("\r") == 0


def test_the_new_card_looks_like_the_ones_above_it() -> None:
    assert append(DECKS["wide dashes"], CARD).endswith(
        "    -   id: x\n        front: Q\n        back: A\n"
    )
    assert append(DECKS["spaced"], CARD).endswith(
        "    back: A2\n\n  - id: x\n    front: Q\n    back: A\n"
    )


def test_a_list_is_put_in_as_a_list() -> None:
    tags = ["a", "b c", "C #3", "d, e", "it's", "no"]
    source = append(DECKS["plain"], {"front": "Q2", "back": "A", "tags": tags})
    found = parse(source, HERE)
    assert found.complaints == ()
    assert found.deck is not None
    assert list(found.deck.cards[-1].tags) == tags
    longer = parse(append(source, {"front": "Q3", "back": "A", "tags": ["a\nb", "- c"]}), HERE)
    assert longer.deck is not None
    assert longer.deck.cards[-1].tags == ("a\nb", "- c")


@pytest.mark.parametrize(
    "source",
    [
        "",
        "- a\n",
        "{deck: mine, cards: []}\n",
        "deck: mine\n",
        "deck: mine\ncards: [{front: Q, back: A}]\n",
        "deck: mine\ncards: [\n]\n",
        "deck: mine\ncards: text\n",
        "deck: mine\nsections: []\n",
        "deck: mine\nsections:\n  - title: One\n",
        "deck: mine\ncards:\n  - front: a: b\n",
        "deck: mine\ncards:\n  - &c {front: Q, back: A}\n  - {front: Q2, back: A2}\n  - *c\n",
    ],
)
def test_a_file_that_cannot_take_a_card_is_refused(source: str) -> None:
    with pytest.raises(UserError):
        append(source, CARD)


def test_a_key_that_is_no_key_is_refused() -> None:
    for fields in ({}, {"front: x\n    back": "A"}):
        with pytest.raises(UserError):
            append(DECKS["plain"], fields)


TWINS = """\
deck: mine
cards:
  - {front: Why?, back: A}
  - front: Why?
    back: B
sections:
  - {title: S, cards: [{front: How?, back: C}]}
"""


@pytest.mark.parametrize(
    ("front", "why"), [("Why?", "two cards here"), ("Who?", "no card here"), ("How?", "in braces")]
)
def test_a_card_that_is_not_there_once_and_in_a_block_is_not_written_anew(
    front: str, why: str
) -> None:
    with pytest.raises(UserError, match=why):
        amend(TWINS, {automatic_id(front): {"front": front, "back": "D"}}, [])


@pytest.mark.parametrize(
    ("front", "name"),
    [
        ("Shape of Q Kᵀ for n tokens?", "shape-of-q-k-for-n-tokens"),
        (r"Why \(\sqrt{d_k}\)?", "why-d-k"),
        ("What is α_{ij}?", "what-is-alpha-ij"),
        ("Scores are {{c1::scaled::a verb}} by {{c2::√d_k}}", "scores-are-scaled-by-d-k"),
        ("Où est l'été?", "ou-est-l-ete"),
        ("one " * 30, "one-one-one-one-one-one-one-one-one-one"),
        ("x" * 90, "x" * 40),
    ],
)
def test_an_id_is_readable(front: str, name: str) -> None:
    assert make_id(front, ()) == name


def test_an_id_is_not_one_that_is_taken() -> None:
    assert make_id("Mask", ["mine/mask", "mask-2"]) == "mask-3"


def lines_run(n_fronts: int) -> int:
    """How many lines of the program run until that many equal fronts have their names."""
    counted = 0

    def count(_frame: FrameType, event: str, _more: object) -> Any:
        nonlocal counted
        counted += event == "line"
        return count

    names = Names(["mask", "mine/mask-3"])
    before = sys.gettrace()
    sys.settrace(count)
    try:
        made = [names.make("Mask?") for _ in range(n_fronts)]
    finally:
        sys.settrace(before)
    assert made == ["mask-2", *(f"mask-{n}" for n in range(4, n_fronts + 3))]
    return counted


def test_each_of_many_equal_fronts_takes_as_long_to_name_as_the_last() -> None:
    assert lines_run(400) < 2.1 * lines_run(200)


def test_a_name_that_was_given_by_hand_meanwhile_is_not_made() -> None:
    names = Names(())
    names.add("mine/mask:c1")
    assert [names.make("Mask"), names.make("Mask")] == ["mask-2", "mask-3"]


@given(st.text(max_size=60), st.text(max_size=5))
def test_every_front_has_an_id(front: str, other: str) -> None:
    first = make_id(front, ())
    assert ID.fullmatch(first)
    assert make_id(front, [first]) not in {first, ""}
    assert make_id("注意" + other, ()) != ""


def test_fronts_without_latin_letters_have_ids_of_their_own() -> None:
    assert make_id("注意", ()) != make_id("注", ())
