"""A card of a quiz on the screen: how far the quiz is, and the few keys it has."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attn_study.render.posed import answered, asked, asking_keys, framed, key_line, place_of, said

if TYPE_CHECKING:
    from attn_study.quiz import Turn
    from attn_study.render.frame import Frame

BEFORE = (("space", "type"), ("q", "quit"))
TYPING = (("enter", "answer"), ("esc", "other keys"))


def question(
    turn: Turn, columns: int, words: str = "", *, typing: bool = False, rows: int | None = None
) -> Frame:
    """Return the screen that asks. `words` is said above the keys; `typing` leaves it to type."""
    keys = key_line(TYPING if typing else asking_keys(turn, BEFORE), columns)
    body, footer = tuple(asked(turn, columns)), (*said(words, columns), *keys)
    place, left = place_of(turn.card, named=False), progress(turn)
    return framed(place, left, body, footer, keys, columns, words=words, rows=rows)


def answer(turn: Turn, columns: int, words: str = "", *, rows: int | None = None) -> Frame:
    """Return the screen that shows how the answer compares, and what is right."""
    body, anchor = answered(turn, columns)
    demo = (("d", f"demo {turn.demo}"),) if turn.demo else ()
    keys = key_line((("space", following(turn)), *demo, ("q", "quit")), columns)
    return framed(
        place_of(turn.card, named=True),
        progress(turn),
        body,
        (*said(words, columns), *keys),
        keys,
        columns,
        words=words,
        rows=rows,
        anchor=anchor,
    )


def progress(turn: Turn) -> str:
    """Return how far the quiz is: `3 of 20 · 2 right`."""
    return f"{turn.number} of {turn.of} · {turn.right} right"


def following(turn: Turn) -> str:
    """Return what comes after the answer."""
    return "result" if turn.is_last else "next"
