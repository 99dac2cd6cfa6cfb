"""The promise: `deck add` of 10,000 cards costs less than twice what PyYAML takes to load the file.

PyYAML loads with its C loader and the collector of garbage off. Adding reads, checks and copies the
file, and puts every card into the catalogue, so that the next start parses nothing: it must cost
what a start with as many cards costs that were there before.

    python benchmarks/adding.py
"""

from __future__ import annotations

import shutil
import sys
from functools import partial
from typing import TYPE_CHECKING

from measure import WHAT, Promise, compared, concluded, cost, homes_folder, program

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

CARDS = 10_000
LOAD = (
    "import gc, yaml, sys; gc.disable(); "
    "yaml.load(open(sys.argv[1], encoding='utf-8'), Loader=yaml.CSafeLoader)"
)


def deck(path: Path) -> Path:
    """Write a deck of cards like those that people write."""
    cards = (
        f"  - id: card-{n:05}\n"
        f"    front: What does W^Q do to a vector of width {n}, for token {n * 7}?\n"
        f"    back: |\n      It projects it to width {n % 128}:\n\n"
        f"      \\[ q_{{{n}}} = x_{{{n}}} W^Q \\]\n"
        f"    tags: [projection, t{n % 50}]\n\n"
        for n in range(CARDS)
    )
    path.write_text(f"deck: big\ntitle: Big\ncards:\n{''.join(cards)}", encoding="utf-8")
    return path


def added(home: Path, file: Path) -> float:
    """Return what adding the file to a home that has never seen it costs."""
    fresh = home.with_name("fresh")
    shutil.rmtree(fresh, ignore_errors=True)
    shutil.copytree(home, fresh)
    return program(fresh, "deck", "add", str(file))


def measured(folder: Path) -> Iterator[Promise]:
    home, file = folder / "home", deck(folder / "big.yaml")
    program(home, "card", "add", "mine", "a first question", "its answer")
    load = partial(cost, (sys.executable, "-c", LOAD, str(file)), home)
    yield Promise("deck add", compared(partial(added, home, file), load), 2.0)
    before = folder / "before"
    shutil.copytree(folder / "fresh", before)
    program(before, "today")
    after = folder / "fresh"
    yield Promise(
        "today, then",
        compared(partial(program, after, "today"), partial(program, before, "today")),
        1.2,
    )


def main() -> int:
    with homes_folder() as folder:
        print(f"{WHAT} of adding {CARDS:,} cards / of loading the file with CSafeLoader")
        return concluded(measured(folder))


if __name__ == "__main__":
    sys.exit(main())
