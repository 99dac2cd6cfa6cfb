"""The closed world: every number on a screen is in the steps, or follows from what is."""

from __future__ import annotations

import json
from contextlib import suppress
from functools import cache, cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pytest

from attn_study.attention.trace import to_json
from attn_study.demos import load
from attn_study.demos.panels import Gap, Ledger, Shaded, Table, Words
from attn_study.demos.working import Focus
from attn_study.errors import UserError
from attn_study.render.data import document
from attn_study.render.data import text as as_json
from attn_study.render.lesson import header
from closed_world import Document, Source, World, each_shifted
from closed_world_table import (
    DERIVED,
    MADE_IN,
    PHRASES,
    SAME_WAY,
    SHAPE,
    cosines,
    lengths_of_vectors,
)
from closed_world_trained import ON_SCREEN
from lesson_settings import EVERY, SETTINGS, Setting, by_hand, is_by_hand
from lessons import ALL, lesson, lines
from sizes import ends

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from attn_study.demos.panels import Panel
    from attn_study.demos.working import Working


class Part(NamedTuple):
    """A panel as it is drawn, and all that its numbers may be."""

    lines: list[str]
    world: World


class Shown:
    """A lesson at one setting, with what `--json` writes of it."""

    def __init__(self, name: str, setting: Setting) -> None:
        self.lesson = lesson(name, **setting)
        self.is_by_hand = is_by_hand(name, setting)
        self.report = reported(name, self.lesson.working)

    @property
    def queries(self) -> range:
        return range(max(1, self.lesson.n_queries))

    @cached_property
    def wrong(self) -> dict[str, tuple[Working, Document]]:
        """Every mistake that can be made of these numbers, with what `--json` writes of it."""
        name, found = self.lesson.demo.name, {}
        for mistake in self.lesson.demo.mistakes:
            with suppress(UserError):
                made = self.lesson.wrong(mistake)
                found[mistake] = (made, reported(name, made))
        return found


@cache
def shown(name: str, number: int = 0) -> Shown:
    """A lesson at one of its settings."""
    return Shown(name, SETTINGS[name][number])


def reported(name: str, made: Working) -> Document:
    return Document(json.loads(as_json(document(name, made, to_json(made.trace)))))


def world(name: str, *reports: Document, steps: tuple[str, ...] = ()) -> World:
    """What may stand on a page of a lesson, made of these reports, or of these steps of them."""
    values = np.concatenate([report.values(*steps) for report in reports])
    derived = DERIVED[""] | DERIVED.get(name, {})
    return World.of(values, reports, derived, {**PHRASES.get(name, {}), **PHRASES[""]})


def drawn(panels: Iterable[Panel], seen: World, row: World | None = None) -> Iterator[Part]:
    """Panels as parts; in a ledger stands what one query sees, where that is given."""
    for panel in panels:
        text = lines((panel,))
        words = [" ".join(line.strip() for line in text)] if isinstance(panel, Words) else text
        yield Part(words, row if row and isinstance(panel, Ledger) else seen)


def in_sight(here: Shown, query: int) -> World:
    """What may stand on the screen of the trained model: few of its many numbers, of one query."""
    name, report = here.lesson.demo.name, here.report.at(query)
    return world(name, report, steps=tuple(step for step in ON_SCREEN[name] if step in report))


def first_screen(here: Shown, query: int, *, columns: bool = False) -> Iterator[Part]:
    """The header, the notice and the lesson itself."""
    at = here.lesson.focus(Focus(query, columns=columns))
    name, made = here.lesson.demo.name, here.lesson.working
    every = world(name, here.report) if here.is_by_hand else in_sight(here, here.queries[-1])
    seen = every if here.is_by_hand else in_sight(here, at.query)
    title, *notice = header(name, here.lesson.title, made.weights, made.notice, 80)
    yield Part([title.plain, " ".join(line.plain.strip() for line in notice)], every)
    row = world(name, here.report.at(at.query)) if here.is_by_hand else seen
    yield from drawn(here.lesson.panels(at), seen, row)


def one_by_one(here: Shown, query: int) -> Iterator[Part]:
    """The steps one by one: what a picture shows is of its step alone."""
    name, stages = here.lesson.demo.name, here.lesson.stages
    every = world(name, here.report)
    for at, step in enumerate(stages):
        *told, picture = here.lesson.stage(at, here.lesson.focus(Focus(query)))
        heading: dict[str, Source | None] = {
            rf"^{at + 1} of {len(stages)}(?=   {step} )": None,
            SHAPE: lambda report, step=step: report.steps[step]["shape"],  # type: ignore[misc]
        }
        yield from drawn(told, every.saying(heading, [here.report]))
        yield from drawn((picture,), world(name, here.report, steps=(step,)))


def beside_mistakes(here: Shown, query: int) -> Iterator[Part]:
    """The right computation beside each wrong one."""
    name, right = here.lesson.demo.name, here.report
    for mistake, (made, wrong) in here.wrong.items():
        at = here.lesson.focus(Focus(query))
        panels = here.lesson.compared(mistake, made, at)
        if here.is_by_hand:
            row = world(name, right.at(query), wrong.at(query))
            yield from drawn(panels, world(name, right, wrong), row)
            continue
        known = consequences(name, right.at(query), wrong.at(query), at.head)
        for panel in panels:
            yield from drawn((panel,), known[type(panel)])


def consequences(
    name: str, right: Document, wrong: Document, head: int
) -> dict[type[Panel], World]:
    """What may stand in each panel of a mistake in the trained model, seen by one query."""
    two = (right, wrong)
    weights = np.concatenate([report["weights"][head] for report in two])
    next_word = np.concatenate([report["next_word"] for report in two])
    sums = {"weights summed along a row": lambda report: [report["weights"][head].sum()]}
    lengths = {
        "the length of a vector": lambda report: lengths_of_vectors(report, head),
        "the cosine between right and wrong": lambda _: cosines(right, wrong, head),
    }
    every = {**PHRASES[name], **PHRASES[""]}
    return {
        Shaded: World.of(weights, two, sums, every),
        Table: World.of([], two, lengths, SAME_WAY),
        Words: World.of(next_word, two, {}, {**every, **MADE_IN}),
        Gap: World.of([], two, {}, {}),
    }


def strange(parts: Iterable[Part]) -> list[str]:
    """Return what nothing explains, each once."""
    found = (part.world.explain(line)[0] for part in parts for line in part.lines)
    return list(dict.fromkeys(each for some in found for each in some))


@pytest.mark.parametrize(("name", "number"), EVERY)
@pytest.mark.parametrize("page", [first_screen, one_by_one, beside_mistakes])
def test_every_number_follows(
    page: Callable[[Shown, int], Iterator[Part]], name: str, number: int
) -> None:
    here = shown(name, number)
    queries = ends(here.queries) if number else here.queries
    assert not strange(part for query in queries for part in page(here, query))


@pytest.mark.parametrize("name", ALL)
def test_every_number_follows_in_full_and_with_the_queries_in_columns(name: str) -> None:
    here = shown(name)
    whole = drawn(here.lesson.matrices(Focus(-1)), world(name, here.report))
    assert not strange([*whole, *first_screen(here, -1, columns=True)])


@pytest.mark.parametrize("name", ALL)
def test_every_case_is_tried_and_two_texts_or_seeds(name: str) -> None:
    knobs = {knob.name: knob for knob in load(name).knobs}
    tried = [Setting(setting) for setting in SETTINGS[name]]
    assert {} in tried
    if "case" in knobs:
        cases = {setting.get("case", knobs["case"].default) for setting in tried}
        assert cases >= set(knobs["case"].choices)
    for knob in {"text", "seed"} & set(knobs):
        assert len([setting for setting in tried if knob in setting]) >= 2


@pytest.mark.parametrize("name", ALL)
def test_a_number_that_is_off_by_one_in_its_last_place_is_noticed(name: str) -> None:
    """Of numbers that are long enough: near a short one there may be another a unit away."""
    here = shown(name, by_hand(name))
    parts = [part for query in here.queries for part in first_screen(here, query)]
    noticed = [
        bool(part.world.explain(off)[0])
        for part in parts
        for line in part.lines
        for number, off in each_shifted(line)
        if len(number) >= len("0.0000")
    ]
    assert sum(noticed) >= 0.95 * len(noticed) > 0


@pytest.mark.parametrize(("name", "number"), [("context", 2), ("multihead", 6)])
def test_of_a_mistake_too_a_length_or_cosine_that_is_off_by_one_is_noticed(
    name: str, number: int
) -> None:
    """And all that is allowed there is needed.

    Of three digits, a number a unit away is now and then another that is allowed.
    """
    parts = [part for query in (3, 4) for part in beside_mistakes(shown(name, number), query)]
    ways = {"the length of a vector", "the cosine between right and wrong"}
    pairs = [
        (part.world, line) for part in parts if ways <= {*part.world.derived} for line in part.lines
    ]
    noticed = [
        bool(known.explain(off)[0])
        for known, line in pairs
        for shown_as, off in each_shifted(line)
        if len(shown_as) >= len("0.00")
    ]
    assert sum(noticed) >= 0.85 * len(noticed) > 0
    needed = {each for known, line in pairs for each in known.explain(line)[1]}
    assert needed == {*ways, *SAME_WAY}


@pytest.mark.parametrize("name", ["simplified", "mask", "head", "values", "multihead", "stack"])
def test_a_row_that_belongs_to_another_query_is_noticed(name: str) -> None:
    here = shown(name, by_hand(name))
    ledgers = [panel for panel in here.lesson.panels(Focus(1)) if isinstance(panel, Ledger)]
    assert not strange(drawn(ledgers, world(name, here.report.at(1))))
    assert strange(drawn(ledgers, world(name, here.report.at(2))))


@pytest.mark.parametrize("name", ALL)
def test_nothing_is_allowed_that_is_never_shown(name: str) -> None:
    every = [shown(name, number) for number in range(len(SETTINGS[name]))]
    pages = (
        *(first_screen(here, query) for here in every for query in here.queries),
        *(one_by_one(here, 0) for here in every),
    )
    lines_of = ((part.world, line) for page in pages for part in page for line in part.lines)
    needed = {each for known, line in lines_of for each in known.explain(line)[1]}
    assert needed >= {*PHRASES.get(name, {}), *DERIVED.get(name, {})}
