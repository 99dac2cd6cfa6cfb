"""A terminal for tests: the program on a pseudo-terminal, its screen read by eye."""

from __future__ import annotations

import os
import signal
import sys
from contextlib import suppress
from time import monotonic
from typing import TYPE_CHECKING, Any, cast

import pyte

if sys.platform != "win32":
    import pexpect

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

FRAME_END = b"\x1b[?2026l"  # the last bytes of each frame
PATIENCE = 20.0  # seconds until a screen that does not come counts as wrong


class Window:
    """A program on a terminal of `columns` x `rows`; `raw` is all that it ever wrote."""

    def __init__(
        self, command: Sequence[str], environ: Mapping[str, str], columns: int = 80, rows: int = 24
    ) -> None:
        self.raw = b""
        self._screen = pyte.Screen(columns, rows)
        self._stream = pyte.ByteStream(self._screen)
        program: Any = pexpect.spawn(
            command[0],
            list(command[1:]),
            env=cast("Any", dict(environ)),
            dimensions=(rows, columns),
            timeout=PATIENCE,
        )
        self._process = program
        self._process.delaybeforesend = None
        self._process.ptyproc.delayafterclose = 0.0

    @property
    def lines(self) -> list[str]:
        """The rows of the screen as they stand now, without the blanks at their end."""
        return [line.rstrip() for line in self._screen.display]

    @property
    def text(self) -> str:
        """The whole screen as it stands now."""
        return "\n".join(self.lines)

    @property
    def column(self) -> int:
        """Where the cursor stands, from 0."""
        return int(self._screen.cursor.x)

    def see(self, *words: str) -> None:
        """Wait until all `words` stand on the screen together."""
        self.wait(lambda: all(word in self.text for word in words), f"{words} to appear")

    def lose(self, word: str) -> None:
        """Wait until `word` is gone from the screen."""
        self.wait(lambda: word not in self.text, f"{word!r} to go")

    def wait(self, seen: Callable[[], bool], what: str) -> None:
        """Wait until `seen`; fail with the screen when it does not come or the program ends."""
        deadline = monotonic() + PATIENCE
        while not seen():
            left = deadline - monotonic()
            try:
                self._take(self._process.read_nonblocking(65_536, max(0.0, left)))
            except (pexpect.TIMEOUT, pexpect.EOF) as error:
                if seen():
                    return
                name = type(error).__name__
                raise AssertionError(f"waited for {what}: {name}\n{self.text}") from None

    def _take(self, data: bytes) -> None:
        self.raw += data
        self._stream.feed(data)

    def press(self, key: str) -> None:
        """Press a key in answer to the frame on the screen.

        A new frame drops what came before it. The notice of a resize outlives that, so once the
        frame was drawn again for it, the key cannot come too early.
        """
        self.wait(lambda: self.raw.endswith(FRAME_END), "the frame to be whole")
        drawn = self.raw.count(FRAME_END)
        os.killpg(os.tcgetpgrp(self._process.child_fd), signal.SIGWINCH)
        self.wait(lambda: self.raw.count(FRAME_END) > drawn, "the frame to be drawn again")
        self.send(key)

    def type(self, text: str) -> None:
        """Type into a line, each character when the one before it is there."""
        for end in range(1, len(text) + 1):
            self.press(text[end - 1])
            shown, column = f" > {text[:end]}".rstrip(), end + 3
            self.wait(lambda: shown in self.text and self.column == column, shown)  # noqa: B023

    def send(self, keys: str | bytes) -> None:
        """Send keys in one write, whatever is on the screen."""
        self._process.send(keys)

    def resize(self, columns: int, rows: int) -> None:
        """Change the size of the window, as a mouse would."""
        self._screen.resize(rows, columns)
        self._process.setwinsize(rows, columns)

    def hang_up(self) -> int:
        """Close the window under the program; return its exit code."""
        self._process.ptyproc.fileobj.close()
        deadline = monotonic() + PATIENCE
        while self._process.isalive():
            assert monotonic() < deadline, "the program outlives its terminal"
        return self._code()

    def signal(self, number: int) -> None:
        """Send the program a signal."""
        self._process.kill(number)

    @property
    def echoes(self) -> bool:
        """Whether the terminal shows what is typed, as a shell leaves it."""
        return bool(self._process.getecho())

    def end(self) -> int:
        """Wait for the program to end; return its exit code, or minus the signal's number."""
        with suppress(pexpect.EOF):
            while True:
                self._take(self._process.read_nonblocking(65_536, PATIENCE))
        self._process.wait()
        return self._code()

    def _code(self) -> int:
        if self._process.exitstatus is None:
            return -int(self._process.signalstatus or 0)
        return int(self._process.exitstatus)

    def close(self) -> None:
        """Make sure that nothing is left running."""
        self._process.close(force=True)
