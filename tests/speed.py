"""What makes a run of all tests quick, and nothing a test could see."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from pathlib import Path

MEMORY = Path("/dev/shm")  # where Linux may keep files in memory
ROOM = 2 << 30  # bytes, several times what a whole run leaves behind


def calculate_in_one_thread() -> None:
    """Keep NumPy, which must not be loaded yet, to one thread.

    Matrices here are small, and tests run in several processes: threads would wait for each other.
    """
    os.environ.setdefault("OMP_NUM_THREADS", "1")


def keep_files_in_memory() -> None:
    """Have temporary files made in memory where the system offers that and no place was chosen.

    Each grade is synced to the disk before it is said to be kept; a test with a log waits mostly
    for that, and a power cut no test can cause. `TMPDIR` names another place.
    """
    if "TMPDIR" not in os.environ and _is_of_use(MEMORY):
        tempfile.tempdir = str(MEMORY)


def _is_of_use(folder: Path) -> bool:
    """Whether a run has room there, and may start the programs that it puts there."""
    if sys.platform != "linux" or not os.access(folder, os.W_OK):
        return False
    return not os.statvfs(folder).f_flag & os.ST_NOEXEC and shutil.disk_usage(folder).free > ROOM
