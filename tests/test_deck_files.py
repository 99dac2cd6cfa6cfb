"""The learner's deck files under `attn-study deck`: none is lost, half written or misread."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from attn_study import files
from attn_study.errors import UserError
from attn_study.memory import overview
from attn_study.memory.catalogue import Catalogue
from cli_helpers import SMALL, Shell

if TYPE_CHECKING:
    from datetime import date
    from pathlib import Path

    from attn_study.memory.limits import Limits
    from attn_study.memory.log import Log

OTHER = SMALL.replace("deck: mine", "deck: other").replace("title: Mine", "title: Other")
FRIEND = "deck: mine\ncards:\n  - {id: one, front: First question?, back: First answer.}\n"
FAULTY = FRIEND + "  - {front: [x], back: an hour of work}\n"


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    return Shell(tmp_path)


def decks(shell: Shell) -> dict[str, bytes]:
    """The learner's own deck files, and those put aside."""
    return {
        path.relative_to(shell.home).as_posix(): path.read_bytes()
        for folder in ("decks", "removed")
        for path in sorted((shell.home / folder).rglob("*.yaml"))
    }


# A deck that is replaced


@pytest.mark.parametrize("before", [SMALL, FAULTY, "# notes of my own\n" + FRIEND])
def test_the_file_that_a_deck_replaces_is_put_aside_whole(shell: Shell, before: str) -> None:
    shell.deck(before)
    shell.file("friend.yaml", FRIEND)
    said = shell.done("deck", "add", "friend.yaml")
    assert decks(shell) == {
        "decks/mine.yaml": FRIEND.encode(),
        "removed/mine.yaml": before.encode(),
    }
    assert str(shell.home / "removed" / "mine.yaml") in said.err


def test_adding_the_same_file_again_puts_nothing_aside(shell: Shell) -> None:
    shell.file("friend.yaml", FRIEND)
    shell.done("deck", "add", "friend.yaml")
    shell.done("deck", "add", "friend.yaml")
    assert decks(shell) == {"decks/mine.yaml": FRIEND.encode()}


def test_one_card_is_called_one_card(shell: Shell) -> None:
    shell.file("friend.yaml", FRIEND)
    said = shell.done("deck", "add", "friend.yaml")
    assert said.out == "added mine: 1 card (1 new, 0 changed, 0 gone)\n"


# Bytes of every kind


def test_a_deck_in_utf_16_that_checks_well_is_added_as_it_is(shell: Shell) -> None:
    data = FRIEND.replace("answer", "Größe").encode("utf-16")
    (shell.folder / "wide.yaml").write_bytes(data)
    shell.done("deck", "check", "wide.yaml")
    shell.done("deck", "add", "wide.yaml")
    assert decks(shell) == {"decks/mine.yaml": data}
    assert shell.card("mine/one")["back"] == "First Größe."


def test_skip_bad_adds_the_cards_it_promised_of_a_deck_in_another_encoding(shell: Shell) -> None:
    data = (FRIEND + "  - {id: cafe, front: café, back: y}\n").encode("cp1252")
    (shell.folder / "old.yaml").write_bytes(data)
    said = shell.attn("deck", "add", "old.yaml")
    assert (said.code, "--skip-bad adds 1)" in said.err) == (2, True)
    shell.done("deck", "add", "old.yaml", "--skip-bad")
    assert shell.ids("deck:mine") == ["mine/one"]


# All of a folder or none


def test_a_folder_whose_second_deck_cannot_be_written_leaves_all_as_it_was(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    shell.deck(SMALL)
    shell.file("week/1.yaml", FRIEND)
    shell.file("week/2.yaml", OTHER.replace("other", "a-new-one"))
    shell.file("week/3.yaml", OTHER)
    before = decks(shell)
    real = files.write_bytes

    def full(path: Path, data: bytes) -> None:
        if path.name == "other.yaml":
            raise UserError("cannot be written: No space left on device", where=str(path))
        real(path, data)

    monkeypatch.setattr(files, "write_bytes", full)
    said = shell.attn("deck", "add", "week")
    assert (said.code, said.out) == (2, "")
    assert "kept as" not in said.err
    assert decks(shell) == before


# Links


def test_removing_a_deck_linked_twice_says_what_still_links_it(shell: Shell) -> None:
    path = shell.file("notes/my.yaml", SMALL)
    shell.done("deck", "add", "notes/my.yaml", "--link")
    shell.done("deck", "add", "notes", "--link")
    said = shell.done("deck", "remove", "mine").out
    assert f"still comes through the linked folder {path.parent}:" in said
    assert "mine" in shell.decks()
    shell.done("deck", "remove", "mine")
    assert "mine" not in shell.decks()


def test_removing_a_deck_says_which_file_of_its_name_takes_its_place(shell: Shell) -> None:
    shell.deck(SMALL, "a.yaml")
    second = shell.deck(SMALL.replace("First", "Erste"), "b.yaml")
    said = shell.done("deck", "remove", "mine").out
    assert f"{second} takes its place" in said
    assert "built-in" not in said


# Another process at the same time


def test_a_deck_that_another_process_brings_in_during_the_list_is_no_error(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    shell.deck(SMALL)

    def counted_meanwhile(log: Log, day: date, limits: Limits, decks: list[str]) -> object:
        catalogue = Catalogue(log.conn)
        *_, last = catalogue.sources()
        catalogue.put(last._replace(path=f"{last.path}.yaml", deck="late"))
        return real(log, day, limits, decks)

    real = overview.overview
    monkeypatch.setattr(overview, "overview", counted_meanwhile)
    assert {"attention", "mine"} <= set(shell.decks())
