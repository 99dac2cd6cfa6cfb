"""The lessons on the trained model: their numbers, each from another route than theirs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from attn_study.attention.mistakes import first_difference
from attn_study.attention.model.forward import forward
from attn_study.attention.model.reading import read
from attn_study.demos.context import DEMO as CONTEXT
from attn_study.demos.panels import Table
from attn_study.demos.trained import reader, senses
from attn_study.demos.trained.cases import CASES
from attn_study.demos.trained.reader import known_for
from attn_study.demos.working import Focus
from attn_study.language.families.sense import split
from attn_study.language.words import SENSES, TOPICS
from lessons import kept, lesson
from model_reference import logits_and_weights
from trained_reference import (
    N_HEADS,
    N_LAYERS,
    SIZE,
    STORED,
    WORDS,
    most_likely,
    run,
    sentences,
    shares,
)

if TYPE_CHECKING:
    from attn_study.attention.model.forward import Run

ABOUT_THE_TEXT = {"looked", "before", "lens", "came", "cosine", "instead", "other_weights"}


def trace_of(name: str, case: str, **knobs: object) -> Any:
    """The steps of a lesson on the trained model."""
    return kept(name, weights="trained", case=case, **knobs).working.trace


def tables(name: str, focus: Focus | None = None, **knobs: object) -> list[Table]:
    """The tables on the first screen of a lesson."""
    here = kept(name, **knobs)
    panels = here.panels(focus or here.look)
    return [panel for panel in panels if isinstance(panel, Table)]


def near(found: Any, expected: Any) -> None:
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-9)


@pytest.mark.parametrize("layer", range(1, N_LAYERS + 1))
@pytest.mark.parametrize("case", CASES)
def test_the_attention_of_a_layer_is_that_of_plain_loops_over_the_model(
    case: str, layer: int
) -> None:
    for name in ("context", "multihead"):
        trace = trace_of(name, case, layer=layer)
        _, weights = run(sentences(case)[0].beginning)
        near(trace["weights"].values, weights[layer - 1])


@pytest.mark.parametrize("layer", range(1, N_LAYERS + 1))
@pytest.mark.parametrize("case", CASES)
def test_every_step_of_a_layer_is_the_models_own(case: str, layer: int) -> None:
    words = sentences(case)[0].beginning
    tokens = [WORDS.index(word) for word in ("<start>", *words)]
    own = read(STORED.parameters, tokens, ("<start>", *words))
    trace = trace_of("context", case, layer=layer)
    near(trace["x"].values, own[f"normed_{layer}"].values)
    for step in ("query", "key", "value", "scaled_scores", "head_output", "output"):
        near(trace[step].values, own[f"{step}_{layer}"].values)


@pytest.mark.parametrize("case", CASES)
def test_no_sum_is_shown_that_the_model_does_not_make(case: str) -> None:
    """It adds the output to the stream before RMSNorm, and x is the stream after it."""
    for name in ("context", "multihead"):
        trace = trace_of(name, case)
        assert "residual" not in trace
        assert "RMSNorm" in trace["x"].says


@pytest.mark.parametrize("case", CASES)
def test_both_readings_look_as_the_model_does(case: str) -> None:
    trace = trace_of("context", case)
    layer = int(str(kept("context", case=case).working.knobs["layer"]))
    here, there = sentences(case)
    near(trace["other_weights"].values, run(there.beginning)[1][layer - 1])
    for sentence, row in zip((here, there), trace["looked"].values, strict=True):
        known, head = known_for(sentence)
        near(row, run(sentence.beginning)[1][known - 1, head - 1, sentence.asks + 1])
        near(row.sum(), 1)


@pytest.mark.parametrize("case", CASES)
def test_the_logit_lens_is_the_model_without_its_later_layers(case: str) -> None:
    trace = trace_of("context", case)
    for at, sentence in enumerate(sentences(case)):
        for layer in range(N_LAYERS + 1):
            expected = shares(sentence.beginning, layer)
            found = trace["lens"].values[at, layer]
            near(found, [expected[answer] for answer in trace.labels("answers")])
        near(trace["came"].values[at], trace["lens"].values[at, -1])


@pytest.mark.parametrize("case", CASES)
def test_the_notice_names_what_the_model_puts_next(case: str) -> None:
    notice = kept("context", case=case).working.notice
    told = []
    for sentence, reading in zip(
        sentences(case), trace_of("context", case).labels("readings"), strict=True
    ):
        word, share = most_likely(sentence.beginning)
        assert word == sentence.answer
        told.append(f"with “{reading}”: {word} {share:.2f}")
    assert notice == f"next word {'; '.join(told)}"


@pytest.mark.parametrize("case", ["chicken", "trophy"])
def test_before_the_word_that_decides_both_readings_are_one(case: str) -> None:
    trace = trace_of("context", case)
    at = 1 + sentences(case)[0].words.index("it")
    near(trace["weights"].values[:, at], trace["other_weights"].values[:, at])
    near(trace["before"].values.sum(), 1)
    assert not trace["before"].values[at + 1 :].any()


def test_where_it_stands_after_the_word_that_decides_nothing_is_said_of_it() -> None:
    assert "before" in trace_of("context", "chicken")
    assert "before" not in trace_of("context", "creature")


@pytest.mark.parametrize("word", ["bank", "mole"])
def test_cosines_are_those_to_words_of_one_sense(word: str) -> None:
    def last(text: tuple[str, ...]) -> list[Any]:
        tokens = [WORDS.index(each) for each in ("<start>", *text)]
        trace = read(STORED.parameters, tokens, ("<start>", *text))
        return [trace[name].values[-1] for name in ("x", "residual_1", "residual_2")]

    def direction(of: str, sense: str) -> Any:
        topic, alone, _ = SENSES[of][sense]
        taught = [cue for cue in TOPICS[topic] if split(of, cue) == "training"]
        texts = [
            (*begin.split(), cue, "the", noun)
            for noun in alone
            for cue in taught
            for begin in ("because of the", "near the", "after the")
        ]
        return np.mean([last(text) for text in texts], axis=0)

    every = {(of, sense): direction(of, sense) for of in SENSES for sense in SENSES[of]}
    middle = np.mean(list(every.values()), axis=0)
    found = trace_of("context", word)["cosine"].values
    for at, sentence in enumerate(sentences(word)):
        vectors = last(sentence.beginning) - middle
        for number, sense in enumerate(SENSES[word]):
            own = every[word, sense] - middle
            lengths = np.linalg.norm(own, axis=1) * np.linalg.norm(vectors, axis=1)
            near(found[at, :, number], (own * vectors).sum(axis=1) / lengths)


@pytest.mark.parametrize("word", ["bank", "mole"])
def test_another_noun_after_the_same_words_leads_to_its_own_verb(word: str) -> None:
    trace = trace_of("context", word)
    for at, sentence in enumerate(sentences(word)):
        noun, next_word = trace.labels("other_nouns")[at].split(": ")
        assert noun != word
        found, share = most_likely((*sentence.beginning[:-1], noun))
        assert (next_word, found != sentence.answer) == (found, True)
        near(trace["instead"].values[at], share)


@pytest.mark.parametrize("word", ["bank", "mole"])
def test_the_layers_part_what_begins_as_one_vector(word: str) -> None:
    trace = trace_of("context", word)
    cosine, of = trace["cosine"].values, trace.labels("senses")
    near(cosine[0, 0], cosine[1, 0])
    for at, sentence in enumerate(sentences(word)):
        own = of.index(sentence.kind.partition(": ")[2])
        assert cosine[at, -1, own] > cosine[1 - at, -1, own]


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("mistake", CONTEXT.mistakes)
def test_a_mistake_is_made_in_the_layer_shown_alone(case: str, mistake: str) -> None:
    right = lesson("context", case=case)
    wrong = right.wrong(mistake)
    assert first_difference(right.working.trace, wrong.trace)
    for step in ABOUT_THE_TEXT & {*right.working.trace.names}:
        near(wrong.trace[step].values, right.working.trace[step].values)


# What a mistake does to the attention of a layer, as other numbers in its matrices.
AS_NUMBERS: dict[str, Any] = {
    "no-scale": lambda q, k, v: (q * SIZE.d_k**0.5, k, v),
    "scale-d-k": lambda q, k, v: (q / SIZE.d_k**0.5, k, v),
    "swap-q-k": lambda q, k, v: (k, q, v),
    "values-are-keys": lambda q, k, _: (q, k, k),
}


def said_next(words: tuple[str, ...], layer: int, mistake: str) -> Any:
    """The share of every word after a text, by plain loops over a model with other matrices."""
    given = dict(STORED.parameters.items())
    names = [f"w_{part}_{layer}" for part in "qkv"]
    if mistake:
        own = (given[name].astype(float) for name in names)
        given |= zip(names, AS_NUMBERS[mistake](*own), strict=True)
    tokens = [WORDS.index(word) for word in ("<start>", *words)]
    logits = logits_and_weights(given, tokens, N_LAYERS, N_HEADS)[0][-1]
    powers = np.exp(logits - logits.max())
    return powers / powers.sum()


@pytest.mark.parametrize("layer", range(1, N_LAYERS + 1))
@pytest.mark.parametrize("mistake", ["", *AS_NUMBERS])
@pytest.mark.parametrize("case", ["chicken", "keys", "mole"])
def test_the_next_word_is_that_of_a_model_in_which_this_layer_computes_so(
    case: str, mistake: str, layer: int
) -> None:
    expected = said_next(sentences(case)[0].beginning, layer, mistake)
    for name in ("context", "multihead"):
        here = kept(name, weights="trained", case=case, layer=layer)
        if mistake and mistake not in here.demo.mistakes:
            continue
        trace = here.wrong(mistake).trace if mistake else here.working.trace
        near(trace["next_word"].values, expected)
        assert trace.labels("words") == WORDS


@pytest.mark.parametrize("name", ["context", "multihead"])
def test_the_model_runs_again_only_where_a_layer_adds_another_output(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Everything else is known from the working on the sentence, which is kept."""
    here = lesson(name, weights="trained", case="names")
    runs = []

    def counted(*given: Any, **how: Any) -> Run:
        runs.append(how)
        return forward(*given, **how)

    for module in ("attention.model.reading", "demos.trained.reader", "demos.trained.layer"):
        monkeypatch.setattr(f"attn_study.{module}.forward", counted)
    for mistake in here.demo.mistakes:
        lesson(name, weights="trained", case="names")
        assert not runs
        here.wrong(mistake)
        (how,) = runs
        assert [*how["added"]] == [here.working.knobs["layer"]]
        runs.clear()


@pytest.mark.parametrize("how", [{"temperature": 2}, {"set": "w_o.1.1.1=9"}], ids=str)
def test_another_temperature_and_numbers_set_by_hand_let_the_model_run_on(how: Any) -> None:
    at = {"weights": "trained", "case": "keys"}
    plain = kept("multihead", **at).working.trace
    other = kept("multihead", **at, **how).working.trace
    run = forward(
        STORED.parameters,
        np.array([[WORDS.index(word) for word in plain.labels("tokens")]]),
        added={1: other["output"].values[np.newaxis]},
    )
    powers = np.exp(run.logits[0, -1])
    near(other["next_word"].values, powers / powers.sum())
    assert np.abs(other["next_word"].values - plain["next_word"].values).max() > 1e-4


def test_numbers_set_by_hand_change_the_next_word_too() -> None:
    """The layer adds another output then, and the rest of the model goes on from it."""
    plain = kept("multihead", weights="trained", case="mole").working.trace["next_word"].values
    other = kept("multihead", weights="trained", case="mole", set="w_v.1.1.1=50").working.trace
    assert np.abs(other["next_word"].values - plain).max() > 1e-3


def named(token: str, column: str) -> bool:
    """Whether a column stands for a token; words of a slot that are too long are cut."""
    pairs = zip(token.split("|"), column.split("|"), strict=False)
    return all(word == cut or ("…" in cut and word.startswith(cut[:-1])) for word, cut in pairs)


def assert_shown(looks: Table, cells: list[Any], row: Any, pair: Any, at: int) -> None:
    """The cells, in the order of the text, are those of a row of weights, and sum to all of it."""
    tokens = ["<start>", *("|".join(dict.fromkeys(each)) for each in zip(*pair, strict=True))]
    assert not [name for name in looks.columns if name.startswith("…") or "|…" in name]
    names = [name for name in looks.columns[1:] if name != "others"]
    shown: list[int] = []
    for name, cell in zip(names, cells, strict=False):
        after = range(shown[-1] + 1 if shown else 0, len(tokens))
        said = [f"{row[place]:.2f}" if place <= at + 1 else "·" for place in range(len(tokens))]
        shown.append(next(p for p in after if named(tokens[p], name) and said[p] == cell))
    if "others" in looks.columns:
        assert cells[-1] == f"{1 - sum(float(row[place]) for place in shown):.2f}"


@pytest.mark.parametrize("case", CASES)
def test_the_table_of_looks_has_the_rows_of_the_heads_it_names(case: str) -> None:
    looks = tables("context", case=case)[0]
    here, there = sentences(case)
    asks = [(here, here.asks), (there, there.asks)]
    if len(looks.rows) > len(asks):
        asks.append((here, here.words.index("it")))
    for (label, *cells), (sentence, at) in zip(looks.rows, asks, strict=True):
        layer, head = map(int, str(label).rpartition(" ")[2].split("."))
        assert (layer, head) == known_for(sentence)
        row = run(sentence.beginning)[1][layer - 1, head - 1, at + 1]
        assert_shown(looks, cells, row, (here.beginning, there.beginning), at)


@pytest.mark.parametrize("case", CASES)
def test_another_focus_shows_its_own_row_in_both_readings(case: str) -> None:
    layer = N_LAYERS
    here, there = sentences(case)
    for query in range(len(here.beginning)):
        if (layer, 4, query) == (*known_for(here), here.asks):
            continue
        looks = tables("context", Focus(query=query + 1, head=3), case=case, layer=layer)[0]
        for (label, *cells), sentence in zip(looks.rows, (here, there), strict=True):
            assert str(label).endswith(f"head {layer}.4")
            row = run(sentence.beginning)[1][layer - 1, 3, query + 1]
            assert_shown(looks, cells, row, (here.beginning, there.beginning), query)


@pytest.mark.parametrize("case", CASES)
def test_the_heads_of_a_layer_are_told_apart_in_words(case: str) -> None:
    here = kept("multihead", weights="trained", case=case)
    sentence = sentences(case)[0]
    layer = int(str(here.working.knobs["layer"]))
    rows = run(sentence.beginning)[1][layer - 1, :, sentence.asks + 1]
    tokens = ("<start>", *sentence.beginning)
    found = here.working.notice
    for head, row in enumerate(rows, start=1):
        if row.max() < 0.5:
            assert f"{layer}.{head}" in found.partition("spreads its weight in ")[2]
            continue
        word = tokens[int(row.argmax())]
        after = found[found.index(f"{word} (") :]
        assert f"{layer}.{head}" in after[: after.index(")")]


def test_the_lengths_of_what_heads_add_are_those_of_their_parts_of_w_o() -> None:
    here = kept("multihead", weights="trained", case="chicken")
    added = tables("multihead", weights="trained", case="chicken")[1]
    query, trace = here.look.query, here.working.trace
    parts = [
        np.linalg.norm(trace["head_output"].values[head, query] @ trace["w_o"].values[head])
        for head in range(SIZE.n_heads)
    ]
    together = np.linalg.norm(trace["output"].values[query])
    assert list(added.rows[0][1:]) == [f"{each:.2f}" for each in (*parts, together)]


@pytest.mark.parametrize("name", ["context", "stack", "multihead"])
def test_the_same_numbers_come_again(name: str) -> None:
    first = lesson(name, weights="trained", case="mole").working
    reader.working.cache_clear()
    senses._anchors.cache_clear()
    again = lesson(name, weights="trained", case="mole").working
    assert first.notice == again.notice
    for one, other in zip(first.trace, again.trace, strict=True):
        assert one.values.tobytes() == other.values.tobytes()


def test_the_header_says_how_large_the_model_is() -> None:
    words = len(WORDS)
    for name in ("context", "multihead"):
        said = kept(name, weights="trained", case="keys", layer=2).working.weights
        assert said == f"trained · layer 2 of {SIZE.n_layers} · {words} words"
    said = kept("stack").working.weights
    assert said == f"trained · {SIZE.n_layers} layers, {SIZE.n_heads} heads, {words} words"
