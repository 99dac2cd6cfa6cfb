"""What the README says is true: its commands run, its deck is sound, its pictures are current."""

from __future__ import annotations

import importlib.util
import os
import re
import shlex
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from attn_study.deck.formats import WriteOptions
from attn_study.deck.formats.anki import writing as apkg_writing
from attn_study.deck.reader import parse
from attn_study.demos import LESSONS
from attn_study.memory.device import device_id
from attn_study.places import fingerprint
from cli_helpers import Said, Shell
from memory_helpers import log_on_disk, noon, review

if TYPE_CHECKING:
    from types import ModuleType

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
PACKAGE = (ROOT / "docs" / "package.md").read_text(encoding="utf-8")
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
BLOCKS = BLOCK.findall(README)
COMMANDS, OF_THE_PACKAGE = (
    [
        line.split("   ")[0].strip()
        for language, block in BLOCK.findall(text)
        if not language
        for line in block.splitlines()
        if line.startswith(("attn-study", "ATTN_STUDY"))
    ]
    for text in (README, PACKAGE)
)
INLINE = re.findall(r"`(attn-study [^`]+)`", README)
LOG = (
    '{"uid": "0123456789abcdef0123456789abcdef", "device": "d", "tick": 1, "batch": "b", "card": '
    '"mine/mask", "kind": "review", "grade": 4, "day": "2026-02-20", "at": '
    '"2026-02-20T09:00:00.000+00:00", "offset": 0, "seconds": null, "data": {}}\n'
)
WANTS_A_TERMINAL = re.compile(r" edit | --explore").search
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
    (tmp_path / "Dropbox" / "attn-study").mkdir(parents=True)
    (decks / "mine.yaml").write_text(DECK, encoding="utf-8")
    with log_on_disk(tmp_path / "home") as log:  # there is something to copy, and to take back
        device = device_id(log.conn, fingerprint(tmp_path / "home"))
        replace(log, device=device).write([review("mine/mask", 4)], noon())
    cards = tmp_path / "notes" / "cards"
    cards.mkdir(parents=True)
    for path in (tmp_path / "week3.csv", cards / "week4.csv"):
        path.write_text("front,back\nOne?,One.\n", encoding="utf-8")
    reviews = "card_id,review_rating,review_time\none,3,2026-02-20T09:00:00+00:00\n"
    (tmp_path / "reviews.csv").write_text(reviews, encoding="utf-8")
    (tmp_path / "log.jsonl").write_text(LOG, encoding="utf-8")
    deck = parse(DECK, tmp_path / "Biology.yaml").deck
    assert deck is not None
    package = apkg_writing.write(deck, WriteOptions("apkg"))
    (tmp_path / "Biology.apkg").write_bytes(package.data)
    return tmp_path


def run(line: str, room: Path) -> Said:
    """Run a line of the README with nothing on standard input."""
    words = shlex.split(line)
    told = dict(word.split("=", 1) for word in words if re.match(r"ATTN_STUDY_\w+=", word))
    words = [word for word in words if not word.startswith("ATTN_STUDY_")]
    words = [re.sub("^~", str(room), word) for word in words]
    return Shell(room).attn(*words[1:], **told)


@pytest.mark.parametrize("line", [line for line in COMMANDS + INLINE if not WANTS_A_TERMINAL(line)])
def test_a_command_of_the_readme_runs(line: str, room: Path) -> None:
    done = run(line, room)
    assert (done.code, done.err if done.code else "") == (0, "")


def test_both_pages_count_the_lessons_there_are() -> None:
    said = {11: "eleven", 12: "twelve", 13: "thirteen"}[len(LESSONS)]
    assert all(f"{said} lessons" in text.lower() for text in (README, PACKAGE))


def test_the_commands_that_an_index_shows_run(room: Path) -> None:
    assert OF_THE_PACKAGE
    assert [run(line, room).code for line in OF_THE_PACKAGE] == [0] * len(OF_THE_PACKAGE)


def test_the_card_that_the_readme_edits_is_the_one_it_added(room: Path) -> None:
    added = next(line for line in COMMANDS if "card add" in line)
    edited = next(line for line in COMMANDS if "card edit" in line)
    assert run(added, room).code == 0
    done = run(edited, room)
    assert "no terminal to edit in" in done.err


def test_what_the_readme_opens_to_play_with_asks_for_a_terminal(room: Path) -> None:
    explored = next(line for line in INLINE if "--explore" in line)
    done = run(explored, room)
    assert done.code == 2
    assert "terminal" in done.err


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
