"""What a note of each kind makes, and which typed answers count as right."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from attn_study.deck import kinds
from attn_study.deck.card import Card, Option
from attn_study.deck.kinds import Verdict, choice, typed
from attn_study.deck.kinds.differ import pieces
from attn_study.deck.kinds.forgiving import canonical
from attn_study.deck.library import decks_dir
from attn_study.deck.note import automatic_id
from attn_study.deck.reader import parse, read
from attn_study.deck.spelling import spelled
from deck_text import cards, ids, only, with_card


def check(
    answer: str, given: str, *, accept: tuple[str, ...] = (), near: float | None = None
) -> Verdict:
    card = Card("d/x", "typed", "Q", answer, answer=answer, accept=accept, tolerance=near)
    return typed.check(card, given)


@pytest.mark.parametrize("name", kinds.NAMES)
def test_every_kind_says_which_keys_it_has(name: str) -> None:
    kind = kinds.kind(name)
    assert kind.KEYS
    assert not kind.KEYS & kind.MAY
    assert hasattr(kind, "check") == (kind.ANSWERED != "recalled")


def test_a_basic_note_is_one_card() -> None:
    note = Card("d/x", "basic", "Q", "A")
    assert kinds.kind("basic").cards(note) == (note,)


def test_a_typed_note_without_a_back_shows_its_answer() -> None:
    bare, full = (Card("d/x", "typed", "Q", back, answer="A") for back in ("", "A, because"))
    assert [card.back for card in (*typed.cards(bare), *typed.cards(full))] == ["A", "A, because"]


SAME = [
    (r"\sqrt{d_k}", "√dₖ", "√d_k", "sqrt(d_k)", "sqrt d_k", r"\(\sqrt{d_k}\)", "√(dₖ)", "√{d_k}"),
    (r"QK^\top", "QKᵀ", "QK^T", "Q K^T.", r"$QK^{\top}$", "qkᵀ", "QK⊤".replace("⊤", "^⊤")),
    (r"n \times d_k", "n × d_k", "n x d_k", "n*d_k", "[n × dₖ]", r"\[n \times d_k\]", "N × d_k"),
    (r"\alpha", "α", "alpha", "Alpha", " ALPHA!".replace("!", ".")),
    (r"\alpha_{ij}", "αᵢⱼ", "alpha_ij", "α_{ij}"),
    (
        r"\text{softmax}\left(\frac{QK^\top}{\sqrt{d_k}}\right)V",
        "softmax(QKᵀ/√dₖ)V",
        "softmax(QK^T / sqrt(d_k)) V",
        "Softmax((QK^T)/√d_k)V",
    ),
    ("self-attention", "self attention", "Self–attention", "selfattention", '"self-attention"'),
    ("naïve", "naive", "NAÏVE", "nai\u0308ve"),
    (r"-\infty", "-∞", "−inf", "-infinity"),
    ("3x4", "3 × 4", "3*4", r"3 \times 4"),
    (r"\frac{1}{\sqrt{d_k}}", "1/√dₖ", "1 / sqrt(d_k)"),
    (r"x \in \mathbb{R}^{n \times d}", "x ∈ ℝ^{n×d}", "x∈R^(n*d)"),
    (r"e^{-x}", "e^-x", "e^(-x)", "e⁻ˣ"),
    (r"x_{i+1}", "x_(i+1)", "xᵢ₊₁"),
    (r"d_{\text{model}}", "d_model", "d_{model}"),
    (r"\sum_j \alpha_{ij} v_j", "∑_j α_ij v_j", "Σⱼ αᵢⱼvⱼ", "sum_j alpha_ij v_j"),
    (r"a \leq b", "a ≤ b", "a <= b"),
    (r"a \neq b", "a ≠ b", "a != b"),
    ("注意", " 注意 ", "注意."),
]


@pytest.mark.parametrize("forms", SAME)
def test_notation_case_and_spaces_are_forgiven_both_ways(forms: tuple[str, ...]) -> None:
    for one in forms:
        for other in forms:
            assert check(one, other).right, (one, other, canonical(one), canonical(other))


@pytest.mark.parametrize(
    ("answer", "given"),
    [
        ("x^2", "x_2"),
        ("x^2", "x2"),
        ("(a+b)/c", "a+b/c"),
        (r"\frac{a}{b+c}", "a/b+c"),
        (r"\sqrt{a+b}", "√a+b"),
        ("1/(2x)", "1/2x"),
        ("2(3)", "23"),
        ("QK^T", "QV^T"),
        ("QK^T", "Q^T K"),
        ("a-b", "ab"),
        ("-1", "1"),
        ("n!", "n"),
        ("n × d", "n d"),
        ("[0, 1]", "(0, 1)"),
        ("∉", "∈"),
        ("≠", "="),
        ("<=", "<"),
        ("√dₖ", "dₖ"),
        ("row", "rows"),
        ("が", "か"),
        ("", "x"),
        ("softmax", ""),
    ],
)
def test_what_changes_the_meaning_is_wrong(answer: str, given: str) -> None:
    verdict = check(answer, given)
    assert (verdict.right, verdict.grade) == (False, 1)
    assert check(given, answer).right is False


@pytest.mark.parametrize(
    ("answer", "given", "near", "right"),
    [
        ("0.62", "0,62", None, True),
        ("0.62", ".620", None, True),
        ("0.62", "0.63", None, False),
        ("0.62", "0.625", 0.005, True),
        ("0.62", "0.6251", 0.005, False),
        ("-0.5", "−0,5", None, True),
        ("12,288", "12288", None, True),
        ("12288", "12 288", None, True),
        ("12288", "12,288", None, True),
        ("1000000", "1e6", None, True),
        ("0.62", "about 0.62", 0.01, False),
        ("0.62", "nan", 0.01, False),
        ("0.62", "1e99", 0.01, False),
    ],
)
def test_numbers_are_compared_as_numbers(
    answer: str, given: str, near: float | None, right: bool
) -> None:
    assert check(answer, given, near=near).right is right


def test_what_the_deck_accepts_is_right_and_the_answer_is_shown_as_written() -> None:
    verdict = check(r"\(n^2\)", "quadratic", accept=("n squared", "quadratic"))
    assert verdict == Verdict(True, 4, (("=", r"\(n^2\)"),), r"\(n^2\)")


def test_an_accepted_number_has_the_tolerance_too() -> None:
    assert check("one half", "0.51", accept=("0.5",), near=0.01).right


@pytest.mark.parametrize(
    ("given", "grade"),
    [("softmax", 4), ("Soft max", 4), ("sofmax", 2), ("sotfmax", 2), ("softmaxx", 2), ("sofmx", 1)],
)
def test_one_wrong_letter_in_a_longer_word_is_a_slip_and_no_pass(given: str, grade: int) -> None:
    verdict = check("softmax", given)
    assert (verdict.grade, verdict.right) == (grade, grade == 4)


@pytest.mark.parametrize(
    ("answer", "given"),
    [("keys", "key"), ("d_k", "d_v"), ("x_12345", "x_12346"), ("rows of Q", "rows of K")],
)
def test_short_words_indices_and_digits_have_no_slips(answer: str, given: str) -> None:
    assert check(answer, given).grade == 1


def test_a_slip_of_an_accepted_answer_is_compared_with_that_one() -> None:
    verdict = check("√dₖ", "squareroot of dk", accept=("squareroot of dq", "sqaureroot of dk"))
    assert verdict.grade == 2
    assert "".join(text for mark, text in verdict.pieces if mark in "=-") == "sqaureroot of dk"


def test_the_pieces_show_what_is_missing_and_what_is_too_much() -> None:
    assert check("softmax of the scores", "sofmax of the weights").pieces == (
        ("=", "sof"),
        ("-", "t"),
        ("=", "max of the "),
        ("-", "scores"),
        ("+", "weights"),
    )


@given(st.text(max_size=60), st.text(max_size=60))
def test_the_pieces_join_to_what_was_wanted_and_what_was_given(wanted: str, given: str) -> None:
    found = pieces(wanted, given)
    assert "".join(text for mark, text in found if mark in "=-") == wanted
    typed_text = "".join(text for mark, text in found if mark in "=+")
    assert typed_text.casefold() == given.casefold()


def test_a_pasted_book_is_one_piece_too_much() -> None:
    book = "word " * 10_000
    assert check("softmax", book).pieces == (("-", "softmax"), ("+", book))


@given(st.text(max_size=80))
def test_every_answer_is_right_for_itself_in_any_case_of_spaces(text: str) -> None:
    assert check(text, f"  {text} ").right


def made(*lines: str) -> list[Card]:
    found = with_card("\n".join(lines))
    assert not found.complaints, [str(one) for one in found.complaints]
    return [card for card in cards(found) if card.stem not in ("mine/good", "mine/last")]


def test_a_reversed_note_asks_both_of_its_sides() -> None:
    there, back = made("id: r", "kind: reversed", "front: query", "back: asks")
    assert (there.id, there.front, there.back) == ("mine/r", "query", "asks")
    assert (back.id, back.front, back.back) == ("mine/r:reverse", "asks", "query")
    assert there.stem == back.stem


def test_a_cloze_note_makes_a_card_for_each_number() -> None:
    text = "cloze: 'Each {{c2::row}} of weights {{c1::sums::verb}} to {{c1::1}}'"
    first, second = made("id: c", text, "back: Always.")
    assert (first.id, first.front) == ("mine/c:c1", "Each row of weights [verb] to […]")
    assert first.back == "sums\n1\n\nAlways."
    assert (second.id, second.front) == ("mine/c:c2", "Each […] of weights sums to 1")
    assert second.back == "row\n\nAlways."


def test_a_cloze_note_is_known_by_its_text_with_the_holes() -> None:
    text = "Softmax {{c1::sums}} to 1"
    (card,) = made(f"cloze: '{text}'")
    assert card.stem == "mine/" + automatic_id(text)


def test_a_cloze_text_without_a_sound_hole_is_refused_where_it_stands() -> None:
    found = only(with_card("cloze: no hole"))
    assert (found.line, found.what) == (6, "there is no hole in this text")


CHOICE = (
    "id: who",
    "front: Who asks?",
    "choices:",
    "- the target",
    "- text: the source",
    "  why: It answers.",
    "answer: the target",
)


def test_a_choice_note_offers_its_answers_and_knows_why_one_is_wrong() -> None:
    (card,) = made(*CHOICE)
    assert card.kind == "choice"
    assert card.options == (Option("the target"), Option("the source", "It answers."))
    right, wrong, none = (
        kinds.kind("choice").check(card, given) for given in ("the target", "the source", "")
    )
    assert (right.right, right.grade, right.why) == (True, 4, "")
    assert (wrong.right, wrong.grade, wrong.why) == (False, 1, "It answers.")
    assert (none.right, none.grade, none.why) == (False, 1, "")
    assert card.back == "the target"


# The orders are those of `b2sum -l 64` over `number|d/x|option`.
def test_options_are_shuffled_the_same_on_every_machine() -> None:
    card = Card("d/x", "choice", "Q", "a", options=tuple(Option(text) for text in "abcd"))
    orders = ["".join(option.text for option in choice.shuffled(card, n)) for n in range(200)]
    assert orders[:4] == ["bcad", "dabc", "bcad", "badc"]
    assert {order.index("a") for order in orders} == {0, 1, 2, 3}
    assert all(sorted(order) == list("abcd") for order in orders)


@pytest.mark.parametrize(
    ("lines", "what"),
    [
        (["choices: [a, b]"], "this card has no `answer`"),
        (["choices: [a]", "answer: a"], "1 choice where 2 to 9 are expected"),
        (["choices: [a, b, a]", "answer: a"], "the choice 'a' is given twice"),
        (["choices: [a, b]", "answer: c"], "the answer 'c' is not among the choices"),
        (["choices: a", "answer: a"], "`choices` must be a list"),
        (["choices: [a, '']", "answer: a"], "a choice has no text"),
        (["choices: [a, [b]]", "answer: a"], "a choice has no text"),
        (["choices: [a, {why: c}]", "answer: a"], "a choice has no text"),
        (["choices: [a, {text: b, because: c}]", "answer: a"], "there is no key `because` here"),
        ([f"choices: {list('abcdefghij')}", "answer: a"], "10 choices where 2 to 9 are expected"),
    ],
)
def test_a_choice_that_cannot_be_asked_is_refused(lines: list[str], what: str) -> None:
    found = with_card("\n".join(["front: Q9", *lines]))
    assert [one.what for one in found.complaints if not one.warning][:1] == [what]
    assert ids(found) == ["good", "last"]


@pytest.mark.parametrize("path", sorted(decks_dir().glob("*.yaml")), ids=lambda path: path.stem)
def test_a_note_is_read_again_from_the_keys_it_is_spelled_with(path: Path) -> None:
    found = read(path).deck
    assert found is not None
    text = json.dumps(
        {"deck": found.name, "cards": [spelled(note) for note in found.notes]}, ensure_ascii=False
    )
    again = parse(text, Path("again.yaml")).deck
    assert again is not None
    assert [replace(note, line=0) for note in again.notes] == [
        replace(note, line=0, section="") for note in found.notes
    ]


def test_a_mistyped_hole_is_warned_of_and_keeps_no_card_out() -> None:
    found = with_card("cloze: 'a {c1::row}} of {{c2::weights}}'")
    assert (only(found).warning, only(found).line) == (True, 6)
    assert "'{c1::' begins no hole" in only(found).what
    assert len(cards(found)) == 3


@pytest.mark.parametrize(
    "choices", ["[a b, 'a  b']", "['é', \"e\u0301\"]", "[a b, 'a\u00a0b']", "[a, 'a ']"]
)
def test_choices_that_nobody_can_tell_apart_are_refused(choices: str) -> None:
    first = {"[a,": "a"}.get(choices.split(" ", maxsplit=1)[0], "a b" if "b" in choices else "é")
    found = with_card(f"front: Q9\nchoices: {choices}\nanswer: {first}")
    assert any("is given twice" in one.what for one in found.complaints)


def test_a_percent_sign_says_no_other_number() -> None:
    assert check("33", "33.1 %", near=3).right
    assert check("33 %", "33").right
    assert not check("33", "40%", near=3).right
