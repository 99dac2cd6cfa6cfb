"""AdamW: steps of a size that each number's own gradients decide, with weight decay apart.

Loshchilov and Hutter, Decoupled Weight Decay Regularization (2019).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from attn_study.attention.model.parameters import Floats, Parameters

FIRST, SECOND = 0.9, 0.98  # how long the means of gradients, and of their squares, remember
TINY = 1e-8


class AdamW:
    """The means over past gradients, and the step that follows from them."""

    def __init__(self, parameters: Parameters, decay: float = 0.02, clip: float = 1.0) -> None:
        self.parameters, self.decay, self.clip = parameters, decay, clip
        self.mean = np.zeros_like(parameters.flat)
        self.square = np.zeros_like(parameters.flat)
        self.steps = 0
        decaying = type(parameters).zeros(parameters.size, parameters.flat.dtype)
        for array in decaying.values():
            array[...] = array.ndim > 1  # not gains and biases
        self._decaying: Floats = decaying.flat

    def step(self, gradients: Parameters, rate: float) -> None:
        """Move the parameters against their gradients, whose joint length is cut to `clip`.

        They are cut in place: the caller's `gradients` are shorter afterwards.
        """
        flat = gradients.flat
        length = float(np.sqrt(flat @ flat))
        if length > self.clip:
            flat *= self.clip / length
        self.steps += 1
        self.mean += (1 - FIRST) * (flat - self.mean)
        self.square += (1 - SECOND) * (flat * flat - self.square)
        mean = self.mean / (1 - FIRST**self.steps)
        square = self.square / (1 - SECOND**self.steps)
        moved = self.parameters.flat
        moved -= rate * self.decay * self._decaying * moved
        moved -= rate * mean / (np.sqrt(square) + TINY)


def rate(step: int, steps: int, peak: float, warm_up: int = 100, end: float = 0.02) -> float:
    """Return the rate at a step, from 0: up in a line, then a cosine down to `end` of the peak."""
    if step < warm_up:
        return peak * (step + 1) / warm_up
    done = (step - warm_up) / max(1, steps - warm_up)
    return peak * (end + (1 - end) * 0.5 * (1 + float(np.cos(np.pi * min(1.0, done)))))
