"""Files read as they are, and written whole or not at all, by one process at a time."""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
import stat
from typing import TYPE_CHECKING

from attn_study.errors import UserError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from typing import BinaryIO

WAIT = 5.0  # seconds to wait for another writer
NO_ROOM = (errno.ENOSPC, errno.EFBIG, getattr(errno, "EDQUOT", errno.ENOSPC))  # Windows: no quota
ROOM = "make room, and look for a limit on the size of files (`ulimit -f`)"


def load(path: Path) -> str:
    """Return the text of a file with its line ends and byte order mark as they are.

    Raises UserError if it cannot be read or is not UTF-8.
    """
    try:
        return load_bytes(path).decode("utf-8")
    except UnicodeDecodeError as error:
        hint = "save the file as UTF-8"
        raise UserError("this is not UTF-8", where=str(path), hint=hint) from error


def load_bytes(path: Path) -> bytes:
    """Return what stands in a file. Raises UserError if it cannot be read."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise UserError(f"cannot be read: {error.strerror}", where=str(path)) from error


def write(path: Path, text: str) -> None:
    """Put the text into the file in UTF-8, as `write_bytes` does; raises UserError as it does."""
    try:
        data = text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise UserError("this text has a character no file can hold", where=str(path)) from error
    write_bytes(path, data)


def write_bytes(path: Path, data: bytes) -> None:
    """Put `data` into the file in one step, as `replacing` does; raises UserError as it does."""
    with replacing(path) as file:
        file.write(data)


@contextlib.contextmanager
def replacing(path: Path) -> Iterator[BinaryIO]:
    """Open a file for what is to stand at `path` once the block has ended well, in one step.

    After a crash the old bytes stand there or all of the new. A link is written through, an
    existing file keeps its mode, missing folders are made. Raises UserError if the file cannot be
    written.
    """
    target = path.resolve()
    # Hidden, so that no deck list shows it
    beside = target.with_name(f".{target.name}.{secrets.token_hex(4)}.tmp")
    try:
        with _moved(beside, target) as file:
            yield file
    except OSError as error:
        what = f"cannot be written: {error.strerror or error}"
        hint = ROOM if error.errno in NO_ROOM else ""
        raise UserError(what, where=str(path), hint=hint) from error


def free(path: Path) -> Path:
    """Return the path, or the next one with a number behind its stem that nothing stands at."""
    number, found = 1, path
    while found.exists():
        number += 1
        found = path.with_stem(f"{path.stem}-{number}")
    return found


@contextlib.contextmanager
def alone(path: Path) -> Iterator[None]:
    """Keep every other process that asks for the same out until the file is changed.

    An empty SQLite file beside it is the lock: it works on every system, and is let go when a
    process dies. Raises UserError when another process holds it for long.
    """
    import sqlite3

    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        conn = sqlite3.connect(path.with_suffix(".lock"), timeout=WAIT, isolation_level=None)
    except (OSError, sqlite3.Error) as error:
        raise UserError(f"cannot be written: {error}", where=str(path)) from error
    with contextlib.closing(conn):  # which ends the transaction
        try:
            conn.execute("BEGIN EXCLUSIVE")
        except sqlite3.Error as error:
            is_held = "locked" in str(error)
            what = "in use by another attn-study" if is_held else f"cannot be written: {error}"
            hint = "try again in a moment" if is_held else ""
            raise UserError(what, where=str(path), hint=hint) from error
        yield


@contextlib.contextmanager
def _moved(beside: Path, target: Path) -> Iterator[BinaryIO]:
    """Write beside the target, make it durable, and move it there."""
    if target.exists() and not target.is_file():
        raise OSError(errno.EINVAL, "a folder" if target.is_dir() else "a device, not a file")
    target.parent.mkdir(parents=True, exist_ok=True)
    try:
        with beside.open("xb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        if target.exists():
            beside.chmod(stat.S_IMODE(target.stat().st_mode))
        beside.replace(target)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise
    settle(target.parent)


def settle(folder: Path) -> None:
    """Make the new name itself durable; some file systems cannot, and lose nothing by it."""
    if os.name != "posix":  # elsewhere a folder cannot be opened
        return
    handle = os.open(folder, os.O_RDONLY)
    with contextlib.suppress(OSError):
        os.fsync(handle)
    os.close(handle)
