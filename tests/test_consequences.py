"""What comes of a mistake where vectors are long: who looks where, lengths, the next word."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from math import sqrt
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from attn_study.attention.trace import Trace
from attn_study.demos import load
from attn_study.demos.compare import compare, telling
from attn_study.demos.panels import Gap, Grids, Ledger, Shaded, Table, Words
from attn_study.demos.stepping import READABLE, is_readable
from attn_study.demos.trained.cases import CASES
from attn_study.demos.working import Focus
from attn_study.render.cells import cells
from attn_study.render.lesson import header
from attn_study.render.output import fitted
from attn_study.render.panels import draw
from lessons import kept, lines, text

if TYPE_CHECKING:
    from attn_study.demos.lesson import Lesson
    from attn_study.demos.panels import Panel
    from attn_study.demos.working import Working

TRAINED = [
    (name, case, mistake)
    for name in ("context", "multihead")
    for case in CASES
    for mistake in load(name).mistakes
]
NO_SOFTMAX = """\
 no-softmax: what comes out when the scores are divided by their sum, without
 e^score
 Made in all heads of layer 1, from exp on: ✓ e^score  ✗ the score itself, not
 e^score

 ✓ right: “cabinet” looks, head 1.3
 <start>  the   keys  to    the   cabinet
                ████
 0.00     0.00  0.98  0.00  0.00  0.01
 ✗ wrong: “cabinet” looks, head 1.3
 <start>  the   keys   to    the   cabinet
 ▆▆▆▆▆▆▆  ▅▅▅          ▄▄    ▂▂▂
 0.73     0.57  -0.95  0.56  0.20  -0.10

 next word, the rest as in demo stack: ✓ are 0.98   ✗ lied 0.39 (are 0.00)
   length of        ✓        ✗  cosine (1 = same direction)
   head_output   8.08    10.71                        -0.53
   output       34.60  1775.76                         0.50"""


@cache
def both(name: str, mistake: str, **knobs: object) -> tuple[Lesson, Working]:
    """A lesson, and its working with a mistake: computed once in a run."""
    here = kept(name, **knobs)
    return here, here.wrong(mistake)


def of(case: str) -> dict[str, Any]:
    return {"weights": "trained", "case": case}


def compared(
    name: str, mistake: str, focus: Focus | None = None, **knobs: Any
) -> tuple[Panel, ...]:
    """What is shown of a mistake: at a focus, or where it shows first."""
    here, wrong = both(name, mistake, **knobs)
    return here.compared(mistake, wrong, focus or telling(here.working, wrong, here.look))


def looks(panels: tuple[Panel, ...]) -> list[Shaded]:
    return [panel for panel in panels if isinstance(panel, Shaded)]


def test_the_screen_of_a_mistake_in_the_trained_model() -> None:
    assert text(compared("context", "no-softmax", **of("keys"))) == NO_SOFTMAX


@pytest.mark.parametrize(("name", "case", "mistake"), TRAINED)
def test_no_wall_of_numbers_is_shown(name: str, case: str, mistake: str) -> None:
    panels = compared(name, mistake, **of(case))
    assert not [panel for panel in panels if isinstance(panel, Grids | Ledger)]
    assert 1 <= len(looks(panels)) <= 2
    assert len([panel for panel in panels if isinstance(panel, Table)]) == 1


@pytest.mark.parametrize(("name", "case", "mistake"), TRAINED)
def test_the_rows_of_words_have_the_weights_of_the_focused_query_and_head(
    name: str, case: str, mistake: str
) -> None:
    here, wrong = both(name, mistake, **of(case))
    tokens = here.working.trace.labels("queries")
    layer = here.working.knobs["layer"]
    for query in (1, len(tokens) - 1):
        found = looks(compared(name, mistake, Focus(query, head=1), **of(case)))
        for look, made in zip(found, (here.working, wrong), strict=False):
            assert f"“{tokens[query]}” looks, head {layer}.2" in look.title
            row = made.trace["weights"].values[1, query]
            seen = len(tokens) if mistake == "no-mask" and made is wrong else query + 1
            assert look.words == tokens[:seen]
            assert look.weights == tuple(row[:seen])
            off = abs(sum(look.weights) - 1) > 1e-8
            assert look.title.endswith(f"; row sum {sum(look.weights):.4f}") == off
        if len(found) == 1:
            same = "✓ ✗ “{}” looks, head {}.2: the same weights in both"
            assert found[0].title.startswith(same.format(tokens[query], layer))
        else:
            assert [look.title[:7] for look in found] == ["✓ right", "✗ wrong"]


@pytest.mark.parametrize("case", CASES)
def test_weights_that_are_the_same_are_shown_once(case: str) -> None:
    for name in ("context", "multihead"):
        found = looks(compared(name, "values-are-keys", **of(case)))
        assert [look.title[:3] for look in found] == ["✓ ✗"]
        assert len(looks(compared(name, "no-scale", **of(case)))) == 2


def test_a_weight_under_0_or_over_1_has_its_number_and_a_bar_that_ends() -> None:
    found = looks(compared("head", "no-softmax", d_model=24))[1]
    odd = replace(found, weights=(-1.5, *found.weights[1:-1], 3.25))
    _, _, bars, numbers = lines((odd,))
    assert numbers.split()[0] == "-1.50"
    assert numbers.split()[-1] == "3.25"
    assert bars[1:6].strip() == ""
    assert bars.endswith("█" * len(found.words[-1]))


def by_hand(one: Any, other: Any) -> list[str]:
    """Two lengths and a cosine, number by number."""
    lengths = [sqrt(sum(float(v) ** 2 for v in each)) for each in (one, other)]
    dot = sum(float(v) * float(w) for v, w in zip(one, other, strict=True))
    return [f"{number + 0:.2f}" for number in (*lengths, dot / (lengths[0] * lengths[1]))]


@pytest.mark.parametrize(("name", "case", "mistake"), TRAINED)
def test_lengths_and_cosines_are_those_of_the_vectors(name: str, case: str, mistake: str) -> None:
    here, wrong = both(name, mistake, **of(case))
    at = telling(here.working, wrong, here.look)
    (table,) = (panel for panel in compared(name, mistake, **of(case)) if isinstance(panel, Table))
    steps = ["head_output", "output", *(["head_shares"] if name == "multihead" else [])]
    steps = ["query", *steps] if mistake == "swap-q-k" else steps
    assert [row[0] for row in table.rows] == steps
    for step, *cells_of_row in table.rows:
        index = (at.query,) if step == "output" else (at.head, at.query)
        one, other = (made.trace[str(step)].values[index] for made in (here.working, wrong))
        assert [cell.replace("-0.00", "0.00") for cell in by_hand(one, other)] == cells_of_row


@pytest.mark.parametrize(("name", "case", "mistake"), TRAINED)
def test_the_next_word_is_told_in_both_ways(name: str, case: str, mistake: str) -> None:
    here, made_wrong = both(name, mistake, **of(case))
    told = [panel.text for panel in compared(name, mistake, **of(case)) if isinstance(panel, Words)]
    (said,) = (words for words in told if words.startswith("next word"))
    shares = [
        dict(zip(made.trace.labels("words"), made.trace["next_word"].values, strict=True))
        for made in (here.working, made_wrong)
    ]
    right, wrong = (max(every, key=lambda word: every[word]) for every in shares)
    before, left = (f"{every[right]:.2f}" for every in shares)
    expected = f"✓ {right} {before}   ✗ {wrong} {shares[1][wrong]:.2f} ({right} {left})"
    if wrong == right:
        expected = f"it stays “{right}”   ✓ {before}   ✗ {left}"
    assert said == f"next word, the rest as in demo stack: {expected}"


@pytest.mark.parametrize(("name", "case", "mistake"), TRAINED)
def test_the_layer_of_the_mistake_is_named_and_no_head_of_it_is_left_out(
    name: str, case: str, mistake: str
) -> None:
    here, wrong = both(name, mistake, **of(case))
    layer = here.working.knobs["layer"]
    first = f"Made in all heads of layer {layer}, from "
    told = [panel.text for panel in compared(name, mistake, **of(case)) if isinstance(panel, Words)]
    assert [words.startswith(first) for words in told].count(True) == 1
    right, other = (made.trace["head_output"].values for made in (here.working, wrong))
    assert all(abs(one - two).max() > 1e-6 for one, two in zip(right, other, strict=True))


@pytest.mark.parametrize(("name", "case", "mistake"), TRAINED)
def test_all_but_the_vectors_of_the_longest_sentences_are_on_a_small_screen(
    name: str, case: str, mistake: str
) -> None:
    """24 rows, one of them with the keys, under the header and an empty line."""
    here, _ = both(name, mistake, **of(case))
    made = here.working
    top = len(header(name, here.title, made.weights, made.notice, 80)) + 1
    drawn = lines(compared(name, mistake, **of(case)))
    if len(made.trace.labels("keys")) <= 12:
        assert top + len(drawn) <= 23
    at = next(at for at, line in enumerate(drawn) if line.startswith(" next word"))
    assert top + at < 23


@pytest.mark.parametrize("columns", [24, 40, 80, 120])
@pytest.mark.parametrize(("name", "case", "mistake"), TRAINED[::3])
def test_it_fits_every_width_and_is_ascii_where_it_must_be(
    name: str, case: str, mistake: str, columns: int
) -> None:
    panels = compared(name, mistake, **of(case))
    drawn = draw(panels, columns)
    assert all(cells(line.plain) <= columns for line in drawn)
    assert all(fitted(line, "ascii", ascii=True).plain.isascii() for line in drawn)


def test_a_row_that_cannot_show_the_mistake_says_so_and_the_next_word_may_still_differ() -> None:
    said = text(compared("multihead", "no-mask", Focus(-1, head=0), **of("keys")))
    assert "the same weights in both" in said
    assert "its row is the same in both, so it cannot show this mistake" in said
    assert "length of" not in said
    assert re.search("next word, the rest as in demo stack: (✓ are|it stays “are”)", said)


@pytest.mark.parametrize("name", ["simplified", "head", "mask", "values", "multihead", "cross"])
def test_long_vectors_of_random_weights_are_told_in_the_same_way(name: str) -> None:
    for mistake in load(name).mistakes:
        said = text(compared(name, mistake, d_model=READABLE + 8))
        assert "answers →" not in said
        assert "next word" not in said
        assert "\n\n\n" not in said


def test_a_key_that_may_be_seen_and_weighs_nothing_is_shown() -> None:
    found = looks(compared("head", "mask-zero-after", Focus(1), d_model=24))
    assert [look.words for look in found] == [("The", "chicken"), ("The", "chicken", "it")]
    assert found[1].weights[2] == 0
    assert found[1].title.endswith(f"; row sum {sum(found[1].weights):.4f}")


def test_no_head_is_named_where_there_is_one() -> None:
    found = looks(compared("head", "no-scale", d_model=24))
    assert [look.title for look in found] == ["✓ right: “it” looks", "✗ wrong: “it” looks"]


def test_other_shapes_are_said_and_nothing_is_set_side_by_side() -> None:
    said = text(compared("cross", "swap-sources", d_model=24))
    assert "right [1×2×3], wrong [1×3×2]" in said
    assert "no longer lines up" in said
    assert "looks" not in said
    assert "length of" not in said


def test_a_vector_of_nothing_has_no_direction() -> None:
    here, wrong = both("head", "values-are-keys", d_model=24)
    steps = tuple(
        replace(step, values=np.zeros(step.shape)) if step.name == "head_output" else step
        for step in wrong.trace
    )
    nothing = replace(wrong, trace=Trace(steps))
    panels = compare(here.working, nothing, "values-are-keys", Focus(2))
    (table,) = (panel for panel in panels if isinstance(panel, Table))
    (row,) = (row for row in table.rows if row[0] == "head_output")
    assert row[2:] == ("0.00", "·")


@pytest.mark.parametrize(
    ("sizes", "is_short"),
    [
        ({}, True),
        ({"d_model": READABLE}, True),
        ({"d_model": READABLE + 1}, False),
        ({"d_v": READABLE + 1}, False),
        ({"d_k": 64}, True),
    ],
    ids=str,
)
def test_vectors_up_to_sixteen_numbers_are_read_number_by_number(
    sizes: dict[str, Any], is_short: bool
) -> None:
    here = kept("head", **sizes)
    assert is_readable(here.working.trace) == is_short
    assert (here.stages == here.working.trace.names) == is_short
    assert (
        any(isinstance(each, Grids) for each in compared("head", "no-scale", **sizes)) == is_short
    )


@pytest.mark.parametrize(("n_words", "gaps"), [(11, 2), (12, 2), (13, 0), (14, 0)])
def test_lines_stand_apart_only_where_there_is_room(n_words: int, gaps: int) -> None:
    words = "The chicken did not cross the road because it was too tired today"
    some = " ".join([*words.split(), "."][:n_words])
    panels = compared("head", "no-softmax", d_model=24, text=some)
    assert [len(look.words) for look in looks(panels)] == [n_words, n_words]
    assert sum(isinstance(panel, Gap) for panel in panels) == gaps


def test_where_the_weights_are_the_same_lines_stand_apart_however_many_words_there_are() -> None:
    panels = compared("context", "values-are-keys", **of("trophy"))
    assert sum(isinstance(panel, Gap) for panel in panels) == 2


@pytest.mark.parametrize("name", ["context", "multihead"])
def test_the_step_of_the_next_word_says_that_it_comes_of_more_than_is_shown(name: str) -> None:
    here = kept(name, **of("keys"))
    assert "next_word" in here.stages
    said = text(here.stage(here.stages.index("next_word"), here.look)).replace("\n", "")
    assert "The rest of the model runs on unchanged and is not shown here: see demo stack" in said
