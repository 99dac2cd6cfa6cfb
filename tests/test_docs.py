"""What the README says is true: its commands run, its deck is sound, its pictures are current."""

from __future__ import annotations

import importlib.util
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from attn_study.deck.formats import WriteOptions
from attn_study.deck.formats.anki import writing as apkg_writing
from attn_study.deck.reader import parse

if TYPE_CHECKING:
    from types import ModuleType

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
COMMANDS = [
    line.split("   ")[0].strip()
    for language, block in BLOCKS
    if not language
    for line in block.splitlines()
    if line.startswith(("attn-study", "ATTN_STUDY"))
]
INLINE = re.findall(r"`(attn-study [^`]+)`", README)
DECK = next(block for language, block in BLOCKS if language == "yaml")


def marked(name: str) -> str:
    """Return the command under an HTML comment of the README."""
    found = re.search(rf"^<!-- {name} -->\n```\n(.+)\n```$", README, re.MULTILINE)
    assert found
    return found[1]


@pytest.fixture
def room(tmp_path: Path) -> Path:
    """A folder in which the README's commands find what they speak of."""
    decks = tmp_path / "home" / "decks"
    decks.mkdir(parents=True)
    (decks / "mine.yaml").write_text(DECK, encoding="utf-8")
    cards = tmp_path / "notes" / "cards"
    cards.mkdir(parents=True)
    for path in (tmp_path / "week3.csv", cards / "week4.csv"):
        path.write_text("front,back\nOne?,One.\n", encoding="utf-8")
    deck = parse(DECK, tmp_path / "Biology.yaml").deck
    assert deck is not None
    package = apkg_writing.write(deck, WriteOptions("apkg"))
    (tmp_path / "Biology.apkg").write_bytes(package.data)
    return tmp_path


def run(line: str, room: Path) -> subprocess.CompletedProcess[str]:
    """Run a line of the README with nothing on standard input."""
    words = shlex.split(line)
    told = dict(word.split("=", 1) for word in words if re.match(r"ATTN_STUDY_\w+=", word))
    told["ATTN_STUDY_HOME"] = str(room / "home")
    words = [word for word in words if not word.startswith("ATTN_STUDY_")]
    words = [re.sub("^~", str(room), word) for word in words]
    return subprocess.run(
        [sys.executable, "-m", "attn_study", *words[1:]],
        cwd=room,
        env={**os.environ, **told},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )


@pytest.mark.parametrize("line", [line for line in COMMANDS + INLINE if " edit " not in line])
def test_a_command_of_the_readme_runs(line: str, room: Path) -> None:
    done = run(line, room)
    assert (done.returncode, done.stderr if done.returncode else "") == (0, "")


def test_the_card_that_the_readme_edits_is_the_one_it_added(room: Path) -> None:
    added = next(line for line in COMMANDS if "card add" in line)
    edited = next(line for line in COMMANDS if "card edit" in line)
    assert run(added, room).returncode == 0
    done = run(edited, room)
    assert "no terminal to edit in" in done.stderr


def test_the_deck_of_the_readme_is_sound() -> None:
    reading = parse(DECK, Path("mine.yaml"))
    assert reading.complaints == ()
    assert reading.deck is not None
    assert [card.kind for card in reading.deck.cards] == ["basic", "basic", "typed"]


def pictures() -> ModuleType:
    spec = importlib.util.spec_from_file_location("pictures", ROOT / "docs" / "pictures.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_pictures_are_what_the_program_draws_today() -> None:
    for name, drawn in pictures().pictures().items():
        assert (ROOT / "docs" / name).read_text(encoding="utf-8") == drawn, name


def test_the_pictures_fetch_nothing() -> None:
    for picture in (ROOT / "docs").glob("*.svg"):
        links = re.findall(r"\w+://[^\s\"')]+", picture.read_text(encoding="utf-8"))
        assert set(links) <= {"http://www.w3.org/2000/svg"}


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="the line is for a POSIX shell")
def test_the_first_command_of_the_readme_installs_and_begins_a_review(tmp_path: Path) -> None:
    kept = shutil.ignore_patterns(".venv", ".git", "*cache*", ".hypothesis")
    copy = shutil.copytree(ROOT, tmp_path / "copy", ignore=kept)
    done = subprocess.run(
        ["bash", "-c", marked("start")],
        cwd=copy,
        env={**os.environ, "ATTN_STUDY_HOME": str(tmp_path / "home")},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "Why does “it” need more than a static embedding?" in done.stdout
    assert f"Tomorrow: {copy}/.venv/bin/attn-study review" in done.stdout


def test_ci_runs_the_test_command_of_the_readme() -> None:
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert "<!-- tests -->" in script
    assert marked("tests").endswith("-m pytest -n auto")
