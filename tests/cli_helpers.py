"""The command line as a learner meets it: words in, exit code and both streams out."""

from __future__ import annotations

import io
import json
import os
import sqlite3
import subprocess
import sys
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

import pytest

import attn_study
from attn_study.cli.main import main
from attn_study.cli.world import World
from attn_study.deck.library import decks_dir
from attn_study.deck.reader import read

if TYPE_CHECKING:
    from collections.abc import Iterator

SOURCES = Path(attn_study.__file__).parents[1]
NOON = "2026-03-02T12:00:00+00:00"  # a Monday
BUILT_IN = {path.stem for path in decks_dir().glob("*.yaml")}
HIDDEN = f"hidden = {json.dumps(sorted(BUILT_IN))}\n"  # settings without a built-in deck
STRAY = ("EDITOR", "VISUAL", "COLUMNS", "LINES", "NO_COLOR", "FORCE_COLOR", "TTY_COMPATIBLE")

SMALL = """\
# my own cards
deck: mine
title: Mine
cards:
  - id: one
    front: First question?
    back: First answer.
    tags: [odd]

  - id: two
    front: Second question?
    back: Second answer.
    # the even one
    tags: [even, small]

  - id: three
    front: Third question?
    back: Third answer.
"""

# Run before the program, in its process.
POWERLESS = """
import ctypes
for number in (1, 2):  # CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH: root may else write anywhere
    ctypes.CDLL(None).prctl(24, number, 0, 0, 0)
"""
NO_INPUT = "os.close(0)"
NO_OUTPUT = "os.close(1)"
NO_ERRORS = "os.close(2)"
START = "os.execv(sys.executable, [sys.executable, '-m', 'attn_study', *sys.argv[1:]])"


@dataclass(frozen=True)
class Said:
    """What a command left behind."""

    code: int
    out: str
    err: str

    @property
    def lines(self) -> list[str]:
        """The lines of standard output."""
        return self.out.splitlines()

    @property
    def notices(self) -> list[str]:
        """The lines of standard error, but for the one that says that the clock stands."""
        return [line for line in self.err.splitlines() if "(ATTN_STUDY_NOW)" not in line]

    @property
    def json(self) -> dict[str, Any]:
        """The one object on standard output; NaN and Infinity are no JSON."""
        found = json.loads(self.out, parse_constant=lambda name: pytest.fail(f"{name} in JSON"))
        assert isinstance(found, dict)
        return found


class Shell:
    """A shell in `folder`, with a home of its own and a clock that stands at `now`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.home = folder / "home"
        self.now = NOON

    def environ(self, changes: dict[str, str | None]) -> dict[str, str]:
        """The environment of a command; nothing in it leads to the real home."""
        kept = {
            name: value
            for name, value in os.environ.items()
            if name not in STRAY and not name.startswith(("ATTN_STUDY_", "PYTHONIO"))
        }
        wanted: dict[str, str | None] = {
            "ATTN_STUDY_HOME": str(self.home),
            "ATTN_STUDY_NOW": self.now,
            "HOME": str(self.folder),
            "XDG_DATA_HOME": str(self.folder / "data"),
            **changes,
        }
        chosen = {name: value for name, value in wanted.items() if value is not None}
        return {name: value for name, value in kept.items() if name not in wanted} | chosen

    def attn(self, *words: str, given: str = "", **changes: str | None) -> Said:
        """Run `attn-study` with `words` in this process; `given` is standard input."""
        out = io.TextIOWrapper(io.BytesIO(), "utf-8", newline="\n")
        err = io.TextIOWrapper(io.BytesIO(), "utf-8", "backslashreplace", newline="\n")
        with pytest.MonkeyPatch.context() as patch:
            environ = self.environ(changes)
            for name in os.environ.keys() - environ.keys():
                patch.delenv(name)
            for name, value in environ.items():
                if os.environ.get(name) != value:
                    patch.setenv(name, value)
            patch.chdir(self.folder)
            patch.setattr(sys, "argv", ["attn-study", *words])
            patch.setitem(sys.modules, "__main__", ModuleType("__main__"))  # names the program
            patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(given.encode()), "utf-8"))
            patch.setattr(sys, "stdout", out)
            patch.setattr(sys, "stderr", err)
            patch.setattr(sys, "excepthook", sys.excepthook)  # which the program replaces
            with pytest.raises(SystemExit) as ended:
                main()
        code = ended.value.code
        assert code is None or isinstance(code, int)
        return Said(code or 0, _text(out), _text(err))

    def process(
        self, *words: str | bytes, given: str = "", before: str = "", **changes: str | None
    ) -> Said:
        """Run it in a process of its own; `before` is Python that the process runs first."""
        start = ["-c", f"import os, sys\n{before}\n{START}"] if before else ["-m", "attn_study"]
        environ = self.environ({"PYTHONUTF8": "1", "PYTHONPATH": str(SOURCES), **changes})
        done = subprocess.run(
            [sys.executable, *start, *words],
            input=given.encode(),
            capture_output=True,
            cwd=self.folder,
            env=environ,
            timeout=60,
            check=False,
        )
        out, err = (part.decode("utf-8", "surrogateescape") for part in (done.stdout, done.stderr))
        return Said(done.returncode, out.replace("\r\n", "\n"), err.replace("\r\n", "\n"))

    def begin(self) -> None:
        """Begin the study here; in a process, tables and built-in decks would take 0.3 s."""
        with World(environ=self.environ({}), quiet=True).open(write=True):
            pass

    def done(self, *words: str, given: str = "", **changes: str | None) -> Said:
        """Run what must succeed."""
        said = self.attn(*words, given=given, **changes)
        assert said.code == 0, said.err
        return said

    def refused(self, *words: str) -> str:
        """Run what must be refused with nothing on standard output; return what was said."""
        said = self.attn(*words)
        assert (said.code, said.out) == (2, "")
        return "\n".join(said.notices)

    def deck(self, text: str, name: str = "mine.yaml") -> Path:
        """Put a deck into the learner's decks folder by hand."""
        return self.file(f"home/decks/{name}", text)

    def file(self, name: str, text: str) -> Path:
        """Write a file, line ends as they are, where the shell stands."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
        return path

    def only_mine(self, text: str = SMALL) -> Path:
        """Put the small deck in the place of all others."""
        self.file("home/settings.toml", HIDDEN)
        return self.deck(text)

    def cards(self, *query: str) -> list[dict[str, Any]]:
        """What `card list` finds."""
        found = self.done("card", "list", "--json", *query).json["cards"]
        assert isinstance(found, list)
        return found

    def ids(self, *query: str) -> list[str]:
        """The ids of what `card list` finds."""
        return [card["id"] for card in self.cards(*query)]

    def card(self, name: str) -> dict[str, Any]:
        """What `card show` says of a card."""
        return self.done("card", "show", name, "--json").json

    def decks(self) -> dict[str, dict[str, Any]]:
        """What `deck list` says of each deck in use."""
        found = self.done("deck", "list", "--json").json["decks"]
        return {deck["deck"]: deck for deck in found if deck["active"]}

    def log(self) -> list[dict[str, Any]]:
        """The newest rows of the log, the oldest of them first."""
        found = self.done("log", "--json").json["entries"]
        assert isinstance(found, list)
        return found[::-1]


@contextmanager
def held(path: Path) -> Iterator[None]:
    """Hold the write lock of a database, as another process in the middle of a write would."""
    with closing(sqlite3.connect(path, isolation_level=None)) as conn:
        conn.execute("BEGIN IMMEDIATE")
        yield
        conn.execute("ROLLBACK")


def _text(stream: io.TextIOWrapper) -> str:
    stream.flush()
    buffer = stream.buffer
    assert isinstance(buffer, io.BytesIO)
    return buffer.getvalue().decode()


def built_in_cards() -> int:
    """How many cards the first built-in deck has."""
    deck = read(decks_dir() / "attention.yaml").deck
    assert deck is not None
    return len(deck.cards)
