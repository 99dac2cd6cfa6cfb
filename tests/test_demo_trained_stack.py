"""The lesson `stack` on the trained model: each number from another route than its own."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from attn_study.demos.panels import Ledger, Table
from attn_study.demos.trained.cases import CASES
from attn_study.demos.working import Focus
from lessons import kept, lesson
from trained_reference import HEADS, N_LAYERS, most_likely, run, sentences, shares


def trace_of(case: str, **knobs: object) -> Any:
    """The steps of the lesson."""
    return kept("stack", case=case, **knobs).working.trace


def near(found: Any, expected: Any) -> None:
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-9)


@pytest.mark.parametrize("layers", range(N_LAYERS + 1))
@pytest.mark.parametrize("case", CASES)
def test_the_next_word_is_that_of_so_many_layers_at_the_temperature(case: str, layers: int) -> None:
    words = sentences(case)[0].beginning
    for degrees in (0.5, 1.0, 4.0):
        trace = trace_of(case, layers=layers, temperature=degrees)
        near(
            trace["next_word"].values,
            list(shares(words, layers, temperature=degrees).values()),
        )


@pytest.mark.parametrize("case", CASES)
def test_what_is_lost_without_a_head_is_lost_with_rows_of_0_in_w_o(case: str) -> None:
    sentence, _ = sentences(case)
    trace = trace_of(case)
    assert trace.labels("every_head") == tuple(f"{layer}.{head}" for layer, head in HEADS)
    for degrees in (1.0, 3.0):
        every = [shares(sentence.beginning, off=head, temperature=degrees) for head in HEADS]
        found = trace_of(case, temperature=degrees)["without"].values
        near(found, [each[sentence.answer] for each in every])
    _, weights = run(sentence.beginning)
    near(
        trace["seen"].values,
        [weights[layer - 1, head - 1, sentence.asks + 1, sentence.target + 1]
         for layer, head in HEADS],
    )  # fmt: skip


@pytest.mark.parametrize(("layer", "head"), HEADS)
def test_a_head_switched_off_changes_the_next_word_or_not_and_the_notice_says_so(
    layer: int, head: int
) -> None:
    words = sentences("names")[0].beginning
    off = f"{layer}.{head}"
    here = lesson("stack", case="names", off=off).working
    word, share = most_likely(words, off=(layer, head))
    before, all_on = most_likely(words)
    still = f"next is still “{word}” {share:.2f}; with it, {all_on:.2f}"
    other = f"next is “{word}” {share:.2f}, not “{before}” {all_on:.2f}"
    assert here.notice == f"head {off} is off: {still if word == before else other}"
    near(here.trace["next_word"].values, list(shares(words, off=(layer, head)).values()))
    near(here.trace["next_word_all_on"].values, list(shares(words).values()))


@pytest.mark.parametrize("case", CASES)
def test_the_stack_tells_what_a_layer_less_would_say(case: str) -> None:
    words = sentences(case)[0].beginning
    (word, most), (before, less) = most_likely(words), most_likely(words, N_LAYERS - 1)
    known = f"it is so already, {less:.2f}" if word == before else f"it is “{before}” {less:.2f}"
    expected = f"next is “{word}” {most:.2f}; after layer {N_LAYERS - 1} {known}"
    assert kept("stack", case=case).working.notice == expected


@pytest.mark.parametrize("case", CASES)
def test_the_table_names_the_three_most_likely_words_after_any_token(case: str) -> None:
    here = kept("stack", case=case, temperature=2.0)
    words = sentences(case)[0].beginning
    for at in range(1, len(words) + 1):
        table = next(p for p in here.panels(Focus(query=at)) if isinstance(p, Table))
        for layer, row in enumerate(table.rows):
            every = shares(words[:at], layer, temperature=2.0)
            most = sorted(every, key=lambda word: -every[word])[:3]
            assert list(row[1:]) == [f"{word} {every[word]:.2f}" for word in most]


@pytest.mark.parametrize("case", CASES)
def test_the_bars_are_the_four_most_likely_words(case: str) -> None:
    here = kept("stack", case=case)
    every = shares(sentences(case)[0].beginning)
    drawn = next(panel for panel in here.panels(here.look) if isinstance(panel, Ledger))
    most = sorted(every, key=lambda word: -every[word])[:4]
    assert drawn.columns == tuple(most)
    near(drawn.rows[0].values, [every[word] for word in most])


@pytest.mark.parametrize(
    ("case", "off"), [("names", "2.4"), ("names", "2.3"), ("keys", "1.1"), ("chicken", "2.4")]
)
def test_with_a_head_off_the_right_word_has_both_its_shares(case: str, off: str) -> None:
    here = kept("stack", case=case, off=off)
    sentence, _ = sentences(case)
    layer, _, head = off.partition(".")
    on, less = shares(sentence.beginning), shares(sentence.beginning, off=(int(layer), int(head)))
    drawn = next(panel for panel in here.panels(here.look) if isinstance(panel, Ledger))
    assert len(drawn.columns) == 4
    at = drawn.columns.index(sentence.answer)
    silent, every_head = drawn.rows
    near([silent.values[at], every_head.values[at]], [less[sentence.answer], on[sentence.answer]])
    assert (np.diff(np.array(silent.values, dtype=float)) <= 0).all()


def test_the_row_without_each_head_says_that_another_is_off_too() -> None:
    """In its own column stands what is left with that one head off."""
    sentence, _ = sentences("names")
    tables = [
        [panel for panel in here.panels(here.look) if isinstance(panel, Table)][-1]
        for here in (kept("stack", case="names"), kept("stack", case="names", off="2.2"))
    ]
    alone, too = (table.rows[-1] for table in tables)
    assert (alone[0], too[0]) == ("potter without it", "potter with it off too")
    assert too[HEADS.index((2, 2)) + 1] == f"{shares(sentence.beginning, off=(2, 2))['potter']:.2f}"


@pytest.mark.parametrize(("step", "query", "layers"), [("next_word", -1, 2), ("lens_1", 3, 1)])
def test_of_all_words_a_stage_shows_the_likeliest(step: str, query: int, layers: int) -> None:
    here = kept("stack", case="names")
    *_, table = here.stage(here.stages.index(step), here.focus(Focus(query=query)))
    assert isinstance(table, Table)
    words = sentences("names")[0].beginning
    every = shares(words if query < 0 else words[:query], layers)
    most = sorted(every, key=lambda word: -every[word])[: len(table.rows)]
    assert [row[0] for row in table.rows] == most
    assert f"of {len(every)} " in table.title
