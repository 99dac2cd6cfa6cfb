"""The explorer in Textual: real key and mouse events reach the state, and it stands on screen."""

from __future__ import annotations

import asyncio
import io
import os
import sys
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console
from textual import events

from attn_study.errors import UserError
from attn_study.screen.explorer.app import Explorer, Sheet, explore, press_of
from attn_study.screen.explorer.ending import as_before, broken_off
from attn_study.screen.explorer.pastes import Pastes
from attn_study.screen.keys import Press
from explorer_helpers import opened

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from pathlib import Path

    from textual.pilot import Pilot

    from attn_study.screen.explorer.state import State

    Play = Callable[[Explorer, Pilot[None]], Awaitable[None]]


def console(**settings: object) -> Console:
    return Console(
        file=io.TextIOWrapper(io.BytesIO(), "utf-8"),
        force_terminal=True,
        color_system="truecolor",
        **settings,  # type: ignore[arg-type]
    )


def play(
    script: Play,
    state: State | None = None,
    size: tuple[int, int] = (80, 24),
    *,
    ascii: bool = False,
    no_color: bool = False,
) -> State:
    """Run the explorer without a terminal while a script plays; return the last state."""
    explorer = Explorer(state or opened(), console(no_color=no_color), ascii=ascii)

    async def running() -> None:
        async with explorer.run_test(size=size) as pilot:
            await script(explorer, pilot)

    asyncio.run(running())
    assert explorer.broken is None
    return explorer.state


def keys(*pressed: str) -> Play:
    async def script(_: Explorer, pilot: Pilot[None]) -> None:
        await pilot.press(*pressed)

    return script


def shown(explorer: Explorer) -> list[str]:
    """What the widget hands to the terminal, line by line."""
    sheet = explorer.query_one(Sheet)
    return ["".join(s.text for s in sheet.render_line(y)) for y in range(sheet.size.height)]


@pytest.mark.parametrize(
    ("pressed", "press"),
    [
        (("left", None), "left"),
        (("space", " "), "space"),
        (("question_mark", "?"), "?"),
        (("left_square_bracket", "["), "["),
        (("q", "q"), "q"),
        (("ctrl+c", "\x03"), "ctrl-c"),
        (("enter", "\r"), "enter"),
        (("tab", "\t"), "tab"),
        (("backspace", "\x7f"), "backspace"),
        (("upper_a", "A"), "A"),
        (("é", "é"), "é"),
    ],
)
def test_keys_have_the_names_of_the_review(pressed: tuple[str, str | None], press: str) -> None:
    assert press_of(*pressed) == Press(press)


def test_arrows_and_letters_reach_the_state() -> None:
    state = play(keys("left", "down", "k", "right_square_bracket"))
    assert (state.scene.mistake, state.scene.given) == ("no-mask", {"temperature": "2"})


def test_letters_typed_into_a_line_are_not_keys() -> None:
    state = play(keys("e", "down", "enter", *"q c?", "enter"))
    assert state.scene.given["text"] == "q c?"


def test_tab_and_escape_are_ours() -> None:
    state = play(keys("n", "tab"))
    assert state.matrix == "w_q"
    assert play(keys("n", "escape")).page == "look"


@pytest.mark.parametrize("key", ["q", "ctrl+c", "ctrl+d", "escape"])
def test_it_ends_when_it_is_left(key: str) -> None:
    async def script(explorer: Explorer, pilot: Pilot[None]) -> None:
        await pilot.press(key)
        await pilot.pause()
        assert not explorer.is_running

    assert play(script).page == "left"


def test_a_click_on_a_token_and_on_a_number_reaches_the_state() -> None:
    async def script(explorer: Explorer, pilot: Pilot[None]) -> None:
        lines = shown(explorer)
        row = next(y for y, line in enumerate(lines) if "tokens" in line)
        await pilot.click(Sheet, offset=(lines[row].index("The"), row))
        assert explorer.state.focus.query == 0
        row = next(y for y, line in enumerate(lines) if "X [3×4]" in line) + 1
        await pilot.click(Sheet, offset=(lines[row].index("1"), row))
        assert (explorer.state.page, explorer.state.matrix) == ("number", "x")
        await pilot.press("5", "enter")

    assert play(script).scene.given == {"set": "x.1.1=5"}


def test_the_wheel_moves_the_body() -> None:
    async def script(explorer: Explorer, pilot: Pilot[None]) -> None:
        sheet = explorer.query_one(Sheet)
        before = shown(explorer)
        wheel = events.MouseScrollDown(sheet, 5, 5, 0, 1, 0, False, False, False)
        sheet.post_message(wheel)
        await pilot.pause()
        assert shown(explorer) != before
        assert explorer.state.scroll == 3

    play(script, opened("params"), (80, 16))


def test_it_is_laid_out_anew_when_the_window_changes() -> None:
    async def script(explorer: Explorer, pilot: Pilot[None]) -> None:
        for columns, rows in ((40, 12), (30, 8), (120, 40), (80, 24)):
            await pilot.resize_terminal(columns, rows)
            await pilot.pause()
            lines = shown(explorer)
            assert (len(lines), {len(line) for line in lines}) == (rows, {columns})
            assert ("too small" in " ".join(lines)) == (columns == 30)

    play(script)


def test_a_paste_goes_into_a_line() -> None:
    async def script(explorer: Explorer, pilot: Pilot[None]) -> None:
        await pilot.press("e", "down", "enter")
        explorer.query_one(Sheet).post_message(events.Paste("a b\nc"))
        await pilot.pause()

    assert play(script).line.text == "a b c"


def test_what_is_copied_is_given_to_the_clipboard() -> None:
    async def script(explorer: Explorer, pilot: Pilot[None]) -> None:
        await pilot.press("c")
        assert explorer.clipboard == "attn-study demo head --explore"
        await pilot.press("c")
        assert explorer.clipboard.startswith("  - id: head-")

    play(script)


def test_a_fault_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(state: State, _: Press) -> State:
        raise ZeroDivisionError("the lesson\n  of all things")

    async def script(explorer: Explorer, pilot: Pilot[None]) -> None:
        await pilot.press("r")

    monkeypatch.setattr("attn_study.screen.explorer.app.pressed", broken)
    explorer = Explorer(opened(), console())

    async def running() -> None:
        async with explorer.run_test() as pilot:
            await script(explorer, pilot)

    asyncio.run(running())
    assert explorer.return_code == 1
    said = str(broken_off(explorer.broken))
    assert said == "the explorer broke off (ZeroDivisionError: the lesson of all things)"


def test_a_fault_ends_the_explorer_with_an_error_not_with_a_state(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Explorer, "run", lambda self: self.exit(return_code=1))
    with pytest.raises(UserError, match="the explorer broke off"):
        explore(opened(), console())


def hear(handle: int) -> Explorer:
    """Return the explorer after its driver read an open file to the end, and closed it."""
    from attn_study.screen.explorer.driver import Driver

    explorer = Explorer(opened(), console())

    async def running() -> None:
        async with explorer.run_test() as pilot:
            driver = Driver(explorer)
            driver.fileno = handle
            await asyncio.to_thread(driver.run_input_thread)
            await pilot.pause()

    with as_before():
        asyncio.run(running())
    os.close(handle)
    return explorer


@pytest.mark.skipif(sys.platform == "win32", reason="the console of Windows is read by Textual")
@pytest.mark.parametrize("sent", [b"\xffk", b"\xc3k", b"\x1b[M \xf5\x30k", b"k\xf0\x9f"], ids=repr)
def test_bytes_that_are_no_text_take_no_key_along(sent: bytes) -> None:
    handle, other = os.pipe()
    os.write(other, sent)
    os.close(other)
    explorer = hear(handle)
    assert (explorer.broken, explorer.return_code) == (None, 0)
    assert explorer.state.scene.mistake == "no-mask"


@pytest.mark.skipif(sys.platform == "win32", reason="the console of Windows is read by Textual")
def test_a_fault_while_reading_keys_is_one_line_too(tmp_path: Path) -> None:
    explorer = hear(os.open(tmp_path, os.O_RDONLY))  # which no system reads as a file
    assert explorer.return_code == 1
    assert str(broken_off(explorer.broken)).startswith("the explorer broke off (IsADirectoryError")


@given(st.lists(st.integers(1, 8), max_size=12))
def test_escapes_inside_a_paste_are_taken_out_however_it_is_cut(sizes: list[int]) -> None:
    sent = "\x1b[Cq\x1b\x1b[200~a\x1b[31mb\x1b[20\x1b[201~\x1bx\x1b[200~\x1b[201~"
    pastes, got, at = Pastes(), "", 0
    for size in [*sizes, len(sent)]:
        got += pastes.clean(sent[at : at + size])
        at += size
    assert got == "\x1b[Cq\x1b\x1b[200~a[31mb[20\x1b[201~\x1bx\x1b[200~\x1b[201~"


def test_colours_are_left_out_where_they_are_not_wanted() -> None:
    async def plain(explorer: Explorer, pilot: Pilot[None]) -> None:
        await pilot.pause()
        sheet = explorer.query_one(Sheet)
        segments = [segment for y in range(24) for segment in sheet.render_line(y)]
        styles = [segment.style for segment in segments if segment.style]
        assert not [style for style in styles if style.color or style.bgcolor]

    async def coloured(explorer: Explorer, pilot: Pilot[None]) -> None:
        with pytest.raises(AssertionError):
            await plain(explorer, pilot)

    play(plain, no_color=True)
    play(coloured)


def test_in_ascii_every_line_is_ascii() -> None:
    async def script(explorer: Explorer, pilot: Pilot[None]) -> None:
        await pilot.pause()
        assert all(line.isascii() for line in shown(explorer))

    play(script, ascii=True)
