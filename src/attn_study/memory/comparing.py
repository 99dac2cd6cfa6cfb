"""Two schedulers compared on the learner's own log.

What each would have cost is an estimate, the same for both: between two reviews of a card, or
from its last one to the last day of study, a scheduler whose interval is i days would have asked
gap / i times. The answers are taken as they were given; whether other days would have brought
other answers, no log can say. Only FSRS foretells recall, so only FSRS is scored, beside the
constant that always says the average.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date
from typing import TYPE_CHECKING

from attn_study.memory.fold import Folder
from attn_study.memory.foretelling import Foretold, Score, scored
from attn_study.memory.fsrs import Fsrs
from attn_study.memory.replaying import Ordinals, said
from attn_study.memory.rules import EVERY_DECK, SCHEDULERS, Rules
from attn_study.memory.sm2 import Grade

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from attn_study.memory.replaying import Row
    from attn_study.memory.rules import SchedulerName


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

    FSRS aims at the retention that each deck chose. Raises UserError where its package is not
    installed.
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

    def take(self, card: str, rows: Sequence[Row]) -> None:
        """Count the reviews of one card, under both schedulers."""
        choice = self._rules.choice(card.partition("/")[0])
        sm2, fsrs = (
            Folder(card, Rules(self._rules.cap, {EVERY_DECK: replace(choice, scheduler=name)}))
            for name in SCHEDULERS
        )
        model = Fsrs(choice.retention, self._rules.cap)
        since = last = seen = 0  # the days of the stretch at hand and of the last review; 0: none
        for day, tick, _, _, kind, grade, data, *_ in rows:
            now = self._days[day]
            if now > self._end:  # a clock was ahead
                break
            memory, spans = fsrs.memory, (sm2.interval, fsrs.interval)
            sm2.step(kind, grade, now, tick, said(data))
            is_review = fsrs.step(kind, grade, now, tick, said(data))
            if is_review or kind in ENDINGS:
                self._wait(now - since if since else 0, spans)
            if is_review:
                self._review(now, is_first=not since)
                if last and grade is not None:
                    recall = model.recall(memory, date.fromordinal(now))
                    passed = grade >= Grade.HARD
                    self._foretold.append(Foretold(recall, passed, now - last, seen, memory.lapses))
                last, seen = now, seen + 1
            since = _began(since, kind, now, is_review=is_review, is_known=sm2.due > 0)
            if kind == "reset":
                last = seen = 0
        self._wait(self._end - since if since else 0, (sm2.interval, fsrs.interval))

    def _review(self, day: int, *, is_first: bool) -> None:
        self._first = min(self._first, day)
        self._reviews += 1
        if is_first:
            for name in SCHEDULERS:
                self._cost[name] += 1

    def _wait(self, gap: int, spans: tuple[int, int]) -> None:
        """Count what each would have asked in `gap` days of its own interval."""
        for name, span in zip(SCHEDULERS, spans, strict=True):
            self._cost[name] += gap / max(span, 1)

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


# What ends the stretch in which a card waits for its next review, besides that review
ENDINGS = {"suspend", "reset", "set"}


def _began(since: int, kind: str, now: int, *, is_review: bool, is_known: bool) -> int:
    """Return the day on which the stretch after this row began, 0 where the card does not wait."""
    if kind in ("suspend", "reset"):
        return 0
    if is_review or kind == "set" or (kind == "resume" and is_known):
        return now
    return since
