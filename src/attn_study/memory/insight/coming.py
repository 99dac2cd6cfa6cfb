"""What comes due: the cards waiting today, and those of each of the following days.

Cards of one note do not meet on a day, so each waits for a day on which no other of its note is
due. Suspended cards are left out. What rests today comes tomorrow.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from datetime import date, timedelta
from typing import TYPE_CHECKING

from attn_study.memory.overview import DUE
from attn_study.memory.scope import IN_SCOPE

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable

    from attn_study.memory.scope import Scope

AHEAD = 30  # days after today


def coming(conn: sqlite3.Connection, day: date, scope: Scope, ahead: int = AHEAD) -> list[int]:
    """Return how many cards are due today, then on each of the `ahead` days after it."""
    values = scope.on(day)
    now = {row[0] for row in conn.execute(f"SELECT DISTINCT c.note {DUE}", values)}
    last = day + timedelta(days=min(ahead, (date.max - day).days))
    query = f"""
        SELECT c.note, ifnull(julianday(s.due) - julianday(:day), 0)
        FROM card_state s JOIN cache.card c ON c.card = s.card
        WHERE s.due IS NOT NULL AND s.due <= :last AND s.suspended = 0 AND {IN_SCOPE}
    """
    notes: dict[str, list[int]] = defaultdict(list)
    for note, after in conn.execute(query, values | {"last": last.isoformat()}):
        notes[note].append(int(after))
    counts = Counter(
        after for note, own in notes.items() for after in _apart(own, 0 if note in now else 1)
    )
    return [counts[after] for after in range(ahead + 1)]


def _apart(days: Iterable[int], first: int) -> Iterable[int]:
    """Yield the days on which the cards of one note come: from `first` on, no two on one."""
    for due in sorted(days):
        first = max(first, due)
        yield first
        first += 1
