"""Small builders for the tests of the memory: days, rows, logs and cards in the catalogue."""

from __future__ import annotations

import json
import os
import sys
from collections import defaultdict
from contextlib import closing, contextmanager
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

from attn_study.memory.attached import writing
from attn_study.memory.catalogue import Catalogue, Entry, Source
from attn_study.memory.database import open_study
from attn_study.memory.day import Moment
from attn_study.memory.event import Draft, Event
from attn_study.memory.fold import CardState, aliases, canonical, fold, live
from attn_study.memory.log import Log
from attn_study.memory.rows import READ_COLUMNS, STATE_COLUMNS, event_of, state_of
from attn_study.memory.rules import rules_of
from attn_study.memory.sm2 import Grade

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Iterator

    from attn_study.memory.database import BeforeUpgrade

# A law is no race: a busy machine must not break it.
LAW = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
DAY = date(2026, 3, 2)
NOWHERE = Path("no-such-folder") / "study.db"


def day(number: int) -> date:
    """Return the study day `number` days after the first."""
    return DAY + timedelta(days=number)


def noon(number: int = 0) -> Moment:
    """Return noon, in UTC, of that day."""
    today = day(number)
    return Moment(at=datetime(today.year, today.month, today.day, 12, tzinfo=UTC), day=today)


def review(card: str, grade: int) -> Draft:
    return Draft(card, "review", Grade(grade))


def drill(card: str, grade: int) -> Draft:
    return Draft(card, "drill", Grade(grade))


def imported(card: str, **memory: object) -> Draft:
    return Draft(card, "set", data=memory)


def adopt(former: str, card: str) -> Draft:
    return Draft(card, "adopt", data={"former": former})


def cap(days: object) -> Draft:
    return Draft("", "rule", data={"interval_cap": days})


def undo(card: str, nth: int) -> Draft:
    """Take back the `nth` row that `told` was given, counted from 0."""
    return Draft(card, "undo", data={"undone": uid(nth)})


def uid(nth: int) -> str:
    return f"{nth:032x}"


def told(*story: tuple[int, Draft]) -> list[Event]:
    """Return (number of the day, draft) pairs as rows that one device wrote in this order."""
    return [
        Event(
            uid=uid(nth),
            device="here",
            tick=nth + 1,
            batch=uid(nth),
            card=draft.card,
            kind=draft.kind,
            day=day(number),
            at=noon(number).utc,
            offset=0,
            grade=draft.grade,
            data=draft.data,
        )
        for nth, (number, draft) in enumerate(story)
    ]


def replay(events: Iterable[Event]) -> dict[str, CardState]:
    """Return the state of every card that has a row in the log."""
    events = list(events)
    happened = live(events)
    adoptions = (event for event in happened if event.kind == "adopt")
    alias = aliases((str(event.data.get("former", "")), event.card) for event in adoptions)
    rules = rules_of(happened)
    rows: dict[str, list[Event]] = defaultdict(list)
    for event in events:
        if event.card:
            rows[canonical(event.card, alias)].append(event)
    return {card: fold(card, own, rules) for card, own in rows.items()}


def after(*story: tuple[int, Draft], card: str = "a/x") -> CardState:
    """Return the state of `card` after what was told."""
    return replay(told(*story)).get(card, CardState(card))


@contextmanager
def log_in_memory(device: str = "here") -> Iterator[Log]:
    """Open an empty study that no file keeps, with an empty catalogue."""
    with closing(open_study(NOWHERE, NOWHERE, "1.0", write=False)) as conn:
        yield Log(conn, device, NOWHERE)


@contextmanager
def log_on_disk(
    folder: Path,
    device: str = "here",
    *,
    write: bool = True,
    before_upgrade: BeforeUpgrade | None = None,
) -> Iterator[Log]:
    """Open the study kept in `folder`."""
    path, cache = folder / "study.db", folder / "cache.db"
    conn = open_study(path, cache, "1.0", write=write, before_upgrade=before_upgrade)
    with closing(conn):
        yield Log(conn, device, path)


def write(log: Log, number: int, *drafts: Draft) -> None:
    """Write each draft as a batch of its own, on that day."""
    for draft in drafts:
        log.write([draft], noon(number))


def rows(conn: sqlite3.Connection) -> list[Event]:
    """Return the whole log in the order of arrival."""
    return [event_of(row) for row in conn.execute(f"SELECT {READ_COLUMNS} FROM log ORDER BY id")]


def states(conn: sqlite3.Connection) -> dict[str, CardState]:
    """Return the fold as the database keeps it."""
    query = f"SELECT {STATE_COLUMNS} FROM card_state"
    return {state.card: state for state in map(state_of, conn.execute(query))}


def entry(
    card: str,
    *,
    note: str = "",
    section: str = "",
    tags: Iterable[str] = (),
    after: Iterable[str] = (),
    words: str = "",
) -> Entry:
    """Return a card for the catalogue; without a note it is the only card of its own."""
    return Entry(
        card=card,
        note=note or card,
        deck=card.partition("/")[0],
        section=section,
        position=0,
        kind="basic",
        tags=tuple(tags),
        after=tuple(after),
        text=json.dumps({"front": words or f"text of {card}"}, ensure_ascii=False),
    )


def shelve(conn: sqlite3.Connection, *cards: Entry | str) -> None:
    """Put cards into the catalogue, deck after deck, in this order."""
    entries = [entry(card) if isinstance(card, str) else card for card in cards]
    decks = list(dict.fromkeys(card.deck for card in entries))
    with writing(conn):
        for place, deck in enumerate(decks):
            own = [card for card in entries if card.deck == deck]
            Catalogue(conn).put(source(deck, place, len(own)))
            Catalogue(conn).fill(f"{deck}.yaml", numbered(own))


def numbered(entries: Iterable[Entry]) -> list[Entry]:
    """Return the entries with the positions they have in this order."""
    return [entry._replace(position=position) for position, entry in enumerate(entries)]


def source(deck: str, place: int = 0, cards: int = 0, *, active: bool = True) -> Source:
    """Return what the catalogue notes of the file that holds `deck`."""
    return Source(
        path=f"{deck}.yaml",
        place=place,
        origin="own",
        size=1,
        mtime=1,
        digest="d",
        deck=deck,
        title=deck.title(),
        cards=cards,
        active=active,
    )


NO_RIGHTS = pytest.mark.skipif(
    sys.platform == "win32", reason="a Windows folder does not refuse new files by its mode"
)


@contextmanager
def folder_for_all() -> Iterator[Path]:
    """Make a folder that every user of this machine may read."""
    with TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        yield Path(name)


@contextmanager
def read_only(folder: Path) -> Iterator[None]:
    """Take away the right to write in `folder`, made by `folder_for_all`.

    Who runs as root is never refused anything, so becomes somebody else for a while.
    """
    is_root = os.geteuid() == 0
    for path in folder.iterdir() if is_root else ():
        path.chmod(0o755 if path.is_dir() else 0o644)  # a study is for its owner's eyes alone
    folder.chmod(0o555)
    if is_root:
        os.seteuid(65534)
    try:
        yield
    finally:
        if is_root:
            os.seteuid(0)
        folder.chmod(0o755)
