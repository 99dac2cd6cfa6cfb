"""Copies that a killed process left half made, cleared once nobody can be making them any more."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from attn_study.memory.safety.copies import drop

if TYPE_CHECKING:
    from pathlib import Path

AGE = 3_600  # seconds without a write: no copy of a log stands still for so long


def clear(folder: Path, made: Path, names: str = "study*.db") -> None:
    """Remove the unfinished copies in `folder` whose names were to be `names`.

    `made` is a file that was written just now: what was written an hour before it is nobody's.
    """
    now = made.stat().st_mtime
    for path in folder.glob(f".{names}.????????.tmp*"):
        with suppress(OSError):  # it may have gone with the one before it
            if path.stat().st_mtime < now - AGE:
                drop(path)
