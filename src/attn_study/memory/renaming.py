"""A deck that was renamed keeps its progress: its cards adopt those of its former name, once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attn_study.memory.event import Draft
from attn_study.memory.fold import canonical
from attn_study.memory.logged import KNOWN

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable

    from attn_study.memory.day import Moment
    from attn_study.memory.log import Log

# Cards of the former deck that have progress under that name still, are gone from the catalogue,
# and have a namesake in the new deck. `?1` is the former deck, `?2` the new one.
STILL_THERE = f"""
SELECT former.card, new.card
FROM main.card_state AS former
CROSS JOIN cache.card AS new ON new.card = ?2 || substr(former.card, length(?1) + 1)
WHERE former.card >= ?1 || '/' AND former.card < ?1 || '0'
    AND ({KNOWN})
    AND NOT EXISTS (SELECT 1 FROM cache.card WHERE card = former.card)
ORDER BY former.card
"""


def keep_progress(
    log: Log, renames: Iterable[tuple[str, str]], moment: Moment
) -> list[tuple[str, str]]:
    """Let the cards of renamed decks adopt what is left under the former names, as one batch.

    `renames` are (former deck, new deck) pairs: the first of them that holds a card has it. Returns
    the (former card, new card) pairs that were written. Where both names of a card have answers
    they fold together, as answers to one card do: the deck itself says that both names mean it.
    What the former deck chose for its scheduling goes along where the new one chose nothing.
    What was adopted once and taken back stays as it is.
    """
    renames = list(renames)
    if not left_behind(log, renames):  # most days: no lock is asked for
        return []
    with log.writing():
        pairs = left_behind(log, renames)
        drafts = [Draft(new, "adopt", data={"former": old}) for old, new in pairs]
        log.add([(draft, moment) for draft in (*drafts, *_choices(log, pairs))])
    return pairs


def _choices(log: Log, pairs: Iterable[tuple[str, str]]) -> list[Draft]:
    """Return the rules that give a renamed deck the scheduler its former name had."""
    decks = log.rules().decks
    moved = {_deck(new): _deck(old) for old, new in pairs}
    return [
        Draft("", "rule", data={"deck": new, **decks[old]})
        for new, old in moved.items()
        if old in decks and new not in decks
    ]


def _deck(card: str) -> str:
    return card.partition("/")[0]


def left_behind(log: Log, renames: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return the (former card, new card) pairs that are still to be written."""
    pairs: dict[str, str] = {}
    for rename in renames:
        for old, new in log.conn.execute(STILL_THERE, rename):
            pairs.setdefault(old, new)
    if not pairs:
        return []
    alias = log.aliases()
    decided = _decided(log.conn)
    return [
        (old, new)
        for old, new in pairs.items()
        if decided.get(old) != new
        and canonical(new, alias) in (new, old)  # else its learner gave it to a third card
    ]


def _decided(conn: sqlite3.Connection) -> dict[str, str]:
    """Return former card → new card as they were last adopted, taken back or not.

    A card that was given a history since is free again: its deck was named back.
    """
    query = "SELECT card, data ->> '$.former' FROM log WHERE kind = 'adopt' ORDER BY id"
    decided: dict[str, str] = {}
    for card, former in conn.execute(query):
        decided.pop(card, None)
        decided[former] = card
    return decided
