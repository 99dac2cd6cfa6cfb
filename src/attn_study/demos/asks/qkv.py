"""Questions about the three projections: an entry, a score turned over, a sum, a shape."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from attn_study.attention.arrays import frozen
from attn_study.attention.projections import Projections
from attn_study.demos.asks.one_head import DRAWN, WORDS, a_head, output_from_weights
from attn_study.demos.drawing import Dice, drawn
from attn_study.demos.panels import Block, Grids, Matrices
from attn_study.demos.parts import down_the_side, grid, matrix, product, written
from attn_study.demos.question import Asked, told_apart
from attn_study.demos.setup import ONE_HEAD, Start
from attn_study.demos.working import Focus, Working
from attn_study.demos.workings.qkv import three_roles

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from attn_study.attention.trace import Trace
    from attn_study.demos.question import Question

SYMMETRIC = "what a symmetric score would be: asking and answering are two roles"
UNTOLD = "cannot be told"
A_KEY = "the number of the key: x times W^K"
A_VALUE = "the number of the value: x times W^V"
NEXT = "the other number of the query"
TURNED = "the shape in the other convention: the same numbers turned over"
BEFORE = "the score as it was before: now the other one asks"
KNOWN = (("GPT-3", 12_288, 128), ("GPT-2 small", 768, 64))


def ask_entry(seed: int) -> Asked:
    """Ask for one number of a query, given x and all three matrices."""
    return drawn("qkv.entry", seed, _fresh_entry, lambda: _entry(ONE_HEAD, 1, 1))


def _fresh_entry(dice: Dice) -> Asked | None:
    w_q, w_k, w_v = (dice.whole(-1, 2, 3, 2) for _ in range(3))
    projections = Projections.from_matrices(w_q, w_k, w_v, dice.whole(-1, 1, 2, 3))
    begin = Start(WORDS, frozen(dice.whole(0, 2, len(WORDS), 3)), projections, DRAWN)
    asked = _entry(begin, dice.one(0, len(WORDS) - 1), dice.one(0, 1))
    wrong = {name: float(value) for name, value in asked.wrong.items()}
    return asked if told_apart(float(asked.answer), wrong) else None


def _entry(begin: Start, query: int, at: int) -> Asked:
    trace = three_roles(begin)
    x = begin.x[query]
    entries = {name: trace[name].values[0, query] for name in ("query", "key", "value")}
    matrices = begin.projections
    blocks = (
        Block("W^Q", matrix(matrices.w_q[0]), "query"),
        Block("W^K", matrix(matrices.w_k[0]), "key"),
        Block("W^V", matrix(matrices.w_v[0]), "value"),
    )
    ordinal = ("first", "second")[at]
    return Asked(
        prompt=f"What is the {ordinal} number of the query of “{begin.labels[query]}”, q = x W^Q?",
        given=(Matrices(down_the_side(x), blocks),),
        answer=float(entries["query"][at]),
        wrong={
            A_KEY: float(entries["key"][at]),
            A_VALUE: float(entries["value"][at]),
            NEXT: float(entries["query"][1 - at]),
        },
        working=Working(trace, begin.weights, ""),
        focus=Focus(query),
        because=f"x · column {at + 1} of W^Q: {product(x, matrices.w_q[0, :, at])}",
        step="query",
    )


@dataclass(frozen=True, slots=True)
class _Pair:
    """Two words of a fresh head whose scores for one another differ."""

    trace: Trace
    one: int
    other: int

    @property
    def words(self) -> tuple[str, str]:
        """Their texts."""
        labels = self.trace.labels("queries")
        return labels[self.one], labels[self.other]

    def score(self, query: int, key: int) -> float:
        """Return query · key."""
        return float(self.trace["scores"].values[0, query, key])

    @property
    def both(self) -> tuple[float, float]:
        """What the one scores for the other, and back."""
        return self.score(self.one, self.other), self.score(self.other, self.one)

    @property
    def solution(self) -> Grids:
        """All scores."""
        return Grids((grid(self.trace, "scores", 0, "S = Q K^T", self.other),), "")


EXAMPLE = _Pair(three_roles(ONE_HEAD), 2, 1)


def _pair(dice: Dice) -> _Pair | None:
    begin = a_head(dice)
    one = dice.one(1, len(WORDS) - 1)
    found = _Pair(three_roles(begin), one, dice.one(0, one - 1))
    there, back = found.both
    return found if there != back and there > 0 else None


def _about_pair(name: str, make: Callable[[_Pair], Asked]) -> Question:
    def candidate(dice: Dice) -> Asked | None:
        pair = _pair(dice)
        return make(pair) if pair else None

    return lambda seed: drawn(name, seed, candidate, lambda: make(EXAMPLE))


def _back(pair: _Pair) -> Asked:
    """Ask for the score back, given all queries and keys."""
    (one, other), (there, back) = pair.words, pair.both
    trace = pair.trace
    blocks = (
        Block("Q", matrix(trace["query"].values[0]), "query"),
        Block("K", matrix(trace["key"].values[0]), "key"),
    )
    query, key = trace["query"].values[0, pair.other], trace["key"].values[0, pair.one]
    return Asked(
        prompt=(
            f"“{one}” asks “{other}” and scores {written(there)}. "
            f"What is the score when “{other}” asks “{one}”?"
        ),
        given=(Matrices(trace.labels("queries"), blocks),),
        answer=back,
        wrong={SYMMETRIC: there},
        working=Working(trace, DRAWN, ""),
        focus=Focus(pair.other),
        because=f"q of “{other}” · k of “{one}”: {product(query, key)}",
        step="scores",
        solution=(pair.solution,),
    )


def _told(pair: _Pair) -> Asked:
    """Ask what one score says about the other: nothing."""
    (one, other), (there, back) = pair.words, pair.both
    return Asked(
        prompt=(
            f"The query of “{one}” · the key of “{other}” is {written(there)}. What is the query "
            f"of “{other}” · the key of “{one}”? (a number, or: {UNTOLD})"
        ),
        given=(),
        answer=UNTOLD,
        wrong={SYMMETRIC: written(there)},
        working=Working(pair.trace, DRAWN, ""),
        focus=Focus(pair.other),
        because=f"other vectors are multiplied; in the numbers below it is {written(back)}",
        step="scores",
        solution=(pair.solution,),
    )


def _swapped(pair: _Pair) -> Asked:
    """Ask for a score after W^Q and W^K change places, given all scores before."""
    (one, other), (there, back) = pair.words, pair.both
    return Asked(
        prompt=(f"W^Q and W^K change places. What is the score when “{one}” asks “{other}” now?"),
        given=(Grids((grid(pair.trace, "scores", 0, "S = Q K^T, before", None),), ""),),
        answer=back,
        wrong={BEFORE: there},
        working=Working(pair.trace, DRAWN, ""),
        focus=Focus(pair.one),
        because=f"S is turned over: what “{other}” scored for “{one}” stands there now",
        step="scores",
        solution=(pair.solution,),
    )


def ask_shape(seed: int) -> Asked:
    """Ask for the shape of a projection in one of the two conventions."""
    dice = Dice("qkv.shape", seed)
    model, d_model, d_k = (*KNOWN, _sized(dice))[dice.one(0, len(KNOWN))]
    letter = "QKV"[dice.one(0, 2)]
    turned = dice.one(0, 1) == 1
    vector, width = {"Q": ("q", "d_k"), "K": ("k", "d_k"), "V": ("v", "d_v")}[letter]
    form = f"{vector} = W^{letter} x, x a column" if turned else f"{vector} = x W^{letter}, x a row"
    shapes = (f"{d_model}x{d_k}", f"{d_k}x{d_model}")
    answer, other = reversed(shapes) if turned else shapes
    side = "a column has W on its left" if turned else "a row has W on its right"
    return Asked(
        prompt=(
            f"{model}: d_model = {d_model:,}, {width} = {d_k} in each head. "
            f"What is the shape of W^{letter} of one head, written {form}? (such as 2x3)"
        ),
        given=(),
        answer=answer,
        wrong={TURNED: other},
        working=Working(three_roles(ONE_HEAD), ONE_HEAD.weights, ""),
        focus=Focus(-1),
        because=f"{d_model:,} numbers go in, {d_k} come out: {side}",
        step=f"w_{letter.lower()}",
    )


def _sized(dice: Dice) -> tuple[str, int, int]:
    heads, width = dice.one(2, 16), 8 * dice.one(2, 16)
    return f"A model of {heads} heads", heads * width, width


QUESTIONS: Mapping[str, Question] = {
    "entry": ask_entry,
    "transpose": _about_pair("qkv.transpose", _back),
    "told": _about_pair("qkv.told", _told),
    "swap": _about_pair("qkv.swap", _swapped),
    "sum": output_from_weights("qkv.sum", three_roles),
    "shape": ask_shape,
}
