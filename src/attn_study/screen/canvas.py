"""Frames on a terminal: drawn again when it changes, until a key or a line answers them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from attn_study.render.frame import Frame
from attn_study.render.output import fitted
from attn_study.render.text import wrap
from attn_study.screen.line import Line

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from attn_study.screen.terminal import Terminal

    Draw = Callable[[int, int], Frame]  # from columns and rows

FAR = 1_000_000  # more lines than any card or lesson has
REDRAW = {"resize", "resume"}
SEVERAL = {"paste", "burst", "unknown"}
ESCAPED = "\x1b"  # what no line can hold
ENDS = {"ctrl-c", "ctrl-d", "eof"}


class Canvas:
    """Draws on `terminal` in characters that `encoding` has; `ascii` draws with ASCII alone.

    `enough` are sizes, columns and rows, of which the window must reach one: in a smaller window
    only that is said, and no key answers what nobody sees, but for those that leave.
    """

    def __init__(
        self,
        terminal: Terminal,
        encoding: str,
        *,
        ascii: bool = False,
        enough: tuple[tuple[int, int], ...] = ((1, 1),),
    ) -> None:
        self._terminal = terminal
        self._encoding = encoding
        self._ascii = ascii
        self._enough = enough

    @property
    def columns(self) -> int:
        """The width of the terminal now, in cells."""
        return self._terminal.size[0]

    def key(
        self,
        frame: Draw,
        crowd: Callable[[], None] = lambda: None,
        own: Collection[str] = (),
    ) -> str:
        """Draw the frame and return the key that answers it; scroll and redraw meanwhile.

        What was typed before the frame stood there is dropped. Several keys in one read are left
        alone, since nobody saw what they would answer; `crowd` is called then. Keys of `own` answer
        the frame where they would scroll it.
        """
        offset = 0
        is_new = True
        while True:
            columns, rows = self._terminal.size
            if self._is_too_small(columns, rows):
                is_new = True
                key = self._wait_for_room(columns)
                if key in ENDS | {"q"}:
                    return key
                continue
            shown = frame(columns, rows)
            offset = shown.first_offset(rows) if is_new else offset
            offset = max(0, min(offset, shown.last_offset(rows)))
            self._draw(shown.fit(columns, rows, offset))
            if is_new:
                self._terminal.drop()
                is_new = False
            press = self._terminal.read()
            if press is None or press.key in REDRAW:
                continue
            if press.key in SEVERAL:
                crowd()
                continue
            moved = None if press.key in own else _moved(press.key, shown.room(rows))
            if moved is None:
                return press.key
            offset += moved

    def glimpse(self, frame: Draw, seconds: float) -> str:
        """Draw one of many frames; return the key pressed within so many seconds, else nothing.

        What was typed before is not dropped: it answers the row of frames, not this one. A window
        that changes, and several keys in one read, return as `resize` and `burst`.
        """
        columns, rows = self._terminal.size
        if self._is_too_small(columns, rows):
            key = self._wait_for_room(columns)
            return key if key in ENDS | {"q"} else "resize"
        self._draw(frame(columns, rows).fit(columns, rows))
        press = self._terminal.read(seconds)
        return "" if press is None else press.key

    def line(self, frame: Draw, *, empty: bool = False) -> str | None:
        """Let a line be typed under the frame: its text on enter, None when the learner leaves.

        Escape returns `ESCAPED`. An empty line counts only with `empty`.
        """
        line = Line()
        offset = 0
        is_new = True
        while True:
            columns, rows = self._terminal.size
            if self._is_too_small(columns, rows):
                is_new = True
                if self._wait_for_room(columns) in ENDS:
                    return None
                continue
            shown = frame(columns, rows)
            visible, column = line.view(max(1, columns - 4))
            prompt = Text.assemble((" > ", "bold cyan"), visible)
            whole = Frame(shown.header, shown.body, (prompt, *shown.footer))
            offset = max(0, min(offset, whole.last_offset(rows)))
            row = min(len(whole.header) + whole.room(rows) + 1, rows - 1)
            self._draw(whole.fit(columns, rows, offset), cursor=(column + 3, row))
            if is_new:
                self._terminal.drop()
                is_new = False
            press = self._terminal.read()
            if press is None or press.key in REDRAW:
                continue
            if press.key in ENDS:
                return None
            if press.key == "escape":
                return ESCAPED
            if press.key == "enter" and (empty or line.text.strip()):
                return line.text
            if press.key not in {"home", "end"}:
                offset += _moved(press.key, whole.room(rows)) or 0
            line = line.press(press)

    def _is_too_small(self, columns: int, rows: int) -> bool:
        return not any(columns >= least[0] and rows >= least[1] for least in self._enough)

    def _wait_for_room(self, columns: int) -> str:
        """Say that the window is too small, and return the next key."""
        sizes = " or ".join(f"{columns}×{rows}" for columns, rows in self._enough)
        words = f"The window is too small: {sizes} would do. Ctrl-C leaves."
        self._draw([Text(line) for line in wrap(words, max(1, columns))])
        press = self._terminal.read()
        return "" if press is None else press.key

    def _draw(self, lines: list[Text], cursor: tuple[int, int] | None = None) -> None:
        self._terminal.draw(
            [fitted(line, self._encoding, ascii=self._ascii) for line in lines], cursor
        )


def _moved(key: str, room: int) -> int | None:
    """Return by how many lines a key scrolls; a page is what fits. None for any other key."""
    steps = {"up": -1, "down": 1, "pageup": -room, "pagedown": room, "home": -FAR, "end": FAR}
    return steps.get(key)
