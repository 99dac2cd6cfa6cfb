"""What `attn-study config` shows and changes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attn_study.cli.ruling import change_rule, is_rule, rule_facts
from attn_study.errors import UserError, near
from attn_study.settings import change, parse

if TYPE_CHECKING:
    from attn_study.cli.world import World


def facts(world: World) -> dict[str, object]:
    """Return every setting and every path."""
    settings, home = world.settings, world.home
    with world.open() as study:
        rules = study.log.rules()
    return {
        "new": settings.new,
        "reviews": settings.reviews,
        "rollover": settings.rollover,
        "math": settings.math,
        **rule_facts(rules),
        **{
            f"{key}.{deck}": n
            for deck, limits in settings.deck.items()
            for key, n in limits.items()
        },
        "linked": list(settings.linked),
        "hidden": list(settings.hidden),
        "sync": settings.sync,
        "home": str(home.root),
        "study": str(home.study),
        "cache": str(home.cache),
        "decks": str(home.decks),
        "backups": str(home.backups),
        "settings": str(home.settings),
    }


def one_fact(known: dict[str, object], key: str) -> str:
    """Return one value as text; raises UserError with near names."""
    if key not in known:
        raise UserError(f"no setting is called {key!r}", hint=near(key, known))
    value = known[key]
    return "\n".join(value) if isinstance(value, list) else str(value)


def change_setting(world: World, key: str, value: str) -> str:
    """Write one setting; return what it is now. Raises UserError for what cannot be."""
    if is_rule(key):
        return change_rule(world, key, value)
    if key == "sync" and value:
        value = _folder(world, value)
    chosen = parse(key, value)
    if "." in key:
        with world.open() as study:
            study.deck(key.partition(".")[2])
    change(world.home.settings, key, chosen)
    return f"{key} = {chosen}" if chosen != "" else f"{key} is forgotten"


def _folder(world: World, folder: str) -> str:
    """Return a folder to sync with, whole; raises UserError for one that cannot be."""
    from attn_study.cli.sync import absolute
    from attn_study.memory.sync.folder import check

    place = absolute(folder)
    check(place, world.home.root)
    return str(place)
