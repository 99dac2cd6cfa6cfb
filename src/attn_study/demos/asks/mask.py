"""Questions about the mask: a late one, what leaks, which rows tell, and the order of words."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from attn_study.demos.asks.one_head import WORDS, a_head, fit, weight_from_row
from attn_study.demos.drawing import Dice, drawn
from attn_study.demos.panels import Block, Ledger, Matrices, Row, Words
from attn_study.demos.parts import matrix, vector
from attn_study.demos.question import WEIGHT_TOLERANCE, Asked
from attn_study.demos.setup import ONE_HEAD, Start, attended, start
from attn_study.demos.working import Focus, Working
from attn_study.demos.workings.mask import masked_in_five_ways

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from attn_study.attention.trace import Trace
    from attn_study.demos.question import Question

MOVES = 0.02  # an output that changes by less might not be seen to
MENDED = "the sum of a row masked before softmax, or divided by its sum afterwards"
ONLY_ITSELF = "the changed word alone: but every word that may look at it reads from it"
WITH_MASK = "what moves with the mask on"
WITHOUT_MASK = "what moves with the mask off"
LAST_ROW = "the row that every fault leaves right: its word may look at everything"
ALL_ROWS = "one row too many: the last word may look at everything, so its row is always right"
ONE_GUESS = "what generating takes: training guesses after every word at once"
POSITIONS = "what the sums would say if they knew positions: without a mask they are the same"
SAME_WORDS = "what holds without a mask: with it, only what stands before is read"
POOL = (
    "rain",
    "stops",
    "old",
    "boats",
    "drift",
    "home",
    "slowly",
    "while",
    "gulls",
    "cry",
    "again",
)
MOST_WORDS = 7
# Three words, the first and last of which change places; the middle one asks.
SENTENCES = (
    ("dog", "bites", "man"),
    ("cat", "chases", "mouse"),
    ("teacher", "praises", "pupil"),
    ("moth", "circles", "lamp"),
    ("fox", "follows", "hen"),
)


def ask_row_sum(seed: int) -> Asked:
    """Ask for the row sum that masking after softmax leaves."""
    return _late(seed, "mask.row-sum", _row_sum)


def _row_sum(begin: Start, query: int, _key: int) -> Asked:
    late = attended(begin, "mask-zero-after")["weights"].values[0, query]
    asks = begin.labels[query]
    return replace(
        _on_scaled(begin, query),
        prompt=(
            f"“{asks}” may look up to itself. Its weights are set to 0 after softmax, where it "
            f"may not look, and left so. What do they sum to?"
        ),
        answer=float(late.sum()),
        wrong={MENDED: 1.0},
        because=f"softmax shared 1 among all; {1 - late.sum():.4f} went to words after it",
    )


def ask_mended(seed: int) -> Asked:
    """Ask for a weight masked after softmax and then divided by the row sum."""
    return _late(seed, "mask.mended", _mended)


def _mended(begin: Start, query: int, key: int) -> Asked:
    weights = {
        name: float(attended(begin, name)["weights"].values[0, query, key])
        for name in ("mask-renormalised", "mask-zero-after", "mask-zero-before")
    }
    asks, answers = begin.labels[query], begin.labels[key]
    return replace(
        _on_scaled(begin, query),
        prompt=(
            f"“{asks}” may look up to itself. Its weights are set to 0 after softmax and then "
            f"divided by what they sum to. What weight does “{answers}” get?"
        ),
        answer=weights.pop("mask-renormalised"),
        wrong=weights,
        because="the same as with -∞ before softmax: the row is exp ÷ the sum of what is left",
    )


def _late(seed: int, name: str, make: Callable[[Start, int, int], Asked]) -> Asked:
    def candidate(dice: Dice) -> Asked | None:
        begin, query = a_head(dice), dice.one(1, len(WORDS) - 2)
        return fit(make(begin, query, dice.one(0, query)))

    return drawn(name, seed, candidate, lambda: make(ONE_HEAD, 1, 1))


def _on_scaled(begin: Start, query: int) -> Asked:
    """Return a question without words or answer, given the scaled scores of one row."""
    trace = masked_in_five_ways(begin)
    scaled = vector(trace["scaled_scores"].values[0, query])
    rows = (Row("scaled", "q · k ÷ √d_k", scaled),)
    return Asked(
        prompt="",
        given=(Ledger(f"“{begin.labels[query]}” asks", begin.labels, rows),),
        answer=0.0,
        tolerance=WEIGHT_TOLERANCE,
        working=Working(trace, begin.weights, ""),
        focus=Focus(query),
        step="weights",
    )


def ask_moved(seed: int) -> Asked:
    """Ask which outputs move when one word is changed; the mask is off for every other seed."""
    is_masked = seed % 2 == 0

    def candidate(dice: Dice) -> Asked | None:
        begin = replace(a_head(dice), labels=_words(dice, len(WORDS)))
        token = dice.one(1, len(WORDS) - 1)
        trace = masked_in_five_ways(begin, token=token)
        # a change that its own numbers hide would make the question unfair
        least = np.abs(trace["edit_moves"].values[1]).max(axis=1)
        masked = np.abs(trace["edit_moves"].values[0, token:]).max(axis=1)
        fair = least.min() >= MOVES and masked.min() >= MOVES
        return _moved(begin, trace, token, is_masked=is_masked) if fair else None

    def stored() -> Asked:
        return _moved(ONE_HEAD, masked_in_five_ways(ONE_HEAD, token=1), 1, is_masked=is_masked)

    return drawn("mask.moved", seed, candidate, stored)


def _moved(begin: Start, trace: Trace, token: int, *, is_masked: bool) -> Asked:
    words = begin.labels
    reading = _numbers(token, len(words))
    everyone = _numbers(0, len(words))
    mask = "the causal mask on" if is_masked else "no mask"
    wrong = {WITHOUT_MASK: everyone} if is_masked else {WITH_MASK: reading}
    if reading != str(token + 1):
        wrong[ONLY_ITSELF] = str(token + 1)
    return Asked(
        prompt=(
            f"The x of “{words[token]}” changes, with {mask}. "
            f"Which rows of the output may change? (such as: 1 3)"
        ),
        given=(_numbered(words),),
        answer=reading if is_masked else everyone,
        wrong=wrong,
        working=Working(trace, begin.weights, ""),
        focus=Focus(token),
        because=(
            "a row reads from its own word and those before it"
            if is_masked
            else "every row reads from every word"
        ),
        step="weights",
    )


def ask_reveals(seed: int) -> Asked:
    """Ask which rows of the weights can show that the mask is missing."""
    dice = Dice("mask.reveals", seed)
    words = _words(dice, dice.one(3, MOST_WORDS))
    begin = start(ONE_HEAD, text=" ".join(words), seed=seed, d_k=2, d_v=2)
    n_words = len(words)
    return Asked(
        prompt=(
            f"A causal head reads these {n_words} words, and its mask is forgotten. "
            f"Which rows of its weights can show that? (such as: 1 3)"
        ),
        given=(_numbered(words),),
        answer=_numbers(0, n_words - 1),
        wrong={LAST_ROW: str(n_words), ALL_ROWS: _numbers(0, n_words)},
        working=Working(masked_in_five_ways(begin), begin.weights, ""),
        focus=Focus(-1),
        because=f"“{words[-1]}” may look at all {n_words} words, with or without a mask",
        step="weights",
    )


def ask_order(seed: int) -> Asked:
    """Ask whether a word notices that the words around it change places."""
    dice = Dice("mask.order", seed)
    words = SENTENCES[dice.one(0, len(SENTENCES) - 1)]
    is_masked = dice.one(0, 1) == 1
    begin = start(ONE_HEAD, text=" ".join(words), seed=seed, d_model=4, d_k=2, d_v=2)
    mask = "a causal mask" if is_masked else "no mask"
    return Asked(
        prompt=(
            f"“{' '.join(words)}” and “{' '.join(reversed(words))}”: the same vectors, no "
            f"positions, {mask}. Is the output for “{words[1]}” the same in both? (yes or no)"
        ),
        given=(Matrices(words, (Block("X", matrix(begin.x), "x", 1),)),),
        answer="no" if is_masked else "yes",
        wrong={SAME_WORDS: "yes"} if is_masked else {POSITIONS: "no"},
        working=Working(masked_in_five_ways(begin, order=(2, 1, 0)), begin.weights, ""),
        focus=Focus(1),
        because=(
            f"with the mask it reads “{words[0]}” in one and “{words[2]}” in the other"
            if is_masked
            else "the same terms are summed, in another order: attention alone knows no order"
        ),
        step="weights",
    )


def ask_guesses(seed: int) -> Asked:
    """Ask how many next-word guesses one pass over a text gives."""
    n_tokens = Dice("mask.guesses", seed).one(12, 4096)
    return Asked(
        prompt=(
            f"A causal model reads a text of {n_tokens:,} tokens once, in training; the token "
            f"after it is known. How many guesses of a next token can be graded?"
        ),
        given=(),
        answer=float(n_tokens),
        wrong={ONE_GUESS: 1.0},
        working=Working(masked_in_five_ways(ONE_HEAD), ONE_HEAD.weights, ""),
        focus=Focus(-1),
        because="each row knows nothing of what follows it, so each is a guess of its own",
        step="one_at_a_time",
    )


def _words(dice: Dice, count: int) -> tuple[str, ...]:
    """Return so many different words."""
    first = dice.one(0, len(POOL) - 1)
    return tuple(POOL[(first + at) % len(POOL)] for at in range(count))


def _numbers(first: int, end: int) -> str:
    return " ".join(str(at + 1) for at in range(first, end))


def _numbered(words: tuple[str, ...]) -> Words:
    return Words("   ".join(f"{at} {word}" for at, word in enumerate(words, start=1)))


QUESTIONS: Mapping[str, Question] = {
    "row-sum": ask_row_sum,
    "moved": ask_moved,
    "weight": weight_from_row("mask.weight", masked_in_five_ways),
    "reveals": ask_reveals,
    "mended": ask_mended,
    "order": ask_order,
    "guesses": ask_guesses,
}
