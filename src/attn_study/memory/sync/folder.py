"""The folder that the devices share: which files count, and whether it may be one at all."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attn_study.errors import UserError

if TYPE_CHECKING:
    from pathlib import Path

LOGS = "attn-study-log"
SUFFIX = ".jsonl"
README = "README.txt"
ABOUT = """\
The answers you gave in attn-study, one file for each of your devices.

`attn-study sync` writes and reads them; each device writes only its own. Copies that a
file-sync service puts aside are read like all others, and do no harm. To stop, delete this
folder: every device keeps all it has read.
"""


def check(folder: Path, home: Path) -> None:
    """Raise UserError, saying what to do, where a folder is none to sync with."""
    real, own = folder.resolve(), home.resolve()
    if real == own or own in real.parents:
        hint = "choose a folder outside it, one that a file-sync service or git carries"
        raise UserError("this is where your own log is kept", where=str(folder), hint=hint)
    if real.name == LOGS:
        hint = f"attn-study sync {folder.parent}"
        raise UserError("give the folder that this one is in", where=str(folder), hint=hint)
    if not folder.exists():
        hint = "is its drive there, is its name right? a new one is made by `mkdir`, not by sync"
        raise UserError("there is no such folder", where=str(folder), hint=hint)
    if not folder.is_dir():
        raise UserError("this is no folder", where=str(folder))


def prepare(folder: Path) -> Path:
    """Return the folder of the logs, made with a word on what it is. Raises UserError."""
    logs = folder / LOGS
    try:
        logs.mkdir(exist_ok=True)
        about = logs / README
        if not about.exists():
            about.write_text(ABOUT, encoding="utf-8")
    except OSError as error:
        raise UserError(f"cannot be written: {error.strerror or error}", where=str(logs)) from error
    return logs


def files(logs: Path) -> dict[str, Path]:
    """Return everything that may hold rows, by its name; what a service hides is left alone.

    A copy that a service put aside may end in anything. Raises UserError.
    """
    try:
        found = sorted(logs.iterdir()) if logs.exists() else []
    except OSError as error:
        raise UserError(f"cannot be read: {error.strerror or error}", where=str(logs)) from error
    return {
        path.name: path
        for path in found
        if SUFFIX in path.name.lower() and not path.name.startswith((".", "~"))
    }
