"""What passes between a foreign format and the rest of the program, as values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import date
    from pathlib import Path

    from attn_study.deck.card import Card
    from attn_study.deck.spelling import Value

UNDATED = 1_700_000_000  # seconds since 1970; for a deck that has no time of its own


@dataclass(frozen=True, slots=True)
class File:
    """A foreign file: its bytes as they stand on disk, and the path that complaints name."""

    path: Path
    data: bytes


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """What the learner said about a file; empty where the file is to speak for itself.

    `format` is one of `formats.FORMATS`. The separators are those of Quizlet, with escapes
    resolved.
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
    `rows` are log rows in the keys of `log --json`, which only our own format carries; the log has
    yet to judge them.
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
    log rows that count for the deck, `tool` the program's name and version. `time` is when the
    deck was last changed, in seconds since 1970: Anki takes a note it has only if that is newer.
    """

    format: str
    picture: Callable[[Card], str | None] = lambda card: None
    rows: tuple[Mapping[str, object], ...] = ()
    tool: str = "attn-study"
    time: int = UNDATED


@dataclass(frozen=True, slots=True)
class Exported:
    """A deck in another format; `losses` say in words what the format cannot carry."""

    data: bytes
    losses: tuple[str, ...] = ()
