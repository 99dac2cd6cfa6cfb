"""Questions to the trained model: where a head will look, what comes next, which head it takes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from attn_study.demos.drawing import Dice, drawn
from attn_study.demos.panels import Table, Words
from attn_study.demos.parts import two
from attn_study.demos.question import Asked
from attn_study.demos.trained import context, stack
from attn_study.demos.trained.cases import CASES
from attn_study.demos.trained.reader import known_for, likely
from attn_study.demos.working import Focus
from attn_study.language.words import START

if TYPE_CHECKING:
    from collections.abc import Sequence

    from attn_study.language.sentence import Sentence

Some = TypeVar("Some")

PLAIN = 0.6  # a head looks plainly at a word with at least this weight
SURE = 0.9  # of the next word
LOST, KEPT = 0.3, 0.9  # shares of the right word without a head that is needed, and that is not
LAST = Focus(query=-1)


def _pick(dice: Dice, options: Sequence[Some]) -> Some:
    return options[dice.one(0, len(options) - 1)]


def _drawn(dice: Dice) -> tuple[str, dict[str, Any], Sentence]:
    """Return a case, words for its slots, and its sentence."""
    name = _pick(dice, list(CASES))
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


def ask_looks(seed: int) -> Asked:
    """Ask at which word the head known for such sentences looks most."""

    def candidate(dice: Dice) -> Asked | None:
        asked, most = _looks(*_drawn(dice))
        return asked if most >= PLAIN and asked.answer != START else None

    return drawn("context.looks", seed, candidate, lambda: _looks(*_stored("chicken"))[0])


def _looks(name: str, slots: dict[str, Any], sentence: Sentence) -> tuple[Asked, float]:
    """Return the question with the largest weight of the row it is about."""
    layer, head = known_for(sentence)
    working = context.compute(case=name, layer=layer, **slots)
    weights = working.trace["weights"].values[head - 1, sentence.asks + 1]
    tokens = working.trace.labels("keys")
    most = int(np.argmax(weights))
    asks = sentence.words[sentence.asks]
    others = (sentence.words[at] for at in (*sentence.rivals, sentence.target, sentence.asks))
    found = Asked(
        prompt=(
            f"Head {layer}.{head} of the trained model reads this. "
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
    )
    return found, float(weights[most])


def ask_comes(seed: int) -> Asked:
    """Ask which word the trained model puts next."""

    def candidate(dice: Dice) -> Asked | None:
        asked, most = _comes(*_drawn(dice))
        return asked if most >= SURE else None

    return drawn("context.comes", seed, candidate, lambda: _comes(*_stored("chicken"))[0])


def _comes(name: str, slots: dict[str, Any], sentence: Sentence) -> tuple[Asked, float]:
    """Return the question with the share of the word that comes."""
    working = context.compute(case=name, **slots)
    trace = working.trace
    here = trace["came"].values[0]
    word, other = trace.labels("answers")[:2]
    reading, turned = trace.labels("readings")
    given: tuple[Words, ...] = (_text(sentence),)
    if CASES[name].of_senses or name in {"creature", "tower"}:
        given = (*given, Words(f"The next word is one of: {', '.join(sorted((word, other)))}"))
    asked = Asked(
        prompt="Which word does the trained model put next?",
        given=given,
        answer=word,
        wrong={f"what comes with “{turned}” in place of “{reading}”": other},
        working=working,
        focus=working.look or LAST,
        because=f"“{reading}” decides: its share is {here[0]:.2f}",
        step="came",
    )
    return asked, float(here[0])


def ask_needed(seed: int) -> Asked:
    """Ask which of two heads the model needs, given where both look and what is left without."""

    def candidate(dice: Dice) -> Asked | None:
        return _needed(dice, *_drawn(dice))

    def stored() -> Asked:
        dice = Dice("stack.needed stored", 0)
        for name in CASES:
            asked = _needed(dice, *_stored(name))
            if asked is not None:
                return asked
        raise AssertionError("the shipped model needs some head and can spare another")

    return drawn("stack.needed", seed, candidate, stored)


def _needed(dice: Dice, name: str, slots: dict[str, Any], sentence: Sentence) -> Asked | None:
    """Return the question; None unless some head looks plainly and another one is needed."""
    working = stack.compute(case=name, **slots)
    trace = working.trace
    without, seen = trace["without"].values, trace["seen"].values
    heads = trace.labels("every_head")
    lost = [at for at, share in enumerate(without) if share <= LOST and seen[at] < PLAIN]
    kept = [at for at, share in enumerate(without) if share >= KEPT and seen[at] >= PLAIN]
    if not lost or not kept or likely(trace["next_word"].values)[0] != sentence.answer:
        return None
    needed, spared = _pick(dice, lost), _pick(dice, kept)
    asks, target = sentence.words[sentence.asks], sentence.words[sentence.target]
    rows = tuple((heads[at], two(seen[at]), two(without[at])) for at in sorted((needed, spared)))
    columns = ("head", f"“{asks}” looks at {target}", f"{sentence.answer} without it")
    return Asked(
        prompt=(
            f"With all heads on, the next word is “{sentence.answer}”. Each of these two was then "
            "switched off alone. Which one does the model need for this word?"
        ),
        given=(_text(sentence), Table(columns, rows)),
        answer=heads[needed],
        wrong={"where it looks, not what is lost without it": heads[spared]},
        working=working,
        focus=LAST,
        because=(
            f"without {heads[needed]} the share of “{sentence.answer}” falls to "
            f"{without[needed]:.2f}; without {heads[spared]} it stays {without[spared]:.2f}"
        ),
        step="without",
    )
