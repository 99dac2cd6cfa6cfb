"""Questions for counts, exact: each line of the product that makes up what attention learns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from attn_study.attention.counts import Architecture
from attn_study.demos.asks.one_head import asking, fit
from attn_study.demos.drawing import drawn
from attn_study.demos.panels import Words
from attn_study.demos.question import Asked
from attn_study.demos.working import Focus
from attn_study.demos.workings.params import FEW, GPTS, counted

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from attn_study.demos.drawing import Dice
    from attn_study.demos.question import Question

    _Count = Callable[[Architecture], int]

WIDE = "what heads as wide as d would have"
WITHOUT_UP = "the count without value up, that is W^O"


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the count: its step, what is asked, the right count, wrong ones, the way."""

    step: str
    asks: str
    right: _Count
    wrong: Mapping[str, _Count]
    way: str


LINES = {
    "matrix": Line(
        "query_matrix",
        "How many numbers has W^Q of one head?",
        lambda size: size.query,
        {
            "d × d: the W^Q of all heads of a layer": lambda size: size.query_layer,
            "the count of d_k × d_k": lambda size: size.d_k**2,
        },
        "d · d_k",
    ),
    "head": Line(
        "one_head",
        "How many numbers have the four matrices of one head?",
        lambda size: size.head,
        {
            "one of the four alone": lambda size: size.query,
            WITHOUT_UP: lambda size: size.head - size.value,
            WIDE: lambda size: 4 * size.d_model**2,
        },
        "2 · d · d_k + 2 · d · d_v",
    ),
    "kind": Line(
        "one_kind",
        "How many numbers has W^Q, all heads of one layer together?",
        lambda size: size.query_layer,
        {
            "one head alone": lambda size: size.query,
            "all four kinds together": lambda size: size.attention_layer,
            WIDE: lambda size: size.heads * size.d_model**2,
        },
        "A · d · d_k",
    ),
    "layer": Line(
        "attention_layer",
        "How many numbers has attention in one layer?",
        lambda size: size.attention_layer,
        {
            "one kind alone": lambda size: size.query_layer,
            WITHOUT_UP: lambda size: size.attention_layer - size.value_layer,
            WIDE: lambda size: size.attention_layer_if_wide,
        },
        "A · (2 · d · d_k + 2 · d · d_v), which is 4 d²",
    ),
    "model": Line(
        "attention_model",
        "How many numbers has attention in the whole model?",
        lambda size: size.attention,
        {
            "one layer alone": lambda size: size.attention_layer,
            "a layer times the heads once more, not the layers": lambda size: (
                size.heads * size.attention_layer
            ),
            WIDE: lambda size: size.layers * size.attention_layer_if_wide,
        },
        "L · 4 d²",
    ),
    "pair": Line(
        "factored_value",
        "How many numbers have value-down and value-up of one head together?",
        lambda size: size.factored_value,
        {
            "one of the two alone": lambda size: size.value,
            "a full d × d map": lambda size: size.full_value,
            "the pairs of all heads of a layer": lambda size: 2 * size.value_layer,
        },
        "2 · d · d_v",
    ),
    "saved": Line(
        "saved_model",
        "How many numbers does the whole model save with value-down and value-up in place of "
        "full d × d maps?",
        lambda size: size.saved_model,
        {
            "what one head saves": lambda size: size.saved_head,
            "what one layer saves": lambda size: size.saved_layer,
            "attention with full maps, not what is saved": lambda size: size.attention_if_full,
        },
        "A · L · (d² - 2 · d · d_v)",
    ),
}
# Both GPTs have as many heads as layers, so heads as wide as d give the digits of another line.
SAFE = ("matrix", "head", "kind", "layer", "pair")


def _size(dice: Dice) -> Architecture | None:
    """Return the sizes of a model with more or fewer layers than heads."""
    heads, width, layers = dice.one(3, 16), 8 * dice.one(1, 8), dice.one(2, 24)
    if heads == layers:
        return None
    return Architecture(heads * width, heads, layers, width, width)


def _ask(name: str, called: str, size: Architecture, leave_out: tuple[str, ...] = ()) -> Asked:
    line = LINES[name]
    right = line.right(size)
    told = f"d = {size.d_model:,}, A = {size.heads} heads, L = {size.layers} layers"
    return Asked(
        prompt=line.asks,
        given=(Words(f"{called}: {told}, d_k = d_v = d/A = {size.d_k}"),),
        answer=float(right),
        wrong={
            mistake: float(count(size))
            for mistake, count in line.wrong.items()
            if mistake not in leave_out
        },
        working=counted({called: size}),
        focus=Focus(),
        step=line.step,
        because=f"{line.way} = {right:,}",
    )


def _line(name: str) -> Question:
    """Return the question for one line, of a model made up for it."""

    def candidate(dice: Dice) -> Asked | None:
        size = _size(dice)
        return fit(_ask(name, "a model", size)) if size else None

    stored = Architecture(512, 8, 6, 64, 64)
    return lambda seed: drawn(
        f"params.{name}", seed, candidate, lambda: _ask(name, "a model", stored)
    )


def ask_gpt(seed: int) -> Asked:
    """Ask for a line of GPT-3 or GPT-2 that no wrong way can reach; seeds in a row go through."""
    called = list(GPTS)[seed % len(GPTS)]
    return _ask(SAFE[seed // len(GPTS) % len(SAFE)], called, GPTS[called], leave_out=(WIDE,))


def _tokens(size: Architecture, tokens: int) -> Asked:
    known = size.attention
    return Asked(
        prompt=f"How many does it learn when its texts are {tokens:,} tokens long?",
        given=(
            Words(f"For texts of {FEW} tokens, attention in a model learns {known:,} numbers."),
        ),
        answer=float(known),
        wrong={
            "a set of matrices for every token": float(known * tokens),
            "a count that grows with the text": float(known * tokens // FEW),
            "the weights it computes, not what it learns": float(
                size.heads * size.layers * tokens**2
            ),
        },
        working=counted({"a model": size}, tokens),
        focus=Focus(),
        step="learned",
        because="One set of matrices serves every position: no n stands in the count.",
    )


def _draw_tokens(dice: Dice) -> Asked:
    heads, width = dice.one(2, 16), 8 * dice.one(1, 8)
    size = Architecture(heads * width, heads, dice.one(2, 24), width, width)
    return _tokens(size, 2 ** dice.one(4, 12))


QUESTIONS: dict[str, Question] = {
    **{name: _line(name) for name in LINES},
    "tokens": asking(
        "params.tokens", _draw_tokens, lambda: _tokens(Architecture(512, 8, 6, 64, 64), 2048)
    ),
    "gpt": ask_gpt,
}
