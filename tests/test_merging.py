"""A foreign deck beside one's own of that name: nothing twice, nothing lost, progress kept."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings

from attn_study.deck.composing import Heading, compose
from attn_study.deck.formats import Imported, Note, Skipped
from attn_study.deck.merging import merge
from attn_study.deck.reader import parse
from attn_study.deck.spelling import spelled
from attn_study.errors import UserError
from generated_decks import decks
from memory_helpers import LAW

if TYPE_CHECKING:
    from collections.abc import Mapping

    from attn_study.deck.card import Deck
    from attn_study.deck.merging import Merged
    from attn_study.deck.spelling import Value

HERE = Path("week.yaml")
HEADING = Heading("week", "Week")

OWN = """\
# my own heading
deck: week
cards:
  # before the first
  - id: first
    front: One?   # said once
    back: 1
    demo: head

  # between
  - id: second
    front: Two?
    back: |
      2

      two
    tags: [a]
  # after the last
"""


def note(front: str = "", back: str = "", line: int = 0, **fields: Value) -> Note:
    section = fields.pop("section", "")
    assert isinstance(section, str)
    given = {"front": front, "back": back} if front else {}
    return Note({**given, **fields}, section=section, line=line)


def taken(*notes: Note, own: str = "", **more: object) -> Merged:
    found = parse(own, HERE).deck if own else None
    beside = (own, found) if found else None
    return merge(Imported("week", notes, **more), HEADING, beside, HERE)  # type: ignore[arg-type]


def texts(deck: Deck) -> dict[str, tuple[str, str]]:
    return {card.name: (card.front, card.back) for card in deck.cards}


def test_a_new_deck_holds_every_note_with_an_id_of_its_own() -> None:
    made = taken(note("Shape of the scores?", "[n × n]"), note("Shape of the scores?!", "x"))
    assert texts(made.deck) == {
        "shape-of-the-scores": ("Shape of the scores?", "[n × n]"),
        "shape-of-the-scores-2": ("Shape of the scores?!", "x"),
    }
    assert (len(made.added), made.changed, made.same, made.others) == (2, (), 0, ())
    assert made.text == compose(HEADING, [("", spelled(note)) for note in made.deck.notes])


def test_s49_the_same_file_again_changes_nothing() -> None:
    notes = note("Q1", "A1", tags=["t"]), note("Q2", "A2")
    first = taken(*notes)
    again = taken(*notes, own=first.text)
    assert (again.text, again.changes, again.same) == (first.text, False, 2)


def test_s49_a_changed_text_and_a_new_tag_update_the_card_and_no_other_line() -> None:
    made = taken(note("Two?", "2 or two", tags=["a", "b"]), own=OWN)
    expected = OWN.replace("back: |\n      2\n\n      two\n", "back: 2 or two\n")
    expected = expected.replace("tags: [a]", "tags: [a, b]").replace("2 or two", "'2 or two'")
    assert made.text == expected
    assert (made.added, made.changed, made.same, made.others) == ((), ("second",), 0, ("first",))


def test_a_card_is_found_by_its_id_before_its_front() -> None:
    made = taken(note("One, really?", "1", id="first"), note("Two?", "other", id="x"), own=OWN)
    assert texts(made.deck) == {
        "first": ("One, really?", "1"),
        "second": ("Two?", "2\n\ntwo"),
        "x": ("Two?", "other"),
    }


def test_a_note_that_says_that_it_has_no_id_gets_none() -> None:
    made = taken(note("One?", "1", id=""))
    assert (made.deck.cards[0].id, made.deck.cards[0].written_id) == ("week/~588216e42d", False)
    assert not taken(note("One?", "1", id=""), own=made.text).changes


def test_a_text_that_ends_with_an_empty_line_keeps_just_that() -> None:
    first = taken(note("Q1", "A\n", section="one"), note("Q2", "A\n", section="one"))
    made = taken(note("Q3", "A\n", section="two"), note("Q4", "x", section="two"), own=first.text)
    assert [card.back for card in made.deck.cards] == ["A\n", "A\n", "A\n", "x"]


def test_cards_of_new_sections_stand_together() -> None:
    first = taken(note("Q1", "A", section="one"))
    notes = [note(f"Q{n}", "A", section=name) for n, name in enumerate("abab", start=2)]
    made = taken(*notes, own=first.text)
    assert [card.front for card in made.deck.cards] == ["Q1", "Q2", "Q4", "Q3", "Q5"]


def test_a_note_without_a_written_id_is_updated_and_gets_none() -> None:
    own = OWN.replace("id: second\n    front: Two?", "front: Two?   # asked")
    found = parse(own, HERE).deck
    assert found is not None
    name = next(card.name for card in found.cards if card.front == "Two?")
    assert name.startswith("~")
    made = taken(note("Two?", "2 or more"), own=own)
    assert made.text == own.replace("   # asked", "").replace(
        "|\n      2\n\n      two", "'2 or more'"
    )
    assert (made.added, made.changed, made.same, made.others) == ((), (name,), 0, ("first",))
    assert texts(made.deck)[name] == ("Two?", "2 or more")  # by its old name, as its progress is
    assert not taken(note("Two?", "2 or more"), own=made.text).changes


def test_what_the_foreign_file_does_not_have_stays() -> None:
    made = taken(note("One?", "eins"), own=OWN)
    assert next(card for card in made.deck.cards if card.name == "first").demo == "head"
    assert made.deck.cards[1].tags == ("a",)


def test_an_emptied_field_of_the_foreign_file_empties_the_card() -> None:
    made = taken(note("Two?", "2", tags=[]), own=OWN)
    assert made.deck.cards[1].tags == ()


def test_a_card_that_becomes_another_kind_keeps_nothing_of_the_old_one() -> None:
    made = taken(Note({"id": "second", "cloze": "{{c1::Two}}"}), own=OWN)
    assert [card.id for card in made.deck.cards] == ["week/first", "week/second:c1"]
    assert spelled(made.deck.notes[1]) == {"id": "second", "cloze": "{{c1::Two}}", "tags": ("a",)}


def test_s06_a_question_reworded_in_a_file_without_ids_stays_the_same_card() -> None:
    made = taken(note("Ones?", "1"), note("Two?", "2\n\ntwo"), own=OWN)
    assert texts(made.deck) == {"first": ("Ones?", "1"), "second": ("Two?", "2\n\ntwo")}
    assert (made.added, made.changed) == ((), ("first",))


@pytest.mark.parametrize(
    "fresh",
    [
        [("Something else altogether", "1")],
        [("Ones?", "another answer")],
        [("Ones?", "1"), ("Once?", "1")],
    ],
)
def test_what_may_be_another_question_is_a_new_card(fresh: list[tuple[str, str]]) -> None:
    made = taken(*(note(*sides) for sides in fresh), own=OWN)
    assert texts(made.deck)["first"] == ("One?", "1")
    assert len(made.added) == len(fresh)


def test_a_card_that_was_made_a_typed_one_here_stays_one() -> None:
    own = OWN.replace("back: 1\n", "back: 1\n    answer: one\n")
    made = taken(note("One?", "eins", kind="basic"), own=own)
    assert (made.deck.notes[0].kind, made.deck.notes[0].answer) == ("typed", "one")


def test_new_cards_go_to_the_end_and_comments_stay_where_they_are() -> None:
    made = taken(note("Three?", "3"), own=OWN)
    assert made.text.startswith(OWN.partition("  # after")[0])
    assert "# after the last" in made.text
    assert list(texts(made.deck)) == ["first", "second", "three"]


def test_sections_are_kept_and_grow() -> None:
    first = taken(note("Q1", "A", section="one"), note("Q2", "A", section="two"))
    more = (note("Q3", "A", section="one"), note("Q4", "A", section="three"), note("Q5", "A"))
    made = taken(*more, own=first.text)
    where = [(card.section, card.front) for card in made.deck.cards]
    assert where == [
        ("one", "Q1"), ("one", "Q3"), ("two", "Q2"), ("two", "Q5"), ("three", "Q4"),
    ]  # fmt: skip


def test_s19_the_same_question_twice_in_a_file_is_taken_once_and_said_with_its_line() -> None:
    made = taken(note("Q", "A", 3), note("Q ", "B", 9), note("R", "C", 12))
    assert [card.back for card in made.deck.cards] == ["A", "C"]
    assert made.skipped == (Skipped("the same card as the one on line 3", 9),)


def test_a_note_that_is_no_card_is_left_out_with_the_reason_and_its_line() -> None:
    made = taken(
        note("Q1", "A", 1),
        note("Q2", "a\x07b", 2),
        note("Q3", "", 3),
        note("Q4", "A", 4),
        Note({"cloze": "no hole"}, line=5),
        note("Q6", "A", 6),
    )
    assert [card.front for card in made.deck.cards] == ["Q1", "Q4", "Q6"]
    assert sorted((one.line, one.what) for one in made.skipped) == [
        (2, "the text holds an invisible character, U+0007"),
        (3, "this card has no `back`"),
        (5, "there is no hole in this text"),
    ]


def test_what_the_file_left_out_is_said_first() -> None:
    gone = Skipped("no back", 7)
    assert taken(note("Q", "A"), note("R", ""), skipped=(gone,)).skipped[0] == gone


def test_ids_are_told_by_the_names_of_the_source() -> None:
    notes = (
        Note({"front": "One?", "back": "1"}, source="17"),
        Note({"front": "N", "back": "x"}, source="18"),
    )
    assert taken(*notes, own=OWN).ids == {"17": "week/first", "18": "week/n"}


@pytest.mark.parametrize(
    "own",
    [
        "deck: week\ncards: [{id: a, front: Q, back: A}]\n",
        "deck: week\ncards:\n  - {id: a, front: Q, back: A}\n",
    ],
)
def test_a_file_that_cannot_be_changed_in_one_place_is_left_alone(own: str) -> None:
    with pytest.raises(UserError, match="stand"):
        taken(Note({"id": "a", "front": "Q", "back": "B"}), note("N", "x"), own=own)


def test_line_ends_and_byte_order_mark_stay() -> None:
    own = "\ufeff" + OWN.replace("\n", "\r\n")
    made = taken(note("Two?", "2"), note("Three?", "3"), own=own)
    assert made.text.startswith("\ufeff#")
    assert "\n" not in made.text.replace("\r\n", "")


@settings(LAW, max_examples=30)
@given(decks())
def test_a_composed_deck_reads_back_as_the_same_notes(deck: Deck) -> None:
    notes = [Note({"id": "", **spelled(note)}, section=note.section) for note in deck.notes]
    made = taken(*notes)
    assert [spelled(note) for note in made.deck.notes] == [spelled(note) for note in deck.notes]
    assert [note.section for note in made.deck.notes] == [note.section for note in deck.notes]
    assert made.skipped == ()
    again = taken(*notes, own=made.text)
    assert not again.changes


def test_notes_that_are_found_at_fault_are_left_out_whether_new_or_changed() -> None:
    own = parse(OWN, HERE).deck
    assert own is not None
    notes = note("One?", "one", line=1), note("Two?", "two", line=2), note("Three?", "3", line=3)
    faults = {"first": "a reason", "three": "another"}
    made = merge(
        Imported("week", notes), HEADING, (OWN, own), HERE, lambda name, keys: faults.get(name, "")
    )
    assert made.skipped == (Skipped("another", 3), Skipped("a reason", 1))
    assert (made.added, made.changed) == ((), ("second",))
    assert texts(made.deck) == {"first": ("One?", "1"), "second": ("Two?", "two")}


def test_a_fault_is_asked_of_the_keys_as_they_will_stand_in_the_file() -> None:
    own = parse(OWN, HERE).deck
    assert own is not None
    seen: dict[str, object] = {}

    def fault(name: str, keys: Mapping[str, Value]) -> str:
        seen[name] = (keys["back"], keys.get("demo"))
        return ""

    merge(Imported("week", (note("One?", "one"),)), HEADING, (OWN, own), HERE, fault)
    assert seen == {"first": ("one", "head")}
