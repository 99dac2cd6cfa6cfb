"""What the log knows of one card: each row, and what it did to the card."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from attn_study.memory.fold import fold
from attn_study.render.text import safe, wrap

if TYPE_CHECKING:
    from attn_study.memory.event import Event
    from attn_study.memory.fold import CardState


def history(
    card: str, state: CardState, events: list[Event], undone: set[str], columns: int
) -> list[Text]:
    """Return a line of where the card stands, then a line a row: day, answer, ease, interval.

    `events` are in replay order; those in `undone` are shown as taken back.
    """
    lines = [Text(), Text(f" {safe(card)}", "bold")]
    lines += [Text(f" {line}") for line in wrap(standing(state), max(1, columns - 2))]
    lines.append(Text())
    for number, event in enumerate(events):
        if event.kind != "undo":
            style = "dim" if event.uid in undone else ""
            row = _row(card, events, number, event.uid in undone)
            lines += [Text(line, style) for line in wrap(row, columns)]
    return lines


def standing(state: CardState) -> str:
    """Return the state of a card in words."""
    memory = state.memory
    parts = ["new, never answered"]
    if memory.due is not None:
        parts = [
            f"due {memory.due}",
            f"interval {memory.interval} d",
            f"ease {memory.ease / 100:.2f}",
            f"{memory.repetitions} in a row",
            f"{memory.lapses} lapses" if memory.lapses != 1 else "1 lapse",
        ]
    parts += ["suspended"] if state.suspended else []
    parts += [f"reported: {safe(state.flag)}"] if state.flag else []
    return ", ".join(parts)


def _row(card: str, events: list[Event], number: int, is_undone: bool) -> str:
    """Return one row with the ease and interval before and after it."""
    event = events[number]
    words = f" {event.day}  {event.kind:<8}"
    words += f" q{int(event.grade)}" if event.grade is not None else "   "
    words += f" {event.seconds:>5.1f} s" if event.seconds is not None else "        "
    if event.kind == "flag":
        words += f"  reported: {safe(str(event.data.get('words', '')))}"
    if is_undone:
        return f"{words}  taken back"
    undos = [other for other in events if other.kind == "undo"]
    before = fold(card, [*events[:number], *undos]).memory
    after = fold(card, [*events[: number + 1], *undos]).memory
    if before == after:
        return words.rstrip()
    return (
        f"{words}  ease {before.ease / 100:.2f} → {after.ease / 100:.2f}"
        f"  interval {before.interval} → {after.interval} d"
    )
