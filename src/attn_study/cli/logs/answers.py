"""Answers given in another program, as rows of the log on the study days they belong to."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from attn_study.cli.logs.faults import Fault
from attn_study.memory.day import Moment, moment
from attn_study.memory.event import Draft
from attn_study.memory.fold import canonical
from attn_study.memory.log import NOT_UNDONE

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import date, datetime
    from typing import Literal

    from attn_study.cli.logs.zones import Zone
    from attn_study.cli.study import Study
    from attn_study.memory.log import Log
    from attn_study.memory.sm2 import Grade

    Place = tuple[str, str]  # the card an answer counts for, and its instant

LONGEST_ANSWER = 60.0  # seconds

# What a learner's four ratings are in SM-2: again, hard, good, easy
RATINGS = {1: 1, 2: 3, 3: 4, 4: 5}


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer given elsewhere; `line` is where it stands in the file, 0 where none does."""

    card: str
    at: datetime
    grade: Grade
    seconds: float | None
    kind: Literal["review", "drill"] = "review"
    line: int = 0


@dataclass(frozen=True, slots=True)
class Answers:
    """What a file of another program holds; `remarks` say what was left out as a whole."""

    answers: list[Answer]
    faults: list[Fault] = field(default_factory=list)
    remarks: tuple[str, ...] = ()


class Dated(NamedTuple):
    """A row to be written."""

    draft: Draft
    moment: Moment


@dataclass(frozen=True, slots=True)
class Placed:
    """The rows to write in the order of time, how many answers are here already, and faults."""

    rows: list[Dated]
    known: int
    faults: list[Fault]

    @property
    def days(self) -> list[date]:
        """The study days of the rows, in order, each once."""
        return sorted({row.moment.day for row in self.rows})

    @property
    def cards(self) -> set[str]:
        """The cards that the rows are about."""
        return {row.draft.card for row in self.rows}


def seconds(milliseconds: float) -> float:
    """Return a time to answer as the log keeps it: a minute at most."""
    return min(milliseconds / 1000, LONGEST_ANSWER)


def placed(study: Study, answers: Iterable[Answer], zone: Zone) -> Placed:
    """Give each answer its study day, by the zone and the learner's rollover.

    One that is in the log already, of the same card at the same instant, is only counted; one
    that was taken back may come again.
    """
    today, rollover = study.moment().day, study.world.settings.rollover
    alias = study.log.aliases()
    ordered = sorted(answers, key=lambda one: (one.at, one.line))
    here = _here(study.log, {one.card for one in ordered})
    met: dict[Place, Answer] = {}
    found = Placed([], 0, [])
    known = 0
    for one in ordered:
        try:
            then = moment(zone.local(one.at), rollover, None)
        except (OverflowError, ValueError, OSError):
            found.faults.append(Fault(one.line, "no calendar has this time"))
            continue
        place = canonical(one.card, alias), then.utc
        before = met.setdefault(place, one)
        if then.day > today:
            found.faults.append(Fault(one.line, f"this is ahead of today, {today}"))
        elif before.grade != one.grade:
            what = f"line {before.line} gives this answer another grade"
            found.faults.append(Fault(one.line, what))
        elif before is not one or place in here:
            known += 1
        else:
            found.rows.append(Dated(Draft(one.card, one.kind, one.grade, one.seconds), then))
    found.faults.sort()
    return Placed(found.rows, known, found.faults)


def _here(log: Log, cards: set[str]) -> set[Place]:
    """Return where the live answers of the cards stand, those of their former ids included."""
    alias = log.aliases()
    names: dict[str, set[str]] = defaultdict(set)
    for card in alias:
        names[canonical(card, alias)].add(card)
    query = (
        f"SELECT at FROM log AS row WHERE card = ? AND kind IN ('review', 'drill') AND {NOT_UNDONE}"
    )
    found: set[Place] = set()
    for card in {canonical(card, alias) for card in cards}:
        for name in (card, *names[card]):
            found.update((card, at) for (at,) in log.conn.execute(query, [name]))
    return found
