"""What is remembered of a folder from one sync to the next, so that nothing is read twice.

It stands in the log's own file and is changed in its transactions, so that a copy or a backup of
the file remembers what that very log has read. What is forgotten is only read again.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

from attn_study.memory.sync.reading import Place

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from attn_study.memory.log import Log

KEY = "sync"
DECKS = "sync_decks"


class Memo(NamedTuple):
    """How far each file was read, and the `id` up to which every row of the log is in a file."""

    places: Mapping[str, Place]
    mark: int = 0


NOTHING = Memo({})


def recall(log: Log) -> Memo:
    """Return what is remembered, nothing if it was of another log.

    Whether a folder is the one that is meant shows in its files.
    """
    row = log.conn.execute("SELECT value FROM meta WHERE key = ?", [KEY]).fetchone()
    try:
        known = json.loads(row[0]) if row else {}
        mark = int(known["mark"])
        if known["log"] != _log_at(log, mark):
            return NOTHING
        places = {str(name): _place(*values) for name, values in known["files"].items()}
    except (ValueError, TypeError, KeyError, AttributeError):
        return NOTHING
    return Memo(places, mark)


def remember(log: Log, memo: Memo) -> None:
    """Keep what is known of the folder now, in the place of what was known."""
    known = {"log": _log_at(log, memo.mark), "mark": memo.mark, "files": memo.places}
    with log.writing():
        log.conn.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", [KEY, json.dumps(known)])


def carried_decks(log: Log, folder: Path) -> dict[str, str]:
    """Return the digest of each deck file that was carried by way of a folder, by its name."""
    row = log.conn.execute("SELECT value FROM meta WHERE key = ?", [DECKS]).fetchone()
    try:
        known = json.loads(row[0]) if row else {}
        if known["folder"] != str(folder):
            return {}
        return {str(name): str(digest) for name, digest in known["files"].items()}
    except (ValueError, TypeError, KeyError, AttributeError):
        return {}


def remember_decks(log: Log, folder: Path, known: Mapping[str, str]) -> None:
    """Keep the digests of carried deck files, in the place of those of any folder."""
    text = json.dumps({"folder": str(folder), "files": known})
    with log.writing():
        log.conn.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", [DECKS, text])


def _place(stat: list[int], offset: int, lines: int, rows: int, check: int) -> Place:
    return Place(tuple(map(int, stat)), int(offset), int(lines), int(rows), int(check))


def _log_at(log: Log, mark: int) -> list[object]:
    """Return what tells the log up to a row from one that was salvaged or put back."""
    count = log.conn.execute("SELECT count(*) FROM log INDEXED BY log_tick WHERE id <= ?", [mark])
    newest = log.conn.execute("SELECT uid FROM log WHERE id = ?", [mark]).fetchone()
    return [count.fetchone()[0], newest[0] if newest else ""]
