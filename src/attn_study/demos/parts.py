"""Panels made from the steps of a trace: what most lessons show."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from attn_study.attention.stages import CALM
from attn_study.demos.panels import Block, Grid, Matrices, Role, Row

if TYPE_CHECKING:
    from attn_study.attention.arrays import Array
    from attn_study.attention.trace import Trace
    from attn_study.demos.panels import Value
    from attn_study.demos.working import Focus

Matrix = tuple[tuple[float, ...], ...]

MOST_PRODUCTS = 4  # of a dot product written out; of a longer one the first and the last


def matrix(values: Array) -> Matrix:
    """Return a two-dimensional array as rows of numbers."""
    return tuple(tuple(float(value) for value in row) for row in values)


def down_the_side(x: Array) -> tuple[str, ...]:
    """Return the numbers of a row vector as labels for the rows of the matrix it meets."""
    return tuple(
        f"x{'₁₂₃₄₅₆₇₈₉'[at] if at < 9 else at + 1} = {written(float(value), 2)}"
        for at, value in enumerate(x)
    )


def vector(values: Array) -> tuple[float, ...]:
    """Return a one-dimensional array as numbers."""
    return tuple(float(value) for value in values)


def written(value: float, digits: int = 4) -> str:
    """Return a number as the panels show it: whole where it is whole, never `-0`."""
    if abs(value - round(value)) < 1e-9:
        return str(round(value))
    return f"{value:.{digits}f}"


def two(value: float | None) -> str:
    """Return a share or a cosine with two decimals, `·` for what may not be seen; never `-0.00`."""
    return "·" if value is None else f"{round(float(value), 2) + 0:.2f}"


def product(left: Array, right: Array, digits: int = 2) -> str:
    """Return a dot product in its numbers: `2·2 + 1·0 = 4`; a long one without its middle."""
    pairs = [f"{_factor(a, digits)}·{_factor(b, digits)}" for a, b in zip(left, right, strict=True)]
    if len(pairs) > MOST_PRODUCTS:
        pairs = [pairs[0], "…", pairs[-1]]
    return f"{' + '.join(pairs)} = {written(float(left @ right))}"


def few(values: Array, most: int = 4) -> Value:
    """Return a vector for a cell of a table: all its numbers, or the first two and the last."""
    if len(values) <= most:
        return vector(values)
    first, second, last = (f"{value:.2f}" for value in (values[0], values[1], values[-1]))
    return f"{first} {second} … {last}"


def _factor(value: float, digits: int) -> str:
    text = written(float(value), digits)
    return f"({text})" if text.startswith("-") else text


def roles(trace: Trace, focus: Focus, first: str = "x") -> Matrices:
    """Return x, Q, K and V of the focused head side by side, one row a token."""
    head = focus.head
    blocks = (
        Block("X", matrix(trace[first].values), "x", focus.query),
        Block("Q = X W^Q", matrix(trace["query"].values[head]), "query"),
        Block("K = X W^K", matrix(trace["key"].values[head]), "key"),
        Block("V = X W^V", matrix(trace["value"].values[head]), "value"),
    )
    return Matrices(trace.labels("queries"), blocks)


def pattern(trace: Trace, head: int, title: str = "", query: int | None = None) -> Grid:
    """Return the weights of one head as a grid; what may not be seen is empty."""
    step = "weights" if "weights" in trace else "scores"
    return grid(trace, step, head, title, query, role="weights")


def grid(
    trace: Trace, step: str, head: int, title: str, query: int | None, role: Role = "scores"
) -> Grid:
    """Return one step of queries by keys as a grid; masked cells are empty."""
    values = _of_head(trace, step, head)
    hidden = np.zeros_like(values, dtype=bool)
    if "masked_scores" in trace and step != "scores":
        hidden = np.isneginf(_of_head(trace, "masked_scores", head))
    cells = tuple(
        tuple(None if out else float(value) for value, out in zip(row, gone, strict=True))
        for row, gone in zip(values, hidden, strict=True)
    )
    return Grid(title, trace.labels("queries"), trace.labels("keys"), cells, role, query)


def _of_head(trace: Trace, step: str, head: int) -> Array:
    values = trace[step].values
    return values[head] if trace[step].axes[0] == "heads" else values


def stages(trace: Trace, focus: Focus, d_k: int) -> tuple[Row, ...]:
    """Return the focused query's way from scores to weights, one row a stage."""
    head, query = focus.head, focus.query
    raw = trace["scores"].values[head, query]
    masked = trace["masked_scores"].values[head, query]
    seen = ~np.isneginf(masked)
    q, k = trace["query"].values[head, query], trace["key"].values[head, int(np.argmax(raw))]
    exp = np.where(seen, trace["exp"].values[head, query], np.nan)
    weights = np.where(seen, trace["weights"].values[head, query], np.nan)
    scaled = vector(trace["scaled_scores"].values[head, query])
    tempered = _tempered(trace, head, query)
    return (
        Row("score", "q · k", vector(raw), product(q, k), "scores"),
        Row("scaled", f"÷ √{d_k}", scaled, "", "scores"),
        *tempered,
        Row("mask", "may it look?", tuple("yes" if may else "·" for may in seen)),
        Row(
            "exp",
            exponent(masked, tempered[0].name if tempered else "scaled"),
            _open(exp),
            f"sum {trace['row_sum'].values[head, query]:.4f}",
        ),
        Row(
            "weight",
            "exp ÷ sum",
            _open(weights),
            f"sum {np.nansum(weights):.4f}",
            "weights",
            bars=True,
        ),
    )


def temperature_of(trace: Trace) -> float:
    """Return what the scaled scores were divided by; 1 where that cannot be told from them."""
    if "tempered_scores" not in trace:
        return 1.0
    before, after = (
        trace[name].values.reshape(-1) for name in ("scaled_scores", "tempered_scores")
    )
    at = int(np.argmax(np.abs(before)))
    return float(before[at] / after[at]) if after[at] else 1.0


def _tempered(trace: Trace, head: int, query: int) -> tuple[Row, ...]:
    """Return the row of what the temperature makes of the scores, where there is one."""
    if "tempered_scores" not in trace:
        return ()
    values = vector(trace["tempered_scores"].values[head, query])
    return (Row("tempered", f"÷ {temperature_of(trace):g}", values, "", "scores"),)


def exponent(masked: Array, name: str = "scaled") -> str:
    """Return how exp is made of a row of masked scores: `e^scaled`, or with the largest taken off.

    That happens where the largest is beyond ±50: `e^(scaled - 62.1)`.
    """
    most = float(masked.max())
    if not CALM < abs(most) < np.inf:
        return f"e^{name}"
    return f"e^({name} {'-' if most > 0 else '+'} {written(abs(most), 1)})"


def open_row(values: Array, masked: Array) -> tuple[float | None, ...]:
    """Return a row of numbers with nothing where its masked score is -∞."""
    return tuple(
        None if out else float(value)
        for value, out in zip(values, np.isneginf(masked), strict=True)
    )


def _open(values: Array) -> tuple[float | None, ...]:
    """Return numbers with nothing where a query may not look."""
    return tuple(None if np.isnan(value) else float(value) for value in values)


def shares(trace: Trace, focus: Focus) -> Row:
    """Return weight × value for each key of the focused query."""
    terms = trace["terms"].values[focus.head, focus.query]
    hidden = np.isneginf(trace["masked_scores"].values[focus.head, focus.query])
    values = tuple(None if out else vector(term) for term, out in zip(terms, hidden, strict=True))
    return Row("times v", "weight × v", values, role="value")
