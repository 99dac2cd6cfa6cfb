"""The terminal as a canvas: whole frames on the alternate screen, given away and taken back."""

from __future__ import annotations

import gc
import os
import re
import sys
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, Self, TextIO

from rich.console import COLOR_SYSTEMS
from rich.segment import Segment

from attn_study.render.cells import cells, cut
from attn_study.screen.keys import EOF, Keys, Press

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from types import TracebackType

    from rich.console import Console
    from rich.text import Text

SMALLEST = (20, 5)  # columns, rows: under it a frame has no room, plain lines have

# Alternate screen, bracketed paste, no wrapping at the last column (nothing can scroll the frame,
# even where the terminal takes a character for wider than we do), no cursor.
_ENTER = "\x1b[?1049h\x1b[?2004h\x1b[?7l\x1b[?25l\x1b[H\x1b[J"
# Cleared before it is left: the Linux console has no second screen.
_LEAVE = "\x1b[0m\x1b[H\x1b[J\x1b[?25h\x1b[?7h\x1b[?2004l\x1b[?1049l"
_SYNCHRONISED = "\x1b[?2026h\x1b[?25l", "\x1b[?2026l"
_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def can_draw(console: Console, environ: Mapping[str, str], keys_from: TextIO | None = None) -> bool:
    """Return whether frames and single keys will work; where not, the caller works line by line.

    Both `keys_from` (standard input) and the console must be terminals, of at least `SMALLEST`
    size, that move a cursor (`TERM`). Colour does not matter.
    """
    stdin = sys.stdin if keys_from is None else keys_from
    if not (_is_terminal(stdin) and _is_terminal(console.file)):
        return False
    term = environ.get("TERM", "")
    moves_cursor = not console.legacy_windows if sys.platform == "win32" else bool(term)
    if not moves_cursor or term in {"dumb", "unknown"}:
        return False
    columns, rows = _size(console)
    return columns >= SMALLEST[0] and rows >= SMALLEST[1]


def _is_terminal(stream: Any) -> bool:
    with suppress(AttributeError, ValueError, OSError):  # None, closed, gone
        return bool(stream.isatty())
    return False


def _size(console: Console) -> tuple[int, int]:
    """Ask the terminal itself first: COLUMNS and LINES do not follow a window that changes."""
    with suppress(AttributeError, ValueError, OSError):
        columns, rows = os.get_terminal_size(console.file.fileno())
        if columns and rows:
            return columns, rows
    return max(1, console.size.width), max(1, console.size.height)


class Terminal:
    """Draws frames on `console` and reads presses from `keyboard`, while it is entered.

    A terminal that went away (hung up, closed pipe) raises nothing: drawing does nothing from then
    on, and the next `read` is `eof`.
    """

    def __init__(self, console: Console, keyboard: Keys) -> None:
        self._console = console
        self._keyboard = keyboard
        self._gone = False

    def __enter__(self) -> Self:
        gc.enable()  # a start does without; a sitting may last for hours
        self._keyboard.__enter__()
        self._write(_ENTER)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            self._write(_LEAVE)
        finally:
            self._keyboard.__exit__(kind, error, trace)

    @property
    def console(self) -> Console:
        """What is drawn on."""
        return self._console

    @property
    def size(self) -> tuple[int, int]:
        """Columns and rows now, at least 1 each."""
        return _size(self._console)

    def draw(self, frame: Sequence[Text], cursor: tuple[int, int] | None = None) -> None:
        """Paint the whole screen: one line of `frame` a row, the rest empty, in a single write.

        What is larger than the screen is cut off, between characters. `cursor` is (column, row)
        from 0, as in `size`; None hides it.
        """
        columns, rows = self.size
        start, end = _SYNCHRONISED
        lines = [line for text in frame for line in text.split(allow_blank=True)][:rows]
        painted = [self._row(row, line, columns) for row, line in enumerate(lines, start=1)]
        below = f"\x1b[{len(lines) + 1}H\x1b[J" if len(lines) < rows else ""
        self._write("".join([start, *painted, below, _cursor(cursor, columns, rows), end]))

    def read(self, timeout: float | None = None) -> Press | None:
        """Return the next press; None after `timeout` seconds; `eof` at the end and ever after.

        Ctrl-Z stops the program; when it is continued, here and from outside, the press is
        `resume`: draw again. After `resize` too.
        """
        if self._gone:
            return EOF
        press = self._keyboard.read(timeout)
        if press == Press("ctrl-z"):
            with self.paused():
                self._keyboard.stop()
            return Press("resume")
        if press == Press("resume"):
            self._write(_ENTER)
        return press

    def drop(self) -> None:
        """Forget what was typed ahead; call it when a new frame waits for its key."""
        self._keyboard.drop()

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Give the terminal to another program, such as an editor; draw again afterwards."""
        self.__exit__(None, None, None)
        try:
            yield
        finally:
            self.__enter__()

    def _row(self, row: int, line: Text, columns: int) -> str:
        """Clear the row without touching the last column after it was written.

        Many terminals clear the character there together with the rest of the line.
        """
        kept, width = _cut(line, columns)
        ansi = _ansi(self._console, kept)
        clear = "\x1b[K"
        return f"\x1b[{row}H{ansi}{clear}" if width < columns else f"\x1b[{row}H{clear}{ansi}"

    def _write(self, text: str) -> None:
        """Write at once; characters that the terminal's encoding lacks become question marks."""
        if self._gone:
            return
        file, encoding = self._console.file, self._console.encoding
        try:
            file.write(text.encode(encoding, "replace").decode(encoding))
            file.flush()
        except (OSError, ValueError):
            self._gone = True
            _silence(file)


def _cut(line: Text, columns: int) -> tuple[Text, int]:
    """Return as much of the line as fits, and its width in cells, with no control characters."""
    line.expand_tabs(8)
    line.plain = _CONTROLS.sub("\ufffd", line.plain)
    kept = cut(line.plain, columns)
    return line[: len(kept)], cells(kept)


def _ansi(console: Console, line: Text) -> str:
    """Return the line with the styles that the console allows.

    Rich's own capture writes to the console's file, and leaves the program when that is closed.
    """
    colours = COLOR_SYSTEMS.get(console.color_system or "")
    line.stylize_before(line.style)  # `render` alone passes over the style of the whole
    segments = line.render(console)
    if console.no_color:
        segments = Segment.remove_color(segments)
    return "".join(
        style.render(text, color_system=colours) if style else text for text, style, _ in segments
    )


def _cursor(cursor: tuple[int, int] | None, columns: int, rows: int) -> str:
    if cursor is None:
        return ""
    column, row = (
        max(0, min(at, size - 1)) for at, size in zip(cursor, (columns, rows), strict=True)
    )
    return f"\x1b[{row + 1};{column + 1}H\x1b[?25h"


def _silence(file: Any) -> None:
    """Let what is still in the buffers of a closed stream fail nowhere, not even at exit."""
    with suppress(AttributeError, ValueError, OSError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, file.fileno())
        os.close(nowhere)
