"""Cards line by line: what a review and a quiz have in common without a screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from attn_study.deck.kinds import kind
from attn_study.errors import UserError
from attn_study.render.plain import PAGE
from attn_study.render.text import safe
from attn_study.screen.settled import lesson_at

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import TextIO

    from attn_study.posed import Posed

NO_DEMO = "no demo goes with this card"


class Lines:
    """Reads lines from `source` and hands lines to `show`."""

    def __init__(self, source: TextIO, show: Callable[[Iterable[Text]], None]) -> None:
        self._source = source
        self._show = show

    def tell(self, words: str) -> None:
        """Say something."""
        self._say(words)

    def _say(self, words: str) -> None:
        self._show(Text(line) for line in safe(words).split("\n"))

    def _read(self) -> str | None:
        """Return the next line without its blanks, None at the end of the input."""
        try:
            line = self._source.readline()
        except KeyboardInterrupt:
            self._say("")
            return None
        return line.strip() if line else None

    def _show_demo(self, face: Posed) -> None:
        """Show the card's demo, or say why it cannot be shown."""
        if not face.demo:
            self._say(NO_DEMO)
            return
        try:
            self._show(_lesson(face))
        except UserError as error:
            self._say(str(error))


def how(face: Posed) -> str:
    """Return what the line after a question is taken for."""
    answered = kind(face.card.kind).ANSWERED
    if answered == "chosen":
        return f"A number from 1 to {len(face.options)}; an empty line: no idea."
    return "Type the answer." if answered == "typed" else "Empty line: answer."


def no_command(line: str) -> str:
    """Return what is said of a command that there is not."""
    return f"no command {line}; :help lists them"


def no_such_answer(face: Posed) -> str:
    """Return why a line chooses nothing."""
    return f"there is no such answer: 1 to {len(face.options)}, or an empty line"


def _lesson(face: Posed) -> list[Text]:
    """Return the card's demo as lines."""
    from attn_study.render.lesson import lesson_page

    at = lesson_at(face)
    return lesson_page(at.lesson, PAGE, at.focus)
