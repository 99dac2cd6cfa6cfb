"""Rules in the log: who schedules a deck, switched and switched back without a loss."""

from __future__ import annotations

import subprocess
import sys
from datetime import date
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from attn_study.extras import install
from attn_study.memory.database import transaction
from attn_study.memory.event import Draft
from attn_study.memory.replaying import replayed
from attn_study.memory.rules import Choice, Rules, rules_of
from cli_helpers import SMALL, SOURCES, Shell
from memory_helpers import LAW, log_in_memory, noon, replay, review, rows, states, told, write
from test_fold import histories as stories

if TYPE_CHECKING:
    from pathlib import Path

    from attn_study.memory.event import Event


def rule(**data: object) -> Draft:
    return Draft("", "rule", data=data)


@pytest.fixture
def mine(tmp_path: Path) -> Shell:
    shell = Shell(tmp_path)
    (shell.home / "decks").mkdir(parents=True)
    (shell.home / "decks" / "mine.yaml").write_text(SMALL, encoding="utf-8")
    return shell


@pytest.mark.parametrize(
    ("story", "deck", "expected"),
    [
        ([], "a", Choice("sm2", 0.9, False)),
        ([rule(scheduler="fsrs", deck="a")], "a", Choice("fsrs")),
        ([rule(scheduler="fsrs", deck="a")], "b", Choice("sm2")),
        ([rule(scheduler="fsrs")], "b", Choice("fsrs")),
        ([rule(scheduler="fsrs"), rule(scheduler="sm2", deck="a")], "a", Choice("sm2")),
        ([rule(retention=0.8), rule(scheduler="fsrs", deck="a")], "a", Choice("fsrs", 0.8)),
        (
            [rule(scheduler="fsrs", deck="a"), rule(fuzz=True, deck="a")],
            "a",
            Choice("fsrs", 0.9, True),
        ),
        ([rule(scheduler="leitner", deck="a")], "a", Choice("sm2")),
        ([rule(retention=0.2, deck="a"), rule(retention="high", deck="a")], "a", Choice("sm2")),
        ([rule(scheduler="fsrs", deck=7)], "a", Choice("sm2")),
    ],
)
def test_the_newest_rule_that_makes_sense_holds(
    story: list[Draft], deck: str, expected: Choice
) -> None:
    events = told(*[(number, draft) for number, draft in enumerate(story)])
    assert rules_of(events).choice(deck) == expected


@settings(LAW, max_examples=40)
@given(stories(), st.sampled_from(["", "a"]))
def test_switching_to_fsrs_and_back_gives_the_same_states(events: list[Event], deck: str) -> None:
    with log_in_memory() as log:
        with transaction(log.conn):
            log.take_in(events)
        before = states(log.conn)
        write(log, 20, rule(scheduler="fsrs", deck=deck))
        assert states(log.conn) == replay(rows(log.conn)) == {s.card: s for s in replayed(log)}
        write(log, 21, rule(scheduler="sm2", deck=deck))
        assert states(log.conn) == before


@settings(LAW, max_examples=40)
@given(stories())
def test_under_fsrs_each_row_leads_to_the_state_that_a_replay_finds(events: list[Event]) -> None:
    with log_in_memory() as log:
        write(log, 0, rule(scheduler="fsrs"))
        for event in events:
            with transaction(log.conn):
                log.take_in([event])
            assert states(log.conn) == replay(rows(log.conn))


def test_an_undo_takes_the_switch_back() -> None:
    with log_in_memory() as log:
        write(log, 0, review("a/x", 4), review("b/y", 4))
        before = states(log.conn)
        write(log, 1, rule(scheduler="fsrs", deck="a"))
        assert log.state("a/x").memory.stability == 2.3065
        assert log.state("b/y") == before["b/y"]
        log.undo(noon(1))
        assert states(log.conn) == before


def test_the_cap_holds_for_fsrs_too() -> None:
    assert Rules(3, {"": {"scheduler": "fsrs"}}).schedule("a/x")
    with log_in_memory() as log:
        write(log, 0, rule(scheduler="fsrs"), rule(interval_cap=3), review("a/x", 5))
        assert log.state("a/x").memory.interval == 3


def test_config_chooses_the_scheduler_of_a_deck_and_shows_it(mine: Shell) -> None:
    mine.done("card", "grade", "mine/one", "easy")
    said = mine.done("config", "scheduler.mine", "fsrs")
    assert said.lines == [
        "scheduler.mine = fsrs, for all answers so far too; `attn-study undo` takes it back"
    ]
    mine.done("config", "retention.mine", "0.85")
    mine.done("config", "fuzz.mine", "on")
    report = mine.done("config", "--json").json
    assert report["scheduler"] == "sm2"
    assert report["scheduler.mine"] == "fsrs"
    assert report["retention.mine"] == 0.85
    assert report["fuzz.mine"] == "on"
    card = mine.done("card", "show", "mine/one", "--json").json
    assert card["stability"] == 8.2956
    assert "stability 8.3 d" in mine.done("card", "show", "mine/one").out


@pytest.mark.parametrize(
    ("key", "value", "hint"),
    [
        ("scheduler.mine", "anki", "sm2, fsrs"),
        ("retention.mine", "1.5", "from 0.7 to 0.97"),
        ("retention.mine", "nan", "from 0.7 to 0.97"),
        ("retention.mine", "high", "from 0.7 to 0.97"),
        ("fuzz", "perhaps", "on or off"),
        ("scheduler.main", "fsrs", "mine"),
    ],
)
def test_a_rule_that_cannot_be_is_refused(mine: Shell, key: str, value: str, hint: str) -> None:
    assert hint in mine.refused("config", key, value)
    assert mine.done("log", "--json").json["entries"] == []


@pytest.mark.parametrize("order", [("retention", "scheduler"), ("scheduler", "retention")])
def test_what_was_chosen_for_a_deck_is_kept_apart_from_what_was_not(order: tuple[str, ...]) -> None:
    """A retention of its own does not keep a deck from the scheduler that all others have."""
    rows_of = {"retention": rule(retention=0.8, deck="a"), "scheduler": rule(scheduler="fsrs")}
    found = rules_of(told(*[(n, rows_of[name]) for n, name in enumerate(order)]))
    assert found.choice("a") == Choice("fsrs", 0.8)
    assert found.choice("b") == Choice("fsrs")


def test_a_choice_for_a_deck_can_be_taken_back_so_that_it_is_as_every_other(mine: Shell) -> None:
    mine.done("config", "scheduler.mine", "fsrs")
    said = mine.done("config", "scheduler.mine", "")
    assert said.lines[0].startswith("scheduler.mine = sm2, ")
    assert "scheduler.mine" not in mine.done("config", "--json").json


def test_a_choice_that_has_no_effect_yet_is_shown_all_the_same(mine: Shell) -> None:
    mine.done("config", "retention.mine", "0.8")
    mine.done("config", "fuzz", "on")
    assert mine.done("config", "retention.mine").out == "0.8\n"
    assert mine.done("config", "fuzz").out == "on\n"


def test_s34_a_rule_that_a_later_dated_one_outweighs_is_said_not_to_count(mine: Shell) -> None:
    mine.now = "2027-03-01T12:00:00+00:00"
    mine.done("config", "interval_cap", "3")
    mine.now = "2026-03-02T12:00:00+00:00"
    said = mine.done("config", "interval_cap", "500")
    assert said.lines == [
        "interval_cap = 3, for all answers so far too; `attn-study undo` takes it back",
        "but 500 does not count: a rule dated later than today has the last word",
    ]


def test_the_log_and_an_undo_say_which_rule(mine: Shell) -> None:
    mine.done("config", "scheduler.mine", "fsrs")
    mine.done("config", "interval_cap", "90")
    lines = mine.done("log").lines
    assert [line.partition("rule ")[2] for line in lines] == [
        "interval_cap = 90",
        "scheduler.mine = fsrs",
    ]
    assert "took back: rule interval_cap = 90" in mine.done("undo").out


def test_a_row_of_the_last_day_there_is_is_no_hurdle_for_either_scheduler() -> None:
    for name in ("sm2", "fsrs"):
        with log_in_memory() as log:
            write(log, 0, rule(scheduler=name))
            last = told((0, review("a/x", 4)))[0]._replace(day=date.max)
            with transaction(log.conn):
                log.take_in([last])
            assert log.state("a/x").memory.due == date.max


WITHOUT = """
import importlib.util, sys
found = importlib.util.find_spec
importlib.util.find_spec = lambda name, *more: None if name == "fsrs" else found(name, *more)
sys.modules["fsrs"] = None
from attn_study.cli.main import main
sys.argv[0] = "attn-study"
main()
"""


def without(shell: Shell, *words: str) -> subprocess.CompletedProcess[str]:
    """Run the program where the package of FSRS cannot be imported."""
    return subprocess.run(
        [sys.executable, "-c", WITHOUT, *words],
        env={**shell.environ({}), "PYTHONPATH": str(SOURCES)},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("words", [("config", "scheduler.mine", "fsrs"), ("stats", "--compare")])
def test_what_needs_the_package_is_refused_without_it(mine: Shell, words: tuple[str, ...]) -> None:
    mine.done("card", "grade", "mine/one", "good")
    said = without(mine, *words)
    assert said.returncode == 2
    assert install("fsrs") in said.stderr
    assert [entry["kind"] for entry in mine.done("log", "--json").json["entries"]] == ["review"]


def test_without_the_package_sm2_takes_the_place_of_fsrs_until_it_is_there(mine: Shell) -> None:
    mine.done("config", "scheduler.mine", "fsrs")
    mine.done("card", "grade", "mine/one", "easy")
    planned = mine.card("mine/one")
    said = without(mine, "card", "grade", "mine/two", "easy")
    assert said.returncode == 0
    assert "FSRS is not installed: SM-2 sets the dates of mine until it is" in said.stderr
    assert [mine.card(f"mine/{card}")["interval"] for card in ("one", "two")] == [1, 1]
    assert mine.card("mine/one")["stability"] is None
    mine.done("card", "suspend", "mine/three")  # any command that writes, with the package
    assert mine.card("mine/one")["stability"] == planned["stability"]
    assert mine.card("mine/two")["interval"] == planned["interval"] == 8


def test_doctor_names_the_command_that_really_brings_sm2_back(mine: Shell) -> None:
    mine.done("config", "scheduler.mine", "fsrs")
    said = without(mine, "doctor")
    assert said.returncode == 1
    assert "`attn-study config scheduler.mine sm2`" in " ".join(said.stdout.split())
    assert without(mine, "config", "scheduler.mine", "sm2").returncode == 0
    assert "FSRS" not in without(mine, "doctor").stdout
