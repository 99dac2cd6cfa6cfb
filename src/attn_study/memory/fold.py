"""What is true of each card: the fold of its events in replay order.

Only the first live review of a card on a study day schedules; further ones, and every drill,
count as answers of that day and change nothing else. A row named by an `undo` never happened.
An `adopt` makes one card's rows, past and future, count for another.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field, replace
from datetime import date
from typing import TYPE_CHECKING

from attn_study.memory.sm2 import (
    FIRST_EASE,
    INTERVAL_CAP,
    LEAST_EASE,
    Grade,
    Memory,
    add_days,
    schedule,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from attn_study.memory.event import Event

LEECH_LAPSES = 8


@dataclass(frozen=True, slots=True)
class CardState:
    """One card as its log leaves it.

    `first_day` is the study day of its first scheduling review, `review_day` of the newest.
    `answer_day` and `answer_grade` are those of the newest live answer, drill included.
    `buried` is the study day the card rests for. `rows` counts all rows that count for the
    card, undone rows and undo rows included.
    """

    card: str
    memory: Memory = field(default_factory=Memory)
    first_day: date | None = None
    review_day: date | None = None
    answer_day: date | None = None
    answer_grade: Grade | None = None
    answer_tick: int = 0
    suspended: bool = False
    buried: date | None = None
    flag: str = ""
    rows: int = 0

    @property
    def is_new(self) -> bool:
        """Whether the card was never scheduled."""
        return self.memory.due is None

    @property
    def was_shown(self) -> bool:
        """Whether the learner has met the card."""
        return self.answer_day is not None or not self.is_new

    @property
    def is_leech(self) -> bool:
        """Whether the card was forgotten so often that it wants rewriting."""
        return self.memory.lapses >= LEECH_LAPSES

    def waits_for_drill(self, day: date) -> bool:
        """Whether the card's newest answer on `day` asks for another."""
        return (
            self.answer_day == day and self.answer_grade is not None and self.answer_grade.drilled
        )


def undone(events: Iterable[Event]) -> set[str]:
    """Return the uids that an undo row names. Undo rows themselves cannot be undone."""
    return {str(event.data.get("undone", "")) for event in events if event.kind == "undo"}


def live(events: Iterable[Event]) -> list[Event]:
    """Return the events that happened, in replay order."""
    events = list(events)
    dead = undone(events)
    kept = [event for event in events if event.kind != "undo" and event.uid not in dead]
    return sorted(kept, key=lambda event: event.order)


def aliases(adoptions: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return former id → new id, from those pairs of the live `adopt` rows in replay order."""
    alias: dict[str, str] = {}
    for former, card in adoptions:
        if former != card:
            alias.pop(card, None)
            alias[former] = card
    return alias


def canonical(card: str, alias: Mapping[str, str]) -> str:
    """Return the id under which the rows of `card` count."""
    while card in alias:
        card = alias[card]
    return card


def names(card: str, alias: Mapping[str, str]) -> set[str]:
    """Return every id whose rows count for `card`, itself included."""
    return {card} | {former for former in alias if canonical(former, alias) == card}


def interval_cap(rules: Iterable[Event]) -> int:
    """Return the longest interval in days: the newest live rule holds for the whole log."""
    cap = INTERVAL_CAP
    for event in rules:
        value = event.data.get("interval_cap")
        if event.kind == "rule" and isinstance(value, int) and 1 <= value <= INTERVAL_CAP:
            cap = value
    return cap


def replay(events: Iterable[Event]) -> dict[str, CardState]:
    """Return the state of every card that has a row in the log."""
    events = list(events)
    happened = live(events)
    adoptions = (event for event in happened if event.kind == "adopt")
    alias = aliases((str(event.data.get("former", "")), event.card) for event in adoptions)
    cap = interval_cap(happened)
    rows: dict[str, list[Event]] = defaultdict(list)
    for event in events:
        if event.card:
            rows[canonical(event.card, alias)].append(event)
    return {card: fold(card, own, cap) for card, own in rows.items()}


def fold(card: str, events: Iterable[Event], cap: int = INTERVAL_CAP) -> CardState:
    """Return the state of `card` from all rows that count for it, in any order."""
    events = list(events)
    state = CardState(card)
    for event in live(events):
        state = _step(state, event, cap)
    return replace(state, rows=len(events))


@dataclass(frozen=True, slots=True)
class Past:
    """One row of a card's history: what it did to the card's memory, nothing if taken back."""

    event: Event
    before: Memory
    after: Memory
    undone: bool


def past(events: Iterable[Event], cap: int = INTERVAL_CAP) -> list[Past]:
    """Return the history of one card in replay order, without the undo rows themselves."""
    events = list(events)
    dead = undone(events)
    state = CardState("")
    rows = []
    for event in sorted(events, key=lambda event: event.order):
        if event.kind == "undo":
            continue
        is_dead = event.uid in dead
        after = state if is_dead else _step(state, event, cap)
        rows.append(Past(event, state.memory, after.memory, is_dead))
        state = after
    return rows


def _step(state: CardState, event: Event, cap: int) -> CardState:
    match event.kind:
        case "review" | "drill":
            return _answered(state, event, cap)
        case "set":
            return replace(state, memory=imported(event.data, event.day, cap))
        case "reset":
            return CardState(
                state.card, suspended=state.suspended, buried=state.buried, flag=state.flag
            )
        case "suspend" | "resume":
            return replace(state, suspended=event.kind == "suspend")
        case "bury":
            return replace(state, buried=event.day)
        case "flag":
            return replace(state, flag=str(event.data.get("words", "")) or "flagged")
        case "unflag":
            return replace(state, flag="")
        case _:
            return state


def _answered(state: CardState, event: Event, cap: int) -> CardState:
    """Take the answer in; it schedules only as the day's first review."""
    grade = event.grade if event.grade is not None else Grade.WRONG
    answered = replace(state, answer_day=event.day, answer_grade=grade, answer_tick=event.tick)
    if event.kind == "drill" or state.review_day == event.day:
        return answered
    return replace(
        answered,
        memory=schedule(state.memory, grade, event.day, cap),
        first_day=state.first_day or (event.day if state.is_new else None),
        review_day=event.day,
    )


def imported(data: Mapping[str, object], day: date, cap: int = INTERVAL_CAP) -> Memory:
    """Return the memory that a `set` row carries; impossible values become possible ones."""
    interval = _whole(data.get("interval"), 1, cap)
    farthest = add_days(day, cap)
    return Memory(
        ease=_whole(data.get("ease", FIRST_EASE), LEAST_EASE, 100_000),
        repetitions=_whole(data.get("repetitions"), 0, 100_000),
        interval=interval,
        lapses=_whole(data.get("lapses"), 0, 100_000),
        due=min(_day(data.get("due")) or day, farthest),
    )


def _whole(value: object, least: int, most: int) -> int:
    return min(max(value, least), most) if isinstance(value, int) else least


def _day(value: object) -> date | None:
    try:
        return date.fromisoformat(str(value))
    except ValueError:
        return None
