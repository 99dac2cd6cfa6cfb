"""What `attn-study config` shows and changes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attn_study.errors import UserError, near
from attn_study.memory.event import Draft
from attn_study.memory.sm2 import INTERVAL_CAP
from attn_study.settings import LONGEST, change, parse

if TYPE_CHECKING:
    from attn_study.cli.world import World

CAP = "interval_cap"  # days; a rule in the log, because it changes what the answers mean


def facts(world: World) -> dict[str, object]:
    """Return every setting and every path."""
    settings, home = world.settings, world.home
    with world.open() as study:
        cap = study.log.cap()
    return {
        "new": settings.new,
        "reviews": settings.reviews,
        "rollover": settings.rollover,
        "math": settings.math,
        CAP: cap,
        **{
            f"{key}.{deck}": n
            for deck, limits in settings.deck.items()
            for key, n in limits.items()
        },
        "linked": list(settings.linked),
        "hidden": list(settings.hidden),
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
    if key == CAP:
        return _change_cap(world, value)
    chosen = parse(key, value)
    if "." in key:
        with world.open() as study:
            study.deck(key.partition(".")[2])
    change(world.home.settings, key, chosen)
    return f"{key} = {chosen}"


def _change_cap(world: World, value: str) -> str:
    is_number = value.isascii() and value.isdigit() and len(value) <= LONGEST
    if not is_number or not 1 <= int(value) <= INTERVAL_CAP:
        hint = f"{CAP} takes a whole number of days from 1 to {INTERVAL_CAP}"
        raise UserError(f"{value!r} is no value of {CAP}", hint=hint)
    with world.open(write=True) as study:
        study.log.write([Draft("", "rule", data={CAP: int(value)})], study.moment())
    return f"{CAP} = {int(value)}, for all answers so far too; `attn-study undo` takes it back"
