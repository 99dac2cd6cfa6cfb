"""What tests share: a home of their own, a clean environment, and the installed command."""

from __future__ import annotations

import gc
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import sysconfig
from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import pytest
from hypothesis import settings

from attn_study.collector import resting
from attn_study.deck import reader
from attn_study.deck.library import decks_dir
from sizes import FULL
from speed import calculate_in_one_thread, keep_files_in_memory
from sync_helpers import devices

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator, Sequence
    from pathlib import Path

    from attn_study.memory.log import Log

# A law is tried on a few examples, other ones in each run, and at full size on many.
settings.register_profile("attn-study", max_examples=100 if FULL else 25)
settings.load_profile("attn-study")
keep_files_in_memory()
calculate_in_one_thread()
# A shell gives what it starts in the background deaf ears for these, and children inherit them.
for _name in ("SIGINT", "SIGHUP", "SIGQUIT"):
    _signal = getattr(signal, _name, None)
    if _signal is not None and signal.getsignal(_signal) is signal.SIG_IGN:
        signal.signal(_signal, signal.default_int_handler if _name == "SIGINT" else signal.SIG_DFL)
FROZEN = "2026-03-02T09:00:00+00:00"
# What changes how the program draws, edits or finds its files.
UNWANTED = (
    "COLUMNS",
    "LINES",
    "NO_COLOR",
    "FORCE_COLOR",
    "CLICOLOR_FORCE",
    "TTY_COMPATIBLE",
    "TTY_INTERACTIVE",
    "EDITOR",
    "VISUAL",
    "PYTHONIOENCODING",
    "PYTHONUTF8",
    "LC_ALL",
)

_script = shutil.which("attn-study", path=sysconfig.get_path("scripts"))
COMMAND = [_script] if _script else [sys.executable, "-m", "attn_study"]


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Ten thousand tests are made, and stay: the collector need not go through them ever again."""
    with resting():
        collected = yield
        gc.freeze()
    return collected


@pytest.fixture(autouse=True, scope="session")
def _no_test_reaches_the_real_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ATTN_STUDY_HOME", str(tmp_path_factory.mktemp("no-home")))
        yield


@pytest.fixture(autouse=True, scope="session")
def _built_in_decks_are_read_once() -> Iterator[None]:
    """To read is a pure function and a deck a frozen value, so all homes may share them."""
    read = reader.parse
    known: dict[tuple[str | bytes, Path], reader.Reading] = {}

    def parse(text: str | bytes, path: Path) -> reader.Reading:
        if path.parent != decks_dir():
            return read(text, path)
        if (text, path) not in known:
            known[text, path] = read(text, path)
        return known[text, path]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reader, "parse", parse)
        yield


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Where the learner's files will be; the folder is not there yet."""
    return tmp_path / "home"


@pytest.fixture
def environ(home: Path) -> dict[str, str]:
    """A learner's environment: own home, frozen clock, UTF-8, a terminal with colours."""
    kept = {name: value for name, value in os.environ.items() if name not in UNWANTED}
    return kept | {
        "ATTN_STUDY_HOME": str(home),
        "ATTN_STUDY_NOW": FROZEN,
        "LANG": "C.UTF-8",
        "TERM": "xterm-256color",
        "PYTHONUTF8": "1",
    }


@pytest.fixture
def command() -> list[str]:
    """The words that start the installed command."""
    return list(COMMAND)


class PutDeck(Protocol):
    """Makes `mine` the only deck: `cards` cards c1, c2, …, those in `typed` wanting an answer."""

    def __call__(self, cards: int, typed: Sequence[int] = ()) -> Path: ...


@pytest.fixture
def put_deck(home: Path) -> PutDeck:
    """A deck of the learner's own, in place of those that came with the program."""

    def put(cards: int, typed: Sequence[int] = ()) -> Path:
        (home / "decks").mkdir(parents=True, exist_ok=True)
        hidden = 'hidden = ["attention", "attention-video"]\n'
        (home / "settings.toml").write_text(hidden, encoding="utf-8")
        lines = ["deck: mine", "title: Mine", "cards:"]
        for number in range(1, cards + 1):
            lines += [f"  - id: c{number}", f"    front: Question {number}?"]
            side = "answer: word" if number in typed else "back: Reply"
            lines.append(f"    {side} {number}")
        path = home / "decks" / "mine.yaml"
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        return path

    return put


@pytest.fixture
def box(tmp_path: Path) -> Path:
    """The folder that devices share to sync."""
    folder = tmp_path / "box"
    folder.mkdir()
    return folder


@pytest.fixture
def two() -> Iterator[list[Log]]:
    """The empty logs of two devices, `desk` and `lap`."""
    with devices("desk", "lap") as logs:
        yield logs


class Logged(Protocol):
    """Returns the log as (card, kind, grade), the oldest row first."""

    def __call__(self) -> list[tuple[str, str, int | None]]: ...


@pytest.fixture
def logged(home: Path) -> Logged:
    """What the log holds."""

    def rows() -> list[tuple[str, str, int | None]]:
        with closing(sqlite3.connect(home / "study.db")) as conn:
            return conn.execute("SELECT card, kind, grade FROM log ORDER BY id").fetchall()

    return rows


@dataclass(frozen=True)
class Ran:
    """What a command left: exit code, standard output and standard error."""

    code: int
    out: str
    err: str

    @property
    def lines(self) -> list[str]:
        """The lines of standard output."""
        return self.out.splitlines()


class Run(Protocol):
    """Runs `attn-study` with these words; `given` is standard input, `changes` its environment."""

    def __call__(self, *words: str, given: str | bytes = "", **changes: str) -> Ran: ...


@pytest.fixture
def run(environ: dict[str, str]) -> Run:
    """The installed command, in a process of its own."""

    def ran(*words: str, given: str | bytes = "", **changes: str) -> Ran:
        done = subprocess.run(
            [*COMMAND, *words],
            input=given if isinstance(given, bytes) else given.encode(),
            capture_output=True,
            env=environ | changes,
            timeout=60,
            check=False,
        )
        encoding = (environ | changes).get("PYTHONIOENCODING", "utf-8").partition(":")[0]
        out, err = (part.decode(encoding) for part in (done.stdout, done.stderr))
        return Ran(done.returncode, out.replace("\r\n", "\n"), err.replace("\r\n", "\n"))

    return ran
