"""Words of several senses: a topic and a noun have one verb, and each sense has cues held out."""

from __future__ import annotations

from itertools import chain, islice

import pytest

from attn_study.language.families import sense
from attn_study.language.grammar import texts
from attn_study.language.words import SENSES, TOPICS


def test_a_cue_has_one_topic_and_a_word_at_most_one_sense_of_it() -> None:
    assert len({*chain(*TOPICS.values())}) == sum(map(len, TOPICS.values()))
    for senses in SENSES.values():
        topics = [topic for topic, _, _ in senses.values()]
        assert len({*topics}) == len(topics) > 1


@pytest.mark.parametrize(
    ("cue", "noun", "verb"),
    [
        ("pond", "bank", "eroded"),
        ("pond", "mole", "dug"),
        ("pond", "bat", "flew"),
        ("money", "bank", "lent"),
        ("carbon", "mole", "weighed"),
        ("game", "bat", "swung"),
    ],
)
def test_one_cue_has_three_verbs_and_each_noun_two(cue: str, noun: str, verb: str) -> None:
    built = sense.build(noun, cue)
    assert built.words == ("because", "of", "the", cue, "the", noun, verb, ".")


def test_of_each_sense_a_cue_is_held_out_for_choosing_and_one_for_reporting() -> None:
    for word, senses in SENSES.items():
        for topic, _, _ in senses.values():
            splits = {sense.split(word, cue) for cue in TOPICS[topic]}
            assert {"choosing", "reporting", "training"} <= splits


def test_every_cue_stands_in_training_with_words_that_have_the_sense_alone() -> None:
    alone = {w for senses in SENSES.values() for _, words, _ in senses.values() for w in words}
    heard = {
        cue
        for text in islice(texts(0), 20_000)
        for cue, the, noun in zip(text.words, text.words[1:], text.words[2:], strict=False)
        if the == "the" and noun in alone
    }
    assert {*chain(*TOPICS.values())} <= heard
