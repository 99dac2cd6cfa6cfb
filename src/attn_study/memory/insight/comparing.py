"""Two schedulers compared on the learner's own log.

What each would have cost is an estimate, the same for both. Between two reviews of a card a
scheduler asks on its own days, and what it asks there is taken as good; the rest of the gap counts
as its share of the interval that was running. So a scheduler whose days were kept costs what was
done. Whether other days would have brought other answers, no log can say. Days after a card's last
review are left out.

Only FSRS foretells recall, so only FSRS is scored, beside the constant that always says the
average.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date
from typing import TYPE_CHECKING

from attn_study.memory.fold import Folder
from attn_study.memory.fsrs import Fsrs
from attn_study.memory.insight.foretelling import Foretold, Score, scored
from attn_study.memory.replaying import Ordinals
from attn_study.memory.rows import said
from attn_study.memory.rules import EVERY_DECK, SCHEDULERS, Choice, Rules
from attn_study.memory.sm2 import Grade

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from attn_study.memory.replaying import Row
    from attn_study.memory.rules import Schedule, SchedulerName
    from attn_study.memory.sm2 import Memory


@dataclass(frozen=True, slots=True)
class Comparison:
    """What the log says of two schedulers. Days are study days, shares go from 0 to 1.

    `reviews` are those that schedule, `days` reach from the first of them to the end. `cost` is the
    reviews a day that each would have asked for. `average` is the share of foretold reviews that
    were passed; without one there is nothing to score.
    """

    reviews: int
    days: int
    cost: Mapping[SchedulerName, float]
    foretold: int
    average: float
    fsrs: Score | None
    constant: Score | None

    @property
    def a_day(self) -> float:
        """The reviews a day as they were."""
        return self.reviews / self.days if self.days else 0.0


def compared(
    histories: Iterable[tuple[str, Sequence[Row]]],
    rules: Rules,
    end: date,
    decks: Sequence[str] = (),
) -> Comparison:
    """Compare SM-2 with FSRS on these cards, or on those in `decks` alone, until `end`.

    FSRS, whose package must be installed, aims at the retention that each deck chose.
    """
    comparing = _Comparing(rules, end.toordinal())
    wanted = frozenset(decks)
    for card, rows in histories:
        if not wanted or card.partition("/")[0] in wanted:
            comparing.take(card, rows)
    return comparing.result()


class _Comparing:
    """The counts while the log goes by."""

    def __init__(self, rules: Rules, end: int) -> None:
        self._rules = rules
        self._end = self._first = end
        self._days = Ordinals()
        self._reviews = 0
        self._cost: dict[SchedulerName, float] = dict.fromkeys(SCHEDULERS, 0.0)
        self._foretold: list[Foretold] = []
        self._model = Fsrs(Choice().retention, rules.cap)  # which it aims at, recall hangs not on

    def take(self, card: str, rows: Sequence[Row]) -> None:
        """Count the reviews of one card, under both schedulers."""
        aim = self._rules.choice(card.partition("/")[0]).retention
        both = [
            Rules(self._rules.cap, {EVERY_DECK: {"scheduler": name, "retention": aim}})
            for name in SCHEDULERS
        ]
        sm2, fsrs = (Folder(card, rules) for rules in both)
        schedules = [rules.schedule(card) for rules in both]
        waited = _Waited()
        for day, tick, _, _, kind, grade, data, *_ in rows:
            now = self._days[day]
            if now > self._end:  # a clock was ahead
                break
            memories = [sm2.memory, fsrs.memory]
            sm2.step(kind, grade, now, tick, said(data))
            if fsrs.step(kind, grade, now, tick, said(data)) and grade is not None:
                self._first = min(self._first, now)
                self._count(memories, schedules, waited.until(now))
                if waited.reviews:
                    self._foretell(memories[1], now, grade, waited)
                waited = waited.reviewed(now, failed=grade < Grade.HARD)
            waited = waited.after(kind, now)

    def _count(
        self, memories: Sequence[Memory], schedules: Sequence[Schedule], gap: int | None
    ) -> None:
        """Count a review, and what each would have asked in the gap before it."""
        self._reviews += 1
        for name, memory, schedule in zip(SCHEDULERS, memories, schedules, strict=True):
            self._cost[name] += 1 if gap is None else _asked(memory, schedule, gap)

    def _foretell(self, memory: Memory, now: int, grade: int, waited: _Waited) -> None:
        recall = self._model.recall(memory, date.fromordinal(now))
        one = Foretold(
            recall, grade >= Grade.HARD, now - waited.last, waited.reviews + 1, waited.lapses
        )
        self._foretold.append(one)

    def result(self) -> Comparison:
        """Return the comparison of all cards taken."""
        days = self._end - self._first + 1 if self._reviews else 0
        foretold = self._foretold
        average = sum(one.passed for one in foretold) / len(foretold) if foretold else 0.0
        constant = [replace(one, recall=average) for one in foretold]
        return Comparison(
            reviews=self._reviews,
            days=days,
            cost={name: cost / days if days else 0.0 for name, cost in self._cost.items()},
            foretold=len(foretold),
            average=average,
            fsrs=scored(foretold) if foretold else None,
            constant=scored(constant) if foretold else None,
        )


@dataclass(frozen=True, slots=True)
class _Waited:
    """How a card waits for its next review: days are ordinals, 0 where there is none.

    `since` is the day the wait began, `rests` the day it was suspended, `rested` the days it had
    been before; `last` the day of the last review, `reviews` and `lapses` what came until then.
    """

    since: int = 0
    rests: int = 0
    rested: int = 0
    last: int = 0
    reviews: int = 0
    lapses: int = 0

    def until(self, now: int) -> int | None:
        """Return the days waited, those of rest left out; None where nothing was waited for."""
        if not self.since:
            return None
        resting = now - self.rests if self.rests else 0
        return now - self.since - self.rested - resting

    def reviewed(self, now: int, *, failed: bool) -> _Waited:
        """Return the wait for the review after this one."""
        lapses = self.lapses + (failed and self.reviews > 0)
        return _Waited(now, now if self.rests else 0, 0, now, self.reviews + 1, lapses)

    def after(self, kind: str, now: int) -> _Waited:
        """Return the wait after a row of another kind."""
        match kind:
            case "reset":
                return _Waited(rests=self.rests)
            case "set":
                return replace(self, since=now, rested=0, rests=now if self.rests else 0)
            case "suspend":
                return replace(self, rests=self.rests or now)
            case "resume" if self.rests:
                return replace(self, rests=0, rested=self.rested + now - self.rests)
        return self


def _asked(memory: Memory, schedule: Schedule, gap: int) -> float:
    """Return how often a scheduler asks for a card in so many days, if all it asks is good."""
    asked, left = 0.0, gap
    while (interval := max(memory.interval, 1)) <= left:
        asked, left = asked + 1, left - interval
        if left:
            memory = schedule(memory, Grade.HESITANT, memory.due or date.max)
    return asked + left / max(memory.interval, 1)
