"""Taking decks away and listing them; what the log says of their cards always stays."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from attn_study.cli.decks.planning import set_aside
from attn_study.memory.database import transaction
from attn_study.refresh import BUILT_IN
from attn_study.settings import exclude, include

if TYPE_CHECKING:
    from attn_study.cli.study import Study
    from attn_study.cli.world import World
    from attn_study.memory.catalogue import Source


def bring_back(world: World, name: str, *, dry_run: bool) -> str:
    """Let a built-in deck that was put away be studied again."""
    if dry_run:
        return f"would bring {name} back, with all you learned"
    exclude(world.home.settings, "hidden", name)
    return f"{name} is back, with all you learned"


def remove_deck(study: Study, source: Source) -> str:
    """Take a deck away: a built-in one is put away, an own file moved aside, a link forgotten."""
    world = study.world
    stays = "what you learned of it stays in the log"
    if source.origin == BUILT_IN:
        return _put_away(study, source, stays)
    path = Path(source.path)
    if source.origin == "linked":
        if source.path not in world.settings.linked:
            return _put_away(study, source, stays)
        exclude(world.home.settings, "linked", source.path)
        said = f"the link to {path} is gone, the file is untouched; {stays}"
    else:
        with transaction(study.log.conn):  # a card added meanwhile must not be lost
            aside = set_aside(world, path)
            path.unlink()
        said = f"{source.deck} is removed; {stays}; `attn-study deck add {aside}` brings it back"
    world.forget_settings()
    study.refresh()
    return said + _instead(study, source.deck)


def _instead(study: Study, deck: str) -> str:
    """Return words on the file that still gives a deck of this name, if there is one."""
    found = next((source for source in study.catalogue.decks() if source.deck == deck), None)
    if found is None:
        return ""
    if found.origin == BUILT_IN:
        return "; the built-in deck of that name stands again"
    links = (link for link in study.world.settings.linked if Path(found.path).is_relative_to(link))
    folder = next(links, "") if found.origin == "linked" else ""
    again = f"`attn-study deck remove {deck}` takes that away too"
    if folder and folder != found.path:
        return f"; the deck still comes through the linked folder {folder}: {again}"
    return f"; {found.path} takes its place: {again}"


def _put_away(study: Study, source: Source, stays: str) -> str:
    """Hide a deck whose file is not the learner's to move."""
    include(study.world.home.settings, "hidden", source.deck)
    back = f"`attn-study deck add {source.deck}` brings it back"
    return f"{source.deck} is put away; {stays}; {back}"


def deck_fields(study: Study) -> list[dict[str, object]]:
    """Return what is known of each deck file, decks that another one replaces included."""
    from attn_study.memory.overview import overview

    sources = study.catalogue.sources()  # read once: another process may change the catalogue
    active = [source.deck for source in sources if source.active]
    _, counts = overview(study.log, study.moment().day, study.limits(), active)
    new = study.catalogue.new_cards()
    return [
        {
            "deck": source.deck,
            "title": source.title,
            "cards": source.cards,
            "origin": source.origin,
            "active": source.active,
            "due": counts[source.deck].due if source.active else 0,
            "new": new.get(source.deck, 0) if source.active else 0,
            "path": source.path,
            "mistakes": len(source.complaints),
        }
        for source in sources
    ]
