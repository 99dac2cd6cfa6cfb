"""`attn-study stats --ahead`: what it counts as done, and what it says at every width."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest

from attn_study.memory.insight.forecast import Cards, Question, workload
from attn_study.memory.insight.habits import habits
from attn_study.memory.insight.record import Record
from attn_study.render.insight.ahead import Ahead, ahead_lines, plain_ahead_lines
from cli_helpers import Shell

if TYPE_CHECKING:
    from pathlib import Path

TODAY = date(2024, 3, 6)
OWN = habits(Record((), (0,) * 24, ()), TODAY)
KNOWN = Cards.of([(250, 3, number % 30 + 1, number % 9) for number in range(200)])


def simulated(new: int = 150, limits: tuple[int, ...] = (5, 10, 20, 40)) -> Ahead:
    asked = Question(KNOWN, new, 60, 30, 36_500, 1)
    return Ahead(
        today=TODAY,
        days=30,
        seed=1,
        decks=(),
        known=200,
        new=new,
        reviews_a_day=60,
        chosen=limits[-1],
        present=10,
        habits=OWN,
        workloads=[workload(asked, OWN, limit) for limit in limits],
        notes=[],
    )


def page(ahead: Ahead, columns: int) -> list[str]:
    return [line.plain for line in ahead_lines(ahead, columns)]


@pytest.mark.parametrize("columns", [40, 50, 60, 64, 65, 66, 80, 120])
def test_every_limit_is_compared_at_every_width(columns: int) -> None:
    ahead = simulated()
    lines = page(ahead, columns)
    text = "\n".join(lines)
    for load in ahead.workloads:
        name = rf"{load.limit} new\*?" if load.limit == 10 else f"{load.limit} new"
        assert re.search(rf"(^|\s){name}(\s|$)", text), load.limit
        means = [f"{sum(load.reviews + load.new) / 30:.0f}", f"{max(load.waiting)}"]
        assert all(re.search(rf"(^|\s){figure}\b", text) for figure in means)
    assert max(map(len, lines)) <= columns


def test_without_new_cards_no_limit_on_them_is_spoken_of() -> None:
    ahead = simulated(new=0, limits=(777,))
    for lines in (page(ahead, 80), page(ahead, 40), plain(ahead)):
        text = "\n".join(lines)
        assert "777" not in text
        assert "run out" not in text
    assert "no new left" in "\n".join(page(ahead, 80))


def plain(ahead: Ahead) -> list[str]:
    return [line.plain for line in plain_ahead_lines(ahead)]


def test_plain_lines_name_each_limit_once_above_its_facts() -> None:
    lines = plain(simulated())
    heads = [at for at, line in enumerate(lines) if line.endswith("a day:")]
    assert [lines[at] for at in heads] == [
        f"with {limit} new cards a day:" for limit in (5, 10, 20, 40)
    ]
    assert {lines[at + 1].partition(":")[0] for at in heads} == {"reviews a day"}
    assert len({after - before for before, after in pairwise(heads)}) == 1


def test_a_chosen_limit_that_is_the_present_one_is_no_change() -> None:
    assert "attn-study config new" in "\n".join(page(simulated(), 80))
    same = replace(simulated(), present=40)
    assert "attn-study config new" not in "\n".join(page(same, 80))


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    found = Shell(tmp_path)
    found.only_mine()
    return found


@pytest.fixture
def two_decks(shell: Shell) -> Shell:
    shell.deck("deck: other\ncards:\n  - {id: a, front: A, back: B}\n", "other.yaml")
    return shell


def grade(shell: Shell, card: str, now: str) -> None:
    shell.now = now
    shell.done("card", "grade", f"mine/{card}", "good")


def ahead(shell: Shell, *words: str) -> dict[str, Any]:
    return shell.done("stats", "--ahead", *words, "--json").json


def test_the_workload_ahead_compares_limits_around_the_chosen_one(shell: Shell) -> None:
    grade(shell, "one", "2026-03-02T12:00:00+00:00")
    assert [load["new_a_day"] for load in ahead(shell)["limits"]] == [5, 10, 20]
    assert [load["new_a_day"] for load in ahead(shell, "--new", "2")["limits"]] == [1, 2, 4, 10]
    assert [load["new_a_day"] for load in ahead(shell, "--new", "0")["limits"]] == [0, 5, 10]
    report = ahead(shell, "30", "--new", "1")
    assert (report["days"], report["known"], report["new"]) == (30, 1, 2)
    one = next(load for load in report["limits"] if load["new_a_day"] == 1)
    assert one["new"][:4] == [1, 1, 1, 0], "today's new card is done already"
    assert one["last_new_day"] == "2026-03-04"


def test_a_bare_ahead_is_a_year_and_leaves_the_deck_a_deck(shell: Shell) -> None:
    assert len(ahead(shell)["limits"][0]["reviews"]) == 365
    assert ahead(shell, "mine")["decks"] == ["mine"]
    assert ahead(shell, "7", "mine")["days"] == 7
    assert shell.attn("stats", "--ahead", "0").code == 2
    assert shell.attn("stats", "--ahead", "-5").code == 2


def test_the_dice_hang_on_the_study_day_and_are_said(shell: Shell) -> None:
    grade(shell, "one", "2026-03-02T12:00:00+00:00")
    first = ahead(shell)
    assert first == ahead(shell) == ahead(shell, "--seed", str(first["seed"]))
    assert f"seed: {first['seed']}" in shell.done("stats", "--ahead").lines
    shell.now = "2026-03-02T20:00:00+00:00"
    assert ahead(shell)["seed"] == first["seed"]
    shell.now = "2026-03-03T12:00:00+00:00"
    assert ahead(shell)["seed"] != first["seed"]


def test_the_suspended_are_not_simulated(shell: Shell) -> None:
    grade(shell, "one", "2026-03-02T12:00:00+00:00")
    for card in ("one", "two"):
        shell.done("card", "suspend", f"mine/{card}")
    report = ahead(shell, "5")
    assert (report["known"], report["new"]) == (0, 1)


def first_day(shell: Shell, *words: str) -> dict[int, tuple[int, int]]:
    """Return the reviews and new cards of today for each limit."""
    report: dict[str, Any] = shell.done("stats", *words, "--json").json
    return {load["new_a_day"]: (load["reviews"][0], load["new"][0]) for load in report["limits"]}


def test_grades_of_other_decks_are_not_counted_for_this_one(two_decks: Shell) -> None:
    two_decks.now = "2026-03-01T12:00:00+00:00"
    two_decks.done("card", "grade", "other/a", "good")
    two_decks.now = "2026-03-02T12:00:00+00:00"
    for card in ("other/a", "mine/one", "mine/two"):
        two_decks.done("card", "grade", card, "good")
    mine = first_day(two_decks, "mine", "--ahead", "2", "--new", "2")
    assert mine[2] == (0, 2), "both of today's new cards were of this deck"
    assert mine[10] == (0, 3)
    assert first_day(two_decks, "other", "--ahead", "2")[10] == (1, 0)
    assert first_day(two_decks, "--ahead", "2", "--new", "2")[2] == (1, 2)


def test_cards_of_other_decks_use_up_the_limit_of_the_day(two_decks: Shell) -> None:
    two_decks.done("card", "grade", "other/a", "good")
    found = first_day(two_decks, "mine", "--ahead", "2", "--new", "1")
    assert (found[1], found[2]) == ((0, 0), (0, 1))


def test_the_prior_of_passing_and_of_seconds_is_said(shell: Shell) -> None:
    said = " ".join(shell.done("stats", "--ahead").lines)
    assert "leaning on 90 % and 12 seconds, which weigh as much as 30 answers" in said
