"""Cards that wait for each other: how a circle is told, and what many of them take."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from attn_study.deck.order import cycles, told
from attn_study.memory.catalogue import Catalogue
from attn_study.refresh import _break_circles
from deck_text import deck
from memory_helpers import entry, log_in_memory, shelve


@pytest.mark.parametrize(
    ("names", "line"),
    [
        ("a b", "a → b → a"),
        ("a b c d e", "a → b → c → d → e → a"),
        ("a b c d e f", "a → b → c → d → … 1 more … → f → a"),
    ],
)
def test_a_circle_is_told_by_five_of_its_cards_at_most(names: str, line: str) -> None:
    assert told(names.split()) == line


def test_many_circles_of_many_cards_make_short_complaints() -> None:
    """Told card by card, they would fill a screen for each card."""
    cards = "".join(
        f"  - {{id: c{n}, front: {n}, back: A, after: [c0, c{(n + 1) % 600}]}}\n"
        for n in range(600)
    )
    found = deck(f"deck: d\ncards:\n{cards}")
    assert len(found.complaints) >= 600
    assert max(len(one.what) for one in found.complaints) < 100


@given(st.dictionaries(st.sampled_from("abcde"), st.lists(st.sampled_from("abcdef"), max_size=4)))
def test_each_circle_is_a_way_that_the_references_lead(waits: dict[str, list[str]]) -> None:
    for names in cycles(waits):
        steps = zip(names, (*names[1:], names[0]), strict=True)
        assert all(after in waits[card] for card, after in steps)
        assert len(set(names)) == len(names)


def test_the_circles_of_decks_are_broken_in_one_reading_of_the_catalogue() -> None:
    pairs = [(f"a/{n}", f"b/{n}") for n in range(50)]
    with log_in_memory() as log:
        shelve(
            log.conn,
            *[entry(one, after=[other, "b/hub"]) for one, other in pairs],
            *[entry(other, after=[one]) for one, other in pairs],
            entry("b/hub", after=[one for one, _ in pairs]),
        )
        before = Catalogue(log.conn).waiting()
        closing = {(names[-1], names[0]) for names in cycles(before)}
        said: list[str] = []
        log.conn.set_trace_callback(said.append)
        _break_circles(Catalogue(log.conn))
        log.conn.set_trace_callback(None)
        left = Catalogue(log.conn).waiting()
        assert list(cycles(left)) == []
        assert len(closing) == 100
        assert sum(map(len, left.values())) == sum(map(len, before.values())) - len(closing)
        scans = [one for one in said if "WHERE after !=" in one]
        assert len(scans) == 1
