"""Sittings on a terminal whose keys are written down beforehand, and every frame they answer."""

from __future__ import annotations

import io
import re
from typing import TYPE_CHECKING

from rich.console import Console

from attn_study.screen.reviewing import ReviewScreen
from attn_study.screen.terminal import Terminal
from scripted import ScriptedKeyboard

if TYPE_CHECKING:
    from attn_study.screen.keys import Press
    from attn_study.sitting import Summary
    from learner import Study

FRAME_START = "\x1b[?2026h"
SEQUENCE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


class Keys(ScriptedKeyboard):
    """Keys that come `pause` seconds after each other; `seen` has the frame at each read, and
    `dropped` the frame at each drop.
    """

    def __init__(self, study: Study, keys: list[Press | str | None], pause: float = 0) -> None:
        super().__init__(keys)
        self._study = study
        self._pause = pause
        self.output = io.StringIO()
        self.seen: list[str] = []
        self.dropped: list[str] = []

    def read(self, timeout: float | None = None) -> Press | None:
        self.seen.append(self._frame())
        self._study.stopwatch += self._pause
        return super().read(timeout)

    def drop(self) -> None:
        super().drop()
        self.dropped.append(self._frame())

    def _frame(self) -> str:
        newest = self.output.getvalue().rpartition(FRAME_START)[2]
        return SEQUENCE.sub("\n", newest)


def sit(
    study: Study,
    *keys: Press | str | None,
    pause: float = 0,
    columns: int = 80,
    rows: int = 24,
) -> tuple[Keys, Summary]:
    """Hold a sitting on a screen of this size; the end of the keys is the end of the input."""
    keyboard = Keys(study, list(keys), pause)
    console = Console(
        file=keyboard.output, force_terminal=True, width=columns, height=rows, color_system=None
    )
    with Terminal(console, keyboard) as terminal:
        return keyboard, study.sit(ReviewScreen(terminal, "utf-8"))
