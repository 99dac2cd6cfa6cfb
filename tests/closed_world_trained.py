"""What stands on the screens of the trained model, and how it follows from the steps."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from attn_study.attention.model.stored import trained
from attn_study.demos.trained.cases import CASES

if TYPE_CHECKING:
    from closed_world import Document, Numbers

MODEL = trained().parameters.size

# The steps of which numbers stand there: few of very many.
ON_SCREEN = {
    "context": (
        "looked",
        "before",
        "weights",
        "other_weights",
        "lens",
        "came",
        "cosine",
        "instead",
    ),
    "multihead": ("weights", "average_weights"),
    "stack": ("next_word", "next_word_all_on", "seen", "without"),
}


def counts_of_the_model(report: Document) -> Numbers:
    return [MODEL.n_layers, MODEL.n_heads, MODEL.n_words, report.knob("layer")]


def a_layer(report: Document) -> Numbers:
    return range(1, MODEL.n_layers + 1)


def heads_of_the_model(report: Document) -> Numbers:
    """Heads as they are typed, 2.3, read as numbers."""
    layers, heads = range(1, MODEL.n_layers + 1), range(1, MODEL.n_heads + 1)
    return [float(f"{layer}.{head}") for layer in layers for head in heads]


def is_of_one_query(report: Document) -> bool:
    """Whether the weights are those of one query, in the trained model."""
    one = len(report["weights"].shape) == len(("heads", "keys"))
    return one and str(report.report["knobs"]["weights"]) == "trained"


def beside(rows: list[np.ndarray], shown: list[int]) -> list[float]:
    """What each row has beside the tokens that are shown."""
    return [float(1 - sum(row[at] for at in shown)) for row in rows]


def others_of_all_heads(report: Document) -> Numbers:
    """What every head and their average have beside the six tokens that some head weighs most."""
    if not is_of_one_query(report):
        return []
    rows = [*report["weights"], report["average_weights"]]
    largest = np.max(report["weights"], axis=0)
    return beside(rows, sorted(np.argsort(-largest, kind="stable")[:6]))


def others_of_a_head(report: Document) -> Numbers:
    """What a row has beside five tokens, or as many as there is room for.

    First come those that matter, then those that weigh most in it.
    """
    if not is_of_one_query(report):
        return []
    knobs = report.report["knobs"]
    case = CASES[knobs["case"]]
    slots = {slot: knobs[slot] for slot in case.slots}
    here, there = case.build(slots), case.build(case.other(slots))
    pairs = enumerate(zip(here.beginning, there.beginning, strict=True))
    decide = [at for at, (one, other) in pairs if one != other]
    matter = {0, *(at + 1 for at in (here.target, there.target, *here.rivals, *decide))}
    before = report["before"] if "before" in report else report["looked"][0]
    seen = int(report["weights"].any(axis=0).nonzero()[0][-1]) + 1
    of_one = zip(report["weights"], report["other_weights"], strict=True)
    found: list[float] = []
    for rows in ([*report["looked"], before], *of_one):
        largest = np.max(rows, axis=0)[:seen]
        order = sorted(range(seen), key=lambda at: (at not in matter, -largest[at]))
        found += [left for n in (4, 5) for left in beside(list(rows), order[:n])]
    return found


def lengths_added(report: Document) -> Numbers:
    """The lengths of what each head adds, and of what they add together."""
    if not is_of_one_query(report):
        return []
    added = np.linalg.norm(report["head_shares"], axis=-1)
    return [*map(float, added), float(np.linalg.norm(report["output"]))]


def named_after_each_layer(report: Document) -> Numbers:
    """The largest three shares of a next word, had the model ended after each layer."""
    found: list[float] = []
    for step in ("lens_0", "lens_1", "lens_2"):
        if step in report:
            logits = report[step].reshape(-1, MODEL.n_words)[-1] / report.knob("temperature")
            exp = np.exp(logits - logits.max())
            found += sorted(exp / exp.sum())[-3:]
    return found
