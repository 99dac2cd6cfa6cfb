"""Homes of any size to measure in: decks, a log of real rows, and the catalogue.

The histories are simulated review by review with the program's own scheduler, so that every row
is one that studying could have written. The same size and seed give the same histories; the ids
of the device and of its newest rows are drawn anew.

    python benchmarks/homes.py FOLDER --cards 10000 --rows 100000 --due 200
"""

from __future__ import annotations

import argparse
import random
import shutil
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING

from attn_study import __version__
from attn_study.memory.catalogue import Catalogue
from attn_study.memory.database import open_study, transaction
from attn_study.memory.day import Moment
from attn_study.memory.device import device_id
from attn_study.memory.event import Draft, Event
from attn_study.memory.fold import CardState, fold
from attn_study.memory.log import INSERT_EVENT, INSERT_STATE, Log
from attn_study.memory.rows import EVENT_COLUMNS, event_of, event_row, state_row
from attn_study.memory.sm2 import Grade, Memory, schedule
from attn_study.places import Home, fingerprint
from attn_study.refresh import refresh

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Iterator

TODAY = date(2026, 3, 2)
NOW = "2026-03-02T12:00:00+00:00"  # what ATTN_STUDY_NOW should be in these homes
FEWEST_REVIEWS = 2  # of a card: fewer cannot carry its due day past today
LONGEST_DELAY = 3  # days that a simulated review comes late
BACKLOG_AGE = 30  # days that a card has been due at most
DECKS = 20
SECTION = 50  # cards
GRADES = (Grade.WRONG, Grade.HARD, Grade.HESITANT, Grade.HESITANT, Grade.PERFECT)

Review = tuple[date, str, Grade]


@dataclass(frozen=True, slots=True)
class Size:
    """How large a home is. `due` of the cards wait for review today, a tenth of all is new.

    The cards of the built-in decks, which are put away, come on top.
    """

    cards: int
    rows: int
    due: int

    @property
    def studied(self) -> int:
        """How many cards have a history."""
        return self.cards - self.cards // 10

    def __str__(self) -> str:
        return f"{self.cards:,} cards, {self.rows:,} log rows, {self.due:,} due"


SMALL = Size(cards=100, rows=1_000, due=20)
MEDIUM = Size(cards=10_000, rows=100_000, due=200)
LARGE = Size(cards=100_000, rows=1_000_000, due=200)


def build(folder: Path, size: Size, seed: int = 7) -> None:
    """Make a home of this size in `folder`, which must not hold one yet.

    Raises ValueError for a size that no history can have.
    """
    if size.rows < FEWEST_REVIEWS * size.studied or size.due > size.studied:
        raise ValueError(f"{size}: too few rows, or more cards due than were studied")
    rng = random.Random(seed)
    home = Home(folder)
    home.decks.mkdir(parents=True)
    names = _write_decks(home.decks, size.cards)
    rng.shuffle(names)
    with closing(open_study(home.study, home.cache, __version__, write=True)) as conn:
        device = device_id(conn, fingerprint(folder))
        with transaction(conn):
            _write_log(conn, device, _reviews(names, size, rng), rng)
            conn.executemany(INSERT_STATE, map(state_row, _states(conn)))
        refresh(conn, home.decks, (), ())
        _put_away_built_in(Log(conn, device, home.study))
        conn.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def ready(root: Path, name: str, size: Size) -> Path:
    """Return the home `name` below `root`; it is made unless an earlier run left it there."""
    home = root / name
    if not home.exists():
        print(f"making a home: {size}", flush=True)
        unfinished = root / f"{name}.unfinished"
        shutil.rmtree(unfinished, ignore_errors=True)
        build(unfinished, size)
        unfinished.rename(home)
    return home


def _write_decks(folder: Path, n_cards: int) -> list[str]:
    """Write the cards into at most `DECKS` files; return their ids in the order of study."""
    each = -(-n_cards // DECKS)
    names = []
    for number, start in enumerate(range(0, n_cards, each)):
        deck = f"deck-{number:02}"
        count = min(each, n_cards - start)
        (folder / f"{deck}.yaml").write_text(_deck(deck, count), encoding="utf-8")
        names += [f"{deck}/card-{place:05}" for place in range(count)]
    return names


def _deck(name: str, n_cards: int) -> str:
    """Return a deck in sections; every fifth card comes after the one before it."""
    lines = [f"deck: {name}", f"title: The deck called {name}", "sections:"]
    for place in range(n_cards):
        if place % SECTION == 0:
            lines += [f'  - title: "{place // SECTION + 1}. A section of {name}"', "    cards:"]
        lines += [
            f"      - id: card-{place:05}",
            f"        front: What does row {place} of the weights of {name} add up to, and why?",
            "        back: |",
            "          To \\(1\\): the softmax divides every \\(e^{x_i}\\) by the sum of its row.",
            f"          Card {place} says so in a second line, as real cards do.",
            f"        tags: [softmax, group-{place % 7}]",
        ]
        if place % 5 == 4:
            lines.append(f"        after: [card-{place - 1:05}]")
    return "\n".join(lines) + "\n"


def _reviews(names: list[str], size: Size, rng: random.Random) -> list[Review]:
    """Return every review in the order in which it happened."""
    share, more = divmod(size.rows, size.studied)
    reviews: list[Review] = []
    for number, name in enumerate(names[: size.studied]):
        count = share + (number < more)
        reviews += _history(name, count, rng, is_due=number < size.due)
    return sorted(reviews)


def _history(name: str, count: int, rng: random.Random, *, is_due: bool) -> Iterator[Review]:
    """Yield the reviews of one card, moved in time so that it is due today, or not yet."""
    memory, answers = Memory(due=date(2000, 1, 1)), []
    for left in range(count, 0, -1):
        day = (memory.due or TODAY) + timedelta(days=rng.randrange(LONGEST_DELAY + 1))
        # Two passes at the end leave an interval that reaches beyond today.
        grade = rng.choice(GRADES) if left > FEWEST_REVIEWS else Grade.HESITANT
        memory = schedule(memory, grade, day)
        answers.append((day, grade))
    ahead = -rng.randrange(BACKLOG_AGE) if is_due else rng.randrange(1, memory.interval)
    moved = TODAY + timedelta(days=ahead) - (memory.due or TODAY)
    for day, grade in answers:
        yield day + moved, name, grade


def _put_away_built_in(log: Log) -> None:
    """Suspend the cards that came with the program: their number changes with each release."""
    moment = Moment(datetime.fromisoformat(NOW) - timedelta(days=1), TODAY - timedelta(days=1))
    others = [card for card in Catalogue(log.conn).names() if not card.startswith("deck-")]
    log.write([Draft(card, "suspend") for card in others], moment)


def _write_log(
    conn: sqlite3.Connection, device: str, reviews: Iterable[Review], rng: random.Random
) -> None:
    conn.executemany(
        INSERT_EVENT,
        (
            event_row(_event(review, tick, device, rng))
            for tick, review in enumerate(reviews, start=1)
        ),
    )


def _event(review: Review, tick: int, device: str, rng: random.Random) -> Event:
    day, card, grade = review
    at = datetime(day.year, day.month, day.day, 9, tzinfo=UTC)
    return Event(
        uid=f"{rng.getrandbits(128):032x}",
        device=device,
        tick=tick,
        batch=f"{rng.getrandbits(64):016x}",
        card=card,
        kind="review",
        day=day,
        at=at.isoformat(timespec="milliseconds"),
        offset=0,
        grade=grade,
        seconds=float(rng.randrange(2, 30)),
    )


def _states(conn: sqlite3.Connection) -> Iterator[CardState]:
    """Fold the log card by card, so that no more than one card's rows are held at a time."""
    rows = conn.execute(f"SELECT {EVENT_COLUMNS} FROM log ORDER BY card")
    place = EVENT_COLUMNS.split(", ").index("card")
    for card, own in groupby(rows, key=itemgetter(place)):
        yield fold(card, map(event_of, own))


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--cards", type=int, default=MEDIUM.cards)
    parser.add_argument("--rows", type=int, default=MEDIUM.rows)
    parser.add_argument("--due", type=int, default=MEDIUM.due)
    parser.add_argument("--seed", type=int, default=7)
    asked = parser.parse_args()
    size = Size(asked.cards, asked.rows, asked.due)
    build(asked.folder, size, asked.seed)
    print(f"{asked.folder}: {size}; set ATTN_STUDY_NOW={NOW}")


if __name__ == "__main__":
    main()
