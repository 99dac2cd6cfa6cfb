"""Questions to the trained model: where a head will look, what comes next, which head it takes."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from attn_study.demos.drawing import Dice, drawn
from attn_study.demos.panels import Table, Words
from attn_study.demos.parts import two
from attn_study.demos.question import Asked
from attn_study.demos.trained import context, multihead, stack
from attn_study.demos.trained.cases import CASES
from attn_study.demos.trained.reader import known_for, likely
from attn_study.demos.weighing import OfModel
from attn_study.demos.working import Focus
from attn_study.language.words import START

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from attn_study.attention.arrays import Array
    from attn_study.attention.trace import Trace
    from attn_study.demos.working import Working
    from attn_study.language.sentence import Sentence

Some = TypeVar("Some")

FEW = 6  # words of a row that a solution shows
PLAIN = 0.6  # a head looks plainly at a word with at least this weight
SURE = 0.9  # of the next word
LOST, KEPT = 0.3, 0.9  # shares of the right word without a head that is needed, and that is not
LOOKS_ONLY = "where it looks, not what is lost without it"
OF_CASE = 24  # draws from one case, in which hardly any sentence may be fit; then from all
DOES_WITHOUT = "one that the model does without: here it needs the one that looks"
LAST = Focus(query=-1)


def _pick(dice: Dice, options: Sequence[Some]) -> Some:
    return options[dice.one(0, len(options) - 1)]


def _drawn(dice: Dice, name: str) -> tuple[str, dict[str, Any], Sentence]:
    """Return a case, the one of this name if one is named, words for its slots, its sentence."""
    name = name or _pick(dice, list(CASES))
    case = CASES[name]
    slots = {slot: _pick(dice, fitting) for slot, fitting in case.slots.items()}
    while len(set(slots.values())) < len(slots):
        slots["noun"] = _pick(dice, case.slots["noun"])
    return name, slots, case.build(slots)


def _text(sentence: Sentence) -> Words:
    return Words(f"“{' '.join(sentence.beginning)} …”")


def _stored(name: str) -> tuple[str, dict[str, Any], Sentence]:
    """Return the sentence that is asked about when no drawn one will do."""
    slots = CASES[name].settle({})
    return name, slots, CASES[name].build(slots)


def _of_model(
    question: str,
    candidate: Callable[[int, Dice, str, dict[str, Any], Sentence], Asked | None],
    stored: Callable[[], Asked],
) -> OfModel:
    """Return a question to the model, `demo.name`, about sentences of any case or of one.

    `candidate` makes it from the seed, the dice, a case, words for its slots and its sentence.
    Where a case has none that is fit to be asked, that of any case is asked.
    """

    def ask(seed: int, case: str) -> Asked:
        def of(case: str, dice: Dice) -> Asked | None:
            return candidate(seed, dice, *_drawn(dice, case))

        def of_any() -> Asked:
            return drawn(question, seed, partial(of, ""), stored)

        return drawn(question, seed, partial(of, case), of_any, OF_CASE) if case else of_any()

    return OfModel(ask)


def _looking(name: str, compute: Callable[..., Working]) -> OfModel:
    """Return the question at which word the head known for such sentences looks most.

    `compute` makes the working that the lesson shows of one layer on a sentence.
    """

    def candidate(
        _seed: int, _dice: Dice, case: str, slots: dict[str, Any], sentence: Sentence
    ) -> Asked | None:
        asked, most = _looks(compute, case, slots, sentence)
        return asked if most >= PLAIN and asked.answer != START else None

    def stored() -> Asked:
        return _looks(compute, *_stored("chicken"))[0]

    return _of_model(name, candidate, stored)


ask_looks = _looking("context.looks", context.compute)
ask_looks_of_several = _looking("multihead.looks", multihead.compute)


def _looks(
    compute: Callable[..., Working], name: str, slots: dict[str, Any], sentence: Sentence
) -> tuple[Asked, float]:
    """Return the question with the largest weight of the row it is about."""
    layer, head = known_for(sentence)
    working = compute(case=name, layer=layer, **slots)
    weights = working.trace["weights"].values[head - 1, sentence.asks + 1]
    tokens = working.trace.labels("keys")
    most = int(np.argmax(weights))
    asks = sentence.words[sentence.asks]
    others = (sentence.words[at] for at in (*sentence.rivals, sentence.target, sentence.asks))
    found = Asked(
        prompt=(
            f"Head {head} of layer {layer} of the trained model reads this. "
            f"At which word does it look most from “{asks}”?"
        ),
        given=(_text(sentence),),
        answer=tokens[most],
        wrong={
            "a word that stands there too": next(each for each in others if each != tokens[most])
        },
        working=working,
        focus=Focus(query=sentence.asks + 1, head=head - 1),
        because=f"“{tokens[most]}” gets {weights[most]:.2f} of its weight",
        step="weights",
        solution=(_row(tokens, weights, f"head {layer}.{head} from “{asks}”"),),
    )
    return found, float(weights[most])


def _sure(
    _seed: int, _dice: Dice, name: str, slots: dict[str, Any], sentence: Sentence
) -> Asked | None:
    """Return the question which word comes next, None where the model is not sure."""
    asked, most = _comes(name, slots, sentence)
    return asked if most >= SURE else None


ask_comes = _of_model("context.comes", _sure, lambda: _comes(*_stored("chicken"))[0])


def _comes(name: str, slots: dict[str, Any], sentence: Sentence) -> tuple[Asked, float]:
    """Return the question with the share of the word that comes."""
    working = context.compute(case=name, **slots)
    trace = working.trace
    here = trace["came"].values[0]
    word, other = trace.labels("answers")[:2]
    reading, turned = trace.labels("readings")
    # Drawn: in the order of the alphabet one of two would come first in most questions.
    options = (other, word) if Dice(" ".join(sentence.beginning), 0).one(0, 1) else (word, other)
    asked = Asked(
        prompt="Which word does the trained model put next?",
        given=(_text(sentence), Words(f"one of: {', '.join(options)}")),
        answer=word,
        wrong={f"what comes with “{turned}” in place of “{reading}”": other},
        working=working,
        focus=working.look or LAST,
        because=f"“{reading}” decides: “{word}” has a share of {here[0]:.2f}",
        step="came",
        solution=(_shares(trace),),
    )
    return asked, float(here[0])


def _row(tokens: Sequence[str], weights: Array, title: str) -> Table:
    """Return the largest weights of a row, in the order of the text."""
    shown = sorted(np.argsort(-weights, kind="stable")[:FEW].tolist())
    cells = (title, *(two(weights[at]) for at in shown))
    return Table(("word", *(tokens[at] for at in shown)), (cells,), role="weights")


def _shares(trace: Trace) -> Table:
    """Return the share of each answer with either word in the slot that decides."""
    rows = tuple(
        (f"with {reading}", *map(two, shares))
        for reading, shares in zip(trace.labels("readings"), trace["came"].values, strict=True)
    )
    return Table(("share of", *trace.labels("answers")), rows, role="weights")


def _either(
    seed: int, dice: Dice, name: str, slots: dict[str, Any], sentence: Sentence
) -> Asked | None:
    """Return the question which of two heads the model needs, given where both look."""
    # By the seed, not draw by draw: one of the two is much rarer, and would never be asked about.
    looking = bool(Dice("stack.needed looking", seed).one(0, 1))
    return _needed(dice, looking, name, slots, sentence)


def _stored_needed() -> Asked:
    dice = Dice("stack.needed stored", 0)
    for name in CASES:
        asked = _needed(dice, False, *_stored(name))
        if asked is not None:
            return asked
    raise AssertionError("the shipped model needs some head and can spare another")


ask_needed = _of_model("stack.needed", _either, _stored_needed)


def _needed(
    dice: Dice, looking: bool, name: str, slots: dict[str, Any], sentence: Sentence
) -> Asked | None:
    """Return the question about two heads, of which one looks plainly at the word that decides.

    The one that is needed is that one where `looking`, else the other; None unless there are two.
    """
    working = stack.compute(case=name, **slots)
    trace = working.trace
    without, seen = trace["without"].values, trace["seen"].values
    heads = trace.labels("every_head")
    looks_plainly = seen >= PLAIN
    lost = np.flatnonzero((without <= LOST) & (looks_plainly == looking)).tolist()
    kept = np.flatnonzero((without >= KEPT) & (looks_plainly != looking)).tolist()
    if not lost or not kept or likely(trace["next_word"].values)[0] != sentence.answer:
        return None
    needed, spared = _pick(dice, lost), _pick(dice, kept)
    asks, target = sentence.words[sentence.asks], sentence.words[sentence.target]
    rows = tuple((heads[at], two(seen[at]), two(without[at])) for at in sorted((needed, spared)))
    columns = ("head", f"“{asks}” looks at {target}", f"{sentence.answer} without it")
    seen_alone = Table(columns[:2], tuple(row[:2] for row in rows))
    return Asked(
        prompt=(
            f"With all heads on, the next word is “{sentence.answer}”. Each of these two was then "
            "switched off alone. Without one of them the word is lost: which?"
        ),
        given=(_text(sentence), seen_alone),
        answer=heads[needed],
        wrong={DOES_WITHOUT if looking else LOOKS_ONLY: heads[spared]},
        working=working,
        focus=LAST,
        because=(
            f"without {heads[needed]} the share of “{sentence.answer}” falls to "
            f"{without[needed]:.2f}; without {heads[spared]} it stays {without[spared]:.2f}"
        ),
        step="without",
        solution=(Table(columns, rows),),
    )
