"""The explorer's hands: Textual hears keys and the mouse, and puts each state on the terminal."""

from __future__ import annotations

import asyncio
import gc
import signal
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

from rich.segment import Segment
from textual.app import App, ComposeResult
from textual.strip import Strip
from textual.widget import Widget

from attn_study.render.explorer.targets import meant
from attn_study.render.output import fitted
from attn_study.screen.explorer.pressing import CLICK, pressed
from attn_study.screen.explorer.sight import sight
from attn_study.screen.keys import Press

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text
    from textual import events

    from attn_study.screen.explorer.state import State

WHEEL = 3  # lines


class Explorer(App[None], inherit_bindings=False):
    """Shows a state until the learner leaves; `state` is then the last one.

    `console` says which colours may be used and which characters its encoding has; `ascii` draws
    with ASCII alone.
    """

    CSS = "Sheet { width: 100%; height: 100%; }"
    ENABLE_COMMAND_PALETTE = False
    ALLOW_SELECT = False
    BINDINGS: ClassVar = []
    AUTO_FOCUS = "Sheet"

    def __init__(self, state: State, console: Console, *, ascii: bool = False) -> None:
        super().__init__(ansi_color=True)
        self.state = state
        self._drawn_on = console
        self._in_ascii = ascii

    def compose(self) -> ComposeResult:
        """Fill the screen with one sheet."""
        yield Sheet()

    def on_mount(self) -> None:
        """Leave cleanly also where another program ends this one."""
        gc.enable()  # a start does without; an hour of exploring should not
        loop = asyncio.get_running_loop()
        for name in ("SIGTERM", "SIGHUP", "SIGINT"):
            with suppress(AttributeError, NotImplementedError, RuntimeError, ValueError):
                loop.add_signal_handler(getattr(signal, name), self.exit)

    def lines(self, columns: int, rows: int) -> list[Text]:
        """Return the state as lines; how far its body is moved is put right on the way."""
        found, offset = sight(self.state, columns, rows)
        self.state = replace(self.state, scroll=offset)
        return found

    def segments(self, line: Text) -> list[Segment]:
        """Return a line in characters and colours that the terminal has."""
        console = self._drawn_on
        drawn = fitted(line, console.encoding, ascii=self._in_ascii)
        drawn.stylize_before(drawn.style)
        found = list(drawn.render(console))
        return list(Segment.remove_color(found)) if console.no_color else found

    def take(self, press: Press) -> None:
        """Take a press; leave, or show what came of it."""
        before = self.state.copied
        self.state = pressed(self.state, press)
        if self.state.copied and self.state.copied != before:
            self.copy_to_clipboard(self.state.copied)
        if self.state.page == "left":
            self.exit()
        else:
            self.query_one(Sheet).renew()


class Sheet(Widget, can_focus=True, inherit_bindings=False):
    """The whole screen as lines."""

    def __init__(self) -> None:
        super().__init__()
        self._lines: list[Text] = []

    @property
    def explorer(self) -> Explorer:
        """The app that this sheet is of."""
        assert isinstance(self.app, Explorer)
        return self.app

    def renew(self) -> None:
        """Draw the state as it is now."""
        self._lines = self.explorer.lines(*self.size)
        self.refresh()

    def on_resize(self) -> None:
        """Lay everything out anew."""
        self.renew()

    def render_line(self, y: int) -> Strip:
        """Return one line as it stands on the terminal."""
        if y >= len(self._lines):
            return Strip.blank(self.size.width)
        drawn = Strip(self.explorer.segments(self._lines[y]))
        return drawn.adjust_cell_length(self.size.width)

    def on_key(self, event: events.Key) -> None:
        """Hand on every key; none of them means anything to Textual."""
        event.stop()
        event.prevent_default()
        press = press_of(event.key, event.character)
        if press.key == "ctrl-z":
            self.app.action_suspend_process()
        else:
            self.explorer.take(press)

    def on_paste(self, event: events.Paste) -> None:
        """Hand on what was pasted: only a line that is typed takes it."""
        event.stop()
        self.explorer.take(Press("paste", event.text))

    def on_click(self, event: events.Click) -> None:
        """Hand on what a click is meant for."""
        means = meant(self._lines[event.y], event.x) if event.y < len(self._lines) else ""
        if means:
            self.explorer.take(Press(CLICK, means))

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """Move the body."""
        event.stop()
        self._scroll(WHEEL)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """Move the body."""
        event.stop()
        self._scroll(-WHEEL)

    def _scroll(self, by: int) -> None:
        explorer = self.explorer
        explorer.state = replace(explorer.state, scroll=max(0, explorer.state.scroll + by))
        self.renew()


NAMED = {"question_mark": "?", "left_square_bracket": "[", "right_square_bracket": "]"}


def press_of(key: str, character: str | None) -> Press:
    """Return the press for a key as Textual names it."""
    if key == "space":
        return Press("space")
    if character and character.isprintable():
        return Press(character)
    return Press(NAMED.get(key, key.replace("+", "-")))


def explore(state: State, console: Console, *, ascii: bool = False) -> State:
    """Show the explorer on the terminal until the learner leaves; return the last state."""
    explorer = Explorer(state, console, ascii=ascii)
    explorer.run()
    return explorer.state
