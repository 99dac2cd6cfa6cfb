"""What the log knows of one card: each row, and what it did to the card."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from attn_study.memory.words import named
from attn_study.render.text import safe, wrap

if TYPE_CHECKING:
    from collections.abc import Sequence

    from attn_study.memory.fold import CardState, Past
    from attn_study.memory.sm2 import Memory


def history(card: str, state: CardState, rows: Sequence[Past], columns: int) -> list[Text]:
    """Return a line of where the card stands, then a line a row: day, answer, ease, interval."""
    lines = [Text(), Text(f" {safe(card)}", "bold")]
    lines += [Text(f" {line}") for line in wrap(standing(state), max(1, columns - 2))]
    lines.append(Text())
    for row in rows:
        style = "dim" if row.undone else ""
        lines += [Text(line, style) for line in wrap(_row(row), columns)]
    return lines


def standing(state: CardState) -> str:
    """Return the state of a card in words."""
    memory = state.memory
    parts = ["new, never answered"]
    if memory.due is not None:
        parts = [
            f"due {memory.due}",
            f"interval {memory.interval} d",
            _ease(memory),
            f"{memory.repetitions} in a row",
            f"{memory.lapses} lapses" if memory.lapses != 1 else "1 lapse",
        ]
    parts += ["suspended"] if state.suspended else []
    parts += [f"reported: {safe(state.flag)}"] if state.flag else []
    return ", ".join(parts)


def _row(row: Past) -> str:
    """Return one row with the ease and interval before and after it."""
    event, before, after = row.event, row.before, row.after
    words = f" {event.day}  {event.kind:<8}"
    words += f" {named(event.grade):<5}" if event.grade is not None else "      "
    words += f" {event.seconds:>5.1f} s" if event.seconds is not None else "        "
    if event.kind == "flag":
        words += f"  reported: {safe(str(event.data.get('words', '')))}"
    if row.undone:
        return f"{words}  taken back"
    if before == after:
        return f"{words}  no change" if event.kind == "review" else words.rstrip()
    changed = f"{before.interval} → {after.interval} d"
    if after.stability:
        return f"{words}  {changed}, {_ease(after)}"
    return f"{words}  ease {before.ease / 100:.2f} → {after.ease / 100:.2f}  interval {changed}"


def _ease(memory: Memory) -> str:
    """Return what makes the intervals grow: SM-2's ease, or what FSRS keeps in its place."""
    if memory.stability:
        return f"stability {memory.stability:.1f} d, difficulty {memory.difficulty:.1f}"
    return f"ease {memory.ease / 100:.2f}"
