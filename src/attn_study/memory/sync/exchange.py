"""One sync: what others wrote comes in, and what no file of the folder holds goes out.

The file of a device holds every row of its log that stood in no other file when it was written,
whoever wrote the row first: so nothing is missing from the folder, and no file has two writers.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from attn_study.errors import UserError
from attn_study.memory.merge import LEAP, sift
from attn_study.memory.outgoing import outgoing
from attn_study.memory.sync.folder import SUFFIX, files
from attn_study.memory.sync.memo import NOTHING, Memo, recall, remember
from attn_study.memory.sync.own import extend
from attn_study.memory.sync.reading import START, Odd, Place, Reading, ReplacedError, read, same

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from attn_study.memory.event import Event
    from attn_study.memory.log import Log


class Seen(NamedTuple):
    """A file of the folder: how many rows it holds, and how many of them were new here."""

    file: str
    rows: int
    received: int


@dataclass(frozen=True, slots=True)
class Synced:
    """What a sync did: rows sent and received, the cards they are about, and what was odd.

    `own` is the name of this device's file. `untold` counts what is odd beyond what `odd` names.
    """

    own: str
    sent: int
    received: int
    cards: frozenset[str]
    files: tuple[Seen, ...]
    odd: tuple[Odd, ...]
    untold: int


@dataclass(slots=True)
class _Found:
    """What was read of the folder: of files that changed, and why others could not be read."""

    readings: dict[str, Reading] = field(default_factory=dict)
    locked: list[Odd] = field(default_factory=list)

    def events(self) -> list[tuple[Reading, int, Event]]:
        """Return every row that was read, with its file and line."""
        return [
            (reading, line, event)
            for reading in self.readings.values()
            for line, event in reading.events
        ]


def sync(log: Log, logs: Path) -> Synced:
    """Bring the log and the folder `logs` to hold the same rows.

    What is damaged or cannot be is left out and told; all else goes on. Done again, it changes
    nothing. Raises UserError when the log or this device's file cannot be written; what was
    received then stays, and the rest is sent next time.
    """
    paths = files(logs)
    memo = recall(log)
    try:
        found = _read_all(paths, memo)
    except ReplacedError:  # what a file held may be in no file any more: begin anew
        memo = NOTHING
        found = _read_all(paths, memo)
    fresh, mark = _take_in(log, found)
    places = {name: place for name, place in memo.places.items() if name in paths}
    for name, reading in found.readings.items():
        # Where something is odd, the file is read once more next time: an update may know it
        places[name] = places.get(name, START) if reading.odd else reading.place
    own = logs / f"{log.device}{SUFFIX}"
    offered = {event.uid for _, _, event in found.events()}
    rows = [row for row in outgoing(log, memo.mark, mark) if row["uid"] not in offered]
    was = found.readings.get(own.name)
    if rows or (was and was.damaged):
        if was is None and own.name in paths:
            was = Reading(own.name, places.get(own.name, START))
        sent = _send(own, was, rows, found, len(fresh))
        places[own.name] = places.get(own.name, START) if was and was.doubtful else sent
    now = Memo(places, mark)
    if now != memo:
        remember(log, now)
    return _told(own.name, len(rows), fresh, found, places)


def _read_all(paths: Mapping[str, Path], memo: Memo) -> _Found:
    """Read what is new in every file. Raises ReplacedError where what was read is gone."""
    found = _Found()
    for name in memo.places.keys() - paths.keys():
        raise ReplacedError(name)
    for name, path in paths.items():
        place = memo.places.get(name, START)
        try:
            if not same(path, place):
                found.readings[name] = read(path, place)
        except OSError as error:
            found.locked.append(Odd(name, 0, f"cannot be read: {error.strerror or error}"))
    return found


def _take_in(log: Log, found: _Found) -> tuple[list[Event], int]:
    """Take in what is new; return it, with the `id` of the newest row in the log then."""
    newest = "SELECT ifnull(max(id), 0) FROM log"
    lines = found.events()
    if not lines:
        return [], log.conn.execute(newest).fetchone()[0]
    with log.writing():
        fresh, clashes, far = sift(log, [event for _, _, event in lines])
        if fresh:
            log.take_in(fresh)
        mark = log.conn.execute(newest).fetchone()[0]
    for place, other in clashes:
        reading, line, event = lines[place]
        there = log.path.name if other is None else f"{lines[other][0].name}:{lines[other][1]}"
        reading.find(line, f"kept out: {event.uid} says otherwise in {there}")
    for place in far:
        reading, line, _ = lines[place]
        reading.find(line, f"kept out: {LEAP}")
    return fresh, mark


def _send(
    own: Path,
    was: Reading | None,
    rows: list[dict[str, object]],
    found: _Found,
    received: int,
) -> Place:
    """Write what no file holds into this device's file; return how far that is known then."""
    are = "row from there was" if received == 1 else "rows from there were"
    hint = f"{received:,} {are} taken in; what is to be sent stays here and goes with the next sync"
    for locked in found.locked:
        if locked.file == own.name:
            raise UserError(locked.what, where=str(own), hint=hint)
    try:
        return extend(own, was, rows)
    except UserError as error:
        raise UserError(error.what, where=error.where, hint=hint) from error


def _told(
    own: str, sent: int, fresh: list[Event], found: _Found, places: Mapping[str, Place]
) -> Synced:
    """Return what was done, for the learner."""
    new = {event.uid for event in fresh}
    received: Counter[str] = Counter()
    for reading, _, event in found.events():
        if event.uid in new:
            new.remove(event.uid)
            received[reading.name] += 1
    rows = {name: place.rows for name, place in places.items()}
    rows |= {name: reading.place.rows for name, reading in found.readings.items()}
    rows |= {own: places[own].rows} if own in places else {}
    return Synced(
        own=own,
        sent=sent,
        received=len(fresh),
        cards=frozenset(event.card for event in fresh) - {""},
        files=tuple(Seen(name, rows[name], received[name]) for name in sorted(rows)),
        odd=(*found.locked, *(odd for one in found.readings.values() for odd in one.odd)),
        untold=sum(one.untold for one in found.readings.values()),
    )
