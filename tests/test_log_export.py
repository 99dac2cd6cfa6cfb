"""`log export`: every row of the log as a file, and the same without a word of who and what."""

from __future__ import annotations

import csv
import io
import json
import re
import sys
import tracemalloc
from collections import Counter
from datetime import UTC, date, datetime
from operator import itemgetter
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import pyarrow
import pytest
from hypothesis import given, settings
from pyarrow import parquet

from attn_study.cli.logs.anonymous import KEPT, Mask
from attn_study.cli.logs.own import read_own
from attn_study.cli.logs.texts import write_csv, write_jsonl
from attn_study.extras import install
from attn_study.memory.event import Draft
from attn_study.memory.exchange.foreign import COLUMNS
from attn_study.memory.exchange.incoming import waiting
from attn_study.memory.exchange.outgoing import outgoing
from cli_helpers import Shell
from memory_helpers import (
    LAW,
    NO_RIGHTS,
    adopt,
    cap,
    drill,
    folder_for_all,
    imported,
    log_in_memory,
    log_on_disk,
    noon,
    read_only,
    review,
    rows,
    states,
    write,
)
from test_fold import histories

if TYPE_CHECKING:
    from attn_study.memory.event import Event

WORDS = 'the answer is «wrong», said "Ann"\nand so did Bob'
STORY = (
    (0, review("bio/cell", 4)),
    (0, review("bio/cell", 1)),
    (0, drill("bio/cell", 4)),
    (0, review("bio/leaf:reverse", 5)),
    (1, review("bio/cell", 3)),
    (1, imported("bio/root", ease=210, interval=9, repetitions=3, lapses=1, due="2026-03-11")),
    (2, Draft("bio/leaf:reverse", "suspend")),
    (2, Draft("bio/cell", "bury")),
    (2, Draft("bio/cell", "flag", data={"words": WORDS})),
    (3, adopt("bio/cell", "bio/the-cell")),
    (3, cap(40)),
    (4, review("bio/the-cell", 0)),
    (5, Draft("bio/root", "reset")),
    (6, Draft("bio/leaf:reverse", "resume")),
    (6, Draft("bio/the-cell", "unflag")),
    (8, review("bio/leaf:reverse", 4)),
)


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    """A learner who did something of every kind, and took two steps back."""
    made = Shell(tmp_path)
    made.only_mine()
    with log_on_disk(made.home) as log:
        for number, draft in STORY:
            write(log, number, draft)
        log.undo(noon(8))
        write(log, 8, review("bio/leaf:reverse", 2))
        log.write([Draft("mine/one", "review", review("", 4).grade, seconds=12.345)], noon(9))
        write(log, 9, review("mine/two", 5))
        log.undo(noon(9))
    made.now = "2026-03-12T12:00:00+00:00"
    return made


def kept(shell: Shell) -> tuple[list[Event], dict[str, object]]:
    """The rows of a home, in replay order, and the states it keeps."""
    with log_on_disk(shell.home, write=False) as log:
        return sorted(rows(log.conn), key=lambda row: row.order), dict(states(log.conn))


def elsewhere(shell: Shell) -> Shell:
    """Another home on the same desk."""
    other = Shell(shell.folder)
    other.home = shell.folder / "other"
    other.now = shell.now
    return other


def lines(shell: Shell, *words: str) -> list[dict[str, Any]]:
    """What an export says, line by line."""
    return [json.loads(line) for line in shell.done("log", "export", *words).lines]


# Whole


def test_json_lines_hold_every_row_as_the_log_shows_it_the_oldest_first(shell: Shell) -> None:
    shell.done("log", "export", "-o", "all.jsonl")
    found = [
        json.loads(line)
        for line in (shell.folder / "all.jsonl").read_text("utf-8").split("\n")[:-1]
    ]
    shown = [{key: row[key] for key in row if key != "id"} for row in shell.log()]
    assert found[-20:] == shown
    assert len(found) == len(STORY) + 5
    kinds = {draft.kind for _, draft in STORY} | {"undo"}
    assert {row["kind"] for row in found} == kinds
    assert list(found[0]) == list(COLUMNS)


@pytest.mark.parametrize("name", ["all.jsonl", "all.csv"])
def test_a_log_comes_back_row_for_row_with_the_same_states_and_only_once(
    shell: Shell, name: str
) -> None:
    shell.done("log", "export", "-o", name)
    other = elsewhere(shell)
    other.done("log", "import", name)
    assert kept(other) == kept(shell)
    again = other.done("log", "import", name).lines
    assert again == ["brought in 0 rows", "  21 rows were here already"]
    assert kept(other) == kept(shell)


@settings(LAW, max_examples=30)
@given(histories())
def test_any_rows_come_back_from_both_texts_as_they_were(events: list[Event]) -> None:
    with log_in_memory() as log, TemporaryDirectory() as folder:
        with log.writing():
            log.take_in(events)
        table = list(outgoing(log))
        for layout, to_file in (("jsonl", write_jsonl), ("csv", write_csv)):
            path = Path(folder) / layout
            with path.open("wb") as file:
                assert to_file(table, COLUMNS, file) == len(events)
            with log_in_memory() as other, waiting(other) as incoming:
                assert read_own(path, layout, incoming) == []
                incoming.take_in(lambda refused: None)
                assert list(outgoing(other)) == sorted(table, key=itemgetter("tick", "uid"))


def test_a_table_has_the_columns_of_the_log_and_data_as_json(shell: Shell) -> None:
    shell.done("log", "export", "-o", "all.csv")
    with (shell.folder / "all.csv").open(encoding="utf-8", newline="") as file:
        table = list(csv.reader(file))
    header = "uid,device,tick,batch,card,kind,grade,day,at,offset,seconds,data"
    assert ",".join(table[0]) == header
    of_kind = {row[5]: row for row in table[1:]}
    assert json.loads(of_kind["flag"][11]) == {"words": WORDS}
    assert of_kind["flag"][6] == of_kind["flag"][10] == ""
    assert {row[10] for row in table[1:]} == {"seconds", "12.345", ""} - {"seconds"}


def test_parquet_has_typed_columns_with_the_same_values(shell: Shell) -> None:
    shell.done("log", "export", "-o", "all.parquet")
    table = parquet.read_table(shell.folder / "all.parquet")
    types = {
        name: str(kind) for name, kind in zip(table.column_names, table.schema.types, strict=True)
    }
    assert types == {
        **dict.fromkeys(("uid", "device", "batch", "card", "kind", "data"), "string"),
        "tick": "int64",
        "grade": "int8",
        "day": "date32[day]",
        "at": "timestamp[ms, tz=UTC]",
        "offset": "int16",
        "seconds": "double",
    }
    expected = lines(shell)
    for found, row in zip(table.to_pylist(), expected, strict=True):
        assert found == row | {
            "day": date.fromisoformat(row["day"]),
            "at": datetime.fromisoformat(row["at"]).astimezone(UTC),
            "data": json.dumps(row["data"], ensure_ascii=False),
        }


def test_an_empty_log_is_an_empty_file_of_each_format(tmp_path: Path) -> None:
    shell = Shell(tmp_path)
    for name in ("none.jsonl", "none.csv", "none.parquet"):
        assert shell.done("log", "export", "-o", name).notices[-1] == f"wrote {name}: 0 rows"
    assert not shell.home.exists()
    assert (tmp_path / "none.jsonl").read_bytes() == b""
    assert (tmp_path / "none.csv").read_text("utf-8") == ",".join(COLUMNS) + "\n"
    assert parquet.read_table(tmp_path / "none.parquet").column_names == list(COLUMNS)


# Where to


def test_without_a_file_it_goes_to_standard_output_as_json_lines_or_csv(shell: Shell) -> None:
    for words, name in (((), "a.jsonl"), (("--to", "csv"), "a.csv")):
        shell.done("log", "export", "-o", name)
        said = shell.done("log", "export", *words)
        assert said.out == (shell.folder / name).read_text("utf-8")


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("--to", "parquet"), "name one with -o FILE"),
        (("--to", "xml"), "a log cannot be written as 'xml'"),
        (("-o", "log.txt"), "one of .jsonl, .csv, .parquet, or say --to FORMAT"),
        (("-o", "home/study.db", "--to", "csv"), "attn-study keeps its own data here"),
        (("-o", "folder.csv"), "cannot be written: a folder"),
    ],
)
def test_what_cannot_be_written_is_refused_and_leaves_nothing_behind(
    shell: Shell, words: tuple[str, ...], why: str
) -> None:
    (shell.folder / "folder.csv").mkdir()
    before = kept(shell), sorted(path.name for path in shell.folder.iterdir())
    assert why in shell.refused("log", "export", *words)
    assert (kept(shell), sorted(path.name for path in shell.folder.iterdir())) == before


def test_parquet_without_its_package_names_the_command_that_installs_it(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, pyarrow.__name__, None)
    said = shell.refused("log", "export", "-o", "new.parquet")
    assert install("parquet") in said
    assert [path.name for path in shell.folder.iterdir() if "parquet" in path.name] == []


def test_a_file_that_is_there_is_replaced_whole(shell: Shell) -> None:
    path = shell.file("log.csv", "old\n" * 10_000)
    shell.done("log", "export", "-o", path.name)
    assert path.read_text("utf-8") == shell.done("log", "export", "--to", "csv").out


def test_an_export_that_fails_half_way_leaves_the_old_file(shell: Shell) -> None:
    path = shell.file("log.jsonl", "old")
    with log_on_disk(shell.home) as log:  # a row that no JSON can be read from, as damage leaves it
        log.conn.execute("PRAGMA ignore_check_constraints = ON")
        log.conn.execute(
            "INSERT INTO log SELECT 99, 'x', device, tick, batch, card, kind, grade, day, at, "
            "offset, seconds, '{' FROM log WHERE id = 1"
        )
    assert "the data of the row x cannot be read" in shell.refused("log", "export", "-o", path.name)
    assert path.read_text("utf-8") == "old"
    assert not list(shell.folder.glob(".log*"))


@NO_RIGHTS
def test_s35_a_folder_that_cannot_be_written_is_named() -> None:
    with folder_for_all() as folder:
        shell = Shell(folder)
        with read_only(folder):
            said = shell.refused("log", "export", "-o", "log.csv")
        assert "log.csv: cannot be written: Permission denied" in said
        assert list(folder.iterdir()) == []


def test_a_long_log_is_written_a_row_at_a_time() -> None:
    with log_in_memory() as log:
        write(log, 0, review("a/x", 4))
        log.conn.execute(
            "WITH RECURSIVE n (i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < 5000) "
            "INSERT INTO log SELECT i, printf('%032x', i), device, i, batch, card, kind, grade, "
            "day, at, offset, seconds, data FROM log, n"
        )
        for to_file in (write_jsonl, write_csv):
            tracemalloc.start()
            assert (
                to_file(map(Mask(b"k").row, outgoing(log)), KEPT, io.BufferedWriter(_Nowhere()))
                == 5_000
            )
            peak = tracemalloc.get_traced_memory()[1]
            tracemalloc.stop()
            assert peak < 500_000


class _Nowhere(io.RawIOBase):
    """A file of which nothing is kept."""

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        return len(data)


# Anonymous


def words_of(events: list[dict[str, Any]]) -> set[str]:
    """Every word that could name a learner, a card, a device or an hour."""
    names = {row[key] for row in events for key in ("uid", "device", "batch", "card")} - {""}
    parts = {part for name in names for part in name.split("/")}
    return parts | {
        "bio",
        "mine",
        "cell",
        "leaf",
        "root",
        "reverse",
        "wrong",
        "Ann",
        "Bob",
        "12:00",
    }


@pytest.mark.parametrize("name", ["log.jsonl", "log.csv", "log.parquet"])
def test_an_anonymous_log_names_nobody_no_card_and_no_hour(shell: Shell, name: str) -> None:
    shell.done("log", "export", "-o", name, "--anonymous")
    path = shell.folder / name
    found: list[dict[str, Any]]
    if name.endswith("parquet"):
        found = parquet.read_table(path).to_pylist()
    elif name.endswith("csv"):
        found = list(csv.DictReader(path.read_text("utf-8").splitlines()))
    else:
        found = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    assert ",".join(found[0]) == "uid,device,tick,batch,card,kind,grade,day,seconds,data"
    told = lines(shell)
    assert "bio/root" in {row["card"] for row in told}
    written = json.dumps(found, default=str, ensure_ascii=False)
    assert words_of(told) & set(re.findall(r"[\w-]+", written)) == set()
    assert not re.search(r"\d:\d", written)


def test_names_are_drawn_anew_for_each_anonymous_log_and_hold_within_it(shell: Shell) -> None:
    plain, first, second = lines(shell), lines(shell, "--anonymous"), lines(shell, "--anonymous")
    for key in ("uid", "device", "batch", "card"):
        mapped = {(row[key], other[key]) for row, other in zip(plain, first, strict=True)}
        assert len(mapped) == len({row[key] for row in plain}) == len({new for _, new in mapped})
        assert {row[key] for row in first} & {row[key] for row in second} <= {""}
    decks = {
        (row["card"].split("/")[0], new["card"].split("/")[0])
        for row, new in zip(plain, first, strict=True)
    }
    assert len(decks) == 3  # two decks, and the rule, which is about none


def test_in_an_anonymous_log_undo_and_adopt_still_name_their_rows(shell: Shell) -> None:
    plain, masked = lines(shell), lines(shell, "--anonymous")
    uids = {row["uid"]: new["uid"] for row, new in zip(plain, masked, strict=True)}
    cards = {row["card"]: new["card"] for row, new in zip(plain, masked, strict=True)}
    for row, new in zip(plain, masked, strict=True):
        if row["kind"] == "undo":
            assert new["data"] == {"undone": uids[row["data"]["undone"]]}
        elif row["kind"] == "adopt":
            assert new["data"] == {"former": cards[row["data"]["former"]]}
        elif row["kind"] in ("set", "rule"):
            assert new["data"] == row["data"]
        else:
            assert new["data"] == {}


def test_an_anonymous_log_counts_the_same(shell: Shell) -> None:
    counted = [
        Counter((row["day"], row["kind"], row["grade"]) for row in rows)
        for rows in (lines(shell), lines(shell, "--anonymous"))
    ]
    assert counted[0] == counted[1]
    assert [row["seconds"] for row in lines(shell, "--anonymous") if row["seconds"]] == [12.0]


def test_what_a_row_says_beyond_what_is_known_of_its_kind_stays_out() -> None:
    row = dict.fromkeys(COLUMNS, "x") | {"card": "a/x", "seconds": None, "tick": 1}
    mask = Mask(b"k")
    said = {"ease": 250, "Ann": 1, "due": "Ann", "words": "Ann", "deck": "ann", "scheduler": "ann"}
    assert mask.row(row | {"kind": "set", "data": said})["data"] == {"ease": 250}
    assert mask.row(row | {"kind": "review", "data": said})["data"] == {}
    ruled = mask.row(row | {"kind": "rule", "data": {"deck": "a", "scheduler": "fsrs"}})
    deck = str(mask.row(row | {"kind": "flag", "data": {}})["card"]).split("/")[0]
    assert ruled["data"] == {"deck": deck, "scheduler": "fsrs"}
