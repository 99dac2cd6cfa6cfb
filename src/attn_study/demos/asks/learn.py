"""Questions about learning: where a head will look, and what a loss says of what is known."""

from __future__ import annotations

import math
from functools import cache, partial
from typing import TYPE_CHECKING

from attn_study.attention.stages import softmax
from attn_study.demos.drawing import Dice
from attn_study.demos.panels import Shaded, Words
from attn_study.demos.parts import vector
from attn_study.demos.question import OUTPUT_TOLERANCE, WEIGHT_TOLERANCE, Asked
from attn_study.demos.working import Focus
from attn_study.demos.workings.courses import COURSES
from attn_study.demos.workings.learn import compute, learned
from attn_study.demos.workings.pupil import look
from attn_study.demos.workings.tasks import N_KEPT

if TYPE_CHECKING:
    from collections.abc import Mapping

    from attn_study.demos.panels import Panel
    from attn_study.demos.question import Question
    from attn_study.demos.working import Working
    from attn_study.demos.workings.pupil import Pupil

LEGIBLE = ("agreement", "coref")  # after these courses a head looks at the word that decides
CASE = "agreement"  # the course that takes the shortest: a question is not to be waited for
LAST, FIRST = Focus(query=-1), Focus(query=0)
NEAR = "the other noun: it is there too, but does not decide"
SHARE = "the share of the right word; the loss is -ln of it"
BITS = "the loss in bits; in nats it is -ln, not -log2"
COUNT = "how many there are; the loss is ln of that"
SCORE = "the score; e^0 is 1, and the weights sum to 1"
ALONE = "e^score, before it is divided by the sum"
NO_START = "what it would be without the start token, which is looked at too"
KNOWN = "the loss of one who knows which it is"


def ask_looks(seed: int, case: str = CASE) -> Asked:
    """Ask which word the head will look at in an unseen sentence, once it has learned."""
    dice = Dice("learn.looks", seed)
    found = _clear(case)
    number, most = found[dice.one(0, len(found) - 1)]
    item = _pupil(case).kept[number - 1]
    right, rival = item.words[item.target], item.words[item.rival or 0]
    working = compute(case=case, sentence=number)
    return Asked(
        prompt=(
            f"One layer with one head learns which word comes next. When it is done, which word "
            f"does “{item.words[-1]}” look at most?"
        ),
        given=(Words(f"“{' '.join(item.words)} …”"),),
        answer=right,
        wrong={NEAR: rival},
        working=working,
        focus=LAST,
        because=f"“{right}” gets the weight {most:.2f}: the next word hangs on it",
        step="weights",
        solution=_row(working, -1),
    )


def _row(working: Working, at: int) -> tuple[Panel, ...]:
    """Return the words of the sentence with their weights at one moment."""
    trace = working.trace
    words = trace.labels("keys")
    title = f"{trace.labels('moments')[at]}: “{words[-1]}” asks"
    return (Shaded(title, words, vector(trace["weights"].values[at])),)


def _pupil(case: str) -> Pupil:
    return learned(case, COURSES[case].layers, COURSES[case].seed)[0]


@cache
def _clear(case: str) -> tuple[tuple[int, float], ...]:
    """Return the unseen sentences in which the head does look at the word that decides.

    Each by its number from 1, with the weight on that word, of those where another word stands
    that does not decide.
    """
    pupil, moments = learned(case, COURSES[case].layers, COURSES[case].seed)
    found = []
    for number, item in enumerate(pupil.kept, start=1):
        weights = softmax(look(pupil, moments[-1], item).scores)
        other = "" if item.rival is None else item.words[item.rival]
        if other not in {"", item.words[item.target]} and weights.argmax() == item.target + 1:
            found.append((number, float(weights.max())))
    return tuple(found)


def ask_even(seed: int, case: str = CASE) -> Asked:
    """Ask for the weights before the first step, where W^Q is 0."""
    dice = Dice("learn.even", seed)
    number = dice.one(1, N_KEPT)
    item = _pupil(case).kept[number - 1]
    working = compute(case=case, sentence=number)
    n_keys = len(item.words) + 1
    return Asked(
        prompt=(
            f"Before the first step W^Q is 0, so every score is 0. “{item.words[-1]}” looks at "
            f"the start token and at {n_keys - 1} words, itself among them. What weight does each "
            "of these get?"
        ),
        given=(Words(f"“<start> {' '.join(item.words)} …”"),),
        answer=1 / n_keys,
        tolerance=WEIGHT_TOLERANCE / 2,
        wrong={SCORE: 0.0, ALONE: 1.0, NO_START: 1 / (n_keys - 1)},
        working=working,
        focus=FIRST,
        because=f"e^0 = 1 for each of {n_keys}, so 1 ÷ {n_keys} = {1 / n_keys:.4f}",
        step="weights",
        solution=_row(working, 0),
    )


def ask_loss(seed: int) -> Asked:
    """Ask for the loss of a model that holds all words equally likely."""
    n_words = Dice("learn.loss", seed).one(12, 90)
    return _loss(
        f"A model knows {n_words} words and holds each of them equally likely to come next. What "
        "is its loss, in nats?",
        n_words,
        {KNOWN: 0.0},
        f"the right word’s share is 1 ÷ {n_words}, and -ln of that is ln {n_words}",
        FIRST,
    )


def ask_coin(seed: int) -> Asked:
    """Ask for the loss of a model that knows a few words one of which comes next, not which."""
    n_words = Dice("learn.coin", seed).one(2, 6)
    return _loss(
        f"A model finds out that one of {n_words} words comes next, and cannot tell which: each "
        "is as likely as the others, and nothing else is possible. What is its loss, in nats?",
        n_words,
        {KNOWN: 0.0},
        "with --case depth these are 2 words, and the loss of one layer on unseen sentences stays "
        f"above ln 2; here -ln(1 ÷ {n_words}) = ln {n_words}",
        LAST,
    )


def _loss(prompt: str, n_words: int, wrong: dict[str, float], because: str, focus: Focus) -> Asked:
    answer = math.log(n_words)
    wrong = wrong | {SHARE: 1 / n_words, BITS: math.log2(n_words), COUNT: float(n_words)}
    return Asked(
        prompt=prompt,
        given=(),
        answer=answer,
        tolerance=OUTPUT_TOLERANCE,
        wrong=wrong,
        working=compute(),
        focus=focus,
        because=f"{because} = {answer:.4f}",
        step="loss",
        solution=(Words(f"-ln(1 ÷ {n_words}) = -ln {1 / n_words:.4f} = {answer:.4f}"),),
    )


QUESTIONS: Mapping[str, Question] = {
    "looks": ask_looks,
    "even": ask_even,
    "loss": ask_loss,
    "coin": ask_coin,
}


def about(knobs: Mapping[str, object]) -> Mapping[str, Question]:
    """Return the questions that the course at these knobs can be asked, about its sentences."""
    case = str(knobs["case"])
    even: Question = partial(ask_even, case=case)
    if case in LEGIBLE:
        return {"looks": partial(ask_looks, case=case), "even": even}
    return {"coin": ask_coin, "even": even} if case == "depth" else {"loss": ask_loss}
