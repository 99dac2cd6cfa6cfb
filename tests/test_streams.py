"""Notices and errors on a terminal: whole words, and paths that can be copied."""

from __future__ import annotations

import io
import os
import sys
from contextlib import closing
from typing import TYPE_CHECKING, TextIO

import pytest

from attn_study.cli.streams import broken
from cli_helpers import Shell

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

if sys.platform == "win32":
    pytest.skip("no pseudo-terminal", allow_module_level=True)

import termios

from terminal import Window

COLUMNS = 24
PATH = "/home/somebody/a-long-way-down/study.db"


@pytest.fixture
def terminal() -> Iterator[TextIO]:
    """One end of a terminal that is 24 columns wide."""
    there, here = os.openpty()
    termios.tcsetwinsize(here, (8, COLUMNS))
    with closing(os.fdopen(here, "w")) as stream:
        yield stream
    os.close(there)


@pytest.mark.parametrize(
    ("words", "lines"),
    [
        ("one word after the other goes down", ["one word after the other", "goes down"]),
        ("  try again in a moment, or later", ["  try again in a moment,", "  or later"]),
        (f"kept in {PATH} (y/n)", ["kept in", PATH, "(y/n)"]),
        ("well-known words in two-letter steps", ["well-known words in", "two-letter steps"]),
        ("short\n\n  lines   stay", ["short", "", "  lines   stay"]),
        (f"   {PATH}   it is", [f"   {PATH}", "   it is"]),
        ("注意力 注意力 注意力 注意力", ["注意力 注意力 注意力", "注意力"]),
        ("- one of two words that are listed", ["- one of two words that", "  are listed"]),
        ("", [""]),
    ],
)
def test_lines_are_broken_between_words(terminal: TextIO, words: str, lines: list[str]) -> None:
    assert broken(words, terminal).split("\n") == lines


def test_a_caret_stays_under_what_it_points_at(terminal: TextIO) -> None:
    source = "     5 |   - {id: x, front: F, back: B, demo: haed}"
    caret = "       |                                     ^"
    quoted = f"mine.yaml:5:38: no such lesson\n{source}\n{caret} did you mean head or heads?"
    assert broken(quoted, terminal).split("\n") == [
        "mine.yaml:5:38: no such",
        "lesson",
        source,
        caret,
        "  did you mean head or",
        "  heads?",
    ]
    assert broken(f"{source}\n{caret}", terminal) == f"{source}\n{caret}"


def test_notices_and_errors_of_a_command_are_broken(tmp_path: Path) -> None:
    words = ["card", "show", "attention/scalling"]
    environ = Shell(tmp_path).environ({"TERM": "xterm"})
    window = Window([sys.executable, "-m", "attn_study", *words], environ, columns=32)
    assert window.end() == 2
    assert [line for line in window.lines if line] == [
        "the clock stands at",
        "2026-03-02T12:00:00+00:00",
        "(ATTN_STUDY_NOW)",
        "no card is called",
        "'attention/scalling'",
        "  did you mean attention/scaling",
        "  or attention/self-wins or",
        "  attention-video/quiz-scaling?",
    ]


def test_a_file_gets_lines_as_they_are() -> None:
    words = "one word after the other " * 20
    assert broken(words, io.StringIO()) == words
