"""What the log's rules say of all other rows: the longest interval, and who schedules each deck.

Rules stand in the log because they change what the answers mean. Each row names what it changes;
of rows that name the same, the newest in replay order holds.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol, TypeGuard, get_args

from attn_study.memory.sm2 import INTERVAL_CAP, Grade, Memory, schedule

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from datetime import date

    from attn_study.memory.event import Event

SchedulerName = Literal["sm2", "fsrs"]
SCHEDULERS: tuple[SchedulerName, ...] = get_args(SchedulerName)
LEAST_RETENTION, MOST_RETENTION = 0.7, 0.97  # beyond, FSRS's intervals make no sense


class Schedule(Protocol):
    """How one card is scheduled: its memory, a grade and a study day give its next memory."""

    def __call__(self, memory: Memory, grade: Grade, day: date, /) -> Memory:
        """Return the memory after a review on that day."""


class Choice(NamedTuple):
    """Who schedules a deck. FSRS aims at `retention`; `fuzz` spreads its days a little."""

    scheduler: SchedulerName = "sm2"
    retention: float = 0.9
    fuzz: bool = False


EVERY_DECK = ""


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules in force: the longest interval in days, and what was chosen for decks.

    `decks` holds only what was chosen, by the names that `Choice` has; what stands under
    `EVERY_DECK` holds for every deck that has nothing else. `installed` says whether FSRS can be
    asked: without its package SM-2 schedules in its place, so that nobody is locked out.
    """

    cap: int = INTERVAL_CAP
    decks: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    installed: bool = True

    def choice(self, deck: str) -> Choice:
        """Return who is to schedule a deck."""
        return Choice(**{**self.decks.get(EVERY_DECK, {}), **self.decks.get(deck, {})})

    def is_sm2(self, card: str) -> bool:
        """Return whether SM-2 schedules a card."""
        if not self.decks or not self.installed:
            return True
        return self.choice(card.partition("/")[0]).scheduler == "sm2"

    def schedule(self, card: str) -> Schedule:
        """Return how a card is scheduled."""
        if self.is_sm2(card):
            return lambda memory, grade, day: schedule(memory, grade, day, self.cap)
        from attn_study.memory.fsrs import Fsrs

        choice = self.choice(card.partition("/")[0])
        return Fsrs(choice.retention, self.cap, card if choice.fuzz else "").schedule

    @property
    def fsrs_decks(self) -> list[str]:
        """The decks that chose FSRS themselves; `EVERY_DECK` stands for all that chose nothing."""
        return [deck for deck, chosen in self.decks.items() if chosen.get("scheduler") == "fsrs"]


NO_RULES = Rules()


@cache
def fsrs_is_installed() -> bool:
    """Return whether the package of the second scheduler is there."""
    return find_spec("fsrs") is not None


def rules_of(events: Iterable[Event]) -> Rules:
    """Return what live rows of the kind `rule`, given in replay order, add up to.

    A value that cannot be is passed over: the log may hold what another version wrote. A null takes
    back what was chosen for a deck.
    """
    cap = INTERVAL_CAP
    decks: dict[str, dict[str, object]] = {}
    for data in (event.data for event in events if event.kind == "rule"):
        if is_days(days := data.get("interval_cap")):
            cap = days
        deck = data.get("deck", EVERY_DECK)
        for name in CHOICES.keys() & data.keys() if isinstance(deck, str) else ():
            chosen = decks.setdefault(str(deck), {})
            if data[name] is None:
                chosen.pop(name, None)
            elif CHOICES[name](data[name]):
                chosen[name] = data[name]
    decks = {deck: chosen for deck, chosen in decks.items() if chosen}
    return Rules(cap, decks, installed=not decks or fsrs_is_installed())


def is_days(value: object) -> TypeGuard[int]:
    """Return whether a value can be the longest interval."""
    return isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= INTERVAL_CAP


def is_retention(value: object) -> bool:
    """Return whether FSRS can aim at a share."""
    return isinstance(value, float) and LEAST_RETENTION <= value <= MOST_RETENTION


# What may be chosen for a deck, and what it can be.
CHOICES: Mapping[str, Callable[[object], bool]] = {
    "scheduler": lambda value: value in SCHEDULERS,
    "retention": is_retention,
    "fuzz": lambda value: isinstance(value, bool),
}
