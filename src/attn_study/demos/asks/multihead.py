"""Questions about many heads: what each adds, which rows are its own, how many numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attn_study.attention.arrays import frozen
from attn_study.attention.counts import Architecture
from attn_study.attention.projections import Projections
from attn_study.demos.asks.one_head import DRAWN, WORDS, asking
from attn_study.demos.asks.trained import ask_looks_of_several
from attn_study.demos.drawing import drawn
from attn_study.demos.panels import Block, Ledger, Matrices, Row
from attn_study.demos.parts import matrix, product, vector, written
from attn_study.demos.question import OUTPUT_TOLERANCE, Asked
from attn_study.demos.setup import TWO_HEADS, Start, attended, start
from attn_study.demos.working import Focus, Working
from attn_study.demos.workings.multihead import two_ways

if TYPE_CHECKING:
    from attn_study.demos.drawing import Dice
    from attn_study.demos.question import Question


def _two_heads(dice: Dice) -> Start:
    """Return four words under two heads of small whole numbers, with d_k = d_v = 2."""
    d = dice.one(4, 6)
    w_q, w_k, w_v = (dice.whole(-1, 1, d, 4) for _ in range(3))
    matrices = Projections.from_matrices(w_q, w_k, w_v, dice.whole(-2, 2, 4, d), heads=2)
    return Start(WORDS, frozen(dice.whole(0, 2, len(WORDS), d)), matrices, DRAWN)


def _working(begin: Start) -> Working:
    return Working(two_ways(begin), begin.weights, "")


def _output(begin: Start, query: int, at: int) -> Asked:
    working = _working(begin)
    trace = working.trace
    heads, rows = trace["head_output"].values[:, query], trace["w_o"].values
    shares = trace["head_shares"].values[:, query, at]
    exchanged = float(heads[0] @ rows[1, :, at] + heads[1] @ rows[0, :, at])
    own = Block("W^O", matrix(rows.reshape(-1, rows.shape[-1])), "output")
    outputs = tuple(Row(f"head {n}", "Σ weight·v", vector(row)) for n, row in enumerate(heads, 1))
    return Asked(
        prompt=f"What is number {at + 1} of the output for “{begin.labels[query]}”?",
        given=(
            Ledger(f"“{begin.labels[query]}”", (), outputs),
            Matrices(tuple(f"row {n}" for n in range(1, 5)), (own,)),
        ),
        answer=float(shares.sum()),
        tolerance=OUTPUT_TOLERANCE,
        wrong={
            "the mean of what the heads add; heads are added, not averaged": float(shares.mean()),
            "what head 1 adds, without head 2": float(shares[0]),
            "what head 2 adds, without head 1": float(shares[1]),
            "each head through the rows of the other": exchanged,
        },
        working=working,
        focus=Focus(query),
        step="output",
        because=product(heads.reshape(-1), rows[:, :, at].reshape(-1), 4),
    )


def _draw_output(dice: Dice) -> Asked:
    begin = _two_heads(dice)
    return _output(begin, dice.one(1, 3), dice.one(0, begin.projections.d_model - 1))


def _share(begin: Start, query: int, at: int) -> Asked:
    working = _working(begin)
    first, second = (float(v) for v in working.trace["head_shares"].values[:, query, at])
    whole = first + second
    word = begin.labels[query]
    return Asked(
        prompt=(
            f"Number {at + 1} of the output for “{word}” is {written(whole)}, that of head¹ · W^O "
            f"rows 1–2 is {written(first)}. What is that of head² · W^O rows 3–4?"
        ),
        given=(),
        answer=second,
        tolerance=OUTPUT_TOLERANCE,
        wrong={
            "the whole output, not the part of head 2": whole,
            "the same again, as if the heads shared evenly": first,
            "what would be missing if the output were the mean": 2 * whole - first,
        },
        working=working,
        focus=Focus(query),
        step="head_shares",
        because=f"{written(whole)} - ({written(first)}) = {written(second)}",
    )


def _draw_share(dice: Dice) -> Asked:
    begin = _two_heads(dice)
    return _share(begin, dice.one(1, 3), dice.one(0, begin.projections.d_model - 1))


def _head(begin: Start, query: int, at: int) -> Asked:
    """Ask for one number of head 2, given both patterns."""
    working = _working(begin)
    trace = working.trace
    seen = slice(0, query + 1)
    weights, values = trace["weights"].values[:, query, seen], trace["value"].values[1, seen]
    averaged = attended(begin, "average-heads")["head_output"].values[1, query, at]
    rows = (
        Row("head 1", "weights", vector(weights[0]), role="weights"),
        Row("head 2", "weights", vector(weights[1]), role="weights"),
        Row("head 2", "values", tuple(vector(value) for value in values), role="value"),
    )
    return Asked(
        prompt=f"What is the {('first', 'second')[at]} number of head 2?",
        given=(Ledger(f"“{begin.labels[query]}” asks", begin.labels[seen], rows),),
        answer=float(trace["head_output"].values[1, query, at]),
        tolerance=OUTPUT_TOLERANCE,
        wrong={
            "average-heads": float(averaged),
            "head 2 with the pattern of head 1": float(weights[0] @ values[:, at]),
        },
        working=working,
        focus=Focus(query, head=1),
        step="head_output",
    )


def _draw_head(dice: Dice) -> Asked:
    return _head(_two_heads(dice), dice.one(1, 3), dice.one(0, 1))


def _sized(d: int, heads: int) -> Working:
    return _working(start(TWO_HEADS, d_model=d, heads=heads))


def _count(d: int, heads: int) -> Asked:
    size = Architecture(d, heads, 1, d // heads, d // heads)
    return Asked(
        prompt=(
            f"d = {d}, A = {heads} heads, d_k = d_v = d/A. How many numbers do W^Q, W^K, W^V "
            "and W^O of one layer have together?"
        ),
        given=(),
        answer=float(size.attention_layer),
        wrong={
            "what heads as wide as d would have": float(size.attention_layer_if_wide),
            "the count of one head alone": float(size.head),
            "the count without W^O": float(size.attention_layer * 3 // 4),
        },
        working=_sized(d, heads),
        focus=Focus(-1),
        because=f"4 · A · d · d/A = 4 · {d}² = {size.attention_layer:,}, whatever A is",
    )


def _draw_count(dice: Dice) -> Asked:
    heads = 2 ** dice.one(1, 4)
    return _count(heads * 4 * dice.one(1, 8), heads)


def _width(d: int, heads: int) -> Asked:
    return Asked(
        prompt=f"d = {d} is shared by A = {heads} heads. How many numbers has a query of one head?",
        given=(),
        answer=float(d // heads),
        wrong={
            "the width of a token, which the heads share": float(d),
            "what all heads have in d · A": float(d * heads),
        },
        working=_sized(d, heads),
        focus=Focus(-1),
        because=f"d/A = {d}/{heads} = {d // heads}",
    )


def _draw_width(dice: Dice) -> Asked:
    heads = dice.one(2, 12)
    return _width(heads * dice.one(2, 24), heads)


def _rows(heads: int, d_v: int, head: int) -> Asked:
    first = head * d_v + 1
    answer = f"{first}–{first + d_v - 1}"
    begin = start(TWO_HEADS, d_model=heads * d_v, heads=heads)
    return Asked(
        prompt=(
            f"A = {heads} heads, d_v = {d_v}: W^O has {heads * d_v} rows. Which belong to head "
            f"{head + 1}? (first–last, counted from 1)"
        ),
        given=(),
        answer=answer,
        wrong={
            "all rows, as if W^O belonged to every head": f"1–{heads * d_v}",
            "blocks of A rows, not of d_v": f"{head * heads + 1}–{(head + 1) * heads}",
        },
        working=_working(begin),
        focus=Focus(-1, head=head),
        step="w_o",
        because=f"each head has d_v = {d_v} rows, one head after another",
    )


def ask_rows(seed: int) -> Asked:
    """Ask which rows of W^O belong to a head."""

    def candidate(dice: Dice) -> Asked | None:
        heads, d_v = dice.one(2, 6), dice.one(2, 6)
        return None if heads == d_v else _rows(heads, d_v, dice.one(1, heads - 1))

    return drawn("multihead.rows", seed, candidate, lambda: _rows(2, 3, 1))


QUESTIONS: dict[str, Question] = {
    "output": asking("multihead.output", _draw_output, lambda: _output(TWO_HEADS, 2, 0)),
    "share": asking("multihead.share", _draw_share, lambda: _share(TWO_HEADS, 2, 0)),
    "head": asking("multihead.head", _draw_head, lambda: _head(TWO_HEADS, 2, 0)),
    "count": asking("multihead.count", _draw_count, lambda: _count(512, 8)),
    "width": asking("multihead.width", _draw_width, lambda: _width(512, 8)),
    "rows": ask_rows,
    "looks": ask_looks_of_several,
}
