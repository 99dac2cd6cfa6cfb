"""Damaged text in the study, in the list of its tables too, and another database in its place."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from cli_helpers import Shell

if TYPE_CHECKING:
    from pathlib import Path

OPENING = (
    ("today",),
    ("stats",),
    ("log",),
    ("card", "grade", "mine/one", "good"),
    ("backup", "copy.db"),
)


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    """A shell with a small deck, a card of which was studied."""
    shell = Shell(tmp_path)
    shell.only_mine()
    shell.done("card", "grade", "mine/one", "good")
    return shell


def damage(path: Path, words: bytes) -> None:
    """Change the last byte of the words to one that no UTF-8 has there, wherever they stand."""
    data = path.read_bytes()
    assert words in data
    path.write_bytes(data.replace(words, words[:-1] + b"\xf7"))


@pytest.mark.parametrize("words", OPENING, ids=" ".join)
def test_s31_a_study_with_a_damaged_name_is_called_damaged(
    shell: Shell, words: tuple[str, ...]
) -> None:
    damage(shell.home / "study.db", b"CREATE TABLE meta (")
    said = shell.refused(*words)
    assert f"{shell.home / 'study.db'}: the study database is damaged" in said
    assert "attn-study doctor --salvage" in said


@pytest.mark.parametrize("words", [("doctor",), ("doctor", "--fix")], ids=" ".join)
def test_s31_doctor_says_of_a_damaged_name_what_can_be_done(
    shell: Shell, words: tuple[str, ...]
) -> None:
    study = shell.home / "study.db"
    damage(study, b"CREATE TABLE meta (")
    before = study.read_bytes()
    said = shell.attn(*words)
    assert (said.code, "attn-study doctor --salvage" in said.out) == (1, True), said.err
    assert study.read_bytes() == before
    shell.done("doctor", "--salvage", "-o", "saved.db")
    shell.done("backup", "--restore", "saved.db")
    assert [row["card"] for row in shell.log()] == ["mine/one"]


def test_s31_a_copy_with_a_damaged_name_is_refused_and_listed_as_damaged(shell: Shell) -> None:
    shell.done("backup", "copy.db")
    (backup,) = (shell.home / "backups").glob("*.db")
    damage(shell.folder / "copy.db", b"CREATE TABLE meta (")
    damage(backup, b"CREATE TABLE meta (")
    assert "this file is damaged" in shell.refused("backup", "--restore", "copy.db")
    (copy,) = shell.done("backup", "--json").json["copies"]
    assert "this file is damaged" in copy["wrong"]


def test_a_catalogue_with_a_damaged_name_is_made_anew(shell: Shell) -> None:
    damage(shell.home / "cache.db", b"CREATE TABLE vanished (")
    (one,) = shell.attn("doctor", "--json").json["findings"]
    assert one["name"] == "catalogue"
    assert shell.ids() == ["mine/one", "mine/two", "mine/three"]


def test_a_catalogue_with_a_damaged_name_speaks_of_no_earlier_study(shell: Shell) -> None:
    damage(shell.home / "cache.db", b"CREATE TABLE mark (")
    shutil.rmtree(shell.home / "backups")
    (shell.home / "study.db").write_bytes(b"")
    shell.done("card", "grade", "mine/one", "good")


def test_a_text_of_the_log_that_is_no_text_is_damage(shell: Shell) -> None:
    damage(shell.home / "study.db", b"mine/one")
    for words in (("log",), ("stats",), ("log", "export", "-o", "log.jsonl")):
        said = shell.refused(*words)
        assert "the study database is damaged (malformed: a text is no UTF-8)" in said
        assert "attn-study doctor" in said
    looked = shell.attn("doctor")
    assert (looked.code, "UTF-8" in looked.out) == (1, True)


def test_another_database_in_the_study_s_place_is_called_no_study(shell: Shell) -> None:
    shutil.copy(shell.home / "cache.db", shell.home / "study.db")
    said = shell.attn("doctor")
    assert (said.code, "newer" in said.out + said.err) == (1, False)
    assert "no study database" in said.out
    for words in OPENING:
        assert "this is no study database" in shell.refused(*words)
