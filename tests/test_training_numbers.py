"""The training's own numbers: what is hidden, what counts, what is scored, how near senses are."""

from __future__ import annotations

import math
from itertools import islice
from typing import Any

import batches
import numpy as np
import pytest
import score
import senses
import taken
import textbook

from attn_study.attention.model.stored import trained
from attn_study.demos.trained.senses import EVERY
from attn_study.language.apart import meets
from attn_study.language.families import coref, sense
from attn_study.language.grammar import Text, held_out, texts
from attn_study.language.vocabulary import NUMBERS, WORDS, numbers
from model_reference import logits_and_weights

CHICKEN = coref.build(
    {"animal": "chicken", "place": "road"}, coref.going("chicken", "road"), "tired"
)
BANK = sense.build("bank", "pond")
TWO = [Text.of((), (CHICKEN,)), Text.of(("of", "course"), (BANK,))]
ALL = {"fetched": 1.0, "function_words": 1.0}


def unseen(share: dict[str, float], texts: list[Text] = TWO) -> dict[int, list[set[str]]]:
    """The words that are hidden as keys in each layer, text by text."""
    batch = batches.batch(texts, 1.0)
    found = batch.unseen(np.random.default_rng(0), **share)
    return {
        layer: [
            {WORDS[token] for token in row[hidden]}
            for row, hidden in zip(batch.tokens, mask, strict=True)
        ]
        for layer, mask in found.items()
    }


def test_nouns_are_hidden_in_the_first_layer_and_what_they_could_be_parked_on_in_the_second() -> (
    None
):
    found = unseen(ALL)
    assert {*found} == {1, 2}
    assert found[1][0] == {"chicken", "road"}
    assert not found[1][1]
    assert {"the", "tired", "because", "not", "so", "."} <= found[2][0]
    assert not found[2][0] & {"chicken", "road", "cross", "crossed"}
    assert {"of", "course", "because", "the", "."} <= found[2][1]
    assert not found[2][1] & {"pond", "bank", "eroded"}


def test_each_share_hides_in_its_own_layer_alone() -> None:
    first = unseen(ALL | {"function_words": 0.0})
    second = unseen(ALL | {"fetched": 0.0})
    assert (first[1][0], first[2]) == ({"chicken", "road"}, [set(), set()])
    assert second[1] == [set(), set()]
    assert "tired" in second[2][0]


def test_as_many_are_hidden_as_the_share_says_and_others_each_time() -> None:
    batch = batches.batch([TWO[0]] * 2_000, 1.0)
    rng = np.random.default_rng(0)
    once, again = (batch.unseen(rng, 0.3, 0.5) for _ in range(2))
    may = batch.unseen(rng, 1.0, 1.0)
    for layer, share in ((1, 0.3), (2, 0.5)):
        assert once[layer].sum() / may[layer].sum() == pytest.approx(share, abs=0.03)
        assert not (once[layer] & ~may[layer]).any()
        assert (once[layer] != again[layer]).any()


def test_a_critical_word_weighs_more_and_what_fills_up_a_batch_nothing() -> None:
    batch = batches.batch(TWO, 5.0)
    for row, text in enumerate(TWO):
        ends = len(text.words)  # the start token stands before, and nothing follows the last word
        assert batch.counted[row, ends:].tolist() == [0.0] * (batch.counted.shape[1] - ends)
        weighs = batch.counted[row, :ends].tolist()
        following = [WORDS[token] for token in batch.following[row, :ends]]
        assert following == [*text.words]
        heavy = {word for word, weight in zip(following, weighs, strict=True) if weight != 1}
        assert heavy == {following[at + 1] for at in text.decisive}
        assert {weight for weight in weighs if weight != 1} == {5.0}
    assert {"chicken"} <= {CHICKEN.words[at + 1] for at in TWO[0].decisive}


def test_an_epoch_has_every_text_once() -> None:
    found = list(islice(texts(0), 40))
    drawn = islice(batches.batches(found, 8, np.random.default_rng(0), 1.0), 5)
    rows = [tuple(row[row > 0]) for batch in drawn for row in batch.tokens]
    assert sorted(rows) == sorted(tuple(numbers(text.words)[1:]) for text in found)


@pytest.mark.parametrize(("family", "kind"), [("coref", 0), ("agreement", 1), ("repeat", 0)])
def test_a_result_is_what_plain_loops_count(family: str, kind: int) -> None:
    drawn = held_out(family, "reporting", 24, 3)
    name = sorted({each.kind for each in drawn})[kind]
    chosen = [each for each in drawn if each.kind == name][:6]
    parameters = trained().parameters
    size = parameters.size
    right = 0
    target, rival = np.zeros((2, size.n_layers, size.n_heads))
    for each in chosen:
        logits, weights = logits_and_weights(
            parameters, numbers(each.beginning), size.n_layers, size.n_heads
        )
        among = (each.answer, each.wrong) if family == "agreement" else WORDS
        right += max(among, key=lambda word: logits[-1][NUMBERS[word]]) == each.answer
        at = each.asks + 1  # the start token stands before
        target += weights[:, :, at, 1 + each.target]
        rival += sum(weights[:, :, at, 1 + other] for other in each.rivals)
    found = score._result(parameters, chosen, ())
    assert (found.family, found.kind, found.n) == (family, name, len(chosen))
    assert np.allclose(found.target, target / len(chosen), atol=1e-4)
    assert np.allclose(found.rival, rival / len(chosen), atol=1e-4)
    assert found.accuracy == pytest.approx(right / len(chosen))


def result(family: str, kind: str, accuracy: float, target: Any, rival: Any) -> score.Result:
    return score.Result(family, kind, 10, accuracy, np.array(target), np.array(rival))


def test_legibility_is_accuracy_times_what_the_best_head_shows_by_kinds_then_families() -> None:
    found = [
        result("one", "a", 1.0, [[0.2, 0.9], [0.8, 0.1]], [[0.0, 0.4], [0.1, 0.0]]),  # 0.7
        result("one", "b", 0.5, [[0.6, 0.0], [0.0, 0.0]], [[0.0, 0.0], [0.0, 0.0]]),  # 0.3
        result("other", "c", 0.2, [[0.0, 0.5], [0.0, 0.0]], [[0.0, 0.0], [0.0, 0.0]]),  # 0.1
    ]
    assert [each.best for each in found] == [(2, 1), (1, 1), (1, 2)]
    assert score.legibility(found) == pytest.approx((0.5 + 0.1) / 2)


def test_how_near_a_sense_is_does_not_hang_on_how_long_a_vector_is() -> None:
    vectors = np.array([[3.0, 4.0], [0.0, -0.5]])
    assert np.allclose(senses._unit(vectors), np.array([[0.6, 0.8], [0.0, -1.0]]))


def test_nearness_is_a_cosine_with_the_middle_taken_away(monkeypatch: pytest.MonkeyPatch) -> None:
    """Vectors of two numbers: every centroid on a circle about (9, 9), every word at its top."""
    angles = np.linspace(0, math.tau, len(EVERY), endpoint=False)
    circle = np.stack([np.cos(angles), np.sin(angles)], axis=-1)
    monkeypatch.setattr(senses, "centroids", lambda _: 9 + 2 * circle[np.newaxis])
    monkeypatch.setattr(
        senses, "_last", lambda _, texts: np.full((1, len(texts), 2), [9.0, 9.0 + 7.0])
    )
    for found in senses.nearness(trained().parameters):
        own = [
            math.cos(angle - math.tau / 4)
            for angle, (word, _) in zip(angles, EVERY, strict=True)
            if word == found.word
        ]
        assert found.own == pytest.approx(sum(own) / len(own))
        assert found.other == pytest.approx(sum(own) / len(own))
        assert found.nearest == pytest.approx(1 / len(own))


def head(layer: int, number: int, **kinds: tuple[float, float]) -> taken.Taken:
    found = tuple(taken.Kind("f", name, *figures) for name, figures in kinds.items())
    return taken.Taken((layer, number), found, {})


def test_heads_that_look_and_are_not_needed_are_named_and_the_other_way_round() -> None:
    said = taken.in_words(
        [
            head(1, 1, a=(0.9, 0.02), b=(0.0, 0.5)),
            head(1, 2, a=(0.001, 0.93), b=(0.0, 0.97)),
            head(2, 1, a=(0.4, 0.95), b=(0.2, 0.0)),
            head(2, 2, b=(0.0, 0.96)),  # that of 1.2 is plainer
        ]
    )
    assert len(said) == 2
    assert said[0].startswith("Head 1.2 gives 0.97 of its attention to the right word in “f, b”")
    assert said[1].startswith("Without head 1.1, “f, a” loses 0.90 of its answers")
    assert taken.in_words([head(1, 1, a=(0.2, 0.5))]) == [
        "In this model no head is a plain case of either."
    ]


def test_every_row_of_the_textbook_has_words_that_never_meet_in_training() -> None:
    assert all(meets(each.words) for each in textbook.SENTENCES)
    assert not [text for text in islice(texts(0), 5_000) if meets(text.words)]
