"""The states against the log: what stands there must be what a replay of every row gives."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from attn_study.memory.health.finding import Finding, listed
from attn_study.memory.rows import STATE_COLUMNS, state_row

if TYPE_CHECKING:
    from collections.abc import Iterator

    from attn_study.memory.log import Log


@dataclass(frozen=True, slots=True)
class Compared:
    """Cards whose state differs from the replay, has none, or that the log does not know."""

    cards: int
    differing: list[str]
    missing: list[str]
    unknown: list[str]


def compare(log: Log) -> Compared:
    """Replay the whole log against the states."""
    from attn_study.memory.replaying import replayed

    rows = log.conn.execute(f"SELECT {STATE_COLUMNS} FROM main.card_state")
    kept = {row[0]: row for row in rows}
    cards, differing, missing = 0, [], []
    for state in replayed(log):
        cards += 1
        row = kept.pop(state.card, None)
        if row is None:
            missing.append(state.card)
        elif row != state_row(state):
            differing.append(state.card)
    return Compared(cards, differing, missing, list(kept))


def against_log(log: Log) -> Iterator[Finding]:
    """Yield the cards whose state is not what the log says."""
    found = compare(log)
    for cards, one, many in (
        (
            found.differing,
            "card is not as the log leaves it",
            "cards are not as the log leaves them",
        ),
        (found.missing, "card of the log has no state", "cards of the log have no state"),
        (found.unknown, "card has a state and no log", "cards have a state and no log"),
    ):
        if cards:
            yield Finding(
                "state",
                f"{len(cards):,} {one if len(cards) == 1 else many}",
                listed(sorted(cards), len(cards)),
                "`--fix` works them out anew from the log",
                mend="states",
            )
