"""The promise: a demo in a pipe is there in less than three times what its imports cost.

`attn-study demo multihead`, and `demo context`, which reads the trained model, each in a process of
its own, to the last line that it writes, against a process that imports numpy and rich alone: time
on the wall, since a learner waits.

    python benchmarks/demo.py
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from functools import partial
from typing import TYPE_CHECKING

from homes import NOW
from measure import PROGRAM, SLOWING, Promise, Sample, compared, concluded

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

BASELINE = (sys.executable, "-c", "import numpy, rich.console")
DEMOS = ("multihead", "context")
PROMISED = 3.0


def waited(command: Sequence[str], home: str) -> Sample:
    """Return the seconds until `command` has written its last line; raises when it fails.

    That is when its output ends, and so for the imports, which write nothing, too.
    """
    kept = {name: value for name, value in os.environ.items() if name not in SLOWING}
    environ = kept | {
        "ATTN_STUDY_HOME": home,
        "ATTN_STUDY_NOW": NOW,
        "PYTHONIOENCODING": "utf-8",
    }
    before = time.perf_counter()
    with subprocess.Popen(
        command, env=environ, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, encoding="utf-8"
    ) as child:
        written = child.stdout.read() if child.stdout else ""
        after = time.perf_counter()
    if child.returncode or (command is not BASELINE) != bool(written):
        raise RuntimeError(f"{' '.join(command)} ended with {child.returncode}: {written!r}")
    return after - before


def measured(home: str) -> Iterator[Promise]:
    """Measure the demo and the imports in turn."""
    for name in DEMOS:
        command = (*PROGRAM, "demo", name)
        found = compared(partial(waited, command, home), partial(waited, BASELINE, home))
        yield Promise(f"demo {name}, to its last line", found, PROMISED)


def main() -> int:
    with tempfile.TemporaryDirectory() as home:
        print(f"wall time of the command / of `python -c '{BASELINE[-1]}'`")
        return concluded(measured(home))


if __name__ == "__main__":
    sys.exit(main())
