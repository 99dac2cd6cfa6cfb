"""Counting what attention learns, line by line, in GPT-3, in GPT-2, and in any other size."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from attn_study.attention.counts import GPT_3, Architecture
from attn_study.attention.toy import split_hint
from attn_study.demos.asks.params import QUESTIONS
from attn_study.demos.demo import Demo, Knob
from attn_study.demos.panels import Gap, Panel, Table, Value
from attn_study.demos.workings.params import GPTS, LONG, counted
from attn_study.errors import UserError

if TYPE_CHECKING:
    from attn_study.attention.trace import Trace
    from attn_study.demos.working import Focus, Working

# The sizes of the first transformer, where the learner leaves one open; there A is not L.
OPEN = {"d_model": 512, "heads": 8, "layers": 6}
YOURS = "your model"
# Within these every count stays a whole number that a float64 holds exactly.
WIDEST, MOST, LONGEST = 100_000, 512, 100_000

# What a line is called, how it is made, and the step it stands in.
ALIKE = (
    ("one matrix, a head", "d · d_k", "query_matrix"),
    ("one head", "four of those", "one_head"),
)
UNLIKE = (
    ("W^Q of one head", "d · d_k", "query_matrix"),
    ("value-down of one", "d · d_v", "value_down"),
    ("one head", "twice both", "one_head"),
)
LAYERS = (
    ("one kind, a layer", "A · d · d_k", "one_kind"),
    ("attention, a layer", "A heads", "attention_layer"),
    ("attention, model", "L layers", "attention_model"),
)
VALUES = (
    ("value map, full", "d²", "full_value"),
    ("  down and up", "d · d_v · 2", "factored_value"),
    ("  times fewer", "d ÷ (2 · d_v)", "value_ratio"),
    ("  saved, model", "A · L · difference", "saved_model"),
    ("attention if full", "sum of both", "attention_if_full"),
)


def compute(*, tokens: int = LONG, mistake: str = "", **sizes: Any) -> Working:
    """Return the counts of GPT-3 and GPT-2, or of the learner's own sizes beside GPT-3.

    Raises UserError when the heads do not divide d_model. No mistake of attention can be made
    here, so `mistake` changes nothing.
    """
    own = {name: size for name, size in sizes.items() if size is not None}
    models = {YOURS: _own(own), "GPT-3": GPT_3} if own else GPTS
    working = counted(models, tokens)
    return replace(working, knobs={"tokens": tokens, **sizes})


def _own(sizes: dict[str, int]) -> Architecture:
    d, heads, layers = (sizes.get(name, size) for name, size in OPEN.items())
    if d % heads:
        raise UserError(f"d_model={d} does not split into heads={heads}", hint=split_hint(heads, d))
    return Architecture(d, heads, layers, d // heads, sizes.get("d_v", d // heads))


def panels(working: Working, focus: Focus) -> tuple[Panel, ...]:
    """Return the count line by line, and what the length of a text does to it."""
    trace = working.trace
    widths = trace["sizes"].values[:, 3:]
    head = ALIKE if (widths[:, 0] == widths[:, 1]).all() else UNLIKE
    rows = (
        *_sizes(trace),
        *_lines(trace, (*head, *LAYERS)),
        *_shares(trace),
        *_lines(trace, VALUES),
    )
    heading = ("", "", *_right(trace.labels("models"), rows))
    return (Table(heading, rows), Gap(), _lengths(trace))


def _sizes(trace: Trace) -> tuple[tuple[Value, ...], ...]:
    sizes = trace["sizes"].values
    told = (" · ".join(f"{size:,.0f}" for size in model[:3]) for model in sizes)
    widths = (
        f"{d_k:,.0f}" if d_k == d_v else f"{d_k:,.0f} and {d_v:,.0f}" for d_k, d_v in sizes[:, 3:]
    )
    return (
        ("width, heads, layers", "d · A · L", *told),
        ("width of a head", "d_k, d_v", *widths),
    )


def _lines(trace: Trace, lines: tuple[tuple[str, str, str], ...]) -> tuple[tuple[Value, ...], ...]:
    return tuple(
        (called, made, *(_count(value) for value in trace[step].values))
        for called, made, step in lines
    )


def _count(value: float) -> str:
    return f"{value:,.0f}" if float(value).is_integer() else f"{value:,.4f}"


def _shares(trace: Trace) -> tuple[tuple[Value, ...], ...]:
    """Return all that a model learns, with the part of attention; nothing where it is unknown."""
    totals, shares = trace["total"].values, trace["share"].values
    return (
        ("all it learns", "with embeddings", *(_count(n) if n else None for n in totals)),
        ("  of it attention", "", *(f"{share:.2f} %" if share else None for share in shares)),
    )


def _right(names: tuple[str, ...], rows: tuple[tuple[Value, ...], ...]) -> tuple[str, ...]:
    """Return headings that end where the numbers below them end."""
    widths = (max(len(str(row[at] or "")) for row in rows) for at in range(2, 2 + len(names)))
    return tuple(name.rjust(width) for name, width in zip(names, widths, strict=True))


def _lengths(trace: Trace) -> Table:
    """Return what a short and a long text need, of the first model."""
    model = trace.labels("models")[0]
    rows = tuple(
        (called, made, *(_count(value) for value in trace[step].values[0]))
        for called, made, step in (
            (f"{model} learns", "no n in it", "learned"),
            ("weights it computes", "A · L · n²", "computed"),
        )
    )
    return Table(("", "", *_right(trace.labels("lengths"), rows)), rows)


DEMO = Demo(
    name="params",
    knobs=(
        Knob("d_model", None, "Width of a token’s vector.", kind=int, least=1, most=WIDEST),
        Knob("heads", None, "How many heads.", kind=int, least=1, most=MOST),
        Knob("layers", None, "How many layers.", kind=int, least=1, most=MOST),
        Knob("d_v", None, "Width of values.", kind=int, least=1, most=WIDEST),
        Knob("tokens", LONG, "Length of the longer text.", kind=int, least=1, most=LONGEST),
    ),
    compute=compute,
    panels=panels,
    questions=QUESTIONS,
    examples=(
        "attn-study demo params",
        "attn-study demo params --d-model 768 --heads 12 --layers 24",
        "attn-study demo params --d-model 8 --heads 4 --d-v 2",
        "attn-study demo params --tokens 100000",
        "attn-study demo params --predict --seed 5",
    ),
)
