"""What comes due: the notes waiting today, and those of each of the following days.

Counted as `today` counts them, in notes: cards of one note do not meet on a day. Suspended cards
are left out. What rests today, or waits for a card of its note, comes tomorrow.
"""

from __future__ import annotations

from collections import Counter
from datetime import date, timedelta
from typing import TYPE_CHECKING

from attn_study.memory.overview import DUE
from attn_study.memory.scope import IN_SCOPE

if TYPE_CHECKING:
    import sqlite3

    from attn_study.memory.scope import Scope

AHEAD = 30  # days after today


def coming(conn: sqlite3.Connection, day: date, scope: Scope, ahead: int = AHEAD) -> list[int]:
    """Return how many notes are due today, then on each of the `ahead` days after it."""
    values = scope.on(day)
    now = {row[0] for row in conn.execute(f"SELECT DISTINCT c.note {DUE}", values)}
    last = day + timedelta(days=min(ahead, (date.max - day).days))
    query = f"""
        SELECT DISTINCT c.note, max(s.due, :day) FROM card_state s
        JOIN cache.card c ON c.card = s.card
        WHERE s.due IS NOT NULL AND s.due <= :last AND s.suspended = 0 AND {IN_SCOPE}
    """
    counts: Counter[int] = Counter()
    for note, due in conn.execute(query, values | {"last": last.isoformat()}):
        after = (date.fromisoformat(due) - day).days
        if after or note not in now:
            counts[after or 1] += 1
    return [len(now), *(counts[after] for after in range(1, ahead + 1))]
