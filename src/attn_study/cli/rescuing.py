"""`attn-study doctor --salvage`: what is read of a damaged study, and how to go on with it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from attn_study import __version__
from attn_study.cli.progress import progress
from attn_study.errors import UserError
from attn_study.wording import counted

if TYPE_CHECKING:
    from pathlib import Path

    from attn_study.cli.world import World


@dataclass(frozen=True, slots=True)
class Rescued:
    """What came out, in words and as data."""

    words: str
    fields: dict[str, object]


def rescue(world: World, damaged: Path | None, output: Path | None) -> Rescued:
    """Salvage a file, the study by default, into a new one. Raises UserError."""
    from attn_study.files import free
    from attn_study.memory.salvage import salvage

    world.check_clock(write=True)
    source = world.home.study if damaged is None else damaged.expanduser()
    if not source.is_file():
        hint = "name the damaged file" if damaged is None else ""
        raise UserError("there is no such file", where=str(source), hint=hint)
    if output is None:
        target = free(world.home.root / f"study-salvaged-{world.clock().date()}.db")
    else:
        target = output.expanduser()
        if target.exists():
            hint = "nothing is overwritten: choose another name"
            raise UserError("this file is there already", where=str(output), hint=hint)
    with progress(world) as tell:
        found = salvage(source, target, __version__, lambda rows: tell(f"{rows:,} rows read"))
    fields: dict[str, object] = {
        "from": str(source),
        "file": str(target),
        "rows": found.rows,
        "cards": found.cards,
        "lost": found.lost,
    }
    rows = counted(found.rows, "row(|s) of the log")
    cards = counted(found.cards, "card(|s)")
    lost = (
        f"at least {counted(found.lost, 'row(|s) (is|are) lost')}"
        if found.lost
        else "no row is known to be lost"
    )
    words = (
        f"{target}: {rows} of {cards} came out of {source}; {lost}\n"
        f"`attn-study backup --restore {target}` puts it in the study's place"
    )
    return Rescued(words, fields)
