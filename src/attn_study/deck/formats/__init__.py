"""Foreign formats, one module each; a module is loaded when its format is met.

A module that reads has `read(file, options)`, which returns what the file holds as `Imported`
decks. It raises UserError, whose `where` names file and line, for what cannot be read at all or
only by guessing; one note that cannot be read is `Skipped` and hides no other.

A module that writes has `write(deck, options)`, which returns the deck in its format as `Exported`.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple, Protocol, cast

from attn_study.deck.formats.exchange import (
    Answered,
    Exported,
    File,
    History,
    Imported,
    Note,
    ReadOptions,
    Skipped,
    State,
    WriteOptions,
)

if TYPE_CHECKING:
    from attn_study.deck.card import Deck

__all__ = [
    "FORMATS",
    "Answered",
    "Exported",
    "File",
    "History",
    "Imported",
    "Note",
    "ReadOptions",
    "Skipped",
    "State",
    "WriteOptions",
    "reader",
    "writer",
]


class Format(NamedTuple):
    """One format: its module, the suffixes that mean it, and which ways it goes."""

    module: str
    suffixes: tuple[str, ...] = ()
    reads: bool = True
    writes: bool = True


# The order is that in which help names them
FORMATS = {
    "json": Format("own_json.document", (".json",)),
    "csv": Format("table.separated", (".csv",)),
    "tsv": Format("table.separated", (".tsv", ".tab")),
    "quizlet": Format("table.separated", writes=False),
    "anki-text": Format("anki.text", (".txt",)),
    "markdown": Format("markdown.reading", (".md", ".markdown")),
    "apkg": Format("anki.package", (".apkg",)),
}


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
