"""What is true of each card: the fold of its events in replay order.

Only the first live review of a card on a study day schedules; further ones, and every drill,
count as answers of that day and change nothing else. A row named by an `undo` never happened.
An `adopt` makes one card's rows, past and future, count for another.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from typing import TYPE_CHECKING, NamedTuple

from attn_study.memory.rules import NO_RULES, Rules
from attn_study.memory.sm2 import (
    FIRST_EASE,
    INTERVAL_CAP,
    LEAST_EASE,
    Grade,
    Memory,
    add_days,
    advance,
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


class Folder:
    """One card as the rows taken in so far leave it: the fold itself, cheap for a million rows.

    Days are ordinals, 0 where there is none. Rows come live and in replay order.
    """

    __slots__ = (
        "_rules",
        "_schedule",
        "answer_day",
        "answer_grade",
        "answer_tick",
        "buried",
        "card",
        "difficulty",
        "due",
        "ease",
        "first_day",
        "flag",
        "interval",
        "lapses",
        "repetitions",
        "review_day",
        "stability",
        "suspended",
    )

    def __init__(self, card: str, rules: Rules = NO_RULES) -> None:
        self.card = card
        self._rules = rules
        self._schedule = None if rules.is_sm2(card) else rules.schedule(card)
        self.suspended = False
        self.buried = 0
        self.flag = ""
        self._begin()

    def _begin(self) -> None:
        self.ease = FIRST_EASE
        self.repetitions = self.interval = self.lapses = self.due = 0
        self.stability = self.difficulty = 0.0
        self.first_day = self.review_day = self.answer_day = self.answer_tick = 0
        self.answer_grade: int | None = None

    def step(
        self, kind: str, grade: int | None, day: int, tick: int, data: Mapping[str, object]
    ) -> bool:
        """Take a row in; return whether it was a review that scheduled."""
        match kind:
            case "review" | "drill":
                return self._answer(kind, Grade.WRONG if grade is None else grade, day, tick)
            case "set":
                self._remember(imported(data, date.fromordinal(day), self._rules.cap))
            case "reset":
                self._begin()
            case "suspend" | "resume":
                self.suspended = kind == "suspend"
            case "bury":
                self.buried = day
            case "flag":
                self.flag = str(data.get("words", "")) or "flagged"
            case "unflag":
                self.flag = ""
        return False

    def _answer(self, kind: str, grade: int, day: int, tick: int) -> bool:
        """Take the answer in; it schedules only as the day's first review."""
        self.answer_day, self.answer_grade, self.answer_tick = day, grade, tick
        if kind == "drill" or self.review_day == day:
            return False
        if not self.first_day and not self.due:
            self.first_day = day
        self.review_day = day
        if self._schedule:
            self._remember(self._schedule(self.memory, Grade(grade), date.fromordinal(day)))
            return True
        self.ease, self.repetitions, self.interval, lapsed = advance(
            self.ease, self.repetitions, self.interval, grade, self._rules.cap
        )
        self.lapses += lapsed
        self.due = min(day + self.interval, LAST_DAY)
        return True

    def _remember(self, memory: Memory) -> None:
        self.ease, self.repetitions = memory.ease, memory.repetitions
        self.interval, self.lapses = memory.interval, memory.lapses
        self.due = memory.due.toordinal() if memory.due else 0
        self.stability, self.difficulty = memory.stability, memory.difficulty

    @property
    def memory(self) -> Memory:
        """What the scheduler knows of the card now."""
        return Memory(
            self.ease,
            self.repetitions,
            self.interval,
            self.lapses,
            _date(self.due),
            self.stability,
            self.difficulty,
        )

    def state(self, rows: int) -> CardState:
        """Return the card as it is now; `rows` of any kind count for it."""
        return CardState(
            card=self.card,
            memory=self.memory,
            first_day=_date(self.first_day),
            review_day=_date(self.review_day),
            answer_day=_date(self.answer_day),
            answer_grade=None if self.answer_grade is None else Grade(self.answer_grade),
            answer_tick=self.answer_tick,
            suspended=self.suspended,
            buried=_date(self.buried),
            flag=self.flag,
            rows=rows,
        )


LAST_DAY = date.max.toordinal()


def _date(day: int) -> date | None:
    return date.fromordinal(day) if day else None


def fold(card: str, events: Iterable[Event], rules: Rules = NO_RULES) -> CardState:
    """Return the state of `card` from all rows that count for it, in any order."""
    events = list(events)
    folder = Folder(card, rules)
    for event in live(events):
        folder.step(event.kind, event.grade, event.day.toordinal(), event.tick, event.data)
    return folder.state(len(events))


class Past(NamedTuple):
    """One row of a card's history: what it did to the card's memory, nothing if taken back."""

    event: Event
    before: Memory
    after: Memory
    undone: bool


def past(card: str, events: Iterable[Event], rules: Rules = NO_RULES) -> list[Past]:
    """Return the history of one card in replay order, without the undo rows themselves."""
    events = list(events)
    dead = undone(events)
    folder = Folder(card, rules)
    rows = []
    for event in sorted(events, key=lambda event: event.order):
        if event.kind == "undo":
            continue
        before, is_dead = folder.memory, event.uid in dead
        if not is_dead:
            folder.step(event.kind, event.grade, event.day.toordinal(), event.tick, event.data)
        rows.append(Past(event, before, folder.memory, is_dead))
    return rows


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
