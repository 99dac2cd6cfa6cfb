"""The promises on what the whole log is asked for: it costs a few times a plain SELECT of its rows.

Making the home takes one to two minutes; `--homes FOLDER` keeps it for the next run.

    python benchmarks/record.py
"""

from __future__ import annotations

import sys
from functools import partial
from typing import TYPE_CHECKING

from homes import LARGE, ready
from measure import WHAT, Promise, compared, concluded, cost, homes_folder, program

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

# Every row of the log into Python, by a process of its own: what reading alone costs.
SELECT = """
import gc, sqlite3, sys
gc.disable()  # as the program does
print(len(sqlite3.connect(sys.argv[1]).execute("SELECT * FROM log").fetchall()))
"""
# What `doctor` does: every state worked out anew from the log, and compared with the one kept.
REPLAY = """
import gc, sqlite3, sys
from pathlib import Path
from attn_study.memory.health.replay import compare
from attn_study.memory.log import Log
gc.disable()
path = Path(sys.argv[1])
found = compare(Log(sqlite3.connect(path), "", path))
assert found.cards and not (found.differing or found.missing or found.unknown)
"""
REPLAY_UNDER = 3  # times the SELECT
PROMISED = {"stats": 6}  # times the SELECT
PAIRS = 5  # each takes many seconds


def selected(home: Path) -> float:
    """Return what a plain SELECT of all rows costs."""
    return cost((sys.executable, "-c", SELECT, str(home / "study.db")), home)


def replayed(home: Path) -> float:
    """Return what the replay of the log against the states costs."""
    return cost((sys.executable, "-c", REPLAY, str(home / "study.db")), home)


def measured(home: Path) -> Iterator[Promise]:
    found = compared(partial(replayed, home), partial(selected, home), PAIRS)
    yield Promise("doctor's replay", found, REPLAY_UNDER)
    for command, under in PROMISED.items():
        found = compared(partial(program, home, command), partial(selected, home), PAIRS)
        yield Promise(command, found, under)


def main() -> int:
    with homes_folder() as folder:
        home = ready(folder, "large", LARGE)
        print(f"{WHAT} with {LARGE} / a plain SELECT of the same rows")
        return concluded(measured(home))


if __name__ == "__main__":
    sys.exit(main())
