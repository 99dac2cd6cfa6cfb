"""The day at a glance: how much is due, new, drilled and done, together and deck by deck."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from attn_study.memory.queue import Limits, Plan, Scope, next_due, plan

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from attn_study.memory.log import Log


@dataclass(frozen=True, slots=True)
class Counts:
    """Cards of one deck, or of all. `due` counts the whole backlog; `askable` keeps to the
    day's limit, as `new` does. `next_due` is the next study day on which a card comes due, and
    `coming` how many do.
    """

    due: int
    askable: int
    new: int
    drill: int
    done_today: int
    next_due: date | None
    coming: int = 0

    @property
    def waiting(self) -> int:
        """How many cards can be asked now."""
        return self.askable + self.new + self.drill


def overview(
    log: Log, day: date, limits: Limits, decks: Sequence[str], scope: Scope | None = None
) -> tuple[Counts, dict[str, Counts]]:
    """Return the counts of everything in `scope`, and those of each of `decks`."""
    scope = scope or Scope()
    today = plan(log, day, scope, limits)
    total = _counts(log, day, scope, today, "")
    return total, {deck: _counts(log, day, Scope((deck,)), today, deck) for deck in decks}


def _counts(log: Log, day: date, scope: Scope, today: Plan, deck: str) -> Counts:
    coming = next_due(log.conn, day, scope)
    return Counts(
        due=_sum(today.backlog, deck),
        askable=_sum(_by_deck(today.due), deck),
        new=_sum(_by_deck(today.new), deck),
        drill=_sum(_by_deck(today.drill), deck),
        done_today=_sum(today.done, deck),
        next_due=coming[0] if coming else None,
        coming=coming[1] if coming else 0,
    )


def _by_deck(cards: Sequence[str]) -> Counter[str]:
    return Counter(card.partition("/")[0] for card in cards)


def _sum(by_deck: Counter[str], deck: str) -> int:
    return by_deck[deck] if deck else by_deck.total()
