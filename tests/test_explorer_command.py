"""`demo NAME --explore` where it cannot be shown, and what it costs those who do not use it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from cli_helpers import Shell
from lessons import ALL

if TYPE_CHECKING:
    from pathlib import Path

# Runs a demo and the start of a review in one process, and says whether Textual was loaded.
LOADED = """
import json, os, sys
kept = os.dup(1)
os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
from attn_study.cli.main import main
for line in json.loads(sys.argv.pop()):
    sys.argv[:] = ["attn-study", *line.split()]
    try:
        main()
    except SystemExit as ended:
        assert not ended.code, ended.code
import attn_study.screen.demoing, attn_study.screen.reviewing, attn_study.screen.explorer.opening
os.write(kept, json.dumps(sorted({name.partition(".")[0] for name in sys.modules})).encode())
os._exit(0)
"""


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    return Shell(tmp_path)


@pytest.mark.parametrize("name", ALL)
def test_without_a_terminal_it_says_so_in_one_message(shell: Shell, name: str) -> None:
    said = shell.attn("demo", name, "--explore")
    assert (said.code, said.out) == (2, "")
    assert said.err.splitlines() == [
        "the explorer needs a terminal: for keys, output and errors alike",
        "  without --explore the lesson is shown as lines",
    ]


@pytest.mark.parametrize(
    "option", ["--json", "--plain", "--step", "--predict", "--mistake", "-o x.svg"]
)
def test_what_does_not_go_with_it_is_refused(shell: Shell, option: str) -> None:
    said = shell.attn("demo", "head", *option.split(), "--explore")
    assert said.code == 2
    assert f"{option.split(maxsplit=1)[0]} does not go with --explore" in said.err


def test_a_knob_that_cannot_be_is_refused_before_anything_is_shown(shell: Shell) -> None:
    said = shell.attn("demo", "head", "--set", "x.9.1=2", "--explore")
    assert said.code == 2


def test_a_demo_and_a_review_load_no_textual(shell: Shell) -> None:
    lines = ["demo head --plain", "demo --help", "review --plain"]
    said = shell.process(json.dumps(lines), before=LOADED)
    loaded = json.loads(said.out)
    assert "numpy" in loaded
    assert "textual" not in loaded
