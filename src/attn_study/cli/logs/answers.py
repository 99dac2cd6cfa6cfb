"""Answers given in another program, as rows of the log on the study days they belong to."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from attn_study.cli.logs.faults import Fault
from attn_study.memory.day import Moment, moment
from attn_study.memory.event import LONGEST_ANSWER, Draft
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

NAMED = "Anki's answer"  # and its number
ONCE = "import it under that deck's name, or undo that import first"


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer given elsewhere.

    `line` is where it stands in the file, `anki` Anki's number of it; 0 where it has none.
    """

    card: str
    at: datetime
    grade: Grade
    seconds: float | None
    kind: Literal["review", "drill"] = "review"
    line: int = 0
    anki: int = 0

    def fault(self, what: str) -> Fault:
        """Return what is wrong with it, under its own name."""
        return Fault(self.line, f"{NAMED} {self.anki}: {what}" if self.anki else what)


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
    """The rows to write in the order of time, how many answers are here already, and faults.

    Of those that are here `moved` stand on another study day than they would get now.
    """

    rows: list[Dated]
    known: int
    moved: int
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
    that was taken back may come again. One that is there under another deck's name is a fault: it
    would count twice.
    """
    today, rollover = study.moment().day, study.world.settings.rollover
    alias = study.log.aliases()
    ordered = sorted(answers, key=lambda one: (one.at, one.line))
    here = _here(study.log, {one.card for one in ordered})
    met: dict[Place, Answer] = {}
    rows: list[tuple[Answer, Dated]] = []
    faults: list[Fault] = []
    known = moved = 0
    for one in ordered:
        try:
            then = moment(zone.local(one.at), rollover, None)
        except (OverflowError, ValueError, OSError):
            faults.append(one.fault("no calendar has this time"))
            continue
        place = canonical(one.card, alias), then.utc
        before = met.setdefault(place, one)
        if then.day > today:
            faults.append(one.fault(f"this is ahead of today, {today}"))
        elif before.grade != one.grade:
            there = f"line {before.line}" if before.line else "another row"
            faults.append(one.fault(f"{there} gives this answer another grade"))
        elif before is not one or place in here:
            known += 1
            moved += here.get(place, str(then.day)) != str(then.day)
        else:
            draft = Draft(one.card, one.kind, one.grade, one.seconds)
            rows.append((one, Dated(draft, then)))
    twins = _elsewhere(study.log, {(_tail(one.card), row.moment.utc) for one, row in rows})
    fresh = []
    for one, row in rows:
        if twin := twins.get((_tail(one.card), row.moment.utc)):
            faults.append(one.fault(f"here already, as an answer to {twin}; {ONCE}"))
        else:
            fresh.append(row)
    return Placed(fresh, known, moved, sorted(faults))


def _elsewhere(log: Log, wanted: set[Place]) -> dict[Place, str]:
    """Return the cards of the log with live answers at these instants, by name and instant.

    `wanted` has the names of the cards without their decks.
    """
    found: dict[Place, str] = {}
    query = "SELECT uid, card, at FROM log WHERE kind IN ('review', 'drill')"
    happened = f"SELECT 1 FROM log AS row WHERE uid = ? AND {NOT_UNDONE}"
    for uid, card, at in log.conn.execute(query) if wanted else ():
        place = _tail(card), at
        if place in wanted and log.conn.execute(happened, [uid]).fetchone():
            found[place] = card
    return found


def _tail(card: str) -> str:
    return card.partition("/")[2]


def _here(log: Log, cards: set[str]) -> dict[Place, str]:
    """Return the study days of the cards' live answers, those of their former ids included."""
    alias = log.aliases()
    names: dict[str, set[str]] = defaultdict(set)
    for card in alias:
        names[canonical(card, alias)].add(card)
    query = (
        "SELECT at, day FROM log AS row "
        f"WHERE card = ? AND kind IN ('review', 'drill') AND {NOT_UNDONE}"
    )
    found: dict[Place, str] = {}
    for card in {canonical(card, alias) for card in cards}:
        for name in (card, *names[card]):
            found |= {(card, at): day for at, day in log.conn.execute(query, [name])}
    return found
