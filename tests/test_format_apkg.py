"""Anki packages: what a deck gets of one, what it gives to one, and what is refused."""

from __future__ import annotations

import sqlite3
import sys
import tracemalloc
import zipfile
from contextlib import closing
from dataclasses import replace
from datetime import date
from io import BytesIO
from typing import TYPE_CHECKING, Any

import pytest
import zstandard
from hypothesis import given

from anki_package import CREATED, Package, opened, section_in_anki, zipped
from attn_study.deck.card import Card, Deck, Figure, Option
from attn_study.deck.formats import Answered, Imported, State, WriteOptions
from attn_study.deck.formats.anki.collection import MOST
from attn_study.deck.formats.anki.package import write
from attn_study.deck.formats.anki.protobuf import fields as message
from attn_study.deck.spelling import spelled
from attn_study.errors import UserError
from attn_study.extras import install
from generated_decks import SLOW_LAW, decks
from generated_decks import deck as deck_of

if TYPE_CHECKING:
    from pathlib import Path

OPTIONS = WriteOptions("apkg")


def exported(*notes: Card, **options: Any) -> Any:
    return write(deck_of(notes), replace(OPTIONS, **options))


def anki_notes(data: bytes) -> list[tuple[Any, ...]]:
    """The notes of a package that we wrote, as rows of its database."""
    with zipfile.ZipFile(BytesIO(data)) as archive, closing(sqlite3.connect(":memory:")) as conn:
        conn.deserialize(archive.read("collection.anki2"))
        query = "SELECT guid, tags, flds, (SELECT count(*) FROM cards WHERE nid=n.id) FROM notes n"
        return conn.execute(query).fetchall()


def only(found: tuple[Imported, ...]) -> dict[str, Any]:
    """The one note of the one deck."""
    ((note,),) = [one.notes for one in found]
    return dict(note.fields)


def said(data: bytes) -> str:
    with pytest.raises(UserError) as caught:
        opened(data)
    assert caught.value.where == "my.apkg"
    return str(caught.value)


# --- There and back


@SLOW_LAW
@given(decks(only=("basic", "reversed", "cloze", "typed")))
def test_s49_what_a_package_can_carry_comes_back_unchanged(deck: Deck) -> None:
    (found,) = opened(write(deck, OPTIONS).data)
    assert found.name == deck.name
    assert [dict(note.fields) for note in found.notes] == [_carried(note) for note in deck.notes]
    assert [note.section for note in found.notes] == [
        section_in_anki(one.section) for one in deck.notes
    ]


def _carried(note: Card) -> dict[str, Any]:
    """The keys of a note, without those that a package has no place for."""
    gone = ("accept", "tolerance", "figure", "after", "demo", "with")
    return {key: value for key, value in spelled(note).items() if key not in gone}


def test_the_same_deck_gives_the_same_bytes_wherever_its_file_is(tmp_path: Path) -> None:
    note = Card("mine/a", "basic", "Q", "A", demo="scale")
    first = exported(note, picture=lambda card: "<svg/>")
    file = tmp_path / "mine.yaml"
    file.touch()
    there = replace(deck_of((note,)), path=file)
    assert write(there, replace(OPTIONS, picture=lambda card: "<svg/>")) == first
    with zipfile.ZipFile(BytesIO(first.data)) as archive:
        assert {info.date_time for info in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}


def test_cards_keep_the_order_of_the_deck_across_its_sections() -> None:
    names = {"c": "One", "a": "Two", "b": "One"}
    notes = [Card(f"mine/{name}", "basic", name, "A", section=names[name]) for name in names]
    (found,) = opened(exported(*notes).data)
    assert [(note.fields["id"], note.section) for note in found.notes] == list(names.items())


def test_the_time_that_is_handed_in_is_the_time_of_the_notes() -> None:
    sent = exported(Card("mine/a", "basic", "Q", "A"), time=2_000_000_000)
    with zipfile.ZipFile(BytesIO(sent.data)) as archive:
        data = archive.read("collection.anki2")
    with closing(sqlite3.connect(":memory:")) as conn:
        conn.deserialize(data)
        assert conn.execute("SELECT mod FROM notes").fetchall() == [(2_000_000_000,)]


# --- Written


def test_every_kind_has_its_note_type_and_its_cards() -> None:
    data = exported(
        Card("mine/b", "basic", "a\nb", "<unk>", tags=("x y", "z"), note="more"),
        Card("mine/r", "reversed", "F", "B"),
        Card("mine/t", "typed", "F", "B", answer="42"),
        Card("mine/c", "cloze", "", "", cloze="{{c1::x}} {{c2::y::hint}} {{c1::z}}"),
    ).data
    assert anki_notes(data) == [
        ("attn-study/mine/b", " x_y z ", "a<br>b\x1f&lt;unk&gt;\x1fmore\x1f", 1),
        ("attn-study/mine/r", "  ", "F\x1fB\x1f\x1f", 2),
        ("attn-study/mine/t", "  ", "F\x1f42\x1fB\x1f\x1f", 1),
        ("attn-study/mine/c", "  ", "{{c1::x}} {{c2::y::hint}} {{c1::z}}\x1f\x1f\x1f", 2),
    ]


@pytest.mark.parametrize(
    ("cloze", "html"),
    [
        (r"{{c1::\(\frac{a}{b_{i}}\)}}", r"{{c1::\(\frac{a}{b_{i}<!-- -->}\)}}"),
        ("{{c1::{a}}}", "{{c1::{a}<!-- -->}}"),
        (r"\(x_{{c1::i}}\)", r"\(x_{{c1::i}}\)"),
        ("{{c1::`a::b`::h}}", "{{c1::`a:<!-- -->:b`::h}}"),
        ("{{c1::x}} {{c0::y}}", "{{c1::x}} {<!-- -->{c0::y}}"),
        ("{{c1::x::}}", "{{c1::x::}}"),
    ],
)
def test_a_hole_ends_in_anki_where_it_ends_here(cloze: str, html: str) -> None:
    data = exported(Card("mine/c", "cloze", "", "", cloze=cloze)).data
    assert anki_notes(data)[0][2].split("\x1f")[0] == html
    assert only(opened(data))["cloze"] == cloze


def test_a_choice_is_a_question_with_letters_and_says_why_the_others_are_wrong() -> None:
    options = (Option("yes"), Option("no", "because"), Option("maybe"))
    exact = exported(Card("mine/c", "choice", "Q?", "", answer="yes", options=options))
    note = only(opened(exact.data))
    front, back = note["front"].split("\n"), note["back"].split("\n")
    assert front[:2] == ["Q?", ""]
    assert [line[:3] for line in front[2:]] == ["A. ", "B. ", "C. "]
    assert {line[3:] for line in front[2:]} == {"yes", "no", "maybe"}
    right, wrong = (next(one for one in front if one.endswith(word)) for word in ("yes", "no"))
    assert back == [right, "", f"Not {wrong[0]}: because"]
    assert exact.losses == ("1 choice card as a plain question",)


def test_a_picture_of_the_demo_stands_in_the_back_and_is_not_read_back() -> None:
    notes = [
        Card("mine/a", "basic", "Q", "A", demo="scale"),
        Card("mine/b", "basic", "R", "B", demo="none"),
        Card("mine/c", "basic", "S", "C"),
    ]
    data = exported(*notes, picture=lambda card: "<svg/>" if card.demo == "scale" else None).data
    with zipfile.ZipFile(BytesIO(data)) as archive:
        assert archive.read("media") == b'{"0": "attn-study-scale-d4dc566691.svg"}'
        assert archive.read("0") == b"<svg/>"
    pictures = [row[2].split("\x1f")[3] for row in anki_notes(data)]
    assert pictures == ['<img src="attn-study-scale-d4dc566691.svg">', "", ""]
    (found,) = opened(data)
    assert found.notes[0].fields == {"id": "a", "front": "Q", "back": "A"}
    assert found.remarks == ("Anki package",)


def test_s49_what_anki_cannot_carry_is_said_with_its_number() -> None:
    figure = Figure(("it", "cat"), (0.25, 0.75), "it")
    deck = deck_of(
        (
            Card("mine/a", "typed", "Q", "", answer="1", accept=("one",), tolerance=0.5),
            Card("mine/b", "basic", "Q", "A", after=("mine/a",), figure=figure, demo="scale"),
            Card("mine/c", "computed", "", "", question="scale.x", demo="scale"),
            Card("mine/d", "basic", "Q", "A", tags=("two words",)),
        ),
        source="a book",
    )
    assert write(deck, replace(OPTIONS, rows=({}, {}))).losses == (
        "1 computed card, whose numbers Anki cannot draw",
        "1 list of other answers that count",
        "1 tolerance: Anki compares letter by letter",
        "1 figure, of which a line of words and numbers is left",
        "2 demos, of which a picture is left where it can be drawn",
        "1 list of cards that come before",
        "1 tag with _ for blanks",
        "of the deck itself: source",
        "2 rows of history: in Anki all cards are new",
    )
    assert "it → it 0.25 · cat 0.75" in anki_notes(write(deck, OPTIONS).data)[1][2]


def test_a_deck_of_computed_cards_alone_makes_no_package() -> None:
    with pytest.raises(UserError, match="no card of the deck mine"):
        exported(Card("mine/c", "computed", "", "", question="scale.x"))


# --- Read


def test_note_types_become_kinds() -> None:
    package = Package()
    package.note("Basic", "a<br>b", "&lt;unk&gt;", tags=" one two::three ")
    package.note("Basic (and reversed card)", "F", "B", cards=2)
    package.note("Optional", "F", "B", "y", cards=2)
    package.note("Optional", "F", "B", "", cards=1)
    package.note("Typed", "F", "42")
    package.note("Cloze", "a {{c1::b::h}} {{c2::c}}", "more", cards=2)
    package.note("Vocabulary", "h", "W", "M", "[sound:w.mp3]")
    (found,) = package.read()
    kept = [
        {key: value for key, value in note.fields.items() if key != "id"} for note in found.notes
    ]
    assert kept == [
        {"front": "a\nb", "back": "<unk>", "tags": ("one", "two::three")},
        {"kind": "reversed", "front": "F", "back": "B"},
        {"kind": "reversed", "front": "F", "back": "B"},
        {"front": "F", "back": "B"},
        {"front": "F", "answer": "42"},
        {"cloze": "a {{c1::b::h}} {{c2::c}}", "back": "more"},
        {"front": "W", "back": "h\nM\n[sound w.mp3]"},
    ]
    assert [note.source for note in found.notes] == list("1234567")


def test_what_no_kind_can_say_is_skipped_with_a_reason() -> None:
    package = Package()
    package.note("Three", "F", "B", cards=3)
    package.note("Cloze", "no hole", "")
    package.note("Cloze", "{{c1::image-occlusion:rect:left=.1}}", "")
    package.note("Cloze", "{{c1::a {{c2::b}}}}", "")
    package.note("Cloze", "{{c1,2::a}} {{c1::b}}", "")
    package.note("Basic", "<b> </b>", "B")
    package.note("Basic", "F" * 60, "", deck="Mine")
    package.note("Basic", "good", "B")
    package.note("Basic", "F", "B", cards=0)
    default, found = package.read()
    assert [note.fields["front"] for note in found.notes] == ["good"]
    assert [one.what for one in found.skipped] == [
        "the note `F`: its note type `Three` makes 3 cards, and not of two sides alone",
        "the note `no hole`: there is no hole in this text",
        "the note `{{c1::image-occlusion:rect:left=.1}}`: it asks for places in a picture",
        "the note `{{c1::a {{c2::b}}}}`: a hole stands inside another",
        "the note `{{c1,2::a}} {{c1::b}}`: a hole has a number that a deck cannot have",
        "the note ``: there is nothing on its front",
        f"the note `{'F' * 39}…`: there is nothing on its back",
    ]
    assert [one.what for one in default.skipped] == ["the note `F`: it has no cards"]


def test_outer_decks_are_decks_and_inner_ones_sections() -> None:
    package = Package()
    for deck in ("A", "A::B", "B", "A::B::C"):
        package.note("Basic", f"in {deck}", "x", deck=deck)
    found = package.read()
    assert [(one.name, [note.section for note in one.notes]) for one in found] == [
        ("A", ["", "B", "B › C"]),
        ("B", [""]),
    ]


def test_an_id_comes_from_the_guid_and_stays_when_the_text_changes() -> None:
    package = Package()
    package.note("Basic", "before", "x", guid="c,I~Gk%")
    package.note("Basic", "after", "x", guid="c,I~Gk%")
    package.note("Basic", "other", "x", guid="c,I~Gk&")
    first, second, third = (note.fields["id"] for note in package.read()[0].notes)
    # sha256sum of the GUID without a line end, 10 digits
    assert first == second == "anki-8176fe165f" != third


def test_a_note_that_was_ours_has_its_id_and_deck_again() -> None:
    package = Package()
    package.note("Basic", "F", "B", guid="attn-study/attention/scaling", deck="Moved")
    package.note("Basic", "G", "B", guid="attn-study/attention/~0123456789", deck="Renamed")
    (found,) = package.read()
    assert (found.name, found.title) == ("attention", "Moved")
    assert [note.fields.get("id") for note in found.notes] == ["scaling", None]


def test_s48_media_are_named_in_the_text_and_counted_in_the_report() -> None:
    package = Package()
    package.note("Basic", '<img src="a.png">', "[sound:x.mp3]<img src=b.png>")
    (found,) = package.read()
    assert found.notes[0].fields["front"] == "[picture a.png]"
    assert found.remarks[1:] == ("2 pictures and 1 sound left out, each with its name in brackets",)


# --- What was learned


def review(**more: int) -> dict[str, Any]:
    return {"type": 2, "queue": 2, "due": 105, "ivl": 12, "factor": 2350, "reps": 7} | more


def states(package: Package) -> tuple[State, ...]:
    (found,) = package.read(schedule=True)
    assert found.history is not None
    return found.history.states


def test_s51_a_review_card_brings_its_numbers() -> None:
    """Day 0 is 14 November 2023; day 105 is 27 February 2024."""
    package = Package()
    package.note("Basic", "F", "B", **review(lapses=1))
    assert states(package) == (State("1", "", 235, 12, 7, 1, date(2024, 2, 27)),)


def test_s51_new_cards_have_no_state_and_stand_in_the_order_anki_would_ask_them() -> None:
    package = Package()
    for due in (30, 10, 20):
        package.note("Basic", f"{due}", "B", due=due)
    (found,) = package.read(schedule=True)
    assert [note.fields["front"] for note in found.notes] == ["10", "20", "30"]
    assert states(package) == ()


def test_s51_a_card_being_learned_is_due_on_the_day_of_its_time() -> None:
    """03:59 still belongs to the day before; the learner sits two hours east of Greenwich."""
    package = Package(conf={"creationOffset": -60, "localOffset": -120, "rollover": 4})
    at = CREATED + 86_400 - 2 * 3600  # 04:00 there, on the 15th
    package.note("Basic", "F", "B", type=1, queue=1, due=at, reps=1, factor=0)
    package.note("Basic", "F", "B", type=3, queue=1, due=at - 60, ivl=3, reps=9, factor=1300)
    package.note("Basic", "F", "B", type=1, queue=3, due=2, ivl=-600, reps=9, factor=2500)
    assert states(package) == (
        State("1", "", 250, 0, 0, 0, date(2023, 11, 15)),
        State("2", "", 130, 3, 0, 0, date(2023, 11, 14)),
        State("3", "", 250, 0, 0, 0, date(2023, 11, 16)),
    )


def test_s51_suspended_cards_stay_suspended_and_filtered_decks_give_their_cards_back() -> None:
    package = Package()
    package.note("Basic", "F", "B", **review(queue=-1))
    package.note("Basic", "F", "B", queue=-1)
    package.note("Basic", "F", "B", deck="Filtered", **review(due=-99_999, odue=105, odid=1))
    assert [one.name for one in package.read()] == ["Mine"]
    found = states(package)
    assert [(one.due, one.suspended) for one in found] == [
        (date(2024, 2, 27), True),
        (None, True),
        (date(2024, 2, 27), False),
    ]


def test_s51_each_card_of_a_note_has_its_own_state() -> None:
    package = Package()
    package.note("Basic (and reversed card)", "F", "B", cards=2, **review())
    package.note("Cloze", "{{c1::a}} {{c2::b}}", "", cards=2, **review())
    assert [(one.note, one.part) for one in states(package)] == [
        ("1", ""),
        ("1", ":reverse"),
        ("2", ":c1"),
        ("2", ":c2"),
    ]


@pytest.mark.parametrize(
    "wrong",
    [
        {"due": 10**8 - 1},
        {"due": 2**62},
        {"factor": 1},
        {"factor": 2**40},
        {"ivl": 10**9},
        {"lapses": 8},
        {"reps": -1},
    ],
    ids=str,
)
def test_s27_a_state_that_makes_no_sense_is_left_out_and_counted(wrong: dict[str, int]) -> None:
    package = Package()
    package.note("Basic", "F", "B", **review(**wrong))
    assert states(package) == ()
    (found,) = package.read(schedule=True)
    assert found.remarks[1:] == ("1 card has a schedule that makes no sense, which was left out",)


def test_answers_come_with_their_grades_and_what_did_not_schedule_is_skipped() -> None:
    package = Package()
    package.note("Basic (and reversed card)", "F", "B", cards=2, **review())
    for ease in (1, 2, 3, 4):
        package.answer(2, ease, 1_700_000_000_000 + ease)
    package.answer(1, 0, 5, kind=4)
    package.answer(1, 3, 6, kind=3)
    package.answer(99, 3, 7)
    (found,) = package.read(schedule=True)
    assert found.history is not None
    assert found.history.answers == tuple(
        Answered("1", ":reverse", str(at), at, grade, 4.0)
        for at, grade in zip(range(1_700_000_000_001, 1_700_000_000_005), (1, 3, 4, 5), strict=True)
    )


def test_s51_a_schedule_that_is_not_asked_for_is_left_out_and_said() -> None:
    package = Package()
    package.note("Basic", "F", "B", **review())
    package.note("Basic", "G", "B")
    (found,) = package.read()
    assert found.history is None
    assert found.remarks[1:] == ("1 card has a schedule, left out: `--schedule` brings it",)


@pytest.mark.parametrize(
    ("hours", "day"), [(4, date(2023, 11, 14)), (-5, date(2023, 11, 14)), (12, date(2023, 11, 14))]
)
def test_without_a_zone_the_collection_began_at_four_o_clock_somewhere(
    hours: int, day: date
) -> None:
    """04:00 on the 14th in UTC, nine hours east of it, and eight hours west of it."""
    package = Package(conf={}, created=CREATED - 4 * 3600 + hours * 3600)
    package.note("Basic", "F", "B", **review(due=0))
    assert states(package)[0].due == day


# --- Refused


MANY = (
    "WITH RECURSIVE n(x) AS (SELECT 2 UNION ALL SELECT x+1 FROM n LIMIT {})"
    "INSERT INTO notes SELECT x,x,100,0,0,'','a',0,0,0,'' FROM n"
)


def good() -> Package:
    package = Package()
    package.note("Basic", "F", "B")
    return package


def test_s47_a_page_an_empty_file_and_a_cut_one_are_no_packages() -> None:
    data = zipped({"collection.anki2": good().database()})
    assert "this is a web page, not an Anki package" in said(b"\n<!DOCTYPE html><html>")
    assert "this is an empty file" in said(b"")
    assert "this is another kind of file" in said(b"front;back")
    for length in (3, len(data) // 2, len(data) - 1):
        assert "this Anki package is" in said(data[:length])
    assert "no Anki collection" in said(zipped({"readme": b"x", "../collection.anki2": b"x"}))
    assert "holds no notes" in said(zipped({"collection.anki2": Package().database()}))


def test_s47_limits_hold_while_unpacking_and_not_as_declared(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Zeros beyond the limit: declared as they are, declared as less, and packed by zstandard."""
    monkeypatch.setattr("attn_study.deck.formats.anki.archive.LARGEST", 8 << 20)
    zeros = bytes(50 << 20)
    honest = zipped({"collection.anki2": zeros})
    lying = bytearray(honest)
    for signature, size in ((b"PK\3\4", 22), (b"PK\1\2", 24)):
        at = lying.index(signature) + size
        lying[at : at + 4] = (10).to_bytes(4, "little")
    bomb = zipped({"collection.anki21b": zstandard.ZstdCompressor().compress(zeros)})
    del zeros
    assert max(len(honest), len(bomb)) < 1 << 20
    tracemalloc.start()
    try:
        assert "unpacks to more than 8 MB" in said(honest)
        assert "this Anki package is damaged" in said(bytes(lying))
        assert "unpacks to more than 8 MB" in said(bomb)
        assert tracemalloc.get_traced_memory()[1] < 30 << 20
    finally:
        tracemalloc.stop()


def test_s47_a_hundred_thousand_entries_are_refused_without_reading_them() -> None:
    data = zipped({"collection.anki2": good().database()})
    begin, end = data.index(b"PK\1\2"), data.index(b"PK\5\6")
    directory = data[begin:end] * 100_000
    many = (100_000 % (1 << 16)).to_bytes(2, "little") * 2
    size = len(directory).to_bytes(4, "little")
    assert "too many entries" in said(
        data[:begin] + directory + data[end : end + 8] + many + size + data[end + 16 :]
    )


def test_s47_other_entries_are_never_unpacked_whatever_they_are_called(tmp_path: Path) -> None:
    target = tmp_path / "out"
    entries = {str(target): b"x", "../../out": b"x", "collection.anki2": good().database()}
    assert only(opened(zipped(entries)))["front"] == "F"
    assert not target.exists()


def test_s47_encrypted_or_oddly_packed_collections_are_refused() -> None:
    data = bytearray(zipped({"collection.anki2": good().database()}))
    for signature, flags in ((b"PK\3\4", 6), (b"PK\1\2", 8)):
        data[data.index(signature) + flags] |= 1
    assert said(bytes(data)).startswith("my.apkg: collection.anki2 is encrypted")
    packed = zipped({"collection.anki2": good().database()}, zipfile.ZIP_LZMA)
    assert "packed in a way that Anki does not use" in said(packed)


def test_a_collection_that_had_a_write_ahead_log_is_read() -> None:
    data = bytearray(good().database())
    data[18:20] = b"\2\2"
    assert only(opened(zipped({"collection.anki2": bytes(data)})))["front"] == "F"


@pytest.mark.parametrize("at", [0, 40, 100])
def test_s47_a_damaged_collection_is_refused(at: int) -> None:
    data = bytearray(good().database())
    data[at : at + 90] = b"\xff" * 90
    assert "cannot be read" in said(zipped({"collection.anki2": bytes(data)}))


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE col SET models = '[]'",
        "UPDATE col SET models = '{\"1\": 3}'",
        "UPDATE col SET decks = 'null'",
        f"UPDATE col SET models = '{'[' * 100_000}'",
        "DELETE FROM col",
        "UPDATE col SET crt = 9e99",
        "UPDATE cards SET due = 'soon'",
        "DROP TABLE notes",
        "UPDATE notes SET flds = zeroblob(6000000)",
        "DROP TABLE notes; CREATE VIEW notes AS SELECT 1 id, 'g' guid, 100 mid, '' tags, 'a' flds",
        (
            "DROP TABLE notes; CREATE TABLE notes (id, guid, mid, tags, n, flds AS (zeroblob(n)));"
            "INSERT INTO notes VALUES (1, 'g', 100, '', 6000000)"
        ),
    ],
)
def test_s47_a_collection_of_another_shape_is_refused(sql: str) -> None:
    package = good()
    package.sql = sql
    assert "cannot be read" in said(zipped({"collection.anki2": package.database()}))


def test_s47_a_query_without_end_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("attn_study.deck.formats.anki.collection.CALLS", 2)
    package = good()
    package.sql = MANY.format(50_000)
    assert "cannot be read: interrupted" in said(zipped({"collection.anki2": package.database()}))


def test_more_notes_than_a_deck_may_hold_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(MOST, "notes", 1_000)
    package = good()
    package.sql = MANY.format(1_000)
    assert "more than 1,000 notes" in said(zipped({"collection.anki2": package.database()}))


def test_the_newest_collection_counts_and_a_dummy_beside_it_does_not() -> None:
    real, dummy = good(), Package()
    dummy.note("Basic", "Please update Anki", "")
    data = {"collection.anki2": dummy.database(), "collection.anki21": real.database()}
    assert only(opened(zipped(data)))["front"] == "F"


def test_without_the_extra_it_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("zstandard", "genanki"):
        monkeypatch.setitem(sys.modules, name, None)
    hint = install("anki")
    assert hint in said(zipped({"collection.anki21b": b"x"}))
    with pytest.raises(UserError, match="genanki") as caught:
        exported(Card("mine/a", "basic", "Q", "A"))
    assert caught.value.hint == hint


@pytest.mark.parametrize(
    ("data", "found"),
    [
        (b"", {}),
        (b"\x08\x96\x01", {1: 150}),
        (b"\x12\x07testing", {2: b"testing"}),
        (b"\x0d\1\2\3\4\x08\1", {1: 1}),
        (b"\x09" + bytes(8), {1: bytes(8)}),
    ],
)
def test_messages_are_read_as_the_encoding_guide_shows_them(
    data: bytes, found: dict[int, int | bytes]
) -> None:
    assert message(data) == found


@pytest.mark.parametrize("data", [b"\x80", b"\x08", b"\x12\x07test", b"\x0b", b"\xff" * 20])
def test_what_is_no_message_is_refused(data: bytes) -> None:
    with pytest.raises(ValueError, match="no message"):
        message(data)
