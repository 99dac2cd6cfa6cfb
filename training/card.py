"""The model card: what the stored model does, how it was made, and what it cannot do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from choosing import SEED, accuracy
from score import results
from senses import nearness
from textbook import SENTENCES

from attn_study.attention.model.reading import read
from attn_study.language.vocabulary import NUMBERS, WORDS, numbers
from attn_study.language.words import START

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from attn_study.attention.model.parameters import Parameters
    from attn_study.attention.model.stored import Stored
    from attn_study.language.sentence import Sentence

OPENING = """\
# Model card: the transformer of attn-study

{size}.
It was trained by `training/train.py`, in NumPy alone, to say the next word of a toy language of
{words} words. It is here to be looked into: small enough for a terminal, and really trained.

File `src/attn_study/attention/model/trained.npz`, numbers of 16 bits,
SHA-256 `{digest}`.
"""
LIMITS = """\
## What it cannot do

- It knows {words} words and the frames of sentences that `src/attn_study/language` draws. It does
  not read English: the lessons offer slots for words, and no free text.
- The language is made so that one word decides the next one. Real sentences seldom are.
- It is causal. At “it” it has not read the adjective, so nothing is decided there yet; where to
  look is after the adjective. “One mole of carbon” cannot be told from the animal at “mole”.
- A sense is here which verb comes next, and no more.
- **Attention is not explanation.** Where a head looks is one thing, what the answer needs another:
  a head may look at the right word and not be needed, or be needed and look elsewhere. Compare the
  first table with that of heads taken away. In training, some words are now and then hidden as
  keys, so that a model does not park a noun on a word beside it; without that, models answered
  rightly while no head looked at the noun.
- Of several seeds this one was chosen for how plainly its heads show what they do, so it is not
  what any seed gives. The last table has the others.
"""
READING = """\
## Results by family

On {n} sentences a family that were used neither for training nor for choosing. *Target* is the
attention that one head gives to the word that decides, *rival* what it gives to the wrong ones.
The head is the one that showed the kind best on the sentences for choosing: one head, not the
best of {heads} for each sentence. Agreement is right when the right verb is likelier than the
wrong one, everything else when the right word is likelier than all others. Sequences of `repeat`
are random, so nothing is held out there.
"""


def card(stored: Stored, digest: str, sentences: int) -> str:
    """Return the text in Markdown, measured on so many held-out sentences a family."""
    record, parameters = stored.record, stored.parameters
    size = parameters.size
    fill = {"words": size.n_words, "digest": digest, "size": _size(parameters)}
    reading = READING.format(n=record["sentences"], heads=size.n_layers * size.n_heads)
    sections = (
        OPENING.format(**fill),
        reading + "\n" + _table(*_results(record)),
        "## Sentences of the textbooks\n\nTheir pairs of words never met in training.\n\n"
        + _table(*_textbook(parameters, record)),
        "## A word of several senses, layer by layer\n\nThe mean cosine to the centroid of words "
        "that have the sense alone, the mean of all\ncentroids taken away: to its own sense / to "
        "the others, and how often its own is nearest.\n\n" + _table(*_senses(parameters)),
        "## One head taken away\n\nHow much accuracy a family loses when the output of one head "
        "is set to 0.\n\n" + _table(*_ablations(parameters, sentences)),
        LIMITS.format(**fill),
        _making(record) + "\n" + _table(*_tried(record)),
    )
    return "\n".join(sections)


def _size(parameters: Parameters) -> str:
    size = parameters.size
    return (
        f"A causal transformer of {len(parameters.flat):,} numbers: {size.n_layers} layers, "
        f"{size.n_heads} heads,\nwidth {size.d_model}, an MLP of {size.d_hidden}, RMSNorm before "
        f"each, learned positions ({size.n_positions}), the output matrix\ntied to the embedding"
    )


def _table(heading: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [heading, ["---"] * len(heading), *rows]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in lines)


def _head(found: Sequence[int]) -> str:
    return "{}.{}".format(*found)


def _results(record: Mapping[str, Any]) -> tuple[list[str], list[list[str]]]:
    rows = [
        [
            row["family"],
            row["kind"],
            str(row["n"]),
            f"{row['accuracy']:.3f}",
            _head(row["head"]),
            f"{row['target']:.2f}",
            f"{row['rival']:.2f}",
        ]
        for row in record["results"]
    ]
    return ["family", "kind", "sentences", "accuracy", "head", "target", "rival"], rows


def _textbook(
    parameters: Parameters, record: Mapping[str, Any]
) -> tuple[list[str], Iterator[list[str]]]:
    heading = ["sentence", "next word", "probability", "head", "target", "rival"]
    return heading, (_looked(parameters, record, sentence) for sentence in SENTENCES)


def _looked(parameters: Parameters, record: Mapping[str, Any], sentence: Sentence) -> list[str]:
    said = sentence.beginning
    trace = read(parameters, numbers(said), (START, *said), words=WORDS)
    sure = f"{trace['next_word'].values[NUMBERS[sentence.answer]]:.3f}"
    found = record["heads"].get(sentence.family, {}).get(sentence.kind)
    if found is None:
        return [" ".join(said), sentence.answer, sure, "–", "–", "–"]
    layer, head = found
    row = trace[f"weights_{layer}"].values[head - 1, sentence.asks + 1]
    target, rival = row[sentence.target + 1], sum(row[place + 1] for place in sentence.rivals)
    return [
        " ".join(said),
        sentence.answer,
        sure,
        _head(found),
        f"{target:.2f}",
        f"{rival:.2f}" if sentence.rivals else "–",
    ]


def _senses(parameters: Parameters) -> tuple[list[str], list[list[str]]]:
    found = nearness(parameters)
    stages = ["embedding", *(f"after layer {n}" for n in range(1, parameters.size.n_layers + 1))]
    rows = [
        [word, *(f"{e.own:.2f} / {e.other:.2f}, {e.nearest:.2f}" for e in found if e.word == word)]
        for word in dict.fromkeys(each.word for each in found)
    ]
    return ["word", *stages], rows


def _ablations(parameters: Parameters, sentences: int) -> tuple[list[str], list[list[str]]]:
    whole = results(parameters, "reporting", sentences, SEED)
    families = list(dict.fromkeys(each.family for each in whole))
    rows = []
    for layer, head in np.ndindex(parameters.size.n_layers, parameters.size.n_heads):
        off = ((layer + 1, head + 1),)
        found = results(parameters, "reporting", sentences, SEED, off)
        lost = [accuracy(found, each) - accuracy(whole, each) for each in families]
        rows.append(
            [_head(off[0]), *(f"{each:+.2f}" if abs(each) >= 0.005 else "" for each in lost)]
        )
    return ["head", *families], rows


def _making(record: Mapping[str, Any]) -> str:
    recipe = "\n".join(f"- {name}: {value}" for name, value in record["recipe"].items())
    took = f" It took {record['seconds']:.0f} seconds on one core." if record["seconds"] else ""
    return f"""\
## How it was made

`python training/train.py` with this recipe. The learning rate goes up in a line for 100 steps
to its peak, then down along a cosine.{took}

{recipe}

Every seed tried, with its accuracy on the sentences for choosing. *Legibility* is by what the
seed was chosen: for each kind accuracy × (target − rival) of the one head that shows it best,
the mean over the kinds of a family, then over the families.
"""


def _tried(record: Mapping[str, Any]) -> tuple[list[str], list[list[str]]]:
    families = list(record["tried"][0]["accuracy"])
    rows = [
        [
            f"**{each['seed']}**" if each["seed"] == record["seed"] else str(each["seed"]),
            f"{each['legibility']:.3f}",
            *(f"{each['accuracy'][family]:.2f}" for family in families),
        ]
        for each in sorted(record["tried"], key=lambda each: -each["legibility"])
    ]
    return ["seed", "legibility", *families], rows
