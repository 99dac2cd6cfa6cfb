"""Which new cards are asked today: in deck order, each when those it comes after were shown.

`after` orders and does not gate: a card that is missing, at rest or outside the sitting's scope
holds nobody back.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from heapq import heappop, heappush
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
    _named: dict[str, str] = field(default_factory=dict)
    _unshown: dict[str, bool] = field(default_factory=dict)
    _alias: Mapping[str, str] = field(default_factory=dict)
    _held: list[Candidate] = field(default_factory=list)
    _awaiting: dict[str, list[int]] = field(default_factory=dict)  # card → places in `_held`
    _missing: list[int] = field(default_factory=list)  # how many cards each place waits for

    def chosen(self) -> Iterator[str]:
        """Yield card ids in order of asking; those yielded count as shown for those behind."""
        self._alias = self.log.aliases()
        for row in self._candidates():
            if self.room.is_full():
                return
            if not self._fits(row):
                continue
            if awaited := self._awaited(row):
                self._hold(row, awaited)
                continue
            yield self._take(row)
            yield from self._freed_by(row[0])

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

    def _awaited(self, row: Candidate) -> set[str]:
        """Return the cards that this one comes after and that have yet to be shown."""
        after = json.loads(row[3]) if row[3] != "[]" else ()
        named = {canonical(self._card(name), self._alias) for name in after}
        return {card for card in named if card not in self._picked and self._is_unshown(card)}

    def _card(self, name: str) -> str:
        """Return the card that `name` means: the first of a note's when it names the note."""
        if name not in self._named:
            query = (
                "SELECT card FROM cache.card WHERE card = :name OR note = :name "
                "ORDER BY card != :name, position LIMIT 1"
            )
            row = self.log.conn.execute(query, {"name": name}).fetchone()
            self._named[name] = str(row[0]) if row else name
        return self._named[name]

    def _hold(self, row: Candidate, awaited: set[str]) -> None:
        for card in awaited:
            self._awaiting.setdefault(card, []).append(len(self._held))
        self._held.append(row)
        self._missing.append(len(awaited))

    def _freed_by(self, shown: str) -> Iterator[str]:
        """Take every card that can go now that `shown` was taken. What does not fit never will."""
        free: list[int] = []
        self._release(shown, free)
        while free:
            row = self._held[heappop(free)]
            if self._fits(row):
                yield self._take(row)
                self._release(row[0], free)

    def _release(self, shown: str, free: list[int]) -> None:
        """Add to the heap `free` the places of those that waited for `shown` last."""
        for place in self._awaiting.pop(shown, ()):
            self._missing[place] -= 1
            if not self._missing[place]:
                heappush(free, place)

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
