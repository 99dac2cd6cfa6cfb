"""A quiz line by line: for pipes, screen readers, and terminals that cannot draw.

The first line after a question is its answer; an empty one goes on, and any other is the answer to
the next question. Commands begin with `:`. The end of the input ends the quiz.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from attn_study.render.plain import answer_lines, question_lines
from attn_study.render.posed import place_of
from attn_study.render.quiz import following, progress
from attn_study.screen.lines import Lines, how, no_command, no_such_answer

if TYPE_CHECKING:
    from attn_study.quiz import Turn

LATER = "The demo comes after the answer."
HELP = (
    "The first line is the answer: the number or the text of an option, or what you type. "
    "After the answer an empty line goes on. Commands: :demo :help :quit"
)


class QuizLines(Lines):
    """Holds a quiz on lines."""

    _ahead: str | None = None

    def question(self, turn: Turn) -> str | None:
        """Show the question; return what is answered, None when the learner leaves."""
        self._say("")
        self._say(f"{place_of(turn.card, named=False)}  ({progress(turn)})")
        self._show(question_lines(turn))
        self._say(how(turn))
        while True:
            line = self._next()
            if line is None or line == ":quit":
                return None
            if line in {":help", ":demo"}:
                self._say(HELP if line == ":help" else LATER)
            elif not turn.options:
                return line
            elif line.startswith(":"):
                self._say(no_command(line))
            elif not line or turn.named(line):
                return turn.named(line)
            else:
                self._say(no_such_answer(turn))

    def _next(self) -> str | None:
        """Return the line that was given ahead, else the next one."""
        line, self._ahead = self._ahead, None
        return self._read() if line is None else line

    def answer(self, turn: Turn) -> bool:
        """Show how the answer compares; return whether to go on."""
        self._say(turn.card.id)
        self._show(answer_lines(turn))
        demo = f"; :demo shows {turn.demo}" if turn.demo else ""
        self._say(f"Empty line: {following(turn)}{demo}.")
        while True:
            line = self._read()
            if not line:
                return line is not None
            if line == ":quit":
                return False
            if line == ":demo":
                self._show_demo(turn)
            elif line == ":help":
                self._say(HELP)
            elif line.startswith(":"):
                self._say(no_command(line))
            else:
                self._ahead = line
                return True
