"""The promise: a head learns in `demo learn` while one watches, so the first moment comes at once.

Each course is trained to its last step in this process, and timed: seconds, steps a second, and
the first step after which its claim held. Promised is a ratio, since machines differ: from the
start to the first moment drawn costs less than three times what the imports cost.

    OMP_NUM_THREADS=1 python benchmarks/learn.py
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from typing import TYPE_CHECKING

from demo import BASELINE, waited
from measure import PROGRAM, Promise, compared, concluded

from attn_study.demos.workings.courses import COURSES
from attn_study.demos.workings.pupil import Pupil

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from attn_study.demos.workings.courses import Claim
    from attn_study.demos.workings.pupil import Moment

PROMISED = 3.0
SEEDS = 5


def trained(case: str, layers: int, seed: int) -> tuple[float, Sequence[Moment]]:
    """Return the seconds that a whole course takes, its sentences included, and its moments."""
    before = time.perf_counter()
    moments = tuple(Pupil(COURSES[case], layers, seed).moments())
    return time.perf_counter() - before, moments


def reached(moments: Sequence[Moment], claim: Claim, kept: int = 200) -> str:
    """Return the first step from which on the claim held to the end."""
    held = None
    for moment in reversed(moments):
        right = claim.least <= moment.marks.right / kept <= claim.most
        if not (right and moment.marks.on_target >= claim.on_target):
            break
        held = moment.step
    return "never" if held is None else str(held)


def told() -> Iterator[str]:
    """Yield a line for each course."""
    for case, course in COURSES.items():
        for layers, claim in course.claims.items():
            found = [(seed, *trained(case, layers, seed)) for seed in claim.seeds]
            seconds = [spent for _, spent, _ in found]
            steps = ", ".join(reached(moments, claim) for _, _, moments in found)
            rate = course.steps / min(seconds)
            yield (
                f"{case:<10} layers={layers}  {min(seconds):.2f} s  {rate:6.0f} steps/s"
                f"  claim holds from step {steps}"
            )


def first_moment(home: str) -> float:
    """Return the seconds until a run down a pipe has told its first moment."""
    command = (*PROGRAM, "demo", "learn", "--case", "repeat")
    before = time.perf_counter()
    with subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        encoding="utf-8",
        env={"ATTN_STUDY_HOME": home, "PYTHONIOENCODING": "utf-8"},
    ) as child:
        lines = child.stdout or ()
        seen = any("step   0" in line for line in lines)
        spent = time.perf_counter() - before
        child.kill()
    if not seen:
        raise RuntimeError("no moment was told")
    return spent


def main() -> int:
    for line in told():
        print(line, flush=True)
    with tempfile.TemporaryDirectory() as home:
        print(f"wall time of the command / of `python -c '{BASELINE[-1]}'`")
        found = compared(lambda: first_moment(home), lambda: waited(BASELINE, home))
        return concluded([Promise("demo learn, to its first moment", found, PROMISED)])


if __name__ == "__main__":
    sys.exit(main())
