"""The log for the eye: what was done, when, and what was taken back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from attn_study.memory.words import described
from attn_study.render.text import safe

if TYPE_CHECKING:
    from collections.abc import Sequence

    from attn_study.memory.event import Event


def log_lines(events: Sequence[Event], undone: set[str]) -> list[Text]:
    """Return a line a row: wall-clock time of the answer, card and grade, seconds.

    Where that time cannot be, the study day stands alone.
    """
    if not events:
        return [Text("nothing yet")]
    return [_row(event, event.uid in undone) for event in events]


def _row(event: Event, is_undone: bool) -> Text:
    at = event.wall_clock
    when = f"{event.day}      " if at is None else f"{at.date()} {at:%H:%M}"
    took = f"  {event.seconds:.1f} s" if event.seconds is not None else ""
    words = f"{when}  {safe(described(event))}{took}"
    return Text(f"{words}  (taken back)", "dim") if is_undone else Text(words)
