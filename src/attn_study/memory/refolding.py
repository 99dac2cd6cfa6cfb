"""Many states written anew at once, after rows of their cards came in."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from attn_study.memory.log import INSERT_STATE
from attn_study.memory.replaying import STEP, folded
from attn_study.memory.rows import state_row

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Mapping, Sequence

    from attn_study.memory.rules import Rules

# As `replaying.ROWS`, but of some cards alone, found by the index of cards
ROWS = f"""
WITH named (name, card) AS MATERIALIZED (SELECT key, value FROM json_each(?)),
undone (card, uid) AS MATERIALIZED (
    SELECT named.card, data ->> '$.undone'
    FROM log JOIN named ON named.name = log.card WHERE kind = 'undo'
)
SELECT named.card AS own, iif(kind = 'undo' OR (named.card, uid) IN undone, '', kind), {STEP}
FROM named CROSS JOIN log ON log.card = named.name
ORDER BY own, day, tick, uid
"""


def refold(
    conn: sqlite3.Connection,
    cards: Iterable[str],
    former: Mapping[str, Sequence[str]],
    rules: Rules,
) -> None:
    """Write the states of `cards`; one whose rows count for another card, or that has none, goes.

    `former` gives the ids whose rows count for a card.
    """
    elsewhere = {name for names in former.values() for name in names}
    named = {
        name: card
        for card in cards
        if card not in elsewhere
        for name in (card, *former.get(card, ()))
    }
    conn.executemany("DELETE FROM card_state WHERE card = ?", [[card] for card in cards])
    states = folded(conn.execute(ROWS, [json.dumps(named)]), rules)
    conn.executemany(INSERT_STATE, map(state_row, states))
