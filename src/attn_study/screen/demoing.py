"""A lesson on a terminal: one screen, moved through with single keys."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from rich.text import Text

from attn_study.demos.compare import brief, telling
from attn_study.demos.lesson import Lesson
from attn_study.errors import UserError
from attn_study.render.lesson import header, key_line, named_lines, sheet
from attn_study.render.panels import draw
from attn_study.render.text import safe, wrap
from attn_study.screen.asking import Prediction
from attn_study.screen.canvas import ENDS, Canvas
from attn_study.screen.playback import FPS, LEAPS
from attn_study.screen.playing import play
from attn_study.screen.viewing import CHOICES, View

if TYPE_CHECKING:
    from collections.abc import Mapping

    from attn_study.demos.demo import Demo, Play
    from attn_study.demos.working import Working
    from attn_study.render.lesson import Sheet
    from attn_study.screen.terminal import Terminal


class DemoScreen:
    """Shows lessons on `terminal`; `seed` is that of the first question, the next has the next."""

    def __init__(
        self, terminal: Terminal, encoding: str, *, ascii: bool = False, seed: int = 0
    ) -> None:
        self._canvas = Canvas(terminal, encoding, ascii=ascii)
        self._seed = seed

    def show(
        self, demo: Demo, knobs: Mapping[str, object], *, predict: bool = False, question: str = ""
    ) -> list[Text]:
        """Show a demo until the learner leaves; return the lines of what was last in view.

        With `predict` a number is asked for first, by the question of that name or one that the
        seed chooses; leaving before the answer then leaves the demo. Raises UserError for knobs
        that cannot be.
        """
        if demo.play and not predict:
            return self.watch(demo, demo.play, knobs)
        lesson = Lesson.of(demo, knobs)
        if predict:
            after, lines = self._predict(demo, question)
            if after != "lesson":
                return lines
        return self.show_from(lesson, View.of(lesson, lesson.look))

    def watch(
        self, demo: Demo, part: Play, knobs: Mapping[str, object], fps: float = FPS
    ) -> list[Text]:
        """Play a demo, then show its lesson at the last moment; return the lines last in view."""
        while True:
            played = play(self._canvas, demo, part, knobs, fps)
            view = View.of(played.lesson, played.focus)
            if not played.is_over:
                return _Pages(played.lesson).lines(view, self._canvas.columns)
            wish, lines = self._show_from(played.lesson, view)
            if wish != "again":
                return lines

    def show_from(self, lesson: Lesson, view: View) -> list[Text]:
        """Show a lesson from a page of it on; return the lines of what was last in view."""
        wish, lines = self._show_from(lesson, view)
        if wish == "again" and lesson.demo.play:
            return self.watch(lesson.demo, lesson.demo.play, lesson.knobs)
        return lines

    def _show_from(self, lesson: Lesson, view: View) -> tuple[str, list[Text]]:
        """Return whether the learner leaves or plays it again, and the lines last in view."""
        pages = _Pages(lesson)
        while True:
            own = LEAPS if view.limits.plays and view.page == "lesson" else ()
            key = self._canvas.key(partial(pages.sheet, view), own=own)
            after = pages.turn(view, key)
            if key in ENDS or after.page == "left":
                return "left", pages.lines(view, self._canvas.columns)
            if after.page == "again":
                return "again", pages.lines(view, self._canvas.columns)
            if after.page != "predict":
                view = after
                continue
            wish, lines = self._predict(lesson.asking, "")
            if wish == "quit":
                return "left", lines

    def _predict(self, demo: Demo, question: str) -> tuple[str, list[Text]]:
        """Ask until the learner wants no other; return what they want, and the last lines."""
        while True:
            prediction = Prediction(demo, self._seed, question)
            self._seed += 1
            after = prediction.on(self._canvas)
            if after != "another":
                return after, prediction.lines(self._canvas.columns)


class _Pages:
    """The pages of one lesson, drawn; wrong computations are kept once made."""

    def __init__(self, lesson: Lesson) -> None:
        self._lesson = lesson
        self._wrong: dict[str, Working | str] = {}

    def turn(self, view: View, key: str) -> View:
        """Return the view after a key; a mistake opens at a row that shows it."""
        after = view.press(key)
        if after.page == "compare" and view.page != "compare":
            wrong = self._computed(after.mistake)
            if not isinstance(wrong, str):
                focus = telling(self._lesson.working, wrong, view.focus)
                return replace(after, focus=focus, kept=view.focus)
        return after

    def sheet(self, view: View, columns: int, rows: int) -> Sheet:
        said = [Text(f" {line}", "yellow") for line in wrap(view.words, columns - 2) if line]
        footer = (*said, key_line(view.offers(), columns))
        return sheet(self._top(view, columns), self._body(view, columns), footer, rows)

    def lines(self, view: View, columns: int) -> list[Text]:
        return [*self._top(view, columns), *self._body(view, columns)]

    def _top(self, view: View, columns: int) -> list[Text]:
        lesson = self._lesson
        notice = lesson.notice(view.focus)
        return header(lesson.demo.name, lesson.title, lesson.working.weights, notice, columns)

    def _body(self, view: View, columns: int) -> list[Text]:
        lesson = self._lesson
        if view.page == "help":
            return [Text(), *named_lines(view.helps(), columns)]
        if view.page == "mistakes":
            names = zip(CHOICES, lesson.demo.mistakes, strict=False)
            rows = [(f"{key} {name}", brief(name)) for key, name in names]
            return [Text(), *named_lines(rows, columns)]
        if view.page == "compare":
            wrong = self._computed(view.mistake)
            if isinstance(wrong, str):
                return [Text(), *(Text(f" {line}") for line in wrap(safe(wrong), columns - 2))]
            return [Text(), *draw(lesson.compared(view.mistake, wrong, view.focus), columns)]
        if view.page == "step":
            return [Text(), *draw(lesson.stage(view.stage, view.focus), columns)]
        panels = lesson.matrices if view.page == "matrices" else lesson.panels
        return [Text(), *draw(panels(view.focus), columns)]

    def _computed(self, mistake: str) -> Working | str:
        """Return the wrong working, or in words why there is none with these numbers."""
        if mistake not in self._wrong:
            try:
                self._wrong[mistake] = self._lesson.wrong(mistake)
            except UserError as error:
                self._wrong[mistake] = str(error)
        return self._wrong[mistake]
