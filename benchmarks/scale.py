"""The promise: with a million log rows and 100,000 cards a day costs what it does with 100 cards.

Making the large home takes one to two minutes; `--homes FOLDER` keeps it for the next run.

    python benchmarks/scale.py
"""

from __future__ import annotations

import sys
from functools import partial
from typing import TYPE_CHECKING

from homes import LARGE, SMALL, ready
from measure import WHAT, Promise, compared, concluded, homes_folder, program

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

PROMISED = 1.2  # the large home to the small one
COMMANDS = (
    ("today",),
    ("review", "--plain"),  # one question, then the end of the input
    ("card", "grade", "deck-03/card-00001", "good"),
    ("undo",),  # as many times as the grade before it
)


def measured(large: Path, small: Path) -> Iterator[Promise]:
    for words in COMMANDS:
        found = compared(partial(program, large, *words), partial(program, small, *words))
        yield Promise(" ".join(words), found, PROMISED)


def main() -> int:
    with homes_folder() as folder:
        small = ready(folder, "small", SMALL)
        large = ready(folder, "large", LARGE)
        print(f"{WHAT} with {LARGE} / with {SMALL}")
        return concluded(measured(large, small))


if __name__ == "__main__":
    sys.exit(main())
