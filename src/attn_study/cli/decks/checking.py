"""What `attn-study deck check` finds."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from attn_study.cli.decks.sizes import makers, size
from attn_study.errors import UserError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from attn_study.cli.study import Study
    from attn_study.cli.world import World
    from attn_study.deck.card import Deck
    from attn_study.deck.complaint import Complaint
    from attn_study.deck.library import DeckFile
    from attn_study.deck.reader import Reading

    Read = tuple[DeckFile, Reading]


@dataclass(frozen=True, slots=True)
class Found:
    """Files read afresh: those asked about, beside all others that there are.

    `complaints` are about the files asked about. Of two decks with one name in `others` and
    `asked`, the one asked about is meant; `shipped` are the built-in ones as they come.
    """

    asked: tuple[Read, ...]
    others: tuple[Read, ...]
    shipped: tuple[Deck, ...]
    complaints: tuple[Complaint, ...]

    @property
    def decks(self) -> list[Deck]:
        """Every deck, those asked about first."""
        return [reading.deck for _, reading in (*self.asked, *self.others) if reading.deck]

    @property
    def errors(self) -> list[Complaint]:
        """What keeps a card or a file out."""
        return [one for one in self.complaints if not one.warning]

    def reread(self, texts: Mapping[Path, bytes]) -> Found:
        """Return what is found when some of the files asked about hold other texts."""
        from attn_study.deck.reader import parse

        asked = [
            (file, parse(texts[file.path], file.path) if file.path in texts else reading)
            for file, reading in self.asked
        ]
        return replace(self, asked=tuple(asked), complaints=_complaints(asked, self.others))


def look(world: World, paths: list[Path]) -> Found:
    """Read the files afresh, or every deck there is, beside the decks there are.

    A card may come after one of another deck, and a deck may stand in the place of another.
    """
    from attn_study.deck.reader import read

    there = deck_files(world)
    named = {path.resolve() for path in paths}
    beside = [(file, read(file.path)) for file in there if file.path.resolve() not in named]
    asked = _asked(there, paths) if paths else beside
    others = unnamed(beside, asked) if paths else []
    return Found(tuple(asked), tuple(others), _shipped(beside), _complaints(asked, others))


def deck_files(world: World) -> list[DeckFile]:
    """Return every deck file there is."""
    from attn_study.deck.library import files

    return files(world.home.decks, [Path(path) for path in world.settings.linked])


def _asked(there: list[DeckFile], paths: list[Path]) -> list[Read]:
    """The files at these paths, as what they are to the study where it has them."""
    from attn_study.deck.library import DeckFile
    from attn_study.deck.reader import read

    origins = {file.path.resolve(): file.origin for file in there}
    given = [DeckFile(path, origins.get(path.resolve(), "linked"), 0, 0) for path in paths]
    return [(file, read(file.path)) for file in given]


def unnamed(beside: Sequence[Read], asked: Sequence[Read]) -> list[Read]:
    """Return files but for those whose deck has the name of one that is asked about."""
    names = {reading.deck.name.casefold() for _, reading in asked if reading.deck}
    return [
        (file, reading)
        for file, reading in beside
        if reading.deck is None or reading.deck.name.casefold() not in names
    ]


def _shipped(beside: list[Read]) -> tuple[Deck, ...]:
    return tuple(
        reading.deck for file, reading in beside if file.origin == "built-in" and reading.deck
    )


def _complaints(asked: Sequence[Read], others: Sequence[Read]) -> tuple[Complaint, ...]:
    """What is wrong in the files asked about, and what their lessons and questions say."""
    from attn_study.cli.decks.lessons import lesson_complaints
    from attn_study.deck.shelf import complaints

    about = {file.path for file, _ in asked}
    found = [one for one in complaints([*others, *asked]) if one.path in about]
    for _, reading in asked:
        if reading.deck:
            found += lesson_complaints(reading.deck)
    return tuple(found)


def files_of(world: World, named: list[str]) -> list[Path]:
    """Return the files that are named, by their path or by the name of their deck."""
    paths = [Path(name) for name in named]
    if all(path.exists() for path in paths):
        return paths
    from attn_study.deck.reader import read

    decks = {deck.name: deck.path for file in deck_files(world) if (deck := read(file.path).deck)}
    return [
        path if path.exists() else decks.get(name, path)
        for path, name in zip(paths, named, strict=True)
    ]


def check_decks(
    world: World, paths: list[Path], study: Study | None = None
) -> tuple[list[str], int]:
    """Read the files afresh, or every deck there is; return lines to show, and how many errors."""
    found = look(world, paths)
    lines = [str(complaint) for complaint in found.complaints]
    faulty = {complaint.path for complaint in found.complaints}
    with ExitStack() as stack:
        opened = study or _opened(world, stack)
        for file, reading in found.asked:
            if reading.deck:
                mark = "" if file.path in faulty else " ✓"
                held = f"{size(reading.deck)}{makers(reading.deck)}"
                lines.append(f"{file.path}: {reading.deck.name}, {held}{mark}")
                lines += [f"  {note}" for note in _notes(opened, found, file, reading.deck)]
    return lines, len(found.errors)


def _opened(world: World, stack: ExitStack) -> Study | None:
    """The study until the stack ends; None, said, where it cannot be opened.

    What it says of the decks by itself is no news here.
    """
    if not world.home.study.exists():
        return None
    was_quiet, world.quiet = world.quiet, True
    try:
        return stack.enter_context(world.open())
    except UserError as error:
        why = error
    finally:
        world.quiet = was_quiet
    world.say(f"what was learned of these decks cannot be looked at: {why}")
    return None


def _notes(study: Study | None, found: Found, file: DeckFile, deck: Deck) -> list[str]:
    """What is worth knowing of a sound deck of the learner's own."""
    from attn_study.cli.decks.copies import copy_notes
    from attn_study.cli.decks.histories import history_notes

    is_wrong = any(one.path == file.path for one in found.errors)
    if file.origin == "built-in" or is_wrong:  # a card with a mistake is not gone
        return []
    stands_for = [one for one in found.shipped if one.name == deck.name]
    notes = [line for shipped in stands_for for line in copy_notes(deck, shipped)]
    return [*notes, *(history_notes(study, deck, found.decks) if study else [])]
