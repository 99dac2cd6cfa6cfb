"""The first built-in deck says every fact of its section, and says it as the reader wants it."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from attn_study.cli.decks.lessons import lesson_complaints
from attn_study.computed import judge, work_out
from attn_study.deck.card import Card, Deck, Figure
from attn_study.deck.kinds import kind
from attn_study.deck.reader import Reading, read
from attn_study.demos import LESSONS, load
from attn_study.demos.knobs import settle
from attn_study.demos.question import grade
from attn_study.render.face import answer, question
from learner import face_of

DECK = Path(__file__).parents[1] / "decks" / "attention.yaml"

FACTS = {
    "static-embeddings": ("static", "depends on its context", "too tired", "too wide", "same"),
    "distant-context": ("Pronouns", "Agreement", "distant subject", "senses", "bank", "pond"),
    "contextual-embeddings": ("in this particular context", "layer by layer", "below", "richer"),
    "attention-defined": ("weighs", "combines", "other tokens", r"layer \(k\)", r"\(k+1\)"),
    "where-it-looks": ("chicken", "road", "corefer", "either", "both"),
    "causal-layer": (
        r"\(x_i\)",
        r"\(x_1 \ldots x_{i-1}\)",
        "context window",
        r"nothing that comes after \(i\)",
        "equal length",
        "in parallel",
    ),
    "simplified": (
        r"\[ a_i = \sum_{j \le i} \alpha_{ij} x_j \]",
        r"\[ \alpha_{ij} = \text{softmax}(x_i \cdot x_j) \text{ for } j \le i \]",
        "weighted sum",
        "similar",
    ),
    "self-wins": (r"\(x_i\) itself", r"\(x_i \cdot x_i\) is high", "some of the weight too"),
    "three-roles": ("Query: the current element", "Key: an earlier", "Value: an earlier"),
    "projections": (
        r"q_i = x_i W^Q",
        r"k_i = x_i W^K",
        r"v_i = x_i W^V",
        "projected",
        "learned",
    ),
    "scaling": (
        r"\[ \frac{q_i \cdot k_j}{\sqrt{d_k}} \]",
        "no upper limit",
        "Exponentials",
        "numerical",
        "gradient",
        "dimension of queries and keys",
        "reasonable size",
    ),
    "one-head": (
        r"\[ \text{score}(x_i, x_j) = \frac{q_i \cdot k_j}{\sqrt{d_k}} \]",
        r"\[ \alpha_{ij} = \text{softmax}(\text{score}(x_i, x_j)) \text{ for } j \le i \]",
        r"\[ \text{head}_i = \sum_{j \le i} \alpha_{ij} v_j \]",
        r"\[ a_i = \text{head}_i W^O \]",
    ),
    "shapes-and-w-o": (
        r"back to the model’s width \(d\)",
        r"\(x_i\) and \(a_i\), input and output: \([1 \times d]\)",
        r"\(W^Q\) and \(W^K\): \([d \times d_k]\)",
        r"\(W^V\): \([d \times d_v]\)",
        r"the head output: \([1 \times d_v]\)",
        r"\(W^O\): \([d_v \times d]\)",
    ),
    "one-width": ("model dimensionality", r"\(d\)", "modularity", "blocks", "stacked", "combined"),
    "many-heads-why": (
        "several purposes",
        "specialize",
        "linguistic relationship",
        "pattern",
        r"The \(A\) heads",
        "same depth",
        "in parallel",
        r"\(W^{Q_c}\), \(W^{K_c}\), \(W^{V_c}\)",
    ),
    "many-heads-combined": (
        r"\[ a_i = (\text{head}^1 \oplus \cdots \oplus \text{head}^A) W^O \]",
        "Concatenate",
        r"\([1 \times d_v]\)",
        r"\([1 \times A d_v]\)",
        "Project",
        r"\([A d_v \times d]\)",
    ),
    "many-heads-cost": (
        r"\(d_v = d/A\)",
        "parameters",
        r"as large as one head of full width \(d\)",
    ),
}


@pytest.fixture(scope="module")
def reading() -> Reading:
    return read(DECK)


@pytest.fixture(scope="module")
def deck(reading: Reading) -> Deck:
    assert reading.deck is not None
    return reading.deck


@pytest.fixture(scope="module")
def cards(deck: Deck) -> dict[str, Card]:
    """The cards by the part of their id after the deck."""
    return {card.id.partition("/")[2]: card for card in deck.cards}


def squeezed(text: str) -> str:
    """Without spaces and line ends, so that only the words and the mathematics count."""
    return re.sub(r"\s", "", text)


def test_the_reader_has_nothing_to_say_about_the_deck(reading: Reading) -> None:
    assert [str(complaint) for complaint in reading.complaints] == []


def test_the_section_has_its_17_cards_in_the_order_of_the_chapter(deck: Deck) -> None:
    first = [card.id for card in deck.cards if card.section == "7.1 Attention"]
    assert first == [f"attention/{name}" for name in FACTS]
    assert [card.id for card in deck.cards[:17]] == first


def test_numbers_by_hand_come_next_then_the_model_and_the_parts_of_longer_cards(deck: Deck) -> None:
    sections = [card.section for card in deck.cards]
    assert list(dict.fromkeys(sections)) == [
        "7.1 Attention",
        "By hand",
        "The trained model",
        "Piece by piece",
    ]
    assert sections == sorted(sections, key=list(dict.fromkeys(sections)).index)


def test_progress_hangs_on_written_ids_only(cards: dict[str, Card]) -> None:
    assert all(card.written_id for card in cards.values())


def test_every_card_carries_a_label(cards: dict[str, Card]) -> None:
    assert [name for name, card in cards.items() if not card.tags] == []


@pytest.mark.parametrize(
    ("name", "fact"), [(name, fact) for name, facts in FACTS.items() for fact in facts]
)
def test_a_card_says_its_fact(cards: dict[str, Card], name: str, fact: str) -> None:
    card = cards[name]
    assert squeezed(fact) in squeezed(card.front + card.back)


def test_only_the_first_card_can_be_learned_before_any_other(cards: dict[str, Card]) -> None:
    assert [name for name, card in cards.items() if not card.after] == ["static-embeddings"]


def test_a_card_builds_on_cards_that_stand_before_it(cards: dict[str, Card]) -> None:
    needs = {card.id: card.after for card in cards.values()}
    order = [card.id for card in cards.values()]
    assert sorted(TopologicalSorter(needs).static_order()) == sorted(order)
    assert all(order.index(need) < order.index(one) for one, all_ in needs.items() for need in all_)


def test_the_picture_shows_where_it_looks_before_the_sentence_is_over(
    cards: dict[str, Card],
) -> None:
    card = cards["where-it-looks"]
    assert isinstance(card.figure, Figure)
    weights = dict(zip(card.figure.tokens, card.figure.weights, strict=True))
    assert " ".join(card.figure.tokens) == "The chicken didn’t cross the road because it"
    assert card.figure.asks == "it"
    assert math.isclose(sum(card.figure.weights), 1, abs_tol=1e-9)
    assert {"chicken", "road"} == set(sorted(weights, key=lambda token: weights[token])[-2:])
    assert abs(weights["chicken"] - weights["road"]) < 0.05
    assert "illustrative" in card.note
    assert "not computed" in card.note


def test_the_counter_example_to_self_wins_is_computed_right(cards: dict[str, Card]) -> None:
    note = cards["self-wins"].note
    vectors = {
        int(which): (int(first), int(second))
        for which, first, second in re.findall(r"x_(\d) = \((-?\d+), (-?\d+)\)", note)
    }
    dots = {int(key): int(dot) for key, dot in re.findall(r"x_2 \\cdot x_(\d) = (\d+)", note)}
    weights = dict(re.findall(r"\\alpha_\{2(\d)\} = (\d\.\d{4})", note))
    exps = dict(re.findall(r"e\^(\d) = (\d+\.\d{4})", note))

    assert set(vectors) == {1, 2}
    assert math.hypot(*vectors[2]) < math.hypot(*vectors[1])
    assert vectors[1][0] * vectors[2][1] == vectors[1][1] * vectors[2][0]
    assert dots == {
        key: sum(a * b for a, b in zip(vectors[2], vectors[key], strict=True)) for key in (1, 2)
    }
    assert dots[1] > dots[2]
    assert exps == {str(dot): f"{math.exp(dot):.4f}" for dot in dots.values()}
    total = sum(math.exp(dot) for dot in dots.values())
    assert weights == {str(key): f"{math.exp(dot) / total:.4f}" for key, dot in dots.items()}


def test_the_parameters_of_many_heads_are_counted_right(cards: dict[str, Card]) -> None:
    note = cards["many-heads-cost"].note
    width = int(re.findall(r"d = (\d+)", note)[0])
    counts = {
        heads * (3 * width * (width // heads) + (width // heads) * width) for heads in (1, 8, 64)
    }
    assert {f"{count:,}" for count in counts} == set(re.findall(r"\d+,\d+,\d+", note))


@pytest.mark.parametrize(
    ("name", "given", "right"),
    [
        ("self-wins", "x_i", True),
        ("self-wins", "xi", True),
        ("self-wins", "x_i itself", True),
        ("self-wins", "Itself", True),
        ("self-wins", "the input itself", True),
        ("self-wins", "x_j", False),
        ("self-wins", "x_1", False),
        ("many-heads-cost", "d/A", True),
        ("many-heads-cost", "d / A", True),
        ("many-heads-cost", "d_v = d/A", True),
        ("many-heads-cost", "d ÷ A", True),
        ("many-heads-cost", "d over A", True),
        ("many-heads-cost", "A/d", False),
        ("many-heads-cost", "d", False),
        ("many-heads-cost", "d*A", False),
        ("score-equation", "q_i · k_j / √d_k", True),
        ("score-equation", "(q_i · k_j) / sqrt(d_k)", True),
        ("score-equation", r"\frac{q_i \cdot k_j}{\sqrt{d_k}}", True),
        ("score-equation", "q_i · k_j", False),
        ("score-equation", "q_i · k_j / d_k", False),
        ("output-equation", "head_i W^O", True),
        ("output-equation", "a_i = head_i W^O", True),
        ("output-equation", "W^O head_i", False),
        ("shape-of-x", "1 x d", True),
        ("shape-of-x", "(1, d)", True),
        ("shape-of-x", "[d × 1]", False),
        ("shape-of-w-q", "[d × d_k]", True),
        ("shape-of-w-q", "d x dk", True),
        ("shape-of-w-q", "d by d_k", True),
        ("shape-of-w-q", "[d_k × d]", False),
        ("shape-of-w-q", "[d × d_v]", False),
        ("shape-of-w-v", "d, d_v", True),
        ("shape-of-w-v", "[d × d_k]", False),
        ("shape-of-a-head", "[1, d_v]", True),
        ("shape-of-a-head", "[1 × d]", False),
        ("shape-of-w-o", "d_v x d", True),
        ("shape-of-w-o", "[d × d_v]", False),
    ],
)
def test_a_short_answer_is_typed_in_any_sensible_notation(
    cards: dict[str, Card], name: str, given: str, right: bool
) -> None:
    assert kind(cards[name].kind).check(cards[name], given).right is right


def test_the_other_cards_of_the_section_are_answered_in_the_head(cards: dict[str, Card]) -> None:
    assert sorted(name for name in FACTS if cards[name].kind != "basic") == [
        "many-heads-cost",
        "self-wins",
    ]


@pytest.mark.parametrize("name", FACTS)
def test_an_answer_fits_the_screen(cards: dict[str, Card], name: str) -> None:
    assert len(cards[name].back.splitlines()) <= 8


BY_HAND = {
    "alpha-by-hand": ("simplified.weight", {"simplified"}),
    "entry-of-a-query": ("qkv.entry", {"projections"}),
    "spread-of-a-score": ("scale.std", {"scaling"}),
    "weight-from-a-row": ("head.weight-from-row", {"scaling", "causal-layer"}),
    "weight-from-scores": ("head.weight", {"one-head", "weight-from-a-row"}),
    "sum-of-a-late-mask": ("mask.row-sum", {"weight-from-a-row"}),
    "rows-that-move": ("mask.moved", {"causal-layer"}),
    "output-of-a-head": ("head.output", {"one-head"}),
    "cell-of-the-pattern": ("head.cell", {"one-head"}),
    "rank-of-a-value-map": ("values.rank", {"shapes-and-w-o"}),
    "saving-of-two-steps": ("values.saving", {"rank-of-a-value-map"}),
    "rows-and-columns-across": ("cross.shape", {"shapes-and-w-o"}),
    "two-heads-one-output": ("multihead.output", {"many-heads-combined"}),
    "parameters-of-a-layer": ("params.layer", {"many-heads-cost"}),
    "added-not-replaced": ("context.residual", {"contextual-embeddings", "one-head"}),
    "row-that-is-read": ("stack.row", {"one-width"}),
}


def test_the_numbers_by_hand_come_after_the_cards_they_need(cards: dict[str, Card]) -> None:
    found = {
        name: (card.question, {one.partition("/")[2] for one in card.after})
        for name, card in cards.items()
        if card.section == "By hand"
    }
    assert found == BY_HAND


def test_every_card_to_work_out_says_what_it_asks_in_general(cards: dict[str, Card]) -> None:
    for name in BY_HAND:
        assert cards[name].kind == "computed"
        assert 20 < len(cards[name].front) < 90
        assert not cards[name].front.startswith("By hand")


@pytest.mark.parametrize("name", BY_HAND)
def test_a_question_exists_and_its_numbers_change(cards: dict[str, Card], name: str) -> None:
    asked = [work_out(cards[name].question, number).asked for number in range(12)]
    assert len({str((one.prompt, one.given)) for one in asked}) > 1
    assert all(grade(one, str(one.answer)).right for one in asked)


@pytest.mark.parametrize("name", BY_HAND)
def test_a_wrong_answer_with_its_way_and_the_grades_fits_one_screen(
    cards: dict[str, Card], name: str
) -> None:
    card = cards[name]
    for number in range(6):
        drawn = work_out(card.question, number)
        asking = replace(face_of(card_without(card)), card=card, worked=drawn, beginner=False)
        assert question(asking, 80, typing=True).last_offset(23) == 0
        for value in drawn.asked.wrong.values():
            worked, verdict = judge(drawn, str(value))
            face = replace(asking, worked=worked, verdict=verdict, given=str(value))
            assert answer(face, 80).last_offset(24) == 0


def card_without(card: Card) -> Card:
    """A card of that name that needs no lesson."""
    return Card(card.id, "basic", "Q", "A")


def test_every_card_of_the_section_opens_the_lesson_that_shows_it(cards: dict[str, Card]) -> None:
    opened = {name: cards[name].demo for name in FACTS}
    assert all(opened.values())
    assert opened["simplified"] == "simplified"
    assert opened["scaling"] == "scale"
    assert opened["causal-layer"] == "mask"
    assert opened["many-heads-combined"] == "multihead"


def test_every_lesson_is_opened_or_asked_by_some_card(cards: dict[str, Card]) -> None:
    named = {card.demo or card.question.partition(".")[0] for card in cards.values()}
    assert set(LESSONS) == named


def test_every_demo_and_knob_is_accepted(deck: Deck) -> None:
    assert [str(complaint) for complaint in lesson_complaints(deck)] == []
    for card in deck.cards:
        if card.demo:
            settle(load(card.demo), dict(card.knobs))


PIECES = {
    "one-head": ("score-equation", "weight-equation", "head-equation", "output-equation"),
    "shapes-and-w-o": (
        "shape-of-x",
        "shape-of-w-q",
        "shape-of-w-v",
        "shape-of-a-head",
        "shape-of-w-o",
    ),
}


def test_the_longer_cards_are_asked_in_pieces_too(cards: dict[str, Card]) -> None:
    found = [name for name, card in cards.items() if card.section == "Piece by piece"]
    assert found == [piece for pieces in PIECES.values() for piece in pieces]
    for whole, pieces in PIECES.items():
        for piece in pieces:
            assert cards[piece].after == (f"attention/{whole}",)


@pytest.mark.parametrize("piece", PIECES["one-head"])
def test_an_equation_is_that_of_the_whole_card(cards: dict[str, Card], piece: str) -> None:
    assert squeezed(cards[piece].back) in squeezed(cards["one-head"].back)


@pytest.mark.parametrize("piece", PIECES["shapes-and-w-o"])
def test_a_shape_is_that_of_the_whole_card(cards: dict[str, Card], piece: str) -> None:
    shape = cards[piece].answer.replace("×", r"\times")
    assert squeezed(rf"\({shape}\)") in squeezed(cards["shapes-and-w-o"].back)


@pytest.mark.parametrize("name", [*FACTS, *BY_HAND, *PIECES["one-head"], *PIECES["shapes-and-w-o"]])
def test_a_terminal_can_draw_every_formula(cards: dict[str, Card], name: str) -> None:
    card = cards[name]
    text = "\n".join((card.front, card.back, card.note))
    drawable = {"frac", "sqrt", "sum", "alpha", "cdot", "le", "ldots", "text", "times", "oplus"}
    assert set(re.findall(r"\\([a-zA-Z]+)", text)) <= drawable | {"cdots", "qquad"}
    assert text.count(r"\(") == text.count(r"\)")
    assert text.count(r"\[") == text.count(r"\]")
