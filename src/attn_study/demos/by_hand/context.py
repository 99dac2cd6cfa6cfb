"""The screen of `context` by hand: a static vector, moved by what stands around it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from attn_study.demos.panels import Gap, Ledger, Panel, Row, Table, Value, Words
from attn_study.demos.parts import open_row, vector, written
from attn_study.demos.setup import TOY_WEIGHTS
from attn_study.demos.trained_or_toy import TOY, WEIGHTS
from attn_study.demos.working import Focus, Working
from attn_study.demos.workings.context import reading, winners
from attn_study.demos.workings.senses import CASES, Case

if TYPE_CHECKING:
    from attn_study.attention.trace import Trace


def compute(*, case: str = "chicken", word: str = "", mistake: str = "", **_: Any) -> Working:
    """Return the working with `word` in the gap, the other word's beside it.

    Raises UserError for a word that the case does not know.
    """
    chosen = CASES[case]
    word = word or chosen.cues[0]
    trace = reading(chosen, word, mistake=mistake)
    here, there = trace.labels("stages")[1:]
    one, other = winners(chosen, trace)
    notice = f"{chosen.subject} leans to “{one}” with “{here}”, to “{other}” with “{there}”"
    return Working(
        trace, f"{TOY_WEIGHTS} · d=4", notice, {WEIGHTS: TOY, "case": case, "word": word}
    )


def panels(working: Working, focus: Focus) -> tuple[Panel, ...]:
    """Return the sentence, what the open word reads, and how far that moves it either way."""
    trace = working.trace
    case = CASES[str(working.knobs["case"])]
    _, word, other = trace.labels("stages")
    sentence = " ".join(case.words(f"{word} | {other}"))
    return (
        Words(f"“{sentence}”"),
        Gap(),
        _reading(case, trace, word),
        Words(f"value   {_values(case, trace, (word, other))}"),
        Gap(),
        _moving(case, trace, word, other),
        Gap(),
        Words(case.about),
    )


def _reading(case: Case, trace: Trace, word: str) -> Ledger:
    masked = trace["masked_scores"].values[0, 0]
    columns = tuple("…" if token == word else token for token in trace.labels("keys"))
    scores = open_row(trace["scaled_scores"].values[0, 0], masked)
    weights = open_row(trace["weights"].values[0, 0], masked)
    rows = (
        Row("score", "q · k ÷ √2", scores, role="scores"),
        Row("weight", "same in both", weights, role="weights"),
    )
    return Ledger(f"“{case.opens}” asks", columns, rows)


def _values(case: Case, trace: Trace, cues: tuple[str, str]) -> str:
    """Return the value of each token that has one, in words; what has none shares one word."""
    told: dict[str, str] = {}
    for keys, step in (("keys", "value"), ("other_keys", "other_value")):
        for token, value in zip(trace.labels(keys), trace[step].values[0], strict=True):
            if value.any():
                told.setdefault(token, " ".join(written(float(part)) for part in value))
    order = [*(token for token in told if token not in cues), *cues]
    return "  ".join(f"{token} {told[token]}" for token in order) + "  the others 0 0"


def _moving(case: Case, trace: Trace, word: str, other: str) -> Table:
    rows: list[tuple[Value, ...]] = [
        ("static x", *vector(trace["x_queries"].values[0]), _angles(trace, 0))
    ]
    for at, (cue, prefix) in enumerate(((word, ""), (other, "other_")), start=1):
        output, residual = (trace[prefix + step].values[0] for step in ("output", "residual"))
        rows.append((f"+ read with “{cue}”", *vector(output), ""))
        rows.append(("= x + that", *vector(residual), _angles(trace, at)))
    columns = (f"“{case.opens}” [1×4]", "asks", *case.senses, "filler", "cosine to either")
    return Table(columns, tuple(rows))


def _angles(trace: Trace, at: int) -> str:
    return " ".join(written(float(cosine)) for cosine in trace["cosine"].values[at])
