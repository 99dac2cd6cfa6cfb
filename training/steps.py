"""One training run, step by step: it can be stopped at any step and go on from its checkpoint."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from batches import batches, corpus

from attn_study.attention.model.adamw import AdamW, rate
from attn_study.attention.model.backward import loss_and_gradients
from attn_study.attention.model.forward import forward
from attn_study.attention.model.parameters import SPREAD, Parameters, Size
from attn_study.language.grammar import LONGEST, VERSION
from attn_study.language.vocabulary import WORDS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from attn_study.attention.arrays import Array


@dataclass(frozen=True, slots=True)
class Recipe:
    """All that a run hangs on.

    A critical word weighs `decisive` times as much in the loss as any other.

    Hidden as keys, in training alone and each time anew: of the nouns and surnames that sentences
    come back to the share `noun_dropout` in layer 1, of function words and of the adjectives that
    decide `word_dropout` in layer 2. In trials before, layer 1 parked a noun on a word beside it,
    and layer 2 found it there: the answer was right, and no head looked at the noun.
    """

    seed: int = 0
    steps: int = 10_000
    texts: int = 640_000
    batch: int = 64
    peak: float = 5e-3
    decay: float = 0.02
    decisive: float = 5.0
    noun_dropout: float = 0.3
    word_dropout: float = 0.5
    grammar: int = VERSION


SIZE = Size(n_words=len(WORDS), n_positions=LONGEST + 1)


def waves(n_positions: int, d_model: int) -> Array:
    """Return sine waves of falling frequency (Vaswani et al., 2017), of variance 1.

    Positions begin as these and are learned from there: that the word before matters is then one
    map for all positions, and heads that repeat what came next last time form much sooner.
    """
    rates = 10_000.0 ** (-np.arange(0, d_model, 2) / d_model)
    angles = np.arange(n_positions)[:, None] * rates
    found: Array = np.sqrt(2) * np.stack([np.sin(angles), np.cos(angles)], axis=-1)
    return found.reshape(n_positions, -1)


def beginning(recipe: Recipe, size: Size = SIZE) -> AdamW:
    """Return the optimizer of a run that has done no step yet; it holds the parameters."""
    parameters = Parameters.random(size, recipe.seed)
    parameters["position"][...] = SPREAD * waves(size.n_positions, size.d_model)
    return AdamW(parameters, recipe.decay)


def train(
    recipe: Recipe, size: Size = SIZE, begun: AdamW | None = None
) -> Iterator[tuple[int, float, Parameters]]:
    """Yield the number of steps done, the loss of the last batch in nats, and the parameters.

    `begun` is the optimizer of a run that was stopped: what chance decided before is drawn again,
    so the steps that follow are those of a run that nobody stopped.
    """
    rng = np.random.default_rng(recipe.seed)
    optimizer = begun or beginning(recipe, size)
    parameters, done = optimizer.parameters, optimizer.steps
    source = batches(corpus(recipe.texts, recipe.seed), recipe.batch, rng, recipe.decisive)
    for step in range(recipe.steps):
        batch = next(source)
        unseen = batch.unseen(rng, recipe.noun_dropout, recipe.word_dropout)
        if step < done:
            continue
        run = forward(parameters, batch.tokens, unseen=unseen)
        loss, gradients = loss_and_gradients(parameters, run, batch.following, batch.counted)
        optimizer.step(gradients, rate(step, recipe.steps, recipe.peak))
        yield step + 1, loss, parameters
