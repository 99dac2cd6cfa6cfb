"""The screen of the trained `multihead`: where every head of a layer looks, and what it adds."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from attn_study.attention.pieces import lengths
from attn_study.demos.panels import Gap, Table, Words
from attn_study.demos.parts import two
from attn_study.demos.picking import n_heads

if TYPE_CHECKING:
    from attn_study.attention.trace import Trace
    from attn_study.demos.panels import Panel, Value
    from attn_study.demos.working import Focus, Working

MOST = 6  # words that are shown, those at which some head looks most
PLAIN = 0.5  # of its weight on one word: the head looks at it
AVERAGE = "their average"


def panels(working: Working, focus: Focus) -> tuple[Panel, ...]:
    """Return the text, the focused row of all heads, and what each adds to the word that asks."""
    trace = working.trace
    words = trace.labels("queries")
    layer = int(str(working.knobs["layer"]))
    return (
        Words(f"“{' '.join(words[1:])} …”"),
        Gap(),
        _looks(trace, focus, layer),
        Gap(),
        _adds(trace, focus, layer),
        Gap(),
        Words(_shapes(trace)),
        Words("The average is a pattern that no head has; nothing is computed from it."),
    )


def notice(trace: Trace, query: int, layer: int) -> str:
    """Return in words at which word each head of a layer looks with half its weight or more."""
    words = trace.labels("keys")
    most: dict[str, list[str]] = {}
    spread: list[str] = []
    for head, row in enumerate(trace["weights"].values[:, query], start=1):
        is_plain = row.max() >= PLAIN
        which = most.setdefault(words[int(np.argmax(row))], []) if is_plain else spread
        which.append(f"{layer}.{head}")
    told = ", ".join(f"{word} ({', '.join(which)})" for word, which in most.items())
    said = [f"looks at {told}".replace("(", "(head ", 1)] if most else []
    if spread:
        said.append(f"spreads its weight in {', '.join(spread)}")
    return f"“{words[query]}” {'; '.join(said)}"


def _looks(trace: Trace, focus: Focus, layer: int) -> Table:
    """Return the weights of every head on the words that matter, in the order of the text."""
    weights = trace["weights"].values[:, focus.query]
    average = trace["average_weights"].values[focus.query]
    largest = np.argsort(-weights.max(axis=0)[: focus.query + 1], kind="stable")[:MOST]
    shown = sorted(int(at) for at in largest)
    named = [*(f"head {layer}.{head + 1}" for head in range(n_heads(trace))), AVERAGE]
    rows: list[tuple[Value, ...]] = []
    others = ("others",) if focus.query >= MOST else ()
    for name, row in zip(named, (*weights, average), strict=True):
        few = [row[at] for at in shown]
        rows.append((name, *map(two, (*few, 1 - sum(few))[: len(shown) + len(others)])))
    tokens = trace.labels("keys")
    title = f"looking from “{trace.labels('queries')[focus.query]}”"
    columns = (title, *(tokens[at] for at in shown), *others)
    return Table(columns, tuple(rows), focus=focus.head, role="weights")


def _adds(trace: Trace, focus: Focus, layer: int) -> Table:
    """Return how long a vector each head adds, and how long their sum is."""
    shares = trace["head_shares"].values[:, focus.query]
    together = lengths(trace["output"].values)[focus.query]
    names = [f"head {layer}.{head + 1}" for head in range(n_heads(trace))]
    row: tuple[Value, ...] = ("its length", *map(two, (*lengths(shares), together)))
    return Table(("what each head adds", *names, "all together"), (row,))


def _shapes(trace: Trace) -> str:
    heads, d_v, width = trace["w_o"].values.shape
    return (
        f"{heads} heads × {d_v} numbers side by side [1×{heads * d_v}], then W^O "
        f"[{heads * d_v}×{width}]: the sum of what each adds by its own {d_v} rows"
    )
