"""Draws the pictures of the README with the program's own screens: `python docs/pictures.py`."""

from __future__ import annotations

from datetime import UTC, date, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from attn_study.deck.library import decks_dir
from attn_study.deck.reader import read
from attn_study.demos import load
from attn_study.demos.lesson import Lesson
from attn_study.memory.day import Moment
from attn_study.memory.fold import CardState
from attn_study.memory.queue import Plan
from attn_study.memory.sm2 import Memory
from attn_study.render.face import answer
from attn_study.render.lesson import lesson_page
from attn_study.render.svg import Theme, svg
from attn_study.sitting import Face, choices

if TYPE_CHECKING:
    from rich.text import Text

COLUMNS, ROWS = 80, 24
LESSONS_SHOWN = ("head", "multihead")
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
    offered = choices(state, now, 36_500, drill=False)
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


def pictures() -> dict[str, str]:
    """Return each picture's file name and its SVG."""
    screens = {"review": ("attn-study review", review_screen("scaling"))} | {
        name: (f"attn-study demo {name}", lesson_screen(name)) for name in LESSONS_SHOWN
    }
    return {
        f"{name}-{theme}.svg": svg(lines, COLUMNS, title, theme)
        for name, (title, lines) in screens.items()
        for theme in THEMES
    }


if __name__ == "__main__":
    for name, drawn in pictures().items():
        Path(__file__).with_name(name).write_text(drawn, encoding="utf-8")
