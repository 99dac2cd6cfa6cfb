"""The terminal: frames as a screen shows them, and where frames can be shown."""

from __future__ import annotations

import io
import sys
from typing import IO, Any

import pyte
import pytest
from rich.console import Console
from rich.text import Text

from attn_study.screen.keys import EOF, Press
from attn_study.screen.terminal import Terminal, can_draw
from scripted import ScriptedKeyboard

COUPLE = "👩\u200d💻"


def canvas(columns: int = 20, rows: int = 5, **options: Any) -> tuple[Terminal, io.StringIO]:
    file = io.StringIO()
    console = Console(
        file=file, force_terminal=True, width=columns, height=rows, _environ={}, **options
    )
    return Terminal(console, ScriptedKeyboard()), file


def shown(output: str, columns: int = 20, rows: int = 5) -> pyte.Screen:
    screen = pyte.Screen(columns, rows)
    pyte.Stream(screen).feed(output)
    return screen


def lines(screen: pyte.Screen) -> list[str]:
    return [line.rstrip() for line in screen.display]


def test_a_frame_replaces_the_whole_frame_before() -> None:
    terminal, file = canvas()
    terminal.draw([Text("x" * 20)] * 5)
    terminal.draw([Text("short"), Text(""), Text("y" * 20)])
    assert lines(shown(file.getvalue())) == ["short", "", "y" * 20, "", ""]


def test_a_frame_larger_than_the_screen_is_cut_and_nothing_scrolls() -> None:
    terminal, file = canvas()
    with terminal:
        terminal.draw([Text(f"{number} " + "x" * 30) for number in range(9)])
        screen = shown(file.getvalue())
    assert lines(screen) == [f"{number} " + "x" * 18 for number in range(5)]


def test_the_last_column_is_never_cleared_after_it_was_written() -> None:
    terminal, file = canvas(columns=4)
    terminal.draw([Text("four"), Text("two")])
    assert "four\x1b[K" not in file.getvalue()
    assert "two\x1b[K" in file.getvalue()


@pytest.mark.parametrize(
    ("text", "row"),
    [
        ("a注意", "a注"),
        (f"ab{COUPLE}c", f"ab{COUPLE}"),
        (f"abc{COUPLE}", "abc"),
        ("abce\u0301f", "abce\u0301"),
        ("a\tb", "a"),
        ("a\x1b[2Jb", "a\ufffd[2"),
        ("a\rb", "ab"),
    ],
)
def test_a_line_is_cut_between_characters(text: str, row: str) -> None:
    terminal, file = canvas(columns=4)
    terminal.draw([Text(text)])
    drawn = file.getvalue().split("\x1b[1H")[1].split("\x1b[2H")[0]
    assert drawn.replace("\x1b[K", "").rstrip(" ") == row


def test_a_text_of_two_lines_fills_two_rows() -> None:
    terminal, file = canvas()
    terminal.draw([Text("one\ntwo"), Text("three", overflow="ellipsis", no_wrap=False)])
    assert lines(shown(file.getvalue()))[:3] == ["one", "two", "three"]


@pytest.mark.parametrize(("columns", "rows"), [(1, 1), (1, 24), (2, 2), (80, 1)])
def test_no_screen_is_too_small_to_draw_on(columns: int, rows: int) -> None:
    terminal, file = canvas(columns, rows)
    terminal.draw([Text("注意 one"), Text("x" * 99)] * 20, cursor=(99, 99))
    assert len(lines(shown(file.getvalue(), columns, rows))) == rows
    assert f"\x1b[{rows};{columns}H\x1b[?25h" in file.getvalue()


def test_the_cursor_is_shown_where_asked_and_hidden_otherwise() -> None:
    terminal, file = canvas()
    terminal.draw([Text("> ab")], cursor=(4, 0))
    screen = shown(file.getvalue())
    assert (screen.cursor.x, screen.cursor.y, screen.cursor.hidden) == (4, 0, False)
    terminal.draw([Text("> ab")])
    assert shown(file.getvalue()).cursor.hidden


def test_a_frame_is_one_write() -> None:
    terminal, file = canvas()
    writes: list[str] = []
    file.write = writes.append  # type: ignore[method-assign, assignment]
    terminal.draw([Text("one"), Text("two", style="bold red")])
    assert len(writes) == 1


@pytest.mark.parametrize(("options", "colour"), [({}, "red"), ({"no_color": True}, "default")])
def test_colour_is_what_the_console_allows(options: dict[str, bool], colour: str) -> None:
    terminal, file = canvas(color_system="standard", **options)
    terminal.draw([Text("one", style="bold red")])
    cell = shown(file.getvalue()).buffer[0][0]
    assert (cell.fg, cell.bold) == (colour, True)


def test_what_the_encoding_lacks_is_a_question_mark() -> None:
    raw = io.BytesIO()
    file = io.TextIOWrapper(raw, encoding="ascii")
    terminal = Terminal(Console(file=file, force_terminal=True, width=20), ScriptedKeyboard())
    terminal.draw([Text("√d")])
    assert b"?d" in raw.getvalue()


class Broken(io.StringIO):
    def write(self, text: str) -> int:
        raise BrokenPipeError(text)


def test_a_terminal_that_went_away_is_the_end_of_input() -> None:
    console = Console(file=Broken(), force_terminal=True, width=20, height=5)
    with Terminal(console, ScriptedKeyboard(["1"])) as terminal:
        terminal.draw([Text("one")])
        assert terminal.read() == EOF


def test_ctrl_z_stops_the_program_outside_its_screen_and_then_draws_again() -> None:
    terminal, file = canvas()
    keyboard = ScriptedKeyboard(["ctrl-z", "1"])
    terminal = Terminal(Console(file=file, force_terminal=True), keyboard)
    with terminal:
        assert terminal.read() == Press("resume")
        assert file.getvalue().count("\x1b[?1049l") == 1
        assert file.getvalue().rfind("\x1b[?1049h") > file.getvalue().rfind("\x1b[?1049l")
        assert keyboard.stops == 1
        assert terminal.read() == Press("1")


def test_typed_ahead_keys_are_dropped_by_the_keyboard() -> None:
    keyboard = ScriptedKeyboard()
    Terminal(Console(file=io.StringIO()), keyboard).drop()
    assert keyboard.drops == 1


class Tty(io.StringIO):
    def isatty(self) -> bool:
        return True


def closed() -> IO[str]:
    file = io.StringIO()
    file.close()
    return file


XTERM = {"TERM": "xterm-256color"}


@pytest.mark.parametrize(
    ("environ", "stdin", "stdout", "size", "can"),
    [
        (XTERM, Tty(), Tty(), (80, 24), True),
        (XTERM | {"NO_COLOR": "1"}, Tty(), Tty(), (80, 24), True),
        (XTERM, Tty(), Tty(), (20, 5), True),
        (XTERM, Tty(), Tty(), (19, 5), False),
        (XTERM, Tty(), Tty(), (20, 4), False),
        ({"TERM": "dumb"}, Tty(), Tty(), (80, 24), False),
        (XTERM | {"FORCE_COLOR": "1"}, Tty(), io.StringIO(), (80, 24), False),
        (XTERM, io.StringIO(), Tty(), (80, 24), False),
        (XTERM, closed(), Tty(), (80, 24), False),
    ],
)
def test_frames_need_a_terminal_on_both_sides_with_room_and_a_cursor(
    environ: dict[str, str], stdin: Any, stdout: Any, size: tuple[int, int], can: bool
) -> None:
    width, height = size
    console = Console(file=stdout, width=width, height=height, _environ=environ)
    assert can_draw(console, environ, stdin) == can


@pytest.mark.skipif(sys.platform == "win32", reason="Windows sets no TERM")
def test_frames_need_a_terminal_that_says_what_it_is() -> None:
    console = Console(file=Tty(), width=80, height=24, _environ={})
    assert not can_draw(console, {}, Tty())
