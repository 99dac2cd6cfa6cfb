"""Foreign formats, one module each; a module is loaded when its format is met.

A module that reads has `read(file, options)`, which returns what the file holds as `Imported`
decks. It raises UserError, whose `where` names file and line, for what cannot be read at all or
only by guessing; one note that cannot be read is `Skipped` and hides no other.

A module that writes has `write(deck, options)`, which returns the deck in its format as `Exported`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple, Protocol, cast

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import date
    from pathlib import Path

    from attn_study.deck.card import Card, Deck
    from attn_study.deck.spelling import Value


class Format(NamedTuple):
    """One format: its module, the suffixes that mean it, and which ways it goes."""

    module: str
    suffixes: tuple[str, ...] = ()
    reads: bool = True
    writes: bool = True


# The order is that in which help names them
FORMATS = {
    "json": Format("complete", (".json",)),
    "csv": Format("separated", (".csv",)),
    "tsv": Format("separated", (".tsv", ".tab")),
    "quizlet": Format("separated", writes=False),
    "anki-text": Format("anki_text", (".txt",)),
    "markdown": Format("markdown", (".md", ".markdown")),
    "apkg": Format("apkg", (".apkg",)),
}


@dataclass(frozen=True, slots=True)
class File:
    """A foreign file: its bytes as they stand on disk, and the path that complaints name."""

    path: Path
    data: bytes


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """What the learner said about a file; empty where the file is to speak for itself.

    `format` is one of `FORMATS`. The separators are those of Quizlet, with escapes resolved.
    """

    format: str = ""
    encoding: str = ""
    field_separator: str = ""
    row_separator: str = ""
    schedule: bool = False


@dataclass(frozen=True, slots=True)
class Note:
    r"""One note in the words of a deck file: the keys that `spelling.spelled` gives, in any order.

    Texts are as a deck holds them: mathematics between `\( … \)` or `\[ … \]`, lines ended by
    `\n`. An `id` is there only where the source has one that stays the same when the text is
    edited; an empty one says that the note is known by what it asks. `line` is where the note
    begins in the source, from 1; 0 where lines mean nothing.
    `source` names the note in the source for `History`, for example by Anki's number of it.
    """

    fields: Mapping[str, Value]
    section: str = ""
    line: int = 0
    source: str = ""


@dataclass(frozen=True, slots=True)
class Skipped:
    """What was left out and why. `line` from 1; 0 where lines mean nothing."""

    what: str
    line: int = 0


@dataclass(frozen=True, slots=True)
class State:
    """What another scheduler knows of a card. `ease` in hundredths, `interval` in days.

    `due` is None for a card that was never shown. `note` and `part` name the card: `part` is what
    follows the note's id, as `:reverse` or `:c2`, empty for none.
    """

    note: str
    part: str
    ease: int
    interval: int
    repetitions: int
    lapses: int
    due: date | None
    suspended: bool = False


@dataclass(frozen=True, slots=True)
class Answered:
    """One answer given elsewhere. `at` in milliseconds since 1970 in UTC, `grade` from 0 to 5.

    `key` is unique within the source and the same in every export of it.
    """

    note: str
    part: str
    key: str
    at: int
    grade: int
    seconds: float


@dataclass(frozen=True, slots=True)
class History:
    """What was learned elsewhere, for notes named by their `source`."""

    states: tuple[State, ...] = ()
    answers: tuple[Answered, ...] = ()


@dataclass(frozen=True, slots=True)
class Imported:
    """One deck of a foreign file.

    `name` is the file's word for the deck, in any characters; `remarks` say in words how the file
    was read and what was left out as a whole, such as `comma-separated, 2 columns, no header`.
    `rows` are log rows as `log --json` shows them, which only our own format carries.
    """

    name: str
    notes: tuple[Note, ...]
    title: str = ""
    source: str = ""
    language: str = ""
    formerly: tuple[str, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    remarks: tuple[str, ...] = ()
    history: History | None = None
    rows: tuple[Mapping[str, object], ...] = ()


@dataclass(frozen=True, slots=True)
class WriteOptions:
    """What a format may want beside the deck.

    `picture` draws the demo of a card as an SVG, or gives None where it has none. `rows` are the
    log rows that count for the deck, `tool` the program's name and version.
    """

    format: str
    picture: Callable[[Card], str | None] = lambda card: None
    rows: tuple[Mapping[str, object], ...] = ()
    tool: str = "attn-study"


@dataclass(frozen=True, slots=True)
class Exported:
    """A deck in another format; `losses` say in words what the format cannot carry."""

    data: bytes
    losses: tuple[str, ...] = field(default=())


class Reader(Protocol):
    """A module that reads."""

    def read(self, file: File, options: ReadOptions) -> tuple[Imported, ...]:
        """Return the decks that a file holds."""


class Writer(Protocol):
    """A module that writes."""

    def write(self, deck: Deck, options: WriteOptions) -> Exported:
        """Return the deck in another format."""


def reader(name: str) -> Reader:
    """Return the module that reads the format called `name`."""
    return cast("Reader", import_module(f"{__name__}.{FORMATS[name].module}"))


def writer(name: str) -> Writer:
    """Return the module that writes the format called `name`."""
    return cast("Writer", import_module(f"{__name__}.{FORMATS[name].module}"))
