"""The three standard streams, made safe: closed ones, readers that leave, harmless errors."""

from __future__ import annotations

import io
import os
import re
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TextIO

from attn_study.errors import UserError

if TYPE_CHECKING:
    from collections.abc import Iterator


QUOTED = r" *\d+ \| "  # a line of a file beside its number
CARET = r"( +\|\s*\^) ?(.*)"  # the caret under a place in it, and a hint


class ReaderLeftError(Exception):
    """Nobody reads what is printed any more: end quietly."""


class HarmlessErrors(io.TextIOBase):
    """Standard error through the door for foreign text: a typed word may hold anything."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        """Write `text` with nothing in it that hides or commands."""
        self._stream.write(harmless(text, self.encoding))
        return len(text)

    def overwrite(self, words: str) -> None:
        """Put harmless words in the place of the terminal's last line, which they must fit."""
        self._stream.write("\r\x1b[K")
        self.write(words)
        self.flush()

    def flush(self) -> None:
        """Hand on what was written."""
        self._stream.flush()

    def isatty(self) -> bool:
        """Return whether a person reads this."""
        return self._stream.isatty()

    def fileno(self) -> int:
        """Return the number of the stream underneath."""
        return self._stream.fileno()

    @property
    def encoding(self) -> str:  # type: ignore[override]
        """What characters it can carry."""
        return getattr(self._stream, "encoding", None) or "utf-8"


def prepare() -> None:
    """Put streams in the place of closed ones, and let no byte or word on them do harm."""
    streams: Any = sys
    streams.stdin = sys.stdin or io.StringIO("")
    streams.stdout = sys.stdout or io.StringIO()
    streams.stderr = HarmlessErrors(sys.stderr or io.StringIO())
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")


def harmless(words: str, encoding: str, *, ascii: bool = False) -> str:
    """Return words with nothing in them that hides or commands, in characters of an encoding.

    What ASCII has needs no table: most starts load none.
    """
    from attn_study.render.safe import safe

    text = safe(words)
    if text.isascii():
        return text
    from attn_study.render.ascii import encodable, to_ascii

    return encodable(to_ascii(text) if ascii else text, encoding)


def broken(words: str, stream: TextIO) -> str:
    """Return words with their long lines broken between words, where a terminal shows them.

    A word longer than a line stays whole: a terminal lets a path be copied so. So does a line
    quoted from a file, with the caret under it; only the hint behind the caret moves down.
    """
    try:
        width = os.get_terminal_size(stream.fileno()).columns if stream.isatty() else 0
    except (OSError, ValueError):
        width = 0
    lines = words.split("\n")
    if width < 1 or all(len(line) <= width and line.isascii() for line in lines):
        return words
    return "\n".join(piece for line in lines for piece in _broken(line, width))


def _broken(line: str, width: int) -> list[str]:
    from attn_study.render.cells import cells
    from attn_study.render.wrapping import wrap

    if cells(line) <= width or re.match(QUOTED, line):
        return [line]
    if caret := re.fullmatch(CARET, line):
        return [caret[1], *(wrap(f"  {caret[2]}", width, split=False) if caret[2] else ())]
    return wrap(line, width, split=False)


@contextmanager
def writing() -> Iterator[None]:
    """Turn what goes wrong while printing into what it means."""
    try:
        yield
    except BrokenPipeError as error:
        raise ReaderLeftError from error
    except OSError as error:
        what = f"the output cannot be written: {error.strerror or error}"
        hint = "what was asked may be done all the same: `attn-study log` shows what was kept"
        raise UserError(what, hint=hint) from error
    except ValueError as error:  # the stream was closed meanwhile
        raise ReaderLeftError from error
