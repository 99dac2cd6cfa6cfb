"""What a command costs: the processor time of a child process, in pairs taken in turn.

Processor time, user and system together, hardly depends on what else the machine is doing, and a
ratio of two measurements taken one after the other hardly depends on the machine. Windows does
not tell it of children, so there it is the time on the wall.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

from homes import NOW

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

PROGRAM = (sys.executable, "-c", "from attn_study.cli.main import main; main()")
PAIRS = 15
WHAT = "wall time" if sys.platform == "win32" else "processor time"
SLOWING = {
    "PYTHONDONTWRITEBYTECODE",
    "PYTHONPROFILEIMPORTTIME",
    "PYTHONDEVMODE",
    "PYTHONTRACEMALLOC",
}

Sample = float  # seconds of WHAT


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two costs in seconds, and the ratio of the first to the second: medians of all pairs."""

    ratio: float
    first: float
    second: float


@dataclass(frozen=True, slots=True)
class Promise:
    """A ratio, and what it must stay under; nothing is promised where `under` is None."""

    name: str
    found: Comparison
    under: float | None = None

    @property
    def is_kept(self) -> bool:
        return self.under is None or self.found.ratio < self.under

    def __str__(self) -> str:
        found = self.found
        figures = f"{found.first * 1e3:7.1f} ms / {found.second * 1e3:7.1f} ms"
        limit = "" if self.under is None else f"   promised: under {self.under}"
        broken = "" if self.is_kept else "   BROKEN"
        return f"{self.name:<34} {figures} = {found.ratio:5.2f}{limit}{broken}"


def compared(
    first: Callable[[], Sample], second: Callable[[], Sample], pairs: int = PAIRS
) -> Comparison:
    """Measure in turn, after one pair that only warms the caches up."""
    samples = [(first(), second()) for _ in range(pairs + 1)][1:]
    return Comparison(
        ratio=median(one / other for one, other in samples),
        first=median(one for one, _ in samples),
        second=median(other for _, other in samples),
    )


def concluded(promises: Iterable[Promise]) -> int:
    """Print each promise as soon as it is measured; return the exit code."""
    code = 0
    for promise in promises:
        print(promise, flush=True)
        code |= int(not promise.is_kept)
    return code


def program(home: Path, *words: str) -> Sample:
    """Return what one run of the program costs, with nobody to answer it."""
    return cost((*PROGRAM, *words), home)


def cost(command: Sequence[str], home: Path) -> Sample:
    """Return what one run of `command` costs; raises CalledProcessError when it fails."""
    before = _spent()
    subprocess.run(
        command, env=_environment(home), stdin=subprocess.DEVNULL, capture_output=True, check=True
    )
    return _spent() - before


def until(line: str, home: Path, *words: str) -> Sample:
    """Return what the program costs until it says `line` and waits for an answer."""
    before = _spent()
    with subprocess.Popen(
        (*PROGRAM, *words),
        env=_environment(home),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        encoding="utf-8",
    ) as child:
        said = any(line in heard for heard in child.stdout or ())
        child.kill()
    if not said:
        raise RuntimeError(f"{' '.join(words)} never said {line!r}")
    return _spent() - before


@contextmanager
def homes_folder() -> Iterator[Path]:
    """Read `--homes FOLDER`, where homes are kept from run to run; else they are thrown away."""
    parser = argparse.ArgumentParser(description="Exit code 1 says that a promise is broken.")
    parser.add_argument("--homes", type=Path, metavar="FOLDER", help="keep the homes made here")
    kept: Path | None = parser.parse_args().homes
    if kept:
        kept.mkdir(parents=True, exist_ok=True)
        yield kept.resolve()
        return
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder)


def _spent() -> float:
    """Return seconds of the children that have ended, or of the clock on the wall."""
    if sys.platform == "win32":
        return time.perf_counter()
    import resource

    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _environment(home: Path) -> dict[str, str]:
    """Return the environment of a child: its own home, its day, and compiled modules kept."""
    kept = {name: value for name, value in os.environ.items() if name not in SLOWING}
    return kept | {
        "ATTN_STUDY_HOME": str(home),
        "ATTN_STUDY_NOW": NOW,
        "PYTHONIOENCODING": "utf-8",
    }
