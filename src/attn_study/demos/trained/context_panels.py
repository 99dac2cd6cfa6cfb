"""The screen of the trained `context`: who is looked at, and what that makes of the next word."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from attn_study.demos.panels import Gap, Table, Words
from attn_study.demos.parts import two
from attn_study.demos.trained.cases import CASES
from attn_study.demos.trained.context import OPEN, apart
from attn_study.demos.trained.reader import known_for
from attn_study.demos.trained.stack_panels import LENS
from attn_study.language.families.sense import sense_of
from attn_study.language.words import SENSES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from attn_study.attention.arrays import Array
    from attn_study.attention.trace import Trace
    from attn_study.demos.panels import Panel, Value
    from attn_study.demos.trained.cases import Case
    from attn_study.demos.working import Focus, Working
    from attn_study.language.sentence import Sentence

MOST = 5  # words of a row that are shown: those that matter, then those with the largest weights
LONGEST = 14  # cells over a column
OTHERS = "others"
WIDE = 75  # cells of such a table, so that it fits 80 columns


def panels(working: Working, focus: Focus) -> tuple[Panel, ...]:
    """Return the sentence, where a word looks in both readings, and what comes of it."""
    trace = working.trace
    case = CASES[str(working.knobs["case"])]
    slots = {slot: str(working.knobs[slot]) for slot in case.slots}
    here, there = case.build(slots), case.build(case.other(slots))
    layer = int(str(working.knobs["layer"]))
    looks = (
        _known(trace, here, there) if _is_known(here, focus, layer) else _rows(trace, focus, layer)
    )
    return (
        Words(f"“{' '.join(trace.labels('places')[1:])} …”"),
        Words(_met(case, slots)),
        Gap(),
        _looks(trace, focus.query, looks, {0, *(at + 1 for at in _matter(here, there))}),
        Gap(),
        *(_senses(trace, case.of_senses) if case.of_senses else _lens(trace, here, there)),
        Gap(),
        Words(case.about),
    )


def _met(case: Case, slots: Mapping[str, str]) -> str:
    """Return whether the words of the slots have met in training."""
    pair = case.pair.format(**slots)
    if case.belongs(slots) == "training":
        return f"not held out: {pair} may come in a training sentence"
    return f"held out: no training sentence had {pair}"


def _is_known(here: Sentence, focus: Focus, layer: int) -> bool:
    """Return whether the focus is where the head known for such sentences looks from."""
    return (layer, focus.head + 1, focus.query - 1) == (*known_for(here), here.asks)


def _known(trace: Trace, here: Sentence, there: Sentence) -> dict[str, Array]:
    """Return the row of the head known for each reading, and the first one's before it can know.

    Tokens that a row may not see are not in it.
    """
    rows = {
        f"with {reading}, head {layer}.{head}": row
        for reading, (layer, head), row in zip(
            trace.labels("readings"),
            map(known_for, (here, there)),
            trace["looked"].values,
            strict=True,
        )
    }
    if "before" in trace:
        layer, head = known_for(here)
        seen = here.words.index(OPEN) + 2
        rows[f"from “{OPEN}”, head {layer}.{head}"] = trace["before"].values[:seen]
    return rows


def _rows(trace: Trace, focus: Focus, layer: int) -> dict[str, Array]:
    """Return the focused row in both readings."""
    at = focus.head, focus.query
    return {
        f"with {reading}, head {layer}.{focus.head + 1}": trace[step].values[*at]
        for reading, step in zip(
            trace.labels("readings"), ("weights", "other_weights"), strict=True
        )
    }


def _matter(here: Sentence, there: Sentence) -> set[int]:
    """Return the positions of the words that either reading should look at, or not."""
    return {here.target, there.target, *here.rivals, apart(here, there)}


def _looks(trace: Trace, query: int, rows: Mapping[str, Array], matter: set[int]) -> Table:
    """Return weights of each row in the order of the text: those that matter, the largest."""
    names = [_short(place) for place in trace.labels("places")[: query + 1]]
    asks = trace.labels("places")[query]
    title = f"looking from “{_short(asks)}”"
    largest = [max(row[at] for row in rows.values() if at < len(row)) for at in range(query + 1)]
    order = sorted(range(query + 1), key=lambda at: (at not in matter, -largest[at]))[:MOST]
    used = max(map(len, (title, *rows))) + len(OTHERS)
    while used + sum(2 + max(4, len(names[at])) for at in order) > WIDE:
        order.pop()
    shown = sorted(order)
    others = (OTHERS,) if query >= len(shown) else ()
    cells: list[tuple[Value, ...]] = []
    for name, row in rows.items():
        few = [row[at] if at < len(row) else None for at in shown]
        rest = 1 - sum(weight for weight in few if weight is not None)
        cells.append((name, *map(two, few), *(two(rest) for _ in others)))
    return Table((title, *(names[at] for at in shown), *others), tuple(cells), role="weights")


def _short(place: str) -> str:
    """Return a word of the text, or the two of the slot, each cut where they are too long."""
    if len(place) <= LONGEST:
        return place
    parts = place.split("|")
    room = (LONGEST + 1) // len(parts) - 1
    return "|".join(part if len(part) <= room else f"{part[: room - 1]}…" for part in parts)


def _lens(trace: Trace, here: Sentence, there: Sentence) -> tuple[Panel, ...]:
    """Return how the answer comes about layer after layer, beside the word it is weighed with."""
    answers, lens = trace.labels("answers"), trace["lens"].values
    rows: list[tuple[Value, ...]] = []
    for at, (reading, pair) in enumerate(
        zip(trace.labels("readings"), ((here, there), (there, here)), strict=True)
    ):
        right, other = (answers.index(sentence.answer) for sentence in pair)
        most = int(np.argmax(lens[at, -1]))
        for answer in (right, other if most == right else most):
            rows.append((f"with {reading}: {answers[answer]}", *map(two, lens[at, :, answer])))
    columns = ("logit lens", *trace.labels("stages"))
    return (Table(columns, tuple(rows), role="weights"), Words(LENS))


def _senses(trace: Trace, word: str) -> tuple[Panel, ...]:
    """Return how near the word is to the senses of both readings, layer after layer."""
    readings, senses = trace.labels("readings"), trace.labels("senses")
    both = [sense_of(word, reading) for reading in readings]
    rows: tuple[tuple[Value, ...], ...] = tuple(
        (f"with {reading}: {sense}", *map(two, values[:, senses.index(sense)]))
        for reading, values in zip(readings, trace["cosine"].values, strict=True)
        for sense in both
    )
    alone = "; ".join(", ".join(SENSES[word][sense][1]) for sense in both)
    return (
        Table(("cosine to the sense", *trace.labels("stages")), rows),
        Words(f"A sense is the mean of words with it alone: {alone}."),
        Words(_instead(trace)),
    )


def _instead(trace: Trace) -> str:
    """Return what the same texts lead to with another noun: the cue alone does not decide."""
    told = []
    for reading, other, share in zip(
        trace.labels("readings"), trace.labels("other_nouns"), trace["instead"].values, strict=True
    ):
        noun, next_word = other.split(": ")
        told.append(f"{reading} … {noun} {next_word} {two(share)}")
    return f"Another noun there: {'; '.join(told)}."
