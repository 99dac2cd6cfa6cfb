"""`attn-study today`: the day at a glance, the study day, and a home that is only read."""

from __future__ import annotations

import os
import sys
from datetime import date
from typing import TYPE_CHECKING, Any

import pytest

from cli_helpers import HIDDEN, POWERLESS, Shell, held

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

READING = (
    ("today",),
    ("today", "--json"),
    ("card", "list"),
    ("card", "show", "attention/scaling"),
    ("deck", "list"),
    ("deck", "check"),
    ("log",),
    ("config",),
)
COUNTS = {"due": int, "new": int, "drill": int, "done_today": int}


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    return Shell(tmp_path)


def grade_all(shell: Shell, grade: str = "good") -> None:
    for card in shell.ids():
        shell.done("card", "grade", card, grade)


def test_the_first_screen_says_what_there_is_and_what_to_type(shell: Shell) -> None:
    assert shell.done().lines == [
        (
            "  Nothing studied yet. 17 cards in “7.1 Attention”, 16 cards in “By hand”, "
            "5 cards in “The trained model” and 110 cards more; 10 new a day."
        ),
        f"  Your progress will be kept in {shell.home / 'study.db'}",
        "  Not read the chapter?   attn-study demo head --step      3 minutes",
        "  Ready?                  attn-study review                10 minutes",
    ]


def test_without_a_command_today_is_shown(shell: Shell) -> None:
    assert shell.done() == shell.done("today")


def test_without_any_card_the_first_screen_sends_nobody_to_a_review(shell: Shell) -> None:
    shell.file("home/settings.toml", HIDDEN)
    said = shell.done()
    assert "No cards yet" in said.out
    assert "attn-study review" not in said.out


@pytest.mark.parametrize("words", READING, ids=" ".join)
def test_reading_creates_nothing(shell: Shell, words: tuple[str, ...]) -> None:
    shell.done(*words)
    assert not shell.home.exists()


@pytest.mark.parametrize("words", READING, ids=" ".join)
def test_reading_a_study_adds_no_row_and_no_table(shell: Shell, words: tuple[str, ...]) -> None:
    shell.done("card", "grade", "attention/scaling", "good")
    before = (shell.home / "study.db").read_bytes()
    shell.done(*words)
    assert (shell.home / "study.db").read_bytes() == before


def test_the_first_writing_command_says_once_where_progress_is_kept(shell: Shell) -> None:
    kept = [f"Your progress is kept in {shell.home / 'study.db'}"]
    assert shell.done("card", "suspend", "attention/scaling").notices == kept
    assert shell.done("card", "resume", "attention/scaling").notices == []
    assert (shell.home / "decks").is_dir()


def test_json_has_the_promised_fields_with_their_types(shell: Shell) -> None:
    shell.deck("deck: empty\ncards: []\n")
    shell.done("card", "grade", "attention/scaling", "good")
    report = shell.done("today", "--json").json
    assert list(report) == ["schema", "study_day", *COUNTS, "next_due", "decks"]
    assert report["schema"] == "attn-study/today/1"
    assert report["study_day"] == "2026-03-02"
    assert [deck["deck"] for deck in report["decks"]] == ["attention", "attention-video", "empty"]
    for counts in (report, *report["decks"]):
        assert {name: type(counts[name]) for name in COUNTS} == COUNTS
    for deck, due in zip(report["decks"], ("2026-03-03", None, None), strict=True):
        assert list(deck) == ["deck", *COUNTS, "next_due"]
        assert deck["next_due"] == due


def test_decks_add_up_to_the_whole(shell: Shell) -> None:
    shell.deck("deck: mine\ncards:\n  - {id: a, front: A, back: B}\n")
    for card, grade in (("attention/scaling", "again"), ("mine/a", "good")):
        shell.done("card", "grade", card, grade)
    report = shell.done("today", "--json").json
    for name in ("due", "drill", "done_today"):
        assert report[name] == sum(deck[name] for deck in report["decks"])
    assert (report["drill"], report["done_today"]) == (1, 2)


def test_count_is_how_many_cards_can_be_asked_now(shell: Shell) -> None:
    assert shell.done("today", "--count").out == "10\n"
    shell.done("card", "grade", "attention/scaling", "again")
    assert shell.done("today", "--count").out == "10\n", "9 new, 1 again"
    shell.now = "2026-03-03T12:00:00+00:00"
    assert shell.done("today", "--count").out == "11\n", "1 due, 10 new"


def test_today_names_what_waits_and_the_command_for_it(shell: Shell) -> None:
    shell.only_mine()
    shell.done("config", "new", "1")
    shell.done("card", "grade", "mine/one", "again")
    shell.now = "2026-03-03T12:00:00+00:00"
    shell.done("card", "grade", "mine/two", "hard")
    assert shell.done().lines == [
        "Tuesday 3 March",
        "  1 due, 1 again   attn-study review",
        "  done today: 1 card",
    ]


@pytest.mark.parametrize(
    ("days", "says"),
    [
        (["2026-03-02"], "Done for today. Tomorrow: 3 due."),
        (
            ["2026-03-02", "2026-03-03", "2026-03-04"],
            "Nothing is due. In 5 days, on 2026-03-09: 3 due.",
        ),
    ],
)
def test_when_nothing_is_asked_the_reason_and_the_next_day_are_said(
    shell: Shell, days: list[str], says: str
) -> None:
    shell.only_mine()
    for day in days[:2]:
        shell.now = f"{day}T12:00:00+00:00"
        grade_all(shell)
    shell.now = f"{days[-1]}T12:00:00+00:00"
    assert f"  {says}" in shell.done().lines
    assert says in shell.done("review").out


def test_a_backlog_says_how_many_days_it_takes(shell: Shell) -> None:
    shell.only_mine()
    grade_all(shell)
    shell.done("config", "reviews", "2")
    shell.now = "2026-03-03T12:00:00+00:00"
    assert "  2 due   attn-study review" in shell.done().lines
    assert "  3 waiting, 2 days at 2 a day" in shell.done().lines
    for card in ("mine/one", "mine/two"):
        shell.done("card", "grade", card, "good")
    assert "The day's reviews are done; 1 wait." in shell.done().out


def test_several_decks_have_a_line_each(shell: Shell) -> None:
    shell.deck("deck: 注意\ncards:\n  - {id: a, front: A, back: B}\n")
    shell.done("card", "grade", "注意/a", "good")
    assert shell.done().lines[-3:] == [
        "  attention         9 new",
        "  attention-video   101 new, behind other decks today",
        "  注意              Tomorrow: 1 due.",
    ]
    shell.done("config", "new", "1")
    assert shell.done().lines[-3:-1] == [
        "  attention         47 new, for another day: the limit is reached",
        "  attention-video   101 new, for another day: the limit is reached",
    ]


def test_a_frozen_clock_is_said_beside_the_data(shell: Shell) -> None:
    said = shell.done("today", "--json")
    assert said.err == "the clock stands at 2026-03-02T12:00:00+00:00 (ATTN_STUDY_NOW)\n"
    assert said.json["study_day"] == "2026-03-02"


def test_without_a_frozen_clock_nothing_is_said_and_today_is_today(shell: Shell) -> None:
    before = date.today()  # noqa: DTZ011
    said = shell.done("today", "--json", ATTN_STUDY_NOW=None)
    assert said.err == ""
    assert abs((date.fromisoformat(said.json["study_day"]) - before).days) <= 1


@pytest.mark.skipif(sys.platform == "win32", reason="Windows asks no variable for its data folder")
@pytest.mark.parametrize("words", [("review",), ("card", "grade", "attention/scaling", "good")])
def test_a_frozen_clock_never_writes_into_the_real_log(
    shell: Shell, words: tuple[str, ...]
) -> None:
    said = shell.attn(*words, ATTN_STUDY_HOME=None)
    assert said.code == 2
    assert "ATTN_STUDY_NOW" in said.err
    assert "ATTN_STUDY_HOME" in said.err
    assert list(shell.folder.iterdir()) == []
    assert shell.attn("today", ATTN_STUDY_HOME=None).code == 0


@pytest.mark.parametrize(
    "now",
    [
        "2026-03-02T12:00:00",  # no offset
        "2026-03-02",
        "noon",
        "1772452800",
        "2026-13-02T12:00:00+00:00",
        "0001-01-01T00:00:00+00:00",  # its study day would begin before there are dates
        "9999-12-31T23:00:00-05:00",  # no such instant in UTC
    ],
)
@pytest.mark.parametrize("words", [("today",), ("card", "grade", "attention/scaling", "good")])
def test_a_clock_that_cannot_be_read_is_refused(
    shell: Shell, now: str, words: tuple[str, ...]
) -> None:
    said = shell.attn(*words, ATTN_STUDY_NOW=now)
    assert said.code == 2
    assert "ATTN_STUDY_NOW" in said.err
    assert now in said.err


def test_answers_on_both_sides_of_midnight_belong_to_one_study_day(shell: Shell) -> None:
    shell.only_mine()
    for card, now in (("mine/one", "2026-03-02T23:50"), ("mine/two", "2026-03-03T01:30")):
        shell.now = f"{now}:00+01:00"
        shell.done("card", "grade", card, "good")
    assert [row["day"] for row in shell.log()] == ["2026-03-02", "2026-03-02"]
    assert shell.done("today", "--json").json["done_today"] == 2


@pytest.mark.parametrize(
    ("rollover", "before", "after"),
    [("4", "03:59:59", "04:00:00"), ("4", "03:59:00", "04:01:00"), ("0", "23:59:59", "00:00:00")],
)
def test_the_next_cards_come_at_the_rollover_hour(
    shell: Shell, rollover: str, before: str, after: str
) -> None:
    shell.only_mine()
    shell.done("config", "rollover", rollover)
    shell.now = "2026-03-02T22:00:00+01:00"
    grade_all(shell)
    night = "2026-03-02" if before > after else "2026-03-03"
    seen = []
    for now in (f"{night}T{before}", f"2026-03-03T{after}"):
        shell.now = f"{now}+01:00"
        report = shell.done("today", "--json").json
        seen.append((report["study_day"], report["due"], len(shell.ids("is:due"))))
    assert seen == [("2026-03-02", 0, 0), ("2026-03-03", 3, 3)]


@pytest.mark.parametrize("words", READING, ids=" ".join)
def test_reading_goes_on_while_another_process_writes(shell: Shell, words: tuple[str, ...]) -> None:
    shell.done("card", "grade", "attention/scaling", "good")
    shell.deck("deck: fresh\ncards:\n  - {id: a, front: A, back: B}\n")
    with held(shell.home / "study.db"), held(shell.home / "cache.db"):
        said = shell.attn(*words)
        assert "fresh/a" in shell.ids(), "what changed meanwhile is seen all the same"
    assert said.code == 0
    assert said.notices == []


@pytest.fixture
def sealed(shell: Shell) -> Iterator[Shell]:
    """A study in a home where nothing may be written."""
    if os.name != "posix" or (os.geteuid() == 0 and sys.platform != "linux"):
        pytest.skip("whoever runs this may write anywhere")
    shell.done("card", "grade", "attention/scaling", "good")
    paths = [shell.home, *shell.home.iterdir()]
    modes = [(path, path.stat().st_mode) for path in paths]
    for path, mode in modes:
        path.chmod(mode & 0o555)
    yield shell
    for path, mode in modes:
        path.chmod(mode)


def without_rights(shell: Shell, *words: str) -> Any:
    return shell.process(*words, before=POWERLESS if sys.platform == "linux" else "pass")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("today",), "done today: 1 card"),
        (("log",), "scaling good"),
        (("deck", "list"), "new  built-in"),
    ],
)
def test_a_read_only_home_can_be_read(sealed: Shell, words: tuple[str, ...], says: str) -> None:
    said = without_rights(sealed, *words)
    assert (said.code, said.notices) == (0, [])
    assert says in said.out


@pytest.mark.parametrize(
    ("words", "where"),
    [
        (("review", "--plain"), "study.db"),
        (("undo",), "study.db"),
        (("config", "new", "5"), "settings.toml"),
        (("deck", "remove", "attention"), "study.db"),
    ],
)
def test_a_read_only_home_is_named_when_something_must_be_written(
    sealed: Shell, words: tuple[str, ...], where: str
) -> None:
    said = without_rights(sealed, *words)
    assert (said.code, said.out) == (2, "")
    assert str(sealed.home / where) in said.notices[0]
    assert "cannot be written" in said.notices[0]
