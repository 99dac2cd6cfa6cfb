"""A computation that is watched: its keys as a value first, then on a screen with scripted keys."""

from __future__ import annotations

import io
import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from attn_study.attention.trace import Trace
from attn_study.demos.demo import Demo, Play
from attn_study.demos.panels import Words
from attn_study.demos.working import Focus, Working
from attn_study.render.frame import Frame
from attn_study.screen.canvas import Canvas
from attn_study.screen.demoing import DemoScreen
from attn_study.screen.keys import Press
from attn_study.screen.playback import FASTEST, LATER, SLOWEST, Playback
from attn_study.screen.terminal import Terminal
from scripted import ScriptedKeyboard

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

MOMENTS = 4
KEYS = [LATER, "space", "p", ".", ",", "left", "right", "+", "-", "=", "f", "x", "resize", "burst"]


def pressed(*keys: str, state: Playback | None = None) -> Playback:
    """The state after some keys, every moment computed as soon as it is wanted."""
    state = state or Playback()
    for key in keys:
        state = state.press(key)
        if state.needs_more:
            state = state.grown()
    return state


@pytest.mark.parametrize(
    ("keys", "at", "paused"),
    [
        ([LATER], 1, False),
        ([LATER, LATER, LATER], 3, False),
        (["space", LATER, LATER], 0, True),
        (["p", LATER], 0, True),
        ([LATER, "space", "space", LATER], 2, False),
        (["."], 1, True),
        (["right", "right"], 2, True),
        ([LATER, LATER, "left"], 1, True),
        ([LATER, "left", "left", "left"], 0, True),
        ([LATER, LATER, "left", "space", LATER, LATER], 3, False),
        (["x", "resize", "burst"], 0, False),
    ],
)
def test_time_and_keys_lead_from_moment_to_moment(keys: list[str], at: int, paused: bool) -> None:
    state = pressed(*keys)
    assert (state.at, state.is_paused) == (at, paused)


@pytest.mark.parametrize(
    ("keys", "fps"),
    [("+", 16), ("=", 16), ("-", 4), ("+ -", 8), ("- " * 9, SLOWEST), ("+ " * 9, FASTEST),
     ("f", math.inf), ("f -", 32)],
)  # fmt: skip
def test_keys_change_the_speed_within_its_limits(keys: str, fps: float) -> None:
    state = pressed(*keys.split())
    assert state.fps == fps
    assert state.seconds == 1 / fps


@pytest.mark.parametrize("key", ["q", "escape", "ctrl-c", "ctrl-d", "eof"])
def test_every_way_out_leads_out(key: str) -> None:
    assert pressed(key).is_left
    assert pressed("space", key).is_left


def test_to_the_end_goes_on_from_a_pause() -> None:
    assert pressed("space", "f", LATER).at == 1


@given(st.lists(st.sampled_from(KEYS), max_size=40))
def test_no_row_of_keys_asks_for_more_than_the_next_moment(keys: list[str]) -> None:
    state = Playback()
    for key in keys:
        state = state.press(key)
        assert 0 <= state.at <= state.known
        if state.needs_more:
            state = state.grown()
    assert state.fps >= SLOWEST
    assert state.offers()[-1] == ("q", "quit")


def told_at(_working: Working, at: int) -> str:
    return f"notice of {at}"


@dataclass
class Watched:
    """A demo of a few moments that counts how many were computed."""

    computed: int = 0
    knobs: dict[str, Any] = field(default_factory=dict)

    def frames(self) -> Iterator[Working]:
        for at in range(MOMENTS):
            self.computed = at + 1
            trace = Trace().add("loss", ("moments",), [9.0 - n for n in range(at + 1)])
            yield Working(trace, "none", f"computed {at}")

    def demo(self) -> Demo:
        def panels(_working: Working, focus: Focus) -> tuple[Words, ...]:
            return (Words(f"moment {focus.query}"),)

        *_, last = Watched().frames()
        return Demo(
            name="learn",
            knobs=(),
            compute=lambda **_: last,
            panels=panels,
            questions={},
            focus=Focus(-1),
            play=Play(self.frames, lambda working: working.notice, 1, told_at),
        )


class Showing(ScriptedKeyboard):
    """A demo that plays on a screen; of each read, what stood there and how long it waits."""

    def __init__(self, keys: Sequence[Press | str | None], columns: int = 80, rows: int = 24):
        super().__init__(keys)
        self.output = io.StringIO()
        self.frames: list[str] = []
        self.waits: list[float | None] = []
        self.computed: list[int] = []
        self.watched = Watched()
        self.console = Console(
            file=self.output, force_terminal=True, width=columns, height=rows, color_system=None
        )

    def read(self, timeout: float | None = None) -> Press | None:
        self.frames.append(self.output.getvalue().rpartition("\x1b[?2026h")[2])
        self.waits.append(timeout)
        self.computed.append(self.watched.computed)
        return super().read(timeout)

    def show(self, fps: float = 8) -> list[str]:
        """Watch it; return the lines that are left."""
        demo = self.watched.demo()
        assert demo.play
        with Terminal(self.console, self) as terminal:
            lines = DemoScreen(terminal, "utf-8").watch(demo, demo.play, {}, fps)
        return [line.plain.strip() for line in lines]


def test_the_first_moment_shows_before_the_second_is_computed() -> None:
    showing = Showing(["q"])
    left = showing.show()
    assert showing.computed == [1]
    assert "moment 0" in showing.frames[0]
    assert left[-1] == "moment 0"


def test_without_a_key_it_plays_to_its_end_and_the_lesson_is_there() -> None:
    showing = Showing([None, None, None, None, "left", "q"])
    left = showing.show()
    assert showing.computed[:4] == [1, 2, 3, 4]
    assert ["moment 3" in frame for frame in showing.frames] == [False] * 3 + [True, True, False]
    assert "space pause" in showing.frames[3]
    assert "←→ home end moment" in showing.frames[4]
    assert left[-1] == "moment 2"


def test_a_pause_holds_a_moment_and_computes_nothing() -> None:
    showing = Showing([None, "space", None, None, "space", None, "q"])
    showing.show()
    assert showing.computed == [1, 2, 2, 2, 2, 2, 3]
    assert showing.waits[2:5] == [None] * 3


def test_going_back_shows_what_was_and_computes_nothing_again() -> None:
    showing = Showing([None, None, "left", "left", "right", "q"])
    showing.show()
    assert showing.computed == [1, 2, 3, 3, 3, 3]
    assert ["moment 0" in frame for frame in showing.frames] == [True, False, False, False, True,
                                                                 False]  # fmt: skip


def test_a_step_leads_past_what_is_known_and_waits() -> None:
    showing = Showing([".", ".", "q"])
    assert showing.show()[-1] == "moment 2"
    assert showing.waits == [pytest.approx(0.125, abs=0.1), None, None]


def test_the_notice_is_of_the_moment_in_view_while_it_plays_and_after() -> None:
    showing = Showing([None, None, "left", "home", "f", *[None] * 4, "left", "home", "q"])
    left = showing.show()
    for frame in showing.frames:
        (shown,) = {word for word in ("0", "1", "2", "3") if f"moment {word}" in frame}
        assert f"notice of {shown}" in frame
    assert left[-1] == "moment 0"


def test_home_and_end_lead_to_the_first_moment_and_to_the_last_known() -> None:
    assert (pressed(LATER, LATER, "home").at, pressed(LATER, LATER, "home", "end").at) == (0, 2)
    assert pressed(LATER, "home").is_paused
    showing = Showing(["f", *[None] * 4, "home", "end", "q"])
    assert showing.show()[-1] == "moment 3"
    assert "moment 0" in showing.frames[6]


def test_at_its_end_it_plays_again_from_the_first_moment() -> None:
    showing = Showing(["f", *[None] * 4, "r", None, "q"])
    assert showing.show()[-1] == "moment 1"
    assert "r again" in showing.frames[5]
    assert "moment 0" in showing.frames[6]


def test_help_names_no_key_that_does_nothing_here() -> None:
    showing = Showing(["f", *[None] * 4, "?", "q"])
    showing.show()
    said = showing.frames[-1]
    assert "play it again" in said
    assert not any(words in said for words in ("next head", "predict", "mistakes", "columns"))


@pytest.mark.parametrize("fps", [0.5, 8, 64])
def test_a_moment_lasts_as_long_as_the_speed_says_at_most(fps: float) -> None:
    showing = Showing([None, None, "q"])
    showing.show(fps)
    assert all(wait is not None and 0 <= wait <= 1 / fps for wait in showing.waits)
    assert fps > 1 or showing.waits[0]  # what the computing took is not waited for again


def test_to_the_end_waits_for_nothing_more() -> None:
    showing = Showing(["f", None, None, None, "q"])
    showing.show()
    assert showing.waits[1:4] == [0.0] * 3


@pytest.mark.parametrize("key", ["q", "ctrl-c", "eof"])
def test_leaving_leaves_what_was_in_view(key: str) -> None:
    showing = Showing([None, key])
    assert showing.show()[-1] == "moment 1"
    assert showing.computed[-1] == 2


def test_bursts_and_a_window_that_changes_neither_answer_nor_stop_it() -> None:
    showing = Showing([Press("burst", "qq"), Press("resize"), None, Press("paste", "q"), "q"])
    assert showing.show()[-1] == "moment 1"


def test_in_a_window_too_small_only_leaving_is_heard() -> None:
    showing = Showing(["x", "q"], columns=40, rows=10)
    with Terminal(showing.console, showing) as terminal:
        canvas = Canvas(terminal, "utf-8", enough=((80, 24),))
        heard = [canvas.glimpse(lambda _columns, _rows: Frame((), (), ()), 1) for _ in range(2)]
    assert heard == ["resize", "q"]
    assert "too small" in showing.frames[0]
