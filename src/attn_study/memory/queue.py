"""What is due, what is new, what is drilled, and in which order."""

from __future__ import annotations

from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple
from zlib import crc32

from attn_study.memory.limits import Room, done_on
from attn_study.memory.new_cards import NewCards
from attn_study.memory.scope import ASKED, AWAKE, IN_SCOPE, STUDIED

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator, Mapping
    from datetime import date

    from attn_study.memory.limits import Limits
    from attn_study.memory.log import Log
    from attn_study.memory.scope import Scope

# A day that cannot be read comes first: the next answer mends it.
OVERDUE = "ifnull(julianday(:day) - julianday(s.due), 1e9) / max(s.interval, 1)"

MIX_MODULUS = 2**31 - 1  # a prime: multiplying by a day's number permutes the residues

# The deck of a state, written as the index `state_deck` has it.
DECK = "substr(s.card, 1, instr(s.card, '/') - 1)"


class Plan(NamedTuple):
    """What may be asked now: card ids in order of asking.

    `due` and `new` keep to the day's limits.
    """

    due: tuple[str, ...]
    new: tuple[str, ...]
    drill: tuple[str, ...]

    def next(self) -> str | None:
        """Return the card to ask now; the drill comes when all else is done."""
        return next(iter((*self.due, *self.new, *self.drill)), None)


def plan(log: Log, day: date, scope: Scope, limits: Limits) -> Plan:
    """Return what may be asked on the study day `day`."""
    done = done_on(log.conn, day)
    reviews = Room(limits.total.reviews, lambda deck: limits.of(deck).reviews, done.reviews)
    new = Room(limits.total.new, lambda deck: limits.of(deck).new, done.new)
    due = dict(_due(log.conn, day, scope, reviews))
    return Plan(
        due=tuple(due.values()),
        new=tuple(NewCards(log, day, scope, new, set(due)).chosen()),
        drill=tuple(_drill(log.conn, day, scope)),
    )


def _due(
    conn: sqlite3.Connection, day: date, scope: Scope, room: Room
) -> Iterator[tuple[str, str]]:
    """Yield due cards as (note, card), the most overdue for its interval first, one of each note.

    The catalogue is asked about the first of them only: joining it to a long backlog takes most
    of the time.
    """
    if room.is_full():
        return
    values = scope.on(day)
    asked = {row[0] for row in conn.execute(ASKED, values)}
    notes = {row[0] for row in conn.execute(STUDIED, values)}
    query = f"SELECT c.note, c.deck FROM cache.card c WHERE c.card = :card AND {IN_SCOPE}"
    for card in _by_urgency(conn, values):
        values["card"] = card
        note, deck = conn.execute(query, values).fetchone() or ("", "")
        if deck and card not in asked and note not in notes and room.takes(deck):
            notes.add(note)
            room.take(deck)
            yield note, card
        if room.is_full():
            return


def _by_urgency(conn: sqlite3.Connection, values: Mapping[str, object]) -> Iterator[str]:
    """Yield due cards, whether or not the catalogue has them.

    Ties come in an order that is new each day: each card's number is multiplied by the day's,
    modulo a prime, so that a batch learned together does not come back in one order.
    """
    query = f"""
        SELECT s.card, {OVERDUE} AS urgency, s.due FROM card_state s
        WHERE s.due IS NOT NULL AND s.due <= :day AND {AWAKE}
        AND (:decks = '[]' OR {DECK} IN (SELECT value FROM json_each(:decks)))
        ORDER BY urgency DESC, s.due
    """
    turn = crc32(str(values["day"]).encode()) % (MIX_MODULUS - 1) + 1
    for _, alike in groupby(conn.execute(query, values), key=itemgetter(1, 2)):
        mixed = ((crc32(card.encode()) * turn % MIX_MODULUS, card) for card, _, _ in alike)
        for _, card in sorted(mixed):
            yield card


def _drill(conn: sqlite3.Connection, day: date, scope: Scope) -> Iterator[str]:
    """Yield the cards whose last live answer today was below 4, the longest ago first."""
    query = f"""
        SELECT c.card FROM card_state s JOIN cache.card c ON c.card = s.card
        WHERE s.answer_day = :day AND s.answer_grade < 4 AND {AWAKE} AND {IN_SCOPE}
        ORDER BY s.answer_tick, c.card
    """
    for (card,) in conn.execute(query, scope.on(day)):
        yield card
