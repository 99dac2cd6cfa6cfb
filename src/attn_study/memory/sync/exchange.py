"""One sync: what others wrote comes in, and what no file of the folder holds goes out.

The file of a device holds every row of its log that stood in no other file when it was written,
whoever wrote the row first: so nothing is missing from the folder, and no file has two writers.
"""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from itertools import chain, islice
from typing import TYPE_CHECKING, NamedTuple

from attn_study.errors import UserError
from attn_study.memory.exchange.incoming import INCOMING, untold, waiting
from attn_study.memory.exchange.outgoing import outgoing
from attn_study.memory.sync.folder import SUFFIX, files
from attn_study.memory.sync.memo import NOTHING, Memo, recall, remember
from attn_study.memory.sync.own import extend
from attn_study.memory.sync.reading import START, Odd, Place, Reading, ReplacedError, read, same

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Mapping
    from pathlib import Path

    from attn_study.memory.exchange.incoming import Incoming, Refused, Tell
    from attn_study.memory.log import Log

AT_ONCE = 5_000  # rows that are taken in together, while nobody else can write
TOLD = 10_000  # rows that are sent between two words on it


class Seen(NamedTuple):
    """A file of the folder: how many rows it holds, and how many of them were new here."""

    file: str
    rows: int
    received: int

    @property
    def device(self) -> str:
        """The device that writes the file, or what a copy of it is called."""
        return self.file.removesuffix(SUFFIX)


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
    sent: int = 0


def sync(log: Log, logs: Path, tell: Tell = untold) -> Synced:
    """Bring the log and the folder `logs` to hold the same rows.

    What is damaged or cannot be is left out and told; all else goes on. Done again, it changes
    nothing. `tell` hears how many rows were read, taken in and sent so far. Raises UserError when
    the log or this device's file cannot be written; what was received then stays, and the rest is
    sent next time.
    """
    paths = files(logs)
    memo = recall(log)
    with waiting(log, tell) as incoming:
        try:
            found = _read_all(paths, memo, incoming)
        except ReplacedError:  # what a file held may be in no file any more: begin anew
            memo = NOTHING
            incoming.forget()
            found = _read_all(paths, memo, incoming)
        _take_in(incoming, found)
        places = {name: place for name, place in memo.places.items() if name in paths}
        for name, reading in found.readings.items():
            # Where something is odd, the file is read once more next time: an update may know it
            places[name] = places.get(name, START) if reading.odd else reading.place
        own = logs / f"{log.device}{SUFFIX}"
        was = found.readings.get(own.name)
        with closing(_lacking(incoming, memo.mark, found)) as rows:
            first = list(islice(rows, 1))
            if first or (was and was.damaged):
                if was is None and own.name in paths:
                    keep = partial(incoming.put, own.name)
                    was = Reading(own.name, places.get(own.name, START), keep)
                sent = _send(own, was, chain(first, rows), found, incoming)
                places[own.name] = places.get(own.name, START) if was and was.doubtful else sent
        now = Memo(places, incoming.mark)
        if now != memo:
            remember(log, now)
        return _told(own.name, incoming, found, places)


def _read_all(paths: Mapping[str, Path], memo: Memo, incoming: Incoming) -> _Found:
    """Read what is new in every file. Raises ReplacedError where what was read is gone."""
    found = _Found()
    for name in memo.places.keys() - paths.keys():
        raise ReplacedError(name)
    for name, path in paths.items():
        place = memo.places.get(name, START)
        try:
            if not same(path, place):
                found.readings[name] = read(path, place, partial(incoming.put, name))
        except OSError as error:
            incoming.forget(name)
            found.locked.append(Odd(name, 0, f"cannot be read: {error.strerror or error}"))
    return found


def _take_in(incoming: Incoming, found: _Found) -> None:
    """Take in what is new, a part at a time: nobody who grades a card meanwhile waits for long."""
    odd: list[Refused] = []

    def check(refused: list[Refused]) -> None:
        odd[:] = refused

    incoming.take_in(check, AT_ONCE)
    for row in odd:
        where = ""
        if row.contradicts:
            where = f" in {':'.join(map(str, row.other)) if row.other else incoming.log.path.name}"
        found.readings[row.source].find(row.line, f"kept out: {row.why}{where}")


def _lacking(
    incoming: Incoming, after: int, found: _Found
) -> Generator[dict[str, object], None, None]:
    """Yield the rows behind `after` that no file holds, counting them."""
    for row in outgoing(incoming.log, after, incoming.mark, but=INCOMING):
        found.sent += 1
        if found.sent % TOLD == 0:
            incoming.tell("sent", found.sent)
        yield row


def _send(
    own: Path,
    was: Reading | None,
    rows: Iterable[dict[str, object]],
    found: _Found,
    incoming: Incoming,
) -> Place:
    """Write what no file holds into this device's file; return how far that is known then."""
    received = sum(incoming.taken("source").values())
    are = "row from there was" if received == 1 else "rows from there were"
    hint = f"{received:,} {are} taken in; what is to be sent stays here and goes with the next sync"
    for locked in found.locked:
        if locked.file == own.name:
            raise UserError(locked.what, where=str(own), hint=hint)
    try:
        return extend(own, was, rows)
    except UserError as error:
        hints = "; ".join(filter(None, (error.hint, hint)))
        raise UserError(error.what, where=error.where, hint=hints) from error


def _told(own: str, incoming: Incoming, found: _Found, places: Mapping[str, Place]) -> Synced:
    """Return what was done, for the learner."""
    received = incoming.taken("source")
    rows = {name: place.rows for name, place in places.items()}
    rows |= {name: reading.place.rows for name, reading in found.readings.items()}
    rows |= {own: places[own].rows} if own in places else {}
    return Synced(
        own=own,
        sent=found.sent,
        received=sum(received.values()),
        cards=frozenset(incoming.taken("card")) - {""},
        files=tuple(Seen(name, rows[name], received.get(name, 0)) for name in sorted(rows)),
        odd=(*found.locked, *(odd for one in found.readings.values() for odd in one.odd)),
        untold=sum(one.untold for one in found.readings.values()),
    )
