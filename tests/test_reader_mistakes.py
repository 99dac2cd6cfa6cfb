"""Mistakes in cards: each with its place and a remedy, and the other cards stay."""

from __future__ import annotations

import pytest

from attn_study.deck import nodes
from attn_study.deck.salvage import salvage
from attn_study.deck.source import decode
from deck_text import GOOD, HERE, LAST, TOP, cards, deck, ids, only, places, with_card


@pytest.mark.parametrize(
    ("card", "place", "hint"),
    [
        ("front: [MASK]\nback: A3", (6, 12), "'[MASK]'"),
        ("front: Q3\nback: {d_k}", (7, 11), "'{d_k}'"),
        ("front: Q3\nback: {{c1::x}}", (7, 11), "'{{c1::x}}'"),
        ("cloze: {{c1::softmax}} of", (6, 28), "'{{c1::softmax}} of'"),
        ("front: [MASK\nback: A3", (6, 12), "'[MASK'"),
        ("front: [d × d_k] it's\nback: A3", (6, 22), "'[d × d_k] it''s'"),
    ],
)
def test_s02_a_text_that_reads_as_a_list_or_map(
    card: str, place: tuple[int, int], hint: str
) -> None:
    found = with_card(card)
    assert ids(found) == ["good", "last"]
    assert places(found) == [place]
    assert only(found).hint.endswith(f"single quotes round it: {hint}")


def test_s10_a_key_given_twice_is_a_mistake_that_names_both_lines() -> None:
    found = with_card("front: Q3\nback: one\nback: two")
    assert ids(found) == ["good", "last"]
    assert places(found) == [(8, 5)]
    assert only(found).what == "`back` is given twice, first on line 7"


def test_s10_merge_keys_are_refused_openly() -> None:
    found = deck(TOP + "  - &one {front: Q, back: A}\n  - {<<: *one, front: Q2, back: B}\n")
    assert len(cards(found)) == 1
    assert only(found).what.startswith("merge keys")


SLIPS = [
    (
        "front: Q3\nback: Note: scale first",
        (7, 15),
        "put single quotes round it: 'Note: scale first'",
    ),
    ("front: Q3\n\tback: A3", (7, 5), "indent with spaces"),
    ('front: Q3\nback: "\\sqrt{d_k}"', (7, 12), "'\\sqrt{d_k}'"),
    ('front: Q3\nback: "\\upsilon"', (7, 14), "'\\upsilon'"),
    ("front: Q3\nback: @x", (7, 11), "'@x'"),
    ("front: Q3\nback: `code`", (7, 11), "'`code`'"),
    ("front: Q3\nback: %x", (7, 11), "'%x'"),
    ("front: Q3\nback: *bold*", (7, 16), "'*bold*'"),
    ("front: Q3\nback: *bold text*", (7, 17), "'*bold text*'"),
    ("front: Q3\nback: - minus", (7, 11), "'- minus'"),
    ("front: Q3\nback: >50 percent", (7, 13), "'>50 percent'"),
    ('front: Q3\nback: "a" b', (7, 15), "'\"a\" b'"),
    ("front: Q3\nback: 'don't'", (7, 16), "'don''t'"),
    ("front Q3\nback: A3", (7, 9), "a key needs `: ` behind it"),
    ("front: Q3\n back: A3", (7, 10), "a key needs `: ` behind it"),
    ('front: "never closed\nback: A3', (6, 12), 'write " at the end of the text'),
    ("front: Q3\nback: a #3\n  more", (8, 7), "the keys of a card stand exactly under"),
]


@pytest.mark.parametrize(("card", "place", "hint"), SLIPS)
def test_s11_a_beginners_mistake_is_named_with_place_line_and_remedy(
    card: str, place: tuple[int, int], hint: str
) -> None:
    found = with_card(card)
    assert ids(found) == ["good", "last"]
    complaint = only(found)
    assert complaint.what.endswith("(the card on line 6 is left out)")
    assert hint in complaint.hint
    assert complaint.source in [f"    {line}" for line in card.split("\n")] + [
        "  - " + card.split("\n", maxsplit=1)[0]
    ]
    assert complaint.line == place[0]
    if "\t" not in card and "\n back" not in card:
        assert complaint.column == place[1]


@pytest.mark.parametrize(("card", "place", "hint"), SLIPS)
def test_s11_the_parser_without_the_c_library_says_the_same(
    card: str, place: tuple[int, int], hint: str
) -> None:
    body = "".join(f"    {line}\n" for line in card.split("\n"))
    source, _ = decode(f"{TOP}{GOOD}  - {body[4:]}{LAST}", HERE)
    saved, complaints = salvage(source, nodes.PURE)
    assert saved.struck == {5}
    assert not saved.cut
    assert [one.line for one in complaints] == [place[0]]
    assert hint in complaints[0].hint


IN_BRACKETS = [
    (r'{id: a, front: "\sqrt{x}", back: y}', "'\\sqrt{x}'"),
    ("{id: a, front: a: b, back: y}", "'a: b'"),
    ("{id: a, front: y, back: a: b}", "'a: b'"),
    ('{id: a, front: "x" y, back: y}', "'\"x\" y'"),
    ("{id: a, front: *x y, back: y}", "'*x y'"),
    ("{id: a, front: @x, back: y}", "'@x'"),
    ("{id: a, front: {{c1::x}} y, back: y}", "'{{c1::x}} y'"),
    ("{id: a, front: [a, b c: d}", "'[a, b c: d'"),
    ('{id: a, front: x, back: y, demo: head, with: {seed: "\\q"}}', "'\\q'"),
    ("{id: a, front: x, back: y, demo: head, with: {seed: 3: 4}}", "'3: 4'"),
    ("{id: a, front: x, back: y, tags: [a, b: c: d]}", "'b: c: d'"),
    ('id: a\n    front: "\\q"  # why\n    back: y', "'\\q'"),
]


@pytest.mark.parametrize(("card", "quoted"), IN_BRACKETS)
@pytest.mark.parametrize("parser", [nodes.PARSER, nodes.PURE], ids=["fast", "pure"])
def test_what_is_to_be_quoted_is_a_text_and_then_the_card_can_be_read(
    card: str, quoted: str, parser: nodes.Parser
) -> None:
    text = f"{TOP}{GOOD}  - {card}\n{LAST}"
    source, _ = decode(text, HERE)
    _, complaints = salvage(source, parser)
    (complaint,) = complaints
    assert complaint.hint == f"put single quotes round it: {quoted}"
    inside = quoted[1:-1]
    was = inside if inside in card.replace(f'"{inside}"', "") else f'"{inside}"'
    source, _ = decode(text.replace(was, quoted), HERE)
    assert salvage(source, parser)[1] == ()


@pytest.mark.parametrize(
    "card",
    [
        'front: "one\n  \\sqrt{x} and\n  more"\nback: y',
        'front: "\\sqrt{x} and\n  more"\nback: y',
        "front: a: b\n  and more\nback: y",
        "front: one\n  two: three: four\nback: y",
        "front: [a] b\n  and more\nback: y",
    ],
)
def test_of_a_text_of_several_lines_no_part_is_to_be_quoted(card: str) -> None:
    found = with_card(card)
    assert ids(found) == ["good", "last"]
    assert only(found).hint == "write the text in single quotes, or as a | block"


@pytest.mark.parametrize(
    "card",
    ["{id: a, front: x, back: y", "id: a\nfront: x\nback: y\nwith: {seed: 3"],
)
def test_brackets_that_are_meant_and_stay_open_are_named(card: str) -> None:
    found = with_card(card)
    assert only(found).what.startswith("this { is never closed, or a comma is missing")
    assert only(found).hint == "write } at the end, and a comma between two parts"


def test_brackets_that_stay_open_at_the_very_end_are_named_too() -> None:
    found = deck(TOP + GOOD + "  - {id: a, front: {}, back")
    assert ids(found) == ["good"]
    assert (only(found).line, only(found).hint[:7]) == (6, "write }")


def test_s11_many_mistakes_are_all_reported_in_one_go() -> None:
    text = TOP + GOOD
    for number, (card, _, _) in enumerate(SLIPS):
        lines = card.split("\n")
        text += f"  - id: slip-{number}\n" + "".join(f"    {line}\n" for line in lines)
        text += f"  - {{id: fine-{number}, front: F{number}, back: B}}\n"
    found = deck(text)
    closed_late = [slip for slip in SLIPS if "never closed" in slip[0]]
    assert len(closed_late) == 1
    assert len(found.complaints) == len(SLIPS)
    assert [one for one in ids(found) if one.startswith("fine")] == [
        f"fine-{number}" for number in range(len(SLIPS))
    ]


def test_s11_a_card_left_out_is_named_by_its_id() -> None:
    found = with_card("id: mask\nfront: Q3\nback: a: b")
    assert only(found).what.endswith("(card 'mask' is left out)")


def test_a_quote_that_ends_in_a_later_card_is_blamed_where_it_began() -> None:
    found = deck(TOP + '  - front: "one\n    back: A\n  - front: "two"\n    back: B\n' + LAST)
    assert (only(found).line, only(found).column) == (3, 12)
    assert "closed only on line 5" in only(found).what
    assert len(cards(found)) == 2


@pytest.mark.parametrize("dash", [" - ", "- "])
def test_a_card_that_slipped_to_the_left_is_left_out_alone(dash: str) -> None:
    slipped = f"{dash}front: Q3\n{' ' * len(dash)}back: A3\n"
    found = deck(TOP + GOOD + slipped + LAST)
    assert ids(found) == ["good", "last"]
    assert only(found).line == 6


def test_cards_in_sections_are_saved_one_by_one() -> None:
    text = (
        "deck: mine\nsections:\n"
        "  - title: One\n    cards:\n      - {id: a, front: 1, back: 1}\n      - front: @\n"
        "  - title: Two\n    cards:\n      - {id: b, front: 2, back: 2}\n"
    )
    found = deck(text)
    assert [(card.id, card.section) for card in cards(found)] == [
        ("mine/a", "One"),
        ("mine/b", "Two"),
    ]


def test_a_mistake_outside_the_cards_keeps_those_above_it() -> None:
    text = (
        "deck: mine\nsections:\n"
        "  - title: One\n    cards:\n      - {id: a, front: 1, back: 1, after: [b]}\n"
        "  - title: 'Two' x\n    cards:\n      - {id: b, front: 2, back: 2}\n"
    )
    found = deck(text)
    assert ids(found) == ["a"]
    assert only(found).line == 6
    assert only(found).what.endswith("(nothing below could be read)")


def test_a_file_with_too_many_mistakes_is_given_up_without_half_a_card() -> None:
    broken = "".join(f"  - front: Q{n}\n    back: A\n    note: a: b\n" for n in range(250))
    found = deck(TOP + GOOD + broken)
    assert ids(found) == ["good"]
    assert {one.source for one in found.complaints} == {"    note: a: b"}
    assert found.complaints[-1].what.endswith("(nothing below could be read)")


@pytest.mark.parametrize(
    ("text", "column"),
    [
        (r"\frac{a}{b}", 12),
        (r"x \alpha", 14),
        (r"\nabla x", 12),
        (r"\times", 12),
        (r"\Leftarrow", 12),
        (r"d\_k", 13),
        (r"\\ok \beta", 17),
    ],
)
def test_latex_eaten_by_double_quotes_is_found(text: str, column: int) -> None:
    found = with_card(f'front: Q3\nback: "{text}"')
    assert ids(found) == ["good", "last"]
    assert places(found) == [(7, column)]
    assert "'single quotes'" in only(found).hint


def test_latex_eaten_on_a_later_line_of_double_quotes_is_found_there() -> None:
    found = with_card('front: Q3\nback: "first\n  \\frac{a}{b}"')
    assert places(found) == [(8, 7)]


def test_an_escape_by_number_cannot_hide_a_control_character() -> None:
    assert "invisible" in only(with_card('front: Q3\nback: "\\x1b[2J"')).what


@pytest.mark.parametrize(("key", "warned"), [("back", True), ("note", True), ("demo", False)])
def test_a_text_cut_by_a_comment_is_a_warning_where_text_is_meant(key: str, warned: bool) -> None:
    more = "" if key == "back" else "back: A3\n"
    found = with_card(f"front: Q3\n{more}{key}: C #3")
    assert ids(found)[0::2] == ["good", "last"]
    assert len(cards(found)) == 3
    assert [one.warning for one in found.complaints] == [True] * warned
    if warned:
        assert only(found).hint.endswith("'C #3'")


@pytest.mark.parametrize(
    ("card", "what", "hint"),
    [
        ("front: Q3\nbakc: A3\nback: A3", "there is no key `bakc` here", "did you mean back?"),
        ("front: Q3", "this card has no `back`", "add `back: …`"),
        ("kind: typed\nfront: Q3", "this card has no `answer`", "add `answer: …`"),
        ("kind: basic\nfront: Q3\nback: A\nanswer: x", "there is no key `answer` here", ""),
        ("front: Q3\nback: A3\nwith: {d_k: 2}", "`with` sets the knobs of a demo", "`demo: NAME`"),
        ("front: Q3\nback: A3\ndemo: d\nwith: {d-k: 2}", "'d-k' is not the name of a knob", "d_k"),
        ("front: Q3\nback: A3\ntags: scaling", "a list is expected", "[scaling]"),
        ("front: Q3\nback: A3\ntags: [a, '']", "an empty text", ""),
        ("front: Q3\nback: A3\ntags: [[a]]", "reads as a list", "'[a]'"),
        ("front: Q3\nanswer: x\ntolerance: 1", "an `answer` that is a number", ""),
        ("front: Q3\nanswer: '1'\ntolerance: lots", "must be a number", ""),
        ("front: Q3\nanswer: '1'\ntolerance: -1", "must be a number", ""),
        ("front: Q3\nback: !important", "reads as a tag", "needs quotes"),
        ("front: Q3\nback: !!python/object:os.system x", "reads as a tag", ""),
        ("front: Q3\nback: *bold", "reads as an alias", "needs quotes"),
        ("? [a]\n: b\nfront: Q3\nback: A3", "reads as a list", ""),
    ],
)
def test_a_mistake_in_one_card_leaves_that_card_out(card: str, what: str, hint: str) -> None:
    found = with_card(card)
    assert ids(found) == ["good", "last"]
    assert what in only(found).what
    assert hint in only(found).hint


@pytest.mark.parametrize("item", ["just text", "[a, b]", ""])
def test_s46_a_card_that_is_no_map_is_a_mistake(item: str) -> None:
    found = deck(f"{TOP}{GOOD}  - {item}\n{LAST}")
    assert ids(found) == ["good", "last"]
    assert only(found).line == 6
