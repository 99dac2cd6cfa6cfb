"""How well a model does on held-out sentences, and how plainly its heads show why."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from batches import padded

from attn_study.attention.model.forward import forward
from attn_study.language.grammar import FAMILIES, held_out
from attn_study.language.vocabulary import NUMBERS, numbers

if TYPE_CHECKING:
    from attn_study.attention.arrays import Array
    from attn_study.attention.model.parameters import Parameters
    from attn_study.language.apart import Split
    from attn_study.language.sentence import Sentence


@dataclass(frozen=True, slots=True)
class Result:
    """What came of the sentences of one family and kind.

    `accuracy` is the share whose next word is right; `target` and `rival` are the mean attention
    of every head, (layers, heads), on the right word and on all wrong ones together.
    """

    family: str
    kind: str
    n: int
    accuracy: float
    target: Array
    rival: Array

    @property
    def best(self) -> tuple[int, int]:
        """The one head that looks most at the right word, as (layer, head) from 1."""
        layer, head = np.unravel_index(int(np.argmax(self.target - self.rival)), self.target.shape)
        return int(layer) + 1, int(head) + 1


def results(
    parameters: Parameters, split: Split, n: int, seed: int, off: tuple[tuple[int, int], ...] = ()
) -> list[Result]:
    """Return the results on `n` sentences a family, kind by kind."""
    found = []
    for family in FAMILIES:
        sentences = held_out(family, split, n, seed)
        for kind in sorted({sentence.kind for sentence in sentences}):
            chosen = [sentence for sentence in sentences if sentence.kind == kind]
            found.append(_result(parameters, chosen, off))
    return found


def _result(
    parameters: Parameters, sentences: list[Sentence], off: tuple[tuple[int, int], ...]
) -> Result:
    size = parameters.size
    target = np.zeros((size.n_layers, size.n_heads))
    rival = np.zeros_like(target)
    right = 0
    run = forward(parameters, padded([numbers(each.words) for each in sentences]), off=off)
    for row, sentence in enumerate(sentences):
        at = sentence.asks + 1  # the start token stands before
        weights = np.stack([attended.weights[row, :, at] for attended, _ in run.layers])
        target += weights[..., sentence.target + 1]
        rival += weights[..., [place + 1 for place in sentence.rivals]].sum(axis=-1)
        logits = run.logits[row, sentence.decides + 1]
        if sentence.family == "agreement":
            right += logits[NUMBERS[sentence.answer]] > logits[NUMBERS[sentence.wrong]]
        else:
            right += int(np.argmax(logits)) == NUMBERS[sentence.answer]
    n, first = len(sentences), sentences[0]
    return Result(first.family, first.kind, n, int(right) / n, target / n, rival / n)


def legibility(found: list[Result]) -> float:
    """Return the score by which a model is chosen, from 0 to 1.

    For each kind: accuracy times (mass on the target less mass on the rivals) of the single head
    that shows it best; the mean over the kinds of a family, then over the families.
    """
    families: dict[str, list[float]] = {}
    for each in found:
        layer, head = each.best
        shown = each.target[layer - 1, head - 1] - each.rival[layer - 1, head - 1]
        families.setdefault(each.family, []).append(each.accuracy * float(shown))
    return float(np.mean([np.mean(kinds) for kinds in families.values()]))
