"""The real Anki reads the packages we write, and we read those it writes."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from attn_study.deck.card import Card, Deck
from attn_study.deck.formats import File, History, Imported, ReadOptions, WriteOptions
from attn_study.deck.formats.anki.package import read, write
from attn_study.deck.spelling import spelled
from generated_decks import deck as deck_of

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(find_spec("anki") is None, reason="Anki's backend is not installed"),
]

SCRIPT = Path(__file__).with_name("anki_backend.py")
NOTES = (
    Card("mine/basic", "basic", "a\n  b", r"\(x < y\)", section="One", tags=("t", "two words")),
    Card("mine/both", "reversed", "F", "B", section="Two", note="more"),
    Card("mine/typed", "typed", "2 + 2?", "", answer="4", demo="scale"),
    Card("mine/holes", "cloze", "", "", cloze=r"{{c1::\(\frac{a}{b_{i}}\)}} and {{c2::<unk>::t}}"),
)


def anki(folder: Path, task: str, **asked: Any) -> dict[str, Any]:
    """Let Anki do one task with the collection in this folder."""
    words = {"collection": str(folder / "collection.anki2"), "task": task, **asked}
    run = subprocess.run(
        [sys.executable, str(SCRIPT)],
        input=json.dumps(words),
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    found: dict[str, Any] = json.loads(run.stdout.splitlines()[-1])
    return found


def bring(folder: Path, deck: Deck, *, at: int) -> dict[str, Any]:
    """Export a deck that was last changed at that time, and import it into Anki."""
    package = folder / "mine.apkg"
    picture = "<svg xmlns='http://www.w3.org/2000/svg'/>"
    options = WriteOptions("apkg", picture=lambda card: picture, time=at)
    package.write_bytes(write(deck, options).data)
    return anki(folder, "bring", package=str(package))


def test_anki_takes_every_note_with_its_cards_fields_tags_and_mathematics(tmp_path: Path) -> None:
    assert bring(tmp_path, deck_of(NOTES, "My deck"), at=1_700_000_000)["new"] == 4
    held = anki(tmp_path, "notes")
    notes = {note["guid"]: note for note in held["notes"]}
    assert {guid: note["cards"] for guid, note in notes.items()} == {
        "attn-study/mine/basic": [0],
        "attn-study/mine/both": [0, 1],
        "attn-study/mine/typed": [0],
        "attn-study/mine/holes": [0, 1],
    }
    assert held["empty"] == 0
    basic, both, typed, holes = (
        notes[f"attn-study/mine/{name}"] for name in ("basic", "both", "typed", "holes")
    )
    assert basic["fields"][:2] == ["a<br>&nbsp;&nbsp;b", r"\(x &lt; y\)"]
    assert sorted(basic["tags"]) == ["t", "two_words"]
    assert [note["decks"] for note in (basic, both, typed)] == [
        ["My deck::One"],
        ["My deck::Two"],
        ["My deck"],
    ]
    assert r"\(x &lt; y\)" in basic["answers"][0]
    assert "more" in both["answers"][0]
    assert "more" in both["answers"][1]
    assert "[[type:Answer]]" in typed["questions"][0]
    assert typed["fields"][-1].startswith('<img src="attn-study-scale-')
    assert "[...]" in holes["questions"][0]
    assert r"\(\frac{a}{b_{i}}\)<" in holes["answers"][0]
    assert "[t]" in holes["questions"][1]
    assert "&lt;unk&gt;" in holes["answers"][1]


def test_a_picture_arrives_and_is_used(tmp_path: Path) -> None:
    bring(tmp_path, deck_of(NOTES), at=1_700_000_000)
    *unused, folder = anki(tmp_path, "notes")["media"]
    assert unused == []
    (picture,) = Path(folder).iterdir()
    assert picture.read_text(encoding="utf-8") == "<svg xmlns='http://www.w3.org/2000/svg'/>"


def test_s49_a_second_import_after_an_edit_updates_and_adds_nothing(tmp_path: Path) -> None:
    bring(tmp_path, deck_of(NOTES), at=1_700_000_000)
    again = bring(tmp_path, deck_of(NOTES), at=1_700_000_000)
    assert again == {"new": 0, "updated": 0, "duplicate": 4, "conflicting": 0}
    edited = (replace(NOTES[0], front="edited"), *NOTES[1:])
    second = bring(tmp_path, deck_of(edited), at=1_700_000_100)
    assert second == {"new": 0, "updated": 4, "duplicate": 0, "conflicting": 0}
    notes = anki(tmp_path, "notes")["notes"]
    assert len(notes) == 4
    assert "edited" in [note["fields"][0] for note in notes]


def test_s49_a_deck_comes_home_from_anki_with_its_ids_and_what_was_learned(tmp_path: Path) -> None:
    bring(tmp_path, deck_of(NOTES), at=1_700_000_000)
    paths = {name: str(tmp_path / f"{name}.apkg") for name in ("legacy", "latest")}
    anki(tmp_path, "make", notes=[], deck="Mine", answers=2, **paths)
    for generation in paths:
        found = opened(tmp_path, generation)
        assert found.name == "mine"
        texts = {
            note.name: {
                key: value
                for key, value in spelled(note).items()
                if key not in ("demo", "tags", "section")
            }
            for note in NOTES
        }
        assert {
            str(note.fields["id"]): {
                key: value for key, value in note.fields.items() if key != "tags"
            }
            for note in found.notes
        } == texts
        assert found.history is not None
        assert len(found.history.states) >= 2


MADE = [
    {"type": "Basic", "fields": ["a<br>b", "&lt;unk&gt;"], "deck": "A::B", "tags": ["t", "u::v"]},
    {"type": "Basic (and reversed card)", "fields": ["F", "B"], "deck": "A::B"},
    {"type": "Basic (type in the answer)", "fields": ["Q", "42"], "deck": "A"},
    {"type": "Cloze", "fields": ["{{c1::x}} {{c2::y::h}}", "more"], "deck": "A::B::C"},
]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    """A folder with one collection as two packages, and what Anki says of its cards."""
    folder = tmp_path_factory.mktemp("anki")
    paths = {name: str(folder / f"{name}.apkg") for name in ("legacy", "latest")}
    return folder, anki(folder, "make", notes=MADE, deck="A", answers=3, **paths)


def opened(folder: Path, generation: str) -> Imported:
    path = folder / f"{generation}.apkg"
    (found,) = read(File(path, path.read_bytes()), ReadOptions("apkg", schedule=True))
    return found


@pytest.mark.parametrize("generation", ["legacy", "latest"])
def test_packages_of_both_generations_are_read(
    generation: str, made: tuple[Path, dict[str, Any]]
) -> None:
    found = opened(made[0], generation)
    assert (found.name, found.skipped) == ("A", ())
    kept = [
        (note.section, {key: value for key, value in note.fields.items() if key != "id"})
        for note in sorted(found.notes, key=lambda note: int(note.source))
    ]
    assert kept == [
        ("B", {"front": "a\nb", "back": "<unk>", "tags": ("t", "u::v")}),
        ("B", {"kind": "reversed", "front": "F", "back": "B"}),
        ("", {"front": "Q", "answer": "42"}),
        ("B › C", {"cloze": "{{c1::x}} {{c2::y::h}}", "back": "more"}),
    ]


@pytest.mark.parametrize("generation", ["legacy", "latest"])
def test_s51_the_numbers_of_a_schedule_are_those_that_anki_says(
    generation: str, made: tuple[Path, dict[str, Any]]
) -> None:
    folder, said = made
    history = opened(folder, generation).history
    assert isinstance(history, History)
    states = {(state.note, state.part): state for state in history.states}
    parts = {0: ("", ":c1"), 1: (":reverse", ":c2")}
    known = [card for card in said["cards"] if card["type"] or card["queue"] == -1]
    assert len(known) == len(states) >= 3
    today = (datetime.now(UTC) - timedelta(hours=4)).date()
    for card in known:
        (state,) = (
            states[str(card["nid"]), part]
            for part in parts[card["ord"]]
            if (str(card["nid"]), part) in states
        )
        assert state.suspended == (card["queue"] == -1)
        assert state.lapses == card["lapses"]
        assert state.interval == card["ivl"]
        if card["factor"]:
            assert state.ease * 10 == card["factor"]
        assert state.due == _due(card, today)


def _due(card: dict[str, Any], today: date) -> date | None:
    """The day as Anki counts: from its today, or from the time that stands on the card."""
    if card["type"] == 0:
        return None
    if card["due"] > 10**9:
        return (datetime.fromtimestamp(card["due"], UTC) - timedelta(hours=4)).date()
    return today + timedelta(days=card["due"] - card["today"])


def test_s51_a_card_that_anki_shows_in_five_days_is_due_in_five_days(
    made: tuple[Path, dict[str, Any]],
) -> None:
    first = made[1]["cards"][0]
    assert (first["due"] - first["today"], first["ivl"], first["type"]) == (5, 5, 2)


@pytest.mark.parametrize("generation", ["legacy", "latest"])
def test_the_review_log_of_anki_arrives(generation: str, made: tuple[Path, dict[str, Any]]) -> None:
    folder, said = made
    history = opened(folder, generation).history
    assert isinstance(history, History)
    wanted = [
        (str(at), at, {1: 1, 2: 3, 3: 4, 4: 5}[ease])
        for at, ease, kind in said["reviews"]
        if ease and kind < 3
    ]
    assert wanted
    assert [(one.key, one.at, one.grade) for one in history.answers] == wanted
