"""Where a computation that is watched has come to, as a value: every key makes a new one."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from attn_study.screen.canvas import ENDS

FPS = 8.0  # moments a second, where nobody says otherwise
SLOWEST, FASTEST = 0.5, 64.0  # of the speeds that keys lead to
LEAPS = frozenset({"home", "end"})  # the keys that lead to the first moment and to the last
LATER = ""  # no key was pressed for as long as a moment lasts


@dataclass(frozen=True, slots=True)
class Playback:
    """Which moment is shown, from 0, out of how many there are so far; how fast it goes on.

    `fps` counts moments a second; without end it is infinite. At `at` = `known` the next moment
    is still to be computed.
    """

    fps: float = FPS
    at: int = 0
    known: int = 1
    is_paused: bool = False
    is_left: bool = False

    @property
    def seconds(self) -> float:
        """How long a moment is shown."""
        return 1 / self.fps

    @property
    def needs_more(self) -> bool:
        """Whether the moment to be shown is not computed yet."""
        return self.at == self.known

    def grown(self) -> Playback:
        """Return the same with one more moment computed."""
        return replace(self, known=self.known + 1)

    def press(self, key: str) -> Playback:
        """Return the state after a key, or after a moment without one; others change nothing."""
        if key == LATER:
            return self if self.is_paused else replace(self, at=self.at + 1)
        if key in {"q", "escape"} | ENDS:
            return replace(self, is_left=True)
        if key in {"space", "p"}:
            return replace(self, is_paused=not self.is_paused)
        if key in {".", "right"}:
            return replace(self, at=self.at + 1, is_paused=True)
        if key in {",", "left"}:
            return replace(self, at=max(0, self.at - 1), is_paused=True)
        if key in LEAPS:
            return replace(self, at=0 if key == "home" else self.known - 1, is_paused=True)
        if key in {"+", "=", "-"}:
            return self._at_speed(0.5 if key == "-" else 2)
        if key == "f":
            return replace(self, fps=math.inf, is_paused=False)
        return self

    def offers(self) -> tuple[tuple[str, str], ...]:
        """Return the keys that mean something here, with what they do; the last is the way out."""
        return (
            ("space", "go on" if self.is_paused else "pause"),
            ("←→", "a step"),
            ("home", "start"),
            ("+ -", f"speed {self.fps:g}"),
            ("f", "to the end"),
            ("q", "quit"),
        )

    def _at_speed(self, times: float) -> Playback:
        fps = FASTEST if math.isinf(self.fps) else self.fps
        return replace(self, fps=max(SLOWEST, min(fps * times, FASTEST)))
