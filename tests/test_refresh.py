"""The catalogue keeps step with the deck files, reads only what changed, and may always be lost."""

from __future__ import annotations

import os
import shutil
import sqlite3
import sys
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from attn_study.deck.library import decks_dir
from attn_study.memory.database import open_study
from attn_study.refresh import refresh
from cli_helpers import BUILT_IN, HIDDEN, SMALL, Shell, built_in_cards, held

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

CHAIN = """\
deck: {deck}
cards:
  - id: a
    front: {deck} a?
    back: A
    after: [{after}]
  - id: b
    front: {deck} b?
    back: B
"""


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    return Shell(tmp_path)


@pytest.fixture
def conn(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    """A study on disk, its catalogue still empty."""
    (tmp_path / "home" / "decks").mkdir(parents=True)
    opened = open_study(
        tmp_path / "home" / "study.db", tmp_path / "home" / "cache.db", "1.0", write=True
    )
    with closing(opened):
        yield opened


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """The learner's decks folder."""
    return tmp_path / "home" / "decks"


def cards(conn: sqlite3.Connection, deck: str = "mine") -> list[str]:
    query = "SELECT card FROM cache.card WHERE deck = ? ORDER BY position"
    return [row[0].partition("/")[2] for row in conn.execute(query, [deck])]


def changes(conn: sqlite3.Connection, own: Path) -> tuple[list[str], int]:
    """Refresh; return the notices, and how many rows of the catalogue were written."""
    before = conn.total_changes
    notices = refresh(conn, own, [], [])
    return notices, conn.total_changes - before


def is_kept(conn: sqlite3.Connection) -> bool:
    """Whether the catalogue is still the file, not one in memory that the next start has lost."""
    return any(name == "cache" and path for _, name, path in conn.execute("PRAGMA database_list"))


def filled(conn: sqlite3.Connection) -> int:
    """The largest number among the cards: filling a file again gives its cards new numbers."""
    return int(conn.execute("SELECT ifnull(max(id), 0) FROM cache.card").fetchone()[0])


def touch(path: Path, seconds: int) -> None:
    """Give the file another time, so that no test waits for the clock of a file system."""
    time = 1_700_000_000 + seconds
    os.utime(path, (time, time))


# What is read


@pytest.mark.parametrize("words", [("today",), ("review", "--plain"), ("deck", "list")])
def test_unchanged_decks_are_not_read(shell: Shell, words: tuple[str, ...]) -> None:
    path = shell.deck(SMALL)
    shell.done("card", "bury", "mine/one")
    watch = "import atexit; atexit.register(lambda: print('yaml' in sys.modules, file=sys.stderr))"
    main = "from attn_study.cli.main import main; main()"
    seen = []
    for text in (SMALL, SMALL + "# longer\n"):
        path.write_text(text, encoding="utf-8")
        said = shell.process(*words, before=f"{watch}\n{main}")
        seen.append(said.notices[-1])
    assert seen == ["False", "True"]


def test_a_second_look_writes_nothing(conn: sqlite3.Connection, own: Path) -> None:
    (own / "mine.yaml").write_text(SMALL, encoding="utf-8")
    assert changes(conn, own)[1] > 0
    assert changes(conn, own) == ([], 0)


def test_a_touched_file_is_hashed_and_its_cards_stay(conn: sqlite3.Connection, own: Path) -> None:
    path = own / "mine.yaml"
    path.write_text(SMALL, encoding="utf-8")
    touch(path, 1)
    refresh(conn, own, [], [])
    number = filled(conn)
    touch(path, 2)
    assert changes(conn, own)[1] > 0, "the new time is noted"
    assert (filled(conn), cards(conn)) == (number, ["one", "two", "three"])
    assert changes(conn, own) == ([], 0)


def test_a_changed_file_is_read_even_at_the_same_size(conn: sqlite3.Connection, own: Path) -> None:
    path = own / "mine.yaml"
    path.write_text(SMALL, encoding="utf-8")
    touch(path, 1)
    refresh(conn, own, [], [])
    path.write_text(SMALL.replace("id: one", "id: uno"), encoding="utf-8")
    touch(path, 2)
    refresh(conn, own, [], [])
    assert cards(conn) == ["uno", "two", "three"]


def test_a_file_with_its_size_and_its_time_is_not_even_opened(
    conn: sqlite3.Connection, own: Path
) -> None:
    path = own / "mine.yaml"
    path.write_text(SMALL, encoding="utf-8")
    touch(path, 1)
    refresh(conn, own, [], [])
    path.write_text(SMALL.replace("id: one", "id: uno"), encoding="utf-8")
    touch(path, 1)
    assert changes(conn, own) == ([], 0)
    assert cards(conn) == ["one", "two", "three"]


def test_only_the_file_that_changed_is_filled_again(conn: sqlite3.Connection, own: Path) -> None:
    for name in ("a", "b"):
        path = own / f"{name}.yaml"
        path.write_text(SMALL.replace("deck: mine", f"deck: {name}"), encoding="utf-8")
    refresh(conn, own, [], [])
    numbers = "SELECT card, id FROM cache.card WHERE deck IN ('b', 'attention') ORDER BY id"
    before = conn.execute(numbers).fetchall()
    (own / "a.yaml").write_text(SMALL.replace("deck: mine", "deck: aa"), encoding="utf-8")
    refresh(conn, own, [], [])
    assert conn.execute(numbers).fetchall() == before
    assert (cards(conn, "a"), cards(conn, "aa")) == ([], ["one", "two", "three"])


def test_a_file_that_is_gone_takes_its_cards_along(conn: sqlite3.Connection, own: Path) -> None:
    path = own / "mine.yaml"
    path.write_text(SMALL, encoding="utf-8")
    refresh(conn, own, [], [])
    path.unlink()
    refresh(conn, own, [], [])
    assert cards(conn) == []
    assert conn.execute("SELECT count(*) FROM cache.file").fetchone()[0] == len(BUILT_IN)


@pytest.mark.parametrize(
    ("before", "after", "stands"),
    [
        (["b"], ["a", "b"], "a"),
        (["a", "b"], ["b"], "b"),
        (["a"], ["b"], "b"),
        (["b"], ["a"], "a"),
        (["a", "b", "c"], ["c", "b"], "b"),
    ],
)
def test_one_name_passes_from_file_to_file(
    conn: sqlite3.Connection, own: Path, before: list[str], after: list[str], stands: str
) -> None:
    for names in (before, after):
        for path in own.iterdir():
            path.unlink()
        for name in names:
            text = SMALL.replace("First", f"First of {name}")
            (own / f"{name}.yaml").write_text(text, encoding="utf-8")
        refresh(conn, own, [], [])
    (found,) = conn.execute("SELECT path FROM cache.card WHERE card = 'mine/one'").fetchall()
    assert found[0] == str(own / f"{stands}.yaml")
    assert cards(conn) == ["one", "two", "three"]
    assert is_kept(conn)
    assert changes(conn, own)[1] == 0


def test_two_files_may_swap_their_names(conn: sqlite3.Connection, own: Path) -> None:
    for names in (("a", "b"), ("b", "a")):
        for file, name in zip(("1.yaml", "2.yaml"), names, strict=True):
            (own / file).write_text(SMALL.replace("deck: mine", f"deck: {name}"), encoding="utf-8")
            touch(own / file, names.index("a"))
        refresh(conn, own, [], [])
    paths = conn.execute("SELECT DISTINCT deck, path FROM cache.card WHERE deck IN ('a', 'b')")
    assert dict(paths.fetchall()) == {"a": str(own / "2.yaml"), "b": str(own / "1.yaml")}
    assert is_kept(conn)


def test_a_copy_of_a_built_in_deck_is_studied_where_that_one_was(
    conn: sqlite3.Connection, own: Path
) -> None:
    (own / "a.yaml").write_text(SMALL.replace("mine", "zoo"), encoding="utf-8")
    refresh(conn, own, [], [])
    query = "SELECT deck FROM cache.file WHERE active ORDER BY place"
    before = [row[0] for row in conn.execute(query)]
    assert before == ["attention", "attention-video", "zoo"]
    shutil.copy(decks_dir() / "attention.yaml", own / "attention.yaml")
    refresh(conn, own, [], [])
    assert [row[0] for row in conn.execute(query)] == before
    (own / "attention.yaml").unlink()
    refresh(conn, own, [], [])
    assert [row[0] for row in conn.execute(query)] == before


def test_a_copy_of_the_built_in_deck_is_read_once(conn: sqlite3.Connection, own: Path) -> None:
    refresh(conn, own, [], [])
    (source,) = conn.execute("SELECT path FROM cache.file WHERE deck = 'attention'").fetchone()
    shutil.copy(source, own / "attention.yaml")
    refresh(conn, own, [], [])
    assert is_kept(conn)
    assert changes(conn, own) == ([], 0)
    (own / "attention.yaml").unlink()
    refresh(conn, own, [], [])
    assert is_kept(conn)
    assert len(cards(conn, "attention")) == built_in_cards()


def test_a_byte_that_is_not_text_is_no_obstacle(shell: Shell) -> None:
    path = shell.home / "decks" / "mine.yaml"
    path.parent.mkdir(parents=True)
    path.write_bytes(
        b"deck: mine\ncards:\n  - {id: a, front: q, back: b}\n  - {front: caf\xe9, back: x}\n"
    )
    assert "mine/a" in shell.done("card", "list", "deck:mine").out
    checked = shell.attn("deck", "check")
    assert checked.code == 1
    assert "mine.yaml:4:16: the byte 0xE9 is not UTF-8" in checked.out


@pytest.mark.skipif(sys.platform == "win32", reason="a name that Windows cannot hold")
def test_a_path_that_is_not_text_is_no_obstacle(shell: Shell) -> None:
    path = shell.home / "decks" / os.fsdecode(b"\xff.yaml")
    path.parent.mkdir(parents=True)
    try:
        path.write_text(SMALL, encoding="utf-8")
    except OSError:
        pytest.skip("a name that this file system cannot hold")
    for words in (("today",), ("deck", "list"), ("deck", "list", "--json"), ("deck", "check")):
        assert shell.attn(*words).code in (0, 1)
    assert len(shell.ids("deck:attention")) == built_in_cards()


# Circles and gaps between decks


@pytest.mark.parametrize(
    "after", [("y/a", "x/a"), ("y/b", "x/a"), ("nosuch/a", "x/nosuch"), ("y/a", "x/a:reverse")]
)
def test_no_circle_of_decks_and_no_gap_holds_a_card_back(
    shell: Shell, after: tuple[str, str]
) -> None:
    shell.file("home/settings.toml", HIDDEN)
    for deck, name in zip("xy", after, strict=True):
        shell.deck(CHAIN.format(deck=deck, after=name), f"{deck}.yaml")
    assert shell.done("today", "--count").out == "4\n"
    asked = shell.done("review", given="\n3\n" * 4).out
    assert all(f"{deck} {card}?" in asked for deck in "xy" for card in "ab")
    assert shell.done("today", "--json").json["done_today"] == 4


def test_a_circle_of_decks_is_a_mistake_that_check_shows(shell: Shell) -> None:
    for deck, name in zip("xy", ("y/a", "x/a"), strict=True):
        shell.deck(CHAIN.format(deck=deck, after=name), f"{deck}.yaml")
    said = shell.attn("deck", "check")
    assert said.code == 1
    assert "wait for each other" in said.out


# A catalogue that is lost, damaged, or held


def begun(shell: Shell) -> None:
    """A card answered, so that the catalogue has something to remember wrongly."""
    shell.deck(SMALL)
    shell.done("card", "grade", "mine/one", "good")
    shell.now = "2026-03-03T12:00:00+00:00"


def damage(path: Path, how: str) -> None:
    data = path.read_bytes()
    path.unlink()
    if how == "another format":
        path.write_bytes(data)
        with closing(sqlite3.connect(path)) as conn:
            conn.execute("PRAGMA user_version = 99")
    elif how == "a folder":
        path.mkdir()
    elif how != "gone":
        spoilt = {
            "empty": b"",
            "text": b"hello\n",
            "cut": data[: len(data) // 2],
            "cut in the header": data[:50],
            "overwritten": data[:4096] + b"\xaa" * (len(data) - 4096),
            "a page lost": data[:8192] + b"\0" * 4096 + data[12288:],
        }
        path.write_bytes(spoilt[how])


@pytest.mark.parametrize(
    "how",
    [
        "gone",
        "empty",
        "text",
        "cut",
        "cut in the header",
        "overwritten",
        "a page lost",
        "another format",
        "a folder",
    ],
)
def test_whatever_happens_to_the_catalogue_nothing_is_lost(shell: Shell, how: str) -> None:
    begun(shell)
    damage(shell.home / "cache.db", how)
    said = shell.done("today", "--json")
    assert (said.json["due"], said.json["new"]) == (1, 10)
    assert said.notices == []
    assert shell.ids("deck:mine") == ["mine/one", "mine/two", "mine/three"]
    shell.done("card", "grade", "mine/one", "good")
    assert [row["grade"] for row in shell.log()] == [4, 4]


@pytest.mark.parametrize("how", ["text", "cut", "overwritten", "a page lost", "another format"])
def test_a_damaged_catalogue_is_replaced_so_that_decks_are_read_once(
    shell: Shell, how: str
) -> None:
    begun(shell)
    damage(shell.home / "cache.db", how)
    shell.done("card", "bury", "mine/two")
    with closing(sqlite3.connect(shell.home / "cache.db")) as conn:
        assert conn.execute("PRAGMA quick_check").fetchall() == [("ok",)]
        assert conn.execute("SELECT count(*) FROM card WHERE deck = 'mine'").fetchone()[0] == 3


def test_a_deleted_catalogue_is_written_again(shell: Shell) -> None:
    begun(shell)
    (shell.home / "cache.db").unlink()
    shell.done("today")
    with closing(sqlite3.connect(shell.home / "cache.db")) as conn:
        assert conn.execute("SELECT count(*) FROM card WHERE seen").fetchone()[0] == 1


def test_a_study_put_back_from_a_backup_makes_its_cards_new_again(shell: Shell) -> None:
    begun(shell)
    saved = (shell.home / "study.db").read_bytes()
    shell.done("card", "grade", "mine/two", "good")
    (shell.home / "study.db").write_bytes(saved)
    assert shell.ids("is:new", "deck:mine") == ["mine/two", "mine/three"]
    shell.done("config", "new.attention", "0")
    assert "Second question?" in shell.done("review", "mine", given="\n3\n" * 9).out


def test_while_another_process_holds_the_catalogue_a_changed_deck_is_read_all_the_same(
    shell: Shell,
) -> None:
    begun(shell)
    shell.deck(SMALL.replace("id: two", "id: deux"))
    with held(shell.home / "cache.db"):
        assert shell.ids("deck:mine") == ["mine/one", "mine/deux", "mine/three"]
        said = shell.done("card", "grade", "mine/deux", "good")
    assert "due 2026-03-04" in said.out
    assert shell.card("mine/deux")["state"] == "waiting"


def test_while_another_process_holds_the_catalogue_an_answer_can_be_taken_back(
    shell: Shell,
) -> None:
    begun(shell)
    shell.deck(SMALL + "# changed\n")
    with held(shell.home / "cache.db"):
        assert shell.done("undo").out == "took back: mine/one good, 1 day ago\n"
    assert shell.card("mine/one")["state"] == "new"
    assert "First question?" in shell.done("review", "mine", given="").out


def test_a_word_is_found_while_another_process_holds_the_catalogue(shell: Shell) -> None:
    shell.only_mine()
    shell.done("card", "grade", "mine/one", "good")
    with held(shell.home / "cache.db"):
        assert shell.ids("second") == ["mine/two"]
    assert shell.ids("second", "is:new") == ["mine/two"]
