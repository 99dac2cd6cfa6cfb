"""Cards in a list, and one card in full."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from attn_study.memory.search import standing
from attn_study.render.posed import revealed, text_width
from attn_study.render.text import cells, pad, paragraphs, safe, shortened

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from attn_study.deck.card import Card
    from attn_study.memory.fold import CardState


def card_rows(
    found: Sequence[tuple[Card, CardState]], day: date, columns: int | None
) -> list[Text]:
    """Return a line a card: id, standing, due day, and the front as far as it goes.

    Without `columns`, as in a pipe, nothing is cut.
    """
    if not found:
        return [Text("no card fits")]
    width = max(cells(safe(card.id)) for card, _ in found)
    return [_row(card, state, day, width, columns) for card, state in found]


def _row(card: Card, state: CardState, day: date, width: int, columns: int | None) -> Text:
    due = state.memory.due
    marks = f"{'!' if state.flag else ''}{'*' if state.is_leech else ''}"
    head = f"{pad(safe(card.id), width)}  {standing(state, day):<9} {due or ''!s:<10} {marks:<2} "
    front = " ".join(paragraphs(card.front, 10_000))
    room = None if columns is None else max(0, columns - cells(head))
    return Text.assemble(head, (front if room is None else shortened(front, room), "dim"))


def card_page(
    card: Card, where: str, past: list[Text], columns: int, *, ascii: bool = False
) -> list[Text]:
    """Return both sides of a card, where it is written, and `past`, its history."""
    front = paragraphs(card.front, text_width(columns), ascii=ascii)
    return [
        Text(safe(f"{card.id}   {card.kind}   {' '.join(card.tags)}".rstrip()), "bold"),
        Text(safe(where), "dim"),
        Text(),
        *(Text(f"   {line}", "bold") for line in front),
        *_offered(card, columns, ascii=ascii),
        Text(),
        *revealed(card, columns, ascii=ascii),
        *past,
    ]


def _offered(card: Card, columns: int, *, ascii: bool) -> list[Text]:
    """Return the answers on offer with why each wrong one is wrong."""
    width = max(1, text_width(columns) - 4)
    lines = []
    for option in card.options:
        mark = "✓" if option.text == card.answer else "✗"
        said = f"{option.text}\n{option.why}" if option.why else option.text
        for at, line in enumerate(paragraphs(said, width, ascii=ascii)):
            lines.append(Text(f"   {mark if at == 0 else ' '} {line}"))
    return [Text(), *lines] if lines else []
