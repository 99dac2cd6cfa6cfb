"""Bringing decks in and taking them away; what the log says of their cards always stays."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from attn_study.errors import UserError
from attn_study.memory.log import transaction
from attn_study.refresh import BUILT_IN, entries
from attn_study.settings import exclude, include

if TYPE_CHECKING:
    from attn_study.cli.study import Study
    from attn_study.cli.world import World
    from attn_study.deck.card import Deck
    from attn_study.deck.reader import Reading
    from attn_study.memory.catalogue import Source


@dataclass(frozen=True, slots=True)
class _Plan:
    """One file to be brought in: where it goes, and what changes."""

    path: Path
    reading: Reading
    deck: Deck
    target: Path
    new: int
    changed: int
    gone: int


def add_decks(study: Study, source: Path, *, link: bool, dry_run: bool, skip_bad: bool) -> str:
    """Bring in a deck file, or every one in a folder; all of them or none.

    Raises UserError naming every mistake, with nothing added, unless `skip_bad`.
    """
    from attn_study.deck.library import files
    from attn_study.deck.reader import read

    if not source.exists():
        hint = "a YAML file, a folder of them, or the name of a built-in deck put away"
        raise UserError("there is no such file", where=str(source), hint=hint)
    found = files(source, [], built_in=source)  # nothing but what lies below this folder
    paths = [source] if source.is_file() else [file.path for file in found]
    if not paths:
        raise UserError("no deck file in this folder", where=str(source), hint="*.yaml or *.yml")
    readings = [(path, read(path)) for path in paths]
    _refuse_faults(readings, skip_bad=skip_bad)
    plans = [_planned(study, path, reading, link) for path, reading in readings if reading.deck]
    _refuse_twins(plans)
    said = [_said(plan, dry_run=dry_run) for plan in plans]
    if not dry_run:
        _carry_out(study, source, plans, link=link)
    return "\n".join(said)


def _refuse_faults(readings: list[tuple[Path, Reading]], *, skip_bad: bool) -> None:
    complaints = [one for _, reading in readings for one in reading.complaints]
    errors = [one for one in complaints if not one.warning]
    sound = sum(len(reading.deck.cards) for _, reading in readings if reading.deck)
    if not errors or (skip_bad and sound):
        return
    bad = {(one.path, one.line) for one in errors}
    fine = f"{_are(sound)} fine, {_is_not(len(bad))}; nothing was added"
    where = readings[0][0] if len(readings) == 1 else "together"
    skip = f" (--skip-bad adds {sound})" if sound else ""
    raise UserError("\n".join([*map(str, errors), f"{where}: {fine}{skip}"]))


def _are(number: int) -> str:
    from attn_study.render.today import cards

    return f"{cards(number)} {'is' if number == 1 else 'are'}"


def _is_not(number: int) -> str:
    return "1 is not" if number == 1 else f"{number} are not"


def _refuse_twins(plans: list[_Plan]) -> None:
    """Refuse two files that give decks of one name: the one would overwrite the other."""
    seen: dict[str, Path] = {}
    for plan in plans:
        other = seen.setdefault(plan.deck.name.casefold(), plan.path)
        if other != plan.path:
            what = f"{other} and {plan.path} both hold a deck {plan.deck.name!r}"
            raise UserError(what, hint="give one of them another `deck:` name; nothing was added")


def _planned(study: Study, path: Path, reading: Reading, link: bool) -> _Plan:
    """Compare a file with the deck of its name that is there already."""
    deck = reading.deck
    assert deck is not None
    there = {source.deck: source for source in study.catalogue.decks()}.get(deck.name)
    before = study.catalogue.texts(deck.name)
    after = {entry.card: entry.text for entry in entries(deck)}
    return _Plan(
        path=path,
        reading=reading,
        deck=deck,
        target=path if link else _target(study, deck, there),
        new=len(after.keys() - before.keys()),
        changed=sum(_differs(before[card], after[card]) for card in after.keys() & before.keys()),
        gone=len(before.keys() - after.keys()),
    )


def _target(study: Study, deck: Deck, there: Source | None) -> Path:
    """Return the file to write: that of the learner's deck of this name, else a new one.

    Raises UserError when another file is in the way.
    """
    if there and there.origin == "linked":
        hint = "edit it there, or `deck remove` it first"
        raise UserError(f"the deck {deck.name!r} is linked", where=there.path, hint=hint)
    if there and there.origin == "own":
        return Path(there.path)
    alike = [s for s in study.catalogue.decks() if s.deck.casefold() == deck.name.casefold()]
    if alike and there is None:
        what = f"there is a deck {alike[0].deck!r} already"
        raise UserError(what, where=alike[0].path, hint="names must differ in more than case")
    target = study.world.home.decks / f"{deck.name}.yaml"
    if target.exists():
        what = f"this file is in the way of the deck {deck.name!r}"
        raise UserError(what, where=str(target), hint="move it, or mend it; nothing was added")
    return target


def _differs(before: str, after: str) -> bool:
    """Return whether a card reads differently; where it stands in the file does not count."""
    from dataclasses import replace

    from attn_study.deck.card import Card

    first, second = (replace(Card.from_json(text), line=0) for text in (before, after))
    return first != second


def _said(plan: _Plan, *, dry_run: bool) -> str:
    from attn_study.render.today import cards

    parts = [f"{plan.new} new", f"{plan.changed} changed", f"{plan.gone} gone"]
    what = "would add" if dry_run else "added"
    number = cards(len(plan.deck.cards))
    return f"{what} {plan.deck.name}: {number} ({', '.join(parts)})"


def _carry_out(study: Study, source: Path, plans: list[_Plan], *, link: bool) -> None:
    world = study.world
    if link:
        include(world.home.settings, "linked", str(source.resolve()))
        world.forget_settings()
    else:
        with transaction(study.log.conn):  # a card added meanwhile must not be overwritten
            kept = _write_all(world, plans)
        for aside in kept:
            world.say(f"the file before it is kept as {aside}")
    for notice in study.refresh():
        world.say(notice)


def _write_all(world: World, plans: list[_Plan]) -> list[Path]:
    """Write every file, or leave all as they were; return where the replaced ones are kept."""
    from attn_study import files

    kept: dict[Path, Path | None] = {}
    try:
        for path, target in ((plan.path, plan.target) for plan in plans):
            data, is_there = files.load_bytes(path), target.exists()
            if is_there and files.load_bytes(target) == data:
                continue
            kept[target] = _set_aside(world, target) if is_there else None
            files.write_bytes(target, data)
    except BaseException:
        for target, aside in kept.items():
            if aside:
                aside.replace(target.resolve())
            else:
                target.unlink(missing_ok=True)
        raise
    return [aside for aside in kept.values() if aside]


def _set_aside(world: World, path: Path) -> Path:
    """Copy a file that is about to go into the folder of removed decks; return the copy."""
    from shutil import copymode

    from attn_study.files import load_bytes, write_bytes

    aside = _free(world.home.root / "removed" / path.name)
    write_bytes(aside, load_bytes(path))
    copymode(path, aside)
    return aside


def bring_back(world: World, name: str) -> str:
    """Let a built-in deck that was put away be studied again."""
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
            aside = _set_aside(world, path)
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


def _free(path: Path) -> Path:
    number, free = 1, path
    while free.exists():
        number += 1
        free = path.with_stem(f"{path.stem}-{number}")
    return free


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
