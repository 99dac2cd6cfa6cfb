"""`attn-study stats`: study days as they were recorded, on every clock; what is refused."""

from __future__ import annotations

from datetime import date, timedelta
from typing import TYPE_CHECKING

import pytest

from cli_helpers import HIDDEN, Shell

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    found = Shell(tmp_path)
    found.only_mine()
    return found


def grade(shell: Shell, card: str, now: str, grade: str = "good") -> None:
    shell.now = now
    shell.done("card", "grade", f"mine/{card}", grade)


def days(shell: Shell) -> dict[str, int]:
    """Return the reviews of each study day."""
    found = shell.done("stats", "--json").json["days"]
    return {day["day"]: day["reviews"] for day in found}


def test_s07_both_sides_of_midnight_are_one_day_in_every_figure(shell: Shell) -> None:
    grade(shell, "one", "2026-03-02T23:50:00+01:00")
    grade(shell, "two", "2026-03-03T01:30:00+01:00")
    assert days(shell) == {"2026-03-02": 2}
    report = shell.done("stats", "--json").json
    assert report["study_day"] == "2026-03-02"
    assert report["streak"] == {
        "current": 1,
        "longest": 1,
        "days_studied": 1,
        "first_day": "2026-03-02",
    }
    assert [hour for hour, count in enumerate(report["hours"]) if count] == [1, 23]


def test_s07_the_next_day_begins_at_four(shell: Shell) -> None:
    grade(shell, "one", "2026-03-03T03:59:00+01:00")
    grade(shell, "two", "2026-03-03T04:01:00+01:00")
    assert days(shell) == {"2026-03-02": 1, "2026-03-03": 1}


def test_s08_a_flight_west_and_back_studies_no_day_twice(shell: Shell) -> None:
    grade(shell, "one", "2026-03-02T20:00:00+09:00")  # Tokyo
    grade(shell, "two", "2026-03-02T20:00:00-08:00")  # the same evening in Los Angeles
    assert days(shell) == {"2026-03-02": 2}
    grade(shell, "three", "2026-03-05T20:00:00+09:00")
    report = shell.done("stats", "--json").json
    assert [day["day"] for day in report["days"]] == ["2026-03-02", "2026-03-05"]
    assert (report["streak"]["current"], report["streak"]["longest"]) == (1, 1)
    assert report["hours"][20] == 3


@pytest.mark.parametrize("zone", ["+14:00", "-11:00", "+00:00"])
@pytest.mark.parametrize("rollover", ["0", "4", "12"])
def test_s34_past_days_stay_when_zone_and_rollover_change(
    shell: Shell, rollover: str, zone: str
) -> None:
    for number, hour in ((2, "23:30"), (3, "03:30"), (4, "12:30")):
        card = ("one", "two", "three")[number - 2]
        grade(shell, card, f"2026-03-0{number}T{hour}:00+01:00")
    before = shell.done("stats", "--json").json
    shell.done("config", "rollover", rollover)
    shell.now = f"2026-04-20T12:00:00{zone}"
    after = shell.done("stats", "--json").json
    for name in ("days", "hours", "reviews", "grades", "intervals"):
        assert after[name] == before[name]


def test_s33_days_around_a_clock_change_are_calendar_days(shell: Shell) -> None:
    grade(shell, "one", "2026-10-24T23:28:00+02:00")
    grade(shell, "two", "2026-10-25T23:28:00+01:00")  # the day of 25 hours
    grade(shell, "three", "2026-10-26T23:28:00+01:00")
    assert list(days(shell)) == ["2026-10-24", "2026-10-25", "2026-10-26"]
    assert shell.done("stats", "--json").json["streak"]["current"] == 3


def test_s37_undo_takes_an_answer_out_of_every_figure(shell: Shell) -> None:
    before = shell.done("stats", "--json").json
    for _ in range(5):
        grade(shell, "one", "2026-03-02T12:00:00+00:00", "again")
        shell.done("undo")
    assert shell.done("stats", "--json").json == before
    grade(shell, "one", "2026-03-02T12:00:00+00:00")
    report = shell.done("stats", "--json").json
    assert (report["reviews"], report["streak"]["current"]) == (1, 1)
    shell.done("undo")
    assert shell.done("stats", "--json").json == before


def coming(shell: Shell, *decks: str) -> dict[str, int]:
    found = shell.done("stats", *decks, "--json").json["coming"]
    return {day["day"]: day["due"] for day in found if day["due"]}


def test_s38_the_forecast_begins_with_the_backlog_and_holds_its_last_day(shell: Shell) -> None:
    for card, due in (("one", "2026-02-01"), ("two", "2026-04-01"), ("three", "2026-04-02")):
        remember(shell, card, due)
    shell.now = "2026-03-02T12:00:00+00:00"
    assert coming(shell) == {"2026-03-02": 1, "2026-04-01": 1}, "30 days after today, and no more"
    listed = shell.done("stats", "--json").json["coming"]
    first = date(2026, 3, 2)
    assert [day["day"] for day in listed] == [str(first + timedelta(days=n)) for n in range(31)]


def remember(shell: Shell, card: str, due: str) -> None:
    """Let a card be due on that day, by an answer given the day before."""
    before = date.fromisoformat(due) - timedelta(days=1)
    grade(shell, card, f"{before}T12:00:00+00:00")


def test_the_forecast_leaves_the_suspended_out_and_agrees_with_today(shell: Shell) -> None:
    for card in ("one", "two"):
        remember(shell, card, "2026-03-02")
    shell.now = "2026-03-02T12:00:00+00:00"
    assert coming(shell)["2026-03-02"] == shell.done("today", "--json").json["due"] == 2
    shell.done("card", "suspend", "mine/one")
    assert coming(shell) == {"2026-03-02": 1}, "nor does it come tomorrow"
    assert shell.done("today", "--json").json["due"] == 1


def test_what_rests_today_comes_tomorrow(shell: Shell) -> None:
    remember(shell, "one", "2026-03-02")
    shell.now = "2026-03-02T12:00:00+00:00"
    shell.done("card", "bury", "mine/one")
    assert coming(shell) == {"2026-03-03": 1}


def test_cards_of_one_note_come_on_days_apart(shell: Shell) -> None:
    shell.deck("deck: both\ncards:\n  - {id: a, kind: reversed, front: A, back: B}\n", "both.yaml")
    for card, now in (("a", "2026-03-01"), ("a:reverse", "2026-03-02")):
        shell.now = f"{now}T12:00:00+00:00"
        shell.done("card", "grade", f"both/{card}", "good")
    assert coming(shell, "both") == {"2026-03-03": 1, "2026-03-04": 1}
    shell.now = "2026-03-03T12:00:00+00:00"
    assert coming(shell, "both") == {"2026-03-03": 1, "2026-03-04": 1}
    assert shell.done("today", "--json").json["due"] == 1


def test_only_the_decks_that_are_named_are_counted(shell: Shell) -> None:
    shell.deck("deck: other\ncards:\n  - {id: a, front: A, back: B}\n", "other.yaml")
    grade(shell, "one", "2026-03-02T12:00:00+00:00")
    shell.done("card", "grade", "other/a", "again")
    counts = {
        words: shell.done("stats", *words, "--json").json["reviews"]
        for words in ((), ("mine",), ("other",), ("mine", "other"), ("mine", "mine"))
    }
    assert list(counts.values()) == [2, 1, 1, 2, 1]


@pytest.mark.parametrize("more", [(), ("--ahead",), ("--json",)])
def test_an_unknown_deck_is_refused_with_near_names(shell: Shell, more: tuple[str, ...]) -> None:
    said = shell.refused("stats", "mien", *more)
    assert "no deck is called 'mien'" in said
    assert "did you mean mine?" in said


@pytest.mark.parametrize("option", ["--new", "--seed"])
def test_what_only_the_simulation_takes_is_refused_without_it(shell: Shell, option: str) -> None:
    assert f"{option} goes with --ahead" in shell.refused("stats", option, "5")


@pytest.mark.parametrize("words", [(), ("--plain",), ("mine",)])
def test_an_empty_log_gets_a_friendly_sentence_and_what_to_type(
    shell: Shell, words: tuple[str, ...]
) -> None:
    said = shell.done("stats", *words)
    assert said.lines == [
        "Nothing studied yet, so there is nothing to count.",
        "Ready?   attn-study review",
    ]
    assert not (shell.home / "study.db").exists()


def test_without_any_deck_there_is_nothing_to_count_either(tmp_path: Path) -> None:
    shell = Shell(tmp_path)
    shell.file("home/settings.toml", HIDDEN)
    assert "Nothing studied yet" in shell.done("stats").out
    assert "0 known cards, 0 new" in shell.done("stats", "--ahead").out


def test_nothing_of_nothing_is_null_in_json(shell: Shell) -> None:
    for stretch in shell.done("stats", "--json").json["retention"]:
        assert stretch["both"] == {"passed": 0, "reviews": 0, "retention": None}


def test_a_pipe_gets_one_fact_a_line(shell: Shell) -> None:
    grade(shell, "one", "2026-03-01T12:00:00+00:00")
    grade(shell, "one", "2026-03-02T12:00:00+00:00")
    said = shell.done("stats")
    assert said == shell.done("stats", "--plain")
    assert "retention today young: 100 % of 1" in said.lines
    assert "due on 2026-03-08: 1" in said.lines
    assert "2026-03-01: 1 reviews, 0 s" not in said.out
    assert "2026-03-01: 1 review, 0 s" in said.lines
    assert not set(said.out) & set("│─█▓▒░")


def forget(shell: Shell, card: str, lapses: int) -> None:
    """Let a card be remembered and forgotten by turns, that many times."""
    first = date(2026, 1, 1)
    for number in range(2 * lapses):
        now = first + timedelta(days=number)
        grade(shell, card, f"{now}T12:00:00+00:00", "again" if number % 2 else "good")


def test_a_leech_comes_with_what_to_do_about_it(shell: Shell) -> None:
    long = "A long answer. " * 30
    shell.only_mine(
        "deck: mine\ncards:\n  - {id: one, front: Q, back: A, demo: scale}\n"
        f"  - {{id: two, front: R, back: {long}}}\n"
    )
    forget(shell, "one", 8)
    forget(shell, "two", 2)
    report = shell.done("stats", "--json").json
    assert [card["id"] for card in report["leeches"]] == ["mine/one"]
    assert report["leeches"][0]["lapses"] == 8
    edit = "attn-study card edit mine/one"
    assert report["leeches"][0]["to_do"] == [edit, "attn-study demo scale"]
    assert [card["id"] for card in report["hardest"]] == ["mine/two"]
    lines = shell.done("stats").lines
    assert any(line.startswith("leech: mine/one, 8 lapses") for line in lines)
    assert any("split it (long): attn-study card edit mine/two" in line for line in lines)


def test_all_hard_cards_are_counted_where_ten_are_named(shell: Shell) -> None:
    names = [f"c{number}" for number in range(12)]
    cards = "".join(f"  - {{id: {name}, front: Q {name}, back: A}}\n" for name in names)
    shell.only_mine(f"deck: mine\ncards:\n{cards}")
    for now, answer in (("2026-03-01", "good"), ("2026-03-02", "again")):
        for name in names:
            grade(shell, name, f"{now}T12:00:00+00:00", answer)
    report = shell.done("stats", "--json").json
    assert (len(report["hardest"]), report["n_hardest"], report["n_leeches"]) == (10, 12, 0)


def test_what_is_left_to_do_is_what_today_counts(shell: Shell) -> None:
    grade(shell, "one", "2026-03-02T12:00:00+00:00", "again")
    assert "2 new, 1 again: attn-study review" in shell.done("stats").lines
    assert "  2 new, 1 again   attn-study review" in shell.done("today").lines


def test_a_hard_card_of_fsrs_has_no_ease_in_json(shell: Shell) -> None:
    forget(shell, "one", 1)
    (card,) = shell.done("stats", "--json").json["hardest"]
    assert (card["ease"], card["difficulty"]) == (2.5, None)
    shell.done("config", "scheduler.mine", "fsrs")
    report = shell.done("stats", "--json").json
    (card,) = report["hardest"]
    assert (card["ease"], report["parted_anew"]) == (None, True)
    assert 1 <= card["difficulty"] <= 10
