"""One pass through the log: answers counted by day, sort and grade, and each card as it ends.

Days are the study days that stand in the rows, so no later change of zone or rollover moves an
answer. Rows that were taken back never come here.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Literal, NamedTuple

from attn_study.memory.fold import Folder
from attn_study.memory.replaying import Ordinals
from attn_study.memory.rows import said
from attn_study.memory.sm2 import Grade

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from attn_study.memory.replaying import Row
    from attn_study.memory.rules import Rules

LEAST_PASS = int(Grade.HARD)
MATURE = 21  # days of interval before the answer: Anki's border between young and mature

Sort = Literal["new", "young", "mature", "drill"]
SORTS: tuple[Sort, ...] = ("new", "young", "mature", "drill")
KNOWN: tuple[Sort, ...] = ("young", "mature")
REVIEWS: tuple[Sort, ...] = ("new", "young", "mature")  # what schedules: one a card and day


class Answers(NamedTuple):
    """How many answers of one day, sort and grade; `seconds` of those `timed` at all."""

    day: str
    sort: Sort
    grade: int
    number: int
    seconds: float
    timed: int


class Known(NamedTuple):
    """A card that was learned, as the log leaves it. `ease` in hundredths, `interval` in days.

    `difficulty`, from 1 to 10, is what FSRS has in place of an ease; 0 where it does not schedule
    the card. `reviews` and `failed` count the scheduling reviews of the card while it was known.
    """

    card: str
    ease: int
    interval: int
    repetitions: int
    lapses: int
    due: date
    suspended: bool
    reviews: int
    failed: int
    difficulty: float


@dataclass(frozen=True, slots=True)
class Record:
    """What the log says. `hours` counts answers by the hour on the wall clock, as it was then."""

    answers: tuple[Answers, ...]
    hours: tuple[int, ...]
    cards: tuple[Known, ...]


def record(
    histories: Iterable[tuple[str, Sequence[Row]]], rules: Rules, decks: Sequence[str] = ()
) -> Record:
    """Return the record of these cards, or of those in `decks` alone.

    `histories` gives each card with its live rows in replay order.
    """
    counting = _Counting(rules)
    wanted = frozenset(decks)
    for card, rows in histories:
        if not wanted or card.partition("/")[0] in wanted:
            counting.take(card, rows)
    answers = (
        Answers(*key, int(count), seconds, int(timed))
        for key, (count, seconds, timed) in sorted(counting.tallies.items())
    )
    return Record(tuple(answers), _hours(counting.clock), tuple(counting.cards))


class _Counting:
    """The counts while the log goes by; a million rows come here, so it is all plain values."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self._days = Ordinals()
        self.tallies: dict[tuple[str, Sort, int], list[float]] = {}
        self.clock: dict[tuple[str, int], int] = defaultdict(int)
        self.cards: list[Known] = []

    def take(self, card: str, rows: Sequence[Row]) -> None:
        """Count the answers of one card, and the card itself if it was learned."""
        days, tallies, clock = self._days, self.tallies, self.clock
        folder = Folder(card, self._rules)
        reviews = failed = 0
        sort: Sort
        for day, tick, _, _, kind, grade, data, at, offset, seconds in rows:
            is_new, interval = not folder.due, folder.interval
            scheduled = folder.step(kind, grade, days[day], tick, said(data))
            if grade is None:
                continue
            if not scheduled:
                sort = "drill"
            elif is_new:
                sort = "new"
            else:
                sort = "young" if interval < MATURE else "mature"
                reviews += 1
                failed += grade < LEAST_PASS
            key = (day, sort, grade)
            tally = tallies.get(key)
            if tally is None:
                tally = tallies[key] = [0, 0.0, 0]
            tally[0] += 1
            if seconds is not None:
                tally[1] += seconds
                tally[2] += 1
            clock[at[11:16], offset] += 1
        if folder.due:
            self.cards.append(
                Known(
                    card=card,
                    ease=folder.ease,
                    interval=folder.interval,
                    repetitions=folder.repetitions,
                    lapses=folder.lapses,
                    due=date.fromordinal(folder.due),
                    suspended=folder.suspended,
                    reviews=reviews,
                    failed=failed,
                    difficulty=folder.difficulty,
                )
            )


def _hours(clock: Mapping[tuple[str, int], int]) -> tuple[int, ...]:
    """Return how many answers fell into each hour of the wall clock; a bad time into none."""
    hours = [0] * 24
    for (text, offset), count in clock.items():
        hour, _, minute = text.partition(":")
        if hour.isdecimal() and minute.isdecimal():
            hours[(int(hour) * 60 + int(minute) + offset) // 60 % 24] += count
    return tuple(hours)
