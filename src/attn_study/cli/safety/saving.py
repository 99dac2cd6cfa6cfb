"""What `attn-study backup` does, and the words it answers with."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any

from attn_study import __version__
from attn_study.cli.outputs import check_foreign, copy_named, typed
from attn_study.errors import UserError
from attn_study.wording import counted

if TYPE_CHECKING:
    from pathlib import Path

    from attn_study.cli.world import World
    from attn_study.places import Home

ROWS = "row(|s) of the log"


def show_copies(world: World, *, json: bool) -> None:
    """List the copies there are."""
    from attn_study.render.backups import backup_lines

    folder = str(world.home.backups)
    found = copies_there(world)
    if json:
        world.json("backup", folder=folder, copies=found)
    else:
        world.page(backup_lines(found, folder, world.columns))


def copies_there(world: World) -> list[dict[str, Any]]:
    """Return what is known of each copy; one that cannot be read says why, and comes last.

    The one with the newest study day comes first, then the one with most rows: the date of a file
    says little, since a folder that was copied has new ones.
    """
    return sorted(map(_described, copies(world.home)), key=_newness, reverse=True)


def copies(home: Home) -> list[Path]:
    """Return the copies among the backups and beside the study, in no order."""
    paths = [*home.backups.glob("*.db"), *home.root.glob("study-*.db")]
    return [path for path in paths if path.is_file() and not path.name.startswith(".")]


def _newness(copy: dict[str, Any]) -> tuple[str, int, str, str]:
    rows = -1 if copy["rows"] is None else copy["rows"]
    return copy["newest_day"] or "", rows, copy["made"], copy["file"]


def _described(path: Path) -> dict[str, Any]:
    from attn_study.memory.safety.copies import facts, reading

    there = path.stat()
    made = datetime.fromtimestamp(there.st_mtime).astimezone()
    known: dict[str, Any] = {"rows": None, "newest_day": None, "wrong": None}
    try:
        with reading(path, __version__) as conn:
            now = facts(conn)
        known |= {"rows": now.rows, "newest_day": now.newest_day or None}
    except UserError as error:
        known["wrong"] = error.what
    return {
        "file": str(path),
        "made": made.isoformat(timespec="seconds"),
        "bytes": there.st_size,
        **known,
    }


def save(world: World, file: Path) -> str:
    """Write a copy of the study; return words on what it holds. Raises UserError."""
    from attn_study.memory.safety.copies import copy

    target = typed(file)
    check_foreign(target, world.home, copies=True)
    if target.is_dir():
        raise UserError("this is a folder", where=str(file), hint=f"for example {file}/study.db")
    if target.exists() or target.is_symlink():
        hint = "nothing is overwritten: choose another name, or move that file away"
        raise UserError("this file is there already", where=str(file), hint=hint)
    if not target.parent.is_dir():
        raise UserError("there is no such folder", where=str(file.parent), hint="make it first")
    if not world.home.study.exists():
        raise UserError("there is nothing to copy yet", where=str(world.home.study))
    with world.open() as study:
        known = copy(study.log.conn, target)
    newest = f", the newest of {known.newest_day}" if known.newest_day else ""
    return f"{file}: {counted(known.rows, ROWS)}{newest}; verified"


def put_back(world: World, file: Path) -> str:
    """Put a copy in the study's place; return words on what came back. Raises UserError."""
    from attn_study.memory.safety.restoring import restore

    world.check_clock(write=True)
    study = world.home.study
    aside = f"study-before-restore-{world.clock().date()}.db"
    source = copy_named(file, world.home)
    done = restore(source, study, aside, __version__)
    _hints_follow(world)
    newest = f", the newest of {done.facts.newest_day}" if done.facts.newest_day else ""
    lines = [f"{study}: {counted(done.facts.rows, ROWS)} from {source}{newest}"]
    if done.kept:
        lines.append(f"what was there is kept as {done.kept}{_beyond(done.left_out)}")
    lines.append("from now on this study writes as a new device, so `undo` begins here")
    return "\n".join(lines)


def _beyond(left_out: int | None) -> str:
    if left_out is None:
        return (
            "; it is too damaged to compare: `attn-study doctor --salvage` reads what can be read"
        )
    if not left_out:
        return "; all its rows are here"
    return f", with {counted(left_out, 'row(|s) that (is|are) not here now')}"


def _hints_follow(world: World) -> None:
    """Let the catalogue know again which cards are new: it was made beside another log."""
    was_quiet, world.quiet = world.quiet, True
    try:
        with world.open() as study:
            query = "SELECT card FROM card_state WHERE due IS NOT NULL"
            study.catalogue.mend_hints()
            study.catalogue.saw([row[0] for row in study.log.conn.execute(query)])
    except UserError:
        return  # only hints: settings that cannot be read must not keep a study from coming back
    finally:
        world.quiet = was_quiet
