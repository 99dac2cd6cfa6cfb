"""What a word reads in the trained model, with either word in the slot that decides."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from attn_study.attention.arrays import frozen
from attn_study.attention.stages import softmax
from attn_study.demos.setup import attended
from attn_study.demos.trained.cases import CASES, Case
from attn_study.demos.trained.layer import in_the_stream, start_of, with_next_word
from attn_study.demos.trained.reader import known_for, likely, says, working
from attn_study.demos.trained.senses import cosines
from attn_study.demos.trained_or_toy import TRAINED, WEIGHTS
from attn_study.demos.working import Focus, Working
from attn_study.language.families.sense import build, cues
from attn_study.language.vocabulary import NUMBERS
from attn_study.language.words import SENSES, START

if TYPE_CHECKING:
    from collections.abc import Mapping

    from attn_study.attention.arrays import Array
    from attn_study.attention.trace import Trace
    from attn_study.language.sentence import Sentence

OPEN = "it"  # the word that is read before the one that decides, where there is one


def compute(
    *, case: str = "chicken", layer: int | None = None, mistake: str = "", **given: Any
) -> Working:
    """Return one layer's attention on a sentence, and what the model makes of it.

    After the steps of the layer: `next_word` (words), the share of every word as the next one
    when the layer adds this output; `other_weights` (heads, queries, other_keys), the weights
    with the other word in its slot; `looked` (readings, places), all weights of the head known for
    such sentences, from the word that asks; `before` (places), the same from “it” where that
    stands before the word that decides; `lens` (readings, stages, answers), the share of each
    answer after no layer, one, two, and `came` (readings, answers) at the end; `cosine` (readings,
    stages, senses) for a word of several senses, and `instead` (other_nouns), the share of what
    comes next in either reading with another such word in its place. The answers are the right
    words of the two readings, and what the model says where that is another. A mistake is made in
    the steps of the layer, and shows in them and in `next_word` alone. Raises UserError for words
    that do not fit the sentence.
    """
    chosen = CASES[case]
    slots = chosen.settle({slot: str(word) for slot, word in given.items() if word})
    here, there = chosen.build(slots), chosen.build(chosen.other(slots))
    layer_known, head = known_for(here)
    shown = layer or layer_known
    trace = in_the_stream(attended(start_of(here, shown), mistake))
    trace = with_next_word(trace, shown)
    trace = _turned(trace, there, shown)
    trace = _read(trace, chosen, slots, (here, there))
    if chosen.of_senses:
        trace = _sensed(trace, chosen.of_senses, (here, there))
        trace = _instead(trace, chosen.of_senses)
    knobs: dict[str, Any] = {"case": case, "layer": shown, WEIGHTS: TRAINED, **slots}
    knobs["word"] = slots[chosen.decides]
    look = Focus(query=here.asks + 1, head=head - 1 if shown == layer_known else 0)
    return Working(
        trace, says(shown), _notice((here, there), trace.labels("readings")), knobs, look
    )


def _turned(trace: Trace, there: Sentence, layer: int) -> Trace:
    """Add the weights of the same layer with the other word in its slot."""
    other = working(there.beginning)
    return trace.add(
        "other_weights",
        ("heads", "queries", "other_keys"),
        other[f"weights_{layer}"].values,
        "the same with the other word in the sentence",
        {"other_keys": other.labels("keys")},
    )


def _read(
    trace: Trace, case: Case, slots: Mapping[str, str], pair: tuple[Sentence, Sentence]
) -> Trace:
    """Add where the model looks and what comes next, in both sentences."""
    here, there = pair
    readings = tuple(chosen[case.decides] for chosen in (slots, case.other(slots)))
    said = (likely(working(sentence.beginning)["next_word"].values)[0] for sentence in pair)
    answers = tuple(dict.fromkeys((here.answer, there.answer, *said)))
    texts = {"readings": readings, "answers": answers}
    places = (START, *map(either, here.beginning, there.beginning))
    trace = trace.add(
        "looked",
        ("readings", "places"),
        np.stack([_row(sentence, sentence.asks) for sentence in pair]),
        "where the head known for such sentences looks, from the word that asks",
        {"readings": readings, "places": places},
    )
    if OPEN in here.beginning[: apart(here, there)]:
        says_so = f"the same from “{OPEN}”, which stands before the word that decides"
        trace = trace.add("before", ("places",), _row(here, here.words.index(OPEN)), says_so)
    lens = np.stack([_lens(sentence, answers) for sentence in pair])
    stages = {"stages": ("no layer", *(f"layer {at}" for at in range(1, lens.shape[1])))}
    says_so = "logit lens: the share of each answer, had the model ended after that layer"
    trace = trace.add("lens", ("readings", "stages", "answers"), lens, says_so, texts | stages)
    return trace.add("came", ("readings", "answers"), lens[:, -1], "the share of each answer")


def _sensed(trace: Trace, word: str, pair: tuple[Sentence, Sentence]) -> Trace:
    """Add how near the word is to each of its senses, in both sentences."""
    return trace.add(
        "cosine",
        ("readings", "stages", "senses"),
        np.stack([cosines(word, sentence.beginning) for sentence in pair]),
        "cosine of the word to each of its senses, the mean over all senses taken away",
        {"senses": tuple(SENSES[word])},
    )


def _instead(trace: Trace, word: str) -> Trace:
    """Add what comes next with another word of several senses: the noun decides with its cue."""
    named, shares = [], []
    for cue in trace.labels("readings"):
        noun = next(other for other in SENSES if other != word and cue in cues(other))
        next_word, share = likely(working(build(noun, cue).beginning)["next_word"].values)
        named.append(f"{noun}: {next_word}")
        shares.append(share)
    says_so = f"the share of the next word with another noun in place of “{word}”"
    return trace.add("instead", ("other_nouns",), shares, says_so, {"other_nouns": tuple(named)})


def _lens(sentence: Sentence, answers: tuple[str, ...]) -> Array:
    """Return the share of each answer after so many layers, (stages, answers)."""
    trace = working(sentence.beginning)
    n_layers = sum(name.startswith("lens_") for name in trace.names)
    last = np.stack([trace[f"lens_{layer}"].values[-1] for layer in range(n_layers)])
    return softmax(last)[:, [NUMBERS[answer] for answer in answers]]


def _row(sentence: Sentence, asks: int) -> Array:
    """Return all weights of the head known for such sentences, from one word."""
    layer, head = known_for(sentence)
    return frozen(working(sentence.beginning)[f"weights_{layer}"].values[head - 1, asks + 1])


def apart(here: Sentence, there: Sentence) -> int:
    """Return the position of the word that is not the same in both sentences."""
    pairs = zip(here.beginning, there.beginning, strict=True)
    return next(at for at, (one, other) in enumerate(pairs) if one != other)


def either(one: str, other: str) -> str:
    """Return the word of both sentences at a position: `tired|wide` where they differ."""
    return one if one == other else f"{one}|{other}"


def _notice(pair: tuple[Sentence, Sentence], readings: tuple[str, ...]) -> str:
    """Return what comes next in either reading, in words."""
    said = (likely(working(sentence.beginning)["next_word"].values) for sentence in pair)
    told = (
        f"with “{reading}”: {word} {share:.2f}"
        for reading, (word, share) in zip(readings, said, strict=True)
    )
    return f"next word {'; '.join(told)}"
