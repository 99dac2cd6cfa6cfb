"""What a sitting is made of: a card's face, the learner's acts, what came of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol
from zlib import crc32

from attn_study.memory.queue import Plan, plan
from attn_study.memory.sm2 import Grade
from attn_study.memory.words import GRADE_NAMES, KEYS
from attn_study.posed import Posed

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager
    from datetime import datetime

    from attn_study.deck.card import Card
    from attn_study.memory.catalogue import Catalogue
    from attn_study.memory.day import Moment
    from attn_study.memory.event import Event
    from attn_study.memory.fold import CardState, Past
    from attn_study.memory.limits import Limits
    from attn_study.memory.log import Log
    from attn_study.memory.rules import Rules
    from attn_study.memory.scope import Scope
    from attn_study.memory.sm2 import Memory


Wish = Literal[
    "reveal",
    "grade",
    "undo",
    "edit",
    "bury",
    "suspend",
    "flag",
    "history",
    "demo",
    "explore",
    "help",
    "quit",
]


@dataclass(frozen=True, slots=True)
class Act:
    """What the learner wants. `text` is a typed answer or the words of a flag."""

    wish: Wish
    grade: Grade = Grade.WRONG
    text: str = ""


@dataclass(frozen=True, slots=True)
class Choice:
    """One grade on offer and what it leads to. `interval` in days; None in the drill."""

    grade: Grade
    name: str
    interval: int | None
    consequence: str

    @property
    def key(self) -> int:
        """The key that gives this grade: 1 again, 2 hard, 3 good, 4 easy."""
        return next(key for key, grade in KEYS.items() if grade == self.grade)


@dataclass(frozen=True, slots=True, kw_only=True)
class Face(Posed):
    """One card as a review puts it, with what the log knows of it and the grades on offer."""

    state: CardState
    now: Moment
    plan: Plan
    choices: tuple[Choice, ...]
    drill: bool
    beginner: bool

    @property
    def demo_seed(self) -> int:
        """The seed of the first question beside the card: its own, and another after each step.

        Small, because it stands on the screen, and can be typed as `--seed`.
        """
        return crc32(self.card.id.encode()) % 1000 + self.state.rows


class Screen(Protocol):
    """What a review needs of whoever shows and asks."""

    def question(self, face: Face) -> Act:
        """Show the question; return any act but a grade."""

    def answer(self, face: Face) -> Act:
        """Show the answer under the question; return any act but `reveal`."""

    def tell(self, words: str) -> None:
        """Say something that the next frame still shows."""

    def history(self, face: Face, rows: list[Past]) -> None:
        """Show what the log knows of the card."""

    def demo(self, face: Face, *, predict: bool) -> None:
        """Open the card's demo; with `predict` it asks before it shows."""

    def explore(self, face: Face, *, predict: bool) -> None:
        """Open the card's demo to be played with; with `predict` it asks before it shows."""

    def help(self) -> None:
        """Show what the keys and the grades mean."""

    def line(self, words: str) -> str:
        """Ask for a line of words; empty when the learner thinks better of it."""

    def confirm(self, words: str) -> bool:
        """Ask for a yes or a no."""

    def away(self) -> AbstractContextManager[None]:
        """Leave the terminal to another program for a while."""

    def finished(self, summary: Summary) -> Act:
        """Show that nothing is left; return `undo` or `quit`."""


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer of this sitting."""

    card: str
    grade: Grade
    seconds: float
    new: bool
    drill: bool

    def matches(self, event: Event) -> bool:
        """Return whether `event` is this answer's row."""
        return self.card == event.card and self.grade == event.grade


@dataclass(frozen=True, slots=True)
class Summary:
    """What one sitting did. `seconds` is the time between its first and its last frame.

    `earlier` are the cards of steps that were taken back and taken before it, the newest first.
    """

    answers: tuple[Answer, ...] = ()
    seconds: float = 0.0
    out_of_time: bool = False
    earlier: tuple[str, ...] = ()

    @property
    def studied(self) -> tuple[Answer, ...]:
        """The answers that schedule."""
        return tuple(answer for answer in self.answers if not answer.drill)

    @property
    def missed(self) -> tuple[str, ...]:
        """The cards that were not remembered, in order."""
        return tuple(dict.fromkeys(a.card for a in self.studied if not a.grade.passed))


@dataclass(frozen=True, slots=True)
class Desk:
    """What a sitting works with; `clock` gives aware local time, `stopwatch` seconds.

    `edit` opens a card for editing, brings the catalogue up to date and returns words to say;
    `may_edit` returns a question to confirm first, or nothing.
    """

    log: Log
    catalogue: Catalogue
    clock: Callable[[], datetime]
    stopwatch: Callable[[], float]
    rollover: int
    scope: Scope
    limits: Limits
    edit: Callable[[Card], str]
    may_edit: Callable[[Card], str]
    ascii: bool = False
    seconds: float | None = None

    def moment(self) -> Moment:
        """Return now, with its study day."""
        return self.log.moment(self.clock(), self.rollover)

    def plan(self, now: Moment) -> Plan:
        """Return what may be asked now."""
        return plan(self.log, now.day, self.scope, self.limits)


def choices(state: CardState, now: Moment, rules: Rules, *, drill: bool) -> tuple[Choice, ...]:
    """Return the grades on offer, with what the scheduler will make of each."""
    if drill:
        return (
            Choice(Grade.WRONG, "not yet", None, "once more"),
            Choice(Grade.HESITANT, "got it", None, "done for today"),
        )
    schedule = rules.schedule(state.card)
    return tuple(
        _choice(state.memory, schedule(state.memory, grade, now.day), grade)
        for grade in KEYS.values()
    )


def _choice(before: Memory, after: Memory, grade: Grade) -> Choice:
    consequence = "faster later" if after.ease > before.ease else ""
    if grade.drilled:
        consequence = "and again today"
    return Choice(grade, GRADE_NAMES[grade], after.interval, consequence)
