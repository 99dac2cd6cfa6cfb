"""A review on a terminal: single keys, one frame a card."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attn_study.deck.kinds import kind
from attn_study.memory.words import KEYS
from attn_study.render.face import answer, question
from attn_study.render.frame import Frame
from attn_study.render.help import review_help
from attn_study.render.history import history
from attn_study.render.summary import summary
from attn_study.render.unasked import unasked, ways
from attn_study.screen.canvas import ESCAPED
from attn_study.screen.cards import LEAVE, REVEAL, CardScreen, bare, no_such_answer
from attn_study.sitting import Act

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager

    from rich.text import Text

    from attn_study.memory.fold import Past
    from attn_study.render.posed import Keys
    from attn_study.screen.terminal import Terminal
    from attn_study.sitting import Face, Summary, Wish

GRADES = {str(key): grade for key, grade in KEYS.items()}
OPENS: dict[str, Wish] = {"d": "demo", "x": "explore"}  # where a demo goes with the card
WISHES: dict[str, Wish] = {
    "u": "undo",
    "e": "edit",
    "b": "bury",
    "s": "suspend",
    "f": "flag",
    "i": "history",
    "?": "help",
}


class ReviewScreen(CardScreen):
    """Shows a review on `terminal`; `ascii` draws with ASCII alone.

    `closing` gives the lines of the last screen: what was done, and when the next card comes.
    """

    def __init__(
        self,
        terminal: Terminal,
        encoding: str,
        *,
        ascii: bool = False,
        closing: Callable[[Summary], list[Text]] = summary,
    ) -> None:
        super().__init__(terminal, encoding, ascii=ascii)
        self._closing = closing
        self._took_back = False

    def question(self, face: Face) -> Act:
        """Show the question; return any act but a grade."""
        typed = kind(face.card.kind).ANSWERED == "typed"
        took_back, self._took_back = self._took_back, False
        if face.fault:
            return self._unasked(face)
        while True:  # after an undo the keys come first, so that another may follow at once
            if typed and not took_back and (act := self._typed(face)):
                return act
            took_back = False
            key = self._key(lambda columns, rows: question(face, columns, self._words, rows=rows))
            if (key in REVEAL and not typed) or (chosen := face.numbered(key)):
                return Act("reveal", text="" if key in REVEAL else chosen)
            if key.isdecimal():
                self.tell(_not_yet(face))
            elif act := _common(key, face):
                self._took_back = act.wish == "undo"
                return act

    def _unasked(self, face: Face) -> Act:
        """Say why the card cannot be asked; return an act that neither shows nor grades it."""
        while True:
            key = self._key(lambda columns, rows: unasked(face, columns, self._words, rows))
            if act := _common(key, face):
                self._took_back = act.wish == "undo"
                return act
            self.tell(f"nothing grades it: {ways('b', 'e', 'q')}")

    def answer(self, face: Face) -> Act:
        """Show the answer under the question; return any act but `reveal`."""
        offered = {choice.grade for choice in face.choices}
        while True:
            key = self._key(lambda columns, rows: answer(face, columns, self._words, rows=rows))
            if key in GRADES and GRADES[key] in offered:
                return Act("grade", GRADES[key])
            if key in REVEAL or key in GRADES:
                self.tell(f"only these grade: {_grade_keys(face)}")
            elif act := _common(key, face):
                self._took_back = act.wish == "undo"
                return act

    def history(self, face: Face, rows: list[Past]) -> None:
        """Show what the log knows of the card."""
        self._page(lambda columns: history(face.card.id, face.state, rows, columns))

    def help(self) -> None:
        """Show what the keys and the grades mean."""
        self._page(review_help)

    def demo(self, face: Face, *, predict: bool) -> None:
        """Open the card's demo; with `predict` it asks before it shows."""
        self._open_demo(face, face.demo_seed, predict=predict)

    def explore(self, face: Face, *, predict: bool) -> None:
        """Open the card's demo in the explorer; with `predict` it asks before it shows."""
        from attn_study.screen.explorer.opening import from_card

        self.tell(from_card(face, self._terminal, ascii=self._ascii, predict=predict))

    def line(self, words: str) -> str:
        """Ask for a line of words; empty when the learner thinks better of it."""
        keys = (("enter", "keep"), ("esc", "back"))
        typed = self._canvas.line(
            lambda columns, rows: self._under_last(columns, rows, words, keys)
        )
        return "" if typed in (None, ESCAPED) else str(typed).strip()

    def confirm(self, words: str) -> bool:
        """Ask for a yes or a no."""
        keys = (("y", "yes"), ("n", "no"))
        while True:
            key = self._canvas.key(
                lambda columns, rows: self._under_last(columns, rows, words, keys)
            )
            if key in {"y", "n", "escape"} | LEAVE:
                return key == "y"

    def away(self) -> AbstractContextManager[None]:
        """Leave the terminal to another program for a while."""
        return self._terminal.paused()

    def finished(self, done: Summary) -> Act:
        """Show that nothing is left; return `undo` or `quit`."""
        keys = (("u", "undo"), ("q", "quit"))
        while True:
            key = self._key(
                lambda columns, _: bare(self._closing(done), columns, self._words, keys)
            )
            if key == "u":
                return Act("undo")
            if key in LEAVE | REVEAL | {"escape"}:
                return Act("quit")

    def _under_last(self, columns: int, rows: int, words: str, keys: Keys) -> Frame:
        """Return the frame shown last with other words and keys under it."""
        last = self._last(columns, rows)
        return Frame(last.header, last.body, bare([], columns, words, keys).footer)

    def _typed(self, face: Face) -> Act | None:
        """Read the typed answer; return nothing when the learner wants the other keys."""
        text = self._type(
            lambda columns, rows: question(face, columns, self._words, typing=True, rows=rows)
        )
        if text is None:
            return Act("quit")
        return None if text == ESCAPED else Act("reveal", text=text)


def _common(key: str, face: Face) -> Act | None:
    """Return what a key means on either side of a card."""
    if key in LEAVE:
        return Act("quit")
    if key in OPENS and face.demo:
        return Act(OPENS[key])
    return Act(WISHES[key]) if key in WISHES else None


def _not_yet(face: Face) -> str:
    """Return why a digit means nothing before the answer."""
    if face.options:
        return no_such_answer(face)
    return "the answer first: space shows it, then the grade"


def _grade_keys(face: Face) -> str:
    names = {choice.grade: choice.name for choice in face.choices}
    return " ".join(f"{key} {names[grade]}" for key, grade in GRADES.items() if grade in names)
