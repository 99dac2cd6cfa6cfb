"""What attention learns, line by line, for one architecture or several beside each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attn_study.attention.counts import GPT_2_SMALL, GPT_3, percent
from attn_study.attention.trace import Trace
from attn_study.demos.working import Working

if TYPE_CHECKING:
    from attn_study.attention.counts import Architecture

GPTS = {"GPT-3": GPT_3, "GPT-2 small": GPT_2_SMALL}
FEW = 3  # tokens, beside the length that is asked for
LONG = 2048  # tokens, the longest text of GPT-3

# Name, property of an architecture, and how it is made from what is above it.
LINES = (
    ("query_matrix", "query", "d · d_k: W^Q of one head; W^K has as many"),
    ("value_down", "value", "d · d_v: value-down of one head; value-up has as many"),
    ("one_head", "head", "2 · d · d_k + 2 · d · d_v: the four matrices of one head"),
    ("one_kind", "query_layer", "A · d · d_k: the W^Q of all heads of a layer"),
    ("attention_layer", "attention_layer", "A heads: attention in one layer"),
    ("attention_model", "attention", "L layers: attention in the whole model"),
    ("full_value", "full_value", "d²: a value map of one head that is not factored"),
    ("factored_value", "factored_value", "2 · d · d_v: value-down and value-up"),
    ("value_ratio", "value_ratio", "d ÷ (2 · d_v): how many times fewer"),
    ("saved_model", "saved_model", "A · L · (d² - 2 · d · d_v): saved in the whole model"),
    ("attention_if_full", "attention_if_full", "attention, were every value map d × d"),
)
SIZES = ("d_model", "heads", "layers", "d_k", "d_v")


def counted(models: dict[str, Architecture], tokens: int = LONG) -> Working:
    """Return the counts of architectures by name, one step a line, each (models).

    Before them stand the `sizes`, (models, sizes); after them the `total` of all that is learned
    and the `share` of attention in it, in percent, both 0 where the total is not known; then
    `learned` and `computed`, (models, lengths): what must be learned for 3 and for `tokens`
    tokens, and how many weights are computed for them. Every count is exact.
    """
    named, labels = ("models",), {"models": tuple(models)}
    known = list(models.values())
    each = [[getattr(model, size) for size in SIZES] for model in known]
    trace = Trace().add(
        "sizes", ("models", "sizes"), each, "what the model is made of", {**labels, "sizes": SIZES}
    )
    for name, line, says in LINES:
        values = [float(getattr(model, line)) for model in known]
        trace = trace.add(name, named, values, says, labels)
    trace = _added_total(trace, models)
    lengths = (FEW, tokens)
    along = {**labels, "lengths": tuple(f"{n:,} tokens" for n in lengths)}
    learned = [[model.attention for _ in lengths] for model in known]
    computed = [[model.heads * model.layers * n * n for n in lengths] for model in known]
    trace = trace.add(
        "learned", (*named, "lengths"), learned, "one set of matrices serves every token", along
    ).add(
        "computed", (*named, "lengths"), computed, "A · L · n² weights, made anew each time", along
    )
    total = known[0].attention
    notice = f"{total:,} numbers for {FEW} tokens, and the same ones for {tokens:,}"
    return Working(trace, "exact counts", notice)


def _added_total(trace: Trace, models: dict[str, Architecture]) -> Trace:
    sizes = list(models.values())
    totals = [model.total if model.vocabulary else 0 for model in sizes]
    shares = [
        percent(model.attention, total) if total else 0.0
        for model, total in zip(sizes, totals, strict=True)
    ]
    labels = {"models": tuple(models)}
    return trace.add(
        "total", ("models",), totals, "all: embeddings, attention, MLP, biases, norms", labels
    ).add("share", ("models",), shares, "attention ÷ total, in percent", labels)
