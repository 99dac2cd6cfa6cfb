"""Our own JSON carries everything, and whatever else calls itself JSON is refused by its line."""

from __future__ import annotations

import json
import tracemalloc
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from attn_study.deck.formats import File, Imported, ReadOptions, WriteOptions
from attn_study.deck.formats.own_json import document as own_json
from attn_study.errors import UserError
from attn_study.memory.exchange.foreign import events
from generated_decks import SLOW_LAW, assert_same, deck, decks

if TYPE_CHECKING:
    from attn_study.deck.card import Deck

HERE = Path("mine.json")
ROW = {
    "id": 3,
    "uid": "cc7ace457341afbb9febce20dad93409",
    "device": "4cdffacf382fa5c8",
    "tick": 1,
    "batch": "bafb310333538428",
    "card": "mine/a",
    "kind": "flag",
    "grade": None,
    "day": "2026-11-30",
    "at": "2026-11-30T18:24:02.988+00:00",
    "offset": -210,
    "seconds": 2.5,
    "data": {"words": "look it up"},
}
SOUND: dict[str, Any] = {
    "schema": "attn-study/deck/1",
    "deck": "mine",
    "title": "Mine",
    "sections": [{"title": "S", "notes": [{"id": "a", "front": "Q", "back": "A"}]}],
    "log": [ROW],
}


def read(text: str | bytes) -> Imported:
    data = text if isinstance(text, bytes) else text.encode()
    (found,) = own_json.read(File(HERE, data), ReadOptions())
    return found


def refused(text: str | bytes) -> UserError:
    with pytest.raises(UserError) as caught:
        read(text)
    return caught.value


def changed(**parts: object) -> str:
    """A sound file with some of its keys changed, one key a line; the object begins on line 1."""
    inside = ",\n".join(f'"{key}": {json.dumps(value)}' for key, value in (SOUND | parts).items())
    return f"{{{inside}}}"


rows = st.lists(
    st.fixed_dictionaries(
        {
            "grade": st.one_of(st.none(), st.integers(0, 5)),
            "seconds": st.one_of(st.none(), st.floats(0, 60), st.integers(0, 60)),
            "data": st.dictionaries(st.sampled_from(("words", "ease")), st.text() | st.integers()),
        }
    ).map(lambda some: ROW | some),
    max_size=3,
).map(tuple)


@given(deck=decks(extras=True), rows=rows)
@SLOW_LAW
def test_s49_everything_a_deck_has_comes_back_from_json(
    deck: Deck, rows: tuple[dict[str, Any], ...]
) -> None:
    sent = own_json.write(deck, WriteOptions("json", rows=rows))
    found = read(sent.data)
    assert sent.losses == ()
    assert_same(found, deck)
    assert (found.formerly, found.rows) == (deck.formerly, rows)


@pytest.mark.parametrize("row", [{}, {"mood": "good"}, ROW | {"tick": True}, ROW | {"tick": 2**63}])
def test_a_row_of_the_log_is_handed_on_as_it_is_for_the_log_to_judge(row: dict[str, Any]) -> None:
    found = read(changed(log=[ROW, row]))
    assert found.rows == (ROW, row)
    assert [event.uid for event in events(found.rows[:1])] == [ROW["uid"]]
    with pytest.raises(UserError, match="row 2 of the log"):
        events(found.rows)


def test_earlier_names_of_the_deck_come_back() -> None:
    assert read(changed(formerly=["old", "older"])).formerly == ("old", "older")


def test_the_file_is_one_strict_json_object_that_begins_with_its_schema() -> None:
    sent = own_json.write(deck(()), WriteOptions("json", rows=(ROW,)))
    found = json.loads(sent.data)
    assert next(iter(found.items())) == ("schema", "attn-study/deck/1")
    assert found["log"] == [ROW]


def test_a_deck_without_notes_comes_back_empty() -> None:
    sent = own_json.write(deck(()), WriteOptions("json"))
    assert read(sent.data).notes == ()


def test_a_note_knows_its_line_however_the_file_is_laid_out() -> None:
    text = json.dumps(SOUND, indent=1)
    line = text[: text.index('"id": "a"')].count("\n")  # the brace stands one line above its id
    assert read(text).notes[0].line == line


def test_a_byte_order_mark_and_windows_line_ends_do_not_matter() -> None:
    text = json.dumps(SOUND, indent=1).replace("\n", "\r\n")
    assert read("\ufeff" + text) == read(text.encode("utf-16")) == read(text)


NO_NOTE = [
    ({"front": 1, "back": "A"}, "`front` is a number, not a text"),
    ({"front": None}, "`front` is nothing, not a text"),
    ({"front": ["Q"]}, "`front` is a list, not a text"),
    ({"front": "Q", "tags": [1]}, "`tags` is a number, not a text"),
    ({"front": "Q", "tags": [["a"]]}, "`tags` is a list, not a text"),
    ({"front": "Q", "bakc": "A"}, "there is no key `bakc` in a note; did you mean back?"),
    ({"front": "a\0b"}, "`front` holds the invisible character U+0000"),
    ({"front": "a\rb"}, "`front` holds a carriage return"),
    ({"front": "Q", "choices": [{"text": "A", "why": {"deep": {}}}]}, "is an object, not a text"),
    ({"front": "Q", "with": {"heads: 2\n - x": "1"}}, "`with` has the key `heads: 2"),
    ({"front": "Q", "figure": {"&a tokens": ["x"]}}, "has the key `&a tokens`, which cannot be"),
    ("front", "this note is a text, not an object"),
    ([], "this note is a list, not an object"),
]


@pytest.mark.parametrize(("note", "why"), NO_NOTE)
def test_a_note_of_the_wrong_shape_is_skipped_with_its_line_and_hides_no_other(
    note: object, why: str
) -> None:
    sound = {"front": "Q2", "back": "A2"}
    inside = f"[\n{json.dumps(note)},\n{json.dumps(sound)}]"
    text = (
        f'{{"schema": "attn-study/deck/1", "deck": "mine",\n"sections": [{{"notes": {inside}}}]}}'
    )
    found = read(text)
    assert [(one.line, why in one.what) for one in found.skipped] == [(3, True)], found.skipped
    assert [(note.fields, note.line) for note in found.notes] == [(sound, 4)]


REFUSED = [
    (changed(schema="attn-study/deck/2"), 1, "the schema 'attn-study/deck/2' is not known"),
    (changed(schema=1), 1, "the schema '1' is not known"),
    (changed(deck=7), 2, "`deck` is a number, not a text"),
    (changed(deck=" "), 2, "`deck` is empty"),
    (changed(title=["x"]), 3, "`title` is a list, not a text"),
    (changed(sections={}), 4, "`sections` is not a list"),
    (changed(sections=[[]]), 4, "a section is not an object"),
    (changed(sections=[{"notes": 1}]), 4, "`notes` is not a list"),
    (changed(sections=[{"title": 1}]), 4, "the `title` of a section is a number, not a text"),
    (changed(sections=[{"cards": []}]), 4, "there is no key `cards` in a section"),
    (changed(log=[7]), 5, "a row of the log is a number, not an object"),
    (changed(formerly="old"), 6, "`formerly` is a text, not a list of texts"),
    (changed(formerly=[1]), 6, "`formerly` is a number, not a text"),
    (changed(cards=[]), 6, "there is no key `cards` here"),
    (changed() + "\n{}", 6, "there is more behind the end of the object"),
    (changed()[:-1] + ',\n"deck": "twice"}', 6, "the key 'deck' is given twice"),
    (changed().replace('"tick": 1', '"tick": 1, "tick": 2'), 5, "the key 'tick' is given twice"),
    (changed().replace("2.5", "NaN"), 5, "NaN is no number that JSON knows"),
    (changed().replace("2.5", "-Infinity"), 5, "-Infinity is no number that JSON knows"),
    (changed().replace("2.5", "1e999"), 5, "a number too large to keep"),
    (changed().replace("2.5", "9" * 5_000), 5, "a number with too many digits"),
    (changed().replace("look", r"\ud83d"), 5, "a text holds half a character"),
    (changed().replace("look", "\n"), 5, "this is not JSON: invalid control character"),
    (changed().replace('"deck": "mine"', "'deck': 1"), 2, "a key in quotes is expected here"),
    (changed()[:-1] + ",}", 5, "a key in quotes is expected here"),
    (changed()[:-2], 5, "the file ends too early"),
    (changed()[:80], 4, "this is not JSON: unterminated string"),
    ('{"deck": "mine"}', 1, "the object has no `schema`"),
    ('{"schema": "attn-study/deck/1"}', 1, "the object has no `deck`"),
    ("[]", 1, "the file is not an object"),
    ("", 1, "the file ends too early"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "line", "what"), REFUSED)
def test_s46_json_of_the_wrong_shape_is_refused_by_its_line(
    text: str, line: int, what: str
) -> None:
    error = refused(text)
    assert (error.where, what in error.what) == (f"mine.json:{line}", True), error


@pytest.mark.parametrize("nested", ["[" * 100_000, '{"a":' * 100_000, "[" * 5_000_000])
def test_s45_json_too_deep_is_refused(nested: str) -> None:
    text = changed().replace('{"words": "look it up"}', nested)
    assert refused(text).where == "mine.json:5"


def test_s45_one_value_larger_than_any_deck_is_refused_before_it_takes_memory(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A fortieth of the limit, at which the whole value would take 60 times the file."""
    monkeypatch.setattr("attn_study.deck.formats.own_json.values.MAX_VALUE", 100_000)
    text = changed().replace('"look it up"', "[" + "[]," * 500_000 + "[]]").encode()
    file = File(HERE, text)
    tracemalloc.start()
    with pytest.raises(UserError, match="a value of more than 100,000 characters"):
        own_json.read(file, ReadOptions())
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 2 * len(text) + 4_000_000


@pytest.mark.parametrize("note", ["{}", "1"])
def test_s45_more_notes_than_a_deck_can_have_are_refused(
    monkeypatch: pytest.MonkeyPatch, note: str
) -> None:
    monkeypatch.setattr(own_json, "MAX_ITEMS", 1_000)
    inside = f"[{note}" + f",{note}" * 1_000 + "]"
    error = refused(f'{{"sections": [{{"notes": {inside}}}]}}')
    assert (error.where, error.what) == ("mine.json:1", "more than 1,000 notes")


def test_s26_a_field_of_200000_characters_is_read() -> None:
    long = "x" * 200_000
    text = changed(sections=[{"notes": [{"front": long, "back": "A"}]}])
    assert read(text).notes[0].fields["front"] == long
