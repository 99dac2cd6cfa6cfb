"""Questions about cross-attention: whose rows, whose columns, whose keys, which weight."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attn_study.attention import examples
from attn_study.attention.arrays import frozen
from attn_study.attention.projections import Projections
from attn_study.attention.toy import vectors
from attn_study.demos.asks.one_head import DRAWN, WORDS, asking
from attn_study.demos.drawing import Dice, drawn
from attn_study.demos.panels import Grids, Words
from attn_study.demos.parts import grid
from attn_study.demos.question import WEIGHT_TOLERANCE, Asked
from attn_study.demos.setup import ONE_HEAD, TOY_WEIGHTS
from attn_study.demos.working import Focus, Working
from attn_study.demos.workings.cross import Pair, Side, crossed

if TYPE_CHECKING:
    from attn_study.demos.question import Question

EXAMPLE = Pair(
    Side(examples.TARGET_TOKENS, examples.Y),
    Side(ONE_HEAD.labels, ONE_HEAD.x),
    ONE_HEAD.projections,
    TOY_WEIGHTS,
)
ASKING = ("das", "Huhn", "lief", "weg", "und", "kam", "nie", "an")
ANSWERING = (*WORDS, "road", "and", "never", "came", "back")
LANGUAGES = (("English", "German"), ("French", "Dutch"), ("Latin", "Spanish"), ("Greek", "Welsh"))
# What is asked about, and whether the sequence that asks is where it comes from.
SOURCES = (
    ("the queries", True),
    ("the keys", False),
    ("the values", False),
    ("the rows of the output", True),
    ("the columns of the weights", False),
)
OF_SCORES = ("no-scale", "scale-d-k", "scale-d-model", "softmax-columns")


def _working(pair: Pair) -> Working:
    return Working(crossed(pair), pair.weights, "")


def _of_lengths(n_asks: int, n_answers: int) -> Pair:
    """Return a pair of so many words, under the projections of the worked example."""
    asks, answers = (
        Side(words, vectors(words, ONE_HEAD.projections.d_model, 0))
        for words in (ASKING[:n_asks], ANSWERING[:n_answers])
    )
    return Pair(asks, answers, ONE_HEAD.projections, DRAWN)


def _setting(n_asks: int, n_answers: int) -> tuple[Words, ...]:
    text = f"{n_asks} target tokens ask, {n_answers} source tokens answer."
    return (Words(text),)


def _shape(n_asks: int, n_answers: int) -> Asked:
    return Asked(
        prompt="What shape have the weights of one head? (rows x columns, such as 12x5)",
        given=_setting(n_asks, n_answers),
        answer=f"{n_asks}x{n_answers}",
        wrong={
            "swap-sources": f"{n_answers}x{n_asks}",
            "the target looking at itself": f"{n_asks}x{n_asks}",
            "the source looking at itself": f"{n_answers}x{n_answers}",
        },
        working=_working(_of_lengths(n_asks, n_answers)),
        focus=Focus(-1),
        step="weights",
        because="one row for each token that asks, one column for each that answers",
    )


def _lengths(dice: Dice) -> tuple[int, int] | None:
    """Return how many ask and answer: not as many, and no sum that is one of them."""
    n_asks, n_answers = dice.one(2, len(ASKING)), dice.one(2, len(ANSWERING))
    return None if n_asks == n_answers else (n_asks, n_answers)


def ask_shape(seed: int) -> Asked:
    """Ask for the shape of the weights between two sequences."""

    def candidate(dice: Dice) -> Asked | None:
        sizes = _lengths(dice)
        return _shape(*sizes) if sizes else None

    return drawn("cross.shape", seed, candidate, lambda: _shape(2, 3))


def _rows(n_asks: int, n_answers: int) -> Asked:
    return Asked(
        prompt="How many rows has the output?",
        given=_setting(n_asks, n_answers),
        answer=float(n_asks),
        wrong={
            "swap-sources": float(n_answers),
            "a row for each token of both": float(n_asks + n_answers),
            "a row for each cell of the pattern": float(n_asks * n_answers),
        },
        working=_working(_of_lengths(n_asks, n_answers)),
        focus=Focus(-1),
        step="output",
        because="The output is added to the sequence that asks, so it has its rows.",
    )


def _draw_rows(dice: Dice) -> Asked:
    return _rows(dice.one(2, len(ASKING)), dice.one(2, len(ANSWERING)))


def _visible(n_asks: int, n_answers: int, query: int) -> Asked:
    pair = _of_lengths(n_asks, n_answers)
    return Asked(
        prompt=f"At how many source tokens may target token {query + 1} look?",
        given=_setting(n_asks, n_answers),
        answer=float(n_answers),
        wrong={
            "what a causal mask would leave": float(query + 1),
            "the number of tokens that ask": float(n_asks),
        },
        working=_working(pair),
        focus=Focus(query),
        step="weights",
        because="The whole source is there to be read: cross-attention has no causal mask.",
    )


def _draw_visible(dice: Dice) -> Asked:
    n_asks = dice.one(2, len(ASKING))
    return _visible(n_asks, dice.one(3, len(ANSWERING)), dice.one(0, n_asks - 1))


def ask_source(seed: int) -> Asked:
    """Ask which language the queries, keys, values, rows or columns come from."""
    dice = Dice("cross.source", seed)
    source, target = LANGUAGES[dice.one(0, len(LANGUAGES) - 1)]
    what, asks = SOURCES[dice.one(0, len(SOURCES) - 1)]
    right, other = (target, source) if asks else (source, target)
    return Asked(
        prompt=f"Which language do {what} come from?",
        given=(Words(f"Cross-attention: what is written in {target} reads a text in {source}."),),
        answer=right,
        wrong={"swap-sources": other},
        working=_working(EXAMPLE),
        focus=Focus(-1),
        because=f"{target} asks, so it has the queries; {source} answers, with keys and values.",
    )


def _weight(pair: Pair, query: int, key: int, wrong: tuple[str, ...]) -> Asked:
    working = _working(pair)
    scores = grid(working.trace, "scores", 0, "q · k", query)
    d_k = pair.projections.d_k
    found = {
        name: float(crossed(pair, mistake=name)["weights"].values[0, query, key]) for name in wrong
    }
    masked = crossed(pair, causal=True)["weights"].values[0, query, key]
    asks, answers = pair.asks.words[query], pair.answers.words[key]
    return Asked(
        prompt=f"d_k = {d_k}. What weight does “{asks}” give to “{answers}”?",
        given=(Grids((scores,), "before ÷ √d_k"),),
        answer=float(working.trace["weights"].values[0, query, key]),
        tolerance=WEIGHT_TOLERANCE,
        wrong={**found, "what a causal mask would leave; here there is none": float(masked)},
        working=working,
        focus=Focus(query),
        step="weights",
    )


def _draw_weight(dice: Dice) -> Asked:
    d, n_asks = dice.one(6, 8), dice.one(2, 3)
    w_q, w_k, w_v, w_o = (dice.whole(-1, 1, *shape) for shape in ((d, 2),) * 3 + ((2, d),))
    target = Side(ASKING[:n_asks], frozen(dice.whole(0, 2, n_asks, d)))
    source = Side(WORDS, frozen(dice.whole(0, 2, len(WORDS), d)))
    matrices = Projections.from_matrices(w_q, w_k, w_v, w_o)
    query = dice.one(0, n_asks - 1)
    return _weight(Pair(target, source, matrices, DRAWN), query, dice.one(0, query), OF_SCORES)


QUESTIONS: dict[str, Question] = {
    "shape": ask_shape,
    "rows": asking("cross.rows", _draw_rows, lambda: _rows(2, 3)),
    "weight": asking("cross.weight", _draw_weight, lambda: _weight(EXAMPLE, 1, 1, OF_SCORES[:1])),
    "source": ask_source,
    "visible": asking("cross.visible", _draw_visible, lambda: _visible(2, 3, 0)),
}
