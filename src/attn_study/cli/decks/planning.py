"""Decks that are brought in: planned first, then written all of them or none."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from attn_study.errors import UserError
from attn_study.settings import include
from attn_study.wording import counted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from attn_study.cli.study import Study
    from attn_study.cli.world import World
    from attn_study.deck.card import Deck
    from attn_study.memory.catalogue import Source


TEXT = ("csv", "tsv", "quizlet", "anki-text", "markdown")
FITTING = {
    "--link": ("yaml",),
    "--name": (*TEXT, "apkg", "json"),
    "--encoding": TEXT,
    "--field-sep": ("csv", "tsv", "quizlet", "anki-text"),
    "--row-sep": ("quizlet",),
    "--schedule": ("apkg",),
}


@dataclass(frozen=True, slots=True)
class Wishes:
    """What the learner said about how files are to be read and what is to come of them."""

    link: bool = False
    dry_run: bool = False
    skip_bad: bool = False
    name: str = ""
    format: str = ""
    encoding: str = ""
    field_separator: str = ""
    row_separator: str = ""
    schedule: bool = False

    @property
    def is_foreign(self) -> bool:
        """Whether something was said that only a foreign format has."""
        return bool(self.format or self.field_separator or self.row_separator)

    def refuse_misfits(self, format: str, path: Path) -> None:
        """Refuse what was said of a file whose format has no such thing."""
        said = {
            "--link": self.link,
            "--name": self.name,
            "--encoding": self.encoding,
            "--field-sep": self.field_separator,
            "--row-sep": self.row_separator,
            "--schedule": self.schedule,
        }
        for option, formats in FITTING.items():
            if said[option] and format not in formats:
                hint = f"leave {option} out; it is for {', '.join(formats)}"
                raise UserError(f"{option} means nothing for {format}", where=str(path), hint=hint)


@dataclass(frozen=True, slots=True)
class Plan:
    """One deck to be brought in from `path`: the bytes its file will hold.

    `data` is None where no file is written, because it stays where it is or says the same already.
    `before` is what the target held when this was planned, None for no file. `is_sound` says that
    the file holds no mistake.
    """

    path: Path
    deck: Deck
    target: Path
    data: bytes | None
    before: bytes | None
    is_sound: bool = True


def refuse_twins(plans: list[Plan]) -> None:
    """Refuse two files that give decks of one name: the one would overwrite the other."""
    seen: dict[str, Plan] = {}
    for plan in plans:
        other = seen.setdefault(plan.deck.name.casefold(), plan)
        if other is not plan and other.path == plan.path:
            what = f"two decks of it would both be called {plan.deck.name!r}"
            raise UserError(what, where=str(plan.path), hint="rename one of them where it is from")
        if other is not plan:
            what = f"{other.path} and {plan.path} both hold a deck {plan.deck.name!r}"
            raise UserError(what, hint="give one of them another name; nothing was added")


def target_of(study: Study, name: str, there: Source | None) -> Path:
    """Return the file to write: that of the learner's deck of this name, else a new one.

    Raises UserError when another file is in the way.
    """
    if there and there.origin == "linked":
        hint = "edit it there, or `deck remove` it first"
        raise UserError(f"the deck {name!r} is linked", where=there.path, hint=hint)
    if there and there.origin == "own":
        return Path(there.path)
    alike = [s for s in study.catalogue.decks() if s.deck.casefold() == name.casefold()]
    if alike and there is None:
        what = f"there is a deck {alike[0].deck!r} already"
        raise UserError(what, where=alike[0].path, hint="names must differ in more than case")
    target = study.world.home.decks / f"{name}.yaml"
    if target.exists():
        raise _in_the_way(target, name)
    return target


def _in_the_way(target: Path, name: str) -> UserError:
    """Return why a file is not written over: a sound one came after the decks were looked at."""
    from attn_study.deck.reader import read

    deck = read(target).deck
    if deck and deck.name == name:
        what = f"the deck {name!r} was added by another attn-study at this very moment"
        return UserError(what, where=str(target), hint="try again; nothing was added here")
    what = f"this file is in the way of the deck {name!r}"
    return UserError(what, where=str(target), hint="move it, or mend it; nothing was added")


def content(path: Path) -> bytes | None:
    """Return what stands in a file, None where there is none."""
    from attn_study.files import load_bytes

    return load_bytes(path) if path.exists() else None


def refusal(sound: int, bad: int, *, skippable: bool = True) -> str:
    """Return that nothing was added because of some cards, and how the others may come in."""
    fine = f"{counted(sound, 'card(|s) (is|are)')} fine"
    faulty = f"{bad:,} {'is' if bad == 1 else 'are'} not"
    skip = f" (--skip-bad adds {sound:,})" if sound and skippable else ""
    return f"{fine}, {faulty}; nothing was added{skip}"


def link_to(study: Study, source: Path) -> None:
    """Let a file or folder be studied where it is."""
    world = study.world
    include(world.home.settings, "linked", str(source.resolve()))
    world.forget_settings()
    _take_in(study, {})


def carry_out(study: Study, plans: list[Plan], learn: Callable[[], list[str]]) -> list[str]:
    """Write every planned file and what `learn` adds to the log, or leave all as it was.

    Returns what `learn` says.
    """
    from attn_study.files import alone

    with (
        alone(study.world.home.decks),  # nobody adds a card meanwhile
        study.log.writing(),
        _written(study.world, plans) as kept,
    ):
        said = learn()
    for aside in kept:
        study.world.say(f"the file before it is kept as {aside}")
    sound = [plan for plan in plans if plan.is_sound]
    _take_in(study, {sha256(one.data).hexdigest(): one.deck for one in sound if one.data})
    return said


def _take_in(study: Study, ready: Mapping[str, Deck]) -> None:
    for notice in study.refresh(ready):
        study.world.say(notice)


@contextmanager
def _written(world: World, plans: list[Plan]) -> Iterator[list[Path]]:
    """Write every file and give where the replaced ones are kept; an error undoes it all."""
    from attn_study import files

    kept: dict[Path, Path | None] = {}
    try:
        for plan in plans:
            target, data = plan.target, plan.data
            if data is None or plan.before == data:
                continue
            if content(target) != plan.before:
                what = "this deck was changed at this very moment"
                raise UserError(what, where=str(target), hint="nothing was added; try again")
            kept[target] = None if plan.before is None else set_aside(world, target)
            files.write_bytes(target, data)
        yield [aside for aside in kept.values() if aside]
    except BaseException:
        for target, aside in kept.items():
            if aside:
                aside.replace(target.resolve())
            else:
                target.unlink(missing_ok=True)
        raise


def set_aside(world: World, path: Path) -> Path:
    """Copy a file that is about to go into the folder of removed decks; return the copy."""
    from shutil import copymode

    from attn_study.files import free, load_bytes, write_bytes

    aside = free(world.home.root / "removed" / path.name)
    write_bytes(aside, load_bytes(path))
    copymode(path, aside)
    return aside
