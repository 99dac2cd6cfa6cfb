"""A review line by line: for pipes, screen readers, and terminals that cannot draw.

No boxes and no redrawing, one fact a line. An empty line reveals; the next line is the grade, by
number or name. On a typed card the first line is always the answer. Commands begin with `:`. An
empty grade line asks again. The end of the input ends the sitting.
"""

from __future__ import annotations

from contextlib import nullcontext
from typing import TYPE_CHECKING

from attn_study.deck.kinds import kind
from attn_study.errors import UserError
from attn_study.memory.sm2 import Grade
from attn_study.memory.words import GRADE_NAMES
from attn_study.render.face import counts, days, leech
from attn_study.render.history import history
from attn_study.render.plain import ENDLESS, PAGE, answer_lines, question_lines
from attn_study.render.posed import place_of
from attn_study.render.unasked import NOTHING_GRADED, reason, ways
from attn_study.screen.lines import NO_DEMO, Lines, how, no_command, no_such_answer
from attn_study.screen.settled import demo_at
from attn_study.sitting import Act

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from attn_study.memory.fold import Past
    from attn_study.sitting import Choice, Face, Summary, Wish

COMMANDS: dict[str, Wish] = {
    ":undo": "undo",
    ":edit": "edit",
    ":bury": "bury",
    ":suspend": "suspend",
    ":history": "history",
    ":demo": "demo",
    ":explore": "explore",
    ":help": "help",
    ":quit": "quit",
}
WAYS = ". :edit rewrites or splits it, :suspend puts it away"
HELP = (
    "An empty line shows the answer; then a grade: 1 again, 2 hard, 3 good, 4 easy. "
    "On a card that wants an answer typed, the first line is that answer. "
    "Commands: :undo :demo :edit :bury :suspend :history :flag WORDS :help :quit"
)


class PlainScreen(Lines):
    """Holds a review on lines."""

    def question(self, face: Face) -> Act:
        """Show the question; return any act but a grade."""
        typed = kind(face.card.kind).ANSWERED == "typed"
        self._say("")
        self._say(f"{place_of(face.card, named=False)}  ({counts(face.plan)})")
        if face.fault:
            return self._unasked(face)
        self._show(question_lines(face))
        self._say(how(face))
        while True:
            line = self._read()
            act = self._command(line)
            if act:
                return act
            if line is not None and line.startswith(":") and not typed:
                self._say(no_command(line))
            elif line and (chosen := face.named(line)):
                return Act("reveal", text=chosen)
            elif line and face.options:
                self._say(no_such_answer(face))
            elif line is not None and (typed or not line):
                return Act("reveal", text=line)
            elif line is not None and not line.startswith(":"):
                self._say("The answer first: an empty line shows it, then the grade.")

    def _unasked(self, face: Face) -> Act:
        """Say why the card cannot be asked; return an act that neither shows nor grades it."""
        for line in (*reason(face), NOTHING_GRADED):
            self._say(line)
        while True:
            self._say(ways(":bury", ":edit", ":quit"))
            if act := self._command(self._read()):
                return act

    def answer(self, face: Face) -> Act:
        """Show the answer; return any act but `reveal`."""
        self._show(answer_lines(face))
        if why := leech(face, WAYS):
            self._say(why)
        self._say("; ".join(_offer(choice) for choice in face.choices))
        while True:
            line = self._read()
            act = self._command(line)
            if act:
                return act
            graded = self._grade(line or "", face)
            if graded:
                return graded
            self._say("a grade, please: " + ", ".join(_short(choice) for choice in face.choices))

    def history(self, face: Face, rows: list[Past]) -> None:
        """Show what the log knows of the card."""
        self._show(history(face.card.id, face.state, rows, ENDLESS)[1:])

    def demo(self, face: Face, *, predict: bool) -> None:
        """Show the card's demo; with `predict` it asks for a number first, on a line."""
        if not predict:
            self._show_demo(face)
            return
        if not face.demo:
            self._say(NO_DEMO)
            return
        from attn_study.demos.lesson import asking
        from attn_study.screen.asking import Prediction

        try:
            demo, given = demo_at(face)
            asked = Prediction(asking(demo, given), face.demo_seed)
            asked.line_by_line(self._source, self._show, PAGE)
        except UserError as error:
            self._say(str(error))

    def explore(self, face: Face, *, predict: bool) -> None:
        """Say why there is nothing to play with on lines, and what there is."""
        self._say("the explorer draws on a whole terminal; :demo shows the demo line by line")

    def help(self) -> None:
        """Say what the lines and the grades mean."""
        self._say(HELP)

    def line(self, words: str) -> str:
        """Ask for a line of words."""
        self._say(words)
        return self._read() or ""

    def confirm(self, words: str) -> bool:
        """Ask for a yes or a no."""
        self._say(f"{words} (yes or no)")
        return (self._read() or "").casefold() in {"y", "yes"}

    def away(self) -> AbstractContextManager[None]:
        """Nothing is drawn that would have to make way."""
        return nullcontext()

    def finished(self, summary: Summary) -> Act:
        """Say that nothing is left; return `undo` or `quit`."""
        self._say("Nothing is left for now. :undo takes the last answer back; an empty line ends.")
        return Act("undo") if self._read() == ":undo" else Act("quit")

    def _command(self, line: str | None) -> Act | None:
        if line is None:
            return Act("quit")
        name, _, words = line.partition(" ")
        if name == ":flag" and words.strip():
            return Act("flag", text=words.strip())
        return Act(COMMANDS[line]) if line in COMMANDS else None

    def _grade(self, line: str, face: Face) -> Act | None:
        """Return the grade that a line names, by its number or by a name on offer."""
        for choice in face.choices:
            named = {str(choice.key), choice.name, GRADE_NAMES[choice.grade]}
            if line.casefold() in named:
                return Act("grade", Grade(choice.grade))
        return None


def _short(choice: Choice) -> str:
    return f"{choice.key} {choice.name}"


def _offer(choice: Choice) -> str:
    said = f"{_short(choice)} {days(choice.interval)}".strip()
    return f"{said} {choice.consequence}".strip()
