"""Text files read as they are, and written whole or not at all."""

from __future__ import annotations

import contextlib
import os
import secrets
import stat
from typing import TYPE_CHECKING

from attn_study.errors import UserError

if TYPE_CHECKING:
    from pathlib import Path


def load(path: Path) -> str:
    """Return the text of a file with its line ends and byte order mark as they are.

    Raises UserError if it cannot be read or is not UTF-8.
    """
    try:
        return path.read_bytes().decode("utf-8")
    except OSError as error:
        raise UserError(f"cannot be read: {error.strerror}", where=str(path)) from error
    except UnicodeDecodeError as error:
        hint = "save the file as UTF-8"
        raise UserError("this is not UTF-8", where=str(path), hint=hint) from error


def write(path: Path, text: str) -> None:
    """Put the text into the file in one step: after a crash it holds the old text or the new.

    A link is written through, an existing file keeps its mode, missing folders are made.
    Raises UserError if the file cannot be written.
    """
    target = path.resolve()
    # Hidden, so that no deck list shows it
    beside = target.with_name(f".{target.name}.{secrets.token_hex(4)}.tmp")
    try:
        _replace(beside, target, text.encode("utf-8"))
    except OSError as error:
        raise UserError(f"cannot be written: {error.strerror}", where=str(path)) from error
    except UnicodeEncodeError as error:
        raise UserError("this text has a character no file can hold", where=str(path)) from error


def _replace(beside: Path, target: Path, data: bytes) -> None:
    """Write beside the target, make it durable, and move it there."""
    target.parent.mkdir(parents=True, exist_ok=True)
    try:
        with beside.open("xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if target.exists():
            beside.chmod(stat.S_IMODE(target.stat().st_mode))
        beside.replace(target)
    except OSError:
        beside.unlink(missing_ok=True)
        raise
    if os.name == "posix":
        _settle(target.parent)


def _settle(folder: Path) -> None:
    """Make the new name itself durable; some file systems cannot, and lose nothing by it."""
    handle = os.open(folder, os.O_RDONLY)
    with contextlib.suppress(OSError):
        os.fsync(handle)
    os.close(handle)
