"""The formula of one focused cell, in its numbers, for each step that has one.

A formula is shown only when it gives the number in the trace: under a mistake that replaced the
stage it would not, and then none is shown. A product with a matrix that the trace does not hold
is named, not written out.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from attn_study.demos.parts import temperature_of, written
from attn_study.demos.picking import asks_axis, key_of, name, pick, within

if TYPE_CHECKING:
    from collections.abc import Callable

    from attn_study.attention.arrays import Array
    from attn_study.attention.trace import Trace
    from attn_study.demos.working import Focus

MOST_TERMS = 6  # of a sum written out; a longer one keeps its first and its last
WHOLE = 1e-9
SCORES = ("tempered_scores", "scaled_scores", "scores")  # the first there is goes into the mask


def formula(trace: Trace, step: str, focus: Focus) -> str:
    """Return how the focused cell of a step is made, such as `score = q · k = 2·2 + 1·0 = 4`.

    The cell is that of the focused query and head, and of the key in focus: where none is, of the
    one that weighs most.
    Nothing for a step that has no formula here, or whose numbers were made in another way.
    """
    maker = _MAKERS.get(step)
    if maker is None or step not in trace:
        return ""
    at = within(trace, focus)
    made = maker(_Cell(trace, at.query, at.head, key_of(trace, at)))
    return made or ""


def _vector(values: Array) -> str:
    """Write a vector in one way: all its numbers whole, or all with four decimals."""
    whole = bool((np.abs(values - np.round(values)) < WHOLE).all())
    shown = [written(value) if whole else f"{value + 0.0:.4f}" for value in values]
    return f"({', '.join(_shortened(shown))})"


@dataclass(frozen=True, slots=True)
class _Cell:
    """One query, head and key of a trace."""

    trace: Trace
    query: int
    head: int
    key: int

    def row(self, step: str) -> Array:
        """Return what a step has for this query and head."""
        at = self.query
        return pick(self.trace[step], heads=self.head, tokens=at, queries=at, moments=at)

    def at_key(self, step: str) -> Array:
        """Return what a step has for this key and head, and for this query where it has one."""
        return pick(
            self.trace[step],
            heads=self.head,
            keys=self.key,
            tokens=self.key,
            queries=self.query,
            moments=self.query,
        )

    def value(self, step: str) -> float:
        """Return the number of a step at this query, head and key."""
        return float(self.at_key(step))

    def has(self, *steps: str) -> bool:
        """Return whether the trace has all these steps."""
        return all(step in self.trace for step in steps)


def _scores(cell: _Cell) -> str | None:
    if cell.has("query", "key"):
        return _dot("score = q · k", cell.row("query"), cell.at_key("key"), cell.value("scores"))
    if cell.has("x"):
        asks, answers = cell.row("x"), cell.at_key("x")
        return _dot("score = x · x", asks, answers, cell.value("scores"))
    return None


def _scaled(cell: _Cell) -> str | None:
    if not cell.has("scores"):
        return None
    score, scaled = cell.value("scores"), cell.value("scaled_scores")
    d_k = cell.trace.sizes.get("d_k", 0)
    if d_k and _same(scaled, score / math.sqrt(d_k)):
        return f"scaled = {written(score)} ÷ √{d_k} = {written(scaled)}"
    if _same(scaled, score):
        return f"scaled = {written(score)}, not divided"
    return _quotient("scaled", score, score / scaled if scaled else 0.0, scaled)


def _tempered(cell: _Cell) -> str | None:
    scaled, tempered = cell.value("scaled_scores"), cell.value("tempered_scores")
    return _quotient("tempered", scaled, temperature_of(cell.trace), tempered)


def _masked(cell: _Cell) -> str | None:
    row = cell.row("masked_scores")
    if not _same_row(row[np.isfinite(row)], cell.row(_before_mask(cell))[np.isfinite(row)]):
        return None
    hidden = [name(cell.trace, "keys", int(at)) for at in np.flatnonzero(np.isneginf(row))]
    asks = name(cell.trace, asks_axis(cell.trace), cell.query)
    if not hidden:
        return f"{asks} may look at every key: its scores stay as they are"
    return f"{asks} may not look at {', '.join(_shortened(hidden))}: -∞ there"


def _exp(cell: _Cell) -> str | None:
    into = "masked_scores" if cell.has("masked_scores") else "scaled_scores"
    score, exp = cell.value(into), cell.value("exp")
    if not math.isfinite(score):
        return "exp(-∞) = 0" if exp == 0 else None
    if score < 700 and _same(exp, math.exp(score)):
        return f"exp({written(score)}) = {written(exp)}"
    most = float(cell.row(into).max())
    if _same(exp, math.exp(min(score - most, 0.0))):
        return f"exp({written(score)} - {written(most)}) = {written(exp)}, the largest taken off"
    return None


def _row_sum(cell: _Cell) -> str | None:
    exp = cell.row("exp")
    axes = cell.trace["row_sum"].axes
    total = float(cell.row("row_sum")) if asks_axis(cell.trace) in axes else math.nan
    if not _same(total, float(exp.sum())):
        return None
    return f"sum = {_plus([written(part) for part in exp])} = {written(total)}"


def _weights(cell: _Cell) -> str | None:
    if not cell.has("exp", "row_sum"):
        return None
    total = float(cell.at_key("row_sum"))
    return _quotient("weight", cell.value("exp"), total, cell.value("weights"))


def _terms(cell: _Cell) -> str | None:
    weight, term = cell.value("weights"), cell.at_key("terms")
    value = cell.at_key("value" if cell.has("value") else "x")
    if not _same_row(weight * value, term):
        return None
    return f"{written(weight)} · {_vector(value)} = {_vector(term)}"


def _sum_of_terms(step: str, label: str) -> Callable[[_Cell], str | None]:
    def made(cell: _Cell) -> str | None:
        if not cell.has("terms"):
            return None
        terms, total = cell.row("terms"), cell.row(step)
        if not _same_row(terms.sum(axis=0), total):
            return None
        return f"{label} = {_plus([_vector(term) for term in terms])} = {_vector(total)}"

    return made


def _concat(cell: _Cell) -> str | None:
    heads = [
        pick(cell.trace["head_output"], heads=at, queries=cell.query)
        for at in range(cell.trace.sizes.get("heads", 1))
    ]
    if not _same_row(np.concatenate(heads), cell.row("concat")):
        return None
    return f"{' ⊕ '.join(_vector(head) for head in heads)} = {_vector(cell.row('concat'))}"


def _output(cell: _Cell) -> str | None:
    if not cell.has("concat"):
        return _sum_of_terms("output", "output")(cell)
    if not cell.has("w_o"):
        return None
    column = cell.trace["w_o"].values[..., 0].reshape(-1)
    return _dot("first number = row · column 1 of W^O", cell.row("concat"), column,
                float(cell.row("output")[0]))  # fmt: skip


def _residual(cell: _Cell) -> str | None:
    if cell.has("before"):
        return _of_a_layer(cell)
    source = "x" if cell.has("x") else "x_queries"
    if not cell.has(source, "output"):
        return None
    x, output, total = (cell.row(step) for step in (source, "output", "residual"))
    if not _same_row(x + output, total):
        return None
    return f"x + output = {_vector(x)} + {_vector(output)} = {_vector(total)}"


def _of_a_layer(cell: _Cell) -> str | None:
    """Return the stream before a layer and what each part of the layer adds to it."""
    parts = [step for step in ("before", "output", "attention", "mlp") if cell.has(step)]
    rows, total = [cell.row(step) for step in parts], cell.row("residual")
    if not _same_row(np.sum(rows, axis=0), total):
        return None
    return f"{' + '.join(parts)} = {_plus([_vector(row) for row in rows])} = {_vector(total)}"


def _projected(step: str, letter: str, matrix: str) -> Callable[[_Cell], str | None]:
    """Return the maker for a row times a matrix: its first number, where the matrix is known."""

    def made(cell: _Cell) -> str | None:
        at = cell.row if step == "query" else cell.at_key
        sources = ("x", "normed", "x_queries" if step == "query" else "x_keys")
        source = next((each for each in sources if cell.has(each)), "")
        upper = f"W^{matrix[-1].upper()}"
        if not source:
            return None
        if not cell.has(matrix):
            return f"{letter} = x {upper} = {_vector(at(source))} {upper} = {_vector(at(step))}"
        column = pick(cell.trace[matrix], heads=cell.head)[:, 0]
        asks = "normed" if source == "normed" else "x"
        label = f"first number of {letter} = {asks} · column 1 of {upper}"
        return _dot(label, at(source), column, float(at(step)[0]))

    return made


def _before_mask(cell: _Cell) -> str:
    return next(step for step in SCORES if cell.has(step))


def _dot(label: str, left: Array, right: Array, result: float) -> str | None:
    if left.shape != right.shape or not _same(float(left @ right), result):
        return None
    products = [f"{_factor(a)}·{_factor(b)}" for a, b in zip(left, right, strict=True)]
    return f"{label} = {_plus(products)} = {written(result)}"


def _quotient(label: str, top: float, bottom: float, result: float) -> str | None:
    if not bottom or not _same(top / bottom, result):
        return None
    return f"{label} = {written(top)} ÷ {_factor(bottom)} = {written(result)}"


def _factor(value: float) -> str:
    return f"({written(value)})" if value < 0 else written(value)


def _plus(parts: list[str]) -> str:
    return " + ".join(_shortened(parts))


def _shortened(parts: list[str]) -> list[str]:
    if len(parts) <= MOST_TERMS:
        return parts
    return [*parts[: MOST_TERMS - 2], "…", parts[-1]]


def _same(one: float, other: float) -> bool:
    return math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-9)


def _same_row(one: Array, other: Array) -> bool:
    return one.shape == other.shape and bool(np.allclose(one, other, rtol=1e-9, atol=1e-9))


_MAKERS: dict[str, Callable[[_Cell], str | None]] = {
    "query": _projected("query", "q", "w_q"),
    "key": _projected("key", "k", "w_k"),
    "value": _projected("value", "v", "w_v"),
    "scores": _scores,
    "scaled_scores": _scaled,
    "tempered_scores": _tempered,
    "masked_scores": _masked,
    "exp": _exp,
    "row_sum": _row_sum,
    "weights": _weights,
    "terms": _terms,
    "head_output": _sum_of_terms("head_output", "head"),
    "concat": _concat,
    "output": _output,
    "residual": _residual,
}
