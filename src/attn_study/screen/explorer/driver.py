"""The explorer's ears, on Unix: what the terminal sends, whatever bytes those are, as messages."""

from __future__ import annotations

import errno
import os
from codecs import getincrementaldecoder
from selectors import EVENT_READ, SelectSelector
from typing import TYPE_CHECKING

from textual._xterm_parser import XTermParser
from textual.drivers.linux_driver import LinuxDriver

from attn_study.screen.explorer.pastes import Pastes

if TYPE_CHECKING:
    from collections.abc import Iterable

    from textual.message import Message

PAUSE = 0.1  # seconds after which an escape alone is the key, and leaving is noticed
AT_ONCE = 4096  # bytes


class Driver(LinuxDriver):
    """Textual's own, except for how it reads.

    Bytes that are no UTF-8 are no key, and end nothing: Textual's own reader takes them for a fault
    and shows its innards. A terminal that is gone ends the explorer.
    """

    def run_input_thread(self) -> None:
        """Hear the terminal until the explorer ends; a fault goes the way of all its faults."""
        try:
            self._hear()
        except Exception as error:
            self._app.call_later(self._app._handle_exception, error)

    def _hear(self) -> None:
        parser = Parser(self._debug)
        decode = getincrementaldecoder("utf-8")(errors="replace").decode
        with SelectSelector() as selector:
            selector.register(self.fileno, EVENT_READ)
            while not self.exit_event.is_set():
                if selector.select(PAUSE):
                    data = self._read()
                    if not data:
                        self._app.call_later(self._app.exit)
                        return
                    if text := decode(data):
                        self._hand_on(parser.feed(text))
                self._hand_on(parser.tick())

    def _read(self) -> bytes:
        """Return what waits, nothing where the terminal is gone."""
        try:
            return os.read(self.fileno, AT_ONCE)
        except OSError as error:
            if error.errno != errno.EIO:
                raise
            return b""

    def _hand_on(self, messages: Iterable[Message]) -> None:
        for message in messages:
            self.process_message(message)


class Parser(XTermParser):
    """Textual's own, except that no escape inside a paste is taken for a key."""

    def __init__(self, debug: bool = False) -> None:
        super().__init__(debug)
        self._pastes = Pastes()

    def feed(self, data: str) -> Iterable[Message]:
        """Yield what a read means; an empty one is the end."""
        cleaned = self._pastes.clean(data)
        return super().feed(cleaned) if cleaned or not data else ()
