"""Asking for a number before it is computed: on a terminal, and line by line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from rich.text import Text

from attn_study.demos.choosing import ask
from attn_study.demos.compare import meaning, place
from attn_study.demos.picking import within
from attn_study.demos.question import grade
from attn_study.demos.stepping import stage
from attn_study.render.asked import part_lines, question_lines, verdict_lines
from attn_study.render.lesson import header, key_line, sheet
from attn_study.render.text import wrap
from attn_study.screen.canvas import ENDS, ESCAPED

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import TextIO

    from attn_study.demos.demo import Demo
    from attn_study.demos.question import Asked, Graded
    from attn_study.render.lesson import Sheet
    from attn_study.screen.canvas import Canvas

TITLE = "predict, then compute"
TYPING = (("enter", "answer"), ("esc", "back"))
ANSWERED = (("space", "another"), ("esc", "the lesson"), ("q", "quit"))
ONCE_MORE = "That cannot be read as an answer. Once more:"

After = Literal["another", "lesson", "back", "quit"]


class Prediction:
    """One question of a demo, from its seed; `name` names the question, else the seed chooses."""

    def __init__(self, demo: Demo, seed: int, name: str = "") -> None:
        self._demo = demo
        self._seed = seed
        self._asked = ask(demo, seed, name)
        self._answer: tuple[Graded, str] | None = None
        self._left: After = "back"

    def on(self, canvas: Canvas) -> After:
        """Ask on a terminal; return what the learner wants next.

        `back` is leaving before the answer, `lesson` after it.
        """
        self._answer = answered(self._asked, lambda words: self._typed(canvas, words))
        if self._answer is None:
            return self._left
        while True:
            key = canvas.key(self._answered_sheet)
            if key in {"space", "enter", "p"}:
                return "another"
            if key in ENDS | {"q"}:
                return "quit"
            if key == "escape":
                return "lesson"

    def line_by_line(
        self, source: TextIO, show: Callable[[Iterable[Text]], None], columns: int
    ) -> None:
        """Ask on lines: print the question, read one line, print what came of it.

        The end of the input ends it without a word.
        """
        show([*self._top(columns), Text(), *question_lines(self._asked, columns)])

        def read(words: str) -> str | None:
            show(_told(words, columns))
            line = source.readline()
            return line if line else None

        self._answer = answered(self._asked, read)
        if self._answer:
            show([Text(), *self._outcome(columns)])

    def lines(self, columns: int) -> list[Text]:
        """Return the question as it stands now, with the answer once there is one."""
        if not self._answer:
            return [*self._top(columns), Text(), *question_lines(self._asked, columns)]
        prompt = question_lines(self._asked, columns)
        return [*self._top(columns), Text(), *prompt, Text(), *self._outcome(columns)]

    def _typed(self, canvas: Canvas, words: str) -> str | None:
        typed = canvas.line(
            lambda columns, rows: sheet(
                self._top(columns),
                (Text(), *question_lines(self._asked, columns)),
                (*_told(words, columns), key_line(TYPING, columns)),
                rows,
            )
        )
        self._left = "quit" if typed is None else "back"
        return None if typed == ESCAPED else typed

    def _answered_sheet(self, columns: int, rows: int) -> Sheet:
        return sheet((), self.lines(columns), (key_line(ANSWERED, columns),), rows)

    def _top(self, columns: int) -> list[Text]:
        return header(self._demo.name, TITLE, f"seed {self._seed}", "", columns)

    def _outcome(self, columns: int) -> list[Text]:
        return outcome(self._demo, self._asked, self._answer, columns) if self._answer else []


def outcome(demo: Demo, asked: Asked, answer: tuple[Graded, str], columns: int) -> list[Text]:
    """Return what came of an answer: right or not, where it went wrong, and the way to it."""
    graded, typed = answer
    working = asked.working
    focus = within(working.trace, asked.focus)
    wrong = graded.mistake
    step = place(wrong, working.trace) if wrong else ""
    went = stage(working, step, focus) if step else ()
    stands = asked.step if not went and asked.step in working.trace else ""
    way = asked.solution or (stage(working, stands, focus) if stands else ())
    mistake = meaning(wrong) if wrong else ""
    return [
        *verdict_lines(asked, graded, typed, mistake, columns),
        *part_lines("Here it went wrong:", went, columns),
        *part_lines("The way to the answer:", way, columns),
        *part_lines("All of it:", demo.panels(working, focus), columns),
    ]


def _told(words: str, columns: int) -> list[Text]:
    lines = wrap(words, max(1, columns - 2)) if words else []
    return [Text(f" {line}", "yellow") for line in lines]


def answered(asked: Asked, read: Callable[[str], str | None]) -> tuple[Graded, str] | None:
    """Read an answer and grade it; None when nothing is typed any more.

    `read` is given words to show. What cannot be read as an answer is asked for once more.
    """
    typed = read("")
    if typed is None:
        return None
    graded = grade(asked, typed)
    if not graded.readable:
        typed = read(ONCE_MORE)
        if typed is None:
            return None
        graded = grade(asked, typed)
    return graded, typed
