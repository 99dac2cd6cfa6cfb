"""What the log's rules say of all other rows: the longest interval, and who schedules each deck.

Rules stand in the log because they change what the answers mean. Each row names what it changes;
of rows that name the same, the newest in replay order holds.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal, Protocol, get_args

from attn_study.memory.sm2 import INTERVAL_CAP, Grade, Memory, schedule

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import date

    from attn_study.memory.event import Event

SchedulerName = Literal["sm2", "fsrs"]
SCHEDULERS: tuple[SchedulerName, ...] = get_args(SchedulerName)
LEAST_RETENTION, MOST_RETENTION = 0.7, 0.97  # beyond, FSRS's intervals make no sense


class Schedule(Protocol):
    """How one card is scheduled: its memory, a grade and a study day give its next memory."""

    def __call__(self, memory: Memory, grade: Grade, day: date, /) -> Memory:
        """Return the memory after a review on that day."""


@dataclass(frozen=True, slots=True)
class Choice:
    """Who schedules a deck. FSRS aims at `retention`; `fuzz` spreads its days a little."""

    scheduler: SchedulerName = "sm2"
    retention: float = 0.9
    fuzz: bool = False


EVERY_DECK = ""


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules in force: the longest interval in days, and what single decks chose.

    What stands under `EVERY_DECK` holds for decks without an entry.
    """

    cap: int = INTERVAL_CAP
    decks: Mapping[str, Choice] = field(default_factory=dict)

    def choice(self, deck: str) -> Choice:
        """Return who schedules a deck."""
        return self.decks.get(deck) or self.decks.get(EVERY_DECK) or SM2

    def schedule(self, card: str) -> Schedule:
        """Return how a card is scheduled.

        Raises UserError where the deck chose FSRS and its package is not installed.
        """
        choice = self.choice(card.partition("/")[0])
        if choice.scheduler == "sm2":
            return lambda memory, grade, day: schedule(memory, grade, day, self.cap)
        from attn_study.memory.fsrs import Fsrs

        return Fsrs(choice.retention, self.cap, card if choice.fuzz else "").schedule

    def is_sm2(self, card: str) -> bool:
        """Return whether SM-2 schedules a card."""
        return not self.decks or self.choice(card.partition("/")[0]).scheduler == "sm2"


SM2 = Choice()
NO_RULES = Rules()


def rules_of(events: Iterable[Event]) -> Rules:
    """Return what live rows of the kind `rule`, given in replay order, add up to.

    A value that cannot be is passed over: the log may hold what another version wrote.
    """
    cap, decks = INTERVAL_CAP, dict[str, Choice]()
    for data in (event.data for event in events if event.kind == "rule"):
        cap = _whole(data.get("interval_cap"), cap)
        deck = data.get("deck", EVERY_DECK)
        if isinstance(deck, str) and not CHOICES.isdisjoint(data):
            before = decks.get(deck) or decks.get(EVERY_DECK) or SM2
            decks[deck] = _chosen(before, data)
    return Rules(cap, decks)


CHOICES = {"scheduler", "retention", "fuzz"}


def _chosen(before: Choice, data: Mapping[str, object]) -> Choice:
    scheduler, retention, fuzz = (data.get(key) for key in ("scheduler", "retention", "fuzz"))
    chosen = before
    if scheduler in SCHEDULERS:
        chosen = replace(chosen, scheduler=scheduler)
    if isinstance(retention, float) and LEAST_RETENTION <= retention <= MOST_RETENTION:
        chosen = replace(chosen, retention=retention)
    if isinstance(fuzz, bool):
        chosen = replace(chosen, fuzz=fuzz)
    return chosen


def _whole(value: object, otherwise: int) -> int:
    is_days = isinstance(value, int) and not isinstance(value, bool)
    return value if is_days and 1 <= value <= INTERVAL_CAP else otherwise  # type: ignore[operator,return-value]
