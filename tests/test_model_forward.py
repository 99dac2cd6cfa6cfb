"""The model run forward: what plain loops give, causal, with heads off, and as a trace."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from attn_study.attention.heads import attend, causal_mask
from attn_study.attention.model.forward import forward, normalise
from attn_study.attention.model.parameters import Parameters, Size
from attn_study.attention.model.reading import layer_input, projections, read
from attn_study.errors import UserError
from model_reference import exact_gelu, gelu, logits_and_weights

SIZE = Size(n_words=13, n_positions=9, d_model=12, n_layers=3, n_heads=2, d_hidden=10)
SIZES = {
    "three layers": SIZE,
    "without an MLP": Size(n_words=13, n_positions=9, d_model=12, n_heads=3, d_hidden=0),
    "one layer, one head": Size(n_words=13, n_positions=9, d_model=8, n_layers=1, n_heads=1),
}
TOKENS = (0, 5, 12, 5, 7, 1, 3)
STEPS = ("query", "key", "value", "scores", "scaled_scores", "masked_scores", "weights")


def large(size: Size, seed: int = 0) -> Parameters:
    """Parameters in float64 all far from 0, so that no part of the model can hide."""
    found = Parameters.random(size, seed, np.float64)
    rng = np.random.default_rng(seed)
    found.flat[...] += 0.3 * rng.standard_normal(len(found.flat))
    return found


@pytest.fixture(params=SIZES)
def size(request: Any) -> Size:
    return SIZES[request.param]


def trace_of(parameters: Parameters, tokens: Any = TOKENS, **how: Any) -> Any:
    words = [f"word {n}" for n in range(parameters.size.n_words)]
    return read(parameters, tokens, [words[n] for n in tokens], words=words, **how)


def test_logits_and_weights_are_those_of_plain_loops(size: Size) -> None:
    parameters = large(size)
    logits, weights = logits_and_weights(parameters, TOKENS, size.n_layers, size.n_heads)
    run = forward(parameters, np.array([TOKENS]))
    assert np.allclose(run.logits[0], logits, 0, 1e-11)
    found = np.stack([attended.weights[0] for attended, _ in run.layers])
    assert np.allclose(found, weights, 0, 1e-12)


def test_rms_norm_gives_a_root_mean_square_of_one() -> None:
    x = np.array([[3.0, -4.0, 12.0, 0.0], [1e-3, 2e-3, 0.0, 0.0]])
    normed, inverse = normalise(x, np.ones(4))
    assert np.allclose(inverse[0], 2 / 13, 1e-6)  # √(9 + 16 + 144) = 13, over √4
    assert np.allclose((normed[0] ** 2).mean(), 1, 1e-6)
    assert (normed[1] ** 2).mean() < 0.2  # too small: what is added under the root holds it down


def test_gelu_is_close_to_x_times_the_share_of_a_normal_distribution_below_x() -> None:
    parameters = large(SIZE)
    _, widened = forward(parameters, np.array([TOKENS])).layers[0]
    assert widened is not None
    hidden, active = widened.hidden.ravel().tolist(), widened.active.ravel().tolist()
    pairs = list(zip(hidden, active, strict=True))
    assert min(x for x, _ in pairs) < -2 < 2 < max(x for x, _ in pairs)
    for x, bent in pairs:
        assert bent == pytest.approx(gelu(x), abs=1e-12)
        assert bent == pytest.approx(exact_gelu(x), abs=1e-3)


@pytest.mark.parametrize("at", range(1, len(TOKENS)))
def test_a_token_changes_nothing_before_it(size: Size, at: int) -> None:
    parameters = large(size)
    other = (*TOKENS[:at], (TOKENS[at] + 1) % 13, *TOKENS[at + 1 :])
    before, after = (forward(parameters, np.array([each])).logits[0] for each in (TOKENS, other))
    assert np.array_equal(before[:at], after[:at])
    assert not np.allclose(before[at:], after[at:])


def test_a_text_in_a_batch_reads_as_it_does_alone() -> None:
    parameters = large(SIZE)
    tokens = np.array([TOKENS, (*TOKENS[::-1][:4], 0, 0, 0)])
    together = forward(parameters, tokens).logits
    assert np.allclose(together[0], forward(parameters, tokens[:1]).logits[0], 0, 1e-12)
    assert np.allclose(together[1, :4], forward(parameters, tokens[1:, :4]).logits[0], 0, 1e-12)


def test_heads_that_are_off_add_nothing_and_the_others_add_what_they_did() -> None:
    parameters = large(SIZE)
    whole, without = trace_of(parameters), trace_of(parameters, off=((2, 1),))
    assert np.array_equal(whole["output_1"].values, without["output_1"].values)
    assert not without["head_output_2"].values[0].any()
    second = whole["head_output_2"].values[1] @ parameters["w_o_2"][6:]
    assert np.allclose(without["output_2"].values, second, 0, 1e-12)


def test_all_heads_off_leave_the_word_the_position_and_the_mlp() -> None:
    size = SIZES["without an MLP"]
    off = [(layer, head) for layer in (1, 2) for head in (1, 2, 3)]
    trace = trace_of(large(size), off=off)
    assert np.array_equal(trace["residual_2"].values, trace["x"].values)
    assert np.array_equal(trace["logits"].values, trace["lens_0"].values)


@pytest.mark.parametrize("layer", [1, 2, 3])
def test_what_an_attention_computes_given_back_to_it_changes_nothing(layer: int) -> None:
    parameters, tokens = large(SIZE), np.array([TOKENS, TOKENS[::-1]])
    plain = forward(parameters, tokens)
    again = forward(parameters, tokens, added={layer: plain.layers[layer - 1][0].added})
    assert np.array_equal(again.logits, plain.logits)
    half = forward(parameters, tokens, added={layer: plain.layers[layer - 1][0].added / 2})
    assert not np.allclose(half.logits, plain.logits)
    for at, (mine, other) in enumerate(zip(half.layers, plain.layers, strict=True), start=1):
        assert np.array_equal(mine[0].before, other[0].before) == (at <= layer)


@pytest.mark.parametrize("layer", [1, 2, 3])
def test_an_attention_that_adds_nothing_is_one_with_all_heads_off(layer: int) -> None:
    parameters, tokens = large(SIZE), np.array([TOKENS])
    nothing = np.zeros((1, len(TOKENS), SIZE.d_model))
    silent = forward(parameters, tokens, off=[(layer, 1), (layer, 2)])
    assert np.array_equal(forward(parameters, tokens, added={layer: nothing}).logits, silent.logits)


@pytest.mark.parametrize("layer", [1, 3])
def test_a_hidden_key_is_seen_in_that_layer_by_itself_alone(layer: int) -> None:
    hidden = np.zeros((1, len(TOKENS)), dtype=bool)
    hidden[0, 2] = True
    run = forward(large(SIZE), np.array([TOKENS]), unseen={layer: hidden})
    for at, (attended, _) in enumerate(run.layers, start=1):
        column = attended.weights[0, :, :, 2]
        assert (column[:, 3:] > 0).all() == (at != layer)
        assert (column[:, 2] > 0).all()
        assert np.allclose(attended.weights.sum(axis=-1), 1)


def test_attend_computes_from_a_layer_what_the_trace_has_of_it(size: Size) -> None:
    parameters = large(size)
    trace = trace_of(parameters)
    for layer in range(1, size.n_layers + 1):
        found = attend(
            layer_input(trace, layer),
            None,
            projections(parameters, layer),
            mask=causal_mask(len(TOKENS)),
        )
        for name in (*STEPS, "head_output", "output"):
            mine, other = trace[f"{name}_{layer}"], found[name]
            assert mine.axes == other.axes
            assert np.allclose(mine.values, other.values, 0, 1e-11), name


def test_each_layer_adds_its_attention_and_its_mlp_to_the_stream() -> None:
    trace = trace_of(large(SIZE))
    stream = trace["x"].values
    for layer in (1, 2, 3):
        stream = stream + trace[f"output_{layer}"].values + trace[f"mlp_{layer}"].values
        assert np.allclose(trace[f"residual_{layer}"].values, stream, 0, 1e-12)


def test_the_lens_ends_at_the_logits_and_begins_at_the_embedding() -> None:
    parameters = large(SIZE)
    trace = trace_of(parameters)
    assert np.allclose(trace["lens_3"].values, trace["logits"].values, 0, 1e-12)
    x = trace["x"].values[4]
    share = x / np.sqrt((x * x).mean() + 1e-5) * parameters["gain_final"]
    assert np.allclose(trace["lens_0"].values[4], parameters["embedding"] @ share, 0, 1e-12)


def test_the_next_word_is_softmax_of_the_last_logits() -> None:
    trace = trace_of(large(SIZE))
    powers = np.exp(trace["logits"].values[-1])
    assert np.allclose(trace["next_word"].values, powers / powers.sum(), 0, 1e-12)
    assert trace["next_word"].axes == ("words",)


def test_words_label_their_axes() -> None:
    trace = trace_of(large(SIZE))
    assert trace.labels("words") == tuple(f"word {n}" for n in range(13))
    tokens = tuple(f"word {n}" for n in TOKENS)
    assert {trace.labels(axis) for axis in ("tokens", "queries", "keys")} == {tokens}
    assert all(step.says for step in trace)
    assert "mlp_1" not in trace_of(large(SIZES["without an MLP"])).names


def test_the_trace_is_in_float64_whatever_the_parameters_are() -> None:
    parameters = large(SIZE)
    single = trace_of(parameters.as_type(np.float32).as_type(np.float64))
    again = trace_of(parameters.as_type(np.float32))
    assert np.array_equal(single["logits"].values, again["logits"].values)


def test_numbers_that_have_their_type_already_are_not_copied() -> None:
    parameters = large(SIZE)
    assert parameters.as_type(np.float64) is parameters
    single = parameters.as_type(np.float32)
    assert single.flat.dtype == np.float32
    assert not np.shares_memory(single.flat, parameters.flat)


@pytest.mark.parametrize("tokens", [(), (1,) * 10])
def test_more_tokens_than_positions_and_none_are_refused(tokens: tuple[int, ...]) -> None:
    with pytest.raises(UserError, match="1 to 9 tokens"):
        trace_of(large(SIZE), tokens)


@pytest.mark.parametrize("head", [(0, 1), (4, 1), (1, 0), (1, 3), (-1, 1)])
def test_a_head_that_is_not_there_cannot_be_off(head: tuple[int, int]) -> None:
    with pytest.raises(UserError, match=r"no head") as refused:
        trace_of(large(SIZE), off=(head,))
    assert "layers 1 to 3, heads 1 to 2" in refused.value.hint


def test_a_width_that_does_not_split_into_heads_is_refused() -> None:
    with pytest.raises(UserError, match="d_model=12"):
        Size(n_words=3, n_positions=3, d_model=12, n_heads=5)


def test_numbers_of_another_count_are_refused() -> None:
    with pytest.raises(UserError, match="not 5"):
        Parameters(SIZE, np.zeros(5))
