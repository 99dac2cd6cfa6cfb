"""Which deck files there are, and whether one has changed. Nothing here reads YAML."""

from __future__ import annotations

import os
import unicodedata
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from attn_study.errors import UserError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

Origin = Literal["built-in", "own", "linked"]

SUFFIXES = (".yaml", ".yml")
UNFINISHED = (".", "~", "#")  # how names of hidden files, locks and rescued edits begin


@dataclass(frozen=True, slots=True)
class DeckFile:
    """One deck file on disk: where it comes from, its size in bytes, its change in ns."""

    path: Path
    origin: Origin
    size: int
    mtime_ns: int


def decks_dir() -> Path:
    """Return the folder of the built-in decks: inside the package, else in the checkout."""
    inside = Path(__file__).resolve().parents[1] / "decks"
    return inside if inside.is_dir() else Path(__file__).resolve().parents[3] / "decks"


def files(own: Path, linked: Sequence[Path], built_in: Path | None = None) -> list[DeckFile]:
    """Return every deck file once: built-in ones, then own ones, then linked ones.

    Within a folder they stand in the order of their names, subfolders included. `linked` are
    files or folders; what does not exist is left out. `built_in` is `decks_dir()` by default.
    """
    found: dict[str, DeckFile] = {}
    places: list[tuple[Origin, Path]] = [("built-in", built_in or decks_dir()), ("own", own)]
    places += [("linked", path) for path in linked]
    for origin, place in places:
        for path in [place] if _is(Path.is_file, place) else _in_order(place):
            try:
                facts = path.stat()
            except OSError:
                continue
            file = DeckFile(path, origin, facts.st_size, facts.st_mtime_ns)
            found.setdefault(os.path.realpath(path), file)
    return list(found.values())


def digest(path: Path) -> str:
    """Return the SHA-256 of the file in hexadecimal; raises UserError if it cannot be read."""
    import hashlib

    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise UserError(f"cannot be read: {error.strerror}", where=str(path)) from error


def _in_order(folder: Path) -> list[Path]:
    """The deck files below a folder; the order is the same on every system.

    Names are compared without their suffix, so that a longer name follows the one it begins with.
    """

    def order(path: Path) -> tuple[str, str]:
        name = unicodedata.normalize("NFC", path.relative_to(folder).as_posix())
        return name.removesuffix(path.suffix).casefold(), name

    return sorted(_below(folder), key=order)


def _below(folder: Path) -> Iterator[Path]:
    """Deck files in a folder and its subfolders; each real folder is entered once."""
    waiting, entered = [folder], set[str]()
    while waiting:
        here = waiting.pop()
        real = os.path.realpath(here)
        if real in entered:
            continue
        entered.add(real)
        try:
            entries = sorted(here.iterdir())
        except OSError:
            continue
        for entry in entries:
            if entry.name.startswith(UNFINISHED):
                continue
            if _is(Path.is_dir, entry):
                waiting.append(entry)
            elif entry.suffix.lower() in SUFFIXES and _is(Path.is_file, entry):
                yield entry


def _is(kind: Callable[[Path], bool], path: Path) -> bool:
    """Return whether a path is of a kind; one that may not be looked at is of none."""
    try:
        return kind(path)
    except OSError:
        return False
