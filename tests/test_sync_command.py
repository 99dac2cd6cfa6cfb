"""`attn-study sync`: what is typed, what is said, and what two homes know afterwards."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING, Any

import pytest

from attn_study.deck.travelling import carry
from attn_study.files import alone
from attn_study.memory.sync.folder import LOGS
from cli_helpers import SMALL, Shell, held

if TYPE_CHECKING:
    from pathlib import Path

    from attn_study.deck.travelling import Carried


def machine(folder: Path) -> Shell:
    folder.mkdir()
    return Shell(folder)


@pytest.fixture
def desk(tmp_path: Path) -> Shell:
    return machine(tmp_path / "desk")


@pytest.fixture
def lap(tmp_path: Path) -> Shell:
    return machine(tmp_path / "lap")


def grade(shell: Shell, *cards: str) -> None:
    for card in cards:
        shell.done("card", "grade", f"attention/{card}", "good")


def device(home: Path) -> str:
    with closing(sqlite3.connect(home / "study.db")) as conn:
        found = conn.execute("SELECT value FROM meta WHERE key = 'device'").fetchone()
    return str(found[0])


def test_two_machines_have_the_same_progress(desk: Shell, lap: Shell, box: Path) -> None:
    grade(desk, "scaling", "one-head")
    said = desk.done("sync", str(box))
    assert said.lines == [
        "Sent 2 rows; nothing new came.",
        f"  {box}",
        f"    2 rows  {device(desk.home)}, this device",
    ]
    assert "remembered: `attn-study sync` will do from now on" in said.notices
    assert lap.done("sync", str(box)).lines[0] == (
        "Received 2 rows about 2 cards; nothing to send."
    )
    grade(lap, "scaling")
    assert lap.done("sync").lines[0] == "Sent 1 row; nothing new came."
    assert desk.done("sync").lines[0] == "Received 1 row about 1 card; nothing to send."
    assert desk.done("sync").lines[0] == "Nothing new on either side."
    for name in ("attention/scaling", "attention/one-head"):
        ours, theirs = (shell.card(name) for shell in (desk, lap))
        for history in (ours["history"], theirs["history"]):
            for row in history:
                del row["id"]
        assert {**ours, "where": ""} == {**theirs, "where": ""}
    assert lap.done("today", "--json").json["done_today"] == 2


def test_the_report_is_one_object(desk: Shell, lap: Shell, box: Path) -> None:
    grade(desk, "scaling")
    desk.done("sync", str(box))
    report = lap.done("sync", str(box), "--json").json
    name = f"{device(desk.home)}.jsonl"
    assert report == {
        "schema": "attn-study/sync/1",
        "folder": str(box),
        "sent": 0,
        "received": 1,
        "cards": 1,
        "files": [{"file": name, "rows": 1, "received": 1, "own": False}],
        "odd": [],
        "odd_untold": 0,
        "decks": None,
    }


def test_what_is_odd_is_named_and_shows_in_the_exit_code(
    desk: Shell, lap: Shell, box: Path
) -> None:
    grade(desk, "scaling", "one-head")
    desk.done("sync", str(box))
    (path,) = (box / LOGS).glob("*.jsonl")
    path.write_bytes(path.read_bytes().replace(b"scaling", b"scalimg"))
    said = lap.attn("sync", str(box))
    assert said.code == 1
    assert said.lines[0] == "Received 1 row about 1 card; nothing to send."
    assert said.lines[-3:-1] == [
        "1 thing is odd; all else was done:",
        f"  {path.name}:1: this line is damaged",
    ]
    assert "written again when its own device syncs next" in said.lines[-1]
    report = lap.attn("sync", "--json")
    assert report.code == 1
    assert report.json["odd"] == [{"file": path.name, "line": 1, "what": "this line is damaged"}]
    said = desk.attn("sync")
    assert said.code == 1
    assert said.lines[-1] == "  Damaged lines of this device's file were written again."
    assert (desk.attn("sync").code, lap.attn("sync").code) == (0, 0)


def test_without_a_folder_it_is_said_what_to_type(desk: Shell) -> None:
    said = desk.refused("sync")
    assert "attn-study sync FOLDER" in said
    assert not desk.home.exists()


def test_a_folder_that_is_not_there_is_not_made(desk: Shell, box: Path) -> None:
    assert "no such folder" in desk.refused("sync", str(box / "typo"))
    assert not (box / "typo").exists()
    assert not desk.home.exists()


def test_folders_that_cannot_be_synced_with_are_refused(desk: Shell, box: Path) -> None:
    grade(desk, "scaling")
    file = box / "file"
    file.touch()
    (box / LOGS).mkdir()
    link = desk.folder / "link"
    link.symlink_to(desk.home)
    for folder, says in {
        desk.home: "your own log",
        desk.home / "decks": "your own log",
        link: "your own log",
        file: "this is no folder",
        box / LOGS: f"attn-study sync {box}",
        "~nobody-of-this-name/x": "no such user",
    }.items():
        assert says in desk.refused("sync", str(folder))
        assert says in desk.refused("config", "sync", str(folder))


def test_the_folder_is_a_setting_that_can_be_changed_and_forgotten(
    desk: Shell, box: Path, tmp_path: Path
) -> None:
    (desk.folder / "near").mkdir()
    desk.done("config", "sync", "near")
    assert desk.done("config", "sync").out == f"{desk.folder / 'near'}\n"
    desk.done("sync")
    assert (desk.folder / "near" / LOGS).is_dir()
    said = desk.done("sync", str(box))
    assert f"{desk.folder / 'near'} is synced with no more" in said.notices
    assert desk.done("config", "--json").json["sync"] == str(box)
    assert desk.done("config", "sync", "").out == "sync is forgotten\n"
    assert "attn-study sync FOLDER" in desk.refused("sync")


def test_a_refused_folder_is_not_remembered(desk: Shell, box: Path) -> None:
    grade(desk, "scaling")
    (box / LOGS).write_text("in the way", encoding="utf-8")
    assert "cannot be written" in desk.refused("sync", str(box))
    assert desk.done("config", "--json").json["sync"] == ""


def test_a_home_that_was_copied_writes_a_file_of_its_own(
    desk: Shell, lap: Shell, box: Path
) -> None:
    grade(desk, "scaling")
    desk.done("sync", str(box))
    shutil.copytree(desk.home, lap.home)
    grade(lap, "one-head")
    grade(desk, "projections")
    lap.done("sync")
    desk.done("sync")
    lap.done("sync")
    written = {
        path.stem: len(path.read_bytes().splitlines()) for path in (box / LOGS).glob("*.jsonl")
    }
    assert written == {device(desk.home): 2, device(lap.home): 1}
    assert {row["uid"] for row in desk.log()} == {row["uid"] for row in lap.log()}


def test_s32_while_another_process_writes_nothing_is_taken_in(
    desk: Shell, lap: Shell, box: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    grade(desk, "scaling")
    desk.done("sync", str(box))
    lap.done("sync", str(box))
    grade(desk, "one-head")
    desk.done("sync")
    monkeypatch.setattr("attn_study.memory.database.WAIT", 0.0)
    with held(lap.home / "study.db"):
        assert "in use by another attn-study" in lap.refused("sync")
    assert lap.done("sync").lines[0].startswith("Received 1 row")


def test_two_syncs_of_one_home_do_not_run_at_once(
    desk: Shell, box: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    grade(desk, "scaling")
    monkeypatch.setattr("attn_study.files.WAIT", 0.0)
    with alone(desk.home / "sync"):
        assert "in use by another attn-study" in desk.refused("sync", str(box))
    assert desk.done("sync", str(box)).lines[0].startswith("Sent 1 row")


def test_s09_after_a_sync_the_database_file_alone_holds_what_came(
    desk: Shell, lap: Shell, box: Path, tmp_path: Path
) -> None:
    grade(desk, "scaling")
    desk.done("sync", str(box))
    lap.done("sync", str(box))
    shutil.copy(lap.home / "study.db", tmp_path / "alone.db")
    with closing(sqlite3.connect(tmp_path / "alone.db")) as conn:
        assert conn.execute("SELECT card FROM log").fetchall() == [("attention/scaling",)]


def test_cards_that_were_answered_elsewhere_are_no_longer_new(
    desk: Shell, lap: Shell, box: Path
) -> None:
    for shell in (desk, lap):
        shell.only_mine()
    assert [deck["new"] for deck in lap.done("today", "--json").json["decks"]] == [3]
    desk.done("card", "grade", "mine/one", "good")
    desk.done("sync", str(box))
    lap.done("sync", str(box))
    assert lap.ids("is:new") == ["mine/two", "mine/three"]
    lap.done("review", "--plain", given="\n3\n")
    assert lap.log()[-1]["card"] == "mine/two"


def test_a_card_whose_only_answer_was_taken_back_elsewhere_is_new_again(
    desk: Shell, lap: Shell, box: Path
) -> None:
    for shell in (desk, lap):
        shell.only_mine()
    desk.done("card", "grade", "mine/one", "good")
    for undone in (False, True):
        if undone:
            desk.done("undo")
        desk.done("sync", str(box))
        lap.done("sync", str(box))
    lap.done("review", "--plain", given="\n3\n")
    assert lap.log()[-1]["card"] == "mine/one"


def test_rows_of_cards_that_no_deck_holds_here_are_kept(desk: Shell, lap: Shell, box: Path) -> None:
    desk.only_mine()
    desk.done("card", "grade", "mine/one", "good")
    desk.done("sync", str(box))
    lap.done("sync", str(box))
    assert [row["card"] for row in lap.log()] == ["mine/one"]
    lap.only_mine()
    assert lap.card("mine/one")["repetitions"] == 1


def test_decks_go_along_when_asked_and_come_into_use_at_once(
    desk: Shell, lap: Shell, box: Path
) -> None:
    desk.only_mine()
    desk.done("card", "grade", "mine/one", "good")
    said = desk.done("sync", str(box), "--decks")
    assert "  decks sent: mine.yaml" in said.lines
    said = lap.done("sync", str(box), "--decks")
    assert "  decks received: mine.yaml" in said.lines
    assert lap.card("mine/one")["repetitions"] == 1
    assert "  decks: nothing new" in lap.done("sync", "--decks").lines
    (box / "decks" / "mine.yaml").unlink()
    assert (
        "  removed on one side, left on the other: mine.yaml" in lap.done("sync", "--decks").lines
    )


def test_another_folder_is_given_all_decks(desk: Shell, box: Path, tmp_path: Path) -> None:
    desk.only_mine()
    desk.done("sync", str(box), "--decks")
    other = tmp_path / "other"
    other.mkdir()
    assert "  decks sent: mine.yaml" in desk.done("sync", str(other), "--decks").lines


def test_a_deck_that_was_changed_on_both_sides_stays_as_it_is_with_the_other_beside_it(
    desk: Shell, lap: Shell, box: Path
) -> None:
    for shell, word in ((desk, "Mine"), (lap, "Ours")):
        shell.only_mine(SMALL.replace("title: Mine", f"title: {word}"))
    desk.done("sync", str(box), "--decks")
    said = lap.done("sync", str(box), "--decks", "--json")
    ((name, beside),) = said.json["decks"]["both"]
    assert name == "mine.yaml"
    assert any("not used" in line and beside in line for line in said.notices)
    assert lap.decks()["mine"]["title"] == "Ours"
    assert "title: Mine" in (lap.home / "decks" / beside).read_text(encoding="utf-8")


def test_who_changed_a_deck_first_is_told_where_that_text_is_now(
    desk: Shell, lap: Shell, box: Path
) -> None:
    desk.only_mine()
    for shell in (desk, lap):
        shell.done("sync", str(box), "--decks")
    for shell, word in ((desk, "First"), (lap, "Second")):
        path = shell.home / "decks" / "mine.yaml"
        path.write_text(path.read_text("utf-8").replace("title: Mine", f"title: {word}"), "utf-8")
        shell.done("sync", "--decks")
    report = desk.attn("sync", "--decks", "--json")
    ((name, beside),) = report.json["decks"]["aside"]
    assert (name, report.json["decks"]["received"]) == ("mine.yaml", [])
    assert "title: First" in (desk.home / "decks" / beside).read_text(encoding="utf-8")
    assert "title: Second" in (desk.home / "decks" / name).read_text(encoding="utf-8")
    assert any(
        beside in line and "delete one of the two, or give it another name" in line
        for line in report.notices
    )
    (desk.home / "decks" / beside).unlink()
    assert not any("not used" in line for line in desk.done("today").notices)


def test_answers_to_a_deck_that_is_not_here_hint_at_carrying_decks(
    desk: Shell, lap: Shell, box: Path
) -> None:
    desk.only_mine()
    desk.done("card", "grade", "mine/one", "good")
    desk.done("sync", str(box), "--decks")
    said = lap.done("sync", str(box))
    assert any("1 card with answers is in no deck here" in line for line in said.notices)
    assert any("sync --decks" in line for line in said.notices)
    desk.done("card", "grade", "mine/two", "good")
    desk.done("sync")
    said = lap.done("sync", "--decks")
    assert not any("in no deck here" in line for line in said.notices)


def test_while_decks_are_carried_a_grade_is_kept_and_no_deck_is_added(
    desk: Shell, box: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("attn_study.files.WAIT", 0.0)
    monkeypatch.setattr("attn_study.memory.database.WAIT", 0.0)
    done: list[str] = []

    def slow(*asked: Any) -> Carried:
        done.append(desk.done("card", "grade", "attention/scaling", "good").out)
        done.append(desk.refused("deck", "new", "mine"))
        return carry(*asked)

    monkeypatch.setattr("attn_study.deck.travelling.carry", slow)
    desk.done("sync", str(box), "--decks")
    assert "in use by another attn-study" in done[1]
    assert len(desk.log()) == 1


def test_a_line_is_no_wider_than_the_terminal(box: Path) -> None:
    from attn_study.memory.sync.exchange import Seen, Synced
    from attn_study.memory.sync.reading import Odd
    from attn_study.render.sync import sync_lines

    files = (Seen("a1b2c3d4e5f60718.jsonl", 1, 0), Seen("x (conflicted\x1b copy).jsonl", 1234, 5))
    odd = (Odd("x.jsonl", 7, "kept out: " + "word " * 20), Odd("y.jsonl", 0, "cannot be read"))
    done = Synced(files[0].file, 3, 5, frozenset({"a/x"}), files, odd, untold=9)
    for columns in (40, 80, 120):
        lines = sync_lines("/home/ann/Dropbox/attn-study", done, None, columns)
        assert max(line.cell_len for line in lines) <= columns
    text = "\n".join(line.plain for line in sync_lines("box", done, None, None))
    assert "\x1b" not in text
    assert "11 things are odd" in text
    assert "and 9 more" in text
