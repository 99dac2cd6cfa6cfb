"""The JSON Schema of deck files says yes and no where the reader does."""

from __future__ import annotations

import copy
import json
import string
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from attn_study.deck import kinds
from attn_study.deck.library import decks_dir
from attn_study.deck.note import COMMON
from attn_study.deck.options import LEAST, MOST
from attn_study.deck.reader import parse
from attn_study.deck.shape import deck_schema, schema_text
from attn_study.deck.template import template
from memory_helpers import LAW

HERE = Path("my.yaml")
SCHEMA = Draft202012Validator(deck_schema())
TEMPLATE = template("mine", "../deck.schema.json")


def texts(text: str) -> Any:
    """The file with every value a text, as the reader takes it."""
    return yaml.load(text, yaml.BaseLoader)


def fits(text: str) -> bool:
    return bool(SCHEMA.is_valid(texts(text)))


def is_sound(text: str) -> bool:
    """What the reader says: nothing but warnings."""
    return all(one.warning for one in parse(text, HERE).complaints)


def note(**keys: Any) -> dict[str, Any]:
    """A deck with one note."""
    return {"deck": "mine", "cards": [keys]}


def test_the_schema_is_one_of_its_draft_and_names_it() -> None:
    schema = json.loads(schema_text())
    Draft202012Validator.check_schema(schema)
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert schema == deck_schema()
    assert schema_text().isascii()


@pytest.mark.parametrize("loader", [yaml.BaseLoader, yaml.SafeLoader], ids=["texts", "typed"])
@pytest.mark.parametrize(
    "text",
    [TEMPLATE, *(path.read_text(encoding="utf-8") for path in decks_dir().glob("*.yaml"))],
    ids=["template", *(path.stem for path in decks_dir().glob("*.yaml"))],
)
def test_every_deck_that_comes_with_the_program_fits(text: str, loader: Any) -> None:
    assert [error.message for error in SCHEMA.iter_errors(yaml.load(text, loader))] == []


MISTAKES = {
    "an unknown key": "front: F\nbakc: B\nback: B",
    "no back": "front: F",
    "no front": "back: B",
    "an empty back": "front: F\nback: ''",
    "a back of nothing": "front: F\nback:",
    "a front that is a list": "front: [F]\nback: B",
    "a back that is a map": "front: F\nback: {d_k}",
    "a kind that is none": "kind: cloozy\nfront: F\nback: B",
    "a kind of another case": "kind: Basic\nfront: F\nback: B",
    "a key of another kind": "kind: basic\nfront: F\nback: B\nanswer: A",
    "a reversed card without a back": "kind: reversed\nfront: F",
    "a choice that accepts": "front: F\nanswer: A\nchoices: [A, B]\naccept: [C]",
    "a cloze without a hole": "cloze: no hole",
    "a cloze with a front": "cloze: '{{c1::a}}'\nfront: F",
    "a typed card with a question": "question: head.weight\nanswer: A",
    "one choice": "front: F\nanswer: A\nchoices: [A]",
    "ten choices": "front: F\nanswer: a\nchoices: [a, b, c, d, e, f, g, h, i, j]",
    "a choice without text": "front: F\nanswer: A\nchoices: [A, {why: no}]",
    "a choice with another key": "front: F\nanswer: A\nchoices: [A, {text: B, because: no}]",
    "choices that are a text": "front: F\nanswer: A\nchoices: A",
    "an id with a blank": "id: my card\nfront: F\nback: B",
    "an id with a capital": "id: Mine\nfront: F\nback: B",
    "an automatic id written down": "id: ~a4949e2c96\nfront: F\nback: B",
    "tags that are a text": "front: F\nback: B\ntags: one",
    "an empty tag": "front: F\nback: B\ntags: ['']",
    "an after that is no id": "front: F\nback: B\nafter: ['my card']",
    "knobs without a demo": "front: F\nback: B\nwith: {heads: 2}",
    "knobs that are a list": "front: F\nback: B\ndemo: head\nwith: [heads]",
    "a knob that is no name": "front: F\nback: B\ndemo: head\nwith: {D-K: 2}",
    "an empty demo": "front: F\nback: B\ndemo: ''",
    "a tolerance that is no number": "front: F\nanswer: 1\ntolerance: a bit",
    "a figure without weights": "front: F\nback: B\nfigure: {tokens: [a], from: a}",
    "a weight that is no number": "front: F\nback: B\n"
    "figure: {tokens: [a], weights: [all], from: a}",
}


@pytest.mark.parametrize("name", MISTAKES)
def test_a_note_with_a_mistake_does_not_fit(name: str) -> None:
    lines = MISTAKES[name].split("\n")
    text = "deck: mine\ncards:\n  - " + "\n    ".join(lines) + "\n"
    assert (is_sound(text), fits(text)) == (False, False)


@pytest.mark.parametrize(
    "text",
    [
        "cards: []\n",
        "deck: mine\n",
        "deck: my deck\ncards: []\n",
        "deck: mine\ncards: []\nsections: []\n",
        "deck: mine\ncards: {}\n",
        "deck: mine\ncards: [just words]\n",
        "deck: mine\nsections: [{title: T}]\n",
        "deck: mine\nsections: [{cards: [], notes: []}]\n",
        "deck: mine\nformerly: yours\ncards: []\n",
        "deck: mine\nautor: me\ncards: []\n",
        "- deck: mine\n",
    ],
)
def test_a_deck_of_the_wrong_form_does_not_fit(text: str) -> None:
    assert (is_sound(text), fits(text)) == (False, False)


@pytest.mark.parametrize(
    "text",
    [
        "deck: mine\ncards:\n",
        "deck: mine\nsections:\n",
        "deck: mine\ncards: []\nformerly: []\ntitle:\n",
        "deck: 'no'\ncards: [{id: 'null', front: 'yes', back: 'null', note: }]\n",
        "deck: mine\ncards: [{front: F, answer: '1,5', tolerance: '0,1'}]\n",
        "deck: mine\ncards: [{front: a, back: b, after: [other/x, 'other/~a4949e2c96:c1']}]\n",
    ],
)
def test_what_the_reader_takes_fits(text: str) -> None:
    assert (is_sound(text), fits(text)) == (True, True)


@pytest.mark.parametrize("value", [64, 6.4, True])
def test_a_value_that_an_editor_takes_for_a_number_is_a_text(value: object) -> None:
    assert SCHEMA.is_valid(note(front=value, back=value, tags=[value], note=value))
    assert SCHEMA.is_valid(note(front=value, answer=value))
    assert SCHEMA.is_valid(note(front="F", back="B", demo="head", **{"with": {"d_k": value}}))


def test_a_back_that_an_editor_sees_as_nothing_is_a_mistake() -> None:
    assert not SCHEMA.is_valid(note(front="F", back=None))


@pytest.mark.parametrize("char", string.printable.replace("\n", "") + "é注²")
def test_a_name_may_hold_the_same_characters(char: str) -> None:
    for name in (char, f"a{char}a", f"{char}a", f"a{char}"):
        deck = parse(f"deck: {json.dumps(name)}\ncards: []\n", HERE).deck
        assert SCHEMA.is_valid({"deck": name, "cards": []}) == (deck is not None), repr(name)


@pytest.mark.parametrize("name", kinds.NAMES)
def test_a_kind_has_the_keys_that_its_file_names(name: str) -> None:
    form = kinds.kind(name)
    shape = deck_schema()["$defs"][f"kind-{name}"]
    assert set(shape["properties"]) == form.KEYS | form.MAY | COMMON
    assert set(shape["required"]) == form.KEYS
    assert all(one["description"] for one in shape["properties"].values())


def test_the_limits_of_choices_are_those_of_the_reader() -> None:
    choices = deck_schema()["$defs"]["kind-choice"]["properties"]["choices"]
    assert (choices["minItems"], choices["maxItems"]) == (LEAST, MOST)


# Every mutation of these is judged alike. Where the two may part, nothing is changed: what hangs
# on two values together (an answer among the choices, weights that sum to 1), a number's spelling.
KEYS = ("id", "kind", "front", "back", "cloze", "question", "answer", "tags", "note", "bakc")
VALUES: tuple[Any, ...] = (
    "a",
    "{{c1::x}}",
    "basic",
    "typed",
    "cloze",
    "",
    ["a"],
    [""],
    [],
    {"a": "b"},
)


@st.composite
def notes(draw: st.DrawFn) -> dict[str, Any]:
    chosen = draw(st.lists(st.sampled_from(KEYS), unique=True, max_size=5))
    return {key: draw(st.sampled_from(VALUES)) for key in chosen}


@LAW
@given(st.lists(notes(), max_size=1), st.sampled_from(["cards", "sections"]), st.booleans())
def test_the_schema_and_the_reader_agree_on_notes_of_any_form(
    made: list[dict[str, Any]], under: str, has_name: bool
) -> None:
    held: Any = made if under == "cards" else [{"title": "T", "cards": made}]
    deck = {"deck": "mine", under: held} if has_name else {under: held}
    text = json.dumps(deck)
    assert SCHEMA.is_valid(texts(text)) == is_sound(text), text


SOUND: Any = texts(TEMPLATE)


@LAW
@given(st.data())
def test_they_agree_on_a_sound_deck_with_one_thing_taken_out_or_exchanged(
    data: st.DataObject,
) -> None:
    deck = copy.deepcopy(SOUND)
    card = data.draw(st.sampled_from(deck["cards"]))
    key = data.draw(st.sampled_from(sorted(set(card) - {"answer", "choices", "tolerance"})))
    value = data.draw(st.sampled_from([None, *VALUES]))
    if value is None:
        del card[key]
    else:
        card[key] = value
    text = json.dumps(deck)
    beyond = ("names", "given twice")  # what hangs on other cards no schema can say
    errors = [one.what for one in parse(text, HERE).complaints if not one.warning]
    structural = [what for what in errors if not any(word in what for word in beyond)]
    assert SCHEMA.is_valid(texts(text)) == (not structural), (text, errors)
