"""A card of a review on the screen: what is left, the keys, and the grades on offer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from attn_study.memory.leech import reason
from attn_study.render.posed import answered, asked, asking_keys, framed, key_line, place_of, said
from attn_study.render.text import wrap

if TYPE_CHECKING:
    from attn_study.memory.queue import Plan
    from attn_study.render.frame import Frame
    from attn_study.sitting import Choice, Face

ROOMY = 70  # columns: under it the grades stand one under the other
FIRST_TIME = (
    "The first step is one day whatever you answer. Your grade decides whether the card "
    "returns today and how fast it grows later. ? explains; u takes it back."
)
WAYS = ". e rewrites or splits it, s puts it away"
BEFORE = (("space", "answer"), ("u", "undo"), ("e", "edit"), ("?", "more"), ("q", "quit"))
TYPING = (("enter", "answer"), ("esc", "other keys"))
AFTER = (("u", "undo"), ("e", "edit"), ("?", "more"), ("q", "quit"))


def question(
    face: Face, columns: int, words: str = "", *, typing: bool = False, rows: int | None = None
) -> Frame:
    """Return the screen that asks. `words` is said above the keys; `typing` leaves it to type.

    With `rows` the card gets most of a low window.
    """
    keys = key_line(TYPING if typing else _with_demo(face, asking_keys(face, BEFORE)), columns)
    body, footer = tuple(asked(face, columns)), (*said(words, columns), *keys)
    left = counts(face.plan)
    place = place_of(face.card, named=False)
    return framed(place, left, body, footer, keys, columns, words=words, rows=rows)


def answer(face: Face, columns: int, words: str = "", *, rows: int | None = None) -> Frame:
    """Return the screen that answers and offers the grades.

    With `rows` the card gets most of a low window, and the keys of the grades stay in sight.
    """
    body, anchor = answered(face, columns)
    keys = key_line(_with_demo(face, AFTER), columns)
    spoken = (*_aside(leech(face, WAYS), columns), *said(words or _first_time(face), columns))
    return framed(
        place_of(face.card, named=True),
        counts(face.plan),
        body,
        (*grades(face, columns), Text(), *spoken, *keys),
        [*_grade_keys(face, columns), *keys],
        columns,
        words=words,
        rows=rows,
        anchor=anchor,
    )


def leech(face: Face, ways: str) -> str:
    """Return why the card is a leech, and what keys help; "" for a card that is none.

    In the drill it is not said again: there a card comes back until it is known.
    """
    why = "" if face.drill else reason(face.state.memory.lapses)
    return f"{why}{ways}" if why else ""


def _aside(words: str, columns: int) -> list[Text]:
    """Return words that do not ask to be read at once."""
    return [Text(f" {line}", "dim") for line in wrap(words, max(1, columns - 2)) if words]


def _with_demo(face: Face, keys: tuple[tuple[str, str], ...]) -> tuple[tuple[str, str], ...]:
    """Name the demo among the keys, where the card has one."""
    if not face.demo:
        return keys
    place = keys.index(("u", "undo"))
    return (*keys[:place], ("d", f"demo {face.demo}"), *keys[place:])


def counts(plan: Plan) -> str:
    """Return what is left of the day: `3 due · 7 new · 1 again`."""
    parts = ((plan.due, "due"), (plan.new, "new"), (plan.drill, "again"))
    return " · ".join(f"{len(cards)} {name}" for cards, name in parts if cards)


def grades(face: Face, columns: int) -> list[Text]:
    """Return the grades on offer with what each does; the suggested one is marked."""
    suggested = _suggested(face)
    labels = [
        (f"{'▸' if choice is suggested else ' '} {choice.key} {choice.name}", choice)
        for choice in face.choices
    ]
    if columns < ROOMY:
        lines = (
            f" {label:<10} {days(choice.interval):<7} {choice.consequence}".rstrip()
            for label, choice in labels
        )
        return [Text(part) for line in lines for part in wrap(line, max(1, columns))]
    rows = [
        "".join(f"{label:<17}" for label, _ in labels),
        "".join(f"  {days(choice.interval):<15}" for choice in face.choices),
        "".join(f"  {choice.consequence:<15}" for choice in face.choices),
    ]
    return [Text(f" {row}".rstrip(), "" if number else "bold") for number, row in enumerate(rows)]


def _grade_keys(face: Face, columns: int) -> list[Text]:
    """Return the grades on offer with nothing but their keys and names."""
    suggested = _suggested(face)
    marked = ((f"{'▸' if each is suggested else ''}{each.key}", each.name) for each in face.choices)
    return key_line(tuple(marked), columns)


def _suggested(face: Face) -> Choice | None:
    """Return the choice nearest to the grade that a typed or chosen answer earned."""
    if face.verdict is None:
        return None
    earned = face.verdict.grade
    return max(
        (choice for choice in face.choices if choice.grade <= max(earned, 1)),
        key=lambda choice: choice.grade,
        default=face.choices[0],
    )


def days(interval: int | None) -> str:
    """Return an interval for the eye: days, and from a hundred on what that is in years."""
    if interval is None:
        return ""
    if interval < 100:
        return f"{interval} d"
    months = interval / 30.44
    return f"{interval} d, {months:.0f} mo" if months < 24 else f"{interval} d, {months / 12:.0f} y"


def _first_time(face: Face) -> str:
    return FIRST_TIME if face.beginner else ""
