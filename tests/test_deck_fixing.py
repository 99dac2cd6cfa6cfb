"""Missing ids are written into a deck file, and no other character of it changes."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from attn_study.deck import fixing
from attn_study.deck.fixing import Fixed, read_text, with_ids
from attn_study.deck.note import automatic_id
from attn_study.deck.reader import parse
from memory_helpers import LAW

HERE = Path("my.yaml")
TOP = "deck: mine\ncards:\n"


def fixed(source: str, taken: tuple[str, ...] = (), named: tuple[str, ...] = ()) -> Fixed:
    found = read_text(source, HERE)
    assert found is not None
    return with_ids(found, taken, named)


def text_of(cards: str) -> str:
    """What the lines of cards become."""
    result = fixed(TOP + cards).text
    assert result.startswith(TOP)
    return result.removeprefix(TOP)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("  - front: Why?\n    back: B\n", "  - id: why\n    front: Why?\n    back: B\n"),
        ("- front: Why?\n  back: B\n", "- id: why\n  front: Why?\n  back: B\n"),
        ("  -   front: Why?\n      back: B\n", "  -   id: why\n      front: Why?\n      back: B\n"),
        ("  -\n    front: Why?\n    back: B", "  -\n    id: why\n    front: Why?\n    back: B"),
        (
            "  - # mine\n    front: Why?\n    back: B\n",
            "  - # mine\n    id: why\n    front: Why?\n    back: B\n",
        ),
        ("  - {front: Why?, back: B}\n", "  - {id: why, front: Why?, back: B}\n"),
        ("  - { front: Why?, back: B }  # x\n", "  - { id: why, front: Why?, back: B }  # x\n"),
        ("  - {\n    front: Why?, back: B}\n", "  - {\n    id: why, front: Why?, back: B}\n"),
        ("  [{front: Why?, back: B}]\n", "  [{id: why, front: Why?, back: B}]\n"),
        ('  - "front": Why?\n    back: B\n', '  - id: why\n    "front": Why?\n    back: B\n'),
        (
            "  - cloze: 'A {{c1::hole::hint}} here'\n",
            "  - id: a-hole-here\n    cloze: 'A {{c1::hole::hint}} here'\n",
        ),
        ("  - question: head.weight", "  - id: head-weight\n    question: head.weight"),
        ("  - question: head.weight\n", "  - id: head-weight\n    question: head.weight\n"),
        ("  - {? front : Why?, back: B}\n", "  - {? id: why, front : Why?, back: B}\n"),
        (
            "  - ? front\n    : Why?\n    back: B\n",
            "  - id: why\n    ? front\n    : Why?\n    back: B\n",
        ),
        (
            "  - front: 64\n    back: B\n",
            "  - id: '64'\n    front: 64\n    back: B\n",  # a number to other readers
        ),
    ],
)
def test_an_id_stands_in_front_of_the_first_key(before: str, after: str) -> None:
    assert text_of(before) == after


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("bom", ["", "\ufeff"])
def test_line_ends_and_the_mark_at_the_top_stay(end: str, bom: str) -> None:
    before = f"{TOP}  - front: Why?\n    back: 😀 |\n  - {{front: 注, back: B}}".replace("\n", end)
    after = f"{TOP}  - id: why\n    front: Why?\n    back: 😀 |\n  - {{id: "
    assert fixed(bom + before).text.startswith(bom + after.replace("\n", end))
    assert "\n" not in fixed(bom + before).text.replace(end, "")


def test_a_file_with_all_its_ids_stays_as_it_is() -> None:
    text = TOP + "  - {id: a, front: F, back: B}\n"
    assert fixed(text) == Fixed(text, (), ())
    once = fixed(TOP + "  - front: F\n    back: B\n").text
    assert fixed(once) == Fixed(once, (), ())


def test_ids_are_readable_and_none_is_given_twice() -> None:
    cards = "".join(f"  - {{front: 'Why{'?' * n}', back: B{n}}}\n" for n in range(3))
    found = fixed(TOP + cards + "  - {id: why-2, front: W, back: B}\n", taken=("why",))
    assert [new for _, new in found.ids] == ["why-3", "why-4", "why-5"]


def test_notes_with_one_front_and_no_ids_are_told_apart_at_last() -> None:
    text = TOP + "  - {front: Why?, back: A}\n  - {front: Why?, back: B}\n"
    assert [one.warning for one in parse(text, HERE).complaints] == [False]
    found = fixed(text)
    assert found.ids == ((automatic_id("Why?"), "why"), (automatic_id("Why?"), "why-2"))
    deck = parse(found.text, HERE).deck
    assert deck is not None
    assert [card.back for card in deck.cards] == ["A", "B"]


def test_a_thousand_notes_with_one_front_are_told_apart_in_one_go() -> None:
    text = TOP + "".join(f"  - {{front: Why?, back: B{n}}}\n" for n in range(1_000))
    assert len({new for _, new in fixed(text).ids}) == 1_000


@pytest.mark.parametrize(
    ("cards", "line"),
    [
        ("  - &a\n    front: F\n    back: B\n", 3),
        ("  - &a {front: F, back: B}\n", 3),
        ("  - &a front: F\n    back: B\n", 3),
        ("  - {id: x, front: F, back: &b B}\n  - &c {front: G, back: *b}\n", 4),
    ],
)
def test_a_note_that_an_anchor_stands_for_is_left_alone(cards: str, line: int) -> None:
    found = fixed(TOP + cards)
    assert (found.text, found.ids) == (TOP + cards, ())
    assert [at for at, _ in found.left] in ([line], [3])
    assert "anchor" in found.left[0][1]


def test_a_list_that_an_alias_repeats_is_left_alone() -> None:
    text = (
        "deck: mine\nsections:\n- title: A\n  cards: &all\n  - {front: F, back: B}\n"
        "- title: B\n  cards: *all\n"
    )
    assert fixed(text).text == text
    assert {line for line, _ in fixed(text).left} == {5}


def test_a_note_that_others_wait_for_by_its_old_name_is_left_alone() -> None:
    old = automatic_id("Why?")
    text = TOP + f"  - {{front: Why?, back: B}}\n  - {{front: G, back: B, after: ['{old}']}}\n"
    assert [line for line, _ in fixed(text).left] == [3]
    assert [new for _, new in fixed(text).ids] == ["g"]
    other = TOP + "  - {front: Why?, back: B}\n"
    assert fixed(other, named=(old,)).text == other


def test_a_note_with_a_mistake_gets_no_id_and_hinders_no_other() -> None:
    assert text_of("  - front: no back\n  - {front: F, back: B}\n") == (
        "  - front: no back\n  - {id: f, front: F, back: B}\n"
    )


@pytest.mark.parametrize(
    "text",
    [
        TOP + "  - {front: F, back: [}\n  - {front: G, back: B}\n",
        TOP + "  - {front: F\x07, back: B}\n",
        TOP + "  - {front: !x F, back: B}\n",
        TOP + "  - {front: F, back: B}\n---\nmore: 1\n",
    ],
)
def test_a_file_that_cannot_be_read_as_a_whole_is_left_alone(text: str) -> None:
    assert fixed(text) == Fixed(text, (), ((0, "it cannot be read as a whole"),))


@pytest.mark.parametrize("text", ["just words\n", "cards:\n  - {front: F, back: B}\n"])
def test_a_file_that_is_no_deck_has_no_notes_to_name(text: str) -> None:
    assert read_text(text, HERE) is None


@pytest.mark.parametrize("written", ["x, back: C", "[x]", "good"])
def test_a_text_that_would_say_anything_else_is_not_given_out(
    written: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fixing, "scalar", lambda *_: written)
    text = TOP + "  - {id: good, front: F, back: B}\n  - {front: G, back: B}\n"
    assert fixed(text) == Fixed(text, (), ((0, "more than ids would change"),))


# Any layout

WORDS = st.text("ab é注😀#'\\{}", min_size=1, max_size=6).map(str.strip).filter(bool)
COMMENT = st.sampled_from(["", "# a note to me\n", "\n", "   # odd: [place\n", "\n\n"])


@st.composite
def cards(draw: st.DrawFn, margin: str) -> str:
    """One card at a margin, in block or flow style, its texts quoted in any way."""
    texts = {"front": draw(WORDS), "back": draw(WORDS)}
    if draw(st.booleans()):
        texts = {"id": f"id-{draw(st.integers(0, 10**9))}"} | texts
    if draw(st.booleans()):
        texts = dict(reversed(texts.items()))
    quoted = {
        key: f"'{text.replace(chr(39), chr(39) * 2)}'" if draw(st.booleans()) else _double(text)
        for key, text in texts.items()
    }
    gap = " " * draw(st.integers(1, 3))
    tail = draw(st.sampled_from(["", "  # tail"]))
    if draw(st.booleans()):
        inner = ", ".join(f"{key}: {text}" for key, text in quoted.items())
        pad = draw(st.sampled_from(["", " "]))
        return f"{margin}-{gap}{{{pad}{inner}{pad}}}{tail}\n"
    keys = f"\n{margin} {gap}".join(f"{key}: {text}{tail}" for key, text in quoted.items())
    between = draw(st.sampled_from(["", f"\n{margin} {gap}# inside"]))
    return f"{margin}-{gap}{keys}{between}\n"


def _double(text: str) -> str:
    return '"' + text.replace("\\", "\\\\") + '"'


@st.composite
def decks(draw: st.DrawFn) -> str:
    margin = " " * draw(st.integers(0, 4))

    def held(margin: str) -> str:
        found = draw(st.lists(cards(margin), min_size=1, max_size=4))
        return "".join(draw(COMMENT) + card for card in found)

    if draw(st.booleans()):
        text = f"deck: mine\n{draw(COMMENT)}cards:\n{held(margin)}{draw(COMMENT)}"
    else:
        inner = margin + "  " + " " * draw(st.integers(0, 2))
        text = "deck: mine\nsections:\n" + "".join(
            f"{margin}- title: {name}\n{margin}  cards:\n{held(inner)}" for name in "AB"
        )
    if draw(st.booleans()):
        text = text.rstrip("\n")
    text = text.replace("\n", draw(st.sampled_from(["\n", "\r\n"])))
    return draw(st.sampled_from(["", "\ufeff"])) + text


def _notes(text: str) -> list[dict[str, Any]]:
    """The notes as another reader sees them."""
    deck = yaml.load(text.removeprefix("\ufeff"), yaml.BaseLoader)
    holders = deck.get("sections") or [deck]
    return [note for holder in holders for note in holder["cards"]]


@LAW
@given(decks())
def test_nothing_but_ids_is_added_to_a_file_of_any_layout(text: str) -> None:
    found = fixed(text)
    names = [new for _, new in found.ids]
    written = "|".join(re.escape(name) for name in names) or "(?!)"
    taken_out = re.sub(rf"id: '?(?:{written})'?(?:, |\r?\n *)", "", found.text)
    assert taken_out == text
    before, after = _notes(text), _notes(found.text)
    assert [{key: value for key, value in note.items() if key != "id"} for note in after] == [
        {key: value for key, value in note.items() if key != "id"} for note in before
    ]
    assert all("id" in note for note in after)
    assert [new["id"] for old, new in zip(before, after, strict=True) if "id" not in old] == names
    assert all(
        old.get("id", new["id"]) == new["id"] for old, new in zip(before, after, strict=True)
    )
    assert len(set(names)) == len(names)
