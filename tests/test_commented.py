"""Notes of a deck turned into comments: they are no cards, and nothing else changes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from attn_study.deck.commented import commented
from attn_study.deck.composing import Heading, compose
from attn_study.deck.reader import parse
from attn_study.deck.spelling import spelled
from attn_study.errors import UserError
from generated_decks import decks
from memory_helpers import LAW

if TYPE_CHECKING:
    from attn_study.deck.card import Deck

HERE = Path("mine.yaml")
HEADING = Heading("mine", "Mine")
TEXT = """\
deck: mine
cards:
  - id: one
    front: Q
    back: |
      A

      more
    # about the next
  - id: two
    front: R
    back: >-
      folded
      text

  - {id: three, front: S,
     back: C}
  -
    id: four
    front: T
    back: D
    # said last
"""


def without(line: int, text: str = TEXT) -> str:
    return commented(text.encode(), HERE, {line}).decode()


def names(text: str) -> list[str]:
    found = parse(text, HERE)
    assert found.deck is not None
    assert found.complaints == ()
    return [note.name for note in found.deck.notes]


@pytest.mark.parametrize(
    ("line", "name", "behind"),
    [(3, "one", 8), (10, "two", 14), (16, "three", 17), (19, "four", 21)],
)
def test_the_lines_of_a_note_become_comments_and_no_other_line_changes(
    line: int, name: str, behind: int
) -> None:
    before, after = TEXT.split("\n"), without(line).split("\n")
    changed = [number for number, line in enumerate(after, start=1) if line != before[number - 1]]
    first = 18 if name == "four" else line  # where its dash stands
    assert changed == [at for at in range(first, behind + 1) if before[at - 1].strip()]
    assert all(after[at - 1] == f"# {before[at - 1]}" for at in changed)
    assert names("\n".join(after)) == [one for one in names(TEXT) if one != name]


def test_a_line_of_a_tab_is_no_blank_line() -> None:
    text = TEXT.replace("      A\n\n", "      A\n      \t\n")
    assert "#       \t\n" in without(3, text)
    assert names(without(3, text)) == ["two", "three", "four"]


def test_line_ends_a_mark_and_bytes_that_are_no_text_stay() -> None:
    data = b"\xef\xbb\xbf" + TEXT.replace("\n", "\r\n").replace("said", "\xe9").encode("cp1252")
    made = commented(data, HERE, {10})
    assert made.replace(b"# ", b"") == data.replace(b"# ", b"")
    assert made.count(b"# ") == data.count(b"# ") + 5


@pytest.mark.parametrize(
    "text",
    [
        "deck: mine\ncards: [{id: a, front: F, back: B}, {id: b, front: G, back: B}]\n",
        "deck: mine\ncards: [\n  {id: a-b, front: F, back: B}, {id: b, front: G, back: B}]\n",
    ],
)
def test_a_note_that_shares_its_lines_is_refused_with_its_place(text: str) -> None:
    line = text.partition("{")[0].count("\n") + 1
    with pytest.raises(UserError, match="cannot be left out as it is written") as caught:
        without(line, text)
    assert caught.value.where == f"mine.yaml:{line}"
    assert "line of its own" in caught.value.hint


def test_utf_16_is_refused() -> None:
    with pytest.raises(UserError, match="UTF-16"):
        commented(TEXT.encode("utf-16"), HERE, {3})


def test_a_line_on_which_no_note_begins_is_refused() -> None:
    with pytest.raises(UserError, match="cannot be left out"):
        without(4)


@settings(LAW, max_examples=60)
@given(decks(), st.data())
def test_of_any_deck_exactly_the_notes_meant_go(deck: Deck, data: st.DataObject) -> None:
    text = compose(HEADING, [(note.section, spelled(note)) for note in deck.notes])
    before = parse(text, HERE).deck
    assert before is not None
    gone = set(data.draw(st.lists(st.sampled_from([note.line for note in before.notes]))))
    after = parse(commented(text.encode(), HERE, gone), HERE).deck
    assert after is not None
    assert after.notes == tuple(note for note in before.notes if note.line not in gone)
