"""Two processes at once: each step is read and written under one lock."""

from __future__ import annotations

import subprocess
import tomllib
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from attn_study.deck.reader import read
from attn_study.memory.database import open_study
from attn_study.memory.device import device_id
from attn_study.memory.log import Log
from conftest import COMMAND
from memory_helpers import noon, review

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.slow

AT_ONCE = 5


def together(environ: dict[str, str], *lines: tuple[str, ...]) -> list[int]:
    """Start all lines before waiting for any; return their exit codes."""
    running = [
        subprocess.Popen(
            [*COMMAND, *words],
            env=environ,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        for words in lines
    ]
    return [process.wait(60) for process in running]


def test_cards_added_at_once_are_all_there(home: Path, environ: dict[str, str]) -> None:
    fronts = [f"Question {number}?" for number in range(AT_ONCE)]
    codes = together(environ, *(("card", "add", "mine", front, "A.") for front in fronts))
    deck = read(home / "decks" / "mine.yaml").deck
    assert deck is not None
    assert codes == [0] * AT_ONCE
    assert sorted(card.front for card in deck.cards) == fronts


def test_first_starts_at_once_make_one_device(home: Path, environ: dict[str, str]) -> None:
    names = ("static-embeddings", "scaling", "one-head", "projections", "simplified")
    lines = (("card", "grade", f"attention/{name}", "good") for name in names)
    assert together(environ, *lines) == [0] * AT_ONCE
    with closing(open_study(home / "study.db", home / "cache.db", "test", write=False)) as conn:
        found = conn.execute("SELECT count(*), count(DISTINCT device) FROM log").fetchone()
    assert found == (AT_ONCE, 1)


def test_a_step_is_taken_back_once_by_two_windows(tmp_path: Path) -> None:
    path, cache = tmp_path / "study.db", tmp_path / "cache.db"
    with (
        closing(open_study(path, cache, "test", write=True)) as here,
        closing(open_study(path, cache, "test", write=True)) as there,
    ):
        one, other = (Log(conn, device_id(conn, "same"), path) for conn in (here, there))
        one.write([review("a/x", 4)], noon())
        one.write([review("a/y", 4)], noon())
        taken = [*one.undo(noon()), *other.undo(noon()), *one.undo(noon())]
    assert [event.card for event in taken] == ["a/y", "a/x"]


def test_settings_changed_at_once_are_all_kept(home: Path, environ: dict[str, str]) -> None:
    chosen = {"new": "11", "reviews": "101", "rollover": "3", "math": "ascii"}
    lines = [("config", *pair) for pair in chosen.items()] * 3
    assert together(environ, *lines) == [0] * len(lines)
    text = (home / "settings.toml").read_text(encoding="utf-8")
    assert {key: str(value) for key, value in tomllib.loads(text).items()} == chosen


def test_decks_linked_at_once_are_all_linked(
    home: Path, environ: dict[str, str], tmp_path: Path
) -> None:
    paths = [tmp_path / f"{number}.yaml" for number in range(AT_ONCE)]
    for path in paths:
        path.write_text(f"deck: d{path.stem}\ncards: [{{front: F, back: B}}]\n", encoding="utf-8")
    lines = (("deck", "add", str(path), "--link") for path in paths)
    assert together(environ, *lines) == [0] * AT_ONCE
    text = (home / "settings.toml").read_text(encoding="utf-8")
    assert sorted(tomllib.loads(text)["linked"]) == list(map(str, paths))
