"""Cards on a terminal, one frame each: what a review and a quiz have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from attn_study.errors import UserError
from attn_study.render.frame import Frame
from attn_study.render.posed import key_line
from attn_study.render.text import paragraphs, safe, wrap
from attn_study.screen.canvas import ENDS, Canvas
from attn_study.screen.settled import demo_at, lesson_at

if TYPE_CHECKING:
    from collections.abc import Callable

    from attn_study.posed import Posed
    from attn_study.render.posed import Keys
    from attn_study.screen.terminal import Terminal

    Draw = Callable[[int, int], Frame]  # from columns and rows

LINE = 1  # row under the card in which an answer is typed
ENOUGH = ((40, 8), (20, 12))  # columns, rows: a card and its keys are in sight
LEAVE = {"q"} | ENDS
REVEAL = {"space", "enter"}


class CardScreen:
    """Shows cards on `terminal`; `ascii` draws with ASCII alone."""

    def __init__(self, terminal: Terminal, encoding: str, *, ascii: bool = False) -> None:
        self._terminal = terminal
        self._encoding = encoding
        self._ascii = ascii
        self._canvas = Canvas(terminal, encoding, ascii=ascii, enough=ENOUGH)
        self._words = ""
        self._last: Draw = lambda columns, rows: Frame((), (), ())

    def tell(self, words: str) -> None:
        """Say something that the next frame still shows."""
        self._words = f"{self._words}\n{words}".strip()

    def _key(self, frame: Draw) -> str:
        """Return the key that answers a frame; what was said is said once."""
        self._last = frame
        key = self._canvas.key(frame, self._crowded)
        self._words = ""
        return key

    def _type(self, frame: Draw) -> str | None:
        """Return the answer typed under a frame, as `Canvas.line` does."""
        text = self._canvas.line(lambda columns, rows: frame(columns, rows - LINE), empty=True)
        self._words = ""
        return text

    def _page(self, lines: Callable[[int], list[Text]]) -> None:
        """Show lines until a key is pressed."""
        self._key(lambda columns, _: bare(lines(columns), columns, "", (("any key", "back"),)))

    def _crowded(self) -> None:
        self._words = "several keys came at once and were not taken; press one"

    def _open_demo(self, face: Posed, seed: int, *, predict: bool) -> None:
        """Open the card's demo, at what was asked once that is answered.

        Its first question is from `seed`.
        """
        from attn_study.demos.lesson import asking
        from attn_study.screen.demoing import DemoScreen
        from attn_study.screen.viewing import View

        shown = DemoScreen(self._terminal, self._encoding, ascii=self._ascii, seed=seed)
        try:
            demo, knobs = demo_at(face)
            if predict or demo.play:
                shown.show(asking(demo, knobs), knobs, predict=predict)
            else:
                at = lesson_at(face)
                shown.show_from(at.lesson, View.of(at.lesson, at.focus))
        except UserError as error:
            self.tell(str(error))


def no_such_answer(face: Posed) -> str:
    """Return why a number chooses nothing."""
    return f"there is no such answer: 1 to {len(face.options)}"


def bare(lines: list[Text], columns: int, words: str, keys: Keys) -> Frame:
    """Return a screen of lines, whole however narrow it is, with words under them."""
    width = max(1, columns - 2)
    body = [
        Text(f" {part}", line.style) if line.cell_len > columns else line
        for line in lines
        for part in (wrap(line.plain.strip(), width) if line.cell_len > columns else [line.plain])
    ]
    said = [Text(f" {line}", "yellow") for line in paragraphs(safe(words), width) if words]
    return Frame((), tuple(body), (*said, *key_line(keys, columns)))
