"""Which new card a vanished one has become."""

from __future__ import annotations

from dataclasses import replace
from difflib import SequenceMatcher
from typing import TYPE_CHECKING

import pytest

from attn_study.deck.reader import read
from attn_study.deck.successor import COMPARED, MOST, successors

if TYPE_CHECKING:
    from pathlib import Path

    from attn_study.deck.card import Card


@pytest.fixture
def card(tmp_path: Path) -> Card:
    """A card without a written id, to be varied."""
    path = tmp_path / "d.yaml"
    path.write_text("deck: d\ncards:\n  - {front: Q, back: A}\n", encoding="utf-8")
    deck = read(path).deck
    assert deck
    return deck.cards[0]


def paired(card: Card, gone: list[str], fresh: list[str], back: str = "") -> list[tuple[str, str]]:
    """Pairs of fronts, from cards that have their front as their id."""
    sides = [
        [replace(card, id=front, front=front, back=back or f"{side} {front}") for front in fronts]
        for side, fronts in enumerate((gone, fresh))
    ]
    return successors(*sides)


@pytest.mark.parametrize(
    ("gone", "fresh", "expected"),
    [
        (["Why divide by d_k?"], ["Why divide by √d_k?"], [0]),
        (["Why divide by d_k?"], ["What is a residual stream?"], []),
        (["What is a key?"], ["How are values summed?", "What is a key, then?"], [1]),
        ([], ["What is a key?"], []),
    ],
)
def test_a_card_goes_on_as_the_one_that_reads_nearly_the_same(
    card: Card, gone: list[str], fresh: list[str], expected: list[int]
) -> None:
    assert paired(card, gone, fresh) == [(gone[0], fresh[at]) for at in expected]


def test_the_same_back_needs_less_of_the_front(card: Card) -> None:
    gone, fresh = ["Why divide?"], ["Why do scores get divided at all?"]
    assert paired(card, gone, fresh) == []
    assert paired(card, gone, fresh, "To keep softmax alive") == [(gone[0], fresh[0])]


def test_a_card_of_another_kind_is_no_successor(card: Card) -> None:
    after = replace(card, id="new", front="Q!")
    assert successors([card], [after]) == [(card.id, "new")]
    assert successors([card], [replace(after, kind="typed")]) == []


def test_a_card_may_be_given_an_id_and_one_that_has_an_id_cannot_lose_it_by_its_text(
    card: Card,
) -> None:
    named = replace(card, id="d/named", written_id=True)
    assert successors([card], [named]) == [(card.id, "d/named")]
    assert successors([named], [replace(card, front="Q!")]) == []


def test_a_deck_that_was_exchanged_has_no_successors(card: Card) -> None:
    gone = [f"Question {number}" for number in range(MOST + 1)]
    assert paired(card, gone, [f"{front}?" for front in gone]) == []


def test_only_the_beginning_of_a_long_front_is_compared(
    card: Card, monkeypatch: pytest.MonkeyPatch
) -> None:
    compared = []

    class Counted(SequenceMatcher[str]):
        def __init__(self, isjunk: None, a: str, b: str) -> None:
            compared.append((len(a), len(b)))
            super().__init__(isjunk, a, b)

    monkeypatch.setattr("attn_study.deck.successor.SequenceMatcher", Counted)
    gone = "what a query asks " * 10_000
    assert paired(card, [gone], [f"{gone}?"]) == [(gone, f"{gone}?")]
    assert compared == [(COMPARED, COMPARED)]
