"""The append-only log. Rows are added and read, never changed."""

from __future__ import annotations

from collections import defaultdict
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, timedelta
from os import urandom
from typing import TYPE_CHECKING, NamedTuple

from attn_study.memory.database import speaking_of, transaction
from attn_study.memory.day import Moment, moment
from attn_study.memory.event import Draft, Event
from attn_study.memory.fold import (
    CardState,
    Past,
    aliases,
    canonical,
    fold,
    live,
    names,
    past,
)
from attn_study.memory.nearest import LARGEST, is_day
from attn_study.memory.rows import (
    EVENT_COLUMNS,
    READ_COLUMNS,
    STATE_COLUMNS,
    event_of,
    event_row,
    said,
    state_of,
    state_row,
)
from attn_study.memory.rules import rules_of

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from datetime import datetime
    from pathlib import Path

    from attn_study.memory.rules import Rules

INSERT_EVENT = f"INSERT INTO log ({EVENT_COLUMNS}) VALUES ({', '.join('?' * 12)})"
INSERT_STATE = f"INSERT OR REPLACE INTO card_state ({STATE_COLUMNS}) VALUES ({', '.join('?' * 17)})"

# Of the `row` of a query; the + lets the index of undo rows serve, which has no type of its own
NOT_UNDONE = "NOT EXISTS (SELECT 1 FROM log WHERE kind = 'undo' AND data ->> '$.undone' = +row.uid)"


MANY = 20  # cards that are folded one by one: more of them are read at once


class StaleError(Exception):
    """The card was answered or changed elsewhere since it was read."""


@dataclass(frozen=True, slots=True)
class Log:
    """The log of one open database, written as `device`."""

    conn: sqlite3.Connection
    device: str
    path: Path

    def write(
        self, drafts: Sequence[Draft], moment: Moment, expecting: CardState | None = None
    ) -> list[Event]:
        """Add `drafts` as one batch, with the states they lead to, durably or not at all.

        Raises StaleError, with nothing written, when `expecting` is no longer that card's state;
        UserError when the database cannot take the rows.
        """
        with self.writing():
            if expecting is not None and self.state(expecting.card) != expecting:
                raise StaleError(expecting.card)
            return self.add([(draft, moment) for draft in drafts])

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Hold the log for what is looked up and added together; all of it lasts, or nothing.

        Within another `writing` it is part of that. Raises UserError when the database cannot take
        the rows.
        """
        if self.conn.in_transaction:
            yield
            return
        with speaking_of(self.path), transaction(self.conn):
            yield

    def add(self, dated: Iterable[tuple[Draft, Moment]]) -> list[Event]:
        """Add drafts, each at its moment, as one batch of this device, inside `writing`."""
        events = self.placed(dated)
        self.take_in(events)
        return events

    def take_in(self, events: Sequence[Event]) -> None:
        """Add rows, with the states they lead to, inside `writing`."""
        with self._folding({(event.card, event.kind) for event in events}):
            self.conn.executemany(INSERT_EVENT, map(event_row, events))

    def take_from(self, query: str, values: Sequence[object]) -> None:
        """Add the rows that a query gives as `EVENT_COLUMNS`, as `take_in` does, holding none."""
        about = self.conn.execute(f"SELECT DISTINCT card, kind FROM ({query})", values).fetchall()
        with self._folding(about):
            self.conn.execute(f"INSERT INTO log ({EVENT_COLUMNS}) {query}", values)

    @contextmanager
    def _folding(self, about: Iterable[tuple[str, str]]) -> Iterator[None]:
        """Bring the states up to date after rows of these cards and kinds were added."""
        before = after = self._standing()
        yield
        if any(kind in ("adopt", "rule", "undo") for _, kind in about):
            after = self._standing()
        if before.rules != after.rules:
            from attn_study.memory.rebuilding import rebuild

            rebuild(self)
        else:
            self._refold({card for card, _ in about}, before.alias, after)

    def placed(self, dated: Iterable[tuple[Draft, Moment]]) -> list[Event]:
        """Return each draft as a row with its uid and its place in the replay, of one batch."""
        last = self.conn.execute(f"SELECT max(tick) FROM log WHERE tick < {LARGEST}").fetchone()[0]
        batch = urandom(8).hex()
        return [
            Event(
                uid=urandom(16).hex(),
                device=self.device,
                tick=(last or 0) + number,
                batch=batch,
                card=draft.card,
                kind=draft.kind,
                day=moment.day,
                at=moment.utc,
                offset=moment.offset,
                grade=draft.grade,
                seconds=draft.seconds,
                data=draft.data,
            )
            for number, (draft, moment) in enumerate(dated, start=1)
        ]

    def _refold(self, cards: set[str], before: Mapping[str, str], now: _Standing) -> None:
        """Write anew the state of `cards`, and of every card whose rows count elsewhere now."""
        ids = () if before == now.alias else before.keys() | now.alias.keys()
        changed = {card for card in ids if canonical(card, before) != canonical(card, now.alias)}
        touched = cards | changed
        for alias in (before, now.alias):
            touched |= {canonical(card, alias) for card in cards | changed}
        former = defaultdict(list)
        for card in now.alias:
            former[canonical(card, now.alias)].append(card)
        touched.discard("")  # rules are about no card
        if len(touched) > MANY:
            from attn_study.memory.refolding import refold

            refold(self.conn, touched, former, now.rules)
            return
        for card in touched:
            rows = [] if card in now.alias else self._rows([card, *former[card]])
            if rows:
                self._keep(fold(card, rows, now.rules))
            else:
                self.conn.execute("DELETE FROM card_state WHERE card = ?", [card])

    def _keep(self, state: CardState) -> None:
        self.conn.execute(INSERT_STATE, state_row(state))

    def _rows(self, cards: Iterable[str]) -> list[Event]:
        return [event for card in cards for event in self._events("WHERE card = ?", [card])]

    def _events(self, where: str, values: Sequence[object] = ()) -> list[Event]:
        query = f"SELECT {READ_COLUMNS} FROM log {where}"
        return [event_of(row) for row in self.conn.execute(query, values)]

    def _standing(self) -> _Standing:
        """Return what the live rows say that change how other rows fold."""
        where = f"AS row WHERE kind IN ('adopt', 'rule') AND {NOT_UNDONE}"
        adoptions = self.conn.execute(
            f"SELECT ifnull(data ->> '$.former', ''), card FROM log {where} AND kind = 'adopt' "
            "ORDER BY day, tick, uid"
        )
        rules = live(self._events(f"{where} AND kind = 'rule'"))
        return _Standing(aliases(adoptions), rules_of(rules))

    def aliases(self) -> dict[str, str]:
        """Return former id → new id of every adopted card."""
        return self._standing().alias

    def rules(self) -> Rules:
        """Return the rules in force: the longest interval, and who schedules each deck."""
        return self._standing().rules

    def canonical(self, card: str) -> str:
        """Return the id under which the answers of `card` count today."""
        return canonical(card, self.aliases())

    def state(self, card: str) -> CardState:
        """Return the state of `card`; that of a new card when the log does not know it."""
        query = f"SELECT {STATE_COLUMNS} FROM card_state WHERE card = ?"
        row = self.conn.execute(query, [card]).fetchone()
        return state_of(row) if row else CardState(card)

    def past(self, card: str) -> list[Past]:
        """Return the history of `card` in replay order, with what each row did."""
        standing = self._standing()
        return past(card, self._rows(names(card, standing.alias)), standing.rules)

    def history(self, card: str) -> list[Event]:
        """Return every row that counts for `card`, undone ones included, in replay order."""
        return sorted(self._rows(names(card, self.aliases())), key=lambda event: event.order)

    def columns(self, card: str = "", limit: int = -1) -> list[dict[str, object]]:
        """Return rows as data: those of `card` in replay order, or the newest first."""
        cards = sorted(names(card, self.aliases())) if card else []
        within = f"card IN ({', '.join('?' * len(cards))})" if card else "1"
        order = "day, tick, uid" if card else "id DESC"
        found = self.conn.execute(
            f"SELECT id, {READ_COLUMNS} FROM log WHERE {within} ORDER BY {order} LIMIT ?",
            [*cards, limit],
        )
        keys = [column[0] for column in found.description]
        rows = [dict(zip(keys, row, strict=True)) for row in found]
        return [row | {"data": said(row["data"])} for row in rows]

    def answers_on(self, card: str, day: date) -> int:
        """Count the live answers, drill included, of a card on a study day."""
        rows = live(self._rows(names(card, self.aliases())))
        return sum(row.day == day and row.grade is not None for row in rows)

    def overtaken(self, event: Event) -> date | None:
        """Return the newest day after `event` of which its card has live rows: they count last."""
        rows = live(self._rows(names(event.card, self.aliases())))
        return max((row.day for row in rows if row.day > event.day), default=None)

    def recent(self, limit: int) -> list[Event]:
        """Return the newest rows of every kind, newest first."""
        return self._events("ORDER BY id DESC LIMIT ?", [limit])

    def undone(self, event: Event) -> bool:
        """Return whether an undo row names `event`."""
        query = "SELECT 1 FROM log WHERE kind = 'undo' AND data ->> '$.undone' = ?"
        return self.conn.execute(query, [event.uid]).fetchone() is not None

    def undone_of(self, events: Iterable[Event]) -> set[str]:
        """Return the uids of those among `events` that were taken back."""
        return {event.uid for event in events if self.undone(event)}

    def has_begun(self) -> bool:
        """Return whether anything was ever done with a card."""
        return self.conn.execute("SELECT 1 FROM card_state LIMIT 1").fetchone() is not None

    def newest_day(self, latest: date = date.max) -> date | None:
        """Return the newest study day in the log that is not after `latest`."""
        query = f"SELECT max(day) FROM log WHERE day <= ? AND {is_day('day')}"
        text = self.conn.execute(query, [latest.isoformat()]).fetchone()[0]
        return None if text is None else date.fromisoformat(text)

    def moment(self, now: datetime, rollover: int) -> Moment:
        """Return `now`, an aware local time, with the study day that goes on or begins.

        Rows further ahead than a flight can explain were written under a wrong clock: they do
        not hide the day that was really the newest.
        """
        tomorrow = moment(now, rollover, None).day + timedelta(days=1)
        return moment(now, rollover, self.newest_day(tomorrow))

    def undo(self, moment: Moment) -> list[Event]:
        """Take back the newest live row that this device wrote, with its batch.

        Returns the rows taken back, in the order they were written; none when all is undone.
        """
        with self.writing():
            batch = self._newest_batch()
            undos = [Draft(event.card, "undo", data={"undone": event.uid}) for event in batch]
            if undos:
                self.add([(draft, moment) for draft in undos])
            return batch

    def _newest_batch(self) -> list[Event]:
        """Return the newest live rows that this device wrote together."""
        newest = self.conn.execute(
            "SELECT batch FROM log AS row WHERE device = ? AND kind != 'undo' "
            f"AND {NOT_UNDONE} ORDER BY id DESC LIMIT 1",
            [self.device],
        ).fetchone()
        if newest is None:
            return []
        return self._events("WHERE batch = ? AND device = ? ORDER BY id", [*newest, self.device])


class _Standing(NamedTuple):
    """What changes how rows fold: former id → new id, and the rules."""

    alias: dict[str, str]
    rules: Rules
