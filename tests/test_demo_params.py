"""The lesson that counts: GPT-3 and GPT-2 to the last digit, and questions with exact answers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attn_study.attention import toy
from attn_study.attention.heads import attend
from attn_study.demos import load
from attn_study.demos.asks.params import SAFE, WIDE
from attn_study.demos.question import grade
from attn_study.demos.workings.params import GPTS
from attn_study.errors import UserError
from lesson_checks import (
    COLUMNS,
    asked,
    assert_explained,
    assert_fair,
    assert_fits,
    screen,
    shown,
)
from lessons import lesson

QUESTIONS = tuple(load("params").questions)
SCREEN = """\
 params  counting what is learned, in GPT-3 and GPT-2              exact counts
 notice  57,982,058,496 numbers for 3 tokens, and the same ones for 2,048

                                                         GPT-3    GPT-2 small
   width, heads, layers  d · A · L            12,288 · 96 · 96  768 · 12 · 12
   width of a head       d_k, d_v                          128             64
   one matrix, a head    d · d_k                     1,572,864         49,152
   one head              four of those               6,291,456        196,608
   one kind, a layer     A · d · d_k               150,994,944        589,824
   attention, a layer    A heads                   603,979,776      2,359,296
   attention, model      L layers               57,982,058,496     28,311,552
   all it learns         with embeddings       174,604,259,328    124,439,808
     of it attention                                   33.21 %        22.75 %
   value map, full       d²                        150,994,944        589,824
     down and up         d · d_v · 2                 3,145,728         98,304
     times fewer         d ÷ (2 · d_v)                      48              6
     saved, model        A · L · difference  1,362,578,374,656     70,778,880
   attention if full     sum of both         1,420,560,433,152     99,090,432

                                          3 tokens    2,048 tokens
   GPT-3 learns         no n in it  57,982,058,496  57,982,058,496
   weights it computes  A · L · n²          82,944  38,654,705,664
"""


def line(name: str, **knobs: object) -> Any:
    """One line of the count, a number for each model."""
    return lesson("params", **knobs).working.trace[name].values.tolist()


def test_the_first_screen() -> None:
    assert screen("params") == SCREEN.splitlines()


@pytest.mark.parametrize("knobs", [{}, {"d_model": 768}, {"d_v": 3}], ids=str)
def test_the_first_screens_leave_room_for_the_keys(knobs: Any) -> None:
    assert len(screen("params", **knobs)) <= 23


@pytest.mark.parametrize(
    ("name", "gpt_3", "gpt_2"),
    [
        ("query_matrix", 1_572_864, 49_152),
        ("value_down", 1_572_864, 49_152),
        ("one_head", 6_291_456, 196_608),
        ("one_kind", 150_994_944, 589_824),
        ("attention_layer", 603_979_776, 2_359_296),
        ("attention_model", 57_982_058_496, 28_311_552),
        ("total", 174_604_259_328, 124_439_808),
        ("full_value", 150_994_944, 589_824),
        ("factored_value", 3_145_728, 98_304),
        ("value_ratio", 48, 6),
        ("saved_model", 1_362_578_374_656, 70_778_880),
        ("attention_if_full", 1_420_560_433_152, 99_090_432),
    ],
)
def test_the_count_of_gpt_3_and_gpt_2(name: str, gpt_3: int, gpt_2: int) -> None:
    assert line(name) == [gpt_3, gpt_2]
    drawn = "\n".join(screen("params"))
    assert f"{gpt_3:,}" in drawn
    assert f"{gpt_2:,}" in drawn


def test_the_share_of_attention() -> None:
    assert [f"{share:.2f}" for share in line("share")] == ["33.21", "22.75"]


def test_what_is_learned_does_not_depend_on_the_length_of_a_text() -> None:
    assert line("learned") == [[57_982_058_496] * 2, [28_311_552] * 2]
    assert line("learned", tokens=7) == line("learned")
    assert line("computed", tokens=2048)[0] == [82_944, 38_654_705_664]


@pytest.mark.parametrize("n_tokens", [3, 32])
def test_the_same_matrices_serve_texts_of_any_length(n_tokens: int) -> None:
    matrices = toy.projections(2, 8, 4, 4, seed=0)
    trace = attend(toy.vectors([f"w{n}" for n in range(n_tokens)], 8, 0), None, matrices)
    sizes = (matrices.w_q.size, matrices.w_k.size, matrices.w_v.size, matrices.w_o.size)
    assert sum(sizes) == line("attention_layer", d_model=8, heads=2, layers=1)[0]
    assert trace["weights"].values.size == 2 * n_tokens**2


@pytest.mark.parametrize(
    ("knobs", "layer", "model"),
    [
        ({"d_model": 4, "heads": 2, "layers": 1}, 64, 64),
        ({"d_model": 512, "heads": 64, "layers": 3}, 1_048_576, 3_145_728),
        ({"d_model": 768, "heads": 12, "layers": 12}, 2_359_296, 28_311_552),
        ({"d_model": 8, "heads": 4, "layers": 5, "d_v": 1}, 4 * (2 * 8 * 2 + 2 * 8), 960),
        ({"d_v": 64}, 4 * 512**2, 6 * 4 * 512**2),
    ],
    ids=str,
)
def test_own_sizes_are_counted(knobs: Any, layer: int, model: int) -> None:
    assert line("attention_layer", **knobs)[0] == layer
    assert line("attention_model", **knobs)[0] == model


@pytest.mark.parametrize("heads", [1, 8, 64])
def test_more_heads_are_not_more_numbers(heads: int) -> None:
    assert line("attention_layer", d_model=512, heads=heads)[0] == 1_048_576


@pytest.mark.parametrize(
    ("d_v", "ratio", "said"), [(64, 4, "4"), (256, 1, "1"), (48, 16 / 3, "5.3333")]
)
def test_factoring_breaks_even_at_half_the_width(d_v: int, ratio: float, said: str) -> None:
    assert line("value_ratio", d_model=512, d_v=d_v)[0] == pytest.approx(ratio)
    row = next(one for one in screen("params", d_model=512, d_v=d_v) if "times fewer" in one)
    assert row.split("(2 · d_v)")[1].split() == [said, "48"]


@given(
    heads=st.integers(1, 512),
    width=st.integers(1, 195),
    layers=st.integers(1, 512),
    d_v=st.integers(1, 100_000),
    tokens=st.integers(1, 100_000),
)
def test_counts_of_any_size_are_exact(
    heads: int, width: int, layers: int, d_v: int, tokens: int
) -> None:
    d = heads * width
    knobs = {"d_model": d, "heads": heads, "layers": layers, "d_v": d_v, "tokens": tokens}
    attention = layers * heads * (2 * d * width + 2 * d * d_v)
    saved = layers * heads * (d * d - 2 * d * d_v)
    assert int(line("attention_model", **knobs)[0]) == attention
    assert int(line("saved_model", **knobs)[0]) == saved
    assert int(line("attention_if_full", **knobs)[0]) == attention + saved
    assert int(line("computed", **knobs)[0][1]) == heads * layers * tokens**2


def test_a_value_wider_than_half_the_model_saves_nothing() -> None:
    assert line("saved_model", d_model=8, heads=2, layers=1, d_v=5)[0] == 2 * (64 - 80)


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("seed", range(8))
def test_a_question_is_fair_and_explained(question: str, seed: int) -> None:
    found = asked("params", question, seed)
    assert_fair(found)
    assert_explained("params", found)
    assert found.tolerance == 0
    assert float(found.answer).is_integer()


@pytest.mark.parametrize("question", QUESTIONS)
def test_seeds_decide_the_numbers(question: str) -> None:
    first, again, other = (shown(asked("params", question, seed)) for seed in (1, 1, 3))
    assert first == again
    assert first != other


@pytest.mark.parametrize("question", [name for name in QUESTIONS if name not in {"gpt", "tokens"}])
def test_a_model_made_up_has_not_as_many_heads_as_layers(question: str) -> None:
    for seed in range(20):
        _, heads, layers, *_ = asked("params", question, seed).working.trace["sizes"].values[0]
        assert heads != layers, seed


def test_no_wrong_way_leads_to_the_right_count_of_a_gpt() -> None:
    for seed in range(20):
        found = asked("params", "gpt", seed)
        assert found.working.trace.labels("models")[0] in GPTS, seed
        assert WIDE not in found.wrong, seed
        assert found.answer not in {model.attention for model in GPTS.values()}, seed


def test_the_questions_about_the_gpts_leave_out_the_whole_model() -> None:
    assert set(SAFE) == {"matrix", "head", "kind", "layer", "pair"}


@pytest.mark.parametrize("said", ["1,048,576", "1048576", " 1 048 576 "])
def test_a_count_may_be_typed_with_or_without_commas(said: str) -> None:
    found = asked("params", "layer", 0)
    exact = f"{int(found.answer):,}"
    typed = {"1,048,576": exact, "1048576": exact.replace(",", "")}
    assert grade(found, typed.get(said, f" {exact.replace(',', ' ')} ")).right
    assert not grade(found, str(int(found.answer) + 1)).right


@pytest.mark.parametrize("columns", [20, *COLUMNS])
@pytest.mark.parametrize(
    "knobs",
    [{}, {"d_model": 100_000, "heads": 500, "layers": 512}, {"d_v": 77}, {"tokens": 100_000}],
    ids=str,
)
def test_every_setting_fits_every_screen(knobs: Any, columns: int) -> None:
    assert_fits("params", columns, **knobs)


@pytest.mark.parametrize(
    ("knobs", "says"),
    [
        (
            {"d_model": 10, "heads": 3},
            "d_model=10 does not split into heads=3\n  heads=1 or 2 or 5",
        ),
        (
            {"heads": 7},
            "d_model=512 does not split into heads=7\n  heads=2 or 4 or 8 would, for 512",
        ),
        ({"heads": 0}, "heads cannot be '0'\n  from 1 to 512"),
        ({"layers": 513}, "layers cannot be '513'\n  from 1 to 512"),
        ({"d_model": 100_001}, "d_model cannot be '100001'\n  from 1 to 100,000"),
        ({"d_v": -1}, "d_v cannot be '-1'\n  from 1 to 100,000"),
        ({"tokens": 0}, "tokens cannot be '0'\n  from 1 to 100,000"),
        ({"layers": "many"}, "layers cannot be 'many'\n  a whole number from 1 to 512"),
    ],
)
def test_a_knob_that_cannot_be_is_refused(knobs: Any, says: str) -> None:
    with pytest.raises(UserError) as caught:
        lesson("params", **knobs)
    assert str(caught.value).startswith(says)


def test_nothing_asks_here_so_nothing_moves() -> None:
    here = lesson("params")
    assert here.n_queries == 0
    assert np.isfinite(here.working.trace["share"].values).all()
