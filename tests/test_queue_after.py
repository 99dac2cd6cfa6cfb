"""Cards that come after others: the order of the plan, and what planning it asks."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from attn_study.memory.event import Draft
from attn_study.memory.limits import Limit, Limits
from attn_study.memory.queue import plan
from attn_study.memory.scope import Scope
from memory_helpers import DAY, LAW, adopt, entry, log_in_memory, review, shelve, write

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from attn_study.memory.catalogue import Entry

NAMES = [f"{deck}/{name}" for deck in "abc" for name in "vwxyz"]
CARDS = st.lists(
    st.builds(
        lambda card, note, after: entry(card, note=note and f"{card[0]}/{note}", after=after),
        st.sampled_from(NAMES),
        st.sampled_from(["", "", "", "n", "m"]),
        st.lists(st.sampled_from([*NAMES, "a/gone"]), max_size=3),
    ),
    max_size=15,
    unique_by=lambda one: one.card,
)
ROOMS = st.tuples(
    st.integers(0, 15), st.dictionaries(st.sampled_from("abc"), st.integers(0, 5), max_size=3)
)


def plainly(
    cards: Sequence[Entry],
    room: int,
    rooms: dict[str, int],
    *,
    resting: set[str],
    former: dict[str, str],
) -> list[str]:
    """The rule, word for word: after every card shown, the first of those held up that can go."""
    left = {deck: rooms.get(deck, room) for deck in "abc"}
    there = {one.card for one in cards} - resting
    shown: list[Entry] = []

    def fits(one: Entry) -> bool:
        notes = {other.note for other in shown}
        taken = sum(other.deck == one.deck for other in shown)
        return len(shown) < room and taken < left[one.deck] and one.note not in notes

    def waits(one: Entry) -> bool:
        named = {former.get(card, card) for card in one.after}
        return bool(named & there - {other.card for other in shown})

    held_up: list[Entry] = []
    decks = list(dict.fromkeys(one.deck for one in cards))
    for one in sorted(cards, key=lambda one: decks.index(one.deck)):
        if one.card in resting or one.card in former or not fits(one):
            continue
        if waits(one):
            held_up.append(one)
            continue
        shown.append(one)
        while free := [other for other in held_up if fits(other) and not waits(other)]:
            held_up.remove(free[0])
            shown.append(free[0])
    return [one.card for one in shown]


@LAW
@given(
    CARDS,
    ROOMS,
    st.sets(st.sampled_from(NAMES), max_size=3),
    st.none() | st.tuples(st.sampled_from(NAMES), st.sampled_from(NAMES)),
)
def test_new_cards_come_in_the_order_of_the_plain_rule(
    cards: list[Entry],
    rooms: tuple[int, dict[str, int]],
    resting: set[str],
    adopted: tuple[str, str] | None,
) -> None:
    total, own = rooms
    limits = Limits(Limit(total, 0), {deck: Limit(most, 0) for deck, most in own.items()})
    former = dict([adopted]) if adopted and adopted[0] != adopted[1] else {}
    with log_in_memory() as log:
        shelve(log.conn, *cards)
        write(log, 0, *[adopt(old, new) for old, new in former.items()])
        resting = resting - former.keys()
        write(log, 0, *[Draft(card, "suspend") for card in sorted(resting)])
        expected = plainly(cards, total, own, resting=resting, former=former)
        assert list(plan(log, DAY, Scope(), limits).new) == expected


def asked(cards: Sequence[Entry | str]) -> int:
    """Count the statements that one plan of all the cards takes."""
    with log_in_memory() as log:
        shelve(log.conn, *cards)
        write(log, 0, adopt("a/old", "z/intro"), review("z/other", 4))
        said: list[str] = []
        log.conn.set_trace_callback(said.append)
        new = plan(log, DAY, Scope(), Limits(Limit(9999, 0))).new
        log.conn.set_trace_callback(None)
        assert len(new) == len(cards) - 1
        return len(said)


@pytest.mark.parametrize("name", ["z/intro", "a/old"], ids=["itself", "adopted"])
def test_a_plan_asks_no_more_when_more_cards_wait_for_the_same_one(name: str) -> None:
    def held_up(number: int) -> list[Entry | str]:
        return [*[entry(f"a/{n}", after=[name]) for n in range(number)], "z/intro", "z/other"]

    assert asked(held_up(5)) == asked(held_up(300))


def backwards(number: int) -> list[Entry]:
    return [entry(f"a/{n:04}", after=[f"a/{n + 1:04}"]) for n in range(number)]


def together(number: int) -> list[Entry]:
    return [*[entry(f"a/{n:04}", after=["b/0"]) for n in range(number)], entry("b/0")]


@pytest.mark.parametrize("cards", [backwards, together])
def test_each_card_held_up_is_looked_at_a_bounded_number_of_times(
    cards: Callable[[int], list[Entry]], monkeypatch: pytest.MonkeyPatch
) -> None:
    from attn_study.memory import limits

    looks: list[str] = []
    takes = limits.Room.takes

    def counted(room: limits.Room, deck: str) -> bool:
        looks.append(deck)
        return takes(room, deck)

    monkeypatch.setattr(limits.Room, "takes", counted)
    with log_in_memory() as log:
        shelve(log.conn, *cards(200))
        assert len(plan(log, DAY, Scope(), Limits(Limit(9999, 0))).new) >= 200
    assert len(looks) < 200 * 4
