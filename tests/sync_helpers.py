"""What the tests of sync share: devices with logs of their own, and the folder between them."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from attn_study.memory.replaying import replayed
from attn_study.memory.sync.exchange import Synced, sync
from attn_study.memory.sync.folder import LOGS, prepare
from memory_helpers import log_in_memory, log_on_disk, rows, states

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from attn_study.memory.fold import CardState
    from attn_study.memory.log import Log


@contextmanager
def devices(*names: str) -> Iterator[list[Log]]:
    """Open an empty study for each device."""
    if not names:
        yield []
        return
    with log_in_memory(names[0]) as log, devices(*names[1:]) as others:
        yield [log, *others]


def met(log: Log, folder: Path) -> Synced:
    """Sync a device; its states are those of a replay afterwards."""
    done = sync(log, prepare(folder))
    assert states(log.conn) == {state.card: state for state in replayed(log)}
    return done


def own(folder: Path, log: Log) -> Path:
    """The file that a device writes."""
    return folder / LOGS / f"{log.device}.jsonl"


def uids(log: Log) -> set[str]:
    return {event.uid for event in rows(log.conn)}


def known(log: Log) -> dict[str, CardState]:
    return states(log.conn)


def odd(done: Synced) -> list[str]:
    """What was odd, a line each."""
    return [f"{one.file}:{one.line}: {one.what}" for one in done.odd]


__all__ = ["devices", "known", "log_on_disk", "met", "odd", "own", "uids"]
