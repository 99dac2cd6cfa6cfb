"""Which cards are asked about: conditions of SQL on `card_state AS s` and `cache.card AS c`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from datetime import date

# The card may be asked today at all: it rests neither for good nor for the day.
AWAKE = "s.suspended = 0 AND (s.buried IS NULL OR s.buried != :day)"

# The notes of which a card has been reviewed today.
STUDIED = """SELECT r.note FROM card_state t JOIN cache.card r ON r.card = t.card
    WHERE t.review_day = :day"""
NO_SIBLING = f"c.note NOT IN ({STUDIED})"

# The card was reviewed today and not made new again since, whatever the fold makes of rows that a
# wrong clock dated ahead: it is not asked without end.
ASKED = """SELECT a.card FROM log a WHERE a.day = :day AND a.kind = 'review'
    AND NOT EXISTS (SELECT 1 FROM log u WHERE u.kind = 'undo' AND u.data ->> '$.undone' = +a.uid)
    AND NOT EXISTS (
        SELECT 1 FROM log b WHERE b.card = a.card AND b.kind = 'reset' AND b.day = a.day
        AND b.tick > a.tick AND NOT EXISTS (
            SELECT 1 FROM log v WHERE v.kind = 'undo' AND v.data ->> '$.undone' = +b.uid))"""
UNASKED = f"c.card NOT IN ({ASKED})"

# The card is one that the sitting is about.
IN_SCOPE = """(:decks = '[]' OR c.deck IN (SELECT value FROM json_each(:decks)))
    AND (:section = '' OR c.section = :section)
    AND (:tag = '' OR :tag IN (SELECT value FROM json_each(c.tags)))"""


class Scope(NamedTuple):
    """The cards a sitting is about; everything when all is empty."""

    decks: tuple[str, ...] = ()
    section: str = ""
    tag: str = ""

    def on(self, day: date) -> dict[str, object]:
        """Return the values that these conditions ask for."""
        return {"day": day.isoformat(), **self.values}

    @property
    def values(self) -> dict[str, object]:
        """The values that `IN_SCOPE` asks for, which hang on no day."""
        return {"decks": json.dumps(self.decks), "section": self.section, "tag": self.tag}
