"""What the command line of the training may ask for; what it may not is refused in one line."""

from __future__ import annotations

import argparse
import re
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import NoReturn

ROOT = Path(__file__).parents[1]
PARTS = ("train", "choose", "card")
MODEL = ROOT / "src" / "attn_study" / "attention" / "model" / "trained.npz"
CARD = ROOT / "docs" / "model-card.md"
MOST = {"steps": 1_000_000, "texts": 5_000_000, "every": 1_000_000, "sentences": 10_000}


class Parser(argparse.ArgumentParser):
    """A parser that says in one line what is wrong."""

    def error(self, message: str) -> NoReturn:
        """Print the line and end with the exit code 2."""
        self.exit(2, f"{message}\n")


def seeds(text: str) -> list[int]:
    """Return the seeds of a text such as `0-3,7`, each below 10,000 and once."""
    found: list[int] = []
    for part in text.split(","):
        match = re.fullmatch(r"([0-9]{1,4})(?:-([0-9]{1,4}))?", part.strip())
        begin, end = (int(match[1]), int(match[2] or match[1])) if match else (1, 0)
        if end < begin:
            raise argparse.ArgumentTypeError(
                f"{part!r} is no seed below 10,000 and no range such as 0-11"
            )
        found += range(begin, end + 1)
    return list(dict.fromkeys(found))


def count(name: str, text: str) -> int:
    """Return the number of an option that counts something: 1 to as many as it allows."""
    if not re.fullmatch("[0-9]{1,9}", text) or not 1 <= int(text) <= MOST[name]:
        raise argparse.ArgumentTypeError(f"{text!r} is no number from 1 to {MOST[name]:,}")
    return int(text)


def options(doc: str) -> argparse.Namespace:
    """Return what the command line asks for; `doc` is what --help tells."""
    about, _, more = doc.partition("\n")
    parser = Parser(
        description=about, epilog=more, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    counts = {name: partial(count, name) for name in MOST}
    parser.add_argument("part", nargs="?", choices=PARTS, help="only this; else all three")
    parser.add_argument("--seeds", type=seeds, default="0-7", help="such as 0-11 or 0,3 (0-7)")
    parser.add_argument("--steps", type=counts["steps"], help="of a run (those of the recipe)")
    parser.add_argument("--texts", type=counts["texts"], help="for it (those of the recipe)")
    parser.add_argument(
        "--every", type=counts["every"], default=250, help="steps to a checkpoint (250)"
    )
    parser.add_argument(
        "--sentences", type=counts["sentences"], default=600, help="a family, held out (600)"
    )
    parser.add_argument("--runs", type=Path, default=ROOT / "training" / "runs", help="a folder")
    parser.add_argument("--model", type=Path, help="a file (the one that is shipped)")
    parser.add_argument("--card", type=Path, help="a file (docs/model-card.md)")
    return parser.parse_args()
