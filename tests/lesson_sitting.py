"""Lessons on a terminal whose keys are written down beforehand, and every frame they answer."""

from __future__ import annotations

import io
import re
from typing import TYPE_CHECKING

from rich.console import Console

from attn_study.demos import load
from attn_study.screen.demoing import DemoScreen
from attn_study.screen.terminal import Terminal
from scripted import ScriptedKeyboard

if TYPE_CHECKING:
    from collections.abc import Sequence

    from attn_study.screen.keys import Press

FRAME_START = "\x1b[?2026h"
SEQUENCE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


class Sitting(ScriptedKeyboard):
    """A lesson on a screen of this size; `frames` has what stood there at each read."""

    def __init__(
        self, keys: Sequence[Press | str | None], columns: int = 80, rows: int = 24
    ) -> None:
        super().__init__(keys)
        self.output = io.StringIO()
        self.frames: list[list[str]] = []
        self.left: list[str] = []
        self._console = Console(
            file=self.output, force_terminal=True, width=columns, height=rows, color_system=None
        )

    def read(self, timeout: float | None = None) -> Press | None:
        newest = self.output.getvalue().rpartition(FRAME_START)[2]
        lines = re.split(r"\x1b\[\d+H", newest)[1:]
        self.frames.append([SEQUENCE.sub("", line) for line in lines])
        return super().read(timeout)

    def show(self, name: str, *, seed: int = 0, predict: bool = False, **knobs: object) -> Sitting:
        with Terminal(self._console, self) as terminal:
            lines = DemoScreen(terminal, "utf-8", seed=seed).show(
                load(name), knobs, predict=predict
            )
        self.left = [line.plain for line in lines]
        return self

    def seen(self, frame: int = -1) -> str:
        return "\n".join(self.frames[frame])
