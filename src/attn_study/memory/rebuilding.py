"""Every state written anew from the log, where a rule or a package changes what rows mean."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attn_study.memory.log import INSERT_STATE
from attn_study.memory.replaying import replayed
from attn_study.memory.rows import state_row

if TYPE_CHECKING:
    from attn_study.memory.log import Log
    from attn_study.memory.rules import Rules

FOLDED_BY = "folded_by"  # in meta: who was there to schedule the decks that chose FSRS


def rebuild(log: Log) -> None:
    """Write every state anew from the whole log, inside the open transaction."""
    states = list(replayed(log))
    log.conn.execute("DELETE FROM card_state")
    log.conn.executemany(INSERT_STATE, map(state_row, states))
    row = [FOLDED_BY, _folded_by(log.rules())]
    log.conn.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", row)


def catch_up(log: Log, rules: Rules) -> None:
    """Work the states out anew where FSRS came or went since and a deck chose it.

    `rules` are those of the log.
    """
    if not rules.fsrs_decks or _known(log) == _folded_by(rules):
        return
    with log.writing():
        if _known(log) != _folded_by(rules):  # another process may have been first
            rebuild(log)


def _known(log: Log) -> str:
    row = log.conn.execute("SELECT value FROM meta WHERE key = ?", [FOLDED_BY]).fetchone()
    return str(row[0]) if row else ""


def _folded_by(rules: Rules) -> str:
    return "fsrs" if rules.installed else "sm2"
