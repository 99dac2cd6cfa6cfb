"""`attn-study undo`, `log` and `config`: steps taken back, seen again, and chosen otherwise."""

from __future__ import annotations

import shutil
import tomllib
from typing import TYPE_CHECKING

import pytest

from cli_helpers import Shell

if TYPE_CHECKING:
    from pathlib import Path

CARD = "attention/static-embeddings"


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    return Shell(tmp_path)


# Undo


@pytest.mark.parametrize(
    ("later", "ago"),
    [
        ("12:00:59", "just now"),
        ("12:01:00", "1 minute ago"),
        ("12:02:30", "2 minutes ago"),
        ("13:00:00", "1 hour ago"),
        ("23:00:00", "11 hours ago"),
    ],
)
def test_undo_says_what_it_took_back_and_how_long_ago_that_was(
    shell: Shell, later: str, ago: str
) -> None:
    shell.done("card", "grade", CARD, "good")
    shell.now = f"2026-03-02T{later}+00:00"
    assert shell.done("undo").out == f"took back: {CARD} good, {ago}\n"
    assert shell.card(CARD)["state"] == "new"


def test_undo_reaches_back_over_days(shell: Shell) -> None:
    shell.done("card", "grade", CARD, "q2")
    shell.now = "2026-03-04T12:00:00+00:00"
    assert shell.done("undo").out == f"took back: {CARD} q2, 2 days ago\n"


def test_undo_again_and_again_takes_each_step_back_once_newest_first(shell: Shell) -> None:
    shell.only_mine()
    for words in ("grade mine/one good", "suspend mine/one mine/two", "grade mine/one easy"):
        shell.done("card", *words.split())
    assert [shell.done("undo").lines for _ in range(3)] == [
        ["took back: mine/one easy, just now"],
        ["took back: mine/one suspend, just now", "took back: mine/two suspend, just now"],
        ["took back: mine/one good, just now"],
    ]
    assert "nothing to take back" in shell.refused("undo")
    assert [card["state"] for card in shell.cards()] == ["new"] * 3


def test_without_a_step_there_is_nothing_to_take_back(shell: Shell) -> None:
    assert "nothing to take back" in shell.refused("undo")


def test_an_answer_taken_back_and_given_again_five_times_is_one_review(shell: Shell) -> None:
    for _ in range(5):
        shell.done("card", "grade", CARD, "good")
        shell.done("undo")
    shell.done("card", "grade", CARD, "again")
    report = shell.done("today", "--json").json
    assert (report["done_today"], report["new"], report["drill"]) == (1, 9, 1)
    assert shell.card(CARD)["repetitions"] == 0


def test_a_copied_home_does_not_take_back_the_steps_of_the_other(shell: Shell) -> None:
    shell.done("card", "grade", CARD, "good")
    shutil.copytree(shell.home, shell.folder / "copy")
    shell.home = shell.folder / "copy"
    assert "on this device" in shell.refused("undo")
    assert shell.card(CARD)["state"] == "waiting"


# Log


def test_the_log_shows_the_newest_steps_first_with_what_was_taken_back(shell: Shell) -> None:
    assert shell.done("log").out == "nothing yet\n"
    shell.now = "2026-03-02T20:00:00-08:00"
    shell.done("card", "grade", CARD, "good")
    shell.now = "2026-03-02T20:01:00-08:00"
    shell.done("undo")
    assert shell.done("log").lines == [
        f"2026-03-02 20:01  {CARD} undo",
        f"2026-03-02 20:00  {CARD} good  (taken back)",
    ]


def test_the_log_shows_twenty_steps(shell: Shell) -> None:
    shell.done("card", "bury", *shell.ids())
    shell.done("card", "resume", *shell.ids())
    assert len(shell.done("log").lines) == len(shell.log()) == 20


def test_json_of_the_log_holds_rows_as_they_are_written(shell: Shell) -> None:
    shell.now = "2026-03-03T01:30:00+01:00"
    shell.done("card", "grade", CARD, "hard")
    shell.done("undo")
    graded, undone = shell.log()
    assert {name: graded[name] for name in ("card", "kind", "grade", "day", "at", "offset")} == {
        "card": CARD,
        "kind": "review",
        "grade": 3,
        "day": "2026-03-02",
        "at": "2026-03-03T00:30:00.000+00:00",
        "offset": 60,
    }
    assert (undone["kind"], undone["data"]) == ("undo", {"undone": graded["uid"]})
    assert (graded["tick"], undone["tick"]) == (1, 2)
    assert graded["seconds"] is None


def test_after_a_normal_exit_one_file_holds_everything(shell: Shell) -> None:
    shell.done("card", "grade", CARD, "good")
    names = [path.name for path in sorted(shell.home.iterdir())]
    assert names == ["backups", "cache.db", "decks", "study.db"]
    elsewhere = shell.folder / "elsewhere"
    elsewhere.mkdir()
    shutil.copy(shell.home / "study.db", elsewhere)
    shell.home = elsewhere
    assert [row["card"] for row in shell.log()] == [CARD]
    assert shell.card(CARD)["due"] == "2026-03-03"


def test_a_conflicted_copy_is_mentioned_and_left_alone(shell: Shell) -> None:
    shell.done("card", "grade", CARD, "good")
    copy = shell.home / "study (conflicted copy).db"
    shutil.copy(shell.home / "study.db", copy)
    before = copy.read_bytes()
    assert any(copy.name in line for line in shell.done("today").notices)
    assert copy.read_bytes() == before


# Config


def test_config_shows_every_setting_and_every_path(shell: Shell) -> None:
    report = shell.done("config", "--json").json
    del report["schema"]
    assert report == {
        "new": 10,
        "reviews": 200,
        "rollover": 4,
        "math": "unicode",
        "interval_cap": 36500,
        "scheduler": "sm2",
        "linked": [],
        "hidden": [],
        "sync": "",
        "home": str(shell.home),
        "study": str(shell.home / "study.db"),
        "cache": str(shell.home / "cache.db"),
        "decks": str(shell.home / "decks"),
        "backups": str(shell.home / "backups"),
        "settings": str(shell.home / "settings.toml"),
    }
    shown = shell.done("config").out
    assert all(str(value) in shown for value in report.values() if value != [])
    assert not shell.home.exists()


@pytest.mark.parametrize(
    ("key", "value"),
    [("new", "0"), ("new", "9999"), ("reviews", "5"), ("rollover", "23"), ("math", "ascii")],
)
def test_a_setting_is_changed_and_asked_for_by_name(shell: Shell, key: str, value: str) -> None:
    assert shell.done("config", key, value).out == f"{key} = {value}\n"
    assert shell.done("config", key).out == f"{value}\n"


@pytest.mark.parametrize(
    ("key", "value", "allowed"),
    [
        ("new", "x", "from 0 to 9999"),
        ("new", "-1", "from 0 to 9999"),
        ("new", "10000", "from 0 to 9999"),
        ("new", "1.5", "from 0 to 9999"),
        ("new", "²", "from 0 to 9999"),
        ("new", "", "from 0 to 9999"),
        ("new", "9" * 5000, "from 0 to 9999"),
        ("new.attention", "ten", "from 0 to 9999"),
        ("rollover", "24", "from 0 to 23"),
        ("math", "latex", "unicode, ascii"),
        ("interval_cap", "0", "from 1 to 36500"),
        ("interval_cap", "36501", "from 1 to 36500"),
        ("interval_cap", "9" * 5000, "from 1 to 36500"),
    ],
    ids=lambda value: str(value)[:12],
)
def test_a_bad_value_is_refused_with_what_is_allowed(
    shell: Shell, key: str, value: str, allowed: str
) -> None:
    said = shell.refused("config", key, "--", value)
    assert allowed in said
    assert key.partition(".")[0] in said
    assert not shell.home.exists()


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["nwe"], "did you mean new"),
        (["nwe", "5"], "did you mean new"),
        (["new.attentoin", "5"], "did you mean attention or "),
        (["rollover.attention", "5"], "no setting is called 'rollover.attention'"),
        (["linked", "x"], "no setting is called 'linked'"),
    ],
    ids=str,
)
def test_an_unknown_setting_is_refused_with_names_near_it(
    shell: Shell, words: list[str], says: str
) -> None:
    assert says in shell.refused("config", *words)


def test_limits_of_one_deck_hold_for_it_alone(shell: Shell) -> None:
    shell.deck(
        "deck: mine\ncards:\n" + "".join(f"  - {{front: F{n}, back: B}}\n" for n in range(9))
    )
    shell.done("config", "new.attention", "2")
    assert shell.done("config", "new.attention").out == "2\n"
    counts = shell.done("today", "--json").json["decks"]
    new = {deck["deck"]: deck["new"] for deck in counts}
    assert (new["attention"], sum(new.values())) == (2, 10)


def test_comments_and_order_of_the_settings_file_survive(shell: Shell) -> None:
    text = "# my settings\nnew = 7  # seven\n\n[deck.attention]\n# few\nnew = 3\n"
    path = shell.file("home/settings.toml", text)
    for key, value in (("new", "8"), ("rollover", "5"), ("reviews.attention", "9")):
        shell.done("config", key, value)
    after = path.read_text(encoding="utf-8")
    assert after.splitlines()[:2] == ["# my settings", "new = 8  # seven"]
    assert "[deck.attention]\n# few\nnew = 3\n" in after
    assert tomllib.loads(after) == {
        "new": 8,
        "rollover": 5,
        "deck": {"attention": {"new": 3, "reviews": 9}},
    }


def test_the_longest_interval_is_a_rule_of_the_log_that_undo_takes_back(shell: Shell) -> None:
    for day in (2, 3, 9):
        shell.now = f"2026-03-{day:02}T12:00:00+00:00"
        shell.done("card", "grade", CARD, "good")
    assert shell.card(CARD)["interval"] == 15
    said = shell.done("config", "interval_cap", "10")
    assert "undo" in said.out
    assert shell.done("config", "interval_cap").out == "10\n"
    assert (shell.card(CARD)["interval"], shell.card(CARD)["due"]) == (10, "2026-03-19")
    assert [row["kind"] for row in shell.log()][-1] == "rule"
    shell.done("undo")
    assert shell.done("config", "interval_cap").out == "36500\n"
    assert shell.card(CARD)["interval"] == 15


def test_no_setting_changes_what_the_log_means(shell: Shell) -> None:
    shell.done("card", "grade", CARD, "good")
    before = shell.card(CARD)
    for key, value in (("new", "0"), ("reviews", "0"), ("rollover", "0"), ("math", "ascii")):
        shell.done("config", key, value)
    assert shell.card(CARD) == before


def test_mathematics_in_ascii_is_ascii(shell: Shell) -> None:
    shell.done("config", "math", "ascii")
    said = shell.done("card", "show", "attention/scaling").out
    assert "sqrt" in said
    assert said.isascii()
