"""The keyboard of this machine: single keys as they are pressed, on Unix and on Windows."""

from __future__ import annotations

import os
import signal
import sys
from collections import deque
from contextlib import suppress
from time import monotonic
from typing import TYPE_CHECKING, Any, Self

from attn_study.screen.keys import EOF, Press, decode, forget, from_windows, settle

if TYPE_CHECKING:
    from types import TracebackType

ESCAPE_WAIT = 0.05  # seconds after which a lone Escape is the Escape key
BURST_WAIT = 0.02  # seconds between the pieces of a paste; a held key repeats more slowly
BURST_LIMIT = 65_536  # bytes of one burst
DROP_ROUNDS = 1_000  # reads after which a terminal that never falls silent is left alone
# What is no answer to a question, so that it outlives what was typed ahead.
KEPT = frozenset({"resize", "resume", "ctrl-c", "ctrl-d", "ctrl-z"})


class _Reader:
    """Presses made of reads, one platform's reads being `_wait` and `_receive`."""

    def __init__(self) -> None:
        self._queue: deque[Press] = deque()
        self._pending = b""
        self._heard = 0.0  # when the newest byte came, monotonic seconds
        self._ended = False

    def read(self, timeout: float | None = None) -> Press | None:
        """Return the next press; None after `timeout` seconds; `eof` at the end and ever after."""
        deadline = None if timeout is None else monotonic() + timeout
        while not self._queue:
            if self._ended:
                return EOF
            limits = [] if deadline is None else [deadline]
            presses, rest = settle(self._pending)
            if presses:
                limits.append(self._heard + ESCAPE_WAIT)
            if self._wait(max(0.0, min(limits) - monotonic()) if limits else None):
                self._take()
            elif presses and monotonic() >= self._heard + ESCAPE_WAIT:
                self._queue += presses
                self._pending = rest
            elif deadline is not None and monotonic() >= deadline and not self._queue:
                return None
        return self._queue.popleft()

    def drop(self) -> None:
        """Forget what was typed ahead, so that the next press answers what is on screen now.

        Ctrl-C, Ctrl-Z, `resize` and `resume` stay; of a paste that is still coming in, the rest
        is not taken for keys.
        """
        for _ in range(DROP_ROUNDS):
            if self._ended or not self._wait(ESCAPE_WAIT if self._pending else 0.0):
                break
            self._take()
        self._pending = forget(self._pending)
        self._queue = deque(press for press in self._queue if press.key in KEPT)

    def _take(self) -> None:
        """Decode one read; a burst is followed to its last piece, which may be a single byte."""
        data = self._receive()
        presses, rest = decode(data, self._pending)
        if any(press.key == "burst" for press in presses):
            while len(data) < BURST_LIMIT and not self._ended and self._wait(BURST_WAIT):
                data += self._receive()
            presses, rest = decode(data, self._pending)
        self._pending = rest
        self._queue += presses
        self._heard = monotonic()

    def _wait(self, seconds: float | None) -> bool:
        """Return whether there is something to receive; other events go to the queue."""
        raise NotImplementedError

    def _receive(self) -> bytes:
        """Return what there is now; nothing, and `_ended`, at the end of input."""
        raise NotImplementedError


class _Signals:
    """Handlers set on entry, put back on exit; only the main thread can have any."""

    def __init__(self) -> None:
        self._before: dict[int, Any] = {}

    def set(self, number: int, handler: Any) -> None:
        before = signal.getsignal(number)
        # What was started to be immune to a signal (nohup) stays so.
        if before not in (None, signal.SIG_IGN):
            with suppress(ValueError):
                self._before[number] = signal.signal(number, handler)

    def restore(self) -> None:
        while self._before:
            signal.signal(*self._before.popitem())


if sys.platform == "win32":
    import msvcrt
    from time import sleep

    POLL = 0.01  # seconds; the console of Windows cannot be waited for beside signals

    class Keyboard(_Reader):
        """The console of Windows. `fd` is there for likeness with Unix."""

        def __init__(self, fd: int | None = None) -> None:
            super().__init__()
            self._fd = fd
            self._signals = _Signals()
            self._size = _console_size()

        def __enter__(self) -> Self:
            self._signals.set(signal.SIGINT, lambda *_: self._queue.append(Press("ctrl-c")))
            self._signals.set(signal.SIGBREAK, lambda *_: self._end())
            return self

        def __exit__(
            self,
            kind: type[BaseException] | None,
            error: BaseException | None,
            trace: TracebackType | None,
        ) -> None:
            self._signals.restore()

        def stop(self) -> None:
            """Do nothing: Windows stops no process."""

        def _end(self) -> None:
            self._ended = True

        def _wait(self, seconds: float | None) -> bool:
            deadline = None if seconds is None else monotonic() + seconds
            while not msvcrt.kbhit():
                if (size := _console_size()) != self._size:
                    self._size = size
                    self._queue.append(Press("resize"))
                late = deadline is not None and monotonic() >= deadline
                if late or self._queue or self._ended:
                    return False
                sleep(POLL)
            return True

        def _receive(self) -> bytes:
            codes = ""
            while msvcrt.kbhit() and len(codes) < BURST_LIMIT:
                codes += msvcrt.getwch()
            return from_windows(codes)

    def _console_size() -> os.terminal_size | None:
        with suppress(OSError):
            return os.get_terminal_size(1)
        return None

else:
    import select
    import termios

    _EVENTS = {
        signal.SIGINT: "ctrl-c",
        signal.SIGTSTP: "ctrl-z",
        signal.SIGCONT: "resume",
        signal.SIGWINCH: "resize",
        signal.SIGTERM: "eof",
        signal.SIGHUP: "eof",
        signal.SIGQUIT: "eof",
    }

    class Keyboard(_Reader):
        """The terminal behind the file descriptor `fd` (standard input), without echo or lines.

        Signals arrive as presses: SIGINT as `ctrl-c`, SIGTSTP as `ctrl-z`, SIGWINCH as `resize`,
        SIGCONT as `resume`, SIGTERM, SIGHUP and SIGQUIT as `eof`. What is no terminal is read as
        it is.
        """

        def __init__(self, fd: int | None = None) -> None:
            super().__init__()
            self._fd = sys.stdin.fileno() if fd is None else fd
            self._signals = _Signals()
            self._saved: list[Any] | None = None
            self._told: tuple[int, int] = (-1, -1)  # the pipe by which signals wake the reader
            self._woken_before = -1

        def __enter__(self) -> Self:
            self._told = os.pipe()
            os.set_blocking(self._told[1], False)
            with suppress(ValueError):  # another thread than the main one hears no signal
                # The interpreter itself writes: a handler in Python would not run once the reader
                # waits, and a signal that came just before would be heard after the next key.
                self._woken_before = signal.set_wakeup_fd(self._told[1], warn_on_full_buffer=False)
            for number in _EVENTS:
                self._signals.set(number, _only_wake)
            with suppress(termios.error):
                self._saved = termios.tcgetattr(self._fd)
            self._single_keys()
            return self

        def __exit__(
            self,
            kind: type[BaseException] | None,
            error: BaseException | None,
            trace: TracebackType | None,
        ) -> None:
            if self._saved is not None:
                with suppress(termios.error):
                    # What is left of a paste must not become a command of the shell.
                    termios.tcflush(self._fd, termios.TCIFLUSH)
                    termios.tcsetattr(self._fd, termios.TCSANOW, self._saved)
                self._saved = None
            self._signals.restore()
            with suppress(ValueError):
                signal.set_wakeup_fd(self._woken_before)
            for end in self._told:
                os.close(end)
            self._told = (-1, -1)

        def stop(self) -> None:
            """Stop this process and its group until the shell continues it; not while entered."""
            before = signal.signal(signal.SIGTSTP, signal.SIG_DFL)
            try:
                os.killpg(os.getpgrp(), signal.SIGTSTP)
            finally:
                signal.signal(signal.SIGTSTP, before)

        def _single_keys(self) -> None:
            """Let every key through at once, Ctrl-C, Ctrl-S, Ctrl-V and Enter included."""
            if self._saved is None:
                return
            modes = list(self._saved)
            modes[0] &= ~(
                termios.BRKINT
                | termios.ICRNL
                | termios.IGNCR
                | termios.INLCR
                | termios.ISTRIP
                | termios.IXON
            )
            modes[3] &= ~(termios.ECHO | termios.ICANON | termios.IEXTEN | termios.ISIG)
            modes[6] = list(modes[6])
            modes[6][termios.VMIN], modes[6][termios.VTIME] = 1, 0
            with suppress(termios.error):
                termios.tcsetattr(self._fd, termios.TCSANOW, modes)

        def _wait(self, seconds: float | None) -> bool:
            try:
                ready, _, _ = select.select([self._fd, self._told[0]], [], [], seconds)
            except (OSError, ValueError):  # the terminal was closed under us
                self._ended = True
                return False
            if self._told[0] in ready:
                for number in sorted(set(os.read(self._told[0], 4096))):
                    self._hear(number)
            return self._fd in ready and not self._ended

        def _hear(self, number: int) -> None:
            """Turn a signal into a press; one that another part of the program set is its own."""
            if number not in _EVENTS:
                return
            press = Press(_EVENTS[signal.Signals(number)])
            if press == EOF:
                self._queue.clear()
                self._ended = True
                return
            if press.key == "resume":
                self._single_keys()
            self._queue.append(press)

        def _receive(self) -> bytes:
            data = b""
            try:
                data = os.read(self._fd, 4096)
            except BlockingIOError:
                return b""
            except OSError:  # hung up
                pass
            self._ended = self._ended or not data
            return data

    def _only_wake(_number: int, _frame: object) -> None:
        """Let a signal do no more than wake the reader."""
