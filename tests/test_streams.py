"""Notices and errors on a terminal: whole words, and paths that can be copied."""

from __future__ import annotations

import io
import os
import sys
from contextlib import closing
from typing import TYPE_CHECKING, TextIO

import pytest

from attn_study.cli.streams import broken

if TYPE_CHECKING:
    from collections.abc import Iterator

if sys.platform == "win32":
    pytest.skip("no pseudo-terminal", allow_module_level=True)

import termios

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
        ("", [""]),
    ],
)
def test_lines_are_broken_between_words(terminal: TextIO, words: str, lines: list[str]) -> None:
    assert broken(words, terminal).split("\n") == lines


def test_a_file_gets_lines_as_they_are() -> None:
    words = "one word after the other " * 20
    assert broken(words, io.StringIO()) == words
