"""What speaks of earlier study where the log itself is empty or missing, and what to do then."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from attn_study.errors import UserError

NOT_STUDY = "choose another folder with ATTN_STUDY_HOME"


def check_missing(path: Path) -> None:
    """Take a missing file for a new one, unless answers wait beside it to be written into it.

    Raises UserError in that case. A file that was deleted to begin anew leaves none.
    """
    wal = Path(f"{path}-wal")
    if _holds_bytes(wal):
        raise UserError(
            f"the study database is missing, but answers are left in {wal.name}",
            where=str(path),
            hint=f"put back the {path.name} that {wal.name} belongs to; where it is lost, move "
            f"{wal.name} away, then {_copy(path)}, or begin anew",
        )


def check_empty(path: Path, cache: Path) -> None:
    """Take an empty file for a new one only where nothing else speaks of earlier study.

    Raises UserError where the log's own WAL, the catalogue `cache` or a backup does.
    """
    wal, backups = Path(f"{path}-wal"), path.parent / "backups"
    aside = [wal.name] if _holds_bytes(wal) else []
    aside += [cache.name] if _names_an_answer(cache) else []
    kept = [backups.name] if any(backups.glob("*.db")) else []
    if aside or kept:
        first = f"move {wal.name} away, then " if wal.name in aside else ""
        raise UserError(
            f"the study database is empty, but earlier study is known to {_list(aside + kept)}",
            where=str(path),
            hint=f"{first}{_copy(path)}, or move {_list([path.name, *aside])} away to begin anew",
        )


def remedy(path: Path) -> str:
    """Return what to do about a file that is no log."""
    return f"{_copy(path)}, or {NOT_STUDY}"


def _copy(path: Path) -> str:
    from attn_study.memory.safety.fullest import fullest

    folder = path.parent / "backups"
    best = fullest(folder)
    if best:
        put_back = f"`attn-study backup --restore {best.path}`"
        return f"{put_back} puts the newest backup in its place ({best.says})"
    among = f", perhaps one of {folder}" if any(folder.glob("*.db")) else ""
    return f"put a copy of yours in its place{among}: `attn-study backup --restore FILE`"


def _holds_bytes(path: Path) -> bool:
    try:
        return path.stat().st_size > 0
    except OSError:
        return False


def _names_an_answer(cache: Path) -> bool:
    """Return whether a catalogue was made beside a log that had rows; a damaged one says no."""
    if not cache.is_file():
        return False
    # A file without a WAL is read as it is, so that reading leaves nothing beside it.
    mode = "mode=ro" if _holds_bytes(Path(f"{cache}-wal")) else "mode=ro&immutable=1"
    try:
        with closing(sqlite3.connect(f"{cache.absolute().as_uri()}?{mode}", uri=True)) as conn:
            return conn.execute("SELECT 1 FROM mark").fetchone() is not None
    except (sqlite3.Error, UnicodeDecodeError):
        return False


def _list(names: list[str]) -> str:
    *most, last = names
    return f"{', '.join(most)} and {last}" if most else last
