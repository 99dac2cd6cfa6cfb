"""Which new cards are asked today: in deck order, each when those it comes after were shown.

`after` orders and does not gate: a card that is missing, at rest or outside the sitting's scope
holds nobody back.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from attn_study.memory.fold import canonical
from attn_study.memory.scope import AWAKE, IN_SCOPE, NO_SIBLING, UNASKED

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from datetime import date

    from attn_study.memory.limits import Room
    from attn_study.memory.log import Log
    from attn_study.memory.scope import Scope

Candidate = tuple[str, str, str, str]  # card, note, deck, after


@dataclass(slots=True)
class NewCards:
    """Chooses the new cards of one plan. `notes` are taken already: one card of each a day."""

    log: Log
    day: date
    scope: Scope
    room: Room
    notes: set[str]
    _picked: set[str] = field(default_factory=set)
    _unshown: dict[str, bool] = field(default_factory=dict)
    _alias: Mapping[str, str] = field(default_factory=dict)

    def chosen(self) -> Iterator[str]:
        """Yield card ids in order of asking; those yielded count as shown for those behind."""
        self._alias = self.log.aliases()
        blocked: list[Candidate] = []
        for row in self._candidates():
            if self.room.is_full():
                return
            if not self._fits(row):
                continue
            if self._waits(row):
                blocked.append(row)
                continue
            yield self._take(row)
            while freed := next(
                (one for one in blocked if self._fits(one) and not self._waits(one)), None
            ):
                blocked.remove(freed)
                yield self._take(freed)

    def _fits(self, row: Candidate) -> bool:
        return row[1] not in self.notes and self.room.takes(row[2])

    def _take(self, row: Candidate) -> str:
        card, note, deck, _ = row
        self._picked.add(card)
        self.notes.add(note)
        self.room.take(deck)
        return card

    def _candidates(self) -> Iterator[Candidate]:
        """Yield the cards that are new indeed and awake, in the order of study."""
        decks = "SELECT deck FROM cache.file WHERE active ORDER BY place"
        query = f"""
            SELECT c.card, c.note, c.deck, c.after FROM cache.card c
            LEFT JOIN card_state s ON s.card = c.card
            WHERE c.deck = :deck AND c.seen = 0 AND s.due IS NULL
            AND (s.card IS NULL OR {AWAKE}) AND {IN_SCOPE} AND {NO_SIBLING} AND {UNASKED}
            ORDER BY c.position
        """
        conn = self.log.conn
        for (deck,) in conn.execute(decks).fetchall():
            if self.room.takes(deck):
                for row in conn.execute(query, self.scope.on(self.day) | {"deck": deck}):
                    if row[0] not in self._alias:
                        yield row

    def _waits(self, row: Candidate) -> bool:
        """Return whether a card that this one comes after has yet to be shown."""
        after = json.loads(row[3]) if row[3] != "[]" else ()
        named = (canonical(card, self._alias) for card in after)
        return any(card not in self._picked and self._is_unshown(card) for card in named)

    def _is_unshown(self, card: str) -> bool:
        """Return whether a card is there to be shown and never was; asked once for each."""
        if card not in self._unshown:
            query = f"SELECT 1 FROM cache.card c WHERE c.card = :card AND {IN_SCOPE}"
            values = self.scope.on(self.day) | {"card": card}
            is_there = self.log.conn.execute(query, values).fetchone() is not None
            state = self.log.state(card)
            at_rest = state.suspended or state.buried == self.day
            self._unshown[card] = is_there and not state.was_shown and not at_rest
        return self._unshown[card]
