"""The model card: what the stored model does, how it was made, and what it cannot do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from choosing import SEED
from senses import nearness
from taken import LEAST, in_words, taken
from textbook import SENTENCES

from attn_study.attention.model.reading import read
from attn_study.attention.model.stored import BITS
from attn_study.language.grammar import FAMILIES, held_out
from attn_study.language.vocabulary import NUMBERS, WORDS, numbers
from attn_study.language.words import START

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from taken import Taken

    from attn_study.attention.model.parameters import Parameters
    from attn_study.attention.model.stored import Stored
    from attn_study.language.sentence import Sentence

OPENING = """\
# Model card: the transformer of attn-study

{size}.
It was trained by `training/train.py`, in NumPy alone, to say the next word of a toy language of
{words} words. It is here to be looked into: small enough for a terminal, and really trained.

File `src/attn_study/attention/model/trained.npz`, numbers of 16 bits, {bits} of them significant,
SHA-256 `{digest}`.
"""
LIMITS = """\
## What it cannot do

- It knows {words} words and the frames of sentences that `src/attn_study/language` draws. It does
  not read English: the lessons offer slots for words, and no free text.
- The language is made so that one word or two decide the next one. For `tower` and `adjective` one
  word alone decides; the verb of `sense` takes two, the noun and a word of its topic. Real
  sentences are seldom so simple.
- It is causal. At “it” it has not read the adjective, so nothing is decided there yet; where to
  look is after the adjective. “One mole of carbon” cannot be told from the animal at “mole”.
- A sense is here which verb comes next, and no more.
- **Attention is not explanation.** Where a head looks is one thing, what the answer needs another:
  a head may look at the right word and not be needed, or be needed and look elsewhere, as the
  sentences under the table of heads taken away show. In training, some words are now and then
  hidden as keys; that was done because in trials before, models answered rightly while no head
  looked at the noun.
- Of several seeds this one was chosen for how plainly its heads show what they do, so it is not
  what any seed gives. The last table has the others.
"""
RECIPE = """\
A critical word weighs `decisive` times as much in the loss as any other. Hidden as keys, each time
anew and in training alone: of the nouns and surnames that sentences come back to the share
`noun_dropout` in layer 1, of function words and of the adjectives that decide the share
`word_dropout` in layer 2. Positions begin as sine waves and are learned from there. A step takes
`batch` of the `texts`; the learning rate goes up in a line for 100 steps to `peak`, then down along
a cosine.
"""
RIVALRY = 100  # sentences of a family, enough to meet every kind
READING = """\
## Results by family

On {n} sentences a family that were used neither for training nor for choosing. *Target* is the
attention that one head gives to the word that decides, *rival* what it gives to the wrong ones.
The head is the one that showed the kind best on the sentences for choosing: one head, not the
best of {heads} for each sentence. Agreement is right when the right verb is likelier than the
wrong one, everything else when the right word is likelier than all others. Sequences of `repeat`
are random, so nothing is held out there. Where no word is wrong the rival is “–”.
"""


def card(stored: Stored, digest: str, sentences: int) -> str:
    """Return the text in Markdown, measured on so many held-out sentences a family."""
    record, parameters = stored.record, stored.parameters
    size = parameters.size
    fill = {"words": size.n_words, "digest": digest, "size": _size(parameters), "bits": BITS}
    reading = READING.format(n=record["sentences"], heads=size.n_layers * size.n_heads)
    heads = list(taken(parameters, sentences))
    sections = (
        OPENING.format(**fill),
        reading + "\n" + _table(*_results(record)),
        "## Sentences of the textbooks\n\nTheir pairs of words never met in training.\n\n"
        + _table(*_textbook(parameters, record)),
        "## A word of several senses, layer by layer\n\nThe mean cosine to the centroid of words "
        "that have the sense alone, the mean of all\ncentroids taken away: to its own sense / to "
        "the others, and how often its own is nearest.\n\n" + _table(*_senses(parameters)),
        "## One head taken away\n\nHow much accuracy a family loses when the output of one head "
        f"is set to 0;\nan empty cell is less than {LEAST}.\n\n"
        + _table(*_ablations(heads))
        + "\n"
        + "".join(f"- {each}\n" for each in in_words(heads)),
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
    drawn = (each for one in FAMILIES for each in held_out(one, "reporting", RIVALRY, SEED))
    rivalled = {(each.family, each.kind) for each in drawn if each.rivals}
    rows = [
        [
            row["family"],
            row["kind"],
            str(row["n"]),
            f"{row['accuracy']:.3f}",
            _head(row["head"]),
            f"{row['target']:.2f}",
            f"{row['rival']:.2f}" if (row["family"], row["kind"]) in rivalled else "–",
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


def _ablations(heads: Sequence[Taken]) -> tuple[list[str], list[list[str]]]:
    rows = [
        [
            str(head),
            *(f"{-lost:+.2f}" if abs(lost) >= LEAST else "" for lost in head.families.values()),
        ]
        for head in heads
    ]
    return ["head", *heads[0].families], rows


def _making(record: Mapping[str, Any]) -> str:
    recipe = "\n".join(f"- {name}: {value}" for name, value in record["recipe"].items())
    took = f" It took {record['seconds']:.0f} seconds on one core." if record["seconds"] else ""
    return f"""\
## How it was made

`python training/train.py` with this recipe.{took}

{recipe}

{RECIPE}
Every seed tried, with its accuracy on the sentences for choosing. *Legibility* is by what the
seed was chosen: for each kind accuracy × (target − rival) of the one head that shows it best,
the mean over the kinds of a family, then over the families; a kind without a rival counts as one
whose rival gets 0.
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
