"""`attn-study sync`: the same progress on every machine, by way of a folder."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from attn_study.errors import UserError

if TYPE_CHECKING:
    from collections.abc import Collection

    from attn_study.cli.study import Study
    from attn_study.cli.world import World
    from attn_study.deck.travelling import Carried
    from attn_study.memory.sync.exchange import Synced


def sync(
    ctx: typer.Context,
    folder: Annotated[
        str, typer.Argument(help="A folder that all machines see; remembered.", metavar="[FOLDER]")
    ] = "",
    decks: Annotated[
        bool, typer.Option("--decks", help="Carry your own deck files along, this time.")
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
) -> None:
    """Have the same progress on every machine, by a folder that a file-sync service or git carries.

    Each machine adds to a file of its own there and reads those of the others.
    Exit code 1: something was odd, and is named; all else was done.

    \b
    attn-study sync ~/Dropbox/attn-study
    attn-study sync
    attn-study sync --decks
    """
    from attn_study.collector import resting
    from attn_study.files import alone
    from attn_study.render.sync import sync_lines

    world = ctx.obj
    place = _place(world, folder)
    with world.open(write=True) as study, alone(world.home.root / "sync"), resting():
        synced = _sync_log(study, place, decks=decks)
        carried = _carry_decks(study, place) if decks else None
    if folder:
        _remember(world, place)
    if json:
        world.json("sync", **_fields(place, synced, carried))
    else:
        world.show(sync_lines(str(place), synced, carried, world.columns))
    raise typer.Exit(1 if synced.odd or (carried and carried.odd) else 0)


def _place(world: World, folder: str) -> Path:
    """Return the folder that is meant; raises UserError, saying what to type, for none."""
    from attn_study.memory.sync.folder import check

    chosen = folder or world.settings.sync
    if not chosen:
        hint = "attn-study sync FOLDER, one that your other machines see too; it is remembered"
        raise UserError("no folder to sync with is known yet", hint=hint)
    place = absolute(chosen)
    check(place, world.home.root)
    return place


def absolute(folder: str) -> Path:
    """Return a folder that was typed, whole; raises UserError for the home of no user."""
    try:
        return Path(folder).expanduser().absolute()
    except RuntimeError as error:
        raise UserError("no such user's folder", where=folder) from error


def _sync_log(study: Study, place: Path, *, decks: bool) -> Synced:
    from attn_study.cli.progress import counting
    from attn_study.memory.safety.backup import keep_daily
    from attn_study.memory.sync.exchange import sync as exchange
    from attn_study.memory.sync.folder import prepare

    # Before rows come in from elsewhere, not only after the command
    if notice := keep_daily(study.log.conn, study.world.home.backups, study.moment().day):
        study.world.say(notice)
    with counting(study.world) as tell:
        synced = exchange(study.log, prepare(place), tell)
    if synced.received:
        _hint_at_decks(study, synced.cards, decks=decks)
        study.catalogue.saw(synced.cards)
        study.catalogue.mend_hints()
    return synced


def _hint_at_decks(study: Study, answered: Collection[str], *, decks: bool) -> None:
    """Say how answers that came get their cards, where no deck here holds those."""
    from attn_study.memory.fold import canonical
    from attn_study.wording import counted

    if decks:
        return
    alias = study.log.aliases()
    lost = {canonical(card, alias) for card in answered} - set(study.catalogue.names())
    if lost:
        what = counted(len(lost), "card(|s) with answers (is|are) in no deck here")
        study.world.say(f"{what}; `attn-study sync --decks`, there and here, carries deck files")


def _carry_decks(study: Study, place: Path) -> Carried:
    """Carry deck files both ways, and let the study know those that came."""
    from attn_study.deck.travelling import carry
    from attn_study.files import alone
    from attn_study.memory.sync.memo import carried_decks, remember_decks

    home = study.world.home
    before = carried_decks(study.log, place)
    # No other command may write to the decks meanwhile. The log is not held: the folder may be slow
    with alone(home.decks):
        carried = carry(home.decks, place / "decks", home.backups / "decks", before)
    if carried.known != before:
        remember_decks(study.log, place, carried.known)
    came = carried.received or carried.both or carried.aside
    for notice in study.refresh() if came else []:
        study.world.say(notice)
    return carried


def _remember(world: World, place: Path) -> None:
    from attn_study.settings import change

    before = world.settings.sync
    if before != str(place):
        change(world.home.settings, "sync", str(place))
        world.say("remembered: `attn-study sync` will do from now on")
    if before and before != str(place):
        world.say(f"{before} is synced with no more")


def _fields(place: Path, synced: Synced, carried: Carried | None) -> dict[str, object]:
    logs = [
        {
            "file": seen.file,
            "rows": seen.rows,
            "received": seen.received,
            "own": seen.file == synced.own,
        }
        for seen in synced.files
    ]
    decks = carried and {
        "sent": carried.sent,
        "received": carried.received,
        "both": carried.both,
        "aside": carried.aside,
        "gone": carried.gone,
        "odd": carried.odd,
    }
    return {
        "folder": str(place),
        "sent": synced.sent,
        "received": synced.received,
        "cards": len(synced.cards),
        "files": logs,
        "odd": [one._asdict() for one in synced.odd],
        "odd_untold": synced.untold,
        "decks": decks,
    }
