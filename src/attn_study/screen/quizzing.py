"""A quiz on a terminal: single keys, one frame a card."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attn_study.render.quiz import answer, following, question
from attn_study.screen.canvas import ESCAPED
from attn_study.screen.cards import LEAVE, REVEAL, CardScreen, no_such_answer

if TYPE_CHECKING:
    from attn_study.quiz import Turn


class QuizScreen(CardScreen):
    """Shows a quiz, card by card."""

    def question(self, turn: Turn) -> str | None:
        """Show the question; return what is answered, None when the learner leaves."""
        while True:
            if not turn.options:
                text = self._type(
                    lambda columns, rows: question(
                        turn, columns, self._words, typing=True, rows=rows
                    )
                )
                if text != ESCAPED:
                    return text
            key = self._key(lambda columns, rows: question(turn, columns, self._words, rows=rows))
            if key in LEAVE:
                return None
            if turn.options and (key in REVEAL or turn.numbered(key)):
                return turn.numbered(key)
            if turn.options and key.isdecimal():
                self.tell(no_such_answer(turn))

    def answer(self, turn: Turn) -> bool:
        """Show the question with its answer; return whether to go on."""
        while True:
            key = self._key(lambda columns, rows: answer(turn, columns, self._words, rows=rows))
            if key in LEAVE | REVEAL:
                return key in REVEAL
            if key == "d" and turn.demo:
                self._open_demo(turn, 0, predict=False)
            else:
                self.tell(f"the answer counts already: space {following(turn)}")
