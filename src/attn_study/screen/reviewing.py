"""A review on a terminal: single keys, one frame a card."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from attn_study.deck.kinds import kind
from attn_study.errors import UserError
from attn_study.memory.sm2 import Grade
from attn_study.render.face import answer, key_line, question
from attn_study.render.frame import Frame
from attn_study.render.help import review_help
from attn_study.render.history import history
from attn_study.render.output import fitted
from attn_study.render.summary import summary
from attn_study.render.text import paragraphs, safe
from attn_study.screen.line import Line
from attn_study.sitting import Act

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager

    from attn_study.memory.event import Event
    from attn_study.screen.keys import Press
    from attn_study.screen.terminal import Terminal
    from attn_study.sitting import Face, Summary, Wish

LEAVE = {"q", "ctrl-c", "ctrl-d", "eof"}
REVEAL = {"space", "enter"}
GRADES = {"1": Grade.WRONG, "2": Grade.HARD, "3": Grade.HESITANT, "4": Grade.PERFECT}
WISHES: dict[str, Wish] = {"u": "undo", "e": "edit", "b": "bury", "s": "suspend", "i": "history"}
SCROLL = {"up": -1, "down": 1, "pageup": -10, "pagedown": 10}  # lines
REDRAW = {"resize", "resume"}
SEVERAL = {"paste", "burst"}


class ReviewScreen:
    """Shows a review on `terminal`; `ascii` draws with ASCII alone."""

    def __init__(self, terminal: Terminal, encoding: str, *, ascii: bool = False) -> None:
        self._terminal = terminal
        self._encoding = encoding
        self._ascii = ascii
        self._words = ""

    def question(self, face: Face) -> Act:
        """Show the question; return any act but a grade."""
        if kind(face.card.kind).TYPED:
            act = self._typed(face)
            if act:
                return act
        while True:
            key = self._key(lambda columns: question(face, columns, self._words))
            if key in REVEAL:
                return self.question(face) if kind(face.card.kind).TYPED else Act("reveal")
            if key in GRADES:
                self.tell("the answer first: space shows it, then the grade")
            act = self._common(key, face)
            if act:
                return act

    def answer(self, face: Face) -> Act:
        """Show the answer under the question; return any act but `reveal`."""
        offered = {choice.grade for choice in face.choices}
        while True:
            key = self._key(lambda columns: answer(face, columns, self._words))
            if key in GRADES and GRADES[key] in offered:
                return Act("grade", GRADES[key])
            if key in REVEAL or key in GRADES:
                names = " ".join(f"{key} {name}" for key, name in _keys(face))
                self.tell(f"only these grade: {names}")
            act = self._common(key, face)
            if act:
                return act

    def tell(self, words: str) -> None:
        """Say something that the next frame still shows."""
        self._words = f"{self._words}\n{words}".strip()

    def history(self, face: Face, events: list[Event], undone: set[str]) -> None:
        """Show what the log knows of the card."""
        self._page(lambda columns: history(face.card.id, face.state, events, undone, columns))

    def demo(self, face: Face, *, predict: bool) -> None:
        """Open the card's demo; with `predict` it asks before it shows."""
        from attn_study.demos import load
        from attn_study.screen.demoing import DemoScreen

        shown = DemoScreen(self._terminal, self._encoding, ascii=self._ascii)
        try:
            shown.show(load(face.demo), dict(face.card.knobs), predict=predict)
        except UserError as error:
            self.tell(str(error))

    def confirm(self, words: str) -> bool:
        """Ask for a yes or a no."""
        keys = (("y", "yes"), ("n", "no"))
        while True:
            key = self._key(lambda columns: _plain_frame([], columns, words, keys))
            if key in {"y", "n", "escape"} | LEAVE:
                return key == "y"

    def away(self) -> AbstractContextManager[None]:
        """Leave the terminal to another program for a while."""
        return self._terminal.paused()

    def finished(self, summary_now: Summary) -> Act:
        """Show that nothing is left; return `undo` or `quit`."""
        keys = (("u", "undo"), ("q", "quit"))
        while True:
            key = self._key(
                lambda columns: _plain_frame(summary(summary_now), columns, self._words, keys)
            )
            if key == "u":
                return Act("undo")
            if key in LEAVE | REVEAL | {"escape"}:
                return Act("quit")

    def _common(self, key: str, face: Face) -> Act | None:
        """Return what a key means on either side of a card."""
        if key == "d" and face.demo:
            return Act("demo")
        if key in LEAVE:
            return Act("quit")
        if key in WISHES:
            return Act(WISHES[key])
        if key == "?":
            self._page(review_help)
        if key == "f":
            words = self._line("What is wrong with this card?")
            if words:
                return Act("flag", text=words)
        return None

    def _page(self, lines: Callable[[int], list[Text]]) -> None:
        """Show lines until a key is pressed."""
        self._key(lambda columns: _plain_frame(lines(columns), columns, "", (("any key", "back"),)))

    def _key(self, frame: Callable[[int], Frame]) -> str:
        """Draw the frame and return the key that answers it; scroll and redraw meanwhile.

        What was typed before the frame stood there is dropped, and so is what came in one go.
        """
        offset = 0
        seen = False
        while True:
            columns, rows = self._terminal.size
            shown = frame(columns)
            offset = max(0, min(offset, shown.last_offset(rows)))
            self._draw(shown.fit(columns, rows, offset))
            press = self._press(first=not seen)
            seen = True
            if press is None or press.key in REDRAW:
                continue
            if press.key in SCROLL:
                offset += SCROLL[press.key]
            elif press.key in SEVERAL:
                self._words = "several keys came at once and were not taken; press one"
            else:
                self._words = ""
                return press.key

    def _typed(self, face: Face) -> Act | None:
        """Read the typed answer; return nothing when the learner wants the other keys."""
        text = self._edit(lambda columns: question(face, columns, self._words, typing=True))
        if text is None:
            return None
        return Act("quit") if text == END else Act("reveal", text=text)

    def _line(self, prompt: str) -> str:
        """Ask for a line; empty when the learner thinks better of it."""
        keys = (("enter", "keep"), ("esc", "back"))
        text = self._edit(lambda columns: _plain_frame([], columns, prompt, keys))
        return "" if text is None or text == END else text.strip()

    def _edit(self, frame: Callable[[int], Frame]) -> str | None:
        """Let a line be typed under a frame: its text on enter, None on escape, END at the end."""
        line = Line()
        offset = 0
        seen = False
        while True:
            columns, rows = self._terminal.size
            shown = frame(columns)
            visible, column = line.view(max(1, columns - 4))
            prompt = Text.assemble((" > ", "bold cyan"), visible)
            whole = Frame(shown.header, shown.body, (prompt, *shown.footer))
            offset = max(0, min(offset, whole.last_offset(rows)))
            row = len(whole.header) + whole.room(rows) + 1
            self._draw(whole.fit(columns, rows, offset), cursor=(column + 3, min(row, rows - 1)))
            press = self._press(first=not seen)
            seen = True
            if press is None or press.key in REDRAW:
                continue
            if press.key == "escape":
                self._words = ""
                return None
            if press.key in LEAVE - {"q"}:
                return END
            if press.key == "enter":
                self._words = ""
                return line.text
            offset += SCROLL.get(press.key, 0)
            line = line.press(press)

    def _press(self, *, first: bool) -> Press | None:
        """Return the next press; the first after a new frame was not typed ahead of it."""
        if first:
            self._terminal.drop()
        return self._terminal.read()

    def _draw(self, lines: list[Text], cursor: tuple[int, int] | None = None) -> None:
        self._terminal.draw(
            [fitted(line, self._encoding, ascii=self._ascii) for line in lines], cursor
        )


END = "\x04"  # what no line can hold: the learner leaves


def _keys(face: Face) -> list[tuple[str, str]]:
    names = {choice.grade: choice.name for choice in face.choices}
    return [(key, names[grade]) for key, grade in GRADES.items() if grade in names]


def _plain_frame(
    lines: list[Text], columns: int, words: str, keys: tuple[tuple[str, str], ...]
) -> Frame:
    """Return a screen of lines with words under them."""
    said = [Text(f" {line}") for line in paragraphs(safe(words), max(1, columns - 2)) if words]
    return Frame((), tuple(lines), (*said, *key_line(keys, columns)))
