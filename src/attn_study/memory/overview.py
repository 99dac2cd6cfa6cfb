"""The day at a glance: how much is due, new, drilled and done, together and deck by deck."""

from __future__ import annotations

from collections import Counter
from datetime import date, timedelta
from typing import TYPE_CHECKING, NamedTuple

from attn_study.memory.limits import done_on
from attn_study.memory.queue import DECK, plan
from attn_study.memory.scope import ASKED, AWAKE, IN_SCOPE, NO_SIBLING, STUDIED, UNASKED, Scope

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Sequence

    from attn_study.memory.limits import Limits
    from attn_study.memory.log import Log


class Counts(NamedTuple):
    """Cards of one deck, or of all.

    `due` counts the whole backlog; `askable` keeps to the day's limit, as `new` does; `unseen`
    counts all that is new in one deck. `next_due` is the next study day on which a card comes
    due, and `coming` how many do: only where nothing can be asked now, and then what rests today
    counts for tomorrow.
    """

    due: int
    askable: int
    new: int
    drill: int
    done_today: int
    next_due: date | None
    coming: int = 0
    unseen: int = 0

    @property
    def waiting(self) -> int:
        """How many cards can be asked now."""
        return self.askable + self.new + self.drill


UNSEEN = "SELECT deck, count(*) FROM cache.card WHERE seen = 0 GROUP BY deck"


def overview(
    log: Log, day: date, limits: Limits, decks: Sequence[str], scope: Scope | None = None
) -> tuple[Counts, dict[str, Counts]]:
    """Return the counts of everything in `scope`, and those of each of `decks`."""
    scope = scope or Scope()
    today = plan(log, day, scope, limits)
    due = backlog(log.conn, day, scope)
    studied = done_on(log.conn, day)
    done = studied.new + studied.reviews
    if scope.decks:
        done = Counter({deck: done[deck] for deck in scope.decks})
    asked = [_by_deck(cards) for cards in (today.due, today.new, today.drill)]
    columns = [due, *asked, done]
    total = _counts(log, day, scope, [column.total() for column in columns])
    unseen = dict(log.conn.execute(UNSEEN).fetchall()) if decks else {}
    return total, {
        deck: _counts(log, day, Scope((deck,)), [column[deck] for column in columns])._replace(
            unseen=unseen.get(deck, 0),
        )
        for deck in decks
    }


def _counts(log: Log, day: date, scope: Scope, numbers: Sequence[int]) -> Counts:
    """Return the counts; how many cards come due next is asked only where that is shown."""
    due, askable, new, drill, done = numbers
    then = next_due(log.conn, day, scope)
    counts = Counts(due, askable, new, drill, done, then)
    if counts.waiting:
        return counts
    rested = resting(log.conn, day, scope)
    then = day + timedelta(days=1) if rested else then
    if then is None:
        return counts
    return counts._replace(next_due=then, coming=len(rested | due_on(log.conn, then, scope)))


def _by_deck(cards: Sequence[str]) -> Counter[str]:
    return Counter(card.partition("/")[0] for card in cards)


DUE = f"""FROM card_state s JOIN cache.card c ON c.card = s.card
    WHERE s.due IS NOT NULL AND s.due <= :day AND {AWAKE} AND {IN_SCOPE} AND {NO_SIBLING}
    AND {UNASKED}"""


def backlog(conn: sqlite3.Connection, day: date, scope: Scope) -> Counter[str]:
    """Count the due notes of each deck, whatever the limits."""
    query = f"SELECT c.deck, count(DISTINCT c.note) {DUE} GROUP BY c.deck"
    return Counter(dict(conn.execute(query, scope.on(day)).fetchall()))


def next_due(conn: sqlite3.Connection, day: date, scope: Scope) -> date | None:
    """Return the next study day after `day` on which a card comes due."""
    of_deck = f"{DECK} = :deck" if len(scope.decks) == 1 else "1"
    query = f"""
        SELECT s.due FROM card_state s JOIN cache.card c ON c.card = s.card
        WHERE s.due IS NOT NULL AND s.due > :day AND s.suspended = 0 AND {of_deck} AND {IN_SCOPE}
        AND s.due = date(s.due, '+0 days') ORDER BY s.due LIMIT 1
    """
    row = conn.execute(query, scope.on(day) | {"deck": "".join(scope.decks)}).fetchone()
    return None if row is None else date.fromisoformat(row[0])


def due_on(conn: sqlite3.Connection, day: date, scope: Scope) -> set[str]:
    """Return the notes that come due on that very day."""
    query = f"""
        SELECT DISTINCT c.note FROM card_state s JOIN cache.card c ON c.card = s.card
        WHERE s.due = :day AND s.suspended = 0 AND {IN_SCOPE}
    """
    return {row[0] for row in conn.execute(query, scope.on(day))}


def resting(conn: sqlite3.Connection, day: date, scope: Scope) -> set[str]:
    """Return the notes of due cards that wait for tomorrow: put off, or behind one of their note.

    Those that only a limit holds back are not among them.
    """
    query = f"""
        SELECT DISTINCT c.note FROM card_state s JOIN cache.card c ON c.card = s.card
        WHERE s.due IS NOT NULL AND s.due <= :day AND s.suspended = 0 AND {IN_SCOPE}
        AND (s.buried = :day OR c.note IN ({STUDIED}) OR c.card IN ({ASKED}))
    """
    return {row[0] for row in conn.execute(query, scope.on(day))}
