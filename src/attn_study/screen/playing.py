"""A computation watched while it goes on: a moment after the other, at the learner's pace."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING

from rich.text import Text

from attn_study.demos.knobs import settle
from attn_study.demos.lesson import Lesson
from attn_study.render.lesson import header, key_line, sheet
from attn_study.render.panels import draw
from attn_study.screen.playback import LEAPS, Playback

if TYPE_CHECKING:
    from collections.abc import Mapping

    from attn_study.demos.demo import Demo, Play
    from attn_study.demos.working import Focus
    from attn_study.render.lesson import Sheet
    from attn_study.screen.canvas import Canvas


@dataclass(frozen=True, slots=True)
class Played:
    """The lesson as far as it was watched, and whether that was to its end."""

    lesson: Lesson
    focus: Focus
    is_over: bool


def play(canvas: Canvas, demo: Demo, part: Play, knobs: Mapping[str, object], fps: float) -> Played:
    """Play a demo until it is over or the learner leaves; the first moment shows at once.

    `part` is the demo's `play`. Raises UserError for knobs that cannot be.
    """
    settled = settle(demo, knobs)
    frames = part.frames(**settled)
    lesson = Lesson(demo, settled, next(frames))
    state = Playback(fps)
    begun = monotonic()
    while True:
        frame = partial(_sheet, lesson, state)
        if state.is_paused:
            key = canvas.key(frame, own=LEAPS)
        else:
            key = canvas.glimpse(frame, max(0.0, state.seconds - (monotonic() - begun)))
        before, state, begun = state, state.press(key), monotonic()
        if state.is_left:
            return Played(lesson, _focus(lesson, before), is_over=False)
        if state.needs_more:
            working = next(frames, None)
            if working is None:
                return Played(lesson, _focus(lesson, before), is_over=True)
            lesson, state = replace(lesson, working=working), state.grown()


def _focus(lesson: Lesson, state: Playback) -> Focus:
    return lesson.focus(replace(lesson.look, query=state.at))


def _sheet(lesson: Lesson, state: Playback, columns: int, rows: int) -> Sheet:
    focus = _focus(lesson, state)
    notice = lesson.notice(focus)
    top = header(lesson.demo.name, lesson.title, lesson.working.weights, notice, columns)
    body = [Text(), *draw(lesson.panels(focus), columns)]
    return sheet(top, body, (key_line(state.offers(), columns),), rows)
