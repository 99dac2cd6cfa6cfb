"""The promise: `attn-study today` costs less than twice what importing typer and rich costs.

The study has 10,000 cards and 100,000 rows in its log. The other commands of every day are
measured the same way.

    python benchmarks/startup.py
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from homes import MEDIUM, ready
from measure import WHAT, Promise, compared, concluded, cost, homes_folder, program, until

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

BASELINE = (sys.executable, "-c", "import typer, rich")
CARD = "deck-03/card-00001"


def commands(home: Path) -> dict[str, tuple[Callable[[], float], float | None]]:
    """Return what is measured by its name, each with the ratio it stays under."""
    return {
        "today": (lambda: program(home, "today"), 2.0),
        "review --plain, first question": (
            lambda: until("Empty line", home, "review", "--plain"),
            None,
        ),
        "card grade": (lambda: program(home, "card", "grade", CARD, "good"), None),
        "undo": (lambda: program(home, "undo"), None),
        "--help": (lambda: program(home, "--help"), 2.0),
    }


def measured(home: Path) -> Iterator[Promise]:
    for name, (command, under) in commands(home).items():
        yield Promise(name, compared(command, lambda: cost(BASELINE, home)), under)


def main() -> int:
    with homes_folder() as folder:
        home = ready(folder, "medium", MEDIUM)
        print(f"{MEDIUM}; {WHAT} of the command / of `python -c '{BASELINE[-1]}'`")
        return concluded(measured(home))


if __name__ == "__main__":
    sys.exit(main())
