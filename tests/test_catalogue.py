"""The catalogue: what it knows of the cards, and that its hints never hide one."""

from __future__ import annotations

import json
import shutil
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from attn_study.errors import UserError
from attn_study.memory.attached import in_memory, writing
from attn_study.memory.catalogue import Catalogue
from attn_study.memory.event import Draft
from attn_study.memory.limits import Limit, Limits
from attn_study.memory.queue import plan
from attn_study.memory.scope import Scope
from attn_study.memory.search import parse, search
from memory_helpers import (
    LAW,
    NO_RIGHTS,
    adopt,
    day,
    entry,
    folder_for_all,
    imported,
    log_in_memory,
    log_on_disk,
    noon,
    numbered,
    read_only,
    review,
    rows,
    shelve,
    source,
    write,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from attn_study.memory.log import Log

LIMITS = Limits(Limit(10, 200))


@pytest.fixture
def log() -> Iterator[Log]:
    with log_in_memory() as empty:
        yield empty


def offered(log: Log, number: int = 0) -> list[str]:
    return list(plan(log, day(number), Scope(), LIMITS).new)


def hinted(log: Log) -> list[str]:
    """Return the cards that the catalogue holds for seen."""
    query = "SELECT card FROM cache.card WHERE seen = 1 ORDER BY card"
    return [card for (card,) in log.conn.execute(query)]


def found(log: Log, *terms: str, number: int = 0) -> list[str]:
    return [entry.card for entry, _ in search(log.conn, parse(terms), day(number))]


def test_a_card_comes_out_as_it_went_in(log: Log) -> None:
    said = '{"front": "[d × d_k]"}'
    card = entry("a/é", note="a/n", section="7.1 “√”", tags=["x y", "[z]"], after=["b/x"])
    card = card._replace(text=said)
    shelve(log.conn, card)
    assert Catalogue(log.conn).entry("a/é") == card._replace(path="a.yaml")
    assert Catalogue(log.conn).entry("a/e") is None


def test_a_file_comes_out_as_it_went_in(log: Log) -> None:
    files = [
        source("b", 1, 3)._replace(complaints=("b.yaml:1:2: “no”", "x")),
        source("a", 0)._replace(size=2**40, mtime=2**62, active=False),
    ]
    for file in files:
        Catalogue(log.conn).put(file)
    assert Catalogue(log.conn).sources() == files[::-1]
    assert Catalogue(log.conn).decks() == files[:1]


def test_filling_a_file_again_replaces_its_cards_and_nobody_elses(log: Log) -> None:
    shelve(log.conn, entry("a/x", words="old"), entry("a/y", words="old"), "b/z")
    Catalogue(log.conn).fill("a.yaml", [entry("a/w", words="fresh")])
    assert Catalogue(log.conn).names() == ["a/w", "b/z"]
    assert (found(log, "old"), found(log, "fresh")) == ([], ["a/w"])


def test_a_forgotten_file_takes_its_cards_along_but_not_what_was_learned(log: Log) -> None:
    shelve(log.conn, entry("a/x", words="gone"), "b/x")
    write(log, 0, review("a/x", 4))
    Catalogue(log.conn).forget("a.yaml")
    assert Catalogue(log.conn).names() == ["b/x"]
    assert [file.path for file in Catalogue(log.conn).sources()] == ["b.yaml"]
    assert found(log, "gone") == []
    assert log.state("a/x").memory.due == day(1)


def test_a_card_that_returns_has_its_progress(log: Log) -> None:
    shelve(log.conn, "a/x", "a/y")
    write(log, 0, review("a/x", 4))
    Catalogue(log.conn).forget("a.yaml")
    shelve(log.conn, "b/other", "a/x", "a/y")
    assert offered(log, 7) == ["b/other", "a/y"]
    assert plan(log, day(7), Scope(), LIMITS).due == ("a/x",)


def test_a_change_that_fails_halfway_leaves_the_catalogue_as_it_was(log: Log) -> None:
    shelve(log.conn, "a/x", "b/y")
    with pytest.raises(sqlite3.IntegrityError):
        shelve(log.conn, "b/z", "a/z", "a/z")
    assert Catalogue(log.conn).names() == ["a/x", "b/y"]


def test_cards_that_wait_are_known_until_they_are_let_go(log: Log) -> None:
    shelve(log.conn, "a/x", entry("a/y", after=["a/x", "b/w"]), entry("a/z", after=["a/y"]))
    assert Catalogue(log.conn).waiting() == {"a/y": ["a/x", "b/w"], "a/z": ["a/y"]}
    Catalogue(log.conn).let_go("a/y", "a/x")
    assert Catalogue(log.conn).waiting() == {"a/y": ["b/w"], "a/z": ["a/y"]}


@pytest.mark.parametrize(
    ("terms", "cards"),
    [
        ([], ["b/x", "b/y", "a/z"]),
        (["soft"], ["b/x"]),
        (["SOFTMAX", "rows"], ["b/x"]),
        (["softmax columns"], []),
        (["cafe"], ["b/y"]),
        (['"quoted'], ["b/y"]),
        (["d_k"], ["a/z"]),
        (["√"], ["a/z"]),
        (["NOT", "deck:b"], []),
        (["deck:b"], ["b/x", "b/y"]),
        (["tag:mask"], ["b/y", "a/z"]),
        (["tag:mask", "deck:a"], ["a/z"]),
        (["is:new"], ["b/x", "a/z"]),
        (["is:waiting"], ["b/y"]),
        (["is:suspended"], []),
    ],
)
def test_cards_are_found_by_words_deck_tag_and_standing(
    log: Log, terms: list[str], cards: list[str]
) -> None:
    shelve(
        log.conn,
        entry("b/x", words="softmax makes rows sum to 1"),
        entry("b/y", words="Café, a quoted word", tags=["mask"]),
        entry("a/z", words="divide by √d_k", tags=["mask", "x"]),
    )
    write(log, 0, review("b/y", 4))
    assert found(log, *terms) == cards


@pytest.mark.parametrize("word", ["front", "back", "note", "answer", "tag", "named", "→"])
def test_a_word_is_looked_for_in_all_that_a_card_says_and_nowhere_else(log: Log, word: str) -> None:
    says = {"front": "a front →", "back": "back", "note": "note", "answer": "answer"}
    text = json.dumps({**says, "kind": "typed", "section": "7.1"})
    shelve(log.conn, entry("a/named", tags=["x", "tag"])._replace(text=text), "b/x")
    assert found(log, word) == ["a/named"]
    assert [found(log, other) for other in ("typed", "7", "{", ":", "[")] == [[]] * 5


def test_a_word_is_found_in_the_cards_as_they_are_now(log: Log) -> None:
    shelve(log.conn, entry("a/x", words="old"), entry("b/x", words="beside"))
    assert found(log, "old") == ["a/x"]
    shelve(log.conn, entry("a/x", words="fresh"))
    assert (found(log, "old"), found(log, "fresh")) == ([], ["a/x"])
    Catalogue(log.conn).forget("a.yaml")
    shelve(log.conn, entry("c/x", words="another"))
    assert (found(log, "fresh"), found(log, "another")) == ([], ["c/x"])
    assert found(log, "beside") == ["b/x"]


def test_words_are_found_without_an_index_that_can_be_written(tmp_path: Path) -> None:
    with log_on_disk(tmp_path) as log, log_on_disk(tmp_path) as busy:
        shelve(log.conn, entry("a/x", words="Café at noon"), entry("a/y", words="at night"))
        with writing(busy.conn):
            Catalogue(busy.conn).let_go("a/y", "a/x")
            assert found(log, "cafe") == ["a/x"]
        shelve(busy.conn, entry("a/y", words="the cafe at night"))
        with writing(busy.conn):
            Catalogue(busy.conn).let_go("a/y", "a/x")
            assert found(log, "cafe") == ["a/y"]
        assert found(log, "night") == ["a/y"]


def test_a_word_is_found_where_the_index_was_lost_or_damaged(tmp_path: Path) -> None:
    with log_on_disk(tmp_path) as log:
        shelve(log.conn, entry("a/x", words="softmax"))
        assert found(log, "softmax") == ["a/x"]
        log.conn.execute("UPDATE cache.words_data SET block = x'00'")
        assert found(log, "softmax") == ["a/x"]


def test_a_standing_that_there_is_not_is_refused_with_a_near_one() -> None:
    with pytest.raises(UserError, match="suspend") as caught:
        parse(["is:suspend"])
    assert "suspended" in caught.value.hint


def test_a_seen_card_is_hinted_at_and_after_an_undo_offered_again(log: Log) -> None:
    shelve(log.conn, "a/x", "a/y")
    write(log, 0, review("a/x", 4))
    Catalogue(log.conn).saw(["a/x"])
    assert hinted(log) == ["a/x"]
    log.undo(noon())
    Catalogue(log.conn).mend_hints()
    assert hinted(log) == []
    assert offered(log) == ["a/x", "a/y"]


@pytest.mark.parametrize("kind", ["suspend", "bury", "flag"])
def test_a_card_that_was_put_aside_unanswered_is_not_taken_for_a_seen_one(
    log: Log, kind: str
) -> None:
    shelve(log.conn, "a/x")
    write(log, 0, Draft("a/x", kind))  # type: ignore[arg-type]
    Catalogue(log.conn).saw(["a/x"])
    write(log, 1, Draft("a/x", "resume"))
    assert offered(log, 1) == ["a/x"]


def test_a_filled_file_takes_its_hints_from_what_was_learned(log: Log) -> None:
    write(log, 0, review("a/x", 4), imported("a/y", interval=9), Draft("a/z", "suspend"))
    shelve(log.conn, "a/w", "a/x", "a/y", "a/z")
    assert hinted(log) == ["a/x", "a/y"]
    assert offered(log, 1) == ["a/w"]


def test_a_hint_that_cannot_be_written_is_left_out(tmp_path: Path) -> None:
    with log_on_disk(tmp_path) as log, log_on_disk(tmp_path) as busy:
        shelve(log.conn, "a/x", "a/y")
        write(log, 0, review("a/x", 4))
        with writing(busy.conn):
            Catalogue(busy.conn).let_go("a/y", "a/x")
            Catalogue(log.conn).saw(["a/x"])
        assert hinted(log) == []
        assert offered(log) == ["a/y"]
        assert log.conn.execute("PRAGMA busy_timeout").fetchone()[0] > 0


def restored(home: Path) -> None:
    shutil.copy(home / "older.db", home / "study.db")


def deleted(home: Path) -> None:
    (home / "study.db").unlink()


@pytest.mark.parametrize("replace_study", [restored, deleted])
@pytest.mark.parametrize("refilled", [False, True], ids=["decks as they were", "a deck changed"])
@pytest.mark.parametrize("rows_since", [0, 1, 5])
def test_no_card_is_hidden_after_the_study_was_replaced_by_an_older_one_or_none(
    tmp_path: Path, replace_study: Callable[[Path], None], refilled: bool, rows_since: int
) -> None:
    with log_on_disk(tmp_path) as log:
        shelve(log.conn, "a/w", "a/x", "a/y", "b/z")
        write(log, 0, review("a/w", 4))
        Catalogue(log.conn).saw(["a/w"])
    shutil.copy(tmp_path / "study.db", tmp_path / "older.db")
    with log_on_disk(tmp_path) as log:
        write(log, 1, review("a/x", 4), review("a/y", 4))
        Catalogue(log.conn).saw(["a/x", "a/y"])
    replace_study(tmp_path)
    with log_on_disk(tmp_path) as log:
        write(log, 1, *[Draft("b/z", "flag")] * rows_since)
        if refilled:
            Catalogue(log.conn).fill("b.yaml", [entry("b/z")])
        Catalogue(log.conn).mend_hints()
        assert {"a/x", "a/y", "b/z"} <= set(offered(log, 2))


ACTS = st.lists(
    st.tuples(
        st.sampled_from(["review", "undo", "reset", "set", "adopt", "fill", "start", "flag"]),
        st.sampled_from(["a/x", "a/y", "b/z"]),
        st.sampled_from(["a/x", "a/y", "b/z"]),
        st.booleans(),
    ),
    max_size=10,
)


@settings(LAW, max_examples=50)
@given(ACTS)
def test_at_every_start_exactly_the_new_cards_are_offered_as_new(
    acts: list[tuple[str, str, str, bool]],
) -> None:
    with log_in_memory() as log:
        shelve(log.conn, "a/x", "a/y", "b/z")
        for number, (act, card, former, hint) in enumerate(acts):
            _do(log, number, act, card, former)
            if hint:
                Catalogue(log.conn).saw([card])
        Catalogue(log.conn).mend_hints()
        gone = log.aliases()
        new = [c for c in ("a/x", "a/y", "b/z") if log.state(c).is_new and c not in gone]
        assert offered(log, len(acts)) == new


def _do(log: Log, number: int, act: str, card: str, former: str) -> None:
    deck = card.partition("/")[0]
    match act:
        case "undo":
            log.undo(noon(number))
        case "adopt":
            write(log, number, adopt(former, card))
        case "set":
            write(log, number, imported(card, interval=9))
        case "review":
            write(log, number, review(card, 4))
        case "fill":
            cards = [entry(name) for name in ("a/x", "a/y", "b/z") if name.startswith(deck)]
            Catalogue(log.conn).fill(f"{deck}.yaml", numbered(cards))
        case "start":
            Catalogue(log.conn).mend_hints()
        case kind:
            write(log, number, Draft(card, kind))  # type: ignore[arg-type]


def test_a_catalogue_in_memory_takes_the_place_of_one_that_is_held(tmp_path: Path) -> None:
    with log_on_disk(tmp_path) as log:
        shelve(log.conn, "a/x")
        in_memory(log.conn)
        assert Catalogue(log.conn).names() == []
        shelve(log.conn, "a/y")
        assert offered(log) == ["a/y"]
    with log_on_disk(tmp_path) as log:
        assert Catalogue(log.conn).names() == ["a/x"]


def a_text(cache: Path) -> None:
    cache.write_text("no catalogue" * 20, encoding="utf-8")


def absent(cache: Path) -> None:
    cache.unlink()


def empty(cache: Path) -> None:
    cache.write_bytes(b"")


def of_another_version(cache: Path) -> None:
    with closing(sqlite3.connect(cache)) as conn:
        conn.execute("DROP TABLE mark")
        conn.execute("PRAGMA user_version = 8")


def cut_short(cache: Path) -> None:
    cache.write_bytes(cache.read_bytes()[: 3 * 4096])


def garbled_inside(cache: Path) -> None:
    whole = cache.read_bytes()
    cache.write_bytes(whole[:4096] + b"\xff" * (len(whole) - 4096))


def kept(home: Path) -> bytes:
    """Make a study with one answer and two cards; return its file."""
    with log_on_disk(home) as log:
        write(log, 0, review("a/x", 4))
        shelve(log.conn, "a/x", "a/y")
    return (home / "study.db").read_bytes()


@pytest.mark.parametrize("write_too", [False, True], ids=["reading", "writing"])
@pytest.mark.parametrize(
    "harm", [absent, empty, a_text, of_another_version, cut_short, garbled_inside]
)
def test_a_catalogue_that_is_damaged_or_of_another_version_is_made_anew(
    tmp_path: Path, harm: Callable[[Path], None], write_too: bool
) -> None:
    whole = kept(tmp_path)
    harm(tmp_path / "cache.db")
    with log_on_disk(tmp_path, write=write_too) as log:
        assert Catalogue(log.conn).sources() == []
        shelve(log.conn, "a/x", "a/z")
        assert plan(log, day(1), Scope(), LIMITS).next() == "a/x"
    with log_on_disk(tmp_path, write=False) as log:
        assert Catalogue(log.conn).names() == ["a/x", "a/z"]
    assert (tmp_path / "study.db").read_bytes() == whole


def test_where_no_catalogue_can_be_kept_one_in_memory_serves(tmp_path: Path) -> None:
    kept(tmp_path)
    (tmp_path / "cache.db").unlink()
    (tmp_path / "cache.db").mkdir()
    with log_on_disk(tmp_path) as log:
        shelve(log.conn, "a/x")
        assert plan(log, day(1), Scope(), LIMITS).next() == "a/x"


@NO_RIGHTS
def test_a_damaged_catalogue_that_cannot_be_replaced_does_not_stop_a_reader() -> None:
    with folder_for_all() as home:
        kept(home)
        a_text(home / "cache.db")
        with read_only(home), log_on_disk(home, write=False) as log:
            assert [event.card for event in rows(log.conn)] == ["a/x"]
            shelve(log.conn, "a/y")
            assert offered(log) == ["a/y"]
