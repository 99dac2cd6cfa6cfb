"""No command that writes a file where the learner wants it writes into the program's own data."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from attn_study.cli.outputs import copy_named
from attn_study.errors import UserError
from attn_study.places import Home
from cli_helpers import Shell

if TYPE_CHECKING:
    from pathlib import Path

WRITING = {
    "backup": ("backup",),
    "salvage": ("doctor", "--salvage", "-o"),
    "log": ("log", "export", "--to", "csv", "-o"),
    "deck": ("deck", "export", "mine", "--to", "csv", "-o"),
}
OURS = (
    "study.db",
    "study.db-wal",
    "study.db-shm",
    "study.db-journal",
    "cache.db",
    "cache.db-wal",
    "settings.toml",
    "settings.lock",
    "sync.lock",
    "decks/mine.yaml",
    "decks/deeper/new.yaml",
    "backups/.daily.lock",
    "backups/decks/mine.yaml",
)


@pytest.fixture(scope="module")
def shell(tmp_path_factory: pytest.TempPathFactory) -> Shell:
    """A shell with a small deck, a card of which was studied."""
    shell = Shell(tmp_path_factory.mktemp("outputs"))
    shell.only_mine()
    shell.done("card", "grade", "mine/one", "good")
    return shell


def files(folder: Path) -> dict[str, bytes]:
    found = sorted(path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in found}


@pytest.mark.parametrize("words", WRITING.values(), ids=WRITING.keys())
@pytest.mark.parametrize("name", OURS)
def test_the_program_s_own_data_is_never_written_over(
    shell: Shell, words: tuple[str, ...], name: str
) -> None:
    before = files(shell.home)
    assert "keeps its own data here" in shell.refused(*words, f"home/{name}")
    assert files(shell.home) == before


@pytest.mark.parametrize("words", WRITING.values(), ids=WRITING.keys())
def test_a_name_that_leads_to_our_data_by_a_detour_is_seen_through(
    shell: Shell, words: tuple[str, ...]
) -> None:
    link = shell.folder / f"link-{words[0]}.csv"
    if sys.platform != "win32":
        link.symlink_to(shell.home / "study.db-journal")  # which is not there now
        assert "keeps its own data here" in shell.refused(*words, link.name)
    assert "keeps its own data here" in shell.refused(*words, "home/decks/../cache.db-wal")


def test_among_the_backups_only_copies_may_be_written_and_none_that_would_be_thinned_out(
    shell: Shell,
) -> None:
    for name in ("log", "deck"):
        refused = shell.refused(*WRITING[name], "home/backups/mine.csv")
        assert "keeps its own data here" in refused
    for name in ("backup", "salvage"):
        there = shell.home / "backups" / f"{name}.db"
        shell.done(*WRITING[name], str(there))
        assert there.exists()
        thinned = "home/backups/study-2026-01-01-0123abcd.db"
        assert "thinned out" in shell.refused(*WRITING[name], thinned)


def test_a_file_beside_our_data_is_the_learner_s_own(shell: Shell) -> None:
    shell.done(*WRITING["log"], "home/log.csv")
    shell.done(*WRITING["backup"], "home/study-of-mine.db")


def test_the_home_of_no_user_is_no_place(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no such user"):
        copy_named(tmp_path.__class__("~nobody-of-this-name/x.db"), Home(tmp_path))
