"""The screen of `stack` by hand: parts of words, vectors, layers, and the last vector."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attn_study.demos.panels import Gap, Ledger, Panel, Role, Row, Words
from attn_study.demos.parts import vector, written
from attn_study.demos.workings.layers import FEATURES

if TYPE_CHECKING:
    from attn_study.attention.arrays import Array
    from attn_study.attention.trace import Trace
    from attn_study.demos.working import Focus, Working


def panels(working: Working, focus: Focus) -> tuple[Panel, ...]:
    """Return text and tokens, a token's residual line, what it reads, the next word."""
    trace = working.trace
    tokens = trace.labels("tokens")
    text = "".join(token[1:] if token.startswith("+") else f" {token}" for token in tokens)
    parts = "   (+ continues a word)" if any(token.startswith("+") for token in tokens) else ""
    layers = int(str(working.knobs["layers"]))
    count = len(tokens)
    return (
        Words(f"text      {text.strip()} …"),
        Words(f"{count} tokens  {' '.join(tokens)}{parts}"),
        Gap(),
        _residual(trace, focus.query, layers),
        Gap(),
        *_reading(trace, focus.query, layers),
        _next(working),
        Words(
            f"each block: [{count}×8] in, [{count}×8] out, so they stack; only row {count} is read"
        ),
    )


def _residual(trace: Trace, at: int, layers: int) -> Ledger:
    rows = [
        _line("token vector", trace["token_vectors"].values[at], "x"),
        _line("+ position", trace["positions"].values[at], "x"),
    ]
    for number in range(1, layers + 1):
        for name, step in (("attention", "attention"), ("MLP", "mlp")):
            rows.append(_line(f"+ {name} {number}", trace[f"{step}_{number}"].values[at]))
    last = trace[f"residual_{layers}" if layers else "x"].values[at]
    rows.append(_line(f"= after layer {layers}", last, "output"))
    return Ledger(f"“{trace.labels('tokens')[at]}” [1×8]", FEATURES, tuple(rows))


def _line(name: str, values: Array, role: Role = "") -> Row:
    return Row(name, "", vector(values), role=role, digits=2)


def _reading(trace: Trace, at: int, layers: int) -> tuple[Ledger, ...]:
    if not layers:
        return ()
    tokens = trace.labels("tokens")
    rows = tuple(
        Row(
            f"in layer {number}",
            "",
            tuple(
                float(weight) if key <= at else None
                for key, weight in enumerate(trace[f"weights_{number}"].values[at])
            ),
            role="weights",
        )
        for number in range(1, layers + 1)
    )
    return (Ledger(f"“{tokens[at]}” reads", tokens, rows),)


def _next(working: Working) -> Ledger:
    trace = working.trace
    degrees = float(str(working.knobs["temperature"]))
    how = "softmax" if degrees == 1 else f"softmax(logit ÷ {written(degrees, 2)})"
    rows = (
        Row("logit", "→A  →B  one  one", vector(trace["logits"].values)),
        Row("share", how, vector(trace["next_word"].values), role="weights", bars=True),
    )
    return Ledger("next word", trace.labels("words"), rows)
