"""The whole log folded anew, card by card: what every state must be.

A log may have a million rows. SQLite puts them in order, and they stay the tuples it gives: an
object for each would cost more than all the rest, and so would holding them all at once.
"""

from __future__ import annotations

import json
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from attn_study.memory.fold import Folder, canonical
from attn_study.memory.nearest import read
from attn_study.memory.rows import day_of, said

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from attn_study.memory.fold import CardState
    from attn_study.memory.log import Log
    from attn_study.memory.rules import Rules

STEP = read("grade, day, tick, data")  # what of a row the fold takes in, besides its kind
COLUMNS = read("day, tick, uid, log.card, kind, grade, data, at, offset, seconds")
Row = tuple[str, int, str, str, str, int | None, str, str, int, float | None]

# Every row about a card under the id it counts for, in replay order; the kind is empty where the
# row did not happen: an undo itself, and what one of the same card took back.
ROWS = """
WITH alias (former, card) AS MATERIALIZED (SELECT key, value FROM json_each(?)),
undone (card, uid) AS MATERIALIZED (
    SELECT ifnull(alias.card, log.card), data ->> '$.undone'
    FROM log LEFT JOIN alias ON alias.former = log.card WHERE kind = 'undo'
)
SELECT ifnull(alias.card, log.card) AS own,
    iif(kind = 'undo' OR (ifnull(alias.card, log.card), uid) IN undone, '', kind), {columns}
FROM log LEFT JOIN alias ON alias.former = log.card
WHERE log.card != ''
ORDER BY own, day, tick, uid
"""


class Ordinals(dict[str, int]):
    """Study days as numbers, each worked out once."""

    def __missing__(self, day: str) -> int:
        self[day] = number = day_of(day).toordinal()
        return number


def histories(log: Log) -> Iterator[tuple[str, list[Row]]]:
    """Yield each card with the live rows that count for it, in replay order.

    Rows of adopted cards count for the card that has their history now. Undo rows and what they
    took back are left out, and rules, which are about no card. A card whose rows were all taken
    back comes with none.
    """
    for card, rows in groupby(_rows(log, COLUMNS), key=itemgetter(0)):
        yield card, [row[2:] for row in rows if row[1]]


def replayed(log: Log) -> Iterator[CardState]:
    """Yield the state of every card that has a row in the log."""
    yield from folded(_rows(log, STEP), log.rules())


def folded(found: Iterable[Any], rules: Rules) -> Iterator[CardState]:
    """Yield the states of cards from their rows, as `ROWS` gives them with `STEP`."""
    days = Ordinals()
    for card, rows in groupby(found, key=itemgetter(0)):
        folder = Folder(card, rules)
        number = 0
        for _, kind, grade, day, tick, data in rows:
            number += 1
            if kind:
                folder.step(kind, grade, days[day], tick, said(data))
        yield folder.state(number)


def _rows(log: Log, columns: str) -> Iterator[Any]:
    alias = log.aliases()
    final = {former: canonical(former, alias) for former in alias}
    return log.conn.execute(ROWS.format(columns=columns), [json.dumps(final)])
