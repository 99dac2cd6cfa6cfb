"""Among several trained models, the one whose heads show most plainly what they look at."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from checkpoint import read
from score import legibility, results

from attn_study.errors import UserError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from checkpoint import Run
    from score import Result

    from attn_study.attention.model.parameters import Parameters

SEED = 0  # of the held-out sentences
Record = dict[str, Any]


@dataclass(frozen=True, slots=True, eq=False)
class Tried:
    """A run, what it does on the sentences for choosing, and its score from 0 to 1."""

    run: Run
    parameters: Parameters
    results: list[Result]
    legibility: float


def tried(path: Path, sentences: int) -> Tried | None:
    """Return the scores of one run, or None where a number of it is not finite as a float16.

    Raises UserError when the run has not come to its end, or is none.
    """
    run = read(path)
    if not run.is_finished:
        done = f"{run.steps:,} of {run.recipe['steps']:,} steps are done"
        raise UserError(done, where=str(path), hint="the same training command goes on from there")
    parameters = run.parameters
    if not np.isfinite(parameters.flat).all():
        return None
    found = results(parameters, "choosing", sentences, SEED)
    return Tried(run, parameters, found, legibility(found))


def best(candidates: Sequence[Tried]) -> Tried:
    """Return the most legible one; the first of equal ones."""
    return max(candidates, key=lambda each: each.legibility)


def record(chosen: Tried, candidates: Sequence[Tried], sentences: int) -> Record:
    """Return what the model says of itself: how it was made, chosen among whom, its results.

    `heads` are the chosen ones by family and kind, as (layer, head) from 1: the head that shows a
    kind best on the sentences for choosing. `results` are measured on those for reporting.
    """
    heads = {(each.family, each.kind): each.best for each in chosen.results}
    found = results(chosen.parameters, "reporting", sentences, SEED)
    named: dict[str, dict[str, list[int]]] = {}
    for (family, kind), head in heads.items():
        named.setdefault(family, {})[kind] = list(head)
    return {
        **_said(chosen),
        "recipe": chosen.run.recipe,
        "sentences": sentences,
        "heads": named,
        "results": [
            _row(each, heads[each.family, each.kind])
            for each in found
            if (each.family, each.kind) in heads  # few sentences may miss a kind
        ],
        "tried": [_said(each) | {"accuracy": _accuracy(each.results)} for each in candidates],
    }


def _said(each: Tried) -> Record:
    recipe, run = each.run.recipe, each.run
    return {
        "seed": recipe.get("seed"),
        "steps": run.steps,
        "seconds": run.seconds,
        "grammar": recipe.get("grammar"),
        "legibility": round(each.legibility, 3),
    }


def _row(each: Result, head: tuple[int, int]) -> Record:
    at = head[0] - 1, head[1] - 1
    return {
        "family": each.family,
        "kind": each.kind,
        "n": each.n,
        "accuracy": round(each.accuracy, 4),
        "head": list(head),
        "target": round(float(each.target[at]), 4),
        "rival": round(float(each.rival[at]), 4),
    }


def _accuracy(found: list[Result]) -> dict[str, float]:
    """Return the share of right words by family."""
    families = dict.fromkeys(each.family for each in found)
    return {family: round(accuracy(found, family), 3) for family in families}


def accuracy(found: Sequence[Result], family: str) -> float:
    """Return the share of right words over all sentences of a family."""
    rows = [each for each in found if each.family == family]
    return sum(each.accuracy * each.n for each in rows) / sum(each.n for each in rows)
