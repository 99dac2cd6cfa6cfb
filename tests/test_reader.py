"""What a deck file says: texts, figures, kinds, ids and the order of cards."""

from __future__ import annotations

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from attn_study.deck.card import Card, Figure
from attn_study.deck.order import cycles
from deck_text import GOOD, TOP, cards, deck, ids, only, places, with_card


def test_a_deck_has_its_heading_and_its_cards_under_their_sections() -> None:
    found = deck(
        "deck: attention\n"
        "title: Transformers\n"
        "source: ch. 7\n"
        "language: en\n"
        "formerly: [transformer]\n"
        "sections:\n"
        "  - title: '7.1 Attention'\n"
        "    cards:\n"
        "      - id: scaling\n"
        "        front: Why?\n"
        "        back: |\n"
        "          Because.\n"
        "          It is so.\n"
        "        note: see p. 9\n"
        "        tags: [scaling, softmax]\n"
        "        after: [shape, other/first]\n"
        "        demo: scale\n"
        "        with: {d_k: 64, text: NO}\n"
        "  - title: Shapes\n"
        "    cards:\n"
        "      - id: shape\n"
        "        front: What shape?\n"
        "        answer: n × n\n"
    )
    assert found.complaints == ()
    assert found.deck is not None
    assert (found.deck.name, found.deck.title) == ("attention", "Transformers")
    assert (found.deck.source, found.deck.language) == ("ch. 7", "en")
    assert found.deck.formerly == ("transformer",)
    first, second = found.deck.cards
    assert first == Card(
        id="attention/scaling",
        kind="basic",
        front="Why?",
        back="Because.\nIt is so.",
        section="7.1 Attention",
        note="see p. 9",
        tags=("scaling", "softmax"),
        after=("attention/shape", "other/first"),
        demo="scale",
        knobs=(("d_k", "64"), ("text", "NO")),
        line=9,
    )
    assert (second.section, second.kind, second.back) == ("Shapes", "typed", "n × n")


@pytest.mark.parametrize(
    "word",
    [
        "NO",
        "yes",
        "on",
        "off",
        "null",
        "~",
        "010",
        "2026-01-01",
        "1e3",
        "12:30:00",
        "0x1F",
        "1_000",
    ],
)
def test_s12_words_that_yaml_turns_into_other_types_stay_text(word: str) -> None:
    found = with_card(f"front: Q3\nback: {word}")
    assert found.complaints == ()
    assert cards(found)[1].back == word


@pytest.mark.parametrize("back", ["back:", "back: ''", 'back: " "', "back: |"])
def test_s12_an_empty_back_is_a_mistake(back: str) -> None:
    found = with_card(f"front: Q3\n{back}")
    assert ids(found) == ["good", "last"]
    assert "`back` is empty" in only(found).what


@pytest.mark.parametrize(
    ("block", "text"),
    [
        ("|\n  a\n  b", "a\nb"),
        ("|-\n  a", "a"),
        ("|+\n  a\n", "a\n"),
        (">\n  a\n  b", "a b"),
        ("|\n  a # b: [c]", "a # b: [c]"),
        (r"'\frac{a}{b}'", r"\frac{a}{b}"),
        (r'"\\frac \"a\" \u221a"', '\\frac "a" √'),
        (r'"one\ntwo"', "one\ntwo"),
        ("a[1] {b} (c) x:y #z", "a[1] {b} (c) x:y"),
    ],
)
def test_a_text_is_what_was_typed(block: str, text: str) -> None:
    assert cards(with_card(f"front: Q3\nback: {block}"))[1].back == text


def test_a_figure_has_tokens_weights_and_the_token_that_asks() -> None:
    found = with_card(
        "front: Q3\nback: A3\nfigure: {tokens: [a, b], weights: [0.25, 0.75], from: b}"
    )
    assert cards(found)[1].figure == Figure(("a", "b"), (0.25, 0.75), "b")


@pytest.mark.parametrize("weights", ["[0.33, 0.33, 0.33]", "[0.3, 0.3, 0.3]", "[1, 0, 0]"])
def test_weights_may_miss_one_by_their_rounding(weights: str) -> None:
    found = with_card(
        f"front: Q3\nback: A3\nfigure: {{tokens: [a, b, c], weights: {weights}, from: a}}"
    )
    assert found.complaints == ()


@pytest.mark.parametrize(
    ("keys", "what"),
    [
        ("tokens: [a, b], weights: [0.5, 0.4, 0.1], from: a", "2 tokens and 3 weights"),
        ("tokens: [a, b], weights: [0.50, 0.52], from: a", "the weights sum to 1.02"),
        ("tokens: [a, b], weights: [1, 1], from: a", "the weights sum to 2"),
        ("tokens: [a, b], weights: [1.5, -0.5], from: a", "is not a weight"),
        ("tokens: [a, b], weights: [nan, 1], from: a", "'nan' is not a weight"),
        ("tokens: [a, b], weights: [0.5, 0.5]", "no `from`"),
    ],
)
def test_a_figure_whose_numbers_do_not_agree_is_a_mistake(keys: str, what: str) -> None:
    found = with_card(f"front: Q3\nback: A3\nfigure: {{{keys}}}")
    assert ids(found) == ["good", "last"]
    assert any(what in one.what for one in found.complaints)


@pytest.mark.parametrize(
    ("card", "kind"),
    [
        ("front: Q3\nback: A3", "basic"),
        ("front: Q3\nanswer: A3", "typed"),
        ("front: Q3\nanswer: '0,5'\nback: half\naccept: [half]\ntolerance: 0.01", "typed"),
        ("kind: typed\nfront: Q3\nanswer: A3", "typed"),
    ],
)
def test_the_kind_is_inferred_where_the_keys_make_it_plain(card: str, kind: str) -> None:
    assert cards(with_card(card))[1].kind == kind


def test_a_typed_card_keeps_what_it_accepts() -> None:
    card = cards(with_card("front: Q3\nanswer: '0.5'\naccept: [half]\ntolerance: 0,01"))[1]
    assert (card.answer, card.accept, card.tolerance) == ("0.5", ("half",), 0.01)


def test_a_kind_that_does_not_exist_is_answered_with_those_that_do() -> None:
    found = with_card("kind: sound\nfront: x")
    assert ids(found) == ["good", "last"]
    assert only(found).hint == "one of: basic, choice, cloze, computed, reversed, typed"


def test_s06_a_card_without_an_id_is_known_by_its_front_in_one_unicode_form() -> None:
    expected = "~" + hashlib.sha256("Qu\u00e9 es?".encode()).hexdigest()[:10]
    composed, decomposed = "front: Qu\u00e9  es?", "front: 'Que\u0301 es? '"
    for front in (composed, decomposed):
        card = cards(with_card(f"{front}\nback: A3"))[1]
        assert (card.id, card.written_id) == (f"mine/{expected}", False)


def test_s06_a_written_id_survives_a_mended_front_and_back() -> None:
    before = with_card("id: x\nfront: Teh front\nback: teh back")
    after = with_card("id: x\nfront: The front\nback: the back")
    assert ids(before) == ids(after)
    assert cards(after)[1].written_id


@pytest.mark.parametrize("name", ["Upper", "a b", "a/b", "a:b", "-a", "é", "''", "~abc"])
def test_an_id_that_cannot_be_one_is_a_mistake(name: str) -> None:
    found = with_card(f"id: {name}\nfront: Q3\nback: A3")
    assert ids(found) == ["good", "last"]
    assert "cannot be an id" in only(found).what


def test_s19_an_id_given_twice_is_a_mistake_that_names_both_lines() -> None:
    found = with_card("id: good\nfront: Q3\nback: A3")
    assert ids(found) == ["good", "last"]
    assert places(found) == [(6, 5)]
    assert "first on line 3" in only(found).what


def test_s19_the_same_card_twice_is_a_mistake_without_ids_and_a_warning_with_them() -> None:
    bare = deck(TOP + "  - front: Q\n    back: A\n  - front: ' Q'\n    back: B\n")
    assert len(cards(bare)) == 1
    assert (only(bare).warning, only(bare).line) == (False, 5)
    named = with_card("id: again\nfront: Q\nback: A")
    assert ids(named) == ["good", "again", "last"]
    assert only(named).warning
    assert "line 3" in only(named).what


@pytest.mark.parametrize("name", ["attention", "week_3", "注意", "d.é-1", "d.e\u0301-1"])
def test_a_deck_may_be_named_in_any_script_and_is_titled_by_its_name(name: str) -> None:
    found = deck(f"deck: {name}\ncards:\n{GOOD}")
    assert found.complaints == ()
    assert found.deck is not None
    assert found.deck.name == found.deck.title == name.replace("e\u0301", "é")


@pytest.mark.parametrize("name", ["my deck", "a/b", "a:b", "-x", "''", "[a]"])
def test_a_deck_name_that_would_break_ids_is_a_mistake(name: str) -> None:
    found = deck(f"deck: {name}\ncards:\n{GOOD}")
    assert found.deck is None
    assert places(found) == [(1, 7)]


def test_a_deck_without_a_name_is_answered_with_one_and_its_other_mistakes() -> None:
    found = deck("cards:\n  - front: Q\n")
    assert found.deck is None
    assert [one.what for one in found.complaints] == [
        "the deck has no name",
        "this card has no `back`",
    ]
    assert found.complaints[0].hint == "begin the file with `deck: my`"


@pytest.mark.parametrize("after", ["good", "mine/good", "last", "good:reverse", "other/thing"])
def test_after_names_cards_of_this_deck_or_any_other(after: str) -> None:
    found = with_card(f"id: x\nfront: Q3\nback: A3\nafter: [{after}]")
    assert found.complaints == ()
    expected = after if "/" in after else f"mine/{after}"
    assert cards(found)[1].after == (expected,)


@pytest.mark.parametrize(
    ("after", "what"),
    [
        ("[god]", "no card has that id"),
        ("[mine/god]", "no card has that id"),
        ("[x]", "cannot come after itself"),
        ("[mine/x]", "cannot come after itself"),
        ("[A B]", "is not the id of a card"),
        ("good", "a list is expected"),
    ],
)
def test_after_that_leads_nowhere_is_a_mistake_with_its_place(after: str, what: str) -> None:
    found = with_card(f"id: x\nfront: Q3\nback: A3\nafter: {after}")
    assert ids(found) == ["good", "last"]
    assert what in only(found).what
    assert only(found).line == 9


def test_a_circle_of_cards_loses_the_card_that_closes_it() -> None:
    one = "  - {id: a, front: 1, back: 1, after: [c]}\n"
    two = "  - {id: b, front: 2, back: 2, after: [a]}\n"
    three = "  - {id: c, front: 3, back: 3, after: [b]}\n"
    found = deck(TOP + one + two + three)
    assert ids(found) == ["a", "c"]
    assert only(found).what == "these cards wait for each other: a → c → b → a"
    assert only(found).line == 4


def test_a_reference_to_a_card_with_other_mistakes_is_no_second_mistake() -> None:
    broken = "  - id: x\n    front: [MASK]\n    back: A\n"
    lost = "  - id: y\n    front: Q3\n    back: a: b\n"
    last = "  - {id: z, front: Z, back: Z, after: [x, y]}\n"
    found = deck(TOP + broken + lost + last)
    assert ids(found) == ["z"]
    assert [one.line for one in found.complaints] == [4, 8]


@given(st.dictionaries(st.sampled_from("abcde"), st.lists(st.sampled_from("abcdef"), max_size=4)))
def test_without_the_references_that_close_a_circle_there_is_none(
    waits: dict[str, list[str]],
) -> None:
    closing = [(names[-1], names[0]) for names in cycles(waits)]
    rest = {
        name: [one for one in after if (name, one) not in closing] for name, after in waits.items()
    }
    assert list(cycles(rest)) == []


def test_cards_that_wait_for_each_other_in_many_ways_are_followed_once() -> None:
    waits = {f"{side}{n}": [f"a{n + 1}", f"b{n + 1}"] for n in range(60) for side in "ab"}
    assert list(cycles(waits)) == []


def test_ten_thousand_cards_in_a_row_are_followed_without_recursion() -> None:
    waits = {str(n): [str(n + 1)] for n in range(10_000)}
    assert list(cycles(waits)) == []
    assert len(next(cycles(waits | {"9999": ["0"]}))) == 10_000
