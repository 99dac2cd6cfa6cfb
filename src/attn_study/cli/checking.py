"""What `attn-study deck check` finds."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from attn_study.cli.world import World
    from attn_study.deck.complaint import Complaint


def check_decks(world: World, paths: list[Path]) -> tuple[list[str], int]:
    """Read the files afresh, or every deck there is; return lines to show, and how many errors.

    Files are read beside the decks there are, so that a card may come after one of another deck.
    """
    from attn_study.cli.lesson_check import lesson_complaints
    from attn_study.deck.library import DeckFile, files
    from attn_study.deck.reader import read
    from attn_study.deck.shelf import complaints
    from attn_study.render.today import cards

    linked = [Path(path) for path in world.settings.linked]
    there = files(world.home.decks, linked)
    asked = [DeckFile(path, "linked", 0, 0) for path in paths]
    named = {path.resolve() for path in paths}
    others = [file for file in there if file.path.resolve() not in named]
    read_now = [(file, read(file.path)) for file in asked]
    names = {reading.deck.name.casefold() for _, reading in read_now if reading.deck}
    beside = [(file, read(file.path)) for file in others]
    readings = [
        (file, reading)
        for file, reading in beside
        if reading.deck is None or reading.deck.name.casefold() not in names
    ] + read_now
    decks = [reading.deck for file, reading in readings if not paths or file in asked]
    shown = [one for one in complaints(readings) if not paths or one.path.resolve() in named]
    shown += [one for deck in decks if deck for one in lesson_complaints(deck)]
    lines = [str(complaint) for complaint in shown]
    for file, reading in readings:
        if (not paths or file in asked) and reading.deck:
            number = len(reading.deck.cards)
            lines.append(f"{file.path}: {reading.deck.name}, {cards(number)}{_mark(file, shown)}")
    return lines, sum(not complaint.warning for complaint in shown)


def _mark(file: object, shown: list[Complaint]) -> str:
    path = getattr(file, "path", None)
    faults = sum(complaint.path == path for complaint in shown)
    return "" if faults else " ✓"
