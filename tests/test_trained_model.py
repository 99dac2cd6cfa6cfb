"""The weights that ship: they answer the textbook sentences, and look at what decides them."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from attn_study.attention.model.forward import forward
from attn_study.attention.model.reading import read
from attn_study.attention.model.stored import TRAINED, checksum_of, load, trained
from attn_study.language.families import adjective, agreement, coref, fit, names, sense, tower
from attn_study.language.grammar import FAMILIES, VERSION, held_out
from attn_study.language.vocabulary import NUMBERS, WORDS, numbers
from attn_study.language.words import TOO, TOO_BIG, TOO_SMALL
from model_reference import logits_and_weights

if TYPE_CHECKING:
    from attn_study.attention.trace import Trace
    from attn_study.language.sentence import Sentence

CARD = Path(__file__).parents[1] / "docs" / "model-card.md"
HELD_OUT = 400


def who(animal: str, place: str, adjective: str) -> Sentence:
    return coref.build({"animal": animal, "place": place}, coref.going(animal, place), adjective)


NOUNS = {
    "the chicken was tired": who("chicken", "road", "tired"),
    "the road was wide": who("chicken", "road", "wide"),
    "the animal was tired": who("animal", "street", "tired"),
    "the street was wide": who("animal", "street", "wide"),
    "the trophy was big": fit.build("trophy", "suitcase", "big"),
    "the suitcase was small": fit.build("trophy", "suitcase", "small"),
}
PEOPLE = (("harry", "potter"), ("john", "reed"))
TEXTBOOK = NOUNS | {
    "the keys are": agreement.build("keys", ("to", "the", "cabinet"), "lost"),
    "the key is": agreement.build("key", ("to", "the", "cabinets"), "lost"),
    "the bank of a pond": sense.build("bank", "pond"),
    "the bank with money": sense.build("bank", "money"),
    "the mole and the shrew": sense.build("mole", "shrew"),
    "the mole and the biopsy": sense.build("mole", "biopsy"),
    "the mole of carbon": sense.build("mole", "carbon"),
    "the mole of the agency": sense.build("mole", "agency"),
    "the creature is fluffy": adjective.roaming(("fluffy", "blue"), "creature", "verdant"),
    "the tower is miniature": tower.build("eiffel", "miniature"),
    "harry is potter": names.build(PEOPLE, 0),
}
ANSWERS = {
    "the chicken was tired": "chicken",
    "the road was wide": "road",
    "the animal was tired": "animal",
    "the street was wide": "street",
    "the trophy was big": "trophy",
    "the suitcase was small": "suitcase",
    "the keys are": "are",
    "the key is": "is",
    "the bank of a pond": "eroded",
    "the bank with money": "lent",
    "the mole and the shrew": "dug",
    "the mole and the biopsy": "itched",
    "the mole of carbon": "weighed",
    "the mole of the agency": "lied",
    "the creature is fluffy": "purred",
    "the tower is miniature": "tiny",
    "harry is potter": "potter",
}


def trace_of(sentence: Sentence) -> Trace:
    said = ("<start>", *sentence.beginning)
    return read(trained().parameters, numbers(said[1:]), said, words=WORDS)


@pytest.mark.parametrize("name", TEXTBOOK)
def test_the_next_word_of_a_textbook_sentence_is_nearly_certain(name: str) -> None:
    shares = trace_of(TEXTBOOK[name])["next_word"].values
    assert WORDS[int(np.argmax(shares))] == ANSWERS[name]
    assert shares[NUMBERS[ANSWERS[name]]] >= 0.9


@pytest.mark.parametrize("name", NOUNS)
def test_one_head_looks_at_the_right_noun_and_not_at_the_other(name: str) -> None:
    sentence = NOUNS[name]
    layer, head = trained().record["heads"][sentence.family][sentence.kind]
    trace = trace_of(sentence)
    looked = dict(
        zip(trace.labels("keys"), trace[f"weights_{layer}"].values[head - 1, -1], strict=True)
    )
    nouns = {sentence.words[at] for at in (sentence.target, *sentence.rivals)}
    assert looked[ANSWERS[name]] >= 0.7
    assert sum(looked[other] for other in nouns - {ANSWERS[name]}) <= 0.1


@pytest.mark.parametrize("family", ["agreement", "sense"])
def test_held_out_agreement_and_senses_are_right(family: str) -> None:
    right = []
    for sentence in held_out(family, "reporting", HELD_OUT, 1):
        logits = forward(trained().parameters, np.array([numbers(sentence.beginning)])).logits[
            0, -1
        ]
        found = ("is", "are") if family == "agreement" else WORDS
        right.append(max(found, key=lambda word: logits[NUMBERS[word]]) == sentence.answer)
    assert np.mean(right) >= 0.98


@pytest.mark.parametrize("name", ["the chicken was tired", "harry is potter"])
def test_the_forward_pass_is_that_of_a_plain_reference_in_float32(name: str) -> None:
    tokens = numbers(TEXTBOOK[name].beginning)
    single = load(TRAINED, np.float32).parameters
    size = single.size
    expected, weights = logits_and_weights(single, tokens, size.n_layers, size.n_heads)
    assert expected.dtype == np.float32
    trace = trace_of(TEXTBOOK[name])
    assert np.abs(trace["logits"].values - expected).max() < 1e-4
    found = np.stack([trace[f"weights_{n}"].values for n in range(1, size.n_layers + 1)])
    assert np.abs(found - weights).max() < 1e-4


@pytest.mark.parametrize(
    ("name", "either", "never"),
    [
        ("the chicken was tired", (TOO["animal"], TOO["place"]), (TOO["food"], TOO_BIG)),
        ("the animal was tired", (TOO["animal"], TOO["place"]), (TOO["food"], TOO_SMALL)),
        ("the trophy was big", (TOO_BIG, TOO_SMALL), (TOO["animal"], TOO["place"])),
    ],
)
def test_before_the_adjective_it_may_be_about_either_noun(
    name: str, either: tuple[list[str], ...], never: tuple[list[str], ...]
) -> None:
    words = NOUNS[name].words
    said = ("<start>", *words[: words.index("too") + 1])
    shares = read(trained().parameters, numbers(said[1:]), said, words=WORDS)["next_word"].values

    def share(adjectives: list[str]) -> float:
        return float(sum(shares[NUMBERS[word]] for word in adjectives))

    assert min(map(share, either)) >= 0.25
    assert sum(map(share, either)) >= 0.9
    assert max(map(share, never)) <= 0.05


def test_the_file_is_small_and_its_checksum_stands_beside_it_and_in_the_card() -> None:
    content = TRAINED.read_bytes()
    assert len(content) < 250_000
    digest = hashlib.sha256(content).hexdigest()
    assert checksum_of(TRAINED).read_text() == f"{digest}  trained.npz\n"
    assert digest in CARD.read_text(encoding="utf-8")


def test_it_has_the_words_of_the_language() -> None:
    assert trained().words == WORDS
    assert trained().parameters.size.n_words == len(WORDS)


def test_its_record_says_how_it_was_made_and_among_whom_it_was_chosen() -> None:
    record: dict[str, Any] = dict(trained().record)
    assert record["grammar"] == record["recipe"]["grammar"] == VERSION
    assert record["steps"] == record["recipe"]["steps"]
    tried = {each["seed"]: each["legibility"] for each in record["tried"]}
    assert len(tried) >= 8
    assert tried[record["seed"]] == max(tried.values())
    assert {*record["heads"]} == {*FAMILIES}
