"""What `attn-study doctor` finds around the database: decks, copies, settings, the catalogue."""

from __future__ import annotations

import sqlite3
from datetime import timedelta
from typing import TYPE_CHECKING

from attn_study import __version__
from attn_study.cli.decks.histories import EITHER_WAY
from attn_study.cli.opening import conflicted
from attn_study.cli.safety.saving import copies
from attn_study.errors import UserError
from attn_study.memory.health.examining import Examined, examine_copy, opened_as_it_is
from attn_study.memory.health.finding import Check, Finding, listed
from attn_study.memory.logged import KNOWN
from attn_study.memory.safety.backup import dailies
from attn_study.wording import counted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from attn_study.cli.study import Study
    from attn_study.cli.world import World

# Copies that nobody asked for and nobody thins out; so many are no burden yet
FROM_BEFORE = ("study-before-", "study-format-", "study-salvaged-")
FEW = 5
# A card with a history that no deck in use holds
ORPHANS = f"""
SELECT card FROM main.card_state WHERE ({KNOWN})
AND card NOT IN (SELECT card FROM cache.card) ORDER BY card
"""


def surroundings(world: World, examined: Examined) -> list[Check]:
    """Return the checks that need more than the database, as far as it can be opened."""
    settings = tuple(_settings(world))
    checks = [Check("the settings can be read", settings), _catalogue(world)]
    if examined.is_open and not settings:
        checks.append(Check("every card with a history is in a deck", tuple(_orphans(world))))
    checks.append(Check("no copy was put aside by a file sync", tuple(_aside(world))))
    checks.append(Check("the newest backup is sound", tuple(_backups(world, examined))))
    checks.append(Check("the trained model is whole", tuple(_model())))
    return checks


def _model() -> Iterator[Finding]:
    from attn_study.attention.model.stored import TRAINED, load

    try:
        load(TRAINED)
    except UserError as error:
        yield Finding("model", error.what, error.where, error.hint)


def _settings(world: World) -> Iterator[Finding]:
    try:
        _ = world.settings
    except UserError as error:
        yield Finding("settings", f"settings: {error.what}", error.where, error.hint)


def _catalogue(world: World) -> Check:
    """Look at the catalogue's file; a damaged one is only thrown away."""
    cache = world.home.cache
    found: tuple[Finding, ...] = ()
    if cache.exists():
        try:
            with opened_as_it_is(cache) as conn:
                said = conn.execute("PRAGMA quick_check(1)").fetchone()[0]
        except (sqlite3.Error, OSError) as error:
            said = "ok" if "locked" in str(error) else str(error)
        if said != "ok":
            remedy = "`--fix` throws it away: it is made anew from the decks"
            what = f"the catalogue is damaged: {said}"
            found = (Finding("catalogue", what, str(cache), remedy, mend="catalogue"),)
    return Check("the catalogue is sound", found)


def _orphans(world: World) -> Iterator[Finding]:
    """Yield the cards that count for no deck, and what the decks say of how to keep them."""
    was_quiet, world.quiet = world.quiet, True
    try:
        with world.open() as study:
            cards = [row[0] for row in study.log.conn.execute(ORPHANS)]
            if not cards:
                return
            what = counted(len(cards), "card(|s) with a history (is|are) in no deck now")
            remedy = "\n".join([*_ways_on(study), EITHER_WAY])
            yield Finding("orphan", what, listed(cards, len(cards)), remedy, is_fault=False)
    except UserError as error:
        yield Finding("orphan", error.what, error.where, error.hint)
    finally:
        world.quiet = was_quiet


def _ways_on(study: Study) -> Iterator[str]:
    """Yield what `deck check` would have written, for every deck of the learner's own."""
    from attn_study.cli.decks.checking import look
    from attn_study.cli.decks.histories import ways_on

    found = look(study.world, [])
    for file, reading in found.asked:
        if reading.deck and file.origin != "built-in":
            yield from ways_on(study, reading.deck, found.decks)


def _aside(world: World) -> Iterator[Finding]:
    from attn_study.memory.safety.restoring import left_out

    for path in conflicted(world.home):
        beyond = left_out(path, world.home.study)
        if beyond == 0:
            says, remedy = "all its rows are in your study", "it can be deleted"
        elif beyond is None:
            says, remedy = "it cannot be compared", "look at it before you delete it"
        else:
            says = counted(beyond, "row(|s) of it (is|are) not in your study")
            remedy = "nothing merges it by itself; keep it, and sync with `attn-study sync FOLDER`"
        what = f"a file sync put a copy of the study aside; {says}"
        yield Finding("conflict", what, str(path), remedy, is_fault=False)


def _backups(world: World, examined: Examined) -> Iterator[Finding]:
    """Look at the newest of those made by themselves; all others are counted."""
    home = world.home
    made = dailies(home.backups)
    if home.backups.exists() and not home.backups.is_dir():
        what, remedy = "this is no folder, so no backup can be made", "move it away"
        yield Finding("backups", what, str(home.backups), remedy)
    elif made:
        today = world.clock().date() + timedelta(days=1)  # further ahead a clock was wrong
        newest = max(made, key=lambda name: (made[name] <= today, made[name], name))
        if found := examine_copy(home.backups / newest, __version__):
            yield found
    elif examined.rows:
        remedy = "one is made by itself when you next study; `attn-study backup FILE` makes one now"
        what = "there is no backup yet that was made by itself"
        yield Finding("no-backup", what, remedy=remedy, is_fault=False)
    kept = [path for path in copies(home) if path.name.startswith(FROM_BEFORE)]
    if len(kept) > FEW:
        size = sum(path.stat().st_size for path in kept) / 1e6  # MB
        what = (
            f"{len(kept)} copies from before a restore, a fix or an upgrade, or from a salvage, "
            f"take {size:,.1f} MB, and are never thinned out"
        )
        remedy = "delete those that you need no more; `attn-study backup` says what each holds"
        where = listed(sorted(str(path) for path in kept), len(kept))
        yield Finding("copies", what, where, remedy, is_fault=False)
