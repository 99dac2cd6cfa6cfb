"""`deck export`: what comes out, where it goes, and that it comes back whole."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import pytest

from cli_helpers import POWERLESS, Shell
from memory_helpers import NO_RIGHTS

if TYPE_CHECKING:
    from pathlib import Path

DECK = """\
deck: mine
title: Mine
sections:
  - title: Part one
    cards:
      - id: one
        front: 'Shape of \\(QK^\\top\\)?'
        back: '[n × n]'
        tags: [shapes]
      - id: both
        kind: reversed
        front: query
        back: asks
  - title: Part two
    cards:
      - id: hole
        cloze: A row {{c1::sums}} to {{c2::1}}
      - id: say
        front: Who asks?
        answer: the query
        note: '-inf'
"""
FORMATS = ["csv", "tsv", "md", "json", "apkg", "yaml"]


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    shell = Shell(tmp_path)
    shell.deck(DECK)
    return shell


@pytest.mark.parametrize("suffix", FORMATS)
def test_a_deck_comes_back_from_every_format_as_it_was(shell: Shell, suffix: str) -> None:
    shell.done("deck", "export", "mine", "-o", f"out.{suffix}")
    said = shell.done("deck", "add", f"out.{suffix}", *_named(suffix))
    assert "(0 new, 0 changed, " in said.lines[0]


@pytest.mark.parametrize("suffix", FORMATS)
def test_an_empty_home_gets_the_same_cards(shell: Shell, tmp_path: Path, suffix: str) -> None:
    shell.done("deck", "export", "mine", "-o", f"out.{suffix}")
    other = Shell(tmp_path)
    other.home = tmp_path / "other"
    other.done("deck", "add", f"out.{suffix}", *_named(suffix))
    for card in shell.ids("deck:mine"):
        here, there = (_text(one.card(card)) for one in (shell, other))
        assert there == here


def test_anki_text_brings_back_what_it_can_say(shell: Shell) -> None:
    shell.done("deck", "export", "mine", "-o", "out.txt")
    said = shell.done("deck", "add", "out.txt")
    assert said.lines[0] == "added mine: 6 cards from 4 notes (0 new, 1 changed, 3 as before)"
    assert shell.card("mine/say")["back"] == "the query\n\n-inf"  # a typed answer has a place there


def _named(suffix: str) -> list[str]:
    """A table and a text do not say what their deck is called."""
    return ["--name", "mine"] if suffix in ("csv", "tsv") else []


def _text(card: dict[str, object]) -> dict[str, object]:
    return {key: value for key, value in card.items() if key not in ("path", "line", "where")}


def test_s49_json_carries_the_schedule_and_the_log(shell: Shell, tmp_path: Path) -> None:
    shell.done("card", "grade", "mine/one", "good")
    shell.done("card", "grade", "mine/both", "again")
    shell.done("undo")
    shell.done("card", "suspend", "mine/say")
    shell.done("deck", "export", "mine", "-o", "out.json")
    other = Shell(tmp_path)
    other.home = tmp_path / "other"
    said = other.done("deck", "add", "out.json")
    assert "mine: 4 rows of its log brought in" in said.lines
    for card in shell.ids("deck:mine"):
        assert other.card(card)["state"] == shell.card(card)["state"]
    again = other.done("deck", "add", "out.json")
    assert not any("brought in" in line for line in again.lines)


def test_s49_every_other_format_says_that_it_leaves_the_schedule_behind(shell: Shell) -> None:
    lost = "note: {} without {} schedule and log; json has them"
    for to in ("csv", "tsv", "markdown", "anki-text", "apkg", "yaml"):
        assert not any("schedule" in one for one in shell.done(*_export(to)).notices)
    shell.done("card", "grade", "mine/one", "good")
    for to in ("csv", "tsv", "markdown", "anki-text", "apkg", "yaml"):
        assert lost.format("1 card", "its") in shell.done(*_export(to)).notices
    shell.done("card", "suspend", "mine/say")
    assert lost.format("2 cards", "their") in shell.done(*_export("csv")).notices
    assert shell.done(*_export("json")).notices == ["wrote out"]


def _export(to: str) -> list[str]:
    return ["deck", "export", "mine", "-o", "out", "--to", to]


def test_without_a_file_json_goes_to_standard_output(shell: Shell) -> None:
    said = shell.done("deck", "export", "mine")
    assert said.json["schema"] == "attn-study/deck/1"
    assert shell.done("deck", "export", "mine", "--to", "yaml").out == DECK


def test_what_a_format_cannot_carry_is_said(shell: Shell) -> None:
    shell.done("card", "grade", "mine/one", "good")
    notices = shell.done("deck", "export", "attention", "-o", "out.csv").notices
    assert any(line.startswith("note: ") for line in notices)
    assert shell.done("deck", "export", "mine", "-o", "out.json").notices == ["wrote out.json"]


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        (["-o", "out.docx"], "say --to FORMAT"),
        (["--to", "jsn"], "did you mean json?"),
        (["--to", "quizlet"], "one of: "),
    ],
)
def test_an_unknown_format_is_refused_with_those_there_are(
    shell: Shell, words: list[str], hint: str
) -> None:
    refused = shell.attn("deck", "export", "mine", *words)
    assert refused.code == 2
    assert hint in refused.err


def test_a_card_with_a_mistake_is_not_passed_over_in_silence(shell: Shell) -> None:
    shell.deck(DECK + "      - id: bad\n        front: [x]\n        back: y\n")
    notices = shell.done("deck", "export", "mine", "-o", "out.json").notices
    lost = "note: 1 card with a mistake, which `attn-study deck check` names"
    assert lost in notices


def test_a_name_near_by_is_offered(shell: Shell) -> None:
    refused = shell.attn("deck", "export", "mein")
    assert (refused.code, refused.notices[-1].strip()) == (2, "did you mean mine?")


def test_nothing_but_a_file_is_written_over(shell: Shell) -> None:
    shell.done("card", "grade", "mine/one", "good")
    os.mkfifo(shell.folder / "pipe")
    (shell.folder / "folder").mkdir()
    for name in ("pipe", "folder", "home/study.db", "home/settings.toml"):
        refused = shell.attn("deck", "export", "mine", "-o", name, "--to", "json")
        assert refused.code == 2, name
        assert name in refused.err
    assert shell.log()[-1]["card"] == "mine/one"


def test_a_deck_that_was_renamed_is_exported_with_its_log(shell: Shell) -> None:
    shell.done("card", "grade", "mine/one", "good")
    shell.deck(DECK.replace("deck: mine", "deck: new\nformerly: [mine]"))
    assert len(shell.done("deck", "export", "new").json["log"]) == 2


@NO_RIGHTS
def test_s35_a_home_that_cannot_be_written_to_is_exported_from(shell: Shell) -> None:
    shell.done("card", "grade", "mine/one", "good")
    places = [shell.home, *shell.home.rglob("*")]
    for place in places:
        place.chmod(0o555 if place.is_dir() else 0o444)
    try:
        said = shell.process(
            "deck", "export", "mine", before=POWERLESS if sys.platform == "linux" else "pass"
        )
    finally:
        for place in places:
            place.chmod(0o755 if place.is_dir() else 0o644)
    assert said.code == 0, said.err
    assert len(said.json["log"]) == 1
