"""What is due, what is new, what is drilled, and in which order."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING
from zlib import crc32

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Iterator, Mapping
    from datetime import date

    from attn_study.memory.log import Log

# The card may be asked today at all: it rests neither for good nor for the day.
AWAKE = "s.suspended = 0 AND (s.buried IS NULL OR s.buried != :day)"

# The notes of which a card has been reviewed today.
STUDIED = """SELECT r.note FROM card_state t JOIN cache.card r ON r.card = t.card
    WHERE t.review_day = :day"""
NO_SIBLING = f"c.note NOT IN ({STUDIED})"

# The card was reviewed today and not made new again since, whatever the fold makes of rows that a
# wrong clock dated ahead: it is not asked without end.
ASKED = """SELECT a.card FROM log a WHERE a.day = :day AND a.kind = 'review'
    AND NOT EXISTS (SELECT 1 FROM log u WHERE u.kind = 'undo' AND u.data ->> '$.undone' = a.uid)
    AND NOT EXISTS (
        SELECT 1 FROM log b WHERE b.card = a.card AND b.kind = 'reset' AND b.day = a.day
        AND b.tick > a.tick AND NOT EXISTS (
            SELECT 1 FROM log v WHERE v.kind = 'undo' AND v.data ->> '$.undone' = b.uid))"""
UNASKED = f"c.card NOT IN ({ASKED})"

# A day that cannot be read comes first: the next answer mends it.
OVERDUE = "ifnull(julianday(:day) - julianday(s.due), 1e9) / max(s.interval, 1)"

MIX_MODULUS = 2**31 - 1  # a prime: multiplying by a day's number permutes the residues

# The deck of a state, written as the index `state_deck` has it.
DECK = "substr(s.card, 1, instr(s.card, '/') - 1)"

# The card is one that the sitting is about.
IN_SCOPE = """(:decks = '[]' OR c.deck IN (SELECT value FROM json_each(:decks)))
    AND (:section = '' OR c.section = :section)
    AND (:tag = '' OR :tag IN (SELECT value FROM json_each(c.tags)))"""


@dataclass(frozen=True, slots=True)
class Scope:
    """The cards a sitting is about; everything when all is empty."""

    decks: tuple[str, ...] = ()
    section: str = ""
    tag: str = ""

    def on(self, day: date) -> dict[str, object]:
        """Return the values that the queries of this file ask for."""
        return {
            "day": day.isoformat(),
            "decks": json.dumps(self.decks),
            "section": self.section,
            "tag": self.tag,
        }


@dataclass(frozen=True, slots=True)
class Limit:
    """The most cards of each sort on one study day."""

    new: int
    reviews: int


@dataclass(frozen=True, slots=True)
class Limits:
    """The limit for everything together, and those of single decks."""

    total: Limit
    decks: Mapping[str, Limit] = field(default_factory=dict)

    def of(self, deck: str) -> Limit:
        """Return the limit of one deck: the common one unless it has its own."""
        return self.decks.get(deck, self.total)


@dataclass(frozen=True, slots=True)
class Plan:
    """What may be asked now: card ids in order of asking.

    `due` and `new` keep to the day's limits.
    """

    due: tuple[str, ...]
    new: tuple[str, ...]
    drill: tuple[str, ...]

    def next(self) -> str | None:
        """Return the card to ask now; the drill comes when all else is done."""
        return next(iter((*self.due, *self.new, *self.drill)), None)


@dataclass(frozen=True, slots=True)
class Done:
    """How many cards were studied on a day, by deck; from the log, so a restart gives no more."""

    new: Counter[str]
    reviews: Counter[str]


class Room:
    """What the limits leave for one sort of card, counted down as cards are taken."""

    def __init__(self, total: int, of_deck: Callable[[str], int], done: Counter[str]) -> None:
        self._left = total - done.total()
        self._of_deck = of_deck
        self._taken = Counter(done)

    def is_full(self) -> bool:
        """Return whether no card at all may be taken."""
        return self._left <= 0

    def takes(self, deck: str) -> bool:
        """Return whether a card of `deck` may be taken."""
        return not self.is_full() and self._taken[deck] < self._of_deck(deck)

    def take(self, deck: str) -> None:
        """Take one card of `deck`."""
        self._taken[deck] += 1
        self._left -= 1


def plan(log: Log, day: date, scope: Scope, limits: Limits) -> Plan:
    """Return what may be asked on the study day `day`."""
    done = done_on(log.conn, day)
    reviews = Room(limits.total.reviews, lambda deck: limits.of(deck).reviews, done.reviews)
    new = Room(limits.total.new, lambda deck: limits.of(deck).new, done.new)
    due = dict(_due(log.conn, day, scope, reviews))
    return Plan(
        due=tuple(due.values()),
        new=tuple(_new(log, day, scope, new, set(due))),
        drill=tuple(_drill(log.conn, day, scope)),
    )


def done_on(conn: sqlite3.Connection, day: date) -> Done:
    """Count the live reviews of a study day."""
    done = Done(Counter(), Counter())
    query = "SELECT card, first_day = review_day FROM card_state WHERE review_day = ?"
    for card, is_first in conn.execute(query, [day.isoformat()]):
        counted = done.new if is_first else done.reviews
        counted[card.partition("/")[0]] += 1
    return done


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


Candidate = tuple[str, str, str, str]  # card, note, deck, after


def _new(log: Log, day: date, scope: Scope, room: Room, notes: set[str]) -> Iterator[str]:
    """Yield new cards in deck order, each when those it comes after were shown.

    `notes` are those of the due cards: one card of a note is asked on a day. The cards yielded
    count as shown for those behind them, since they are asked first.
    """
    picked: set[str] = set()
    blocked: list[Candidate] = []

    def fits(row: Candidate) -> bool:
        return row[1] not in notes and room.takes(row[2])

    def take(row: Candidate) -> str:
        picked.add(row[0])
        notes.add(row[1])
        room.take(row[2])
        return row[0]

    for row in _candidates(log, day, scope, room):
        if room.is_full():
            return
        if not fits(row):
            continue
        if _waits(log, day, scope, row[3], picked):
            blocked.append(row)
            continue
        yield take(row)
        while freed := next(
            (one for one in blocked if fits(one) and not _waits(log, day, scope, one[3], picked)),
            None,
        ):
            blocked.remove(freed)
            yield take(freed)


def _candidates(log: Log, day: date, scope: Scope, room: Room) -> Iterator[Candidate]:
    """Yield the cards that are new indeed and awake, in the order of study."""
    retired = log.aliases()
    decks = "SELECT deck FROM cache.file WHERE active ORDER BY place"
    query = f"""
        SELECT c.card, c.note, c.deck, c.after FROM cache.card c
        LEFT JOIN card_state s ON s.card = c.card
        WHERE c.deck = :deck AND c.seen = 0 AND s.due IS NULL
        AND (s.card IS NULL OR {AWAKE}) AND {IN_SCOPE} AND {NO_SIBLING} AND {UNASKED}
        ORDER BY c.position
    """
    for (deck,) in log.conn.execute(decks).fetchall():
        if room.takes(deck):
            for row in log.conn.execute(query, scope.on(day) | {"deck": deck}):
                if row[0] not in retired:
                    yield row


def _waits(log: Log, day: date, scope: Scope, after: str, picked: set[str]) -> bool:
    """Return whether a card named in `after` has yet to be shown.

    It orders and does not gate: one that is missing, at rest or outside the sitting's scope
    holds nobody back.
    """
    if after == "[]":
        return False
    query = f"""SELECT c.card FROM cache.card c
        WHERE c.card IN (SELECT value FROM json_each(:after)) AND {IN_SCOPE}"""
    named = json.dumps([log.canonical(card) for card in json.loads(after)])
    for (card,) in log.conn.execute(query, scope.on(day) | {"after": named}).fetchall():
        state = log.state(card)
        at_rest = state.suspended or state.buried == day
        if card not in picked and not state.was_shown and not at_rest:
            return True
    return False
