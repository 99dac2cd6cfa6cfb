"""The first built-in deck says every fact of its section, and says it as the reader wants it."""

from __future__ import annotations

import math
import re
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from attn_study.deck.card import Card, Deck, Figure
from attn_study.deck.kinds import kind
from attn_study.deck.reader import Reading, read

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
    assert [(card.id, card.section) for card in deck.cards] == [
        (f"attention/{name}", "7.1 Attention") for name in FACTS
    ]
    assert len(FACTS) == 17


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
    ],
)
def test_a_short_answer_is_typed_in_any_sensible_notation(
    cards: dict[str, Card], name: str, given: str, right: bool
) -> None:
    assert kind(cards[name].kind).check(cards[name], given).right is right


def test_the_other_cards_are_answered_in_the_head(cards: dict[str, Card]) -> None:
    assert sorted(name for name, card in cards.items() if card.kind != "basic") == [
        "many-heads-cost",
        "self-wins",
    ]


@pytest.mark.parametrize("name", FACTS)
def test_an_answer_fits_the_screen(cards: dict[str, Card], name: str) -> None:
    assert len(cards[name].back.splitlines()) <= 8


@pytest.mark.parametrize("name", FACTS)
def test_a_terminal_can_draw_every_formula(cards: dict[str, Card], name: str) -> None:
    card = cards[name]
    text = "\n".join((card.front, card.back, card.note))
    drawable = {"frac", "sqrt", "sum", "alpha", "cdot", "le", "ldots", "text", "times", "oplus"}
    assert set(re.findall(r"\\([a-zA-Z]+)", text)) <= drawable | {"cdots", "qquad"}
    assert text.count(r"\(") == text.count(r"\)")
    assert text.count(r"\[") == text.count(r"\]")
