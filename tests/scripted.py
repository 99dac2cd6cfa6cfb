"""A keyboard whose presses are written down beforehand."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Self

from attn_study.screen.keys import EOF, Press

if TYPE_CHECKING:
    from collections.abc import Iterable
    from types import TracebackType


class ScriptedKeyboard:
    """Yields `presses` in order, then `eof` for ever. A bare string is a key.

    None in the script is a read that runs out of time. `drop` is counted and drops nothing: the
    script says what is pressed after it.
    """

    def __init__(self, presses: Iterable[Press | str | None] = ()) -> None:
        self._presses = deque(presses)
        self.drops = 0
        self.stops = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None: ...

    def read(self, timeout: float | None = None) -> Press | None:
        """Return the next press of the script."""
        if not self._presses:
            return EOF
        press = self._presses.popleft()
        return Press(press) if isinstance(press, str) else press

    def drop(self) -> None:
        """Count that the caller dropped what was typed ahead."""
        self.drops += 1

    def stop(self) -> None:
        """Count that the caller stopped the process."""
        self.stops += 1
