"""The explorer's hands: Textual hears keys and the mouse, and puts each state on the terminal."""

from __future__ import annotations

import gc
import sys
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

from rich.segment import Segment
from textual import events
from textual.app import App, ComposeResult
from textual.strip import Strip
from textual.widget import Widget

from attn_study.render.explorer.targets import meant
from attn_study.render.output import fitted
from attn_study.screen.explorer.beside import beside
from attn_study.screen.explorer.ending import Ending, as_before, broken_off, told_to_end
from attn_study.screen.explorer.pressing import CLICK, pressed
from attn_study.screen.explorer.sight import sight, too_small
from attn_study.screen.keys import Press

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text
    from textual.driver import Driver

    from attn_study.screen.explorer.state import State

WHEEL = 3  # lines
PATIENCE = 0.15  # seconds without an answer after which it is said that one is computed
COMPUTING = "computing …   Ctrl-C leaves"


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
        super().__init__(driver_class=reader(), ansi_color=True)
        self.state = state
        self._drawn_on = console
        self._in_ascii = ascii
        self.ending: Ending | None = None
        self.broken: Exception | None = None

    def compose(self) -> ComposeResult:
        """Fill the screen with one sheet."""
        yield Sheet()

    def on_mount(self) -> None:
        """Leave cleanly also where another program ends this one."""
        gc.enable()  # a start does without; an hour of exploring should not
        self.ending = told_to_end(self.leave)
        self.app_resume_signal.subscribe(self, lambda _: self.draw_anew())

    async def on_event(self, event: events.Event) -> None:
        """Let Ctrl-C in before all that waits: it leaves at once."""
        if isinstance(event, events.Key) and event.key == "ctrl+c":
            self.leave()
        else:
            await super().on_event(event)

    def leave(self) -> None:
        """Leave; what is still waiting means nothing any more."""
        self.state = replace(self.state, page="left")
        self.exit()

    def draw_anew(self) -> None:
        """Draw everything once more, as after another program had the terminal."""
        self.query_one(Sheet).renew()
        self.refresh(layout=True)

    def _handle_exception(self, error: Exception) -> None:
        """Leave at a fault, which `explore` tells in one line; Textual would show its innards."""
        self.broken = self.broken or error
        self.exit(return_code=1)

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

    async def take(self, press: Press) -> None:
        """Take a press; leave, or show what came of it."""
        before = self.state
        sheet = self.query_one(Sheet)
        if before.page == "left":
            return None
        if press.key == "q" and too_small(*sheet.size):
            return self.leave()

        def waiting() -> None:
            self.state = before.told(COMPUTING)
            sheet.renew()

        after = await beside(lambda: pressed(before, press), PATIENCE, waiting)
        if self.state.page == "left":  # by Ctrl-C, while it was computed
            return None
        self.state = after
        if after.copied and after.copied != before.copied:
            self.copy_to_clipboard(after.copied)
        return self.leave() if after.page == "left" else sheet.renew_soon()


class Sheet(Widget, can_focus=True, inherit_bindings=False):
    """The whole screen as lines."""

    def __init__(self) -> None:
        super().__init__()
        self._lines: list[Text] = []
        self._is_stale = False

    @property
    def explorer(self) -> Explorer:
        """The app that this sheet is of."""
        assert isinstance(self.app, Explorer)
        return self.app

    def renew_soon(self) -> None:
        """Draw the state once the presses that wait are taken; of a burst, only the last."""
        if not self._is_stale:
            self._is_stale = True
            self.call_later(self.renew)

    def renew(self) -> None:
        """Draw the state as it is now."""
        self._is_stale = False
        if self.explorer.state.page == "left":
            return
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

    async def on_key(self, event: events.Key) -> None:
        """Hand on every key; none of them means anything to Textual."""
        event.stop()
        event.prevent_default()
        press = press_of(event.key, event.character)
        if press.key == "ctrl-z":
            self.app.action_suspend_process()
        else:
            await self.explorer.take(press)

    async def on_paste(self, event: events.Paste) -> None:
        """Hand on what was pasted: only a line that is typed takes it."""
        event.stop()
        await self.explorer.take(Press("paste", event.text))

    async def on_click(self, event: events.Click) -> None:
        """Hand on what a click is meant for."""
        means = meant(self._lines[event.y], event.x) if event.y < len(self._lines) else ""
        if means:
            await self.explorer.take(Press(CLICK, means))

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
        self.renew_soon()


def reader() -> type[Driver] | None:
    """Return what reads the terminal, None for Textual's own."""
    if sys.platform == "win32":  # its console marks no pastes, and sends characters, not bytes
        return None
    from attn_study.screen.explorer.driver import Driver

    return Driver


NAMED = {"question_mark": "?", "left_square_bracket": "[", "right_square_bracket": "]"}


def press_of(key: str, character: str | None) -> Press:
    """Return the press for a key as Textual names it."""
    if key == "space":
        return Press("space")
    if character and character.isprintable():
        return Press(character)
    return Press(NAMED.get(key, key.replace("+", "-")))


def explore(state: State, console: Console, *, ascii: bool = False) -> tuple[State, int]:
    """Show the explorer on the terminal until the learner leaves.

    Returns the last state and the signal that ended it, 0 where none did. Raises UserError, in
    one line, where the explorer breaks off.
    """
    explorer = Explorer(state, console, ascii=ascii)
    with as_before():
        try:
            explorer.run()
        except Exception as error:
            explorer.broken = explorer.broken or error
    if explorer.broken or explorer.return_code:
        raise broken_off(explorer.broken) from explorer.broken
    return explorer.state, explorer.ending.number if explorer.ending else 0
