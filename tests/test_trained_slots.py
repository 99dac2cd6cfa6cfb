"""Sentences with slots for the trained model: what fits, what is refused, and the screens."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from itertools import product
from typing import TYPE_CHECKING, Any

import pytest

from attn_study.demos import load
from attn_study.demos.panels import Table, Words
from attn_study.demos.trained.cases import CASES
from attn_study.errors import UserError
from attn_study.language.grammar import texts
from attn_study.render.ascii import to_ascii
from attn_study.render.lesson import lesson_lines
from attn_study.render.text import cells
from lessons import lesson
from trained_reference import most_likely, sentences

if TYPE_CHECKING:
    from attn_study.demos.lesson import Lesson

LESSONS = ("context", "stack", "multihead")
TEXTS = 4_000
ROOM = 23  # lines of a terminal of 24 without the line of keys

ONE_SLOT = [
    pytest.param(case, slot, id=f"{case} {slot}") for case in CASES for slot in CASES[case].slots
]


def settings(case: str, slot: str) -> list[dict[str, Any]]:
    """The case with each word that fits a slot, where the others have another one."""
    chosen = CASES[case]
    found: list[dict[str, Any]] = []
    for word in chosen.slots[slot]:
        rest = {name: words for name, words in chosen.slots.items() if name != slot}
        others = {name: next(w for w in words if w != word) for name, words in rest.items()}
        found.append({slot: word, **others})
    return [each for each in found if len({*each.values()}) == len(each)]


def longest(case: str) -> dict[str, Any]:
    """The case with the longest words in all its slots."""
    every = product(*CASES[case].slots.values())
    fitting = [words for words in every if len({*words}) == len(words)]
    widest = max(fitting, key=lambda words: sum(map(len, words)))
    return dict(zip(CASES[case].slots, widest, strict=True))


@lru_cache(maxsize=128)
def on_trained(name: str, **knobs: object) -> Lesson:
    """A lesson on the trained model; the last ones are kept for other windows and tokens."""
    return lesson(name, weights="trained", **knobs)


def drawn(name: str, columns: int, query: int | None = None, **knobs: object) -> list[str]:
    """The whole screen of a lesson on the trained model."""
    here = on_trained(name, **knobs)
    look = here.look if query is None else replace(here.look, query=query)
    made = here.working
    lines = lesson_lines(name, here.title, made.weights, made.notice, here.panels(look), columns)
    return [line.plain for line in lines]


@pytest.mark.parametrize(("case", "slot"), ONE_SLOT)
def test_every_word_that_fits_stands_in_the_sentence_and_in_what_the_lessons_say(
    case: str, slot: str
) -> None:
    for slots in settings(case, slot):
        here = lesson("context", case=case, **slots)
        knobs, trace = here.working.knobs, here.working.trace
        assert {name: knobs[name] for name in slots} == slots
        words = sentences(case, **slots)[0].beginning
        assert trace.labels("queries") == ("<start>", *words)
        assert {*slots.values()} <= {"harry", "john", *words}
        stack = lesson("stack", case=case, **slots).working
        assert stack.trace.labels("tokens") == ("<start>", *words)


@pytest.mark.parametrize(("case", "slot"), ONE_SLOT)
def test_every_word_that_fits_has_the_right_word_after_it(case: str, slot: str) -> None:
    for slots in settings(case, slot):
        sentence = sentences(case, **slots)[0]
        word, share = most_likely(sentence.beginning)
        assert (word, share > 0.9) == (sentence.answer, True), slots


@pytest.mark.parametrize("columns", [80, 120])
@pytest.mark.parametrize(("case", "slot"), ONE_SLOT)
def test_every_word_fits_a_screen_with_its_keys(case: str, slot: str, columns: int) -> None:
    for slots in settings(case, slot):
        for name in ("context", "stack"):
            lines = drawn(name, columns, case=case, **slots)
            assert len(lines) <= ROOM, (name, slots)
            assert max(map(cells, lines)) <= columns


@pytest.mark.parametrize("columns", [40, 80, 120])
@pytest.mark.parametrize("case", CASES)
def test_the_longest_words_fit_whichever_token_asks(case: str, columns: int) -> None:
    slots = longest(case)
    tokens = 1 + len(sentences(case, **slots)[0].beginning)
    for name in ("context", "stack"):
        for query in range(tokens):
            lines = drawn(name, columns, query, case=case, **slots)
            assert max(map(cells, lines)) <= columns
            assert len(lines) <= ROOM or columns == 40, (name, query)


@pytest.mark.parametrize("columns", [40, 80, 120])
@pytest.mark.parametrize("case", CASES)
def test_the_heads_of_a_layer_fit_a_screen(case: str, columns: int) -> None:
    decides = CASES[case].slots[CASES[case].decides]
    for word in (decides[0], max(decides, key=len)):
        for layer in (1, 2):
            lines = drawn("multihead", columns, case=case, word=word, layer=layer)
            assert max(map(cells, lines)) <= columns
            assert len(lines) <= ROOM or columns == 40


@pytest.mark.parametrize("off", ["", "1.1", "2.4"])
@pytest.mark.parametrize("case", CASES)
def test_a_head_switched_off_and_a_temperature_leave_room_for_the_keys(case: str, off: str) -> None:
    for degrees in (1.0, 0.05, 12.5):
        silent: dict[str, Any] = {"off": off} if off else {}
        lines = drawn("stack", 80, case=case, temperature=degrees, **silent)
        assert len(lines) <= ROOM


@pytest.mark.parametrize("name", LESSONS)
def test_every_sign_has_a_spelling_in_ascii(name: str) -> None:
    for case in CASES:
        assert not [line for line in drawn(name, 80, case=case) if "?" in to_ascii(line)]


@pytest.mark.parametrize(("case", "slot"), ONE_SLOT)
def test_a_word_that_does_not_fit_is_refused_with_those_that_do(case: str, slot: str) -> None:
    with pytest.raises(UserError) as caught:
        lesson("context", case=case, **{slot: "wombat"})
    assert caught.value.what == f"'wombat' does not fit the slot --{slot}"
    assert caught.value.hint == "one of: " + ", ".join(CASES[case].slots[slot])


@pytest.mark.parametrize("case", CASES)
def test_word_is_the_slot_that_decides(case: str) -> None:
    decides = CASES[case].decides
    for word in CASES[case].slots[decides][:4]:
        by_word = lesson("context", case=case, word=word).working
        by_slot = lesson("context", case=case, **{decides: word}).working
        assert by_word.trace.labels("queries") == by_slot.trace.labels("queries")
        assert by_word.knobs == by_slot.knobs
        assert by_word.knobs["word"] == word


@pytest.mark.parametrize("case", CASES)
def test_the_word_that_decides_turns_the_answer_over(case: str) -> None:
    here, there = sentences(case)
    assert here.answer != there.answer
    differ = [(a, b) for a, b in zip(here.beginning, there.beginning, strict=True) if a != b]
    assert len(differ) == 1


@pytest.mark.parametrize(
    ("name", "given", "said"),
    [
        ("context", {"noun": "dog", "place": "dog"}, "'dog' does not fit the slot --place"),
        ("context", {"case": "trophy", "noun": "box", "place": "box"}, "'box' stands twice"),
        ("context", {"adjective": "wide", "word": "deep"}, "are the same slot here"),
        ("context", {"case": "bank", "noun": "dog"}, "this sentence has no noun"),
        ("context", {"case": "names", "adjective": "wide"}, "this sentence has no adjective"),
        ("context", {"case": "pond"}, "case cannot be 'pond'"),
        ("context", {"layer": 3}, "layer cannot be '3'"),
        ("context", {"text": "my words"}, "no knob 'text'"),
        ("context", {"weights": "toy", "noun": "dog"}, "--noun means nothing with toy weights"),
        ("context", {"weights": "toy", "layer": 1}, "--layer means nothing with toy weights"),
        ("context", {"weights": "toy", "case": "names"}, "no case 'names' with toy weights"),
        ("stack", {"weights": "toy", "case": "tower"}, "no case 'tower' with toy weights"),
        ("stack", {"weights": "toy", "place": "door"}, "--place means nothing with toy weights"),
        ("stack", {"off": "3.1"}, "the model has no head '3.1'"),
        ("stack", {"off": "2"}, "the model has no head '2'"),
        ("stack", {"off": "2.1", "layers": 1}, "head 2.1 is off already with layers=1"),
        ("multihead", {"case": "keys"}, "--case means nothing with toy weights"),
        ("multihead", {"layer": 1}, "--layer means nothing with toy weights"),
        (
            "multihead",
            {"weights": "trained", "heads": 8},
            "--heads means nothing with trained weights",
        ),
        (
            "multihead",
            {"weights": "trained", "text": "my words"},
            "--text means nothing with trained weights",
        ),
        ("multihead", {"weights": "trained", "word": "wombat"}, "'wombat' does not fit"),
    ],
)
def test_what_means_nothing_is_refused_and_named(
    name: str, given: dict[str, object], said: str
) -> None:
    with pytest.raises(UserError) as caught:
        lesson(name, **given)
    assert said in caught.value.what
    assert caught.value.hint


def pair_said(case: str, **slots: str) -> str:
    words = lesson("context", case=case, **slots).panels(load("context").focus)[1]
    assert isinstance(words, Words)
    return words.text


@pytest.mark.parametrize(
    ("case", "slots", "said"),
    [
        ("chicken", {}, "held out: no training sentence had “chicken” with “road”"),
        ("trophy", {}, "held out: no training sentence had “trophy” with “suitcase”"),
        ("keys", {}, "held out: no training sentence had “keys” with “cabinet”"),
        ("bank", {}, "held out: no training sentence had “bank” with “pond”"),
        ("tower", {}, "held out: no training sentence had a miniature eiffel tower"),
        ("creature", {}, "held out: no training sentence had a fluffy creature"),
        (
            "mole",
            {"word": "burrow"},
            "not held out: “mole” with “burrow” may come in a training sentence",
        ),
        ("names", {}, "held out: no training sentence had these two people together"),
    ],
)
def test_what_the_training_held_out_is_said(case: str, slots: dict[str, str], said: str) -> None:
    assert pair_said(case, **slots) == said


def test_no_training_text_has_what_the_screens_call_held_out() -> None:
    apart = [("chicken", "road"), ("trophy", "suitcase"), ("bank", "pond"), ("mole", "shrew")]
    apart += [(one, other) for one in ("key", "keys") for other in ("cabinet", "cabinets")]
    seen = set()
    for _, text in zip(range(TEXTS), texts(7), strict=False):
        for sentence in " ".join(text.words).split(" ."):
            words = {*sentence.split()}
            assert not any({*pair} <= words for pair in apart), sentence
            for noun in ("fluffy creature", "fluffy blue creature", "blue fluffy creature"):
                assert noun not in sentence
            assert "miniature eiffel" not in sentence
            seen |= words
    assert {word for pair in apart for word in pair} <= seen


def test_the_first_table_names_both_readings() -> None:
    here = lesson("context", adjective="muddy", noun="wolf", place="canal")
    looks = next(panel for panel in here.panels(here.look) if isinstance(panel, Table))
    assert [str(row[0]).partition(",")[0] for row in looks.rows[:2]] == ["with muddy", "with tired"]
    assert {"wolf", "canal", "muddy|tired"} <= {*looks.columns}
