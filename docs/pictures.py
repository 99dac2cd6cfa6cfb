"""Draws the pictures of the README with the program's own screens: `python docs/pictures.py`."""

from __future__ import annotations

import random
from collections import Counter
from datetime import UTC, date, datetime, timedelta
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from attn_study.deck.library import decks_dir
from attn_study.deck.reader import read
from attn_study.demos import load
from attn_study.demos.lesson import Lesson
from attn_study.memory.day import Moment
from attn_study.memory.fold import CardState
from attn_study.memory.insight.record import record
from attn_study.memory.insight.stats import stats
from attn_study.memory.overview import Counts
from attn_study.memory.queue import Plan
from attn_study.memory.rules import NO_RULES
from attn_study.memory.sm2 import Grade, Memory, schedule
from attn_study.posed import demo_of
from attn_study.render.face import answer
from attn_study.render.insight.advice import Advice
from attn_study.render.insight.stats import Page, stats_lines
from attn_study.render.lesson import lesson_page
from attn_study.render.svg import Theme, svg
from attn_study.screen.explorer.scene import Scene
from attn_study.screen.explorer.sight import sight
from attn_study.screen.explorer.state import State
from attn_study.sitting import Face, choices

if TYPE_CHECKING:
    from rich.text import Text

    from attn_study.deck.card import Card
    from attn_study.memory.insight.record import Known
    from attn_study.memory.replaying import Row

COLUMNS, ROWS = 80, 24
LESSONS_SHOWN = ("head", "multihead", "context", "learn")
STUDIED = ("attention", "attention-video")
TODAY = date(2026, 3, 9)
DAYS = 190  # of study
THEMES: tuple[Theme, ...] = ("dark", "light")


def review_screen(name: str) -> list[Text]:
    """Return the screen of one card of the built-in deck, after its answer."""
    deck = read(decks_dir() / "attention.yaml").deck
    assert deck is not None
    card = next(card for card in deck.cards if card.name == name)
    day = date(2026, 3, 9)
    state = CardState(card.id, Memory(ease=250, repetitions=2, interval=6, due=day))
    now = Moment(datetime(2026, 3, 9, 9, 0, tzinfo=UTC), day)
    plan = Plan(due=("",) * 3, new=("",) * 7, drill=("",))
    offered = choices(state, now, NO_RULES, drill=False)
    face = Face(
        card=card,
        state=state,
        now=now,
        plan=plan,
        choices=offered,
        drill=False,
        beginner=False,
        demo=card.demo,
    )
    return answer(face, COLUMNS).fit(COLUMNS, ROWS)


def lesson_screen(name: str) -> list[Text]:
    """Return the default screen of one lesson."""
    return lesson_page(Lesson.of(load(name), {}), COLUMNS)


def explorer_screen(name: str) -> list[Text]:
    """Return the first screen of the explorer on one lesson."""
    scene = Scene.of(load(name), {})
    lines, _ = sight(State.of(scene, scene.lesson.look), COLUMNS, ROWS)
    return lines


def stats_screen() -> list[Text]:
    """Return the first part of the statistics of a learner of the built-in decks."""
    cards = {card.id: card for name in STUDIED for card in built_in(name)}
    found = record(history(list(cards)), NO_RULES)
    figures = stats(found, TODAY, NO_RULES, cards)

    def advised(known: Known) -> Advice:
        card = cards[known.card]
        return Advice(known, demo_of(card), len(card.back))

    due = Counter(max(0, (known.due - TODAY).days) for known in found.cards)
    page = Page(
        stats=figures,
        now=Counts(due=due[0], askable=due[0], new=2, drill=0, done_today=0, next_due=None),
        coming=[due[ahead] for ahead in range(31)],
        decks=(),
        reviews_a_day=200,
        leeches=[advised(known) for known in figures.leeches],
        hardest=[advised(known) for known in figures.hardest],
    )
    lines = stats_lines(page, COLUMNS)
    return lines[: [line.plain[:10] for line in lines].index(" intervals") - 1]


def built_in(name: str) -> tuple[Card, ...]:
    """Return the cards of a built-in deck."""
    deck = read(decks_dir() / f"{name}.yaml").deck
    assert deck is not None
    return deck.cards


def history(cards: list[str]) -> list[tuple[str, list[Row]]]:
    """Return half a year of a learner who begins a few cards a day and misses some days."""
    dice = random.Random(1)
    hardness = {card: dice.random() ** 6 for card in cards}
    rows: dict[str, list[Row]] = {card: [] for card in cards}
    memories: dict[str, Memory] = {}
    fresh = iter(cards)
    for ago in range(DAYS, 0, -1):
        day = TODAY - timedelta(days=ago)
        if dice.random() < (0.25 if day.weekday() > 4 else 0.08):
            continue
        due = [card for card, memory in memories.items() if memory.due and memory.due <= day]
        hour = dice.choice((7, 7, 8, 20, 21))
        for card in [*due, *islice(fresh, dice.choice((0, 1, 2, 2)))]:
            is_missed = dice.random() < 0.05 + 0.34 * hardness[card]
            grade = Grade.WRONG if is_missed else Grade(dice.choice((3, 4, 4, 4, 4, 5)))
            memories[card] = schedule(memories.get(card, Memory()), grade, day)
            tick = len(rows[card]) + 1
            at = f"{day}T{hour:02}:{dice.randrange(60):02}:00.000+00:00"
            seconds = float(dice.randrange(4, 24))
            answer = (str(day), tick, card, card, "review", int(grade), "{}", at, 60, seconds)
            rows[card].append(answer)
    return list(rows.items())


def pictures() -> dict[str, str]:
    """Return each picture's file name and its SVG."""
    screens = {
        "review": ("attn-study review", review_screen("scaling")),
        "stats": ("attn-study stats", stats_screen()),
        "explorer": ("attn-study demo head --explore", explorer_screen("head")),
    } | {name: (f"attn-study demo {name}", lesson_screen(name)) for name in LESSONS_SHOWN}
    return {
        f"{name}-{theme}.svg": svg(lines, COLUMNS, title, theme)
        for name, (title, lines) in screens.items()
        for theme in THEMES
    }


if __name__ == "__main__":
    for name, drawn in pictures().items():
        Path(__file__).with_name(name).write_text(drawn, encoding="utf-8")
