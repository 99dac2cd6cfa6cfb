"""`attn-study doctor --salvage`: what is read of a damaged study, and how to go on with it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from attn_study import __version__
from attn_study.cli.progress import progress
from attn_study.errors import UserError
from attn_study.wording import counted

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from attn_study.cli.world import World
    from attn_study.memory.safety.fullest import Held
    from attn_study.memory.safety.salvage import Salvaged


@dataclass(frozen=True, slots=True)
class Rescued:
    """What came out, in words and as data."""

    words: str
    fields: dict[str, object]


def show_rescue(world: World, damaged: Path | None, output: Path | None, *, json: bool) -> None:
    """Salvage a file, and say what came out."""
    said = rescue(world, damaged, output)
    if json:
        world.json("salvage", **said.fields)
    else:
        world.print(said.words)


def rescue(world: World, damaged: Path | None, output: Path | None) -> Rescued:
    """Salvage a file, the study by default, into a new one. Raises UserError."""
    from attn_study.cli.outputs import check_foreign, copy_named, typed
    from attn_study.files import free
    from attn_study.memory.safety.fullest import fullest
    from attn_study.memory.safety.salvage import salvage

    world.check_clock(write=True)
    home = world.home
    source = home.study if damaged is None else copy_named(damaged, home)
    if not source.is_file():
        hint = "name the damaged file" if damaged is None else ""
        raise UserError("there is no such file", where=str(source), hint=hint)
    if output is None:
        target = free(home.root / f"study-salvaged-{world.clock().date()}.db")
    else:
        target = typed(output)
        check_foreign(target, home, copies=True)
        if target.exists():
            hint = "nothing is overwritten: choose another name"
            raise UserError("this file is there already", where=str(output), hint=hint)
    with progress(world) as tell:
        tell("the backups")
        backup = fullest(home.backups)
        try:
            found = salvage(
                source, target, __version__, lambda rows: tell(f"{rows:,} rows read"), backup
            )
        except UserError as error:
            raise _unstudied(source, backup) or error from error
    joined = backup if found.added is not None else None
    fields: dict[str, object] = {
        "from": str(source),
        "file": str(target),
        "rows": found.rows,
        "cards": found.cards,
        "lost": found.lost,
        "backup": None if joined is None else str(joined.path),
        "from_backup": found.added or 0,
    }
    return Rescued("\n".join(_told(found, source, target, backup)), fields)


def _unstudied(source: Path, backup: Held | None) -> UserError | None:
    """Return what to say where nothing came out because nothing was ever put in."""
    from attn_study.memory.health.examining import is_unstudied

    if not is_unstudied(source):
        return None
    hint = "`attn-study review` begins"
    if backup:
        hint = f"`attn-study backup --restore {backup.path}` gives you {backup.says}"
    what = "there is nothing to salvage: nothing is studied yet in this file"
    return UserError(what, where=str(source), hint=hint)


def _told(found: Salvaged, source: Path, target: Path, backup: Held | None) -> Iterator[str]:
    """Yield what came out, how much is lost, and how to go on."""
    rows = counted(found.rows - (found.added or 0), "row(|s) of the log")
    yield f"{rows} came out of {source}"
    if found.added is not None and backup:
        more = f"{found.added:,} more" if found.added else "nothing more"
        yield f"{more} came out of the backup {backup.path}, which holds {backup.says}"
    lost = counted(found.lost, "row(|s) (is|are) lost")
    yield f"at least {lost}" if found.lost else "no row is known to be lost"
    whole = counted(found.rows, "row(|s)")
    yield f"{target}: {whole} of {counted(found.cards, 'card(|s)')}"
    yield f"`attn-study backup --restore {target}` puts it in the study's place"
    if found.added is None and backup:
        yield (
            f"the backup {backup.path} holds {backup.says} and another history, so it was "
            "left alone; see which of the two you want"
        )
