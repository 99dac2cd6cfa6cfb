"""From text to the next word: parts of words, vectors, layers, and the last vector."""

from __future__ import annotations

from typing import Any

import numpy as np

from attn_study.demos.demo import Demo, Focus, Knob, Working
from attn_study.demos.drawing import Dice
from attn_study.demos.layers import FEATURES, LAYERS, run
from attn_study.demos.panels import Gap, Ledger, Panel, Row, Table, Value, Words
from attn_study.demos.parts import vector
from attn_study.demos.question import WEIGHT_TOLERANCE, Asked
from attn_study.demos.readings import CASES
from attn_study.demos.setup import BY_HAND
from attn_study.errors import UserError, near


def compute(
    *,
    case: str = "keys",
    word: str = "",
    layers: int = 2,
    temperature: float = 1.0,
    off: str = "",
    mistake: str = "",
    **_: Any,
) -> Working:
    """Return the working of the stack on one reading of a case.

    Raises UserError for a word the case does not know, and for a head that there is not.
    """
    chosen = CASES[case]
    word = word or next(iter(chosen.readings))
    if word not in chosen.readings:
        known = list(chosen.readings)
        hint = near(word, known) or "one of: " + ", ".join(known)
        raise UserError(f"the case {case!r} has no reading {word!r}", hint=hint)
    tokens, vectors = zip(*chosen.readings[word], strict=True)
    silent = _head(off, layers)
    trace = run(
        tokens,
        vectors,
        chosen.words,
        layers=layers,
        temperature=temperature,
        off=silent,
        mistake=mistake,
    )
    likely = chosen.words[int(np.argmax(trace["next_word"].values))]
    share = float(trace["next_word"].values.max())
    notice = f"the last vector alone gives the next word: “{likely}”, {share:.2f}"
    knobs: dict[str, Any] = {
        "case": case,
        "word": word,
        "layers": layers,
        "temperature": temperature,
        "off": off,
    }
    return Working(trace, f"{BY_HAND} · d=8", notice, knobs)


def _head(off: str, layers: int) -> int:
    """Return the layer whose only head is switched off, 0 for none."""
    if not off:
        return 0
    heads = {f"{number}.1": number for number in range(1, len(LAYERS) + 1)}
    if off not in heads:
        raise UserError(f"there is no head {off!r}", hint="one of: " + ", ".join(heads))
    if heads[off] > layers:
        raise UserError(f"head {off} is off already: only {layers} of the layers run")
    return heads[off]


def panels(working: Working, focus: Focus) -> tuple[Panel, ...]:
    """Return text and tokens, the last token's residual line, what it reads, the next word."""
    trace = working.trace
    tokens = trace.labels("tokens")
    text = "".join(token[1:] if token.startswith("+") else f" {token}" for token in tokens).strip()
    parts = sum(token.startswith("+") for token in tokens)
    layers = int(str(working.knobs["layers"]))
    at = focus.query
    count = len(tokens)
    lines = (
        Words(f"text    {text} …"),
        Words(f"tokens  {'  '.join(tokens)}      {count} tokens, {parts} are parts of words"),
    )
    return (
        *lines,
        Gap(),
        _residual(working, at, layers),
        Gap(),
        *_reading(working, at, layers),
        _next(working),
        Words(
            f"every block takes [{count}×8] and gives [{count}×8], so blocks "
            "stack; only the last row feeds the next word"
        ),
    )


def _residual(working: Working, at: int, layers: int) -> Table:
    trace = working.trace
    token = trace.labels("tokens")[at]
    rows: list[tuple[Value, ...]] = [
        ("token vector", *vector(trace["token_vectors"].values[at])),
        ("+ position", *vector(trace["positions"].values[at])),
    ]
    for number in range(1, layers + 1):
        rows.append((f"+ attention {number}", *vector(trace[f"attention_{number}"].values[at])))
        rows.append((f"+ MLP {number}", *vector(trace[f"mlp_{number}"].values[at])))
    last = f"residual_{layers}" if layers else "x"
    rows.append((f"= after layer {layers}", *vector(trace[last].values[at])))
    return Table((f"“{token}” [1×8]", *FEATURES), tuple(rows), digits=2, focus=len(rows) - 1)


def _reading(working: Working, at: int, layers: int) -> tuple[Panel, ...]:
    trace = working.trace
    tokens = trace.labels("tokens")
    if not layers:
        return ()
    rows = tuple(
        Row(
            f"layer {number}",
            "weight",
            tuple(
                float(w) if key <= at else None
                for key, w in enumerate(trace[f"weights_{number}"].values[at])
            ),
            role="weights",
            digits=2,
        )
        for number in range(1, layers + 1)
    )
    return (Ledger(f"“{tokens[at]}” reads", tokens, rows), Gap())


def _next(working: Working) -> Ledger:
    trace = working.trace
    rows = (
        Row("logit", "2·→A 2·→B one one", vector(trace["logits"].values), digits=2),
        Row(
            "share",
            "softmax",
            vector(trace["next_word"].values),
            role="weights",
            digits=2,
            bars=True,
        ),
    )
    return Ledger("next word", trace.labels("words"), rows)


def ask_row(seed: int) -> Asked:
    """Ask which row of the last layer feeds the next word."""
    name = list(CASES)[seed % len(CASES)]
    working = compute(case=name)
    tokens = working.trace.labels("tokens")
    return Asked(
        prompt="Which row of the last layer feeds the next word? (counted from 1)",
        given=(Words("tokens  " + "  ".join(tokens)),),
        answer=str(len(tokens)),
        wrong={"the first row, not the last": "1", "all of them": "all"},
        working=working,
        focus=Focus(len(tokens) - 1),
        step="last",
    )


def ask_next(seed: int) -> Asked:
    """Ask for the next word after one word was changed."""
    dice = Dice("stack.next", seed)
    name = list(CASES)[dice.one(0, len(CASES) - 1)]
    case = CASES[name]
    word = list(case.readings)[dice.one(0, 1)]
    working = compute(case=name, word=word)
    text = " ".join(token for token, _ in case.readings[word]).replace(" +", "")
    right = case.words[int(np.argmax(working.trace["next_word"].values))]
    other = next(one for one in case.words[:2] if one != right)
    return Asked(
        prompt=f"“{text} …” Which word comes next: {', '.join(case.words)}?",
        given=(),
        answer=right,
        wrong={"what the other reading would give": other},
        working=working,
        focus=Focus(len(case.readings[word]) - 1),
        step="next_word",
    )


def ask_share(seed: int) -> Asked:
    """Ask for the share of a word, given the logits and a temperature."""
    dice = Dice("stack.share", seed)
    warm = dice.one(1, 3)
    logits = dice.whole(0, 3, 4)
    at = int(np.argmax(logits))
    working = compute(case="keys", temperature=float(warm))
    words = CASES["keys"].words
    exp = np.exp(logits / warm)
    cold = np.exp(logits)
    return Asked(
        prompt=f"Temperature {warm}: what share does “{words[at]}” get?",
        given=(Ledger("next word", words, (Row("logit", "", vector(logits)),)),),
        answer=float(exp[at] / exp.sum()),
        tolerance=WEIGHT_TOLERANCE,
        wrong={"the share at temperature 1": float(cold[at] / cold.sum())} if warm > 1 else {},
        working=working,
        focus=Focus(-1),
        because="softmax(logits ÷ temperature)",
        step="next_word",
    )


DEMO = Demo(
    name="stack",
    knobs=(
        Knob("case", "keys", "A prepared text.", choices=tuple(CASES)),
        Knob("word", "", "Its reading: keys or key, chicken or road, pond or money."),
        Knob("layers", len(LAYERS), "How many layers run.", kind=int, least=0, most=len(LAYERS)),
        Knob("temperature", 1.0, "Divides the logits.", kind=float, least=0.05, most=100),
        Knob("off", "", "Switch a head off: LAYER.HEAD, such as 2.1."),
    ),
    compute=compute,
    panels=panels,
    questions={"row": ask_row, "next": ask_next, "share": ask_share},
    mistakes=("no-scale", "no-mask", "no-softmax"),
    focus=Focus(query=-1),
    examples=(
        "attn-study demo stack",
        "attn-study demo stack --word key",
        "attn-study demo stack --off 2.1",
        "attn-study demo stack --layers 1 --temperature 2",
        "attn-study demo stack --predict",
    ),
)
