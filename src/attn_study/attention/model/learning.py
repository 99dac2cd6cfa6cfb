"""A small model while it learns: one step after another, and how it does on texts kept from it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from attn_study.attention.dice import stream
from attn_study.attention.model.adamw import AdamW
from attn_study.attention.model.backward import loss_and_gradients
from attn_study.attention.model.forward import forward
from attn_study.attention.model.parameters import Parameters

if TYPE_CHECKING:
    from collections.abc import Iterator

    from attn_study.attention.arrays import Array
    from attn_study.attention.model.forward import Numbers
    from attn_study.attention.model.parameters import Size


@dataclass(frozen=True, slots=True)
class Texts:
    """Texts to learn from, all filled up to one length.

    `tokens` (b, t) are numbers of words, `following` (b, t) the word after each, and `counted`
    (b, t) says how much that word counts in the loss, 0 where nothing is to be foretold.
    """

    tokens: Numbers
    following: Numbers
    counted: Array


@dataclass(frozen=True, slots=True)
class Exam:
    """Texts that are kept from the model.

    In text i of `tokens` (b, t) the word `answers[i]` follows after position `asks[i]`, and a
    legible head looks from there at position `targets[i]`. `head` of the last layer, from 0, is
    the one that is watched.
    """

    tokens: Numbers
    asks: Numbers
    answers: Numbers
    targets: Numbers
    head: int = 0

    def __len__(self) -> int:
        return len(self.tokens)


@dataclass(frozen=True, slots=True)
class Marks:
    """How a model does in an exam, at the position that asks in each text.

    `loss` is the mean of -ln of the right word's share, in nats; `right` counts the texts whose
    likeliest word is the right one; `on_target` is the mean weight of the head that is watched on
    the word that decides, `earlier` the same of that head of the first layer which has most.
    """

    loss: float
    right: int
    on_target: float
    earlier: float


@dataclass(frozen=True, slots=True)
class Pace:
    """How a model is trained: texts a step, the size of the steps, and their decay."""

    batch: int
    rate: float
    decay: float = 0.02


def beginning(size: Size, seed: int, *, even: bool) -> Parameters:
    """Return a model that has learned nothing: random numbers.

    With `even` every W^Q is 0. Then all scores are, so that each head begins with the same weight
    for every word that it may look at. All else is random, so W^Q learns from the first step on.
    """
    found = Parameters.random(size, seed, np.float64)
    for layer in range(1, size.n_layers + 1) if even else ():
        found[f"w_q_{layer}"][...] = 0
    return found


def steps(parameters: Parameters, texts: Texts, pace: Pace, seed: int) -> Iterator[int]:
    """Change the parameters in place, step after step without end; yield how many were taken.

    The texts of each step are drawn by the seed; a text may come again.
    """
    optimizer = AdamW(parameters, decay=pace.decay)
    dice = stream("learn", "batches", seed)
    n_texts = np.uint64(len(texts.tokens))
    while True:
        upper = dice.random_raw(pace.batch) >> np.uint64(32)
        drawn = (upper * n_texts) >> np.uint64(32)
        run = forward(parameters, texts.tokens[drawn])
        _, gradients = loss_and_gradients(
            parameters, run, texts.following[drawn], texts.counted[drawn]
        )
        optimizer.step(gradients, pace.rate)
        yield optimizer.steps


def marks(parameters: Parameters, exam: Exam) -> Marks:
    """Return how the model does now."""
    run = forward(parameters, exam.tokens)
    every = np.arange(len(exam))
    logits = run.logits[every, exam.asks]
    most = logits.max(axis=-1)
    total = np.log(np.exp(logits - most[:, np.newaxis]).sum(axis=-1)) + most
    (first, _), (attended, _) = run.layers[0], run.layers[-1]
    return Marks(
        loss=float((total - logits[every, exam.answers]).mean()),
        right=int((logits.argmax(axis=-1) == exam.answers).sum()),
        on_target=float(attended.weights[every, exam.head, exam.asks, exam.targets].mean()),
        earlier=float(first.weights[every, :, exam.asks, exam.targets].mean(axis=0).max()),
    )
