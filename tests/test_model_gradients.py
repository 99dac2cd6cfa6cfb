"""The gradients derived by hand are those of the loss, and AdamW follows them."""

from __future__ import annotations

import re
from math import log
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from attn_study.attention.model.adamw import AdamW, rate
from attn_study.attention.model.backward import loss_and_gradients
from attn_study.attention.model.forward import forward
from attn_study.attention.model.parameters import Parameters, Size

if TYPE_CHECKING:
    from attn_study.attention.arrays import Array

SIZES = {
    "with an MLP": Size(n_words=7, n_positions=6, d_model=6, n_layers=2, n_heads=2, d_hidden=5),
    "without": Size(n_words=7, n_positions=6, d_model=6, n_layers=2, n_heads=3, d_hidden=0),
}
TOKENS = np.array([[0, 3, 5, 3, 6], [0, 1, 1, 2, 0]])
FOLLOWING = np.array([[3, 5, 3, 6, 0], [1, 1, 2, 0, 0]])
COUNTED = np.array([[1.0, 1.0, 5.0, 1.0, 0.0], [1.0, 0.0, 1.0, 0.0, 0.0]])
HIDDEN = {2: np.array([[False, True, False, False, False], [False, False, True, False, False]])}
STEP = 1e-6


def random(size: Size) -> Parameters:
    found = Parameters.random(size, 1, np.float64)
    found.flat[...] += 0.3 * np.random.default_rng(1).standard_normal(len(found.flat))
    return found


def loss(parameters: Parameters) -> float:
    run = forward(parameters, TOKENS, unseen=HIDDEN)
    return loss_and_gradients(parameters, run, FOLLOWING, COUNTED)[0]


def gradients(parameters: Parameters) -> Parameters:
    run = forward(parameters, TOKENS, unseen=HIDDEN)
    return loss_and_gradients(parameters, run, FOLLOWING, COUNTED)[1]


def finite_differences(parameters: Parameters) -> Array:
    """Move every number a little to either side, one after the other."""
    found = np.zeros(len(parameters.flat))
    for at, kept in enumerate(parameters.flat):
        sides = []
        for moved in (kept + STEP, kept - STEP):
            parameters.flat[at] = moved
            sides.append(loss(parameters))
        parameters.flat[at] = kept
        found[at] = (sides[0] - sides[1]) / (2 * STEP)
    return found


@pytest.mark.parametrize(
    "how",
    [
        {"off": [(1, 1)]},
        {"added": {2: np.ones((2, 5, 6))}},
        {"off": [(2, 2)], "added": {1: np.zeros((2, 5, 6))}},
    ],
    ids=["a head off", "an output given", "both"],
)
def test_no_gradient_is_taken_of_a_run_that_was_altered(how: Any) -> None:
    """What is kept of such a run is not what its logits were made of."""
    parameters = random(SIZES["with an MLP"])
    run = forward(parameters, TOKENS, **how)
    with pytest.raises(ValueError, match="heads off or with outputs given"):
        loss_and_gradients(parameters, run, FOLLOWING, COUNTED)


@pytest.mark.parametrize("name", SIZES)
def test_every_gradient_is_what_finite_differences_give(name: str) -> None:
    parameters = random(SIZES[name])
    found = gradients(parameters)
    expected = Parameters(parameters.size, finite_differences(parameters))
    for each in parameters:
        assert np.abs(expected[each]).max() > 1e-3, f"{each} is not tried"
        assert np.allclose(found[each], expected[each], 1e-6, 1e-8), each


def test_the_loss_is_the_mean_surprise_over_what_counts() -> None:
    parameters = random(SIZES["with an MLP"])
    logits = forward(parameters, TOKENS, unseen=HIDDEN).logits
    surprise, total = 0.0, 0.0
    for place in zip(*np.nonzero(COUNTED), strict=True):
        powers = [2.718281828459045**each for each in logits[place]]
        surprise -= COUNTED[place] * log(powers[FOLLOWING[place]] / sum(powers))
        total += COUNTED[place]
    assert loss(parameters) == pytest.approx(surprise / total, abs=1e-12)


def test_what_does_not_count_does_not_teach() -> None:
    parameters = random(SIZES["with an MLP"])
    before = gradients(parameters).flat.copy()
    other = FOLLOWING.copy()
    other[COUNTED == 0] = 6
    run = forward(parameters, TOKENS, unseen=HIDDEN)
    assert np.array_equal(loss_and_gradients(parameters, run, other, COUNTED)[1].flat, before)


def test_single_precision_agrees_with_double() -> None:
    parameters = random(SIZES["with an MLP"])
    single = gradients(parameters.as_type(np.float32))
    assert single.flat.dtype == np.float32
    assert np.allclose(single.flat, gradients(parameters).flat, 1e-3, 1e-5)


def test_the_first_step_of_adamw_goes_the_rate_against_every_sign() -> None:
    parameters = random(SIZES["with an MLP"])
    before = parameters.flat.copy()
    found = gradients(parameters)
    signs = np.sign(found.flat)
    AdamW(parameters, decay=0.0).step(found, 0.01)
    big = np.abs(found.flat) > 1e-5
    assert np.allclose((parameters.flat - before)[big], -0.01 * signs[big], 0.01)


def test_decay_shrinks_matrices_and_leaves_gains_and_biases() -> None:
    parameters = random(SIZES["with an MLP"])
    before = {name: array.copy() for name, array in parameters.items()}
    nothing = Parameters.zeros(parameters.size, np.float64)
    AdamW(parameters, decay=0.5).step(nothing, 0.1)
    for name, array in parameters.items():
        alone = re.match("gain|b_", name)
        assert np.allclose(array, before[name] * (1.0 if alone else 0.95), 1e-12), name


def test_long_gradients_are_cut_to_length_one() -> None:
    found: dict[float, Any] = {}
    for times in (1.0, 100.0):
        parameters = random(SIZES["with an MLP"])
        gradient = gradients(parameters)
        gradient.flat[...] *= times * 10 / np.linalg.norm(gradient.flat)
        optimizer = AdamW(parameters, clip=1.0)
        optimizer.step(gradient, 0.01)
        found[times] = optimizer.mean
    assert np.allclose(found[1.0], found[100.0], 1e-12)
    assert np.linalg.norm(found[1.0]) == pytest.approx(0.1)


def test_the_rate_goes_up_in_a_line_and_down_to_a_fiftieth() -> None:
    rates = [rate(step, 1_100, 1.0, warm_up=100) for step in range(1_100)]
    assert rates[49] == 0.5
    assert max(rates) == rates[99] == rates[100] == 1.0
    assert rates[600] == pytest.approx(0.51)  # half-way down
    assert rates[-1] == pytest.approx(0.02, abs=1e-4)
    assert rates[100:] == sorted(rates[100:], reverse=True)


def test_steps_against_the_gradients_leave_only_what_nothing_can_tell() -> None:
    parameters = random(SIZES["with an MLP"])
    before = loss(parameters)
    optimizer = AdamW(parameters, decay=0.0)
    for _ in range(150):
        optimizer.step(gradients(parameters), 0.02)
    undecided = 2 * log(2) / COUNTED.sum()  # 3 and 1 follow the same first word, once each
    assert before > 10 * undecided
    assert loss(parameters) == pytest.approx(undecided, abs=0.01)
