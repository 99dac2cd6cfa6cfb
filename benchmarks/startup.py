"""The promise: `attn-study today` costs less than twice what importing typer and rich costs.

The study has 10,000 cards and 100,000 rows in its log. The other commands of every day are
measured the same way.

    python benchmarks/startup.py
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from homes import MEDIUM, build
from measure import WHAT, Promise, compared, concluded, cost, program, until

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

BASELINE = (sys.executable, "-c", "import typer, rich")
PROMISED = 2.0
CARD = "deck-03/card-00017"


def commands(home: Path) -> dict[str, Callable[[], float]]:
    """Return what is measured by its name, the promised one first."""
    return {
        "today": lambda: program(home, "today"),
        "review --plain, first question": lambda: until("Empty line", home, "review", "--plain"),
        "card grade": lambda: program(home, "card", "grade", CARD, "good"),
        "--help": lambda: program(home, "--help"),
    }


def measured(home: Path, pairs: int) -> Iterator[Promise]:
    for name, command in commands(home).items():
        found = compared(command, lambda: cost(BASELINE, home), pairs)
        yield Promise(name, found, PROMISED)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--pairs", type=int, default=15)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder) / "home"
        build(home, MEDIUM)
        print(f"{MEDIUM}; {WHAT} of the command / of `{' '.join(BASELINE[1:])}`")
        return concluded(measured(home, asked.pairs))


if __name__ == "__main__":
    sys.exit(main())
